/* SPDX-License-Identifier: MIT */
/* Prints shares of classes and hits of an expression as JSON, an object a line. */
#include "tools/base/json_value.h"
#include "tools/view/states_report.h"

#define A_LINE (JSON_COMPACT | JSON_REAL_PRECISION(12))

#define HIT_MEMBERS(M, O)                                                           \
    M(COUNT, hit, "number of the hit, from 1")                                      \
    M(REAL, at, "its begin, s since the image started")                             \
    M(REAL, length, "from its begin to its end, s")                                 \
    M(REAL, runs, "time in its classes, s: less than its length where another task ran between (--of)") \
    M(COUNT, changes, "changes of class in it")                                     \
    M(COUNT, first_change, "number of its first change in the run")
REPORT_SHARED(states_hit, HIT_MEMBERS)

#define LENGTHS_MEMBERS(M, O)                                                       \
    M(COUNT, count, "how often")                                                    \
    M(REAL, seconds, "time in all, s")                                              \
    M(REAL, mean, "mean length, s")                                                 \
    M(REAL, longest, "greatest length, s")                                          \
    M(REAL, longest_at, "begin of the longest, s since the image started")
#define CLASS_MEMBERS(M, O)                                                         \
    LENGTHS_MEMBERS(M, O)                                                           \
    M(TEXT, class, "the class, a letter")                                           \
    M(TEXT, name, "name of the class")                                              \
    M(REAL, share, "part of the known time, 0 to 1")
REPORT_OBJECT(class, CLASS_MEMBERS)

#define BUCKET_MEMBERS(M, O)                                                        \
    M(REAL, from, "least length, s: the next one's ends it")                        \
    M(COUNT, hits, "hits of these lengths")
REPORT_OBJECT(bucket, BUCKET_MEMBERS)

#define MATCH_MEMBERS(M, O)                                                         \
    LENGTHS_MEMBERS(M, O)                                                           \
    M(TEXT, expression, "what was looked for")                                      \
    O(LIST, histogram, bucket, "hits by length, by powers of two or by --linear; without lengths that have none")
REPORT_OBJECT(match, MATCH_MEMBERS)

#define ENTROPY_MEMBERS(M, O)                                                       \
    M(REAL, class, "of the class, bits")                                            \
    M(REAL, length, "of the length in clock units, bits")                           \
    M(REAL, length_us, "of the length in microseconds, bits")
REPORT_OBJECT(entropy, ENTROPY_MEMBERS)

#define STATES_MEMBERS(M, O)                                                        \
    M(COUNT, changes, "changes of class")                                           \
    O(LIST, classes, class, "the classes that the run was in")                      \
    O(OBJECT, entropy_bits, entropy, "the least bits that a change could take if those before say nothing of it") \
    M(REAL, unknown_seconds, "time whose class is not known, s")                    \
    O(OBJECT_IF, match, match, "with --match: what the expression found")
REPORT_SHARED(states, STATES_MEMBERS)

static double seconds(const struct states *s, int64_t units)
{
    return (double)units / s->in->hz;
}

void states_json_hit(const struct states *s, uint64_t number, const struct states_hit *hit)
{
    json_print(REPORT_MAKE(states_hit, .hit = number, .at = seconds(s, hit->begin),
                           .length = seconds(s, hit->end - hit->begin), .runs = seconds(s, hit->time),
                           .changes = hit->changes, .first_change = hit->number), A_LINE);
}

/* The members of LENGTHS_MEMBERS. */
#define LENGTHS(s, d)                                                                                         \
    .count = (d)->count, .seconds = seconds(s, (d)->total), .mean = duration_histogram_mean(d) / (s)->in->hz, \
    .longest = seconds(s, (d)->greatest), .longest_at = seconds(s, (d)->greatest_at)

static json_t *class_json(const struct states *s, unsigned code)
{
    const struct duration_histogram *d = &s->of[code];
    const char letter[] = { class_letter(code), '\0' };

    return REPORT_MAKE(class, LENGTHS(s, d), .class = letter, .name = class_tree_name(s->tree, code),
                       .share = s->total ? (double)d->total / (double)s->total : 0.0);
}

/* NULL: nothing was looked for. */
static json_t *hits_json(const struct states *s)
{
    json_t *histogram;

    if (!s->match)
        return NULL;
    histogram = json_array();
    for (unsigned b = 0; b < DURATION_BUCKETS; b++)
        if (s->hits.bucket[b])
            REPORT_ADD(histogram, bucket, .hits = s->hits.bucket[b],
                       .from = seconds(s, (int64_t)duration_histogram_from(&s->hits, b)));
    return REPORT_MAKE(match, LENGTHS(s, &s->hits), .expression = s->expression, .histogram = histogram);
}

void states_json(const struct states *s)
{
    json_t *classes = json_array();

    for (unsigned code = 0; code < CLASS_CODES; code++)
        if (s->of[code].count)
            json_array_append_new(classes, class_json(s, code));
    json_print(REPORT_MAKE(states, .changes = s->sequence.runs, .classes = classes,
                           .entropy_bits = REPORT_MAKE(entropy, .class = entropy_tally_bits(&s->codes),
                                                       .length = entropy_tally_bits(&s->lengths),
                                                       .length_us = entropy_tally_bits(&s->lengths_us)),
                           .unknown_seconds = seconds(s, s->sequence.unknown_time), .match = hits_json(s)), A_LINE);
}
