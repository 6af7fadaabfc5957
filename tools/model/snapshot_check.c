/* SPDX-License-Identifier: MIT */
/*
 * The rules of docs/PROTOCOL.md for a snapshot.  Sums are taken in 128 bits: numbers of a hostile
 * sender could wrap at 2^64 and pass the check.
 */
#include "tools/model/epoch_records.h"

#include <inttypes.h>

typedef unsigned __int128 wide;

static void note(struct epoch *e, enum violation rule, uint64_t serial)
{
    violation_note(&e->violations, rule, "snapshot %" PRIu64, serial);
}

/* ---- Heads ---- */

/* Counters that run from the beginning of the epoch. */
static const struct {
    const char *name;
    size_t at;
} cumulative[] = {
#define AT(member) {#member, offsetof(struct wire_snapshot, member)}
    AT(ticks), AT(samples), AT(late), AT(excess), AT(missed_overrun), AT(missed_source),
    AT(lost_table), AT(lost_ring), AT(begin), AT(end), AT(made), AT(monitor), AT(transitions),
    AT(intervals), AT(changes_user), AT(changes_supervisor), AT(changes_kernel),
    AT(changes_interrupt), AT(lateness), AT(points), AT(in_handler),
#undef AT
};

static uint64_t counter(const struct wire_snapshot *head, size_t at)
{
    return *(const uint64_t *)((const char *)head + at);
}

static void check_order(struct epoch *e, const struct wire_snapshot *head,
                        const struct wire_snapshot *before)
{
    if (before->final)
        note(e, VIOLATION_AFTER_FINAL, head->serial);
    if (head->serial <= before->serial) {
        note(e, VIOLATION_SERIAL, head->serial);
        return; /* the order of the two is not known */
    }
    for (size_t i = 0; i < sizeof(cumulative) / sizeof(cumulative[0]); i++)
        if (counter(head, cumulative[i].at) < counter(before, cumulative[i].at)) {
            violation_note(&e->violations, VIOLATION_BACKWARD, "snapshot %" PRIu64 ", %s", head->serial,
                           cumulative[i].name);
            return;
        }
}

static bool in_order(const struct wire_snapshot *h)
{
    const bool first = !h->first || (h->begin <= h->first && h->first <= h->end);

    return h->begin <= h->end && h->end <= h->made && first;
}

/* Delays of late ticks in one window do not overlap; a periodic source has no excess. */
static bool counters_valid(const struct wire_snapshot *h)
{
    return h->samples <= h->ticks && h->late <= h->ticks && h->lost_table <= h->samples &&
           h->excess <= h->lateness && h->excess <= h->end - h->begin;
}

/*
 * Missed periods lie within the window.  Twice as many are accepted: T and the window are measured
 * with clocks of two crystals, or on a machine with stolen time.
 */
static bool missed_valid(const struct epoch *e, const struct wire_snapshot *h)
{
    const double missed = (double)h->missed_overrun + (double)h->missed_source;

    return epoch_mean(e) <= 0 || missed * epoch_mean(e) <= 2 * ((double)(h->end - h->begin) + epoch_mean(e));
}

static bool mode_changes_valid(const struct wire_snapshot *h)
{
    return h->changes_user <= h->samples && h->changes_supervisor <= h->samples &&
           h->changes_kernel <= h->samples && h->changes_interrupt <= h->samples;
}

static void check_head(struct epoch *e, const struct wire_snapshot *head, const struct wire_snapshot *before)
{
    if (!head->serial || head->final > 1)
        note(e, VIOLATION_VALUE, head->serial);
    if (before)
        check_order(e, head, before);
    if (!in_order(head))
        note(e, VIOLATION_TIMES, head->serial);
    else if (!counters_valid(head) || !missed_valid(e, head))
        note(e, VIOLATION_COUNTERS, head->serial);
    if (!mode_changes_valid(head))
        note(e, VIOLATION_CHANGES, head->serial);
    if (head->monitor > head->end - head->begin)
        note(e, VIOLATION_MONITOR, head->serial);
}

void snapshot_note_head(struct epoch *e, const struct wire_snapshot *head)
{
    check_head(e, head, e->head_count ? &e->last_head : NULL);
    if (!e->head_count++)
        e->first_head = *head;
    e->last_head = *head;
    if (head->serial > e->serial_most) {
        e->serial_most = head->serial;
        e->serials_rising++;
    }
}

/* ---- Hits ---- */

