/* SPDX-License-Identifier: MIT */
/*
 * Snapshots put together from their frames, in whatever order these come
 * (docs/PROTOCOL.md, "Snapshots").
 */
#include "tools/assembly.h"

#include <stdint.h>
#include <string.h>

#include "tools/command.h"

#define PARTS 64 /* more than SNAPSHOT_ROWS rows of the longest numbers need */

void assembly_abandon(struct model *m, struct epoch *e)
{
    if (!m->assembly[e->second].open)
        return;
    m->assembly[e->second].open = false;
    e->unfinished++;
    e->newest_unfinished = true;
}

/* The assembly that a frame with this serial belongs to, begun if it is new. */
static struct assembly *open_for(struct model *m, struct epoch *e, uint64_t serial)
{
    struct assembly *a = &m->assembly[e->second];

    if (a->open && a->serial == serial)
        return a;
    assembly_abandon(m, e);
    memset(a, 0, sizeof(*a));
    a->open = true;
    a->serial = serial;
    return a;
}

static bool all_parts(uint64_t seen, uint64_t parts)
{
    return seen == (parts < PARTS ? (1ull << parts) - 1 : ~0ull);
}

/* The hits of a region are those of its task in its mode, which are samples. */
static bool region_adds_up(const struct snapshot *s, const struct snapshot_region *r)
{
    uint64_t sum = r->below + r->above;

    for (unsigned i = 0; i < REGION_SLOTS; i++)
        sum += r->hits[i];
    return sum == r->active && r->active <= s->samples;
}

/*
 * Rows are the samples, and the modes of a row are the row: else the sender is
 * at fault.  Without the system monitor rows have no samples.
 */
static bool adds_up(const struct snapshot *s, bool system)
{
    uint64_t sum = 0;

    for (uint32_t r = 0; r < s->rows; r++) {
        const struct snapshot_row *row = &s->row[r];
        uint64_t modes = 0;

        for (unsigned m = 0; m < MODES; m++)
            modes += row->hits[m];
        if (row_has_modes(row->id) && modes != row->total)
            return false;
        sum += row->total;
    }
    for (uint32_t i = 0; i < s->regions; i++)
        if (!region_adds_up(s, &s->region[i]))
            return false;
    return sum == (system ? s->samples : 0);
}

static bool system_on(const struct epoch *e)
{
    return !e->words_known || e->words.monitor & MONITOR_SYSTEM;
}

static void close_if_whole(struct model *m, struct epoch *e)
{
    struct assembly *a = &m->assembly[e->second];
    size_t bytes;

    if (!a->headed || a->overflow || !all_parts(a->cells_seen, a->cells) ||
        a->buckets != a->buckets_seen || !all_parts(a->exacts_seen, a->exacts) || !all_parts(a->region_whole, a->regions))
        return;
    /* Regions are most of it, and most runs have none. */
    bytes = offsetof(struct snapshot, region) + a->snapshot.regions * sizeof(a->snapshot.region[0]);
    e->snapshot = need(e->snapshot, 1, bytes);
    memcpy(e->snapshot, &a->snapshot, bytes);
    e->snapshots++;
    e->newest_unfinished = false;
    e->adds_up = adds_up(e->snapshot, system_on(e));
    a->open = false;
}

void assembly_head(struct model *m, struct epoch *e, const struct wire_snapshot *head)
{
    struct assembly *a = &m->assembly[e->second];
    struct snapshot *s;

    if (a->open && a->headed) /* a second head, even of this serial: begin anew */
        assembly_abandon(m, e);
    a = open_for(m, e, head->serial);
    s = &a->snapshot;
    a->headed = true;
    a->cells = head->cells;
    a->exacts = head->exacts;
    a->regions = head->regions;
    a->buckets = head->buckets;
    a->overflow |= head->cells > PARTS || head->exacts > PARTS || head->regions > REGIONS_MAX;
    s->regions = a->overflow ? 0 : (uint32_t)head->regions;
    s->serial = head->serial;
    s->ticks = head->ticks;
    s->samples = head->samples;
    s->late = head->late;
    s->excess = head->excess;
    s->missed_overrun = head->missed_overrun;
    s->missed_source = head->missed_source;
    s->lost_table = head->lost_table;
    s->lost_ring = head->lost_ring;
    s->begin = head->begin;
    s->end = head->end;
    s->made = head->made;
    s->monitor = head->monitor;
    s->transitions = head->transitions;
    s->first = head->first;
    s->lateness = head->lateness;
    s->generator = head->generator;
    s->intervals = head->intervals;
    s->exact = head->exacts != 0;
    s->final = head->final != 0;
    s->mode_changes[MODE_USER] = head->changes_user;
    s->mode_changes[MODE_SUPERVISOR] = head->changes_supervisor;
    s->mode_changes[MODE_KERNEL] = head->changes_kernel;
    s->mode_changes[MODE_INTERRUPT] = head->changes_interrupt;
    close_if_whole(m, e);
}

