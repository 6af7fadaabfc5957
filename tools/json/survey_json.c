/* SPDX-License-Identifier: MIT */
/* Makes JSON of the numbers that the text has, in seconds, microseconds, Hz and ppm. */
#include "tools/json/report_json.h"

#include <math.h>

#include "tools/analysis/survey_diff.h"
#include "tools/model/stream_model.h"

#define NANO      1e9
#define BYTE_BITS 10.0

#define INTERVAL_MEMBERS(M, O)                                                      \
    M(REAL, value, "the value")                                                     \
    M(REAL, low, "low end of its interval; null: it has none")                      \
    M(REAL, high, "high end of its interval; null: it has none")
REPORT_OBJECT(interval, INTERVAL_MEMBERS)

#define LOOP_MEMBERS(M, O)                                                          \
    M(COUNT, us, "gaps of at least so many microseconds")                           \
    O(OBJECT, per_second, interval, "how often a second, and its 95 % interval")
REPORT_OBJECT(loop, LOOP_MEMBERS)

#define LENGTH_MEMBERS(M, O)                                                        \
    M(COUNT, us, "from this length, us, to that of the next of 1, 2, 5, 10 ..")     \
    M(COUNT, count, "gaps")                                                         \
    M(REAL, time_us, "their time, us")
REPORT_OBJECT(length, LENGTH_MEMBERS)

#define PERIOD_MEMBERS(M, O)                                                        \
    M(REAL, seconds, "the period, s")                                               \
    M(REAL, length_us, "median length of these gaps, us")                           \
    M(COUNT, gaps, "how many")                                                      \
    M(COUNT, fits, "distances between them that fit")
REPORT_OBJECT(period, PERIOD_MEMBERS)

#define CLOCK_MEMBERS(M, O)                                                         \
    M(TEXT, name, "the clock")                                                      \
    O(OBJECT_OR_NULL, hz, interval, "its rate by the TSC, Hz; the interval is certain; null: not measured") \
    M(REAL, should_hz, "the rate that it should have, Hz; null: not known")         \
    M(REAL, step_ns, "what differences of readings are multiples of, ns; null: not known") \
    M(TEXT, note, "what is to be known of it; null: nothing")
REPORT_OBJECT(clock, CLOCK_MEMBERS)

#define APART_MEMBERS(M, O)                                                         \
    M(TEXT, clock, "a clock")                                                       \
    M(TEXT, against, "another one: `clock` is fast by `ppm` where this one is right") \
    O(OBJECT_OR_NULL, ppm, interval, "parts in a million; the interval is certain")
REPORT_OBJECT(apart, APART_MEMBERS)

#define TIME_MEMBERS(M, O)                                                          \
    M(TEXT, name, "what was timed")                                                 \
    M(COUNT, count, "how often; 0: not measured")                                   \
    M(REAL, median_us, "median, us")                                                \
    M(REAL, most_us, "99.9 % were not longer, us")                                  \
    M(REAL, worst_us, "the longest, us")
REPORT_OBJECT(time, TIME_MEMBERS)

#define LINE_MEMBERS(M, O)                                                          \
    M(COUNT, baud, "the rate that the UART is set to, bit/s")                       \
    M(REAL, low, "its real rate at the least, bit/s; null: it sends nothing")       \
    M(REAL, high, "its real rate at the most, bit/s; null: it is not paced")
REPORT_OBJECT(line, LINE_MEMBERS)

#define DIFFERENCE_MEMBERS(M, O)                                                    \
    M(WORD, name, "what, and its unit")                                             \
    O(OBJECT_OR_NULL, a, interval, "of the first; null: not known")                 \
    O(OBJECT_OR_NULL, b, interval, "of the second; null: not known")                \
    M(FLAG, differ, "both have intervals, which do not overlap")

