/* SPDX-License-Identifier: MIT */
/*
 * Declares the objects of JSON reports: each member once, with its kind and a sentence.  The struct that a report
 * fills, the JSON, its schema and docs/JSON.md are made of that.  Host; memory is of alloc.h, which does not fail.
 *
 * The members of an object are a list:
 *
 *     #define VECTOR_MEMBERS(M, O)                                    \
 *         M(COUNT, vector, "number of the vector")                    \
 *         M(TEXT, name, "what interrupts there")                      \
 *         O(LIST, devices, device, "of the vector, by their numbers")
 *     REPORT_OBJECT(vector, VECTOR_MEMBERS)
 *
 * M is a plain member; O one with a second declaration: the object of an OBJECT, LIST, MAP or PART, words of a WORD.
 * REPORT_MAKE(vector, .vector = 8, .name = "RTC", .devices = list) makes the object; what is not given is 0 or NULL.
 * A name that is a word of C has a _ at its end, which the JSON does not have: short_.
 * Two objects with common members have these in a list of their own, which both lists begin with; or as an object of
 * their own, which is a PART of both.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * What the JSON of every report has: numbers and texts that may be missing,
 * and its way to standard output (docs/JSON.md).
 */

/* Of memory that a member of an object takes: an estimate. */
#define JSON_MEMBER_BYTES 128

/* null where it is not finite. */
json_t *json_finite(double x);

/* JSON libraries have no integers above 2^63: such a number becomes a real and loses low digits. */
json_t *json_count(uint64_t n);

/* A list of them. */
json_t *json_reals(const double *x, size_t count);
json_t *json_counts(const uint64_t *n, size_t count);

/* An address, as the text "0x..." (docs/JSON.md). */
json_t *json_address(uint64_t a);

/* null for NULL and for what is no UTF-8, for which json_pack() would give up its whole object. */
json_t *json_text_or_null(const char *text);

/* Print it as a line or, with JSON_INDENT(n), as lines, and release it.  cli_begin() sees to errors of output. */
void json_print(json_t *object, size_t flags);

struct report_object;

/* A number, or a flag, that may be missing. */
struct report_maybe {
    bool known;
    uint64_t value;
};
#define REPORT_KNOWN(n)         ((struct report_maybe){true, (n)})
#define REPORT_KNOWN_IF(has, n) ((has) ? REPORT_KNOWN(n) : (struct report_maybe){false, 0})

/* What stands for a value that is not known: none, for it is always known; null; the member is left out. */
enum report_absence { REPORT_ALWAYS, REPORT_OR_NULL, REPORT_LEFT_OUT };

/*
 * kind: KIND, its type in C, its type in JSON, what stands for a missing value: NULL, or a number that is not known.
 * The kinds of `json_t *` take what was made before, and release it.  Of a kind that is ALWAYS there NULL is a fault
 * of the caller.  TEXT is null too where it is not UTF-8, REAL where it is not finite.  PART: the members of that
 * object stand here, in the object itself.  ANY: an object of another declaration: the report of another command,
 * whose schema says what it is, or records by the names of their fields.
 */
