/* SPDX-License-Identifier: MIT */
/*
 * Keeps and checks records by the roles of their fields (probe/stream/wire.h), for which no code is written: those
 * that are kept ALL, by KEYS, or the LAST; of heads with a key those of each.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "probe/stream/wire_fields.h"
#include "tools/base/hash_index.h"
#include "tools/base/report_object.h"
#include "tools/records/transitions.h"

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
    size_t kept, json;
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

/* Holds a head or row against the roles that wire.h gives its fields, and against the rules of its record. */

/* Whether they can be, alone. */
bool roles_allow(const struct wire_field *field, unsigned fields, const void *now);

/* Whether they can follow those before, of the same key: no sum or time goes back, what is constant stays. */
bool roles_follow(const struct wire_field *field, unsigned fields, const void *now, const void *before);

static inline bool head_follows(enum wire_type type, const void *now, const void *before)
{
    return roles_follow(wire_record(type)->head, wire_record(type)->heads, now, before);
}

/* What is checked: a row, NULL: the head alone, with its head. */
struct record_view {
    const void *head, *row;
};

/* Whether the rules of wire.h allow it, alone; and after what was before it, of the same key. */
bool rules_allow(enum wire_type type, struct record_view now);
bool rules_follow(enum wire_type type, struct record_view now, struct record_view before);

/* Prints any record as a line of text or as JSON, by the names and roles of its fields. */

/* Print fields as " name=value"; `other`, unless NULL, may print a value in its own way, and says whether it did. */
struct plain_line {
    FILE *out;
    bool (*other)(void *context, const struct wire_record *record, const struct wire_field *field,
                  const void *member);
    void *context;
};
void plain_put_head(const struct plain_line *l, const struct wire_record *record, const void *head);

/* The same in braces. */
void plain_put_row(const struct plain_line *l, const struct wire_record *record, const void *row);

/* Whether there is a record without a report of its own: those alone are printed here. */
bool plain_any(const struct record_stores *s);

/* Every record that is kept by the roles of its fields: a line for each head with its rows. */
void plain_print(FILE *out, const struct record_stores *s);

/*
 * Declare an object of JSON whose members are fields of a record, of a list of wire.h: their names, sentences and
 * kinds are told there.  `linkage`: static, or nothing.  plain_fields_json() makes it of a head or row: the members
 * are the fields from the one of this name on, NULL: all of them.
 */
#define REPORT_RECORD(name, LIST, linkage)                                                                           \
    static const struct report_member name##_member[] = {LIST(REPORT_RECORD_N, REPORT_RECORD_T, REPORT_RECORD_T)}; \
    linkage const struct report_object name##_object = {REPORT_ROWS(name)};
#define REPORT_RECORD_N(name, ...)               REPORT_RECORD_NUMBER(name, __VA_ARGS__, NONE, )
#define REPORT_RECORD_NUMBER(name, what, role, ...) {#name, what, REPORT_RECORD_KIND(WIRE_ROLE_##role), NULL, NULL},
#define REPORT_RECORD_T(name, what, ...)         {#name, what, REPORT_TEXT, NULL, NULL},
#define REPORT_RECORD_KIND(role) \
    ((role) == WIRE_ROLE_FLAG ? REPORT_FLAG : (role) == WIRE_ROLE_SIGNED ? REPORT_INTEGER : REPORT_COUNT)
json_t *plain_fields_json(const struct wire_field *field, unsigned fields, const void *of, const char *first);

/* The same of a row of this record. */
static inline json_t *plain_row_json(enum wire_type type, const void *row, const char *first)
{
    return plain_fields_json(wire_record(type)->row, wire_record(type)->rows, row, first);
}

/* A record with its members by name, and "rows" where such records have some. */
json_t *plain_record_json(const struct record_store *s, size_t head);

/* An array of these by the name of the record; NULL: none came. */
json_t *plain_json(const struct record_stores *s);
