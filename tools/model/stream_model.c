/* SPDX-License-Identifier: MIT */
/*
 * Assigns records to epochs and limits how much of a stream is kept.  epoch_records.c keeps the
 * records, snapshot_assembly.c puts snapshots together, epoch_facts.c answers what reports ask.
 */
#include "tools/model/stream_model.h"

#include <stdlib.h>
#include <string.h>

#include "probe/stream/wire_fields.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/model/epoch_records.h"
#include "tools/stream/stream_reader.h"

void model_free(struct model *m)
{
    for (size_t i = 0; i < m->epochs; i++) {
        epoch_free(m->epoch[i]);
        free(m->epoch[i]);
    }
    free(m->epoch);
    *m = (struct model){0};
}

/* No record follows for the epoch: what was needed to put it together is given back. */
static void finish_epoch(struct model *m, struct epoch *first)
{
    for (struct epoch *e = first; e; e = e->second_source) {
        const uint64_t held = e->samples ? e->samples->held : 0;

        epoch_finish(e);
        m->kept += e->samples ? e->samples->held - held : 0;
    }
}

static struct epoch *new_epoch(struct model *m, uint64_t id)
{
    struct epoch *const e = xrealloc_array(NULL, 1, sizeof(*e));

    *e = (struct epoch){.id = id};
    m->kept += sizeof(*e);
    return e;
}

static struct epoch *begin_epoch(struct model *m, uint64_t id)
{
    if (m->epochs)
        finish_epoch(m, m->epoch[m->epochs - 1]);
    GROW(m->epoch, m->epochs);
    m->epoch[m->epochs] = new_epoch(m, id);
    m->epoch[m->epochs]->number = m->epochs + 1;
    return m->epoch[m->epochs++];
}

/*
 * The epoch of a record with this `id`; begins a new epoch if `id` differs from the last one; 0
 * means the current epoch.  After an END the next record begins a new epoch even with the same
 * identifier, since two boots of a deterministic machine can have the same one.
 */
static struct epoch *first_of(struct model *m, uint64_t id)
{
    struct epoch *last = m->epochs ? m->epoch[m->epochs - 1] : NULL;

    if (!last || last->ended)
        return begin_epoch(m, id);
    if (!last->id) /* records without an identifier belong to the HELLO that follows */
        last->id = id;
    if (id && id != last->id) {
        epoch_abandon(m, last);
        return begin_epoch(m, id);
    }
    return last;
}

/* The same, for the first or the second source. */
static struct epoch *epoch_of(struct model *m, uint64_t id)
{
    struct epoch *e = first_of(m, id & ~WIRE_SECOND);

    if (!(id & WIRE_SECOND))
        return e;
    if (!e->second_source) {
        e->second_source = new_epoch(m, id);
        e->second_source->second = true;
    }
    return e->second_source;
}

/* Check the limit first: a frame of a few bytes can begin an epoch that takes a thousand. */
static bool is_full(struct model *m)
{
    if (m->kept <= MODEL_KEPT || m->full)
        return m->full;
    violation_note(&m->epoch[m->epochs - 1]->violations, VIOLATION_AMOUNT, "epoch %zu", m->epochs);
    m->full = true;
    return true;
}

/*
 * Whether there is no room for the record; each one that is left out counts.  One of KEYS may have a key's new state.
 */
static bool is_left_out(struct frame *f)
{
    const struct model *m = f->model;
    const enum wire_keep keep = wire_record(f->reader.type)->keep;

    f->full = m->kept > MODEL_RECORDS || m->kept + m->reported > MODEL_REPORTED;
    if (!f->full || keep <= WIRE_KEEP_SUMMED || keep > WIRE_KEEP_ALL)
        return false;
    violation_note(&f->epoch->violations, VIOLATION_AMOUNT, "%s", wire_record(f->reader.type)->name);
    return true;
}

/* The identifier in a record's head; END belongs to both sources. */
static uint64_t epoch_id(enum wire_type type, const union wire_head *head)
{
    const uint64_t epoch = wire_head_epoch(type, head);

    return type == WIRE_END ? epoch & ~WIRE_SECOND : epoch;
}

/* Records whose number grows with the length of a run, and that are not wanted. */
static bool is_skipped(const struct model *m, enum wire_type type)
{
    switch (type) {
    case WIRE_TRANSITIONS: return m->skips_changes;
    case WIRE_SAMPLES: case WIRE_PLACES: case WIRE_MASKED_SAMPLES: case WIRE_PACKED_SAMPLES: case WIRE_PACKED_PLACES:
        return m->skips_samples;
    default: return false;
    }
}

static void note_position(struct epoch *e, const struct stream_event *event)
{
    if (!e->records++)
        e->first_byte = event->offset;
    e->last_byte = event->offset;
}

void model_add_event(struct model *m, const struct stream_event *event)
{
    struct frame f = {.model = m, .reader = event->reader, .rows = event->reader, .length = event->length + 2};

    if (event->kind != STREAM_RECORD || is_full(m) || wire_record(f.reader.type)->keep == WIRE_KEEP_TALK)
        return;
    wire_read_head(&f.rows, &f.head);
    f.epoch = epoch_of(m, epoch_id(f.reader.type, &f.head));
    note_position(m->epoch[m->epochs - 1], event);
    if (is_skipped(m, f.reader.type) || is_left_out(&f))
        return;
    epoch_add_record(&f);
}

void model_finish(struct model *m)
{
    if (m->epochs)
        epoch_abandon(m, m->epoch[m->epochs - 1]);
    if (m->epochs)
        finish_epoch(m, m->epoch[m->epochs - 1]);
}

/* Makes a model from a recorded stream. */

static void give_model(void *context, const struct stream_event *event)
{
    model_add_event(context, event);
}

void model_read(const char *path, struct frame_decoder *s, struct model *m)
{
    stream_decode(path, s, give_model, m);
    model_finish(m);
}

struct epoch *model_find_epoch(const char *path, struct model *m, unsigned long wanted)
{
    struct epoch *e = model_choose(m, wanted);

    if (!e && wanted)
        cli_error("%s: there is no epoch %lu; the stream has %zu", path, wanted, m->epochs);
    else if (!e)
        cli_error("%s: no record of a run arrived", path);
    return e;
}

/* Only a port says "port" for its door; its line has the names of the fields. */

const char *port_optional_name(enum port_optional field)
{
    static const char *const names[] = {
#define PORT_NAME(name) #name,
        PORT_OPTIONAL(PORT_NAME)
#undef PORT_NAME
    };

    return names[field];
}

static bool names(const char *line, const char *field)
{
    const size_t length = strlen(field);

    for (; *line; line += strcspn(line, " "), line += strspn(line, " "))
        if (strcspn(line, " ") == length && !strncmp(line, field, length))
            return true;
    return false;
}

struct port_given port_given(const struct epoch *e)
{
    struct port_given g = {.is_port = is_of_port(e)};

    for (unsigned i = 0; i < PORT_OPTIONALS && g.is_port; i++)
        g.gives[i] = names(e->hello.line.bytes, port_optional_name(i));
    return g;
}
