/* SPDX-License-Identifier: MIT */
/* The log of changes of cell, decoded and added up (docs/PROTOCOL.md, "Transitions"). */
#include "tools/records/transitions.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"

#define TASKS_MOST 4096u /* higher task numbers are damage */
#define CELLS      (2u * MODES)
#define CELLS_MOST (1 + TASKS_MOST * CELLS)
#define LAST_NUMBER ((uint64_t)1 << 48) /* no run reaches it */
#define NOT_TOLD   UINT64_MAX

struct transitions *transitions_new(void)
{
    struct transitions *t = xrealloc_array(NULL, 1, sizeof(*t));

    *t = (struct transitions){.count = 0};
    return t;
}

void transitions_free(struct transitions *t)
{
    if (!t)
        return;
    number_set_free(&t->numbers);
    free(t->cell);
    free(t->id);
    free(t);
}

size_t transitions_bytes(const struct transitions *t)
{
    return sizeof(*t) + 2 * t->numbers.ranges * sizeof(*t->numbers.range) + 2 * t->cells * sizeof(*t->cell) +
           2 * t->ids * sizeof(*t->id);
}

/* ---- sums ---- */

static struct transition_sum *sum_of(struct transitions *t, uint64_t cell)
{
    while (t->cells <= cell)
        APPEND(t->cell, t->cells, (struct transition_sum){0});
    return &t->cell[cell];
}

static void add(struct transitions *t, uint64_t number, const struct wire_transitions_row *row)
{
    struct transition_sum *sum;

    if (number >= LAST_NUMBER || row->cell >= CELLS_MOST) {
        t->strange++;
        return;
    }
    if (!number_set_add(&t->numbers, number))
        return; /* of a frame that came twice, or so late that it counts as missing */
    t->count++;
    sum = sum_of(t, row->cell);
    sum->time += wire_unzigzag(row->time);
    sum->count++;
}

static void take_rows(struct transitions *t, struct wire_reader *r)
{
    struct wire_transitions head;
    struct wire_transitions_row row;

    wire_read_head(r, &head);
    while (wire_read_row(r, &row))
        add(t, head.first++, &row);
}

/* False if an id is invalid: cut to 32 bits it would be another task's id. */
static bool take_tasks(struct transitions *t, struct wire_reader *r)
{
    struct wire_logged head;
    struct wire_logged_row row;
    bool sound = true;

    wire_read_head(r, &head);
    t->told = head.transitions;
    t->lost = head.lost;
    while (wire_read_row(r, &row)) {
        sound &= row.id <= UINT32_MAX;
        if (row.task >= TASKS_MOST || row.id > UINT32_MAX)
            continue;
        while (t->ids <= row.task)
            APPEND(t->id, t->ids, NOT_TOLD);
        t->id[row.task] = row.id;
    }
    return sound;
}

bool transitions_add_frame(struct transitions *t, struct wire_reader *r)
{
    if (r->type != WIRE_TRANSITIONS)
        return take_tasks(t, r);
    take_rows(t, r);
    return true;
}

uint64_t transitions_missing(const struct transitions *t)
{
    const uint64_t here = t->count + t->lost;

    return t->told > here ? t->told - here : 0;
}

/* ---- one by one ---- */

struct transition transition_of_cell(const struct transitions *t, uint64_t cell)
{
    struct transition of = {.cell = cell, .monitor = !cell};
    const uint64_t task = (cell - 1) / CELLS;

    if (of.monitor)
        return of;
    of.mode = (enum mode)((cell - 1) % CELLS / 2);
    of.masked = (cell - 1) & 1;
    of.known = task < t->ids && t->id[task] != NOT_TOLD;
    if (of.known)
        of.id = (uint32_t)t->id[task];
    return of;
}

void transition_rows_frame(struct transition_rows *r, struct wire_reader frame)
{
    struct wire_transitions head;

    r->rows = frame;
    wire_read_head(&r->rows, &head);
    r->number = head.first;
}

bool transition_rows_next(struct transition_rows *r, struct transition *to)
{
    struct wire_transitions_row row;

    for (; wire_read_row(&r->rows, &row); r->number++) {
        if (r->number < r->next || r->number >= LAST_NUMBER) {
            r->late++;
            continue;
        }
        *to = transition_of_cell(r->meaning, row.cell);
        to->number = r->number++;
        to->time = wire_unzigzag(row.time);
        r->next = r->number;
        return true;
    }
    return false;
}

/* Most numbers follow the last one, and are found without a search. */

