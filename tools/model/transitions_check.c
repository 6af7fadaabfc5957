/* SPDX-License-Identifier: MIT */
/* The sums of TRANSITIONS, in 128 bits: times of a hostile sender could wrap. */
#include "tools/model/transitions_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/hash_index.h"

typedef __int128 wide;

/* Times of a row of the final snapshot by mode: with interrupts on, and masked. */
struct sums {
    wide time[MODES][2];
};

/* Whether the numbers of changes are possible. */
static bool numbers_valid(const struct transitions *t)
{
    const uint64_t last = t->count ? t->transition[t->count - 1].number : 0;

    return !t->told || (t->lost <= t->told && (!t->count || last < t->told));
}

/* Whether all changes and the ids of their tasks arrived.  If ticks are NMIs, the log does not contain them. */
static bool is_whole(const struct epoch *e)
{
    const struct transitions *t = e->transitions;

    if (!e->words_known || e->words.delivery == DELIVERY_NMI || !e->snapshot ||
        !e->snapshot->final || !t->told || t->lost || t->count != t->told)
        return false;
    for (size_t i = 0; i < t->count; i++)
        if (!t->transition[i].monitor && !t->transition[i].known)
            return false;
    return true;
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
        if (sums->time[m][0] != (wide)row->time[m] || sums->time[m][1] != (wide)row->masked[m])
            return false;
    return true;
}

/* sums[] has one element more than there are rows, for tasks without a row. */
static wide add_up(const struct transitions *t, const struct index *rows, struct sums *sums, size_t none)
{
    wide monitor = 0;

    for (size_t i = 0; i < t->count; i++) {
        const struct transition *of = &t->transition[i];

        if (of->monitor)
            monitor += of->time;
        else
            sums[row_of(rows, of, none)].time[of->mode][of->masked] += of->time;
    }
    return monitor;
}

static void check_sums(struct epoch *e, const struct index *rows)
{
    static const struct snapshot_row empty;
    const struct snapshot *s = e->snapshot;
    struct sums *sums = xrealloc_array(NULL, s->rows + 1, sizeof(*sums));
    wide monitor;

    memset(sums, 0, (s->rows + 1) * sizeof(*sums));
    monitor = add_up(e->transitions, rows, sums, s->rows);
    if (monitor != (wide)s->monitor)
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
