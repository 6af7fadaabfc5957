/* SPDX-License-Identifier: MIT */
/* The two directions of PACKED_PLACES. */
#include "probe/stream/place_rows.h"

#include "probe/core/mode.h"
#include "probe/stream/sample_encode.h"

#define RING (PLACE_ROWS_BACK + 1)

/* Which of the two addresses a row counts from. */
static unsigned kind_of(uint64_t mode)
{
    return mode % SAMPLE_DELAY_STEP == MODE_USER;
}

/* How many rows before this one the task came last; 0: it did not. */
static uint32_t rows_back(const struct place_rows *p, uint64_t task)
{
    for (uint32_t back = 1; back <= PLACE_ROWS_BACK && back <= p->rows; back++)
        if (p->task[(p->rows - back) % RING] == task)
            return back;
    return 0;
}

void place_rows_put(const struct place_rows *p, const struct wire_places_row *definition,
                    struct wire_packed_places_row *row)
{
    const uint32_t back = rows_back(p, definition->task);
    const uint64_t pc = (uint64_t)wire_unzigzag(definition->pc);

    row->what = definition->mode + PLACE_ROWS_MODE * wire_zigzag((int64_t)(definition->index - p->next));
    row->task = back != 0 ? back : definition->task + RING;
    row->pc = wire_zigzag((int64_t)(pc - p->pc[kind_of(definition->mode)]));
}

void place_rows_sent(struct place_rows *p, const struct wire_places_row *definition)
{
    p->next = definition->index + 1;
    p->pc[kind_of(definition->mode)] = (uint64_t)wire_unzigzag(definition->pc);
    p->task[p->rows++ % RING] = (uint32_t)definition->task;
}

bool place_rows_take(struct place_rows *p, const struct wire_packed_places_row *row,
                     struct wire_places_row *definition)
{
    const uint64_t mode = row->what % PLACE_ROWS_MODE;

    if (row->task == 0 || (row->task < RING && row->task > p->rows))
        return false;
    *definition = (struct wire_places_row){
        .index = p->next + (uint64_t)wire_unzigzag(row->what / PLACE_ROWS_MODE),
        .task = row->task < RING ? p->task[(p->rows - row->task) % RING] : row->task - RING,
        .mode = mode,
        .pc = wire_zigzag((int64_t)(p->pc[kind_of(mode)] + (uint64_t)wire_unzigzag(row->pc))),
    };
    if (definition->task > UINT32_MAX || definition->index >= SAMPLE_PLACES_MAX)
        return false;
    place_rows_sent(p, definition);
    return true;
}
