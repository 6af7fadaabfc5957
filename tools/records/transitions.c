/* SPDX-License-Identifier: MIT */
/* The log of changes of cell, decoded (docs/PROTOCOL.md, "Transitions"). */
#include "tools/records/transitions.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/cli.h"

#define TASKS_MOST  4096u /* higher task numbers are damage */
#define CELLS       (2u * MODES)
#define NOT_TOLD    UINT64_MAX

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
    free(t->transition);
    free(t->id);
    free(t);
}

static void take_rows(struct transitions *t, struct wire_reader *r)
{
    struct wire_transitions head;
    struct wire_transitions_row row;

    wire_read_head(r, &head);
    while (wire_read_row(r, &row)) {
        t->transition = xgrow(t->transition, t->count, sizeof(*t->transition));
        t->transition[t->count++] = (struct transition){
            .number = head.first++, .time = wire_unzigzag(row.time), .cell = row.cell,
        };
    }
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
        while (t->ids <= row.task) {
            t->id = xgrow(t->id, t->ids, sizeof(*t->id));
            t->id[t->ids++] = NOT_TOLD;
        }
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

static int by_number(const void *a, const void *b)
{
    const struct transition *one = a, *other = b;

    return (one->number > other->number) - (one->number < other->number);
}

static void resolve(struct transitions *t, struct transition *of)
{
    const uint64_t cell = of->cell - 1;

    of->monitor = !of->cell;
    if (of->monitor)
        return;
    of->mode = (enum mode)(cell % CELLS / 2);
    of->masked = cell & 1;
    of->known = cell / CELLS < t->ids && t->id[cell / CELLS] != NOT_TOLD;
    if (of->known)
        of->id = (uint32_t)t->id[cell / CELLS];
}

void transitions_finish(struct transitions *t)
{
    size_t kept = 0;

    if (t->count)
        qsort(t->transition, t->count, sizeof(*t->transition), by_number);
    for (size_t i = 0; i < t->count; i++) {
        if (kept && t->transition[kept - 1].number == t->transition[i].number)
            continue; /* a frame that came twice */
        t->transition[kept] = t->transition[i];
        resolve(t, &t->transition[kept++]);
    }
    t->count = kept;
}

uint64_t transitions_missing(const struct transitions *t)
{
    const uint64_t here = t->count + t->lost;

    return t->told > here ? t->told - here : 0;
}
