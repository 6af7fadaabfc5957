/* SPDX-License-Identifier: MIT */
/*
 * What the records of probe/stream/wire.h and their fields are called, as data: for the document and for those who show a
 * stream.  An image that sends needs none of it and carries none.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "probe/stream/wire.h"

struct wire_field {
    const char *name, *what;
    bool text;  /* text or bytes; else a number */
    bool bytes; /* bytes that are not printable text */
};
/* Room for the head of any record; all but those of HELLO and of commands begin with the epoch. */
union wire_head {
    uint64_t epoch;
#define WIRE_MEMBER(NAME, name, id, what) struct wire_##name name;
    WIRE_RECORDS(WIRE_MEMBER)
#undef WIRE_MEMBER
};

/* Room for a row of any record. */
union wire_row {
#define WIRE_MEMBER(NAME, name, id, what) struct wire_##name##_row name;
    WIRE_RECORDS(WIRE_MEMBER)
#undef WIRE_MEMBER
};

/* The epoch that a head names; 0: the one in force, or none, as between a host and the image. */
static inline uint64_t wire_head_epoch(enum wire_type type, const union wire_head *head)
{
    switch (type) {
    case WIRE_HELLO: return head->hello.epoch;
    case WIRE_COMMAND: case WIRE_ANSWER: return 0;
    default: return head->epoch;
    }
}

struct wire_record {
    const char *name, *what;
    enum wire_type type;
    const struct wire_field *head, *row;
    unsigned heads, rows; /* numbers of fields */
};

/* Bytes of the field's member; the member of the next field follows directly. */
static inline size_t wire_member(const struct wire_field *field)
{
    return field->text ? sizeof(struct wire_text) : sizeof(uint64_t);
}

/* The record of a type, NULL if unknown; the record at a position of the list, NULL past its end.  Any context. */
const struct wire_record *wire_record(unsigned type);
const struct wire_record *wire_record_at(unsigned index);
