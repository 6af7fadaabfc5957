/* SPDX-License-Identifier: MIT */
/* The log of changes of cell, decoded and added up (docs/PROTOCOL.md, "Transitions"). */
#include "tools/records/transitions.h"

#include <stdlib.h>

#include "tools/base/alloc.h"

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

uint64_t transitions_bytes(const struct transitions *t)
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
