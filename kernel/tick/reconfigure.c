/* SPDX-License-Identifier: MIT */
/*
 * Words that change while it runs; what is wrong with them is one sentence.
 */
#include "kernel/tick/reconfigure.h"

#include "kernel/io/format.h"
#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/source/sampler.h"
#include "kernel/tick/window.h"
#include "probe/text/text_span.h"

/* What the tasks, their memory and the line stand on. */
static const char *const never[] = {
    "clock", "sched", "account", "tasks", "identity", "serial", "slu", "health", "shell",
};

static bool is_same(const struct config *a, const struct config *b)
{
    static char one[CONFIG_LINE], other[CONFIG_LINE];

    config_print(a, one);
    config_print(b, other);
    return string_equal(one, other);
}

/* The value of a word in a line that config_print() wrote. */
static struct span value_in(const char *words, const char *key)
{
    for (;;) {
        struct span word = { words, 0 };

        while (words[word.length] != '\0' && words[word.length] != ' ')
            word.length++;
        if (span_is(span_until(word, '='), key))
            return word;
        words += word.length;
        if (*words++ == '\0')
            return (struct span){ words - 1, 0 };
    }
}

/* A word that cannot change and is another; NULL: there is none. */
static const char *fixed_word(const struct config *w)
{
    static char one[CONFIG_LINE], other[CONFIG_LINE];

    config_print(w, one);
    config_print(&options.words, other);
    for (unsigned i = 0; i < sizeof never / sizeof never[0]; i++) {
        const struct span a = value_in(one, never[i]), b = value_in(other, never[i]);

        if (a.length != b.length)
            return never[i];
        for (size_t at = 0; at < a.length; at++)
            if (a.at[at] != b.at[at])
                return never[i];
    }
    return 0;
}

/* NULL, or what these words want that cannot be while the image runs. */
static const char *refuse_words(const struct config *w)
{
    const char *const fixed = fixed_word(w);

    if (w->second_tick != TICK_AUTO || options.words.second_tick != TICK_AUTO)
        return "two sources side by side tick for the whole run";
    if (fixed != 0)
        return sentence(fixed, "= cannot change while the image runs");
    if ((w->tick == TICK_NONE) == tick_facts.ticks)
        return "with tick=none no tick can be had, nor given up, while the image runs";
    return 0;
}

/* A source has a rate of its own where none is asked for; the one in force stays as it is. */
static void keep_rate(struct config *w)
{
    char unused[CONFIG_MESSAGE];

    if (!config_given(w, "tick") && !config_given(w, "rate"))
        config_parse(w, sentence("rate=", DECIMAL(w->rate)), unused);
}

static const char *judge(struct reconfiguration *c)
{
    struct tick_plan *const a = &c->arrangement;
    const char *why = refuse_words(&a->words);

    if (why != 0)
        return why;
    c->seconds = config_given(&a->words, "seconds");
    keep_rate(&a->words);
    if (!config_given(&a->words, "interval")) /* a source may have had it fixed */
        a->words.interval = options.interval;
    why = tick_plan_make(a);
    if (why == 0)
        why = monitors_resolve_tasks(&a->monitoring, &a->words);
    return why;
}

bool reconfigure_check(struct reconfiguration *c, const struct config *w, uint64_t seed, char *to)
{
    const char *why;

    if (!config_check(w, to))
        return false;
    c->arrangement.words = *w;
    c->arrangement.seed = seed;
    why = judge(c);
    string_copy(to, why != 0 ? why : "", CONFIG_MESSAGE);
    return why == 0;
}

uint64_t reconfigure_next_seed(void)
{
    return options.seed % INT64_MAX + 1;
}

bool reconfigure_line(struct reconfiguration *c, const char *text, char *to)
{
    static struct config w;

    w = options.words;
    w.given = 0;
    if (!config_parse(&w, text, to))
        return false;
    if (w.given == 0)
        return false; /* blanks, or a comment */
    if (is_same(&w, &options.words)) {
        string_copy(to, "they are in force already", CONFIG_MESSAGE);
        return false;
    }
    return reconfigure_check(c, &w, w.seed != 0 ? w.seed : options.seed, to);
}

void reconfigure_apply(const struct reconfiguration *c)
{
    tick_plan_apply(&c->arrangement);
}
