/* SPDX-License-Identifier: MIT */
/* Reads a template from left to right; a part in brackets is read again for each item. */
#include "tools/json/report_json.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/text/text_buf.h"
#include "tools/analysis/execution_time.h"

/* What the members of a template are of. */
struct place {
    json_t *of;
    const struct place *around; /* NULL: it is the report */
    const char *key;            /* its name in the map of which it is an item */
    bool first;                 /* of the items */
    FILE *out;
};

struct value {
    json_t *json;     /* NULL: it was computed, or there is no such member */
    const char *text; /* NULL: it is none */
    double number;    /* NaN: not known, or no number; of a flag 0 or 1 */
};

/* ---- values ---- */

static json_t *part_of(json_t *of, const char *name)
{
    return json_is_array(of) ? json_array_get(of, strtoul(name, NULL, 10)) : json_object_get(of, name);
}

static struct value member(const struct place *p, const char *path, size_t length)
{
    char name[3 * REPORT_NAME_SIZE], *rest = name, *part;
    json_t *of = p->of;

    snprintf(name, sizeof(name), "%.*s", (int)length, path);
    while ((part = strsep(&rest, ".")))
        for (of = *part ? part_of(of, part) : of; !of && part == name && p->around; of = part_of(p->of, part))
            p = p->around;
    return (struct value){of, json_string_value(of), json_is_number(of) ? json_number_value(of) :
                          json_is_boolean(of) ? json_is_true(of) : NAN};
}

static struct value operand(const struct place *p, const char **at)
{
    const char *const begin = *at;
    char *end;

    if (isdigit((unsigned char)*begin)) {
        const double number = strtod(begin, &end);

        *at = end;
        return (struct value){.number = number};
    }
    if (*begin == '#') {
        ++*at;
        return (struct value){.text = p->key, .number = NAN};
    }
    while (isalnum((unsigned char)**at) || **at == '_' || **at == '.')
        ++*at;
    return member(p, begin, (size_t)(*at - begin));
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

        v = (struct value){.number = computed(v.number, sign, operand(p, at).number)};
    }
    return v;
}

static bool is_there(const struct value *v)
{
    if (v->text)
        return *v->text;
    return v->number > 0.0 || json_is_real(v->json) || json_array_size(v->json) || json_object_size(v->json);
}

/* ---- {VALUE} ---- */

static void put_formatted(const struct value *v, const char *format, const char *absent, FILE *out)
{
    const bool sign = *format == '+';
    char *at, digits[TIME_DIGITS];
    const int width = (int)strtol(format + sign, &at, 10), precision = *at == '.' ? (int)strtol(at + 1, &at, 10) : -1;

    if (v->text)
        fprintf(out, "%*.*s", width, precision, v->text);
    else if (isnan(v->number))
        fprintf(out, "%*.*s", width, (int)strcspn(absent, "}"), absent);
    else if (*at == 't')
        duration_print(v->number, out);
    else if (*at == 'u')
        fprintf(out, "%*s", width, time_text(v->number, digits));
    else if (*at == 'f')
        fprintf(out, sign ? "%+*.*f" : "%*.*f", width, precision, v->number);
    else if (*at == 'r')
        fprintf(out, "%*s", width, format_real(digits, v->number, (unsigned)precision, sign ? "+" : ""));
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

    if (*at == ',') {
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
    struct place item = {.around = p, .first = true, .out = p->out};
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
    const char *const sign = word ? at + 1 + word : at, *const end = end_of_part(sign);
    const bool holds = word ? v.text && strlen(v.text) == word && !memcmp(v.text, at + 1, word) : is_there(&v);

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