#define MACHINE_MEMBERS(M, O)                                                       \
    M(TEXTS, verdict, "the sentences of the verdict")                               \
    M(REAL, seconds, "from the first slice of the loop to the end of the last one, s") \
    M(REAL, watched_seconds, "for which the loop ran, s")                           \
    M(COUNT, slices, "stretches with interrupts off in which the loop ran")         \
    M(REAL, round_us, "median turn of the loop, us")                                \
    M(REAL, threshold_us, "a longer turn has a gap, us")                            \
    M(COUNT, gaps, "turns that had a gap")                                          \
    O(OBJECT, stolen_percent, interval, "part of the watched time that gaps took, percent, and its 95 % interval") \
    M(REAL, longest_us, "the longest gap, us")                                      \
    O(LIST, loops, loop, "gaps of at least 10, 50, 100 and 1000 us, as a loop of that time meets them") \
    O(LIST, lengths, length, "gaps by length; lengths without gaps are omitted")    \
    O(OBJECT_OR_NULL, period, period, "of gaps like the usual one; null: none is found") \
    M(COUNT_OR_NULL, smis, "SMIs meanwhile, by the CPU; null: it does not count them") \
    M(TEXT, hypervisor, "how a hypervisor calls itself; null: there is none")       \
    O(LIST, clocks, clock, "the clocks")                                            \
    O(LIST, apart, apart, "each pair of clocks whose rates are known")              \
    O(LIST, times, time, "what accesses, ticks and interrupts take")                \
    O(OBJECT_OR_NULL, line, line, "the serial line; null: there is none")
REPORT_SHARED(machine, MACHINE_MEMBERS)
REPORT_OBJECT(difference, DIFFERENCE_MEMBERS)

#define SURVEY_MEMBERS(M, O)                                                        \
    O(LIST, surveys, machine, "of each file, in their order")                       \
    O(LIST_OR_NULL, differences, difference, "two surveys, number by number; null: there is one")
REPORT_WHOLE(survey_report, "cpuprobe-survey-1", SURVEY_MEMBERS)

static json_t *interval(double value, double low, double high)
{
    return REPORT_MAKE(interval, .value = value, .low = low, .high = high);
}

static json_t *share(struct survey_share s, double scale)
{
    return interval(scale * s.value, scale * s.low, scale * s.high);
}

/* NULL: not measured. */
static json_t *rate(struct clock_rate r, double scale)
{
    return r.low == 0 && r.high == 0 ? NULL : interval(scale * (r.low + r.high) / 2, scale * r.low, scale * r.high);
}

static double microseconds(const struct survey *s, uint64_t clocks)
{
    return survey_us(s, (double)clocks);
}

static json_t *loops_json(const struct survey *s)
{
    json_t *array = json_array();

    for (size_t i = 0; i < SURVEY_LOOPS; i++)
        REPORT_ADD(array, loop, survey_loops[i], share(survey_longer(s, survey_loops[i]), 1));
    return array;
}

static json_t *lengths_json(const struct survey *s)
{
    json_t *array = json_array();

    for (unsigned i = 0; i < s->lengths; i++)
        REPORT_ADD(array, length, .us = s->length[i].us, .count = s->length[i].count,
                   .time_us = microseconds(s, s->length[i].time));
    return array;
}

static json_t *period_json(const struct survey *s)
{
    const struct wire_survey *h = &s->head;

    if (!h->period)
        return NULL;
    return REPORT_MAKE(period, survey_seconds(s, (double)h->period), microseconds(s, h->period_length),
                       h->period_gaps, h->period_fits);
}

static json_t *clocks_json(const struct survey *s)
{
    json_t *array = json_array();

    for (unsigned i = 0; i < s->clocks; i++) {
        const struct wire_survey_clocks_row *c = &s->clock[i];
        const struct clock_rate r = survey_clock_rate(c);
        const double hz = r.high * (double)s->head.clock_hz;

        REPORT_ADD(array, clock, .name = c->name.bytes, .hz = rate(r, (double)s->head.clock_hz),
                   .should_hz = c->should ? (double)c->should / 1000 : NAN,
                   .step_ns = c->step && hz > 0 ? NANO * (double)c->step / hz : NAN,
                   .note = c->note.length ? c->note.bytes : NULL);
    }
    return array;
}

