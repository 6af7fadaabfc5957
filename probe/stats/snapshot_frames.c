/* SPDX-License-Identifier: MIT */
/* Snapshots as frames: names, head, sampled and exact rows, lateness, regions. */
#include "probe/stats/snapshot_frames.h"

#include <stdbool.h>
#include <stddef.h>

#include "probe/stream/record_frames.h"

/* What snapshots and records have in common: F(member of the snapshot, of its row or of its region; field). */
#define HEAD_FIELDS(F)                                                                                            \
    F(serial, serial) F(final, final) F(ticks, ticks) F(samples, samples) F(late, late) F(excess, excess)         \
    F(missed_overrun, missed_overrun) F(missed_source, missed_source) F(lost_table, lost_table)                   \
    F(lost_ring, lost_ring) F(begin, begin) F(end, end) F(made, made) F(monitor, monitor)                         \
    F(transitions, transitions) F(generator, generator) F(intervals, intervals) F(first, first)                   \
    F(lateness, lateness) F(mode_changes[MODE_USER], changes_user)                                                \
    F(mode_changes[MODE_SUPERVISOR], changes_supervisor) F(mode_changes[MODE_KERNEL], changes_kernel)             \
    F(mode_changes[MODE_INTERRUPT], changes_interrupt) F(points, points) F(in_handler, in_handler)                \
    F(arrivals, arrivals) F(earliest, earliest) F(latest, latest) F(arrived, arrived)
#define CELLS_FIELDS(F)                                                                                           \
    F(id, id) F(hits[MODE_USER], user) F(hits[MODE_SUPERVISOR], supervisor) F(hits[MODE_KERNEL], kernel)          \
    F(hits[MODE_INTERRUPT], interrupt) F(total, total) F(changes[MODE_USER], changes_user)                        \
    F(changes[MODE_SUPERVISOR], changes_supervisor) F(changes[MODE_KERNEL], changes_kernel)                       \
    F(changes[MODE_INTERRUPT], changes_interrupt) F(total_changes, changes_total)
#define EXACT_FIELDS(F)                                                                                           \
    F(id, id) F(time[MODE_USER], user) F(time[MODE_SUPERVISOR], supervisor) F(time[MODE_KERNEL], kernel)          \
    F(time[MODE_INTERRUPT], interrupt) F(masked[MODE_USER], masked_user)                                          \
    F(masked[MODE_SUPERVISOR], masked_supervisor) F(masked[MODE_KERNEL], masked_kernel)                           \
    F(masked[MODE_INTERRUPT], masked_interrupt)
#define REGION_FIELDS(F)                                                                                          \
    F(task, task) F(mode, mode) F(low, low) F(high, high) F(base, base) F(shift, shift) F(below, below)           \
    F(above, above) F(active, active) F(changes_below, changes_below) F(changes_above, changes_above)             \
    F(changes_active, changes_active)

/* The two functions of a list. */
#define TAKE_MEMBER(member, field) to->member = (__typeof__(to->member))from->field;
#define PUT_MEMBER(member, field)  to->field = from->member;
#define BOTH_WAYS(name, fields, own, record)                                                                      \
    void snapshot_take_##name(own *to, const record *from) { fields(TAKE_MEMBER) }                                \
    void snapshot_put_##name(record *to, const own *from) { fields(PUT_MEMBER) }

BOTH_WAYS(head, HEAD_FIELDS, struct snapshot, struct wire_snapshot)
BOTH_WAYS(cells, CELLS_FIELDS, struct snapshot_row, struct wire_cells_row)
BOTH_WAYS(exact, EXACT_FIELDS, struct snapshot_row, struct wire_exact_row)
BOTH_WAYS(region, REGION_FIELDS, struct snapshot_region, struct wire_region)

union row {
    struct wire_names_row name;
    struct wire_cells_row cells;
    struct wire_exact_row exact;
};

static struct wire_text name_of(const struct snapshot_row *r)
{
    size_t length = 0;

    while (length < NAME_SIZE && r->name[length] != '\0')
        length++;
    return (struct wire_text){ r->name, length };
}

static void name_row(const struct snapshot_sender *sender, const struct snapshot_row *r, union row *to)
{
    to->name = (struct wire_names_row){
        .id = r->id, .name = name_of(r), .program = sender->program_of(sender->context, r->id),
    };
}

static void cells_row(const struct snapshot_sender *sender, const struct snapshot_row *r, union row *to)
{
    (void)sender;
    snapshot_put_cells(&to->cells, r);
}

static void exact_row(const struct snapshot_sender *sender, const struct snapshot_row *r, union row *to)
{
    (void)sender;
    snapshot_put_exact(&to->exact, r);
}

/* One kind of rows, in frames. */
struct part {
    enum wire_type type;
    const void *head;
    uint64_t *number; /* of the frame, a member of `head` */
    void (*fill)(const struct snapshot_sender *, const struct snapshot_row *, union row *);
};

static void no_send(void *context, struct wire_writer *frame)
{
    (void)context;
    (void)frame;
}

static struct record_frames frames_of(const struct snapshot_sender *to, bool sent)
{
    return (struct record_frames){ .send = sent ? to->send : no_send, .context = to->context, .frame = to->frame };
}

/*
 * The rows of a snapshot, as many to a frame as fit.  Returns the number of frames; `sent` false
 * only counts them, with the very same splits.
 */
