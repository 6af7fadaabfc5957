/* SPDX-License-Identifier: MIT */
/* Names of the wire format's records and fields, made from the lists in wire.h. */
#include "probe/stream/wire_fields.h"

/* Two arrays per record; the last element has no name, so that no array is empty. */
#define FIELD_N(name, what) {#name, what, false, false},
#define FIELD_T(name, what) {#name, what, true, false},
#define FIELD_B(name, what) {#name, what, true, true},
#define FIELDS(LIST)        {LIST(FIELD_N, FIELD_T, FIELD_B){NULL, NULL, false, false}}
#define DESCRIPTORS(NAME, name, id, what)                                         \
    static const struct wire_field head_##NAME[] = FIELDS(WIRE_HEAD_##NAME);      \
    static const struct wire_field row_##NAME[] = FIELDS(WIRE_ROW_##NAME);
WIRE_RECORDS(DESCRIPTORS)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define RECORD(NAME, name, id, what)                                                  \
    {#NAME, what, WIRE_##NAME, head_##NAME, row_##NAME, COUNT(head_##NAME) - 1,       \
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
