/* SPDX-License-Identifier: MIT */
/*
 * Gives each stack its frames: what names its task, its mode, and the code at its address; divides the stacks of a
 * place among their callers.
 */
#include "tools/export/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/symbols/line_table.h"

/* The stacks of one place are a list: the place itself is the first, and `more` leads from one to the next. */

struct divided_place { /* of a place */
    uint64_t hits;    /* that it has */
    uint64_t told;    /* samples of all its records */
    uint64_t counted; /* samples of its records up to here */
    uint64_t given;   /* hits that these have */
};

static size_t place_of(const struct stacks *s, const struct wire_call_stacks_row *r)
{
    return r->mode == MODE_USER && r->samples ? stacks_place(s, (uint32_t)r->id, stack_pc(r, 0)) : INDEX_NONE;
}

static uint64_t sum_of(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* The hits that a record's stack gets: what all records up to it have, less what those before it have. */
static uint64_t take(struct divided_place *p, uint64_t samples)
{
    uint64_t to;

    p->counted = sum_of(p->counted, samples);
    to = p->told <= p->hits ? p->counted : (uint64_t)((unsigned __int128)p->hits * p->counted / p->told);
    samples = to - p->given;
    p->given = to;
    return samples;
}

static void give(struct stacks *s, size_t place, const struct wire_call_stacks_row *callers, uint64_t hits)
{
    struct stack one = s->stack[place];

    if (!hits)
        return;
    if (hits == one.hits && !one.more) { /* all have the same callers, and their changes are known */
        s->stack[place].callers = callers;
        return;
    }
    one.callers = callers;
    one.hits = hits;
    one.changes = 2 * hits; /* it is not known which samples: as if both neighbours of each were elsewhere */
    GROW(s->stack, s->count);
    s->stack[s->count] = one;
    s->stack[place].hits -= hits;
    s->stack[place].changes = 2 * s->stack[place].hits;
    s->stack[place].more = (uint32_t)s->count++;
}

void stacks_divide(struct stacks *s)
{
    const struct record_store *const kept = epoch_kept(s->epoch, WIRE_CALL_STACKS);
    const struct wire_call_stacks_row *r;
    struct divided_place *sum = xrealloc_array(NULL, s->count + 1, sizeof(*sum));
    size_t place;

    for (size_t i = 0; i < s->count; i++)
        sum[i] = (struct divided_place){.hits = s->stack[i].hits};
    for (size_t i = 0; i < kept->row.count; i++)
        if ((place = place_of(s, r = record_row(kept, i))) != INDEX_NONE)
            sum[place].told = sum_of(sum[place].told, r->samples);
    for (size_t i = 0; i < kept->row.count; i++)
        if ((place = place_of(s, r = record_row(kept, i))) != INDEX_NONE)
            give(s, place, r, take(&sum[place], r->samples));
    free(sum);
}

const struct stack *stack_turns_next(struct stack_turns *t, const struct stacks *s,
                                     const struct resolved_sample *sample)
{
    const struct stack *const place = stacks_find(s, sample);
    size_t at;

    if (!place || !place->more)
        return place;
    if (!t->taken) {
        t->taken = xrealloc_array(NULL, s->count, sizeof(*t->taken));
        for (size_t i = 0; i < s->count; i++)
            t->taken[i] = 0;
    }
    for (at = (size_t)(place - s->stack); s->stack[at].more && t->taken[at] >= s->stack[at].hits;)
        at = s->stack[at].more;
    t->taken[at]++;
    return &s->stack[at];
}

void stack_turns_free(struct stack_turns *t)
{
    free(t->taken);
    *t = (struct stack_turns){0};
}

#define PAGE         4096u
#define INLINED_MOST 16

static uint32_t frame_of(struct stacks *s, const struct stack_frame *wanted)
{
    const uint64_t words[] = {(uint64_t)wanted->kind << 32 | wanted->name,
                              (uint64_t)wanted->file << 32 | wanted->line};
    const struct stack_frame *const found =
        INDEX_ROW(&s->frame_of, index_key(words, sizeof(words)), s->frame, s->frames, wanted);

    return (uint32_t)(found - s->frame);
}

static void add_frame(struct stacks *s, struct stack *to, struct stack_frame frame)
{
    APPEND(s->id, s->ids, frame_of(s, &frame));
    to->depth++;
}

static void add_name(struct stacks *s, struct stack *to, enum frame_kind kind, const char *name)
{
    add_frame(s, to, (struct stack_frame){.kind = kind, .name = text_set_number(&s->texts, name)});
}

static void add_page(struct stacks *s, struct stack *to, uint64_t pc)
{
    char name[40];

    snprintf(name, sizeof(name), "0x%" PRIx64 " (no symbol)", pc & ~(uint64_t)(PAGE - 1));
    add_name(s, to, FRAME_FUNCTION, name);
}

static void add_line(struct stacks *s, struct stack *to, const struct line_table *lines)
{
    const char *path, *base;
    unsigned line = 0;
    char *name;

    if (!lines || !line_table_find(lines, to->at.pc, &path, &line) || !line)
        return;
    path += strncmp(path, "./", 2) ? 0 : 2; /* from -ffile-prefix-map */
    base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    name = xasprintf("%s:%u", base, line);
    add_frame(s, to, (struct stack_frame){
        .kind = FRAME_LINE, .name = text_set_number(&s->texts, name), .file = text_set_number(&s->texts, path),
        .line = line,
    });
    free(name);
}

/* The function at an address, and what was compiled into it there; its symbol, NULL: there is none. */
static const struct symbol *add_functions(struct stacks *s, struct stack *to, const struct code_file *file,
                                          uint64_t pc)
{
    const struct symbol *symbol = code_file_symbol(file, pc);
    const char *inlined[INLINED_MOST];
    size_t inner = symbol && file->lines ? line_table_inlined(file->lines, pc, inlined, INLINED_MOST) : 0;

    if (!symbol) {
        add_page(s, to, pc);
        return NULL;
    }
    add_name(s, to, FRAME_FUNCTION, symbols_display_name(symbol));
    while (inner-- > 0)
        add_name(s, to, FRAME_FUNCTION, inlined[inner]);
    return symbol;
}

/* The outermost first.  A return address is that of the instruction after the call. */
static void add_callers(struct stacks *s, struct stack *to, const struct code_files *files)
{
    for (unsigned i = to->callers ? stack_depth(to->callers) : 0; i-- > 1;) {
        const uint64_t pc = stack_pc(to->callers, i) - 1;

        add_functions(s, to, code_file_at(files, pc), pc);
    }
    to->code = to->depth;
}

static void add_code(struct stacks *s, struct stack *to, const struct code_file *file)
{
    const struct symbol *const symbol = add_functions(s, to, file, to->at.pc);

    if (!symbol)
        return;
    to->symbol = text_set_number(&s->texts, symbols_display_name(symbol));
    to->offset = to->at.pc - symbol->start;
    add_line(s, to, file->lines);
}

static void name_one(struct stacks *s, struct stack *to, const struct code_files *files)
{
    char name[NAME_SIZE];

    to->first = s->ids;
    if (!to->at.known) {
        add_name(s, to, FRAME_TASK, "[not known]");
        return;
    }
    epoch_name_of(s->epoch, to->at.task, name);
    add_name(s, to, FRAME_TASK, name);
    if (to->at.mode < MODES && row_has_modes(to->at.task))
        add_name(s, to, FRAME_MODE, mode_name(to->at.mode));
    add_callers(s, to, files);
    if (to->at.other)
        add_name(s, to, FRAME_FUNCTION, "[other places]");
    else if (to->at.mode < MODES && s->raw)
        add_code(s, to, code_file_at(files, to->at.pc));
}

/* Places of one line have the same frames. */
static void join_same(struct stacks *s)
{
    struct index of = {0};

    for (size_t i = 0; i < s->count; i++) {
        struct stack *stack = &s->stack[i];
        const uint64_t key = index_key(&s->id[stack->first], stack->depth * sizeof(*s->id));
        size_t first = index_find(&of, key);

        if (first == INDEX_NONE) {
            first = i;
            index_put(&of, key, i);
        }
        s->stack[first].shown += stack->hits;
    }
    index_free(&of);
}

static void add_code_part(struct stacks *s, uint32_t task, const struct symbols *from,
                          const struct elf_segment *part)
{
    char *const path = realpath(from->path, NULL);

    if (path && part->type == PT_LOAD && part->flags & PF_X)
        APPEND(s->code, s->codes, (struct stack_code){
            .task = task, .path = text_set_number(&s->paths, path), .start = part->address + from->base,
            .length = part->bytes, .offset = part->offset,
        });
    free(path);
}

/* Where the code of a task's program and of the image is. */
static void add_file(struct stacks *s, uint32_t task, const struct symbols *from)
{
    for (size_t i = 0; from && i < from->file.table.segments; i++)
        add_code_part(s, task, from, &from->file.table.segment[i]);
}

struct turn { /* stacks of one task come together: its files are opened once */
    uint32_t code, stack;
};

static int by_code(const void *left, const void *right)
{
    const struct turn *a = left, *b = right;

    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    return (a->stack > b->stack) - (a->stack < b->stack);
}

void stacks_name(struct stacks *s, struct symbol_resolver *naming)
{
    struct turn *turn = xrealloc_array(NULL, s->count + 1, sizeof(*turn));

    text_set_number(&s->texts, ""); /* number 0 */
    for (uint32_t i = 0; i < s->count; i++)
        turn[i] = (struct turn){s->stack[i].at.code, i};
    qsort(turn, s->count, sizeof(*turn), by_code);
    for (size_t i = 0; i < s->count; i++) {
        if (!i || turn[i].code != turn[i - 1].code) {
            resolver_use(naming, s->epoch, turn[i].code, true);
            add_file(s, turn[i].code, naming->symbols.program.symbols);
            add_file(s, turn[i].code, naming->symbols.image.symbols);
        }
        name_one(s, &s->stack[turn[i].stack], &naming->symbols);
    }
    free(turn);
    join_same(s);
    resolver_warn_foreign(naming, s->epoch, NULL);
}
