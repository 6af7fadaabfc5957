/* SPDX-License-Identifier: MIT */
/*
 * Declares what the host tool uses of Jansson, for a build to WebAssembly, for which Debian has no Jansson.  The same
 * names with the same meaning (jansson(3)): what is dumped has the same bytes.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json json_t;
typedef long long json_int_t;
typedef int (*json_dump_callback_t)(const char *bytes, size_t length, void *data);

#define JSON_INDENT(n)         ((n) & 0x1f)
#define JSON_COMPACT           0x20
#define JSON_REAL_PRECISION(n) (((n) & 0x1f) << 11)

json_t *json_object(void);
json_t *json_array(void);
json_t *json_string(const char *text);
json_t *json_stringn(const char *text, size_t length);
json_t *json_sprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
json_t *json_integer(json_int_t n);
json_t *json_real(double x);
json_t *json_true(void);
json_t *json_false(void);
json_t *json_null(void);
#define json_boolean(value) ((value) ? json_true() : json_false())

/* Of the format the letters s, b, i, I, f, n, o, O, the braces, and the star of an item that may be NULL. */
json_t *json_pack(const char *format, ...);

json_t *json_incref(json_t *json);
void json_decref(json_t *json); /* NULL too */

bool json_is_array(const json_t *json);
bool json_is_boolean(const json_t *json);
bool json_is_integer(const json_t *json);
bool json_is_number(const json_t *json);
bool json_is_real(const json_t *json);
bool json_is_true(const json_t *json);
double json_number_value(const json_t *json);
double json_real_value(const json_t *json);
json_int_t json_integer_value(const json_t *json);
const char *json_string_value(const json_t *json);
size_t json_string_length(const json_t *json);

size_t json_array_size(const json_t *array);
json_t *json_array_get(const json_t *array, size_t index);
int json_array_append_new(json_t *array, json_t *value);
#define json_array_foreach(array, index, value) \
    for ((index) = 0; ((value) = json_array_get((array), (index))); (index)++)

size_t json_object_size(const json_t *object);
json_t *json_object_get(const json_t *object, const char *key);
int json_object_set(json_t *object, const char *key, json_t *value);
int json_object_set_new(json_t *object, const char *key, json_t *value);
int json_object_update_new(json_t *object, json_t *other);
int json_object_update_missing_new(json_t *object, json_t *other);
const char *json_object_key_at(const json_t *object, size_t index, json_t **value); /* NULL: no more */
#define json_object_foreach(object, key, value) \
    for (size_t json_at = 0; ((key) = json_object_key_at((object), json_at, &(value))); json_at++)

int json_dump_callback(const json_t *json, json_dump_callback_t put, void *data, size_t flags);
int json_dumpf(const json_t *json, FILE *out, size_t flags);
char *json_dumps(const json_t *json, size_t flags);
