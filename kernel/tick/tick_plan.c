/* SPDX-License-Identifier: MIT */
/* From words to a source, a policy and a schedule that this machine can have. */
#include "kernel/tick/tick_plan.h"

#include "drivers/pic.h"
#include "kernel/io/format.h"
#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/source/dual_source.h"
#include "kernel/source/sampler.h"
#include "kernel/tick/tick_precision.h"
#include "kernel/tick/tick_survey.h"

#define SEED_BIT (1ull << 62) /* seeds differ in it, so that no two sources of a run draw the same */

static struct tick_plan plan2; /* the second of two; set once */
static uint64_t interval_asked; /* task PROBE */
static bool rtc_reserved;       /* set at the start */

uint64_t tick_plan_interval_asked(void)
{
    return interval_asked;
}

void tick_plan_reserve_rtc(void)
{
    rtc_reserved = true;
}

void tick_plan_default_rate(struct config *w, const struct source *s)
{
    if (s->default_rate != 0 && s != tick_source && !config_given(w, CONFIG_RATE))
        w->rate = s->default_rate();
}

/* What a tick of it costs with these monitors: the PIT's by this delivery, or its own. */
static void plan_cost(struct tick_plan *a, const struct source_survey *survey)
{
    const struct delivery *const delivery = survey_delivery(config_via_nmi(&a->words));
    const uint64_t more = monitors_cost(&a->monitoring) - delivery->monitors; /* or less */

    a->cost = survey->cost.handler != 0 ? survey->cost : delivery->cost;
    a->cost.handler += more;
    a->cost.lead += more;
}

/* Whether this source works: NULL, or why not. */
static const char *try_source(struct tick_plan *a, const struct source *s)
{
    const bool via_nmi = config_via_nmi(&a->words);
    struct config w = a->words;
    const struct source_survey *survey;

    if (s->vector == PIC_SLAVE_VECTOR && rtc_reserved)
        return "a task has the RTC for itself";
    tick_plan_default_rate(&w, s);
    survey_detect(s, (uint32_t)w.rate);
    survey = survey_source(s, via_nmi);
    if (survey->why != 0)
        return survey->why;
    a->facts = survey->facts;
    plan_cost(a, survey);
    return s->set_rate(&a->facts, &(struct source_request){
        .rate = (uint32_t)w.rate, .given = config_given(&w, CONFIG_RATE), .handler = a->cost.handler,
    });
}