#define REPORT_KINDS(K)                                        \
    K(COUNT, uint64_t, "integer", ALWAYS)                      \
    K(COUNT_OR_NULL, struct report_maybe, "integer", OR_NULL)  \
    K(COUNT_IF, struct report_maybe, "integer", LEFT_OUT)      \
    K(INTEGER, int64_t, "integer", ALWAYS)                     \
    K(REAL, double, "number", OR_NULL)                         \
    K(FLAG, bool, "boolean", ALWAYS)                           \
    K(FLAG_OR_NULL, struct report_maybe, "boolean", OR_NULL)   \
    K(ADDRESS, uint64_t, "string", ALWAYS)                     \
    K(ADDRESS_OR_NULL, struct report_maybe, "string", OR_NULL) \
    K(TEXT, const char *, "string", OR_NULL)                   \
    K(TEXT_IF, const char *, "string", LEFT_OUT)               \
    K(WORD, const char *, "string", ALWAYS)                    \
    K(WORD_OR_NULL, const char *, "string", OR_NULL)           \
    K(WORD_IF, const char *, "string", LEFT_OUT)               \
    K(OBJECT, json_t *, "object", ALWAYS)                      \
    K(OBJECT_OR_NULL, json_t *, "object", OR_NULL)             \
    K(OBJECT_IF, json_t *, "object", LEFT_OUT)                 \
    K(LIST, json_t *, "array", ALWAYS)                         \
    K(LIST_OR_NULL, json_t *, "array", OR_NULL)                \
    K(LIST_IF, json_t *, "array", LEFT_OUT)                    \
    K(MAP, json_t *, "object", ALWAYS)                         \
    K(MAP_OR_NULL, json_t *, "object", OR_NULL)                \
    K(COUNTS, json_t *, "array", ALWAYS)                       \
    K(COUNTS_IF, json_t *, "array", LEFT_OUT)                  \
    K(REALS, json_t *, "array", ALWAYS)                        \
    K(TEXTS, json_t *, "array", ALWAYS)                        \
    K(TEXTS_OR_NULL, json_t *, "array", OR_NULL)               \
    K(ADDRESSES, json_t *, "array", ALWAYS)                    \
    K(MAP_OF_COUNTS, json_t *, "object", ALWAYS)               \
    K(MAP_OF_REALS, json_t *, "object", ALWAYS)                \
    K(MAP_OF_FLAGS, json_t *, "object", ALWAYS)                \
    K(MAP_OF_FLAGS_OR_NULL, json_t *, "object", OR_NULL)       \
    K(PART, json_t *, "object", ALWAYS)                        \
    K(ANY, json_t *, "object", ALWAYS)                         \
    K(ANY_IF, json_t *, "object", LEFT_OUT)

enum report_kind {
#define REPORT_KIND(kind, type, name, absence) REPORT_##kind,
    REPORT_KINDS(REPORT_KIND)
#undef REPORT_KIND
    REPORT_KIND_COUNT
};

#define REPORT_KIND_TYPE(kind, type, name, absence) typedef type report_type_##kind;
REPORT_KINDS(REPORT_KIND_TYPE)
#undef REPORT_KIND_TYPE

extern const struct report_kind_facts {
    size_t size, align; /* of its type in C */
    const char *type;
    enum report_absence absence;
} report_kinds[REPORT_KIND_COUNT];

struct report_member {
    const char *name, *what;
    enum report_kind kind;
    const struct report_object *of; /* of OBJECT, LIST, MAP and PART */
    const char *const *words;       /* of WORD: its values; NULL ends them; no words: any */
};

struct report_object {
    const char *name;
    const char *schema; /* "cpuprobe-stat-1": the first member of a whole report; NULL: it has none */
    bool tuple;         /* printed as an array of its members */
    size_t members;
    const struct report_member *member; /* in the order of the struct, whose layout follows from their kinds */
    const struct report_object *const *either; /* not NULL: one of these, which NULL ends; it is not made itself */
};

#define REPORT_NAME_SIZE 48

/* Its name in the JSON. */
const char *report_member_name(const struct report_member *m, char name[REPORT_NAME_SIZE]);

/* Make an object of its struct; the values of its members are released with it. */
json_t *report_object_make(const struct report_object *object, const void *value);

/*
 * Print an object of REAL, TEXT and WORD_IF as a line.  Reals have nine decimals; texts are printable (printable.h),
 * but may have quotes and backslashes, which are escaped.
 */
void report_object_line(const struct report_object *object, const void *value, FILE *out);

/* The schema (JSON Schema 2020-12) of what a command prints: one of these objects, of which NULL ends the list. */
json_t *report_object_schema(const char *title, const struct report_object *const *of);

/* ---- what the declarations above are made of ---- */

#define REPORT_FIELD(kind, name, what)        report_type_##kind name;
#define REPORT_FIELD_OF(kind, name, of, what) report_type_##kind name;

