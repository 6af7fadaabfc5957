/* SPDX-License-Identifier: MIT */
/*
 * Makes JSON of values that may be missing, and of the structs that report_object.h declares, whose layout follows
 * from their members' kinds; prints an object as a line.
 */
#include "tools/base/report_object.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "probe/coding/crc32.h"
#include "tools/base/printable.h"

#define LATELY 64

json_t *json_finite(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *json_count(uint64_t n)
{
    return n <= INT64_MAX ? json_integer((json_int_t)n) : json_real((double)n);
}

json_t *json_reals(const double *x, size_t count)
{
    json_t *const list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_finite(x[i]));
    return list;
}

json_t *json_counts(const uint64_t *n, size_t count)
{
    json_t *const list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_count(n[i]));
    return list;
}

json_t *json_address(uint64_t a)
{
    return json_sprintf("0x%" PRIx64, a);
}

/*
 * The names of thousands of rows are a few: a string that was made lately is given again.  Nobody changes a string.
 * The last ones are kept until the program ends.
 */
json_t *json_text_or_null(const char *text)
{
    static json_t *lately[LATELY];
    json_t **at, *made;

    if (!text)
        return json_null();
    at = &lately[crc32_update(0, text, strlen(text)) % LATELY];
    if (!*at || strcmp(json_string_value(*at), text) != 0) {
        made = json_string(text);
        if (!made)
            return json_null();
        json_decref(*at);
        *at = made;
    }
    return json_incref(*at);
}

void json_print(json_t *object, size_t flags)
{
    json_dumpf(object, stdout, flags);
    putchar('\n');
    json_decref(object);
}

const struct report_kind_facts report_kinds[REPORT_KIND_COUNT] = {
#define FACTS(kind, c_type, type, absence) \
    [REPORT_##kind] = {sizeof(report_type_##kind), alignof(report_type_##kind), type, REPORT_##absence},
    REPORT_KINDS(FACTS)
#undef FACTS
};

/* NULL where it is not known and is left out then. */
static json_t *maybe(const struct report_maybe *m, enum report_kind kind)
{
    if (!m->known)
        return report_kinds[kind].absence == REPORT_OR_NULL ? json_null() : NULL;
    if (kind == REPORT_FLAG_OR_NULL)
        return json_boolean(m->value);
    return kind == REPORT_ADDRESS_OR_NULL ? json_address(m->value) : json_count(m->value);
}

static json_t *text_value(const char *text, enum report_kind kind)
{
    return text || report_kinds[kind].absence != REPORT_LEFT_OUT ? json_text_or_null(text) : NULL;
}

/* A value that was made before; NULL leaves it out. */
static json_t *made(const struct report_member *m, json_t *value)
{
    const enum report_absence absence = report_kinds[m->kind].absence;

    assert(value || absence != REPORT_ALWAYS);
    return !value && absence == REPORT_OR_NULL ? json_null() : value;
}

/* The value of a member, NULL: it is left out. */
static json_t *member_value(const struct report_member *m, const void *at)
{
    switch (m->kind) {
    case REPORT_COUNT: return json_count(*(const uint64_t *)at);
    case REPORT_COUNT_IF:
    case REPORT_COUNT_OR_NULL:
    case REPORT_FLAG_OR_NULL:
    case REPORT_ADDRESS_OR_NULL: return maybe(at, m->kind);
    case REPORT_INTEGER: return json_integer(*(const int64_t *)at);
    case REPORT_REAL: return json_finite(*(const double *)at);
    case REPORT_FLAG: return json_boolean(*(const bool *)at);
    case REPORT_ADDRESS: return json_address(*(const uint64_t *)at);
    case REPORT_TEXT:
    case REPORT_TEXT_IF:
    case REPORT_WORD:
    case REPORT_WORD_IF:
    case REPORT_WORD_OR_NULL: return text_value(*(const char *const *)at, m->kind);
    default: return made(m, *(json_t *const *)at);
    }
}

/* A member in its struct: `offset` is 0 for the first, and is moved to the end of this one. */
static const void *member_at(const struct report_member *m, const void *value, size_t *offset)
{
    const size_t align = report_kinds[m->kind].align, at = (*offset + align - 1) / align * align;

    *offset = at + report_kinds[m->kind].size;
    return (const char *)value + at;
}

const char *report_member_name(const struct report_member *m, char name[REPORT_NAME_SIZE])
{
    const size_t length = strlen(m->name);

    snprintf(name, REPORT_NAME_SIZE, "%.*s", (int)(length - (m->name[length - 1] == '_')), m->name);
    return name;
}

json_t *report_object_make(const struct report_object *object, const void *value)
{
    json_t *const to = object->tuple ? json_array() : json_object();
    char name[REPORT_NAME_SIZE];
    size_t offset = 0;

    if (object->schema)
        json_object_set_new(to, "schema", json_string(object->schema));
    for (size_t i = 0; i < object->members; i++) {
        const struct report_member *m = &object->member[i];
        json_t *const member = member_value(m, member_at(m, value, &offset));

        if (object->member[i].kind == REPORT_PART)
            json_object_update_new(to, member);
        else if (member && object->tuple)
            json_array_append_new(to, member);
        else if (member)
            json_object_set_new(to, report_member_name(m, name), member);
    }
    return to;
}

/*
 * Prints an object as a line while a stream is read, without making JSON of it first: a trace has millions of lines.
 */

static void put_text(const char *text, FILE *out)
{
    if (!text) {
        fputs("null", out);
        return;
    }
    putc('"', out);
    printable_escaped(out, text, strlen(text), "\"\\");
    putc('"', out);
}

static void put_value(const struct report_member *m, const void *at, FILE *out)
{
    assert(m->kind == REPORT_REAL || m->kind == REPORT_TEXT || m->kind == REPORT_WORD_IF);
    if (m->kind != REPORT_REAL)
        put_text(*(const char *const *)at, out);
    else if (isfinite(*(const double *)at))
        fprintf(out, "%.9f", *(const double *)at);
    else
        fputs("null", out);
}

void report_object_line(const struct report_object *object, const void *value, FILE *out)
{
    const char *before = "{\"";
    size_t offset = 0;

    for (size_t i = 0; i < object->members; i++) {
        const struct report_member *m = &object->member[i];
        const void *const at = member_at(m, value, &offset);

        if (m->kind == REPORT_WORD_IF && !*(const char *const *)at)
            continue;
        fputs(before, out);
        fputs(m->name, out);
        fputs("\":", out);
        before = ",\"";
        put_value(m, at, out);
    }
    fputs("}\n", out);
}
