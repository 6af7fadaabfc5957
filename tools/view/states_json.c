/* SPDX-License-Identifier: MIT */
/* Shares of classes and hits of an expression as JSON, an object a line. */
#include "tools/base/json_value.h"
#include "tools/view/states_report.h"

#define A_LINE (JSON_COMPACT | JSON_REAL_PRECISION(12))

static double seconds(const struct states *s, int64_t units)
{
    return (double)units / s->in->hz;
}

void states_json_hit(const struct states *s, uint64_t number, const struct states_hit *hit)
{
    json_print(json_pack("{s:I,s:f,s:f,s:f,s:I,s:I}", "hit", (json_int_t)number, "at", seconds(s, hit->begin), "length",
                  seconds(s, hit->end - hit->begin), "runs", seconds(s, hit->time), "changes", (json_int_t)hit->changes,
                  "first_change", (json_int_t)hit->number), A_LINE);
}

static json_t *lengths_json(const struct states *s, const struct duration_histogram *d)
{
    return json_pack("{s:I,s:f,s:f,s:f,s:f}", "count", (json_int_t)d->count, "seconds", seconds(s, d->total), "mean",
                     duration_histogram_mean(d) / s->in->hz, "longest", seconds(s, d->greatest), "longest_at",
                     seconds(s, d->greatest_at));
}

static json_t *class_json(const struct states *s, unsigned code)
{
    const char letter[] = { class_letter(code), '\0' };
    json_t *object = lengths_json(s, &s->of[code]);

    json_object_set_new(object, "class", json_string(letter));
    json_object_set_new(object, "name", json_string(class_tree_name(s->tree, code)));
    json_object_set_new(object, "share", json_real(s->total ? (double)s->of[code].total / (double)s->total : 0.0));
    return object;
}

static json_t *hits_json(const struct states *s)
{
    json_t *object = lengths_json(s, &s->hits), *histogram = json_array();

    for (unsigned b = 0; b < DURATION_BUCKETS; b++)
        if (s->hits.bucket[b])
            json_array_append_new(histogram, json_pack("{s:f,s:I}", "from", seconds(s, (int64_t)duration_histogram_from(&s->hits, b)),
                                                       "hits", (json_int_t)s->hits.bucket[b]));
    json_object_set_new(object, "expression", json_string(s->expression));
    json_object_set_new(object, "histogram", histogram);
    return object;
}

void states_json(const struct states *s)
{
    json_t *all, *classes = json_array();

    for (unsigned code = 0; code < CLASS_CODES; code++)
        if (s->of[code].count)
            json_array_append_new(classes, class_json(s, code));
    all = json_pack("{s:I, s:o, s:{s:f, s:f, s:f}, s:f}", "changes", (json_int_t)s->sequence.runs, "classes", classes,
                    "entropy_bits", "class", entropy_tally_bits(&s->codes), "length", entropy_tally_bits(&s->lengths),
                    "length_us", entropy_tally_bits(&s->lengths_us),
                    "unknown_seconds", seconds(s, s->sequence.unknown_time));
    if (s->match)
        json_object_set_new(all, "match", hits_json(s));
    json_print(all, A_LINE);
}
