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

/* Room for any head and any row. */
union any_fields {
    struct wire_hello hello;
    struct wire_snapshot snapshot;
    struct wire_cells_row cells;
    struct wire_exact_row exact;
    struct wire_text_record text;
    struct wire_fault fault;
    struct wire_report report;
    struct wire_output output;
    struct wire_sent sent;
    struct wire_delta delta;
};

/* Read all fields of a record once, so that its readers need no check for a cut record. */
static bool fields_add_up(const struct frame_decoder *s, struct wire_reader r)
{
    const struct wire_record *record = wire_record(r.type);
    union any_fields any;

    if (!wire_read_head(&r, &any))
        return false;
    while (wire_read_row(&r, &any))
        ;
    return wire_done(&r) || (!record->rows && s->minor > WIRE_MINOR);
}

/* ---- records with numbers of their own ---- */

static const enum wire_type numbered[SENT_KINDS] = {WIRE_TEXT, WIRE_FAULT, WIRE_REPORT, WIRE_OUTPUT};

/* The epoch begins: its records are numbered from 1.  False: a reader came later, and learns where they are. */
static void begin_numbers(struct frame_decoder *s, bool first)
{
    memset(&s->seen, 0, sizeof(s->seen));
    for (unsigned kind = 0; kind < SENT_KINDS; kind++)
        s->seen_of[kind] = first;
}

/* There are so many of a kind: those between are lost. */
static void note_number(struct frame_decoder *s, unsigned kind, uint64_t number, bool itself)
{
    uint64_t *const seen = sent_of_type(&s->seen, numbered[kind]);

    if (s->seen_of[kind] && number > *seen)
        *sent_of_type(&s->stats.lost, numbered[kind]) += number - *seen - itself;
    if (!s->seen_of[kind] || number > *seen)
        *seen = number;
    s->seen_of[kind] = true;
}

static uint64_t own_number(enum wire_type type, const union any_fields *head)
{
    switch (type) {
    case WIRE_TEXT: return head->text.number;
    case WIRE_FAULT: return head->fault.number;
    case WIRE_REPORT: return head->report.number;
    case WIRE_OUTPUT: return head->output.number;
    default: return 0;
    }
}

static void note_own_number(struct frame_decoder *s, struct wire_reader r)
{
    union any_fields any;
    unsigned kind = 0;

    while (kind < SENT_KINDS && numbered[kind] != r.type)
        kind++;
    if (kind < SENT_KINDS && wire_read_head(&r, &any) && own_number(r.type, &any))
        note_number(s, kind, own_number(r.type, &any), true);
}

/* ---- the sequence ---- */

/* The four bytes behind the fields. */
static uint32_t checksum_of(const struct wire_reader *r)
{
    uint32_t crc = 0;

    for (unsigned i = 0; i < sizeof(crc); i++)
        crc |= (uint32_t)r->end[i] << 8 * i;
    return crc;
}

/* More frames may be missing than the 16 bits of the sequence tell: by a multiple of 65536. */
static void note_unsure(struct frame_decoder *s, struct stream_event *event)
{
    event->unsure = true;
    s->stats.unsure++;
    s->unsure++;
}

static void note_gap(struct frame_decoder *s, struct stream_event *event, uint64_t skipped)
{
    s->stats.gaps += !event->skipped;
    s->stats.missing += skipped;
    event->skipped += skipped;
}

/* False: it came before. */
static bool note_sequence(struct frame_decoder *s, struct stream_event *event)
{
    const uint16_t sequence = event->reader.sequence;
    const uint16_t skipped = (uint16_t)(sequence - s->next);
    const bool back = s->sequenced && skipped >= (uint16_t)-DECODER_RECENT;
    const uint32_t crc = checksum_of(&event->reader);

    if (back && s->recent[sequence % DECODER_RECENT] == crc) {
        s->stats.repeated++;
        return false;
    }
    if (!s->sequenced) {
        s->next = sequence;
        s->counted = sequence == 0;
        s->unsure = 0;
        begin_numbers(s, s->counted);
        s->serial[0] = s->serial[1] = 0;
    } else if (skipped) {
        note_gap(s, event, skipped);
        s->next += skipped;
    }
    if (s->sequenced && (back || s->broken))
        note_unsure(s, event);
    s->recent[sequence % DECODER_RECENT] = crc;
    s->sequenced = true;
    s->broken = false;
    s->next++;
    return true;
}