/* The hits of a region are hits of its task in its mode, and those are samples. */
static bool region_adds_up(const struct snapshot *s, const struct snapshot_region *r)
{
    wide sum = (wide)r->below + r->above;

    for (unsigned i = 0; i < REGION_SLOTS; i++)
        sum += r->hits[i];
    return sum == r->active && r->active <= s->samples;
}

/* The modes of a row add up to the row; a row that is not a task has none. */
static bool row_adds_up(const struct snapshot_row *row)
{
    wide modes = 0;

    for (unsigned m = 0; m < MODES; m++)
        modes += row->hits[m];
    return modes == (row_has_modes(row->id) ? row->total : 0);
}

static bool system_on(const struct epoch *e)
{
    return !e->words_known || e->words.monitor & MONITOR_SYSTEM;
}

/* The rows add up to the samples; without the system monitor rows have no samples. */
static bool hits_add_up(const struct epoch *e, const struct snapshot *s)
{
    wide sum = 0;

    for (uint32_t r = 0; r < s->rows; r++) {
        if (!row_adds_up(&s->row[r]))
            return false;
        sum += s->row[r].total;
    }
    for (uint32_t i = 0; i < s->regions; i++)
        if (!region_adds_up(s, &s->region[i]))
            return false;
    return sum == (system_on(e) ? s->samples : 0);
}

static bool lost_is_reported(const struct epoch *e, const struct snapshot *s)
{
    const struct snapshot_row *const lost = snapshot_find_row(s, ROW_LOST);

    return (lost ? lost->total : 0) == s->lost_table || !system_on(e);
}

/* ---- Pairs ---- */

/* A sample is in two pairs at most, one with each neighbour. */
static bool few_enough(uint64_t changes, uint64_t hits)
{
    return changes <= 2 * (wide)hits;
}

static bool row_changes_valid(const struct snapshot_row *row)
{
    for (unsigned m = 0; m < MODES; m++)
        if (!few_enough(row->changes[m], row->hits[m]))
            return false;
    return few_enough(row->total_changes, row->total);
}

static bool region_changes_valid(const struct snapshot_region *r)
{
    for (unsigned i = 0; i < REGION_SLOTS; i++)
        if (!few_enough(r->changes[i], r->hits[i]))
            return false;
    return few_enough(r->changes_below, r->below) && few_enough(r->changes_above, r->above) &&
           few_enough(r->changes_active, r->active);
}

/* A mode's hits are those of its cells; without the system monitor rows have none. */
static bool modes_valid(const struct snapshot *s)
{
    for (unsigned m = 0; m < MODES; m++) {
        wide hits = 0;

        for (uint32_t r = 0; r < s->rows; r++)
            hits += s->row[r].hits[m];
        if (s->mode_changes[m] > 2 * hits)
            return false;
    }
    return true;
}

static bool changes_valid(const struct snapshot *s)
{
    if (!modes_valid(s))
        return false;
    for (uint32_t r = 0; r < s->rows; r++)
        if (!row_changes_valid(&s->row[r]))
            return false;
    for (uint32_t i = 0; i < s->regions; i++)
        if (!region_changes_valid(&s->region[i]))
            return false;
    return true;
}

/* ---- Times ---- */

/* An invalid window has no shares; the check of the head has noted it. */
static bool exact_fits(const struct snapshot *s)
{
    wide sum = 0;

    if (s->end < s->begin || s->monitor > s->end - s->begin)
        return true;
    for (uint32_t r = 0; r < s->rows; r++)
        for (unsigned m = 0; m < MODES; m++)
            sum += (wide)s->row[r].time[m] + s->row[r].masked[m];
    return sum <= snapshot_tau(s);
}

static bool buckets_are_late(const struct snapshot *s)
{
    wide sum = 0;

    for (unsigned i = 0; i < SNAPSHOT_BUCKETS; i++)
        sum += s->bucket[i];
    return !sum || sum == s->late;
}

bool snapshot_check(struct epoch *e, const struct snapshot *s)
{
    if (!lost_is_reported(e, s))
        note(e, VIOLATION_LOST, s->serial);
    if (!changes_valid(s))
        note(e, VIOLATION_CHANGES, s->serial);
    if (!exact_fits(s))
        note(e, VIOLATION_EXACT, s->serial);
    if (!buckets_are_late(s))
        note(e, VIOLATION_BUCKETS, s->serial);
    return hits_add_up(e, s);
}
