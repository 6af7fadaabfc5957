/* SPDX-License-Identifier: MIT */
/*
 * Lines of words while it runs.  Nothing that comes over the line can harm: a
 * line is at most CHANGE_LINE bytes, and what is wrong with it is one sentence.
 */
#include "kernel/change.h"

#include "kernel/calibrate.h"
#include "kernel/display.h"
#include "kernel/options.h"
#include "kernel/say.h"
#include "kernel/serial.h"
#include "kernel/text.h"
#include "kernel/tick.h"

static char line[CHANGE_LINE]; /* task PROBE, as all below */
static unsigned length;
static bool too_long;
static struct change_counts counts;

struct change_counts change_counts(void)
{
    return counts;
}

static bool refuse(const char *why)
{
    say(SAY_WARNING, "these words change nothing: ", why);
    counts.refused++;
    return false;
}

static bool same(const struct words *a, const struct words *b)
{
    static char one[WORDS_LINE], other[WORDS_LINE];

    words_print(a, one);
    words_print(b, other);
    return text_equal(one, other);
}

/* The words less those that may change are the same as before. */
static bool only_the_tick(const struct words *w)
{
    struct words rest = *w;

    rest.rate = options.words.rate;
    rest.interval = options.words.interval;
    rest.spread = options.words.spread;
    rest.seed = options.words.seed;
    return same(&rest, &options.words);
}

/* Lay the new schedule down, as kernel_main did the first one: NULL, or why it cannot be had. */
static const char *prepare(struct change *c)
{
    const struct display_facts *f = &display_facts;
    struct schedule_request request;
    const char *why = tick_source->find(&c->source, &f->calibration, (uint32_t)c->words.rate);

    if (why != 0)
        return why;
    request = (struct schedule_request){
        .policy = words_name(&c->words, "interval"),
        .rng = words_name(&c->words, "rng"),
        .mean = c->source.mean, .minimum = f->cost.minimum,
        .handler = calibrate_counts(c->source.clock_65536, f->cost.handler),
        .spread = (uint32_t)c->words.spread, .seed = c->seed,
    };
    return schedule_init(&c->schedule, &request);
}

static bool judge(struct change *c)
{
    char sentence[WORDS_SENTENCE];
    const char *why;

    c->words = options.words;
    c->words.given = 0;
    if (!words_parse(&c->words, line, sentence) || !words_agree(&c->words, sentence))
        return refuse(sentence);
    if (c->words.given == 0)
        return false; /* blanks, or a comment */
    if (same(&c->words, &options.words))
        return refuse("they are in force already");
    if (!only_the_tick(&c->words))
        return refuse("only rate interval spread seed can change while the image runs");
    if (!display_facts.ticks || tick_source != &source_pit)
        return refuse("only tick=pit delivery=irq can change while the image runs");
    c->source = display_facts.source;
    c->seed = c->words.seed != 0 ? (uint32_t)c->words.seed : options.seed;
    why = prepare(c);
    if (why != 0)
        return refuse(why);
    counts.taken++;
    return true;
}

/* A line is over: true where it has words. */
static bool end_line(void)
{
    const bool some = length != 0;

    line[length] = '\0';
    length = 0;
    if (!too_long)
        return some;
    too_long = false;
    return refuse("the line is too long");
}

bool change_asked(struct change *c)
{
    uint8_t byte;

    while (serial_take(&byte)) {
        if (byte == '\n' || byte == '\r') {
            if (end_line() && judge(c))
                return true;
        } else if (length == CHANGE_LINE - 1) {
            too_long = true;
        } else {
            line[length++] = byte != 0 ? (char)byte : '?'; /* or the line would end here */
        }
    }
    return false;
}