/*
 * SENT tells its own number without end, which binds the sequence before it.  Where the two contradict each other, or
 * it goes back, the number of missing frames is not known.
 */
static void note_sent(struct frame_decoder *s, struct stream_event *event)
{
    const uint64_t here = s->next - 1;
    struct wire_reader r = event->reader;
    struct wire_sent sent;

    if (!wire_read_head(&r, &sent))
        return;
    if ((uint16_t)sent.frames != event->reader.sequence || (s->counted && sent.frames < here)) {
        if (!s->unsure)
            note_unsure(s, event);
        return;
    }
    if (s->counted) {
        s->stats.unsure -= s->unsure;
        event->unsure = false;
        if (sent.frames > here)
            note_gap(s, event, sent.frames - here);
    }
    s->next = sent.frames + 1;
    s->counted = true;
    s->unsure = 0;
    for (unsigned kind = 0; kind < SENT_KINDS; kind++)
        note_number(s, kind, *sent_of_type(&sent, numbered[kind]), false);
}

/* Snapshots are numbered one by one: where some are missing and no frame is, the sequence came round. */
static void note_serial(struct frame_decoder *s, struct stream_event *event)
{
    const uint64_t losses = s->stats.missing + s->stats.unsure + decoder_damaged(&s->stats);
    struct wire_reader r = event->reader;
    union any_fields any;
    uint64_t epoch, serial;
    bool second;

    s->live |= r.type == WIRE_TEXT || r.type == WIRE_DELTA;
    if (!s->live || (r.type != WIRE_SNAPSHOT && r.type != WIRE_DELTA) || !wire_read_head(&r, &any))
        return;
    epoch = r.type == WIRE_DELTA ? any.delta.epoch : any.snapshot.epoch;
    serial = r.type == WIRE_DELTA ? any.delta.serial : any.snapshot.serial;
    second = epoch & WIRE_SECOND;
    if (s->serial[second] && serial > s->serial[second] + 1 && losses == s->losses[second])
        note_unsure(s, event);
    s->serial[second] = serial;
    s->losses[second] = losses;
}

void decoder_note_break(struct frame_decoder *s)
{
    s->broken = true;
}

/* Both sources of an epoch share one count of frames; after another boot, whose END did not come, they count from 0 again. */
static void note_epoch(struct frame_decoder *s, uint64_t epoch)
{
    epoch &= ~WIRE_SECOND;
    if (!epoch)
        return;
    if (s->epoch && s->epoch != epoch)
        s->sequenced = false;
    s->epoch = epoch;
}

/* The first field of all records but HELLO and those of commands. */
static void note_epoch_of(struct frame_decoder *s, const struct wire_reader *r)
{
    struct leb128_bytes fields = {r->at, r->end};
    uint64_t epoch;

    if (r->type != WIRE_HELLO && r->type != WIRE_COMMAND && r->type != WIRE_ANSWER && leb128_get(&fields, &epoch))
        note_epoch(s, epoch);
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
    note_epoch(s, hello.epoch);
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
    if (record)
        note_epoch_of(s, &event->reader);
    if (note_sequence(s, event) && record) {
        note_own_number(s, event->reader);
        note_serial(s, event);
        if (record->type == WIRE_SENT)
            note_sent(s, event);
    }
    s->stats.of_type[event->reader.type & 0xff]++;
    event->kind = record ? STREAM_RECORD : STREAM_UNKNOWN;
    s->ended = record && record->type == WIRE_END;
    s->state = s->ended ? STREAM_PREAMBLE : STREAM_FRAMES;
    if (s->ended) { /* the next frame is the first of another epoch: a higher number tells what was lost */
        s->next = s->unsure = s->epoch = 0;
        s->counted = true;
        begin_numbers(s, true);
        s->serial[0] = s->serial[1] = 0;
    }
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
    event->unsure = false;
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
    event->unsure = false;
    end_stretch(s, event);
}
