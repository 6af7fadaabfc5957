/* SPDX-License-Identifier: MIT */
/*
 * Decodes bytes to valid frames: zeros separate them; COBS, CRC-32 and the field descriptors check
 * them (docs/PROTOCOL.md, "Framing").
 */
#include "tools/stream/frame_decoder.h"

#include <string.h>

#include "probe/stream/wire_fields.h"

/* The beginning of output=text, to recognise a recording of it. */
static const char text_mark[] = "Percentage CPU Utilization";

/* A sequence number that is lower by at most this is a repeated frame; by more, many frames are missing. */
#define REPEAT_MOST 64

void decoder_init(struct frame_decoder *s)
{
    memset(s, 0, sizeof(*s));
}

uint64_t decoder_damaged(const struct stream_stats *stats)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < DAMAGES; i++)
        sum += stats->damaged[i];
    return sum;
}

const char *damage_name(enum damage damage)
{
    static const char *const names[DAMAGES] = {"short", "stuffing", "checksum", "fields",
                                               "long"};
    return names[damage];
}

/* Not needed any more after the first frame. */
static void match_text(struct frame_decoder *s, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length && !s->looks_like_text && !s->stats.frames; i++) {
        if (bytes[i] != (uint8_t)text_mark[s->text_matched])
            s->text_matched = 0;
        if (bytes[i] == (uint8_t)text_mark[s->text_matched])
            s->text_matched++;
        s->looks_like_text = !text_mark[s->text_matched];
    }
}

static void note_sequence(struct frame_decoder *s, struct stream_event *event)
{
    const uint16_t skipped = (uint16_t)(event->reader.sequence - s->next);

    if (s->sequenced && skipped >= (uint16_t)-REPEAT_MOST) {
        s->stats.repeated++;
        return;
    }
    event->skipped = s->sequenced ? skipped : 0;
    if (event->skipped) {
        s->stats.gaps++;
        s->stats.missing += skipped;
    }
    s->sequenced = true;
    s->next = event->reader.sequence + 1;
}

/* Read all fields of a record once, so that its readers need no check for a cut record. */
static bool fields_add_up(const struct frame_decoder *s, struct wire_reader r)
{
    const struct wire_record *record = wire_record(r.type);
    union { /* room for any head and any row */
        struct wire_hello hello;
        struct wire_snapshot snapshot;
        struct wire_cells_row cells;
        struct wire_exact_row exact;
        struct wire_fault fault;
    } any;

    if (!wire_read_head(&r, &any))
        return false;
    while (wire_read_row(&r, &any))
        ;
    return wire_done(&r) || (!record->rows && s->minor > WIRE_MINOR);
}

/* The version in HELLO is checked before its other fields. */
static bool note_hello(struct frame_decoder *s, struct stream_event *event)
{
    struct wire_reader r = event->reader;
    struct wire_hello hello;
    bool whole;

    memset(&hello, 0, sizeof(hello)); /* a head cut short leaves its first fields read */
    whole = wire_read_head(&r, &hello);
    if (hello.major && hello.major != WIRE_MAJOR) {
        event->kind = STREAM_VERSION;
        event->major = hello.major;
        s->state = STREAM_REFUSED;
        return false;
    }
    if (!whole)
        return true;
    hello.epoch &= ~WIRE_SECOND; /* both sources of an epoch share one count of frames */
    if (s->epoch != hello.epoch && !s->ended) /* after another boot frames are counted from 0 again */
        s->sequenced = false;
    s->epoch = hello.epoch;
    s->minor = hello.minor;
    return true;
}

static void report_damage(struct frame_decoder *s, enum damage damage, struct stream_event *event)
{
    event->damage = damage;
    if (s->state == STREAM_PREAMBLE) {
        event->kind = STREAM_NOISE;
        s->stats.preamble += event->length;
        return;
    }
    event->kind = STREAM_DAMAGED;
    s->state = STREAM_RESYNC;
    s->stats.damaged[damage]++;
    s->stats.damaged_bytes += event->length;
}

static void open_frame(struct frame_decoder *s, struct stream_event *event)
{
    const struct wire_record *record = wire_record(event->reader.type);

    if (record && record->type == WIRE_HELLO && !note_hello(s, event))
        return;
    if (record && !fields_add_up(s, event->reader)) {
        report_damage(s, DAMAGE_FIELDS, event);
        return;
    }
    note_sequence(s, event);
    s->stats.of_type[event->reader.type & 0xff]++;
    event->kind = record ? STREAM_RECORD : STREAM_UNKNOWN;
    s->ended = record && record->type == WIRE_END;
    s->state = s->ended ? STREAM_PREAMBLE : STREAM_FRAMES;
    if (s->ended)
        s->next = 0; /* the next frame is the first of another epoch: a higher number tells what was lost */
    if (record)
        s->stats.frames++;
    else
        s->stats.unknown++;
}

/* Handle the bytes between two zeros, or after the last. */
static void end_stretch(struct frame_decoder *s, struct stream_event *event)
{
    static const enum damage damage_of[] = {
        [WIRE_SHORT] = DAMAGE_SHORT,
        [WIRE_STUFFING] = DAMAGE_STUFFING,
        [WIRE_CHECKSUM] = DAMAGE_CHECKSUM,
    };
    enum wire_verdict verdict;

    event->length = s->run;
    event->offset = s->stats.bytes - s->run;
    s->run = 0;
    if (!event->length || s->state == STREAM_REFUSED)
        return;
    if (event->length > sizeof(s->bytes)) {
        report_damage(s, DAMAGE_LONG, event);
        return;
    }
    verdict = wire_open(&event->reader, s->bytes, event->length);
    if (verdict == WIRE_INTACT)
        open_frame(s, event);
    else
        report_damage(s, damage_of[verdict], event);
}

/* Take bytes without a zero; of a stretch that is too long only the length is kept. */
static void copy_run(struct frame_decoder *s, const uint8_t *bytes, size_t length)
{
    if (s->run < sizeof(s->bytes)) {
        const size_t room = sizeof(s->bytes) - (size_t)s->run;

        memcpy(s->bytes + s->run, bytes, length < room ? length : room);
    }
    for (size_t i = 0; i < length && s->stats.bytes + i < sizeof(s->first); i++)
        s->first[s->stats.bytes + i] = bytes[i];
    s->run += length;
    s->stats.bytes += length;
    match_text(s, bytes, length);
}

size_t decoder_feed(struct frame_decoder *s, const uint8_t *bytes, size_t length,
                    struct stream_event *event)
{
    const uint8_t *zero = length ? memchr(bytes, 0, length) : NULL;
    const size_t run = zero ? (size_t)(zero - bytes) : length;

    event->kind = STREAM_NOTHING;
    event->skipped = 0;
    if (run)
        copy_run(s, bytes, run);
    if (!zero)
        return run;
    end_stretch(s, event);
    s->stats.bytes++;
    return run + 1;
}

void decoder_finish(struct frame_decoder *s, struct stream_event *event)
{
    event->kind = STREAM_NOTHING;
    event->skipped = 0;
    end_stretch(s, event);
}
