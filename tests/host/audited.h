/* SPDX-License-Identifier: MIT */
/* Audits a synthetic stream as `cpuprobe audit` does, and looks for what it found. */
#pragma once

#include "tests/host/dumped.h"
#include "tools/analysis/audit.h"
#include "tools/samples/sample_reader.h"

static struct audit audit;

/* What tells of the records of d to an audit. */
struct telling {
    struct audit_walk *walk;
    struct sample_reader *samples;
    uint64_t heads, claimed; /* ticks of the last snapshot, if not 0 */
    bool foresees;
};

static inline void take_sample(void *context, const struct resolved_sample *s)
{
    if (!s->dropped)
        audit_sample(context, s);
}

static inline void take_record(struct telling *t, const struct stream_event *event)
{
    struct wire_reader frame = event->reader;
    struct wire_snapshot head;

    if (event->kind != STREAM_RECORD)
        return;
    if (frame.type == WIRE_SNAPSHOT && wire_read_head(&frame, &head)) {
        if (++t->heads == got.model.epoch[0]->head_count && t->claimed)
            head.ticks = t->claimed;
        (t->foresees ? audit_foresee : audit_head)(t->walk, &head);
    } else if (!t->foresees) {
        sample_reader_frame(t->samples, event->reader);
    }
}

static inline void tell(struct telling *t)
{
    static struct frame_decoder stream;
    struct stream_event event;

    decoder_init(&stream);
    t->heads = 0;
    for (size_t at = 0; at < d.length;) {
        at += decoder_feed(&stream, d.bytes + at, d.length - at, &event);
        take_record(t, &event);
    }
}

/* The audit of what was decoded; the last snapshot claims so many ticks, if not 0. */
static inline void make_audit(uint64_t claimed)
{
    struct epoch *e = got.model.epoch[0];
    struct telling t = {.walk = audit_begin(&audit, e), .claimed = claimed, .foresees = true};

    t.samples = sample_reader_new(e->samples, take_sample, t.walk);
    tell(&t);
    t.foresees = false;
    tell(&t);
    sample_reader_end(t.samples);
    sample_reader_free(t.samples);
    audit_end(t.walk);
}

/* Some finding has these words. */
static inline void check_found(const char *words)
{
    for (uint64_t i = 0; i < audit.faults && i < AUDIT_FINDINGS; i++)
        if (strstr(audit.finding[i], words))
            return;
    fail_msg("%lu findings, none with: %s; the first: %s", audit.faults, words, audit.finding[0]);
}

static inline void check_clean(void)
{
    if (audit.faults)
        fail_msg("%lu findings: %s", audit.faults, audit.finding[0]);
}
