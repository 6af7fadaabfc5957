/* SPDX-License-Identifier: MIT */
/*
 * What the records of probe/stream/wire.h and their fields are called, as data: for the document and for those who
 * show a stream.  An image that sends needs none of it and carries none.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "probe/schedule/memory.h"
#include "probe/stream/wire.h"

/* As the lists of wire.h name them. */
enum wire_role {
    WIRE_ROLE_NONE, WIRE_ROLE_KEY, WIRE_ROLE_ID, WIRE_ROLE_SERIAL, WIRE_ROLE_TIME, WIRE_ROLE_SAME, WIRE_ROLE_SUM,
    WIRE_ROLE_MOST, WIRE_ROLE_LEAST, WIRE_ROLE_FLAG, WIRE_ROLE_SIGNED, WIRE_ROLE_ROWS, WIRE_ROLE_MOMENT,
    WIRE_ROLE_LINE, WIRE_ROLE_PART, WIRE_ROLE_KEY_ID,
};
enum wire_keep {
    WIRE_KEEP_READ, WIRE_KEEP_TALK, WIRE_KEEP_SUMMED, WIRE_KEEP_OWN, WIRE_KEEP_ALL, WIRE_KEEP_KEYS, WIRE_KEEP_LAST,
};

struct wire_field {
    const char *name, *what;
    enum wire_role role;
    bool text;  /* text or bytes; else a number */
    bool bytes; /* bytes that are not printable text */
};

/* Room for the head of any record; all but those of HELLO and of commands begin with the epoch. */
union wire_head {
    uint64_t epoch;
#define WIRE_MEMBER(NAME, name, id, keep, what) struct wire_##name name;
    WIRE_RECORDS(WIRE_MEMBER)
#undef WIRE_MEMBER
};

/* Room for a row of any record. */
union wire_row {
#define WIRE_MEMBER(NAME, name, id, keep, what) struct wire_##name##_row name;
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
    enum wire_keep keep;
    bool reported; /* the host has a report of its own for it, or a part of one, */
    unsigned members; /* with so many members of JSON of each key, or head */
    const struct wire_field *head, *row;
    unsigned heads, rows; /* numbers of fields */
};

/* Bytes of the field's member; the member of the next field follows directly. */
static inline size_t wire_member(const struct wire_field *field)
{
    return field->text ? sizeof(struct wire_text) : sizeof(uint64_t);
}

/* The member of a number, or of a text. */
static inline uint64_t wire_number_at(const void *member)
{
    return *(const uint64_t *)member;
}

static inline struct wire_text wire_text_at(const void *member)
{
    return *(const struct wire_text *)member;
}

static inline bool wire_same_text(struct wire_text a, struct wire_text b)
{
    return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

/* Whether the field is the same in both. */
static inline bool wire_same_member(const struct wire_field *field, const void *a, const void *b)
{
    return field->text ? wire_same_text(wire_text_at(a), wire_text_at(b)) : wire_number_at(a) == wire_number_at(b);
}

/* The record of a type, NULL if unknown; the record at a position of the list, NULL past its end.  Any context. */
const struct wire_record *wire_record(unsigned type);
const struct wire_record *wire_record_at(unsigned index);