/* Note that a part came; false where it is past what any snapshot has. */
static bool note_part(struct assembly *a, uint64_t *seen, uint64_t part)
{
    if (part >= PARTS)
        a->overflow = true;
    else
        *seen |= 1ull << part;
    return part < PARTS;
}

static struct snapshot_row *row_of(struct assembly *a, uint64_t id)
{
    struct snapshot_row *row = NULL;

    if (id <= UINT32_MAX)
        row = snapshot_row(&a->snapshot, (uint32_t)id);
    if (!row)
        a->overflow = true;
    return row;
}

void assembly_cells(struct model *m, struct epoch *e, const struct wire_cells *head,
                    struct wire_reader *rows)
{
    struct assembly *a = open_for(m, e, head->serial);
    struct wire_cells_row from;

    if (!note_part(a, &a->cells_seen, head->part))
        return;
    while (wire_read_row(rows, &from)) {
        struct snapshot_row *row = row_of(a, from.id);

        if (!row)
            return;
        row->hits[MODE_USER] = from.user;
        row->hits[MODE_SUPERVISOR] = from.supervisor;
        row->hits[MODE_KERNEL] = from.kernel;
        row->hits[MODE_INTERRUPT] = from.interrupt;
        row->total = from.total;
        row->changes[MODE_USER] = from.changes_user;
        row->changes[MODE_SUPERVISOR] = from.changes_supervisor;
        row->changes[MODE_KERNEL] = from.changes_kernel;
        row->changes[MODE_INTERRUPT] = from.changes_interrupt;
        row->total_changes = from.changes_total;
    }
    close_if_whole(m, e);
}

void assembly_exact(struct model *m, struct epoch *e, const struct wire_exact *head,
                    struct wire_reader *rows)
{
    struct assembly *a = open_for(m, e, head->serial);
    struct wire_exact_row from;

    if (!note_part(a, &a->exacts_seen, head->part))
        return;
    while (wire_read_row(rows, &from)) {
        struct snapshot_row *row = row_of(a, from.id);

        if (!row)
            return;
        row->time[MODE_USER] = from.user;
        row->time[MODE_SUPERVISOR] = from.supervisor;
        row->time[MODE_KERNEL] = from.kernel;
        row->time[MODE_INTERRUPT] = from.interrupt;
        row->masked[MODE_USER] = from.masked_user;
        row->masked[MODE_SUPERVISOR] = from.masked_supervisor;
        row->masked[MODE_KERNEL] = from.masked_kernel;
        row->masked[MODE_INTERRUPT] = from.masked_interrupt;
    }
    close_if_whole(m, e);
}

/* All of it is in one frame; a second one says the same. */
void assembly_lateness(struct model *m, struct epoch *e, const struct wire_lateness *head,
                       struct wire_reader *rows)
{
    struct assembly *a = open_for(m, e, head->serial);
    struct wire_lateness_row from;

    a->buckets_seen = 0;
    while (wire_read_row(rows, &from)) {
        if (from.bucket >= SNAPSHOT_BUCKETS) {
            a->overflow = true;
            return;
        }
        a->snapshot.bucket[from.bucket] = from.count;
        a->buckets_seen++;
    }
    close_if_whole(m, e);
}

static void set_region(struct snapshot_region *r, const struct wire_region *head)
{
    r->task = (uint32_t)head->task;
    r->mode = (enum mode)head->mode;
    r->low = head->low;
    r->high = head->high;
    r->base = head->base;
    r->shift = (uint32_t)head->shift;
    r->below = head->below;
    r->above = head->above;
    r->active = head->active;
    r->changes_below = head->changes_below;
    r->changes_above = head->changes_above;
    r->changes_active = head->changes_active;
}

/* What no image tells: the slots would lie nowhere. */
static bool is_sound(const struct wire_region *head)
{
    return head->number < REGIONS_MAX && head->mode < MODES && head->low < head->high &&
           head->shift < 64 && head->base <= head->low &&
           (head->high - 1 - head->base) >> head->shift < REGION_SLOTS;
}

void assembly_region(struct model *m, struct epoch *e, const struct wire_region *head,
                     struct wire_reader *rows)
{
    struct assembly *a = open_for(m, e, head->serial);
    struct wire_region_row from;
    struct snapshot_region *r;

    if (!is_sound(head)) {
        a->overflow = true;
        return;
    }
    if (!note_part(a, &a->region_parts[head->number], head->part))
        return;
    r = &a->snapshot.region[head->number];
    set_region(r, head);
    while (wire_read_row(rows, &from)) {
        if (from.slot >= REGION_SLOTS) {
            a->overflow = true;
            return;
        }
        r->hits[from.slot] = from.hits;
        r->changes[from.slot] = from.changes;
    }
    if (all_parts(a->region_parts[head->number], head->parts))
        a->region_whole |= 1ull << head->number;
    close_if_whole(m, e);
}
