/* SPDX-License-Identifier: MIT */
/*
 * Profiles from sums of raw samples: each address an atom, and the pairs of places
 * counted, so that any group of addresses has its exact changes.
 */
#include "tools/analysis/profile.h"

#include <stdlib.h>

#include "tools/analysis/report.h"
#include "tools/base/alloc.h"
#include "tools/symbols/symbol_resolver.h"

/* Classes of places without an atom. */
enum { ELSEWHERE = -1, BELOW = -2, ABOVE = -3, UNKNOWN = -4 };

static int by_address(const void *left, const void *right)
{
    const struct profile_atom *a = left, *b = right;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return (a->code > b->code) - (a->code < b->code);
}

/* The rows of late samples: their addresses tell where the delay ended. */
static bool is_late_row(uint32_t task)
{
    return task == ROW_MASKED || task == ROW_STOLEN;
}

/* A late sample belongs to row MASKED or STOLEN, not to the task and code at its address. */
uint32_t profile_row_of(const struct sample_place *place)
{
    if (place->delay == DELAY_NONE)
        return place->task;
    return place->delay == DELAY_STOLEN ? ROW_STOLEN : ROW_MASKED;
}

static bool is_in_late_row(const struct sample_place *place, uint32_t task)
{
    return place->delay != DELAY_NONE && task == profile_row_of(place);
}

static bool is_asked(const struct profile_request *q, const struct sample_place *place)
{
    if (is_late_row(q->task) || place->delay != DELAY_NONE)
        return is_in_late_row(place, q->task);
    return (!q->masked || place->masked) && (q->task == ROW_ANY || place->task == q->task) &&
           (q->all_modes || place->mode == q->mode);
}

static int class_of(const struct profile_request *q, const struct sample_place *place)
{
    if (!place->known)
        return UNKNOWN;
    if (!is_asked(q, place))
        return ELSEWHERE;
    if (!q->low && !q->high)
        return 0;
    if (place->pc < q->low)
        return BELOW;
    return place->pc < q->high ? 0 : ABOVE;
}

/* Whose program is at a place: all tasks share the image, in the upper half. */
uint32_t profile_code_of(const struct sample_place *place)
{
    return place->pc & UPPER_HALF ? ROW_ANY : place->task;
}

static struct profile_atom atom_of(const struct profile *p, const struct sample_place *place)
{
    return (struct profile_atom){
        .address = place->pc, .end = place->pc + 1, .code = p->several ? profile_code_of(place) : 0,
    };
}

/* One atom for each address of a place, sorted. */
static void make_atoms(struct profile *p, const struct sample_sums *s, const int32_t *class)
{
    size_t kept = 0;

    p->atom = xrealloc_array(NULL, s->places + 1, sizeof(*p->atom));
    for (size_t i = 0; i < s->places; i++)
        if (class[i] == 0)
            p->atom[p->atoms++] = atom_of(p, &s->place[i].place);
    qsort(p->atom, p->atoms, sizeof(*p->atom), by_address);
    for (size_t i = 0; i < p->atoms; i++)
        if (!kept || by_address(&p->atom[kept - 1], &p->atom[i]))
            p->atom[kept++] = p->atom[i];
    p->atoms = kept;
}

static int32_t atom_at(const struct profile *p, const struct sample_place *place)
{
    const struct profile_atom wanted = atom_of(p, place);
    const struct profile_atom *found = bsearch(&wanted, p->atom, p->atoms, sizeof(wanted), by_address);

    return found ? (int32_t)(found - p->atom) : -1;
}

int32_t profile_atom_of(const struct profile *p, const struct sample_place *place)
{
    return class_of(&p->request, place) ? -1 : atom_at(p, place);
}

/* From the class of each place to its atom. */
static void find_atoms(const struct profile *p, const struct sample_sums *s, int32_t *class)
{
    for (size_t i = 0; i < s->places; i++)
        if (class[i] == 0)
            class[i] = atom_at(p, &s->place[i].place);
}

