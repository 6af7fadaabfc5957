/* SPDX-License-Identifier: MIT */
/* Snapshots as frames: names, head, sampled and exact rows, lateness, regions. */
#include "probe/stats/snapshot_frames.h"

#include <stdbool.h>
#include <stddef.h>

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
    to->cells.id = r->id;
#define SEND(member, field) to->cells.field = r->member;
    SNAPSHOT_CELLS_FIELDS(SEND)
#undef SEND
}

static void exact_row(const struct snapshot_sender *sender, const struct snapshot_row *r, union row *to)
{
    (void)sender;
    to->exact.id = r->id;
#define SEND(member, field) to->exact.field = r->member;
    SNAPSHOT_EXACT_FIELDS(SEND)
#undef SEND
}

static void send(const struct snapshot_sender *to)
{
    to->send(to->context, to->frame);
}

/* One kind of rows, in frames. */
struct part {
    enum wire_type type;
    const void *head;
    uint64_t *number; /* of the frame, a member of `head` */
    void (*fill)(const struct snapshot_sender *, const struct snapshot_row *, union row *);
};

/*
 * The rows of a snapshot, as many to a frame as fit.  Returns the number of frames; `sent` false
 * only counts them, with the very same splits.
 */
static unsigned put_rows(const struct snapshot *s, const struct snapshot_sender *to, const struct part *part,
                         bool sent)
{
    union row row;
    unsigned frames = 0;

    for (uint32_t i = 0; i < s->rows; i++) {
        part->fill(to, &s->row[i], &row);
        if (frames != 0 && wire_row(to->frame, part->type, &row))
            continue;
        if (frames != 0 && sent)
            send(to);
        *part->number = frames++;
        wire_begin(to->frame, part->type, part->head);
        wire_row(to->frame, part->type, &row);
    }
    if (frames != 0 && sent)
        send(to);
    return frames;
}

static uint64_t buckets_of(const struct snapshot *s)
{
    uint64_t used = 0;

    for (uint32_t i = 0; i < SNAPSHOT_BUCKETS; i++)
        used += s->bucket[i] != 0;
    return used;
}

static struct wire_snapshot head_of(const struct snapshot *s, uint64_t epoch)
{
    struct wire_snapshot head = { .epoch = epoch, .regions = s->regions, .buckets = buckets_of(s) };

#define SEND(member, field) head.field = s->member;
    SNAPSHOT_HEAD_FIELDS(SEND)
#undef SEND
    return head;
}

/* One frame holds them all. */
static void put_lateness(const struct snapshot *s, const struct snapshot_sender *to)
{
    if (buckets_of(s) == 0)
        return;
    wire_begin(to->frame, WIRE_LATENESS, &(struct wire_lateness){ .epoch = to->epoch, .serial = s->serial });
    for (uint32_t i = 0; i < SNAPSHOT_BUCKETS; i++)
        if (s->bucket[i] != 0)
            wire_row(to->frame, WIRE_LATENESS, &(struct wire_lateness_row){ i, s->bucket[i] });
    send(to);
}

static struct wire_region region_head(const struct snapshot *s, uint32_t number, uint64_t epoch)
{
    const struct snapshot_region *r = &s->region[number];
    struct wire_region head = { .epoch = epoch, .serial = s->serial, .number = number };

#define SEND(member, field) head.field = r->member;
    SNAPSHOT_REGION_FIELDS(SEND)
#undef SEND
    return head;
}

/* The slots with hits in frames; `sent` false only counts the frames. */
static unsigned put_slots(const struct snapshot_region *r, struct wire_region *head,
                          const struct snapshot_sender *to, bool sent)
{
    head->part = 0;
    wire_begin(to->frame, WIRE_REGION, head);
    for (uint32_t i = 0; i < REGION_SLOTS; i++) {
        const struct wire_region_row row = { i, r->hits[i], r->changes[i] };

        if (r->hits[i] == 0 || wire_row(to->frame, WIRE_REGION, &row))
            continue;
        if (sent)
            send(to);
        head->part++;
        wire_begin(to->frame, WIRE_REGION, head);
        wire_row(to->frame, WIRE_REGION, &row);
    }
    if (sent)
        send(to);
    return (unsigned)head->part + 1;
}

static void put_region(const struct snapshot *s, uint32_t number, const struct snapshot_sender *to)
{
    struct wire_region head = region_head(s, number, to->epoch);

    head.parts = 127; /* as long as any number of parts, so that the frames split alike */
    head.parts = put_slots(&s->region[number], &head, to, false);
    put_slots(&s->region[number], &head, to, true);
}

void snapshot_send(const struct snapshot *s, const struct snapshot_sender *to)
{
    struct wire_names names = { .epoch = to->epoch };
    struct wire_cells cells = { .epoch = to->epoch, .serial = s->serial };
    struct wire_exact exact = { .epoch = to->epoch, .serial = s->serial };
    struct wire_snapshot head = head_of(s, to->epoch);
    uint64_t unused;
    const struct part name_part = { WIRE_NAMES, &names, &unused, name_row };
    const struct part cells_part = { WIRE_CELLS, &cells, &cells.part, cells_row };
    const struct part exact_part = { WIRE_EXACT, &exact, &exact.part, exact_row };

    put_rows(s, to, &name_part, true);
    head.cells = put_rows(s, to, &cells_part, false);
    if (s->exact)
        head.exacts = put_rows(s, to, &exact_part, false);
    wire_begin(to->frame, WIRE_SNAPSHOT, &head);
    send(to);
    put_rows(s, to, &cells_part, true);
    if (s->exact)
        put_rows(s, to, &exact_part, true);
    put_lateness(s, to);
    for (uint32_t i = 0; i < s->regions; i++)
        put_region(s, i, to);
}
