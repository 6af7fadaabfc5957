/* SPDX-License-Identifier: MIT */
/* A survey as text: the verdict, clocks, costs, stolen time by length, the line. */
/* Uses vector registers: task context only. */
#include "probe/survey/survey.h"

#define PERCENT   100.0
#define NANO      1e9
#define BYTE_BITS 10.0 /* of a character on the line: start, eight, stop */
#define NAME      12u
#define NUMBER    14u

struct out {
    void (*line)(void *context, const char *text);
    void *context;
};

static void put(const struct out *o, struct text_buf *b)
{
    buf_trim(b);
    o->line(o->context, b->text);
    buf_reset(b);
}

/* Middle and half width of an interval. */
static void put_interval(struct text_buf *b, const struct clock_rate *r, unsigned digits, unsigned width)
{
    buf_right(b, JOINED(format_real((char[FORMAT_DIGITS]){ 0 }, (r->low + r->high) / 2, digits, ""), " +-",
                        REAL((r->high - r->low) / 2, digits)), width);
}

static void put_clock(const struct out *o, struct text_buf *b, const struct survey *s,
                      const struct wire_survey_clocks_row *c)
{
    const struct clock_rate rate = survey_clock_rate(c);
    const struct clock_rate hz = { rate.low * (double)s->head.clock_hz, rate.high * (double)s->head.clock_hz };

    buf_left(b, c->name.bytes, NAME);
    if (rate.high > 0) {
        put_interval(b, &hz, 3, 2 * NUMBER);
        buf_right(b, c->should != 0 ? MILLI(c->should) : "-", NUMBER + 2);
        buf_right(b, c->step != 0 ? REAL(NANO * (double)c->step / hz.high, 1) : "-", NUMBER);
    } else {
        buf_text(b, "  not measured");
    }
    if (c->note.length != 0)
        buf_parts(b, "  ", c->note.bytes);
    put(o, b);
}

/* Each pair once, in ppm. */
static void put_pairs(const struct out *o, struct text_buf *b, const struct survey *s)
{
    for (unsigned i = 0; i < s->clocks; i++)
        for (unsigned j = 0; j < i; j++) {
            const struct clock_rate apart = survey_clocks_apart(s, i, j);

            if (apart.low == 0 && apart.high == 0)
                continue;
            buf_left(b, s->clock[i].name.bytes, NAME);
            buf_left(b, JOINED("against ", s->clock[j].name.bytes), NAME + 8);
            put_interval(b, &apart, 3, 2 * NUMBER - 8);
            buf_text(b, " ppm");
            put(o, b);
        }
}

static void put_clocks(const struct out *o, struct text_buf *b, const struct survey *s)
{
    buf_left(b, "clock", NAME);
    buf_right(b, "Hz by the TSC", 2 * NUMBER);
    buf_right(b, "should be", NUMBER + 2);
    buf_right(b, "step, ns", NUMBER);
    put(o, b);
    for (unsigned i = 0; i < s->clocks; i++)
        put_clock(o, b, s, &s->clock[i]);
    put_pairs(o, b, s);
}

static void put_times(const struct out *o, struct text_buf *b, const struct survey *s)
{
    buf_left(b, "microseconds", 2 * NAME);
    buf_right(b, "median", NUMBER);
    buf_right(b, "99.9 %", NUMBER);
    buf_right(b, "worst", NUMBER);
    buf_right(b, "times", NUMBER);
    put(o, b);
    for (unsigned i = 0; i < s->times; i++) {
        const struct wire_survey_times_row *const t = &s->time[i];

        buf_left(b, t->name.bytes, 2 * NAME);
        if (t->count == 0) {
            buf_right(b, "not measured", NUMBER);
        } else {
            buf_right(b, REAL(survey_us(s, (double)t->median), 3), NUMBER);
            buf_right(b, REAL(survey_us(s, (double)t->most), 3), NUMBER);
            buf_right(b, REAL(survey_us(s, (double)t->worst), 3), NUMBER);
            buf_right(b, DECIMAL(t->count), NUMBER);
        }
        put(o, b);
    }
}

static void put_gaps(const struct out *o, struct text_buf *b, const struct survey *s)
{
    const double seconds = survey_seconds(s, (double)s->head.watched);

    buf_parts(b, "a loop with interrupts off ran for ", REAL(seconds, 3), " s of ",
              REAL(survey_seconds(s, (double)(s->head.end - s->head.begin)), 3), " s, in ", DECIMAL(s->head.slices),
              " slices; a turn takes ", REAL(survey_us(s, (double)s->head.round), 3), " us, a gap is above ",
              REAL(survey_us(s, (double)s->head.threshold), 3), " us");
    put(o, b);
    if (s->lengths == 0)
        return;
    buf_left(b, "gaps from us", NAME);
    buf_right(b, "gaps", NUMBER);
    buf_right(b, "a second", NUMBER);
    buf_right(b, "% of time", NUMBER);
    put(o, b);
    for (unsigned i = 0; i < s->lengths; i++) {
        const struct wire_survey_row *const r = &s->length[i];

        buf_right(b, DECIMAL(r->us), NAME);
        buf_right(b, DECIMAL(r->count), NUMBER);
        buf_right(b, seconds > 0 ? REAL((double)r->count / seconds, 3) : "-", NUMBER);
        buf_right(b, s->head.watched != 0 ? REAL(PERCENT * (double)r->time / (double)s->head.watched, 5) : "-",
                  NUMBER);
        put(o, b);
    }
    if (s->head.period != 0) {
        buf_parts(b, "period   ", REAL(survey_seconds(s, (double)s->head.period), 6), " s of gaps of ",
                  REAL(survey_us(s, (double)s->head.period_length), 1), " us: ", DECIMAL(s->head.period_fits), " of ",
                  DECIMAL(s->head.period_gaps - 1), " distances fit");
        put(o, b);
    }
    if (s->head.hypervisor.length != 0) {
        buf_parts(b, "a hypervisor calls itself ", s->head.hypervisor.bytes);
        put(o, b);
    }
}

static void put_line(const struct out *o, struct text_buf *b, const struct survey *s)
{
    const double bits = BYTE_BITS * (double)s->head.characters * (double)s->head.clock_hz, set = (double)s->head.baud;
    struct clock_rate ppm;

    if (s->head.baud == 0)
        return;
    buf_parts(b, "the line is set to ", DECIMAL(s->head.baud), " bit/s and ");
    if (s->head.characters == 0 || s->head.characters_most == 0)
        buf_text(b, "sends nothing");
    else if (s->head.characters_least == 0 || bits / (double)s->head.characters_least > 2 * set)
        buf_text(b, "is not paced: it has no rate of its own");
    else {
        ppm.low = bits / (double)s->head.characters_most;
        ppm.high = bits / (double)s->head.characters_least;
        buf_parts(b, "runs at ", REAL(ppm.low, 1), " to ", REAL(ppm.high, 1), ", ",
                  REAL(1e6 * (ppm.low / set - 1), 0), " to ", REAL(1e6 * (ppm.high / set - 1), 0), " ppm off");
    }
    put(o, b);
}

void survey_print(const struct survey *s, void (*line)(void *context, const char *text), void *context)
{
    const struct out o = { line, context };
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    line(context, "SURVEY");
    survey_verdict(s, line, context);
    line(context, "");
    put_clocks(&o, &b, s);
    line(context, "");
    put_times(&o, &b, s);
    line(context, "");
    put_gaps(&o, &b, s);
    put_line(&o, &b, s);
}
