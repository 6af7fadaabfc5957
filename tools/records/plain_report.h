/* SPDX-License-Identifier: MIT */
/* Prints any record as a line of text or as JSON, by the names and roles of its fields. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "probe/stream/wire_fields.h"
#include "tools/base/report_object.h"
#include "tools/records/record_store.h"

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
