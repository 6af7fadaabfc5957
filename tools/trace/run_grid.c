/* SPDX-License-Identifier: MIT */
/* Time of an interrupt's handler is the interrupted task's, as in the table, and has a row of its own too. */
#include "tools/trace/run_grid.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(GRID_IN_CLASS < GRID_STATES, "a cell has room for each state");

static void add_step(struct time_grid *g, const struct timeline_step *s)
{
    const int64_t end = s->begin + s->length;

    if (s->monitor) {
        time_grid_add(g, GRID_MONITOR, GRID_TICK, s->begin, end);
        return;
    }
    time_grid_add(g, s->known & KNOWN_TASK ? s->task : GRID_UNKNOWN, s->known & KNOWN_MODE ? s->mode : GRID_NO_MODE,
                  s->begin, end);
    if (s->known & KNOWN_MODE && s->mode == MODE_INTERRUPT)
        time_grid_add(g, GRID_INTERRUPTS, MODE_INTERRUPT, s->begin, end);
    if (s->known & KNOWN_MASKED && s->masked)
        time_grid_add(g, GRID_MASKED, GRID_IRQ_OFF, s->begin, end);
}

void run_grid_add(struct time_grid *g, const struct timeline_item *item)
{
    if (item->kind == TIMELINE_STEP)
        add_step(g, &item->step);
    else if (item->kind == TIMELINE_GAP)
        time_grid_add(g, GRID_GAPS, GRID_NOTHING, item->gap.begin, item->gap.end);
}

void run_grid_name(const struct epoch *e, uint64_t key, char name[NAME_SIZE])
{
    static const char *const fixed[] = {
        [GRID_UNKNOWN >> 32] = "(unknown)", [GRID_INTERRUPTS >> 32] = "(interrupts)",
        [GRID_MASKED >> 32] = "(masked)", [GRID_MONITOR >> 32] = "(monitor)", [GRID_GAPS >> 32] = "(not known)",
    };

    if (key == GRID_OTHERS)
        strcpy(name, "(others)");
    else if (key < GRID_UNKNOWN)
        epoch_name_of(e, (uint32_t)key, name);
    else
        strcpy(name, fixed[key >> 32]);
}

/* Tasks, tasks without a name, IDLE, other rows. */
static unsigned rank_of(uint64_t key)
{
    if (key == ROW_IDLE)
        return 2;
    return key < GRID_UNKNOWN ? 0 : run_grid_is_task(key) ? 1 : 3;
}

static int by_rank(const void *a, const void *b)
{
    const struct grid_row *one = a, *other = b;
    const unsigned rank[] = {rank_of(one->key), rank_of(other->key)};
    const uint64_t time[] = {grid_sum(one->time), grid_sum(other->time)};

    if (rank[0] != rank[1])
        return rank[0] < rank[1] ? -1 : 1;
    if (rank[0] != 3 && time[0] != time[1])
        return time[0] > time[1] ? -1 : 1;
    return (one->key > other->key) - (one->key < other->key);
}

void run_grid_sort(struct time_grid *g)
{
    if (g->rows)
        qsort(g->row, g->rows, sizeof(*g->row), by_rank);
    index_free(&g->row_of);
    memset(&g->row_of, 0, sizeof(g->row_of));
    for (size_t r = 0; r < g->rows; r++)
        index_put(&g->row_of, g->row[r].key, r);
}
