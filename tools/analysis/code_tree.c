/* SPDX-License-Identifier: MIT */
/*
 * From the sums of samples: the hits of each place, which are named; then, for each pair of places, the nodes that
 * only one of the two is in.  All leaves are at one depth, so that their ancestors
 * are compared level by level.
 */

#include "tools/analysis/code_tree.h"

#include <math.h>
#include <stdlib.h>

#include "tools/analysis/breakdown.h"
#include "tools/analysis/profile.h"
#include "tools/analysis/share_diff.h"
#include "tools/base/alloc.h"
#include "tools/base/printable.h"

#define NO_LEAF UINT32_MAX

/* A place that has hits: where it is in the table and in the code. */
struct spot {
    uint32_t row;   /* row id */
    enum mode mode;
    uint32_t code;  /* row id of the task whose program is at `pc`, of late samples in user mode; else 0 */
    uint64_t pc, hits;
    size_t place;   /* index in the samples' places */
};

struct build {
    struct code_tree *tree;
    struct spot *spot; /* by row, mode, program and address */
    size_t spots;
    uint32_t *leaf;    /* of each place; NO_LEAF: not known, or no hits */
};

/* ---- places ---- */

static int by_code(const void *left, const void *right)
{
    const struct spot *a = left, *b = right;

    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->mode != b->mode)
        return a->mode < b->mode ? -1 : 1;
    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    return (a->pc > b->pc) - (a->pc < b->pc);
}

static void make_spots(struct build *b, const struct sample_sums *s)
{
    b->spot = xrealloc_array(NULL, s->places + 1, sizeof(*b->spot));
    for (size_t p = 0; p < s->places; p++) {
        const struct sample_place *from = &s->place[p].place;

        if (from->known && from->mode < MODES)
            b->spot[b->spots++] = (struct spot){
                .row = profile_row_of(from), .mode = from->mode,
                .code = from->delay == DELAY_NONE ? 0 : profile_code_of(from),
                .pc = from->pc, .hits = s->place[p].hits, .place = p,
            };
    }
    qsort(b->spot, b->spots, sizeof(*b->spot), by_code);
}

/* ---- nodes ---- */

uint32_t code_tree_add(struct code_tree *t, const struct code_node *of)
{
    GROW(t->node, t->nodes);
    t->node[t->nodes] = *of;
    t->node[t->nodes].tally.samples = t->samples;
    return (uint32_t)t->nodes++;
}

static uint32_t add_below(struct code_tree *t, uint32_t parent, const struct breakdown_row *row)
{
    const struct code_node *above = &t->node[parent];

    return code_tree_add(t, &(struct code_node){
        .name = xasprintf("%s", row->name), .parent = parent, .level = above->level + 1, .task = above->task,
        .mode = above->mode,
        .known = row->known,
    });
}

static bool is_same_code(const struct profile_atom *a, const struct spot *s)
{
    return a->code == s->code && a->address == s->pc;
}

/* The spots of one task and mode as a profile, for its names; no two atoms are of one address and program. */
static struct profile profile_of(const struct spot *spot, size_t spots)
{
    struct profile p = {.atom = xrealloc_array(NULL, spots, sizeof(*p.atom)), .several = !row_has_modes(spot->row)};

    for (size_t i = 0; i < spots; i++) {
        if (!i || !is_same_code(&p.atom[p.atoms - 1], &spot[i]))
            p.atom[p.atoms++] = (struct profile_atom){.address = spot[i].pc, .end = spot[i].pc + 1,
                                                      .code = spot[i].code};
        p.atom[p.atoms - 1].hits += spot[i].hits;
    }
    return p;
}

/* The node of each line within its function, in the order of functions and then of lines: most hits first. */
static void add_code(struct build *b, uint32_t mode, const struct breakdown *function, const struct breakdown *line,
                     size_t atoms, uint32_t *node)
{
    for (size_t f = 0; f < function->rows; f++) {
        const uint32_t above = add_below(b->tree, mode, &function->row[f]);
        uint32_t *of_line = xcalloc(line->rows + 1, sizeof(*of_line));

        for (size_t a = 0; a < atoms; a++)
            if (function->group[a] == (int32_t)f)
                of_line[line->group[a]] = 1;
        for (size_t l = 0; l < line->rows; l++)
            if (of_line[l])
                of_line[l] = add_below(b->tree, above, &line->row[l]);
        for (size_t a = 0; a < atoms; a++)
            if (function->group[a] == (int32_t)f)
                node[a] = of_line[line->group[a]];
        free(of_line);
    }
}

/* One task in one mode. */
static void add_mode(struct build *b, uint32_t task, const struct spot *spot, size_t spots,
                     const struct code_files *files)
{
    const uint32_t mode = code_tree_add(b->tree, &(struct code_node){
        .name = xasprintf("%s", mode_name(spot->mode)), .parent = task, .level = CODE_MODE, .task = spot->row,
        .mode = spot->mode,
        .known = true,
    });
    struct profile p = profile_of(spot, spots);
    uint32_t *node = xrealloc_array(NULL, p.atoms, sizeof(*node));
    struct breakdown function, line;
    size_t atom = 0;

    if (breakdown_make(&function, &p, files, BREAKDOWN_FUNCTION)) {
        if (breakdown_make(&line, &p, files, BREAKDOWN_LINE)) {
            add_code(b, mode, &function, &line, p.atoms, node);
            for (size_t i = 0; i < spots; i++) {
                atom += !is_same_code(&p.atom[atom], &spot[i]);
                b->leaf[spot[i].place] = node[atom];
            }
            breakdown_free(&line);
        }
        breakdown_free(&function);
    }
    free(node);
    profile_free(&p);
}

