/* SPDX-License-Identifier: MIT */
/*
 * Encoder and decoder of the wire format: one pair for all records, driven by the
 * field descriptors that are made from the lists in wire.h (docs/PROTOCOL.md).
 */
#include "probe/stream/wire.h"

#include "probe/coding/cobs.h"
#include "probe/coding/crc32.h"
#include "probe/schedule/memory.h"

#define HEADER  3 /* type, sequence low, sequence high */
#define TRAILER 4 /* CRC-32 */

/* What the fields are, two texts per record, a letter a field; what they are called is in wire_fields.c. */
#define NUMBER 'N'
#define KIND_N(name, ...) "N"
#define KIND_T(name, ...) "T" /* text or bytes */
#define KINDS(NAME, name, id, keep, what)                                                  \
    static const char head_##NAME[] = WIRE_HEAD_##NAME(KIND_N, KIND_T, KIND_T) "";   \
    static const char row_##NAME[] = WIRE_ROW_##NAME(KIND_N, KIND_T, KIND_T) "";
WIRE_RECORDS(KINDS)

/* Check that the structs have no padding, as member_bytes() assumes. */
#define BYTES_N(name, ...) +sizeof(uint64_t)
#define BYTES_T(name, ...) +sizeof(struct wire_text)
#define NO_GAP(NAME, name, id, keep, what)                                                                  \
    _Static_assert(sizeof(struct wire_##name) == 0 WIRE_HEAD_##NAME(BYTES_N, BYTES_T, BYTES_T) &&     \
                   sizeof(struct wire_##name##_row) == 0 WIRE_ROW_##NAME(BYTES_N, BYTES_T, BYTES_T),  \
                   "a struct of " #NAME " has a gap");
WIRE_RECORDS(NO_GAP)

static size_t member_bytes(char kind)
{
    return kind == NUMBER ? sizeof(uint64_t) : sizeof(struct wire_text);
}

struct layout {
    const char *head, *row; /* kinds of their fields */
    uint8_t heads, rows;    /* numbers of fields */
};

#define LAYOUT(NAME, name, id, keep, what) {head_##NAME, row_##NAME, sizeof(head_##NAME) - 1, sizeof(row_##NAME) - 1},
static const struct layout layouts[] = {WIRE_RECORDS(LAYOUT)};

/* Ids count from 1 in the order of the list, so that an id is an index and no search is needed. */
#define AT(NAME, name, id, keep, what) AT_##NAME,
enum { WIRE_RECORDS(AT) RECORDS };
#define IN_ORDER(NAME, name, id, keep, what) _Static_assert((id) == AT_##NAME + 1, "ids out of order");
WIRE_RECORDS(IN_ORDER)

/* NULL if the type is unknown. */
static const struct layout *layout_of(unsigned type)
{
    return type - 1 < RECORDS ? &layouts[type - 1] : NULL;
}

static void put_bytes(struct wire_writer *w, const void *bytes, size_t length)
{
    if (w->full || length > HEADER + WIRE_FIELDS_MAX - w->length) {
        w->full = true;
        return;
    }
    memcpy(w->bytes + w->length, bytes, length);
    w->length += length;
}

static void put_number(struct wire_writer *w, uint64_t n)
{
    uint8_t bytes[10];
    size_t length = 0;

    do {
        uint8_t low = n & 0x7f;
        n >>= 7;
        bytes[length++] = n ? low | 0x80 : low;
    } while (n);
    put_bytes(w, bytes, length);
}

/* Write the members of `from` that are of these kinds; zeros and empty texts if it is NULL. */
static void put_fields(struct wire_writer *w, const char *kind, unsigned fields, const void *from)
{
    const char *member = from;

    for (unsigned i = 0; i < fields; i++) {
        struct wire_text text = {NULL, 0};
        uint64_t number = 0;

        if (from && kind[i] != NUMBER)
            memcpy(&text, member, sizeof(text));
        else if (from)
            memcpy(&number, member, sizeof(number));
        if (from)
            member += member_bytes(kind[i]);
        put_number(w, kind[i] != NUMBER ? text.length : number);
        if (text.length)
            put_bytes(w, text.bytes, text.length);
    }
}

void wire_begin(struct wire_writer *w, enum wire_type type, const void *head)
{
    const struct layout *record = layout_of(type);

    w->full = !record;
    w->length = HEADER;
    w->bytes[0] = (uint8_t)type;
    if (record)
        put_fields(w, record->head, record->heads, head);
}

bool wire_row(struct wire_writer *w, enum wire_type type, const void *row)
{
    const struct layout *record = layout_of(type);
    size_t before = w->length;

    if (w->full || !record || !record->rows)
        return false;
    put_fields(w, record->row, record->rows, row);
    /* Only this row had no room: the frame without it can still be sent. */
    if (w->full || w->length > HEADER + WIRE_ROWS_MAX) {
        w->full = false;
        w->length = before;
        return false;
    }
    return true;
}

size_t wire_end(struct wire_writer *w, uint16_t sequence, uint8_t *out)
{
    uint32_t crc;
    size_t length;

    if (w->full)
        return 0;
    w->bytes[1] = (uint8_t)sequence;
    w->bytes[2] = (uint8_t)(sequence >> 8);
    crc = crc32_update(0, w->bytes, w->length);
    for (unsigned i = 0; i < TRAILER; i++)
        w->bytes[w->length + i] = (uint8_t)(crc >> 8 * i);
    out[0] = 0;
    length = cobs_encode(out + 1, w->bytes, w->length + TRAILER);
    out[1 + length] = 0;
    return length + 2;
}

enum wire_verdict wire_open(struct wire_reader *r, uint8_t *bytes, size_t length)
{
    ptrdiff_t decoded = cobs_decode(bytes, bytes, length);
    uint32_t crc = 0;

    if (decoded < 0)
        return WIRE_STUFFING;
    if (decoded < HEADER + TRAILER)
        return WIRE_SHORT;
    r->at = bytes + HEADER;
    r->end = bytes + decoded - TRAILER;
    for (unsigned i = 0; i < TRAILER; i++)
        crc |= (uint32_t)r->end[i] << 8 * i;
    if (crc != crc32_update(0, bytes, (size_t)decoded - TRAILER))
        return WIRE_CHECKSUM;
    r->type = (enum wire_type)bytes[0];
    r->sequence = (uint16_t)(bytes[1] | bytes[2] << 8);
    return WIRE_INTACT;
}

static bool get_long(struct wire_reader *r, uint64_t *n)
{
    const uint8_t *at = r->at;
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64 && at < r->end; shift += 7) {
        const uint8_t byte = *at++;

        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80)
            continue;
        r->at = at;
        *n = value;
        return shift < 63 || byte <= 1;
    }
    return false;
}

/* Most numbers have one byte or two. */
static inline bool get_number(struct wire_reader *r, uint64_t *n)
{
    const uint8_t *const at = r->at;

    if (r->end - at < 2 || at[0] & at[1] & 0x80)
        return get_long(r, n);
    r->at += 1 + (at[0] >> 7);
    *n = at[0] & 0x80 ? (at[0] & 0x7f) | (uint64_t)at[1] << 7 : at[0];
    return true;
}

/* Members are stored as they are read: in a cut frame, those before the cut are valid. */
static bool get_fields(struct wire_reader *r, const char *kind, unsigned fields, void *into)
{
    char *member = into;

    for (unsigned i = 0; i < fields; member += member_bytes(kind[i++])) {
        uint64_t number;
        struct wire_text text;

        if (!get_number(r, &number))
            return false;
        if (kind[i] == NUMBER) {
            memcpy(member, &number, sizeof(number));
            continue;
        }
        if (number > (size_t)(r->end - r->at))
            return false;
        text.bytes = (const char *)r->at;
        text.length = (size_t)number;
        r->at += text.length;
        memcpy(member, &text, sizeof(text));
    }
    return true;
}

/*
 * Minor 1 added `version`, minor 6 what a tick costs, minor 8 `unit`: what an older sender does not tell is empty,
 * or 0.
 */
#define HELLO_COSTS 5u /* fields, before the last one */
static bool get_hello(struct wire_reader *r, struct wire_hello *hello)
{
    const char *const version = head_HELLO + sizeof(head_HELLO) - 1 - 1 - HELLO_COSTS - 1;

    hello->version = (struct wire_text){NULL, 0};
    memset(&hello->port_read, 0, HELLO_COSTS * sizeof(hello->port_read));
    hello->unit = 0;
    return get_fields(r, head_HELLO, (unsigned)(version - head_HELLO), hello) &&
           (hello->minor < 1 || get_fields(r, version, 1, &hello->version)) &&
           (hello->minor < 6 || get_fields(r, version + 1, HELLO_COSTS, &hello->port_read)) &&
           (hello->minor < 8 || get_fields(r, version + 1 + HELLO_COSTS, 1, &hello->unit));
}

/* How many numbers minor 8 added behind the other fields of a record. */
static unsigned added_numbers(enum wire_type type)
{
    switch (type) {
    case WIRE_SNAPSHOT: return 6;
    case WIRE_PACKED_SAMPLES: return 5;
#define NUMBERED(NAME, name, count) case WIRE_##NAME: return 1;
    WIRE_NUMBERED(NUMBERED)
    default: return 0;
    }
}

/* An older sender's frame ends before them, and they are 0. */
static bool get_head(struct wire_reader *r, const struct layout *record, unsigned added, void *head)
{
    const unsigned before = record->heads - added;
    char *member = head;

    for (unsigned i = 0; i < before; i++)
        member += member_bytes(record->head[i]);
    memset(member, 0, added * sizeof(uint64_t));
    return get_fields(r, record->head, before, head) &&
           ((added && wire_done(r)) || get_fields(r, record->head + before, added, member));
}

bool wire_read_head(struct wire_reader *r, void *head)
{
    const struct layout *record = layout_of(r->type);

    if (r->type == WIRE_HELLO)
        return get_hello(r, head);
    return record && get_head(r, record, added_numbers(r->type), head);
}

bool wire_read_row(struct wire_reader *r, void *row)
{
    const struct layout *record = layout_of(r->type);
    const uint8_t *start = r->at;

    if (!record || !record->rows || wire_done(r))
        return false;
    if (get_fields(r, record->row, record->rows, row))
        return true;
    r->at = start; /* a row cut between two fields must not look like the end of the frame */
    return false;
}

bool wire_done(const struct wire_reader *r)
{
    return r->at == r->end;
}
