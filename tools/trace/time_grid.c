/* SPDX-License-Identifier: MIT */
/* A column's bounds are rounded down, each in the same way, so that columns meet without a gap. */
#include "tools/trace/time_grid.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

void time_grid_begin(struct time_grid *g, int64_t from, int64_t to, unsigned columns)
{
    *g = (struct time_grid){.from = from, .to = to, .columns = columns, .most = GRID_ROWS};
}

void time_grid_free(struct time_grid *g)
{
    for (size_t r = 0; r < g->rows; r++)
        free(g->row[r].cell);
    free(g->row);
    index_free(&g->row_of);
    *g = (struct time_grid){.rows = 0};
}

static uint64_t length_of(const struct time_grid *g)
{
    return (uint64_t)g->to - (uint64_t)g->from;
}

int64_t time_grid_column(const struct time_grid *g, unsigned column)
{
    const unsigned __int128 part = (unsigned __int128)length_of(g) * column / g->columns;

    return (int64_t)((uint64_t)g->from + (uint64_t)part);
}

/* The column of a time in the grid, or, because bounds are rounded down, the one before. */
static unsigned column_of(const struct time_grid *g, int64_t time)
{
    const uint64_t into = (uint64_t)time - (uint64_t)g->from;

    return (unsigned)((unsigned __int128)into * g->columns / length_of(g));
}

static struct grid_row *new_row(struct time_grid *g, uint64_t key)
{
    struct grid_row *row;

    GROW(g->row, g->rows);
    index_put(&g->row_of, key, g->rows);
    row = &g->row[g->rows++];
    *row = (struct grid_row){.key = key, .cell = xcalloc(g->columns, sizeof(*row->cell))};
    return row;
}

static struct grid_row *row_for(struct time_grid *g, uint64_t key)
{
    size_t at = index_find(&g->row_of, key);

    if (at == INDEX_NONE && g->rows + 1 >= g->most && key != GRID_OTHERS) {
        key = GRID_OTHERS;
        at = index_find(&g->row_of, key);
    }
    return at == INDEX_NONE ? new_row(g, key) : &g->row[at];
}

void time_grid_add(struct time_grid *g, uint64_t key, unsigned state, int64_t begin, int64_t end)
{
    struct grid_row *row;

    if (begin < g->from)
        begin = g->from;
    if (end > g->to)
        end = g->to;
    if (begin >= end)
        return;
    row = row_for(g, key);
    row->time[state] += (uint64_t)end - (uint64_t)begin;
    for (unsigned c = column_of(g, begin); begin < end; c++) {
        const int64_t next = time_grid_column(g, c + 1);
        const int64_t stop = next < end ? next : end;

        row->cell[c].time[state] += (uint64_t)stop - (uint64_t)begin;
        begin = stop;
    }
}

/* What of `time` belongs to the first `part` of `whole`. */
static uint64_t part_of(uint64_t time, uint64_t part, uint64_t whole)
{
    return (uint64_t)((unsigned __int128)time * part / whole);
}

void time_grid_spread(struct time_grid *g, uint64_t key, unsigned state, int64_t begin, int64_t end, uint64_t time)
{
    const uint64_t whole = (uint64_t)end - (uint64_t)begin;
    const int64_t from = begin > g->from ? begin : g->from, to = end < g->to ? end : g->to;
    struct grid_row *row;

    if (from >= to || !time)
        return;
    row = row_for(g, key);
    for (unsigned c = column_of(g, from); c < g->columns && time_grid_column(g, c) < to; c++) {
        const int64_t low = time_grid_column(g, c), high = time_grid_column(g, c + 1);
        const uint64_t before = part_of(time, (uint64_t)(low > from ? low : from) - (uint64_t)begin, whole);
        const uint64_t here = part_of(time, (uint64_t)(high < to ? high : to) - (uint64_t)begin, whole) - before;

        row->cell[c].time[state] += here;
        row->time[state] += here;
    }
}

const struct grid_row *time_grid_row(const struct time_grid *g, uint64_t key)
{
    const size_t at = index_find(&g->row_of, key);

    return at == INDEX_NONE ? NULL : &g->row[at];
}

uint64_t grid_sum(const uint64_t time[GRID_STATES])
{
    uint64_t sum = 0;

    for (unsigned s = 0; s < GRID_STATES; s++)
        sum += time[s];
    return sum;
}

unsigned grid_greatest(const struct grid_cell *cell)
{
    unsigned greatest = GRID_STATES;
    uint64_t most = 0;

    for (unsigned s = 0; s < GRID_STATES; s++)
        if (cell->time[s] > most) {
            most = cell->time[s];
            greatest = s;
        }
    return greatest;
}

/* Time of an interrupt's handler is the interrupted task's, as in the table, and has a row of its own too. */

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
    for (size_t r = 0; r < g->rows; r++)
        index_put(&g->row_of, g->row[r].key, r);
}