static size_t end_of(const struct build *b, size_t from, bool modes)
{
    size_t end = from;

    while (end < b->spots && b->spot[end].row == b->spot[from].row &&
           (!modes || b->spot[end].mode == b->spot[from].mode))
        end++;
    return end;
}

static void add_task(struct build *b, const struct epoch *e, struct symbol_resolver *names, size_t from, size_t end)
{
    char name[NAME_SIZE];
    uint32_t task;

    epoch_name_of(e, b->spot[from].row, name);
    task = code_tree_add(b->tree, &(struct code_node){
        .name = printable(xasprintf("%s", name)), .level = CODE_TASK, .task = b->spot[from].row, .known = true,
    });
    resolver_use(names, e, b->spot[from].row, true);
    for (size_t next; from < end; from = next) {
        next = end_of(b, from, true);
        add_mode(b, task, &b->spot[from], next - from, &names->symbols);
    }
}

/* ---- sums ---- */

static void count_hits(const struct build *b)
{
    struct code_node *n = b->tree->node;

    for (size_t i = 0; i < b->spots; i++)
        for (uint32_t at = b->leaf[b->spot[i].place]; at != NO_LEAF && at; at = n[at].parent)
            n[at].tally.hits += b->spot[i].hits;
}

static void count_changes(const struct build *b, const struct sample_sums *s)
{
    struct code_node *n = b->tree->node;

    for (size_t i = 0; i < s->pairs; i++) {
        uint32_t one = b->leaf[s->pair[i].a], other = b->leaf[s->pair[i].b];

        if (one == NO_LEAF || other == NO_LEAF)
            continue;
        for (; one != other; one = n[one].parent, other = n[other].parent) {
            n[one].tally.changes += s->pair[i].count;
            n[other].tally.changes += s->pair[i].count;
        }
    }
}

/* Pairs that are not told apart may leave any node: that makes intervals wider. */
static void count_blurred(const struct build *b, const struct sample_sums *s)
{
    struct code_node *n = b->tree->node;

    for (size_t i = 0; i < s->places; i++)
        for (uint32_t at = b->leaf[i]; s->place[i].changes && at != NO_LEAF && at; at = n[at].parent)
            n[at].tally.changes += s->place[i].changes;
}

/* ---- the whole ---- */

static struct sample_location location_of(const struct sample_place *p)
{
    return (struct sample_location){p->pc, p->task, (uint8_t)(p->mode + SAMPLE_DELAY_STEP * p->delay)};
}

static void keep_leaves(const struct build *b, const struct sample_sums *s)
{
    struct code_tree *t = b->tree;

    t->leaf = xrealloc_array(NULL, s->places + 1, sizeof(*t->leaf));
    for (size_t i = 0; i < s->places; i++) {
        const struct sample_location where = location_of(&s->place[i].place);

        if (b->leaf[i] != NO_LEAF)
            t->leaf[place_set_number(&t->place, &where)] = b->leaf[i];
    }
}

const struct code_node *code_tree_leaf(struct code_tree *t, const struct sample_place *place)
{
    const struct sample_location where = location_of(place);

    return place->known && place_set_has(&t->place, &where) ? &t->node[t->leaf[place_set_number(&t->place, &where)]]
                                                            : NULL;
}

static void build(struct build *b, const struct epoch *e, struct symbol_resolver *names)
{
    const struct sample_sums *s = e->samples->sums;

    for (size_t p = 0; p <= s->places; p++)
        b->leaf[p] = NO_LEAF;
    make_spots(b, s);
    code_tree_add(b->tree, &(struct code_node){.name = xasprintf("all samples"), .level = CODE_RUN, .known = true});
    for (size_t from = 0, end; from < b->spots; from = end) {
        end = end_of(b, from, false);
        add_task(b, e, names, from, end);
    }
    count_hits(b);
    count_changes(b, s);
    count_blurred(b, s);
    keep_leaves(b, s);
    b->tree->node[0].tally.hits = e->samples->count - s->unresolved;
}

bool code_tree_make(struct code_tree *t, const struct epoch *e, struct symbol_resolver *names)
{
    struct build b = {.tree = t};

    if (!e->samples || !e->samples->sums || e->samples->sums->adding)
        return false;
    *t = (struct code_tree){
        .estimator = profile_samples_estimator(e), .samples = e->samples->told,
        .unknown = e->samples->told - e->samples->count + e->samples->sums->unresolved,
    };
    b.leaf = xrealloc_array(NULL, e->samples->sums->places + 1, sizeof(*b.leaf));
    build(&b, e, names);
    free(b.spot);
    free(b.leaf);
    return true;
}

void code_tree_free(struct code_tree *t)
{
    for (size_t i = 0; i < t->nodes; i++)
        free(t->node[i].name);
    free(t->node);
    place_set_free(&t->place);
    free(t->leaf);
    *t = (struct code_tree){0};
}

struct confidence code_tree_share(const struct code_tree *t, const struct code_node *n)
{
    const struct share_diff_run run = {t->estimator, t->samples, t->unknown};
    const double estimate = t->samples ? (double)n->tally.hits / (double)t->samples : 0.0;

    return t->estimator.reason ? (struct confidence){estimate, NAN, NAN}
                               : share_diff_share(&run, &n->tally, LEVEL_95);
}
