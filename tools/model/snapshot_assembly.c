/* SPDX-License-Identifier: MIT */
/*
 * Snapshots assembled from their frames, in any order of arrival
 * (docs/PROTOCOL.md, "Snapshots").
 */
#include "tools/model/epoch_records.h"

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "probe/stats/snapshot_frames.h"
#include "tools/base/alloc.h"

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
    memset(a, 0, offsetof(struct assembly, snapshot.row));
    a->open = true;
    a->serial = serial;
    return a;
}

/* A part of this snapshot is invalid: the snapshot will not come into force. */
static void spoil(struct assembly *a, struct epoch *e, enum violation rule)
{
    a->overflow = true;
    violation_note(&e->violations, rule, "snapshot %" PRIu64, a->serial);
}

/* The same as open_for(), for a frame of a whole snapshot. */
static struct assembly *open_whole(struct model *m, struct epoch *e, uint64_t serial)
{
    struct assembly *a = open_for(m, e, serial);

    if (a->is_delta)
        spoil(a, e, VIOLATION_DELTA);
    return a;
}

static bool all_parts(uint64_t seen, uint64_t parts)
{
    return seen == (parts < PARTS ? (1ull << parts) - 1 : ~0ull);
}

static bool is_whole(const struct assembly *a)
{
    return a->headed && !a->is_delta && !a->overflow && all_parts(a->cells_seen, a->cells) &&
           a->buckets == a->buckets_seen && all_parts(a->exacts_seen, a->exacts) &&
           all_parts(a->region_whole, a->regions);
}

/* Keep a copy in place of the one before. */
static void keep(struct model *m, struct snapshot **to, const struct snapshot *s)
{
    const size_t bytes = snapshot_bytes(s);

    m->kept += (uint64_t)bytes - (*to ? snapshot_bytes(*to) : 0);
    *to = xrealloc_array(*to, 1, bytes);
    memcpy(*to, s, bytes);
}

/* All of it arrived: it comes into force, unless the one in force is newer, which was noted when the head came. */
static void close(struct model *m, struct epoch *e, struct assembly *a)
{
    a->open = false;
    if (e->snapshot && a->serial <= e->snapshot->serial)
        return;
    keep(m, &e->snapshot, &a->snapshot);
    e->snapshots++;
    e->newest_unfinished = e->newest_baseless = false;
    e->adds_up = snapshot_check(e, e->snapshot);
}

static void close_if_whole(struct model *m, struct epoch *e)
{
    struct assembly *a = &m->assembly[e->second];

    if (!is_whole(a))
        return;
    if (!e->whole || a->serial > e->whole->serial)
        keep(m, &e->whole, &a->snapshot);
    close(m, e, a);
}

void assembly_head(struct model *m, struct epoch *e, const struct wire_snapshot *head)
{
    struct assembly *a = &m->assembly[e->second];
    struct snapshot *s;

    if (a->open && a->headed) /* a second head, even with this serial: start again */
        assembly_abandon(m, e);
    a = open_whole(m, e, head->serial);
    s = &a->snapshot;
    a->headed = true;
    a->cells = head->cells;
    a->exacts = head->exacts;
    a->regions = head->regions;
    a->buckets = head->buckets;
    if (head->cells > PARTS || head->exacts > PARTS || head->regions > REGIONS_MAX)
        spoil(a, e, VIOLATION_PARTS);
    s->regions = a->overflow ? 0 : (uint32_t)head->regions;
    s->exact = head->exacts != 0;
    snapshot_take_head(s, head);
    close_if_whole(m, e);
}

/* Note the arrival of a part; false if its number is too high or it came before. */
static bool note_part(struct assembly *a, struct epoch *e, uint64_t *seen, uint64_t part)
{
    if (part >= PARTS) {
        spoil(a, e, VIOLATION_PARTS);
        return false;
    }
    if (*seen >> part & 1) {
        violation_note(&e->violations, VIOLATION_PART_TWICE, "snapshot %" PRIu64, a->serial);
        return false;
    }
    *seen |= 1ull << part;
    return true;
}

/* The row of this id, which must be new in frames of this type: `stood`, by row. */
static struct snapshot_row *row_of(struct assembly *a, struct epoch *e, uint64_t id, bool *stood)
{
    struct snapshot_row *row = NULL;

    if (id <= UINT32_MAX)
        row = snapshot_row(&a->snapshot, (uint32_t)id);
    if (!row) {
        spoil(a, e, id <= UINT32_MAX ? VIOLATION_PARTS : VIOLATION_VALUE);
        return NULL;
    }
    if (stood[row - a->snapshot.row]) {
        spoil(a, e, VIOLATION_ROW_TWICE);
        return NULL;
    }
    stood[row - a->snapshot.row] = true;
    return row;
}

void assembly_cells(struct model *m, struct epoch *e, const void *cells, struct wire_reader *rows)
{
    const struct wire_cells *head = cells;
    struct assembly *a = open_whole(m, e, head->serial);
    struct wire_cells_row from;

    if (!note_part(a, e, &a->cells_seen, head->part))
        return;
    while (wire_read_row(rows, &from)) {
        struct snapshot_row *row = row_of(a, e, from.id, a->cells_of);

        if (!row)
            return;
        snapshot_take_cells(row, &from);
    }
    close_if_whole(m, e);
}

