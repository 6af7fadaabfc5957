/* SPDX-License-Identifier: MIT */
/* From words to a source, a policy and a schedule that this machine can have. */
#include "kernel/tick/tick_plan.h"

#include "drivers/pic.h"
#include "kernel/io/format.h"
#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/tick/dual_source.h"
#include "kernel/tick/sampler.h"
#include "kernel/tick/tick_precision.h"
#include "kernel/tick/tick_survey.h"

#define SEED_BIT (1ull << 62) /* seeds differ in it, so that no two sources of a run draw the same */

static struct arrangement second; /* the second of two; set once */

void arrange_rate(struct words *w, const struct source *s)
{
    if (s->rate != 0 && s != tick_source && !words_given(w, "rate"))
        w->rate = s->rate();
}

/* What a tick of it costs with these monitors: the PIT's by this delivery, or its own. */
static void fit_cost(struct arrangement *a, const struct found *found)
{
    const struct way *const way = found_way(words_unmasked(&a->words));
    const uint64_t more = monitors_clocks(&a->monitoring) - way->monitors; /* or less */

    a->cost = found->cost.handler != 0 ? found->cost : way->cost;
    a->cost.handler += more;
    a->cost.lead += more;
}

/* Whether this source works: NULL, or why not. */
static const char *try_source(struct arrangement *a, const struct source *s)
{
    const bool unmasked = words_unmasked(&a->words);
    struct words w = a->words;
    const struct found *found;

    if (s->vector == PIC_SLAVE_VECTOR && options.task_has_rtc)
        return "a task has the RTC for itself";
    arrange_rate(&w, s);
    found_look(s, (uint32_t)w.rate);
    found = found_source(s, unmasked);
    if (found->why != 0)
        return found->why;
    a->facts = found->facts;
    fit_cost(a, found);
    return s->fit(&a->facts, &(struct source_request){
        .rate = (uint32_t)w.rate, .given = words_given(&w, "rate"), .handler = a->cost.handler,
    });
}

/* The source of this name, or, for auto, the first that works. */
static const char *choose_source(struct arrangement *a)
{
    const bool any = a->words.tick == TICK_AUTO, unmasked = words_unmasked(&a->words);
    const char *const name = words_name(&a->words, "tick");
    const char *why = "there is none";
    const struct source *s;

    for (unsigned i = 0; (s = source_by(i, unmasked)) != 0; i++) {
        if (any ? s->by_name : !text_equal(s->name, name))
            continue;
        why = try_source(a, s);
        if (why == 0) {
            a->source = s;
            return 0;
        }
    }
    return sentence("tick=", name, " rate=", DECIMAL(a->words.rate), ": ", why);
}

/* A device that repeats one interval has no other policy. */
static const char *fit_policy(struct arrangement *a)
{
    struct words *w = &a->words;

    if (a->source->varies || w->interval == INTERVAL_FIXED)
        return 0;
    if (words_given(w, "interval"))
        return sentence("tick=", a->source->name, " repeats one interval: it cannot do interval=",
                        words_name(w, "interval"), ", only fixed");
    w->interval = INTERVAL_FIXED;
    return 0;
}

static const char *fit_schedule(struct arrangement *a, uint32_t handler)
{
    const struct schedule_request request = {
        .policy = words_name(&a->words, "interval"),
        .rng = words_name(&a->words, "rng"),
        .mean = a->facts.mean, .minimum = a->cost.minimum, .handler = handler,
        .spread = (uint32_t)a->words.spread, .seed = a->seed,
    };
    const char *why = schedule_init(&a->schedule, &request);

    if (why == 0)
        return 0;
    return sentence("rate=", DECIMAL(a->words.rate), " interval=",
                    words_name(&a->words, "interval"), ": ", why, " (handler ", DECIMAL(handler),
                    ", smallest count ", DECIMAL(a->cost.minimum), ", mean interval ",
                    DECIMAL(a->facts.mean >> 16), " counts of the source)");
}

