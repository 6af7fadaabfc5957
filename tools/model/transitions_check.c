/* SPDX-License-Identifier: MIT */
/* The sums of TRANSITIONS against the exact table. */
#include "tools/model/epoch_records.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/base/hash_index.h"

/* Times of a row of the final snapshot by mode: with interrupts on, and masked. */
struct sums {
    wide_time time[MODES][2];
};

/* Whether the numbers of changes and their cells are possible. */
static bool numbers_valid(const struct transitions *t)
{
    return !t->strange && (!t->told || (t->lost <= t->told && number_set_end(&t->numbers) <= t->told));
}

static bool tasks_known(const struct transitions *t)
{
    for (uint64_t cell = 1; cell < t->cells; cell++)
        if (t->cell[cell].count && !transition_of_cell(t, cell).known)
            return false;
    return true;
}

/* Whether all changes and the ids of their tasks arrived.  If ticks are NMIs, the log does not contain them. */
static bool is_whole(const struct epoch *e)
{
    const struct transitions *t = e->transitions;

    return e->words_known && e->words.delivery != DELIVERY_NMI && e->snapshot && e->snapshot->final && t->told &&
           !t->lost && t->count == t->told && tasks_known(t);
}

/* The row of a change, or, for a task without a row, the index after the last. */
static size_t row_of(const struct index *rows, const struct transition *t, size_t none)
{
    const size_t row = index_find(rows, t->id);

    return row == INDEX_NONE ? none : row;
}

static bool row_is_its_sums(const struct snapshot_row *row, const struct sums *sums)
{
    for (unsigned m = 0; m < MODES; m++)
        if (sums->time[m][0] != (wide_time)row->time[m] || sums->time[m][1] != (wide_time)row->masked[m])
            return false;
    return true;
}

/* sums[] has one element more than there are rows, for tasks without a row. */
static wide_time add_up(const struct transitions *t, const struct index *rows, struct sums *sums, size_t none)
{
    for (uint64_t cell = 1; cell < t->cells; cell++) {
        const struct transition of = transition_of_cell(t, cell);

        if (t->cell[cell].count)
            sums[row_of(rows, &of, none)].time[of.mode][of.masked] += t->cell[cell].time;
    }
    return t->cells ? t->cell[0].time : 0;
}

static void check_sums(struct epoch *e, const struct index *rows)
{
    static const struct snapshot_row empty;
    const struct snapshot *s = e->snapshot;
    struct sums *sums = xcalloc(s->rows + 1, sizeof(*sums));
    wide_time monitor;

    monitor = add_up(e->transitions, rows, sums, s->rows);
    if (monitor != (wide_time)s->monitor)
        violation_note(&e->violations, VIOLATION_LOG, "MONITOR");
    for (uint32_t r = 0; r <= s->rows; r++)
        if (!row_is_its_sums(r < s->rows ? &s->row[r] : &empty, &sums[r]))
            violation_note(&e->violations, VIOLATION_LOG, "row id %" PRIu32, r < s->rows ? s->row[r].id : 0);
    free(sums);
}

void transitions_check(struct epoch *e)
{
    struct index rows = {0};

    if (!numbers_valid(e->transitions))
        violation_note(&e->violations, VIOLATION_LOG, "LOGGED");
    if (!is_whole(e))
        return;
    for (uint32_t r = 0; r < e->snapshot->rows; r++)
        if (index_find(&rows, e->snapshot->row[r].id) == INDEX_NONE)
            index_put(&rows, e->snapshot->row[r].id, r);
    check_sums(e, &rows);
    index_free(&rows);
}