/* The first range that ends at this number or after it. */
static size_t range_of(const struct number_set *s, uint64_t number)
{
    size_t low = 0, high = s->ranges;

    if (high && s->range[high - 1].end == number)
        return high - 1;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (s->range[middle].end < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Where there is no room, the lowest gap is given up: what comes for it later counts as there. */
static bool insert(struct number_set *s, size_t at, uint64_t number)
{
    if (s->ranges == NUMBER_RANGES) {
        if (!at)
            return false;
        s->range[1].begin = s->range[0].begin;
        memmove(s->range, s->range + 1, --at * sizeof(*s->range));
        s->range[at] = (struct number_range){number, number + 1};
        return true;
    }
    GROW(s->range, s->ranges);
    memmove(s->range + at + 1, s->range + at, (s->ranges - at) * sizeof(*s->range));
    s->range[at] = (struct number_range){number, number + 1};
    s->ranges++;
    return true;
}

/* The range has grown at its end: it may touch the next one. */
static void join(struct number_set *s, size_t at)
{
    if (at + 1 == s->ranges || s->range[at].end != s->range[at + 1].begin)
        return;
    s->range[at].end = s->range[at + 1].end;
    s->ranges--;
    memmove(s->range + at + 1, s->range + at + 2, (s->ranges - at - 1) * sizeof(*s->range));
}

bool number_set_add(struct number_set *s, uint64_t number)
{
    const size_t at = range_of(s, number);
    struct number_range *r;

    if (at == s->ranges || number + 1 < s->range[at].begin)
        return insert(s, at, number);
    r = &s->range[at];
    if (number == r->end) {
        r->end++;
        join(s, at);
        return true;
    }
    if (number + 1 != r->begin)
        return false;
    r->begin--;
    return true;
}

uint64_t number_set_end(const struct number_set *s)
{
    return s->ranges ? s->range[s->ranges - 1].end : 0;
}

void number_set_free(struct number_set *s)
{
    free(s->range);
}

/* Joins ranges that follow one another, so that a program that writes its code again and again takes little. */

/* NULL: there are too many. */
static struct code_of_row *row_of(struct changed_code *c, uint64_t id)
{
    if (c->count == CODE_ROWS && index_find(&c->of_id, id) == INDEX_NONE)
        return NULL;
    return INDEX_ROW(&c->of_id, id, c->of, c->count, NULL);
}

/* Where the list is full the last range grows. */
static void add_range(struct code_of_row *r, uint64_t from, uint64_t to)
{
    struct code_range *const last = r->ranges ? &r->range[r->ranges - 1] : NULL;

    if (last && (r->ranges == CODE_RANGES || (from <= last->to && to >= last->from))) {
        last->from = from < last->from ? from : last->from;
        last->to = to > last->to ? to : last->to;
        return;
    }
    APPEND(r->range, r->ranges, (struct code_range){from, to});
}

size_t changed_code_add(struct changed_code *c, const struct wire_code *head, struct violations **v)
{
    const size_t rows = c->count;
    struct code_of_row *const r = head->id <= UINT32_MAX && head->from < head->to ? row_of(c, head->id) : NULL;
    size_t ranges;

    if (!r) {
        violation_note(v, VIOLATION_VALUE, "CODE, id %" PRIu64, head->id);
        return 0;
    }
    ranges = r->ranges;
    add_range(r, head->from, head->to);
    return (c->count - rows) * (sizeof(*r) + INDEX_BYTES) + (r->ranges - ranges) * sizeof(*r->range);
}

bool changed_code_at(const struct changed_code *c, uint32_t id, uint64_t address)
{
    const size_t at = index_find(&c->of_id, id);

    for (size_t i = 0; at != INDEX_NONE && i < c->of[at].ranges; i++)
        if (address >= c->of[at].range[i].from && address < c->of[at].range[i].to)
            return true;
    return false;
}

void changed_code_free(struct changed_code *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->of[i].range);
    free(c->of);
    index_free(&c->of_id);
    *c = (struct changed_code){0};
}

/* Violations of the protocol: counts and messages. */

static const char *const sentences[VIOLATIONS] = {
#define SENTENCE(NAME, what) [VIOLATION_##NAME] = what,
    VIOLATION_RULES(SENTENCE)
};

void violation_note(struct violations **v, enum violation rule, const char *where, ...)
{
    va_list arguments;

    if (!*v)
        *v = xcalloc(1, sizeof(**v));
    if ((*v)->of[rule].count++)
        return;
    va_start(arguments, where);
    vsnprintf((*v)->of[rule].where, VIOLATION_WHERE, where, arguments);
    va_end(arguments);
}

bool violations_print(const char *path, const struct violations *v)
{
    for (unsigned rule = 0; v && rule < VIOLATIONS; rule++) {
        const uint64_t count = v->of[rule].count;

        if (count > 1)
            cli_error("%s: the sender breaks the protocol: %s (%s, and %" PRIu64 " more)", path,
                      sentences[rule], v->of[rule].where, count - 1);
        else if (count)
            cli_error("%s: the sender breaks the protocol: %s (%s)", path, sentences[rule],
                      v->of[rule].where);
    }
    return v;
}
