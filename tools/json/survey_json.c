/* SPDX-License-Identifier: MIT */
/* The numbers that the text has, in seconds, microseconds, Hz and ppm. */
#include "tools/json/survey_json.h"

#include "tools/base/json_value.h"

#define NANO      1e9
#define BYTE_BITS 10.0

static const uint64_t loops[] = {10, 50, 100, 1000};

static json_t *interval(double value, double low, double high)
{
    return json_pack("{s:o, s:o, s:o}", "value", json_finite(value), "low", json_finite(low), "high", json_finite(high));
}

static json_t *share(struct survey_share s, double scale)
{
    return interval(scale * s.value, scale * s.low, scale * s.high);
}

static json_t *rate(struct clock_rate r, double scale)
{
    return r.low == 0 && r.high == 0 ? json_null() : interval(scale * (r.low + r.high) / 2, scale * r.low, scale * r.high);
}

static json_t *microseconds(const struct survey *s, uint64_t clocks)
{
    return json_finite(survey_us(s, (double)clocks));
}

static json_t *loops_json(const struct survey *s)
{
    json_t *array = json_array();

    for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++)
        json_array_append_new(array, json_pack("{s:o, s:o}", "us", json_count(loops[i]), "per_second", share(survey_longer(s, loops[i]), 1)));
    return array;
}

static json_t *lengths_json(const struct survey *s)
{
    json_t *array = json_array();

    for (unsigned i = 0; i < s->lengths; i++)
        json_array_append_new(array, json_pack("{s:o, s:o, s:o}", "us", json_count(s->length[i].us), "count", json_count(s->length[i].count),
                                               "time_us", microseconds(s, s->length[i].time)));
    return array;
}

static json_t *period_json(const struct survey *s)
{
    const struct wire_survey *h = &s->head;

    if (!h->period)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "seconds", json_finite(survey_seconds(s, (double)h->period)), "length_us",
                     microseconds(s, h->period_length), "gaps", json_count(h->period_gaps), "fits", json_count(h->period_fits));
}

static json_t *clocks_json(const struct survey *s)
{
    json_t *array = json_array();

    for (unsigned i = 0; i < s->clocks; i++) {
        const struct wire_survey_clocks_row *c = &s->clock[i];
        const struct clock_rate r = survey_clock_rate(c);
        const double hz = r.high * (double)s->head.clock_hz;

        json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:o, s:o}", "name", json_text_or_null(c->name.bytes), "hz",
                                               rate(r, (double)s->head.clock_hz), "should_hz", c->should ? json_finite((double)c->should / 1000) : json_null(),
                                               "step_ns", c->step && hz > 0 ? json_finite(NANO * (double)c->step / hz) : json_null(), "note",
                                               c->note.length ? json_text_or_null(c->note.bytes) : json_null()));
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
                json_array_append_new(array, json_pack("{s:o, s:o, s:o}", "clock", json_text_or_null(s->clock[i].name.bytes), "against",
                                                       json_text_or_null(s->clock[j].name.bytes), "ppm", rate(apart, 1)));
        }
    return array;
}

static json_t *times_json(const struct survey *s)
{
    json_t *array = json_array();

    for (unsigned i = 0; i < s->times; i++) {
        const struct wire_survey_times_row *t = &s->time[i];

        json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:o, s:o}", "name", json_text_or_null(t->name.bytes), "count", json_count(t->count),
                                               "median_us", t->count ? microseconds(s, t->median) : json_null(), "most_us",
                                               t->count ? microseconds(s, t->most) : json_null(), "worst_us",
                                               t->count ? microseconds(s, t->worst) : json_null()));
    }
    return array;
}

static json_t *line_json(const struct survey *s)
{
    const struct wire_survey *h = &s->head;
    const double bits = BYTE_BITS * (double)h->characters * (double)h->clock_hz;

    if (!h->baud)
        return json_null();
    return json_pack("{s:o, s:o, s:o}", "baud", json_count(h->baud), "low", h->characters_most ? json_finite(bits / (double)h->characters_most) : json_null(),
                     "high", h->characters_least ? json_finite(bits / (double)h->characters_least) : json_null());
}

static void add_sentence(void *array, const char *text)
{
    json_array_append_new(array, json_text_or_null(text));
}

json_t *survey_json(const struct survey *s)
{
    const struct wire_survey *h = &s->head;
    json_t *verdict = json_array();

    survey_verdict(s, add_sentence, verdict);
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "verdict", verdict, "seconds",
                     json_finite(survey_seconds(s, (double)(h->end - h->begin))), "watched_seconds",
                     json_finite(survey_seconds(s, (double)h->watched)), "slices", json_count(h->slices), "round_us", microseconds(s, h->round), "threshold_us",
                     microseconds(s, h->threshold), "gaps", json_count(h->gaps), "stolen_percent", share(survey_stolen(s), 100), "longest_us",
                     microseconds(s, h->greatest), "loops", loops_json(s), "lengths", lengths_json(s), "period", period_json(s), "smis",
                     h->smi_known ? json_count(h->smis) : json_null(), "hypervisor",
                     h->hypervisor.length ? json_text_or_null(h->hypervisor.bytes) : json_null(), "clocks", clocks_json(s), "apart", pairs_json(s), "times",
                     times_json(s), "line", line_json(s));
}

static json_t *value_json(const struct survey_value *v)
{
    if (!v->known)
        return json_null();
    return v->interval ? interval(v->value, v->low, v->high)
                       : json_pack("{s:o, s:o, s:o}", "value", json_finite(v->value), "low", json_null(), "high", json_null());
}

json_t *survey_diff_json(const struct survey_diff *d)
{
    json_t *array = json_array();

    for (unsigned i = 0; i < d->rows; i++)
        json_array_append_new(array, json_pack("{s:s, s:o, s:o, s:b}", "name", d->row[i].name, "a", value_json(&d->row[i].of[0]), "b",
                                               value_json(&d->row[i].of[1]), "differ", d->row[i].differ));
    return array;
}
