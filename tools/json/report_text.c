/* SPDX-License-Identifier: MIT */
/* Reads a template from left to right; a part in brackets is read again for each item. */
#include "tools/json/report_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analysis/execution_time.h"
#include "tools/base/json_value.h"
#include "tools/base/report_object.h"

/* What the members of a template are of. */
struct place {
    json_t *of;
    const char *key; /* its name in the map of which it is an item */
    bool first;      /* of the items */
    FILE *out;
};

struct value {
    json_t *json;  /* NULL: it was computed, or there is no such member */
    double number; /* NaN: not known, or no number */
};

/* ---- values ---- */

static struct value member(json_t *of, const char *path, size_t length)
{
    char name[REPORT_NAME_SIZE];

    for (size_t part; length; path += part, length -= part) {
        for (part = 0; part < length && path[part] != '.';)
            part++;
        snprintf(name, sizeof(name), "%.*s", (int)part, path);
        if (part)
            of = json_is_array(of) ? json_array_get(of, strtoul(name, NULL, 10)) : json_object_get(of, name);
        part += part < length;
    }
    return (struct value){of, json_is_number(of) ? json_number_value(of) : NAN};
}

static struct value operand(const struct place *p, const char **at)
{
    const char *const begin = *at;
    char *end;

    if (isdigit((unsigned char)*begin)) {
        const double number = strtod(begin, &end);

        *at = end;
        return (struct value){NULL, number};
    }
    while (isalnum((unsigned char)**at) || **at == '_' || **at == '.')
        ++*at;
    return member(p->of, begin, (size_t)(*at - begin));
}

static double computed(double a, char sign, double b)
{
    switch (sign) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    default: return b != 0.0 ? a / b : 0.0;
    }
}

static struct value value_of(const struct place *p, const char **at)
{
    struct value v = operand(p, at);

    while (**at && strchr("+-*/", **at)) {
        const char sign = *(*at)++;

        v = (struct value){NULL, computed(v.number, sign, operand(p, at).number)};
    }
    return v;
}

static bool is_there(const struct value *v)
{
    if (json_is_integer(v->json) || !v->json)
        return v->number > 0.0;
    if (json_is_string(v->json))
        return json_string_length(v->json);
    return json_is_real(v->json) || json_is_true(v->json) || json_array_size(v->json) || json_object_size(v->json);
}

/* ---- {VALUE} ---- */

static void put_formatted(const struct value *v, const char *format, const char *absent, FILE *out)
{
    const bool sign = *format == '+';
    char *at;
    const int width = (int)strtol(format + sign, &at, 10), precision = *at == '.' ? (int)strtol(at + 1, &at, 10) : -1;

    if (json_is_string(v->json))
        fprintf(out, "%*s", width, json_string_value(v->json));
    else if (isnan(v->number))
        fprintf(out, "%*.*s", width, (int)strcspn(absent, "}"), absent);
    else if (*at == 't')
        duration_print(v->number, out);
    else if (*at == 'f')
        fprintf(out, sign ? "%+*.*f" : "%*.*f", width, precision, v->number);
    else if (*at == 'g')
        fprintf(out, "%*.*g", width, precision, v->number);
    else if (json_is_integer(v->json))
        fprintf(out, "%*" PRId64, width, (int64_t)json_integer_value(v->json));
    else
        fprintf(out, "%*.0f", width, v->number);
}

static const char *put_value(const struct place *p, const char *at)
{
    const char *const end = strchr(at, '}') + 1;

    if (*at == '#') {
        fputs(p->key, p->out);
    } else if (*at == ',') {
        fputs(p->first ? "" : ",", p->out);
    } else {
        const struct value v = value_of(p, &at);
        const char *const format = *at == '|' ? at + 1 : at, *const bar = strchr(format, '|');

        put_formatted(&v, format, bar && bar < end ? bar + 1 : "-", p->out);
    }
    return end;
}

/* ---- [VALUE?TEXT] ---- */

static void put(const struct place *p, const char *at, const char *end);

static const char *end_of_part(const char *at)
{
    for (unsigned deep = 0; *at != ']' || deep; at++)
        deep = deep + (*at == '[') - (*at == ']');
    return at;
}

static void put_each(const struct place *p, json_t *items, const char *text, const char *end)
{
    struct place item = {.first = true, .out = p->out};
    size_t i;

    json_array_foreach(items, i, item.of) {
        put(&item, text, end);
        item.first = false;
    }
    json_object_foreach(items, item.key, item.of) {
        put(&item, text, end);
        item.first = false;
    }
}

static const char *put_part(const struct place *p, const char *at)
{
    const struct value v = value_of(p, &at);
    const size_t word = *at == '=' ? strcspn(at + 1, "?!") : 0;
    const char *const text = json_string_value(v.json), *const sign = word ? at + 1 + word : at, *const end = end_of_part(sign);
    const bool holds = word ? text && strlen(text) == word && !memcmp(text, at + 1, word) : is_there(&v);

    if (*sign == ':')
        put_each(p, v.json, sign + 1, end);
    else if (holds == (*sign == '?'))
        put(p, sign + 1, end);
    return end + 1;
}

static void put(const struct place *p, const char *at, const char *end)
{
    while (at < end) {
        const char *const plain = at;

        while (at < end && *at != '{' && *at != '[')
            at++;
        fwrite(plain, 1, (size_t)(at - plain), p->out);
        if (at < end)
            at = *at == '{' ? put_value(p, at + 1) : put_part(p, at + 1);
    }
}

void report_text(json_t *report, const char *text, FILE *out)
{
    put(&(struct place){.of = report, .out = out}, text, text + strlen(text));
}

void report_print(json_t *report, const char *text, bool as_json, size_t flags)
{
    if (as_json) {
        json_print(report, flags);
        return;
    }
    report_text(report, text, stdout);
    json_decref(report);
}
