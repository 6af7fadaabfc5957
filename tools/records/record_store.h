/* SPDX-License-Identifier: MIT */
/*
 * Keeps records by the roles of their fields (probe/stream/wire.h), for which no code is written: those that are
 * kept ALL, by KEYS, or the LAST; of heads with a key those of each.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stream/wire_fields.h"
#include "tools/base/hash_index.h"
#include "tools/records/violations.h"

/* Of one head, of a record with a report of its own; and stores of one record: no image has more tasks. */
#define RECORD_ROWS 4096
#define RECORD_KEYS 255 /* of rows by KEYS, of each key of the heads: a program may write others again and again */

/* Structs of wire.h one behind the other; texts are copies, printable, ended by a zero, and bytes as they came. */
struct record_list {
    const struct wire_field *field;
    unsigned fields;
    bool keyed; /* a field is a key */
    char *bytes;
    size_t count, size; /* of one, bytes */
    size_t texts;       /* bytes of all texts */
    struct index last;  /* by key: the last with it */
};

struct record_store {
    const struct wire_record *record;
    struct record_list head, row;
    size_t *first; /* of each head: its first row; those of KEYS belong to the last head */
    uint64_t missing; /* frames of the last head that did not arrive, by its PART */
    uint64_t left_out; /* rows of more than RECORD_KEYS keys */
    size_t stores; /* of its record, in the first of these */
};

/* Bytes that all take, and that a report of them does, which has all of them as JSON at once: estimates. */
struct record_bytes {
    uint64_t kept, json;
};

struct record_stores {
    struct record_store *of; /* one for each type that came, and each key of its heads, in the order of arrival */
    size_t count;
    struct index place; /* by type, the first one, and by type and key */
    struct record_bytes bytes;
};

/* A record that came; `full`: nothing is to grow, only what has a new state to be replaced. */
struct record_frame {
    const struct wire_record *record;
    const void *head;
    bool full;
};

/* Keep it.  A violation is noted where a field contradicts its role or a rule, and that head or row is left out. */
void record_stores_add(struct record_stores *s, const struct record_frame *f, struct wire_reader *rows,
                       struct violations **v);

/* The store of a record, the first if its heads have keys; one without anything where none came. */
const struct record_store *record_store_of(const struct record_stores *s, enum wire_type type);

/* The store of the type after this one, NULL: the first one; NULL: there is none. */
const struct record_store *record_store_next(const struct record_stores *s, enum wire_type type,
                                             const struct record_store *last);

/* A head, and a row, by its index; NULL: there is none at all. */
static inline const void *record_head(const struct record_store *s, size_t i)
{
    return s->head.count ? s->head.bytes + i * s->head.size : NULL;
}

/* The index after the last row of a head. */
static inline size_t record_rows_end(const struct record_store *s, size_t head)
{
    return head + 1 < s->head.count ? s->first[head + 1] : s->row.count;
}

static inline const void *record_row(const struct record_store *s, size_t i)
{
    return s->row.count ? s->row.bytes + i * s->row.size : NULL;
}

/* The index of the head of a row, and the moment that this head tells: its field of role TIME. */
size_t record_head_of(const struct record_store *s, size_t row);
uint64_t record_time_of(const struct record_store *s, size_t row);

/* The row id that a row, or the last head, is of: its field of role ID or KEY_ID; 0: it has none. */
uint32_t record_row_id(const struct record_store *s, size_t row);
uint32_t record_head_id(const struct record_store *s);

/* The first row of the last head that has rows. */
static inline size_t record_last_rows(const struct record_store *s)
{
    return s->row.count ? s->first[record_head_of(s, s->row.count - 1)] : 0;
}

/* The last row of a key that is a number; NULL: there is none. */
static inline const void *record_row_of(const struct record_store *s, uint64_t key)
{
    const size_t at = index_find(&s->row.last, key);

    return at != INDEX_NONE ? record_row(s, at) : NULL;
}

/* The last head; NULL: there is none. */
static inline const void *record_last(const struct record_store *s)
{
    return record_head(s, s->head.count - 1);
}

void record_stores_free(struct record_stores *s);