static void count_change(struct profile *p, int32_t a, int32_t b, uint64_t count)
{
    if (a == b)
        return;
    if (a >= 0)
        p->atom[a].changes += count;
    if (b >= 0)
        p->atom[b].changes += count;
    p->active.changes += (a == ELSEWHERE) != (b == ELSEWHERE) ? count : 0;
}

/* Changes to places that are not told apart may be within what is asked: they count as changes of all of it. */
static void count_place(struct profile *p, const struct place_sum *sum, int32_t where)
{
    const bool asked = where >= 0 || where == BELOW || where == ABOVE;

    if (!asked)
        return;
    p->active.hits += sum->hits;
    p->active.changes += sum->changes;
    p->below += where == BELOW ? sum->hits : 0;
    p->above += where == ABOVE ? sum->hits : 0;
    if (where < 0)
        return;
    p->atom[where].hits += sum->hits;
    p->atom[where].changes += sum->changes;
    p->atom[where].blurred += sum->changes;
}

static void add_up(struct profile *p, int32_t *class)
{
    const struct sample_sums *s = p->sums;

    for (size_t i = 0; i < s->places; i++)
        count_place(p, &s->place[i], class[i]);
    for (size_t i = 0; i < s->pairs; i++)
        count_change(p, class[s->pair[i].a], class[s->pair[i].b], s->pair[i].count);
    for (size_t i = 0; i < s->places; i++)
        class[i] = class[i] < 0 ? -1 : class[i];
}

struct estimator profile_samples_estimator(const struct epoch *e)
{
    return estimator_of_thinned(report_options(e).estimator, e->hello.thin);
}

void profile_from_samples(struct profile *p, const struct epoch *e)
{
    static const struct sample_sums nothing;
    const struct sample_sums *s = e->samples->sums ? e->samples->sums : &nothing;
    int32_t *class = xrealloc_array(NULL, s->places + 1, sizeof(*class));

    p->several = p->request.task == ROW_ANY || is_late_row(p->request.task);
    p->samples = e->samples->told;
    p->active.samples = e->samples->told;
    p->unresolved = e->samples->told - e->samples->count + s->unresolved;
    p->estimator = profile_samples_estimator(e);
    for (size_t i = 0; i < s->places; i++)
        class[i] = class_of(&p->request, &s->place[i].place);
    make_atoms(p, s, class);
    find_atoms(p, s, class);
    p->sums = s;
    p->atom_of = class;
    add_up(p, class);
}

struct task_hits {
    uint32_t task;
    uint64_t hits;
};

static void add_hits(struct index *of, struct task_hits **tasks, size_t *count, uint32_t task, uint64_t hits)
{
    struct task_hits *const to = INDEX_ROW(of, task, *tasks, *count, &(struct task_hits){.task = task});

    to->hits += hits;
}

/* Of tasks with as many hits, the one whose place comes first. */
bool profile_busiest_by_samples(const struct epoch *e, uint32_t *id)
{
    const struct sample_sums *s = e->samples ? e->samples->sums : NULL;
    struct task_hits *tasks = NULL;
    struct index of = {0};
    size_t count = 0, best = 0;

    for (size_t i = 0; s && i < s->places; i++)
        if (s->place[i].place.known && s->place[i].place.task < ROW_IDLE)
            add_hits(&of, &tasks, &count, s->place[i].place.task, s->place[i].hits);
    for (size_t i = 1; i < count; i++)
        if (tasks[i].hits > tasks[best].hits)
            best = i;
    if (count)
        *id = tasks[best].task;
    index_free(&of);
    free(tasks);
    return count;
}

void profile_modes_by_samples(const struct epoch *e, uint32_t task, uint64_t hits[MODES])
{
    const struct sample_sums *s = e->samples->sums;

    for (size_t i = 0; s && i < s->places; i++) {
        const struct sample_place *place = &s->place[i].place;

        if (!place->known || place->mode >= MODES)
            continue;
        if (is_late_row(task) || place->delay != DELAY_NONE ? is_in_late_row(place, task) :
            task == ROW_ANY || place->task == task)
            hits[place->mode] += s->place[i].hits;
    }
}
