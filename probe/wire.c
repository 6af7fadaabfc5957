/* SPDX-License-Identifier: MIT */
/*
 * Encoder and decoder of the wire format: one pair for all records, driven by
 * the field descriptors that the lists of wire.h yield (docs/PROTOCOL.md).
 */
#include "probe/wire.h"

#include "probe/cobs.h"
#include "probe/crc32.h"
#include "probe/memory.h"

#define HEADER  3 /* type, sequence low, sequence high */
#define TRAILER 4 /* CRC-32 */

/*
 * The descriptors, one array for each list.  OWNER is the struct whose members
 * the list names; the last element, without a name, keeps an empty list legal.
 */
#define FIELD_N(name, what) {#name, what, false, false, offsetof(struct OWNER, name)},
#define FIELD_T(name, what) {#name, what, true, false, offsetof(struct OWNER, name)},
#define FIELD_B(name, what) {#name, what, true, true, offsetof(struct OWNER, name)},
#define FIELDS(LIST)        {LIST(FIELD_N, FIELD_T, FIELD_B){NULL, NULL, false, false, 0}}

#define OWNER wire_hello
static const struct wire_field head_HELLO[] = FIELDS(WIRE_HEAD_HELLO);
static const struct wire_field row_HELLO[] = FIELDS(WIRE_ROW_HELLO);
#undef OWNER
#define OWNER wire_names
static const struct wire_field head_NAMES[] = FIELDS(WIRE_HEAD_NAMES);
#undef OWNER
#define OWNER wire_names_row
static const struct wire_field row_NAMES[] = FIELDS(WIRE_ROW_NAMES);
#undef OWNER
#define OWNER wire_snapshot
static const struct wire_field head_SNAPSHOT[] = FIELDS(WIRE_HEAD_SNAPSHOT);
static const struct wire_field row_SNAPSHOT[] = FIELDS(WIRE_ROW_SNAPSHOT);
#undef OWNER
#define OWNER wire_cells
static const struct wire_field head_CELLS[] = FIELDS(WIRE_HEAD_CELLS);
#undef OWNER
#define OWNER wire_cells_row
static const struct wire_field row_CELLS[] = FIELDS(WIRE_ROW_CELLS);
#undef OWNER
#define OWNER wire_exact
static const struct wire_field head_EXACT[] = FIELDS(WIRE_HEAD_EXACT);
#undef OWNER
#define OWNER wire_exact_row
static const struct wire_field row_EXACT[] = FIELDS(WIRE_ROW_EXACT);
#undef OWNER
#define OWNER wire_text_record
static const struct wire_field head_TEXT[] = FIELDS(WIRE_HEAD_TEXT);
static const struct wire_field row_TEXT[] = FIELDS(WIRE_ROW_TEXT);
#undef OWNER
#define OWNER wire_fault
static const struct wire_field head_FAULT[] = FIELDS(WIRE_HEAD_FAULT);
static const struct wire_field row_FAULT[] = FIELDS(WIRE_ROW_FAULT);
#undef OWNER
#define OWNER wire_report
static const struct wire_field head_REPORT[] = FIELDS(WIRE_HEAD_REPORT);
static const struct wire_field row_REPORT[] = FIELDS(WIRE_ROW_REPORT);
#undef OWNER
#define OWNER wire_end
static const struct wire_field head_END[] = FIELDS(WIRE_HEAD_END);
static const struct wire_field row_END[] = FIELDS(WIRE_ROW_END);
#undef OWNER
#define OWNER wire_programs
static const struct wire_field head_PROGRAMS[] = FIELDS(WIRE_HEAD_PROGRAMS);
#undef OWNER
#define OWNER wire_programs_row
static const struct wire_field row_PROGRAMS[] = FIELDS(WIRE_ROW_PROGRAMS);
#undef OWNER
#define OWNER wire_region
static const struct wire_field head_REGION[] = FIELDS(WIRE_HEAD_REGION);
#undef OWNER
#define OWNER wire_region_row
static const struct wire_field row_REGION[] = FIELDS(WIRE_ROW_REGION);
#undef OWNER
#define OWNER wire_samples
static const struct wire_field head_SAMPLES[] = FIELDS(WIRE_HEAD_SAMPLES);
static const struct wire_field row_SAMPLES[] = FIELDS(WIRE_ROW_SAMPLES);
#undef OWNER
#define OWNER wire_places
static const struct wire_field head_PLACES[] = FIELDS(WIRE_HEAD_PLACES);
#undef OWNER
#define OWNER wire_places_row
static const struct wire_field row_PLACES[] = FIELDS(WIRE_ROW_PLACES);
#undef OWNER
#define OWNER wire_lateness
static const struct wire_field head_LATENESS[] = FIELDS(WIRE_HEAD_LATENESS);
#undef OWNER
#define OWNER wire_lateness_row
static const struct wire_field row_LATENESS[] = FIELDS(WIRE_ROW_LATENESS);
#undef OWNER
#define OWNER wire_health
static const struct wire_field head_HEALTH[] = FIELDS(WIRE_HEAD_HEALTH);
#undef OWNER
#define OWNER wire_health_row
static const struct wire_field row_HEALTH[] = FIELDS(WIRE_ROW_HEALTH);
#undef OWNER
#define OWNER wire_transitions
static const struct wire_field head_TRANSITIONS[] = FIELDS(WIRE_HEAD_TRANSITIONS);
#undef OWNER
#define OWNER wire_transitions_row
static const struct wire_field row_TRANSITIONS[] = FIELDS(WIRE_ROW_TRANSITIONS);
#undef OWNER
#define OWNER wire_logged
static const struct wire_field head_LOGGED[] = FIELDS(WIRE_HEAD_LOGGED);
#undef OWNER
#define OWNER wire_logged_row
static const struct wire_field row_LOGGED[] = FIELDS(WIRE_ROW_LOGGED);
#undef OWNER
#define OWNER wire_command
static const struct wire_field head_COMMAND[] = FIELDS(WIRE_HEAD_COMMAND);
static const struct wire_field row_COMMAND[] = FIELDS(WIRE_ROW_COMMAND);
#undef OWNER
#define OWNER wire_answer
static const struct wire_field head_ANSWER[] = FIELDS(WIRE_HEAD_ANSWER);
static const struct wire_field row_ANSWER[] = FIELDS(WIRE_ROW_ANSWER);
#undef OWNER
#define OWNER wire_received
static const struct wire_field head_RECEIVED[] = FIELDS(WIRE_HEAD_RECEIVED);
static const struct wire_field row_RECEIVED[] = FIELDS(WIRE_ROW_RECEIVED);
#undef OWNER

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define RECORD(NAME, id, what)                                                        \
    {#NAME, what, WIRE_##NAME, head_##NAME, row_##NAME, COUNT(head_##NAME) - 1,       \
     COUNT(row_##NAME) - 1},

static const struct wire_record records[] = {WIRE_RECORDS(RECORD)};

const struct wire_record *wire_record_at(unsigned index)
{
    return index < COUNT(records) ? &records[index] : NULL;
}

/* Ids count from 1 in the order of the list: a record is found without looking. */
#define AT(NAME, id, what) AT_##NAME,
enum { WIRE_RECORDS(AT) };
#define IN_ORDER(NAME, id, what) _Static_assert((id) == AT_##NAME + 1, "ids out of order");
WIRE_RECORDS(IN_ORDER)

const struct wire_record *wire_record(unsigned type)
{
    return type - 1 < COUNT(records) ? &records[type - 1] : NULL;
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

/* Write the members of `from` that the fields name; of NULL, zeros and empty texts. */
static void put_fields(struct wire_writer *w, const struct wire_field *field, unsigned fields,
                       const void *from)
{
    for (unsigned i = 0; i < fields; i++) {
        const void *member = from ? (const char *)from + field[i].offset : NULL;
        struct wire_text text = {NULL, 0};
        uint64_t number = 0;

        if (member && field[i].text)
            memcpy(&text, member, sizeof(text));
        else if (member)
            memcpy(&number, member, sizeof(number));
        put_number(w, field[i].text ? text.length : number);
        if (text.length)
            put_bytes(w, text.bytes, text.length);
    }
}

void wire_begin(struct wire_writer *w, enum wire_type type, const void *head)
{
    const struct wire_record *record = wire_record(type);

    w->full = !record;
    w->length = HEADER;
    w->bytes[0] = (uint8_t)type;
    if (record)
        put_fields(w, record->head, record->heads, head);
}

bool wire_row(struct wire_writer *w, enum wire_type type, const void *row)
{
    const struct wire_record *record = wire_record(type);
    size_t before = w->length;

    if (w->full || !record || !record->rows)
        return false;
    put_fields(w, record->row, record->rows, row);
    /* Only the row found no room: what stood before can still be sent. */
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

/* Members are stored as they are read: those before a cut are valid. */
static bool get_fields(struct wire_reader *r, const struct wire_field *field, unsigned fields,
                       void *into)
{
    for (unsigned i = 0; i < fields; i++) {
        char *member = (char *)into + field[i].offset;
        uint64_t number;
        struct wire_text text;

        if (!get_number(r, &number))
            return false;
        if (!field[i].text) {
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

bool wire_read_head(struct wire_reader *r, void *head)
{
    const struct wire_record *record = wire_record(r->type);

    return record && get_fields(r, record->head, record->heads, head);
}

bool wire_read_row(struct wire_reader *r, void *row)
{
    const struct wire_record *record = wire_record(r->type);
    const uint8_t *start = r->at;

    if (!record || !record->rows || wire_done(r))
        return false;
    if (get_fields(r, record->row, record->rows, row))
        return true;
    r->at = start; /* a row that is cut at a field's border must not look like the end */
    return false;
}

bool wire_done(const struct wire_reader *r)
{
    return r->at == r->end;
}
