/* SPDX-License-Identifier: MIT */
/* Prints any record as a line of text or as JSON, by the names and roles of its fields. */
#pragma once

#include <jansson.h>
#include <stdio.h>

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

/* Every record that is kept by the roles of its fields: a line for each head with its rows. */
void plain_print(FILE *out, const struct record_stores *s);

/* A record with its members by name, and "rows" where such records have some. */
json_t *plain_record_json(const struct record_store *s, size_t head);

/* An array of these by the name of the record; NULL: none came. */
json_t *plain_json(const struct record_stores *s);
