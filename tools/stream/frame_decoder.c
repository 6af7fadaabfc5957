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

/* Read the rows behind a head once, as it was, so that their readers need no check for a cut record. */
static bool rows_add_up(const struct frame_decoder *s, struct wire_reader r)
{
    union wire_row row;

    while (wire_read_row(&r, &row))
        ;
    return wire_done(&r) || (!wire_record(r.type)->rows && s->minor > WIRE_MINOR);
}

/* ---- records with numbers of their own ---- */

#define UNKNOWN UINT64_MAX /* the last number of a kind: a reader came later, and learns it from the next one */

/* The epoch begins, with its first frame: its records are numbered from 1. */
static void begin_numbers(struct frame_decoder *s, bool first)
{
#define BEGIN(NAME, name, count) s->seen.count = first ? 0 : UNKNOWN;
    WIRE_NUMBERED(BEGIN)
}

/* There are so many of a kind: those between are lost. */
static void note_number(uint64_t *seen, uint64_t *lost, uint64_t number, bool itself)
{
    if (*seen != UNKNOWN && number > *seen)
        *lost += number - *seen - itself;
    if (*seen == UNKNOWN || number > *seen)
        *seen = number;
}

static void note_own_number(struct frame_decoder *s, enum wire_type type, const union wire_head *head)
{
    switch (type) {
#define OWN_NUMBER(NAME, name, count)                                                    \
    case WIRE_##NAME:                                                                    \
        if (head->name.number)                                                           \
            note_number(&s->seen.count, &s->stats.lost.count, head->name.number, true);  \
        break;
    WIRE_NUMBERED(OWN_NUMBER)
    default: break;
    }
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
static void note_sent(struct frame_decoder *s, struct stream_event *event, const struct wire_sent *sent)
{
    const uint64_t here = s->next - 1;

    if ((uint16_t)sent->frames != event->reader.sequence || (s->counted && sent->frames < here)) {
        if (!s->unsure)
            note_unsure(s, event);
        return;
    }
    if (s->counted) {
        s->stats.unsure -= s->unsure;
        event->unsure = false;
        if (sent->frames > here)
            note_gap(s, event, sent->frames - here);
    }
    s->next = sent->frames + 1;
    s->counted = true;
    s->unsure = 0;
#define ALL_SENT(NAME, name, count) note_number(&s->seen.count, &s->stats.lost.count, sent->count, false);
    WIRE_NUMBERED(ALL_SENT)
}

/* Snapshots are numbered one by one: where some are missing and no frame is, the sequence came round. */
static void note_serial(struct frame_decoder *s, struct stream_event *event, const union wire_head *head)
{
    const enum wire_type type = event->reader.type;
    const uint64_t losses = s->stats.missing + s->stats.unsure + decoder_damaged(&s->stats);
    const bool second = head->epoch & WIRE_SECOND;
    uint64_t serial;

    s->live |= type == WIRE_TEXT || type == WIRE_DELTA;
    if (!s->live || (type != WIRE_SNAPSHOT && type != WIRE_DELTA))
        return;
    serial = type == WIRE_DELTA ? head->delta.serial : head->snapshot.serial;
    if (s->serial[second] && serial > s->serial[second] + 1 && losses == s->losses[second])
        note_unsure(s, event);
    s->serial[second] = serial;
    s->losses[second] = losses;
}

void decoder_note_break(struct frame_decoder *s)
{
    s->broken = true;
}

void decoder_note_silence(struct frame_decoder *s, double seconds)
{
    if (seconds > DECODER_SILENCE)
        decoder_note_break(s);
}

/*
 * Both sources of an epoch share one count of frames; after another boot, whose END did not come,
 * they count from 0 again.
 */
static void note_epoch(struct frame_decoder *s, uint64_t epoch)
{
    epoch &= ~WIRE_SECOND;
    if (!epoch)
        return;
    if (s->epoch && s->epoch != epoch)
        s->sequenced = false;
    s->epoch = epoch;
}

/* The version in HELLO is checked before its other fields, of which only those before the cut are read. */
static bool note_hello(struct frame_decoder *s, struct stream_event *event, const struct wire_hello *hello,
                       bool whole)
{
    if (hello->major && hello->major != WIRE_MAJOR) {
        event->kind = STREAM_VERSION;
        event->major = hello->major;
        s->state = STREAM_REFUSED;
        return false;
    }
    if (!whole)
        return true;
    note_epoch(s, hello->epoch);
    s->minor = hello->minor;
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
    struct wire_reader rows = event->reader;
    union wire_head head;
    bool whole;

    head.hello.major = 0;
    whole = wire_read_head(&rows, &head);
    if (record && record->type == WIRE_HELLO && !note_hello(s, event, &head.hello, whole))
        return;
    if (record && (!whole || !rows_add_up(s, rows))) {
        report_damage(s, DAMAGE_FIELDS, event);
        return;
    }
    if (record)
        note_epoch(s, wire_head_epoch(record->type, &head));
    if (note_sequence(s, event) && record) {
        note_own_number(s, record->type, &head);
        note_serial(s, event, &head);
        if (record->type == WIRE_SENT)
            note_sent(s, event, &head.sent);
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