static json_t *pairs_json(const struct survey *s)
{
    json_t *array = json_array();

    for (unsigned i = 0; i < s->clocks; i++)
        for (unsigned j = 0; j < i; j++) {
            const struct clock_rate apart = survey_clocks_apart(s, i, j);

            if (apart.low != 0 || apart.high != 0)
                REPORT_ADD(array, apart, .clock = s->clock[i].name.bytes, .against = s->clock[j].name.bytes,
                           .ppm = rate(apart, 1));
        }
    return array;
}

static json_t *times_json(const struct survey *s)
{
    json_t *array = json_array();

    for (unsigned i = 0; i < s->times; i++) {
        const struct wire_survey_times_row *t = &s->time[i];

        REPORT_ADD(array, time, .name = t->name.bytes, .count = t->count,
                   .median_us = t->count ? microseconds(s, t->median) : NAN,
                   .most_us = t->count ? microseconds(s, t->most) : NAN,
                   .worst_us = t->count ? microseconds(s, t->worst) : NAN);
    }
    return array;
}

static json_t *line_json(const struct survey *s)
{
    const struct wire_survey *h = &s->head;
    const double bits = BYTE_BITS * (double)h->characters * (double)h->clock_hz;

    if (!h->baud)
        return NULL;
    return REPORT_MAKE(line, .baud = h->baud, .low = h->characters_most ? bits / (double)h->characters_most : NAN,
                       .high = h->characters_least ? bits / (double)h->characters_least : NAN);
}

static void add_sentence(void *array, const char *text)
{
    json_array_append_new(array, json_text_or_null(text));
}

static json_t *machine_json(const struct survey *s)
{
    const struct wire_survey *h = &s->head;
    json_t *verdict = json_array();

    survey_verdict(s, add_sentence, verdict);
    return REPORT_MAKE(machine, .verdict = verdict, .seconds = survey_seconds(s, (double)(h->end - h->begin)),
                       .watched_seconds = survey_seconds(s, (double)h->watched), .slices = h->slices,
                       .round_us = microseconds(s, h->round), .threshold_us = microseconds(s, h->threshold),
                       .gaps = h->gaps, .stolen_percent = share(survey_stolen(s), 100),
                       .longest_us = microseconds(s, h->greatest), .loops = loops_json(s), .lengths = lengths_json(s),
                       .period = period_json(s), .smis = REPORT_KNOWN_IF(h->smi_known, h->smis),
                       .hypervisor = h->hypervisor.length ? h->hypervisor.bytes : NULL, .clocks = clocks_json(s),
                       .apart = pairs_json(s), .times = times_json(s), .line = line_json(s));
}

json_t *survey_json(const struct epoch *e)
{
    struct survey s;

    return epoch_survey(e, &s) ? machine_json(&s) : NULL;
}

static json_t *value_json(const struct survey_value *v)
{
    return v->known ? interval(v->value, v->interval ? v->low : NAN, v->interval ? v->high : NAN) : NULL;
}

static json_t *differences_json(const struct survey *a, const struct survey *b)
{
    json_t *array = json_array();
    struct survey_diff d;

    survey_diff_make(&d, a, b);
    for (unsigned i = 0; i < d.rows; i++)
        REPORT_ADD(array, difference, .name = d.row[i].name, .a = value_json(&d.row[i].of[0]),
                   .b = value_json(&d.row[i].of[1]), .differ = d.row[i].differ);
    return array;
}

void survey_print_json(const struct survey *const *s, unsigned surveys)
{
    json_t *list = json_array();

    for (unsigned i = 0; i < surveys; i++)
        json_array_append_new(list, machine_json(s[i]));
    json_print(REPORT_MAKE(survey_report, list, surveys == 2 ? differences_json(s[0], s[1]) : NULL),
               JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}
