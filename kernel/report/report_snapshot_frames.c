/* SPDX-License-Identifier: MIT */
/* Snapshots as frames (docs/PROTOCOL.md, "Snapshots"). */
#include "kernel/io/frame_tx.h"
#include "kernel/lib/string.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"
#include "kernel/source/sampler.h"
#include "kernel/tick/window.h"

static struct wire_writer writer; /* task PROBE */
static uint64_t epoch;            /* of the source whose snapshot is sent; the same */
static const struct probe *closed; /* its probe; the same */

union row {
    struct wire_names_row name;
    struct wire_cells_row cells;
    struct wire_exact_row exact;
};

static struct wire_text text(const char *t)
{
    return (struct wire_text){ t, string_length(t) };
}

/* Tasks of one row run one program, or are told as those of the first. */
static uint32_t program_of(uint32_t id)
{
    const struct closed_row *row;

    for (uint32_t i = 0; (row = window_closed_row(closed, i)) != 0; i++)
        if (row->id == id)
            return row->program;
    return 0;
}

static void name_row(const struct snapshot_row *r, union row *to)
{
    to->name = (struct wire_names_row){
        .id = r->id, .name = text(r->name), .program = program_of(r->id),
    };
}

static void cells_row(const struct snapshot_row *r, union row *to)
{
    to->cells = (struct wire_cells_row){
        .id = r->id,
        .user = r->hits[MODE_USER], .supervisor = r->hits[MODE_SUPERVISOR],
        .kernel = r->hits[MODE_KERNEL], .interrupt = r->hits[MODE_INTERRUPT],
        .total = r->total,
        .changes_user = r->changes[MODE_USER],
        .changes_supervisor = r->changes[MODE_SUPERVISOR],
        .changes_kernel = r->changes[MODE_KERNEL],
        .changes_interrupt = r->changes[MODE_INTERRUPT],
        .changes_total = r->total_changes,
    };
}

static void exact_row(const struct snapshot_row *r, union row *to)
{
    to->exact = (struct wire_exact_row){
        .id = r->id,
        .user = r->time[MODE_USER], .supervisor = r->time[MODE_SUPERVISOR],
        .kernel = r->time[MODE_KERNEL], .interrupt = r->time[MODE_INTERRUPT],
        .masked_user = r->masked[MODE_USER],
        .masked_supervisor = r->masked[MODE_SUPERVISOR],
        .masked_kernel = r->masked[MODE_KERNEL],
        .masked_interrupt = r->masked[MODE_INTERRUPT],
    };
}

/*
 * The rows of a snapshot in frames of this type, as many to a frame as fit.
 * `part` is the frame's number, a member of `head`.  Returns the number of
 * frames; `sent` false only counts them, with the very same splits.
 */
static unsigned put_rows(const struct snapshot *s, enum wire_type type, const void *head,
                         uint64_t *part, void (*fill)(const struct snapshot_row *, union row *),
                         bool sent)
{
    union row row;
    unsigned frames = 0;

    for (uint32_t i = 0; i < s->rows; i++) {
        fill(&s->row[i], &row);
        if (frames != 0 && wire_row(&writer, type, &row))
            continue;
        if (frames != 0 && sent)
            frame_tx_send(&writer);
        *part = frames++;
        wire_begin(&writer, type, head);
        wire_row(&writer, type, &row);
    }
    if (frames != 0 && sent)
        frame_tx_send(&writer);
    return frames;
}

static uint64_t buckets_of(const struct snapshot *s)
{
    uint64_t used = 0;

    for (uint32_t i = 0; i < SNAPSHOT_BUCKETS; i++)
        used += s->bucket[i] != 0;
    return used;
}