/* From arming to the end of the handler no tick can come: counts of the source. */
static uint32_t minimum_of(const struct arrangement *a)
{
    const bool unmasked = words_unmasked(&a->words);
    uint64_t room = a->cost.handler - a->cost.lead;

    /* An NMI sends a reading of the account's clock back, and leaves it time to get done. */
    if (unmasked)
        room += found_way(true)->calibration.tick_tail;
    return calibrate_counts(a->facts.clock_65536, room) + 1;
}

/* Source, policy and schedule. */
static const char *arrange_tick(struct arrangement *a)
{
    const struct way *const way = found_way(words_unmasked(&a->words));
    const char *why;

    if (way->why != 0)
        return sentence("delivery=", words_name(&a->words, "delivery"), ": ", way->why);
    why = choose_source(a);
    if (why != 0)
        return why;
    arrange_rate(&a->words, a->source);
    if (a->words.windows > 1 && a->source != &source_pit)
        return sentence("windows= is for tick=pit, and here it is tick=", a->source->name);
    why = fit_policy(a);
    if (why != 0)
        return why;
    a->cost.minimum = minimum_of(a);
    why = fit_schedule(a, calibrate_counts(a->facts.clock_65536, a->cost.handler));
    if (why != 0)
        return why;
    why = tick_imprecise(&a->words, a->facts.mean, a->cost.minimum);
    return why != 0 ? sentence("precision= needs an interval, and there is none: ", why) : 0;
}

const char *arrange(struct arrangement *a)
{
    const struct source *const named = source_named(words_name(&a->words, "tick"));
    const char *why;

    a->interval = a->words.interval;
    if (named != 0) /* the line must carry what it makes */
        arrange_rate(&a->words, named);
    why = monitors_fit(&a->monitoring, &a->words);
    if (why != 0 || a->words.tick == TICK_NONE)
        return why;
    return arrange_tick(a);
}

void arrange_probe(const struct arrangement *a, struct probe *p)
{
    p->running = a->facts.running;
    p->halted = a->facts.halted;
    p->repeats = !a->source->varies && !a->source->waits;
    p->schedule = a->schedule;
}

/* ---- the second of two ---- */

static uint64_t another(uint64_t seed)
{
    return seed != SEED_BIT ? seed ^ SEED_BIT : 1;
}

/* rate= and interval= rule the first; one that has its own keeps to that. */
const char *arrange_second(const struct arrangement *first)
{
    const char *why;

    second.words = first->words;
    second.words.tick = first->words.beside;
    second.words.beside = TICK_AUTO;
    second.words.given = 0;
    second.words.precision = 0; /* it is the first one's */
    second.seed = another(first->seed);
    if (first->words.seed != 0)
        second.words.seed = second.seed;
    why = arrange(&second);
    second.words.precision = first->words.precision;
    return why;
}

static void join(struct probe *p, struct probe *other)
{
    p->other = other;
    p->held_from = p->held_to = p->held_since = 0;
}

static void put_second(const struct arrangement *first)
{
    const struct source *const wrapped[SAMPLERS] = { first->source, second.source };

    tick_source = beside_way(0, first->source);
    tick_beside = beside_way(1, second.source);
    sampler_put_second(&(struct sampler){
        .probe = &probe_beside, .words = &second.words, .facts = &second.facts, .seed = second.seed,
        .minimum = second.cost.minimum,
    }, wrapped);
    arrange_probe(&second, &probe_beside);
    probe_beside.goal = UINT64_MAX; /* the first one ends the run */
    join(&probe, &probe_beside);
    join(&probe_beside, &probe);
}

void arrange_put(const struct arrangement *a)
{
    const uint32_t given = options.words.given;

    options.words = a->words;
    options.words.given |= given;
    options.seed = a->seed;
    options.interval = a->interval;
    monitors_put(&a->monitoring);
    if (a->words.tick == TICK_NONE)
        return;
    found_put(words_unmasked(&a->words));
    tick_facts.source = a->facts;
    tick_facts.cost = a->cost;
    tick_source = a->source;
    arrange_probe(a, &probe);
    if (a->words.beside != TICK_AUTO)
        put_second(a);
    probe.goal = a->words.samples != 0 ? a->words.samples : UINT64_MAX;
}
