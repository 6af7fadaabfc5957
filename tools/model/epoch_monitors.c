/* SPDX-License-Identifier: MIT */
/* A function for each monitor: the record is checked and kept by the file of its monitor. */
#include "tools/model/epoch_records.h"

#include <stdint.h>

#include "probe/stream/class_decode.h"

/* NULL where these words make no schedule. */
static struct samples *begin_samples(struct model *m, const struct epoch *e)
{
    const struct wire_hello *h = &e->hello;
    struct sample_setting setting = {
        .points = h->unit != 0,
        .source_clock = epoch_unit_65536(e),
        .handler = h->unit ? 0 : h->lead,
        .stamp = h->stamp,
        .thin = h->thin < UINT32_MAX ? (uint32_t)h->thin : UINT32_MAX, /* samples_begin() refuses it */
        .seed = h->seed,
    };
    struct samples *s;

    if (!epoch_schedule(e, &setting.schedule))
        return NULL;
    s = samples_new(&setting, &m->replayed, m->samples);
    if (s && config_via_nmi(&e->words))
        samples_expect_marks(s);
    return s;
}

/*
 * Raw samples and what they mean.  Those before the first HELLO cannot be read:
 * their numbers are missing from what is reported later.
 */
void keep_samples(struct frame *f)
{
    struct epoch *e = f->epoch;
    uint64_t held;

    if (e->has_hello && !e->samples)
        e->samples = begin_samples(f->model, e);
    if (!e->samples)
        return;
    held = e->samples->held;
    samples_add_frame(e->samples, &f->reader, f->length);
    f->model->kept += e->samples->held - held;
}

void keep_transitions(struct frame *f)
{
    struct epoch *e = f->epoch;
    uint64_t bytes;

    if (!e->transitions)
        e->transitions = transitions_new();
    bytes = transitions_bytes(e->transitions);
    if (!transitions_add_frame(e->transitions, &f->reader))
        violation_note(&e->violations, VIOLATION_VALUE, "LOGGED");
    f->model->kept += transitions_bytes(e->transitions) - bytes;
}

/* PACKED_EVENTS has the same fields. */
void keep_events(struct frame *f)
{
    const struct wire_events *const head = &f->head.events;
    struct epoch *const e = f->epoch;

    e->events = true;
    if (head->first >= EVENT_NUMBER_MAX || head->count > EVENT_FRAME_MAX)
        violation_note(&e->violations, VIOLATION_VALUE, "%s", wire_record(f->reader.type)->name);
    else if (head->first + head->count > e->events_end)
        e->events_end = head->first + head->count;
}

/* What is lost never becomes less; the last frame has the number of all runs. */
void keep_states(struct frame *f)
{
    static struct class_batch batch;
    struct epoch_states *s = &f->epoch->states;

    if (!class_decode(&batch, &f->reader) || batch.lost < s->lost) {
        violation_note(&f->epoch->violations, VIOLATION_VALUE, "STATES");
        return;
    }
    *s = (struct epoch_states){
        .frames = s->frames + 1, .runs = s->runs + batch.count, .bytes = s->bytes + f->length,
        .lost = batch.lost, .lost_time = batch.lost_time, .told = s->told || !batch.count,
    };
}

void keep_code(struct frame *f)
{
    f->model->kept += changed_code_add(&f->epoch->code, &f->head.code, &f->epoch->violations);
}