static struct wire_snapshot head_of(const struct snapshot *s)
{
    return (struct wire_snapshot){
        .epoch = epoch, .serial = s->serial, .final = s->final,
        .regions = s->regions, .ticks = s->ticks, .samples = s->samples, .late = s->late, .excess = s->excess,
        .missed_overrun = s->missed_overrun, .missed_source = s->missed_source,
        .lost_table = s->lost_table, .lost_ring = s->lost_ring,
        .begin = s->begin, .end = s->end, .made = s->made,
        .monitor = s->monitor, .transitions = s->transitions,
        .generator = s->generator, .intervals = s->intervals,
        .changes_user = s->mode_changes[MODE_USER],
        .changes_supervisor = s->mode_changes[MODE_SUPERVISOR],
        .changes_kernel = s->mode_changes[MODE_KERNEL],
        .changes_interrupt = s->mode_changes[MODE_INTERRUPT],
        .first = s->first, .lateness = s->lateness, .buckets = buckets_of(s),
    };
}

/* One frame holds them all. */
static void put_lateness(const struct snapshot *s)
{
    if (buckets_of(s) == 0)
        return;
    wire_begin(&writer, WIRE_LATENESS,
               &(struct wire_lateness){ .epoch = epoch, .serial = s->serial });
    for (uint32_t i = 0; i < SNAPSHOT_BUCKETS; i++)
        if (s->bucket[i] != 0)
            wire_row(&writer, WIRE_LATENESS, &(struct wire_lateness_row){ i, s->bucket[i] });
    frame_tx_send(&writer);
}

static struct wire_region region_head(const struct snapshot *s, uint32_t number)
{
    const struct snapshot_region *r = &s->region[number];

    return (struct wire_region){
        .epoch = epoch, .serial = s->serial, .number = number,
        .task = r->task, .mode = r->mode, .low = r->low, .high = r->high,
        .base = r->base, .shift = r->shift,
        .below = r->below, .above = r->above, .active = r->active,
        .changes_below = r->changes_below, .changes_above = r->changes_above,
        .changes_active = r->changes_active,
    };
}

/* The slots with hits in frames; `sent` false only counts the frames. */
static unsigned put_slots(const struct snapshot_region *r, struct wire_region *head, bool sent)
{
    head->part = 0;
    wire_begin(&writer, WIRE_REGION, head);
    for (uint32_t i = 0; i < REGION_SLOTS; i++) {
        const struct wire_region_row row = { i, r->hits[i], r->changes[i] };

        if (r->hits[i] == 0 || wire_row(&writer, WIRE_REGION, &row))
            continue;
        if (sent)
            frame_tx_send(&writer);
        head->part++;
        wire_begin(&writer, WIRE_REGION, head);
        wire_row(&writer, WIRE_REGION, &row);
    }
    if (sent)
        frame_tx_send(&writer);
    return (unsigned)head->part + 1;
}

static void put_region(const struct snapshot *s, uint32_t number)
{
    struct wire_region head = region_head(s, number);

    head.parts = 127; /* as long as any number of parts, so that the frames split alike */
    head.parts = put_slots(&s->region[number], &head, false);
    put_slots(&s->region[number], &head, true);
}

void report_snapshot_frames(const struct sampler *sampler, const struct snapshot *s)
{
    struct wire_names names = { .epoch = sampler->epoch };
    struct wire_cells cells = { .epoch = sampler->epoch, .serial = s->serial };
    struct wire_exact exact = { .epoch = sampler->epoch, .serial = s->serial };
    struct wire_snapshot head;
    uint64_t unused;

    epoch = sampler->epoch;
    closed = sampler->probe;
    head = head_of(s);
    put_rows(s, WIRE_NAMES, &names, &unused, name_row, true);
    head.cells = put_rows(s, WIRE_CELLS, &cells, &cells.part, cells_row, false);
    if (s->exact)
        head.exacts = put_rows(s, WIRE_EXACT, &exact, &exact.part, exact_row, false);
    frame_tx_send_head(WIRE_SNAPSHOT, &head);
    put_rows(s, WIRE_CELLS, &cells, &cells.part, cells_row, true);
    if (s->exact)
        put_rows(s, WIRE_EXACT, &exact, &exact.part, exact_row, true);
    put_lateness(s);
    for (uint32_t i = 0; i < s->regions; i++)
        put_region(s, i);
}

void report_end_record(bool success, const char *reason)
{
    frame_tx_send_head(WIRE_END, &(struct wire_end){
        .epoch = frame_tx_epoch(), .status = success ? 0 : 1, .reason = text(reason),
    });
}