void assembly_exact(struct model *m, struct epoch *e, const void *exact, struct wire_reader *rows)
{
    const struct wire_exact *head = exact;
    struct assembly *a = open_whole(m, e, head->serial);
    struct wire_exact_row from;

    if (!note_part(a, e, &a->exacts_seen, head->part))
        return;
    while (wire_read_row(rows, &from)) {
        struct snapshot_row *row = row_of(a, e, from.id, a->exact_of);

        if (!row)
            return;
        snapshot_take_exact(row, &from);
    }
    close_if_whole(m, e);
}

/* One frame holds all of it; a later frame must be equal, or is wrong. */
void assembly_lateness(struct model *m, struct epoch *e, const void *lateness, struct wire_reader *rows)
{
    const struct wire_lateness *head = lateness;
    struct assembly *a = open_whole(m, e, head->serial);
    struct wire_lateness_row from;

    if (a->buckets_seen) {
        violation_note(&e->violations, VIOLATION_PART_TWICE, "snapshot %" PRIu64, a->serial);
        return;
    }
    while (wire_read_row(rows, &from)) {
        if (from.bucket >= SNAPSHOT_BUCKETS || a->snapshot.bucket[from.bucket] || !from.count) {
            spoil(a, e, VIOLATION_BUCKETS);
            return;
        }
        a->snapshot.bucket[from.bucket] = from.count;
        a->buckets_seen++;
    }
    close_if_whole(m, e);
}

/* No image sends regions outside these limits: their slots would have no addresses. */
static bool is_sound(const struct wire_region *head)
{
    return head->number < REGIONS_MAX && head->mode < MODES && head->low < head->high &&
           head->task <= UINT32_MAX && head->shift < 64 && head->base <= head->low &&
           (head->high - 1 - head->base) >> head->shift < REGION_SLOTS;
}

/* The heads of a region's parts are equal except for the part number. */
static bool is_part_of(const struct wire_region *head, struct wire_region first)
{
    first.part = head->part;
    return !memcmp(&first, head, sizeof(first));
}

static bool read_slots(struct snapshot_region *r, struct wire_reader *rows)
{
    struct wire_region_row from;

    while (wire_read_row(rows, &from)) {
        if (from.slot >= REGION_SLOTS || r->hits[from.slot] || !from.hits)
            return false;
        r->hits[from.slot] = from.hits;
        r->changes[from.slot] = from.changes;
    }
    return true;
}

void assembly_region(struct model *m, struct epoch *e, const void *region, struct wire_reader *rows)
{
    const struct wire_region *head = region;
    struct assembly *a = open_whole(m, e, head->serial);
    const uint64_t n = head->number;

    if (!is_sound(head) || (a->region_parts[n] && !is_part_of(head, a->region_head[n]))) {
        spoil(a, e, VIOLATION_REGION);
        return;
    }
    if (!a->region_parts[n]) {
        a->region_head[n] = *head;
        memset(&a->snapshot.region[n], 0, sizeof(a->snapshot.region[n]));
        snapshot_take_region(&a->snapshot.region[n], head);
    }
    if (!note_part(a, e, &a->region_parts[n], head->part))
        return;
    if (!read_slots(&a->snapshot.region[n], rows)) {
        spoil(a, e, VIOLATION_REGION);
        return;
    }
    if (all_parts(a->region_parts[n], head->parts))
        a->region_whole |= 1ull << n;
    close_if_whole(m, e);
}

/* ---- deltas ---- */

/* A head as the SNAPSHOT of a delta would have had it, but for the numbers of its frames. */
static void note_head(struct epoch *e, const struct snapshot *s)
{
    struct wire_snapshot head = {.epoch = e->id};

    snapshot_put_head(&head, s);
    snapshot_note_head(e, &head);
}

/* The base of a delta did not arrive, or is not the one that was kept: what differs from it is of no use. */
static void note_baseless(struct model *m, struct epoch *e, const struct wire_delta *head)
{
    if (head->base >= head->serial)
        violation_note(&e->violations, VIOLATION_DELTA, "snapshot %" PRIu64, head->serial);
    assembly_abandon(m, e);
    e->baseless += head->part == 0;
    e->newest_baseless = true;
}

void assembly_delta(struct model *m, struct epoch *e, const struct wire_delta *head)
{
    const struct snapshot *const base = e->whole;
    struct assembly *a = &m->assembly[e->second];

    if (!base || base->serial != head->base || head->base >= head->serial) {
        note_baseless(m, e, head);
        return;
    }
    a = open_for(m, e, head->serial);
    if (!a->is_delta) {
        if (a->headed || a->cells_seen || a->exacts_seen || a->buckets_seen || base->regions)
            spoil(a, e, VIOLATION_DELTA); /* frames of a whole snapshot have the same number */
        delta_reader_begin(&a->delta, base, &a->snapshot);
        a->is_delta = true;
    }
    if (a->overflow)
        return;
    if (a->delta.base != base || !delta_reader_part(&a->delta, head)) {
        spoil(a, e, VIOLATION_DELTA);
        return;
    }
    if (!delta_reader_end(&a->delta))
        return;
    e->deltas++;
    note_head(e, &a->snapshot);
    close(m, e, a);
}