static unsigned put_rows(const struct snapshot_parts *s, const struct snapshot_sender *to, const struct part *part,
                         bool sent)
{
    struct record_frames r = frames_of(to, sent);
    union row row;
    unsigned frames = 0;

    record_frames_begin(&r, part->type, part->head);
    for (uint32_t i = 0; i < s->rows; i++) {
        const struct snapshot_row *const from = s->row(s->from, i);

        if (from == NULL)
            continue;
        part->fill(to, from, &row);
        *part->number = frames;
        frames += record_frames_put(&r, &row);
    }
    record_frames_end(&r, false);
    return frames;
}

static uint64_t buckets_of(const struct snapshot_parts *s)
{
    uint64_t used = 0;

    for (uint32_t i = 0; i < SNAPSHOT_BUCKETS; i++)
        used += s->bucket[i] != 0;
    return used;
}

/* One frame holds them all. */
static void put_lateness(const struct snapshot_parts *s, const struct snapshot_sender *to)
{
    struct record_frames r = frames_of(to, true);

    record_frames_begin(&r, WIRE_LATENESS, &(struct wire_lateness){ .epoch = to->epoch, .serial = s->head.serial });
    for (uint32_t i = 0; i < SNAPSHOT_BUCKETS; i++)
        if (s->bucket[i] != 0)
            record_frames_put(&r, &(struct wire_lateness_row){ i, s->bucket[i] });
    record_frames_end(&r, false);
}

/* The slots with hits in frames, of which there is one at least; `sent` false only counts them. */
static unsigned put_slots(const uint64_t *hits, const uint64_t *changes, struct wire_region *head,
                          const struct snapshot_sender *to, bool sent)
{
    struct record_frames r = frames_of(to, sent);
    unsigned frames = 0;

    head->part = 0;
    record_frames_begin(&r, WIRE_REGION, head);
    for (uint32_t i = 0; i < REGION_SLOTS; i++)
        if (hits[i] != 0) {
            head->part = frames;
            frames += record_frames_put(&r, &(struct wire_region_row){ i, hits[i], changes[i] });
        }
    record_frames_end(&r, true);
    return frames != 0 ? frames : 1;
}

static void put_region(const struct snapshot_parts *s, uint32_t number, const struct snapshot_sender *to)
{
    const uint64_t *hits, *changes;
    struct wire_region head = s->region(s->from, number, &hits, &changes);

    head.epoch = to->epoch;
    head.serial = s->head.serial;
    head.number = number;
    head.parts = 127; /* as long as any number of parts, so that the frames split alike */
    head.parts = put_slots(hits, changes, &head, to, false);
    put_slots(hits, changes, &head, to, true);
}

void snapshot_send_parts(struct snapshot_parts *s, const struct snapshot_sender *to)
{
    struct wire_names names = { .epoch = to->epoch };
    struct wire_cells cells = { .epoch = to->epoch, .serial = s->head.serial };
    struct wire_exact exact = { .epoch = to->epoch, .serial = s->head.serial };
    uint64_t unused;
    const struct part name_part = { WIRE_NAMES, &names, &unused, name_row };
    const struct part cells_part = { WIRE_CELLS, &cells, &cells.part, cells_row };
    const struct part exact_part = { WIRE_EXACT, &exact, &exact.part, exact_row };

    s->head.epoch = to->epoch;
    s->head.buckets = buckets_of(s);
    if (!to->unnamed)
        put_rows(s, to, &name_part, true);
    s->head.cells = put_rows(s, to, &cells_part, false);
    s->head.exacts = s->exact ? put_rows(s, to, &exact_part, false) : 0;
    wire_begin(to->frame, WIRE_SNAPSHOT, &s->head);
    to->send(to->context, to->frame);
    put_rows(s, to, &cells_part, true);
    if (s->exact)
        put_rows(s, to, &exact_part, true);
    put_lateness(s, to);
    for (uint32_t i = 0; i < s->head.regions; i++)
        put_region(s, i, to);
}

/* ---- a whole snapshot ---- */

static const struct snapshot_row *row_at(const void *snapshot, uint32_t number)
{
    const struct snapshot *const s = snapshot;

    return &s->row[number];
}

static struct wire_region region_at(const void *snapshot, uint32_t number, const uint64_t **hits,
                                    const uint64_t **changes)
{
    const struct snapshot_region *const r = &((const struct snapshot *)snapshot)->region[number];
    struct wire_region head = { .number = number };

    *hits = r->hits;
    *changes = r->changes;
    snapshot_put_region(&head, r);
    return head;
}

void snapshot_send(const struct snapshot *s, const struct snapshot_sender *to)
{
    struct snapshot_parts parts = {
        .exact = s->exact, .rows = s->rows, .row = row_at, .bucket = s->bucket, .region = region_at, .from = s,
    };

    parts.head.regions = s->regions;
    snapshot_put_head(&parts.head, s);
    snapshot_send_parts(&parts, to);
}

void snapshot_send_names(const struct snapshot *s, const struct snapshot_sender *to)
{
    const struct snapshot_parts parts = { .rows = s->rows, .row = row_at, .from = s };
    struct wire_names names = { .epoch = to->epoch };
    uint64_t unused;

    put_rows(&parts, to, &(struct part){ WIRE_NAMES, &names, &unused, name_row }, true);
}