/* The source of this name, or, for auto, the first that works. */
static const char *choose_source(struct tick_plan *a)
{
    const bool any = a->words.tick == TICK_AUTO, via_nmi = config_via_nmi(&a->words);
    const char *const name = config_value_name(&a->words, CONFIG_TICK);
    const char *why = "there is none";
    const struct source *s;

    for (unsigned i = 0; (s = source_by_delivery(i, via_nmi)) != 0; i++) {
        if (any ? s->explicit_only : !string_equal(s->name, name))
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
static const char *plan_policy(struct tick_plan *a)
{
    struct config *w = &a->words;

    if (a->source->variable || w->interval == INTERVAL_FIXED)
        return 0;
    if (config_given(w, CONFIG_INTERVAL))
        return sentence("tick=", a->source->name, " repeats one interval: it cannot do interval=",
                        config_value_name(w, CONFIG_INTERVAL), ", only fixed");
    w->interval = INTERVAL_FIXED;
    return 0;
}

static const char *plan_schedule(struct tick_plan *a, uint32_t handler)
{
    const struct schedule_request request = {
        .policy = config_value_name(&a->words, CONFIG_INTERVAL),
        .rng = config_value_name(&a->words, CONFIG_RNG),
        .mean = a->facts.mean, .minimum = a->cost.minimum, .handler = handler,
        .spread = (uint32_t)a->words.spread, .seed = a->seed,
    };
    const char *why = schedule_init(&a->schedule, &request);

    if (why == 0)
        return 0;
    return sentence("rate=", DECIMAL(a->words.rate), " interval=",
                    config_value_name(&a->words, CONFIG_INTERVAL), ": ", why, " (handler ", DECIMAL(handler),
                    ", smallest count ", DECIMAL(a->cost.minimum), ", mean interval ",
                    DECIMAL(a->facts.mean >> 16), " counts of the source)");
}

/* From arming to the end of the handler no tick can come: counts of the source. */
static uint32_t minimum_of(const struct tick_plan *a)
{
    const bool via_nmi = config_via_nmi(&a->words);
    uint64_t room = a->cost.handler - a->cost.lead;

    /* An NMI sends a reading of the account's clock back, and leaves it time to get done. */
    if (via_nmi)
        room += survey_delivery(true)->calibration.tick_exit_cost;
    return clocks_to_counts(a->facts.clock_65536, room) + 1;
}

/* Source, policy and schedule. */
static const char *plan_tick(struct tick_plan *a)
{
    const struct delivery *const delivery = survey_delivery(config_via_nmi(&a->words));
    const char *why;

    if (delivery->why != 0)
        return sentence("delivery=", config_value_name(&a->words, CONFIG_DELIVERY), ": ", delivery->why);
    why = choose_source(a);
    if (why != 0)
        return why;
    tick_plan_default_rate(&a->words, a->source);
    if (a->words.windows > 1 && a->source != &source_pit)
        return sentence("windows= is for tick=pit, and here it is tick=", a->source->name);
    why = plan_policy(a);
    if (why != 0)
        return why;
    a->cost.minimum = minimum_of(a);
    why = plan_schedule(a, clocks_to_counts(a->facts.clock_65536, a->cost.handler));
    if (why != 0)
        return why;
    why = tick_precision_refusal(&a->words, a->facts.mean, a->cost.minimum);
    return why != 0 ? sentence("precision= needs an interval, and there is none: ", why) : 0;
}

const char *tick_plan_make(struct tick_plan *a)
{
    const struct source *const named = source_named(config_value_name(&a->words, CONFIG_TICK));
    const char *why;

    a->interval = a->words.interval;
    if (named != 0) /* the line must carry what it makes */
        tick_plan_default_rate(&a->words, named);
    why = monitors_plan(&a->monitoring, &a->words);
    if (why != 0 || a->words.tick == TICK_NONE)
        return why;
    return plan_tick(a);
}

void tick_plan_set_probe(const struct tick_plan *a, struct probe *p)
{
    p->running = a->facts.running;
    p->halted = a->facts.halted;
    p->periodic = !a->source->variable && !a->source->rearmed;
    p->schedule = a->schedule;
}

/* ---- the second of two ---- */

static uint64_t another(uint64_t seed)
{
    return seed != SEED_BIT ? seed ^ SEED_BIT : 1;
}

/* rate= and interval= rule the first; one that has its own keeps to that. */
const char *tick_plan_second(const struct tick_plan *first)
{
    const char *why;

    plan2.words = first->words;
    plan2.words.tick = first->words.second_tick;
    plan2.words.second_tick = TICK_AUTO;
    plan2.words.given = 0;
    plan2.words.precision = 0; /* it is the first one's */
    plan2.seed = another(first->seed);
    if (first->words.seed != 0)
        plan2.words.seed = plan2.seed;
    why = tick_plan_make(&plan2);
    plan2.words.precision = first->words.precision;
    return why;
}

static void pair_probes(struct probe *p, struct probe *other)
{
    p->peer = other;
    p->busy_from = p->busy_to = p->busy_since = 0;
}

static void apply_second(const struct tick_plan *first)
{
    const struct source *const wrapped[SAMPLERS] = { first->source, plan2.source };

    sampler_set_sources(dual_source_wrap(0, first->source), dual_source_wrap(1, plan2.source));
    sampler_set_second(&(struct sampler){
        .probe = &probe2, .words = &plan2.words, .facts = &plan2.facts, .seed = plan2.seed,
        .cost = &plan2.cost,
    }, wrapped);
    tick_plan_set_probe(&plan2, &probe2);
    probe2.goal = UINT64_MAX; /* the first one ends the run */
    pair_probes(&probe, &probe2);
    pair_probes(&probe2, &probe);
}

void tick_plan_apply(const struct tick_plan *a)
{

    run_state_set_config(&a->words);
    sampler_set_seed(a->seed);
    interval_asked = a->interval;
    monitors_apply(&a->monitoring);
    if (a->words.tick == TICK_NONE)
        return;
    survey_set_delivery(config_via_nmi(&a->words));
    tick_facts.source = a->facts;
    tick_facts.cost = a->cost;
    sampler_set_sources(a->source, 0);
    tick_plan_set_probe(a, &probe);
    if (a->words.second_tick != TICK_AUTO)
        apply_second(a);
    probe.goal = a->words.samples != 0 ? a->words.samples : UINT64_MAX;
}
