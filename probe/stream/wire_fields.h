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