#define REPORT_ROW(kind, name, what)           {#name, what, REPORT_##kind, NULL, NULL},
#define REPORT_ROW_OF(kind, name, to, what)    {#name, what, REPORT_##kind, REPORT_OF_##kind(to)},
#define REPORT_OBJECT_REFERENCE(to)            &to##_object, NULL
#define REPORT_WORDS_REFERENCE(to)             NULL, to
#define REPORT_OF_OBJECT                       REPORT_OBJECT_REFERENCE
#define REPORT_OF_OBJECT_OR_NULL               REPORT_OBJECT_REFERENCE
#define REPORT_OF_OBJECT_IF                    REPORT_OBJECT_REFERENCE
#define REPORT_OF_LIST                         REPORT_OBJECT_REFERENCE
#define REPORT_OF_LIST_OR_NULL                 REPORT_OBJECT_REFERENCE
#define REPORT_OF_LIST_IF                      REPORT_OBJECT_REFERENCE
#define REPORT_OF_MAP                          REPORT_OBJECT_REFERENCE
#define REPORT_OF_MAP_OR_NULL                  REPORT_OBJECT_REFERENCE
#define REPORT_OF_PART                         REPORT_OBJECT_REFERENCE
#define REPORT_OF_WORD                         REPORT_WORDS_REFERENCE
#define REPORT_OF_WORD_OR_NULL                 REPORT_WORDS_REFERENCE
#define REPORT_OF_WORD_IF                      REPORT_WORDS_REFERENCE

#define REPORT_TABLE(name, MEMBERS) \
    static const struct report_member name##_member[] = {MEMBERS(REPORT_ROW, REPORT_ROW_OF)};
#define REPORT_ROWS(id) .name = #id, .members = sizeof(id##_member) / sizeof(id##_member[0]), .member = id##_member
#define REPORT_DEFINE_AS(name, MEMBERS, linkage, ...) \
    REPORT_TABLE(name, MEMBERS)                       \
    linkage const struct report_object name##_object = {__VA_ARGS__ REPORT_ROWS(name)};

/* The struct of an object, struct NAME_value. */
#define REPORT_STRUCT(name, MEMBERS) struct name##_value { MEMBERS(REPORT_FIELD, REPORT_FIELD_OF) };

/* An object of several files: its declaration in a header, and its definition. */
#define REPORT_DECLARE(name, MEMBERS) REPORT_STRUCT(name, MEMBERS) extern const struct report_object name##_object;
#define REPORT_DEFINE(name, MEMBERS)  REPORT_DEFINE_AS(name, MEMBERS, , )

/*
 * An object of one file; the same printed as an array; the same for others to refer to; one of several objects, by
 * their addresses; a whole report with the name of its schema.  A command names what it prints (struct subcommand).
 */
#define REPORT_OBJECT(name, MEMBERS) REPORT_STRUCT(name, MEMBERS) REPORT_DEFINE_AS(name, MEMBERS, static, )
#define REPORT_TUPLE(name, MEMBERS)  REPORT_STRUCT(name, MEMBERS) \
                                     REPORT_DEFINE_AS(name, MEMBERS, static, .tuple = true, )
#define REPORT_SHARED(name, MEMBERS) REPORT_STRUCT(name, MEMBERS) REPORT_DEFINE(name, MEMBERS)
#define REPORT_EITHER(id, ...) \
    const struct report_object id##_object = {.name = #id, \
                                              .either = (const struct report_object *const[]){__VA_ARGS__, NULL}};
#define REPORT_WHOLE(name, text, MEMBERS) \
    REPORT_STRUCT(name, MEMBERS) REPORT_DEFINE_AS(name, MEMBERS, , .schema = (text), )

/* An object of these values; the same at the end of a list. */
#define REPORT_MAKE(name, ...)      report_object_make(&name##_object, &(struct name##_value){__VA_ARGS__})
#define REPORT_ADD(list, name, ...) json_array_append_new(list, REPORT_MAKE(name, __VA_ARGS__))
