/* SPDX-License-Identifier: MIT */
/* Names of the wire format's records and fields, made from the lists in wire.h. */
#include "probe/stream/wire_fields.h"

/* Two arrays per record; the last element has no name, so that no array is empty. */
#define ROLE(what, role, ...) what, WIRE_ROLE_##role
#define FIELD(name, text, bytes, ...) {#name, __VA_ARGS__, text, bytes},
#define FIELD_N(name, ...) FIELD(name, false, false, ROLE(__VA_ARGS__, NONE, ))
#define FIELD_T(name, ...) FIELD(name, true, false, ROLE(__VA_ARGS__, NONE, ))
#define FIELD_B(name, ...) FIELD(name, true, true, ROLE(__VA_ARGS__, NONE, ))
#define FIELDS(LIST)        {LIST(FIELD_N, FIELD_T, FIELD_B){NULL, NULL, WIRE_ROLE_NONE, false, false}}
#define DESCRIPTORS(NAME, name, id, keep, what)                                         \
    static const struct wire_field head_##NAME[] = FIELDS(WIRE_HEAD_##NAME);      \
    static const struct wire_field row_##NAME[] = FIELDS(WIRE_ROW_##NAME);
WIRE_RECORDS(DESCRIPTORS)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define KEEP_READ      WIRE_KEEP_READ
#define KEEP_TALK      WIRE_KEEP_TALK
#define KEEP_SUMMED(f) WIRE_KEEP_SUMMED
#define KEEP_OWN(f)    WIRE_KEEP_OWN
#define KEEP_ALL       WIRE_KEEP_ALL
#define KEEP_KEYS      WIRE_KEEP_KEYS
#define KEEP_LAST      WIRE_KEEP_LAST
#define KEEP_REPORTED(how, members) WIRE_KEEP_##how
#define REPORT_READ        false, 0
#define REPORT_TALK        false, 0
#define REPORT_SUMMED(f)   true, 0
#define REPORT_OWN(f)      true, 0
#define REPORT_ALL         false, 0
#define REPORT_KEYS        false, 0
#define REPORT_LAST        false, 0
#define REPORT_REPORTED(how, members) true, members
#define RECORD(NAME, name, id, keep, what)                                            \
    {#NAME, what, WIRE_##NAME, KEEP_##keep, REPORT_##keep, head_##NAME, row_##NAME, COUNT(head_##NAME) - 1,       \
     COUNT(row_##NAME) - 1},

/* Ids count from 1 in the order of the list: wire.c. */
static const struct wire_record records[] = {WIRE_RECORDS(RECORD)};

const struct wire_record *wire_record_at(unsigned index)
{
    return index < COUNT(records) ? &records[index] : NULL;
}

const struct wire_record *wire_record(unsigned type)
{
    return wire_record_at(type - 1);
}
