/* SPDX-License-Identifier: MIT */
/* What a survey means: shares, rates, and the sentences of the verdict. */
/* Uses vector registers: task context only. */
#include "probe/survey/survey.h"

#define MICRO     1e6
#define SQUARE    256.0 /* clock units in a unit of the sum of squares */
#define TENTHS    10u
#define PPM_MANY  100.0 /* clocks of crystals are not so far apart */

double survey_seconds(const struct survey *s, double clocks)
{
    return s->head.clock_hz != 0 ? clocks / (double)s->head.clock_hz : 0;
}

double survey_us(const struct survey *s, double clocks)
{
    return MICRO * survey_seconds(s, clocks);
}

struct clock_rate survey_clock_rate(const struct wire_survey_clocks_row *c)
{
    return clock_rate_of(&(struct clock_span){ c->counts, c->slack, c->shortest, c->longest });
}

struct clock_rate survey_clocks_apart(const struct survey *s, unsigned a, unsigned b)
{
    const struct clock_rate ra = survey_clock_rate(&s->clock[a]), rb = survey_clock_rate(&s->clock[b]);

    return clock_rate_apart(&ra, (double)s->clock[a].should, &rb, (double)s->clock[b].should);
}

static struct survey_share share_of(double value, const struct event_sum *sum, double whole)
{
    const struct event_interval i = event_interval_of(sum);

    if (!(whole > 0))
        return (struct survey_share){ 0, 0, 0 };
    return (struct survey_share){ value / whole, i.low / whole, i.high / whole };
}

struct survey_share survey_stolen(const struct survey *s)
{
    const struct event_sum sum = {
        .sum = (double)s->head.stolen, .squares = SQUARE * SQUARE * (double)s->head.squares,
        .largest = (double)(s->head.greatest > s->head.threshold ? s->head.greatest : s->head.threshold),
    };

    struct survey_share share = share_of(sum.sum, &sum, (double)s->head.watched);

    share.high = share.high < 1 ? share.high : 1; /* unlike the number of gaps, their time has a bound */
    return share;
}

struct survey_share survey_longer(const struct survey *s, uint64_t us)
{
    struct event_sum sum = { .largest = 1 };

    for (unsigned i = 0; i < s->lengths; i++)
        if (s->length[i].us >= us)
            sum.sum += (double)s->length[i].count;
    sum.squares = sum.sum;
    return share_of(sum.sum, &sum, survey_seconds(s, (double)s->head.watched));
}

enum survey_thief survey_thief(const struct survey *s)
{
    if (s->head.smi_known == 0 || s->head.gaps == 0)
        return SURVEY_UNKNOWN;
    return s->head.smis >= s->head.gaps - s->head.gaps / TENTHS ? SURVEY_FIRMWARE : SURVEY_NO_FIRMWARE;
}

static const char *name_of_thief(const struct survey *s)
{
    switch (survey_thief(s)) {
    case SURVEY_FIRMWARE:
        return "firmware";
    case SURVEY_NO_FIRMWARE:
        return s->head.hypervisor.length != 0 ? "the hypervisor" : "something that is no SMI";
    default:
        return s->head.hypervisor.length != 0 ? "firmware or the hypervisor" : "firmware";
    }
}

/* Digits after the point of a rate or a time: three that count. */
static unsigned decimals(double x)
{
    return x >= 100 ? 0 : x >= 10 ? 1 : x >= 1 ? 2 : x >= 0.1 ? 3 : 4;
}

#define SHORT(x) REAL(x, decimals(x))

/* Whether the gaps that keep a period are most of those that are so long. */
static bool is_periodic(const struct survey *s, uint64_t us, double often)
{
    return s->head.period != 0 && survey_us(s, (double)s->head.period_length) >= (double)us &&
           2.0 * (double)s->head.period_gaps >= often * survey_seconds(s, (double)s->head.watched);
}

/* How often a loop of the user's, which must not stand still for so long, does. */
static void tell_loop(const struct survey *s, uint64_t us, void (*line)(void *context, const char *text),
                      void *context)
{
    const struct survey_share often = survey_longer(s, us);
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    buf_parts(&b, "A loop of ", DECIMAL(us), " us ");
    if (often.value > 0)
        buf_parts(&b, "misses its time ", SHORT(often.value), " times a second (", SHORT(often.low), " to ",
                  SHORT(often.high), ")");
    else
        buf_parts(&b, "never missed its time in ", REAL(survey_seconds(s, (double)s->head.watched), 1),
                  " s: fewer than ", SHORT(often.high), " times a second");
    if (often.value > 0 && is_periodic(s, us, often.value))
        buf_parts(&b, ": ", name_of_thief(s), " takes ", SHORT(survey_us(s, (double)s->head.period_length)),
                  " us each ", SHORT(survey_seconds(s, (double)s->head.period)), " s.");
    else if (often.value > 0)
        buf_parts(&b, ": ", name_of_thief(s), " takes up to ", SHORT(survey_us(s, (double)s->head.greatest)), " us.");
    else
        buf_text(&b, ".");
    line(context, text);
}

static void tell_share(const struct survey *s, void (*line)(void *context, const char *text), void *context)
{
    const struct survey_share share = survey_stolen(s);
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    buf_parts(&b, "Of the time ", REAL(100 * share.value, 4), " % is stolen (", REAL(100 * share.low, 4), " to ",
              REAL(100 * share.high, 4), "), in ", DECIMAL(s->head.gaps), s->head.gaps == 1 ? " gap" : " gaps");
    if (s->head.gaps != 0)
        buf_parts(&b, ", the longest ", SHORT(survey_us(s, (double)s->head.greatest)), " us");
    if (s->head.smi_known != 0)
        buf_parts(&b, "; the CPU counted ", DECIMAL(s->head.smis), " SMIs");
    buf_text(&b, ".");
    line(context, text);
}

/* Two clocks that are certainly farther apart than crystals are. */
static void tell_clocks(const struct survey *s, void (*line)(void *context, const char *text), void *context)
{
    for (unsigned a = 0; a < s->clocks; a++)
        for (unsigned b = 0; b < s->clocks; b++) {
            const struct clock_rate apart = survey_clocks_apart(s, a, b);
            char text[TEXT_BUF_SIZE];
            struct text_buf to = TEXT_BUF(text);

            if (!(apart.low > PPM_MANY))
                continue;
            buf_parts(&to, "The clock ", s->clock[a].name.bytes, " is fast by ", REAL(apart.low, 1), " to ",
                      REAL(apart.high, 1), " ppm, or ", s->clock[b].name.bytes,
                      " is slow: do not take both for right.");
            line(context, text);
        }
}

void survey_verdict(const struct survey *s, void (*line)(void *context, const char *text), void *context)
{
    static const uint64_t loops[] = { 10, 50, 1000 };

    if (s->head.watched == 0) {
        line(context, "The loop did not run: nothing is known of stolen time.");
        return;
    }
    for (unsigned i = 0; i < sizeof loops / sizeof loops[0]; i++)
        tell_loop(s, loops[i], line, context);
    tell_share(s, line, context);
    tell_clocks(s, line, context);
}
