/* SPDX-License-Identifier: MIT */
/* From a configuration to a source, a policy and a schedule that this machine can have. */
#include "kernel/tick/tick_plan.h"

#include <stdint.h>

#include "kernel/io/log.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/lib/run_state.h"
#include "kernel/source/sampler.h"
#include "kernel/source/source_pit.h"
#include "kernel/tick/costs.h"
#include "kernel/tick/sources.h"
#include "kernel/tick/tick_survey.h"
#include "probe/config/config.h"
#include "probe/estimate/confidence.h"
#include "probe/stats/tick_cost.h"

/* Tells whether precision= can be had. */

/*
 * NULL, or why a run has no confidence interval: a message without its full stop.  `mean`: the
 * mean tick interval, counts of the source, 48.16; `minimum`: the shortest one, counts.  Task
 * PROBE, and the start.
 */
static const char *tick_precision_refusal(const struct config *w, uint64_t mean, uint32_t minimum)
{
    return w->precision != 0 ? estimator_of_run(w, mean, minimum).reason : 0;
}

#define CROWD_MOST 50  /* of a thousand points */
#define CROWD_EVER 500 /* with cost=any */
#define SEED_BIT (1ull << 62) /* the seeds of the two samplers differ in it, so that they draw different intervals */

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

static uint64_t rate_of(const struct config *w, const struct source *s)
{
    return s->default_rate != 0 && s != tick_source && !config_given(w, CONFIG_RATE) ? s->default_rate() : w->rate;
}

void tick_plan_default_rate(struct config *w, const struct source *s)
{
    w->rate = rate_of(w, s);
}

/* The cost of a tick with these monitors: that of the PIT by this delivery, or the source's own. */
static bool plan_cost(struct tick_plan *a, const struct source_survey *survey, struct refusal *why)
{
    const struct delivery *const delivery = survey_delivery(config_via_nmi(&a->config));
    const uint64_t more = monitors_cost(&a->monitors) - delivery->monitors; /* modulo 2^64: may be less */

    a->cost = survey->cost.handler != 0 ? survey->cost : delivery->cost;
    if (survey->cost.tick != 0)
        a->cost.tick = survey->cost.tick;
    a->cost.tick += more;
    a->cost.handler += more;
    a->cost.lead += more;
    return walk_cost((unsigned)a->config.stack, &a->cost.walk, why);
}

/* False where this source does not serve the configuration. */
static bool try_source(struct tick_plan *a, enum config_tick tick, struct refusal *why)
{
    const bool via_nmi = config_via_nmi(&a->config);
    const struct source *const s = source_of(tick, via_nmi);
    const uint32_t rate = (uint32_t)rate_of(&a->config, s);
    const struct source_survey *survey;

    if (s == &source_rtc && rtc_reserved)
        return REFUSE(why, "a task has the RTC for itself");
    survey_detect(tick, rate);
    survey = survey_source(tick, via_nmi);
    if (survey->why.reason != 0)
        return refusal_set(why, &survey->why);
    a->facts = survey->facts;
    return plan_cost(a, survey, why) && s->set_rate(&a->facts, &(struct source_request){
        .rate = rate, .given = config_given(&a->config, CONFIG_RATE), .handler = a->cost.handler + a->cost.walk,
    }, why);
}

/* The source that is named, or, for auto, the first that works. */
static bool choose_source(struct tick_plan *a, struct refusal *why)
{
    const bool any = a->config.tick == TICK_AUTO, via_nmi = config_via_nmi(&a->config);
    const enum config_tick last = any ? TICK_NONE - 1 : a->config.tick;

    if (survey_delivery(via_nmi)->why.reason != 0)
        return REFUSE_WITH(why, "delivery=%1: %2", REFUSAL_STRING(config_value_name(&a->config, CONFIG_DELIVERY)),
                           REFUSAL_INNER(&survey_delivery(via_nmi)->why));
    REFUSE(&a->no_source, "there is none");
    for (enum config_tick tick = any ? TICK_PIT : last; tick <= last; tick++) {
        a->source = source_of(tick, via_nmi);
        if (a->source != 0 && !(any && a->source->explicit_only) && try_source(a, tick, &a->no_source))
            return true;
    }
    return REFUSE_WITH(why, "tick=%1 rate=%2: %3", REFUSAL_STRING(config_value_name(&a->config, CONFIG_TICK)),
                       REFUSAL_NUMBER(a->config.rate), REFUSAL_INNER(&a->no_source));
}

/* The words that the source decides: its rate; and a device that repeats one interval has no policy but `fixed`. */
static bool plan_words(struct tick_plan *a, struct refusal *why)
{
    struct config *w = &a->config;

    tick_plan_default_rate(w, a->source);
    if (w->windows > 1 && a->source != &source_pit)
        return REFUSE_WITH(why, "windows= is for tick=pit, and here it is tick=%1", REFUSAL_STRING(a->source->name));
    if (a->source->variable || w->interval == INTERVAL_FIXED)
        return true;
    if (config_given(w, CONFIG_INTERVAL))
        return REFUSE_WITH(why, "tick=%1 repeats one interval: it cannot do interval=%2, only fixed",
                           REFUSAL_STRING(a->source->name), REFUSAL_STRING(config_value_name(w, CONFIG_INTERVAL)));
    w->interval = INTERVAL_FIXED;
    return true;
}

/*
 * The shortest interval: from arming to the end of the handler, walk included, no tick can come.
 * Counts of the source.
 */
static uint32_t minimum_of(const struct tick_plan *a)
{
    const bool via_nmi = config_via_nmi(&a->config);
    uint64_t room = a->cost.handler - a->cost.lead + a->cost.walk;

    /* An NMI restarts an interrupted reading of the account's clock, which must get done before the next NMI. */
    if (via_nmi)
        room += survey_delivery(true)->calibration.tick_exit_cost;
    return clocks_to_counts(a->facts.clock_65536, room) + 1;
}

/*
 * The schedule of the points in clock time; or of intervals in counts of the source,
 * none below the smallest that fires in time.
 */
static struct schedule_request request_of(struct tick_plan *a)
{
    const struct calibration *const c = &survey_delivery(config_via_nmi(&a->config))->calibration;
    const uint64_t mean = mul_div64(c->rate.clock_hz, 1u << 16, a->config.rate);
    struct schedule_request r = {
        .policy = a->config.interval, .rng = a->config.rng, .spread = (uint32_t)a->config.spread, .seed = a->seed,
    };

    a->relative = !a->source->variable || a->config.arm == ARM_RELATIVE || c->tsc_stops;
    a->shift = a->relative ? 0 : schedule_shift(mean);
    r.mean = a->relative ? a->facts.mean : mean >> a->shift;
    if (a->relative) {
        r.minimum = minimum_of(a);
        r.handler = clocks_to_counts(a->facts.clock_65536, a->cost.handler);
    }
    return r;
}

static bool refuse_schedule(const struct tick_plan *a, const struct schedule_request *r, const char *why,
                            struct refusal *refusal)
{
    return REFUSE_WITH(refusal, "rate=%1 interval=%2: %3 (handler %4, smallest count %5, "
                                "mean interval %6 counts of the source)", REFUSAL_NUMBER(a->config.rate),
                       REFUSAL_STRING(interval_policies[r->policy]->name), REFUSAL_STRING(why),
                       REFUSAL_NUMBER(clocks_to_counts(a->facts.clock_65536, a->cost.handler)),
                       REFUSAL_NUMBER(minimum_of(a)), REFUSAL_NUMBER(a->facts.mean >> 16));
}

static uint64_t nanoseconds(uint64_t clocks)
{
    return tick_nanoseconds(clocks, tick_facts.calibration.rate.clock_hz);
}

/* Of a thousand points in clock time, those that would fall into handlers of ticks. */
static unsigned crowded(const struct tick_plan *a)
{
    return schedule_crowded(&a->schedule, (a->cost.handler + a->cost.walk) >> a->shift);
}

static uint64_t two_digits(uint64_t n)
{
    uint64_t unit = 1;

    while (n / unit >= 100)
        unit *= 10;
    return n - n % unit;
}

/* A rate at which no more than `most` of a thousand would, at least an eighth lower; 0: there is none. */
static uint64_t rate_with(const struct tick_plan *a, unsigned most)
{
    struct tick_plan slower = *a;

    while (slower.config.rate > 1) {
        struct schedule_request r;

        slower.config.rate = two_digits(slower.config.rate - slower.config.rate / 8 - 1);
        if (slower.config.rate == 0)
            break;
        r = request_of(&slower);
        if (schedule_init(&slower.schedule, &r) == 0 && crowded(&slower) <= most)
            return slower.config.rate;
    }
    return 0;
}

static bool refuse_crowd(const struct tick_plan *a, const char *what, const char *word, struct refusal *refusal)
{
    static char needs[48]; /* task context */
    const uint64_t lower = rate_with(a, a->config.cost == COST_ANY ? CROWD_EVER : CROWD_MOST);
    struct text_buf b = TEXT_BUF(needs);

    buf_text(&b, word);
    if (lower != 0)
        buf_parts(&b, " or rate=", DECIMAL(lower));
    return REFUSE_WITH(refusal, "rate=%1 interval=%2: more than %3 of the points would fall into handlers of ticks, "
                       "each of which takes %4 us: it needs %5",
                       REFUSAL_NUMBER(a->config.rate), REFUSAL_STRING(interval_policies[a->config.interval]->name),
                       REFUSAL_STRING(what), REFUSAL_MILLI(nanoseconds(a->cost.handler + a->cost.walk)),
                       REFUSAL_STRING(needs));
}

/* Points in handlers are no samples: few enough do not matter. */
static bool check_crowd(const struct tick_plan *a, struct refusal *refusal)
{
    const unsigned now = a->relative ? 0 : crowded(a);

    if (now > CROWD_EVER)
        return refuse_crowd(a, "half", "arm=relative", refusal);
    return now <= CROWD_MOST || a->config.cost == COST_ANY || refuse_crowd(a, "1 in 20", "cost=any", refusal);
}

static bool plan_schedule(struct tick_plan *a, struct refusal *refusal)
{
    const struct schedule_request request = request_of(a);
    const char *why = schedule_init(&a->schedule, &request);

    a->cost.minimum = request.minimum;
    if (why != 0)
        return refuse_schedule(a, &request, why, refusal);
    why = tick_precision_refusal(&a->config, a->facts.mean, a->cost.minimum);
    if (why != 0)
        return REFUSE_WITH(refusal, "precision= needs an interval, and there is none: %1", REFUSAL_STRING(why));
    return check_crowd(a, refusal);
}

/*
 * Thousandths of a percent.  Between two ticks of intervals that begin in the handler passes the lead beside the
 * interval.
 */
static uint32_t share_of(const struct tick_plan *a)
{
    const uint64_t period = source_period(&a->facts) + (a->relative && a->source->variable ? a->cost.lead : 0);

    return tick_share(a->cost.tick, period);
}

/* `share`: of all samplers together. */
static bool check_share(const struct tick_plan *a, uint32_t share, struct refusal *why)
{
    if (share <= TICK_SHARE_MOST || a->config.cost == COST_ANY)
        return true;
    return REFUSE_WITH(why, "tick=%1 rate=%2: a tick takes %3 us here, and ticks would take %4 percent of the time: "
                       "more than 50 needs cost=any", REFUSAL_STRING(a->source->name), REFUSAL_NUMBER(a->config.rate),
                       REFUSAL_MILLI(nanoseconds(a->cost.tick)), REFUSAL_MILLI(share));
}

static bool plan_share(struct tick_plan *a, struct refusal *why)
{
    a->cost.share = share_of(a);
    return check_share(a, a->cost.share, why);
}

bool tick_plan_make(struct tick_plan *a, struct refusal *why)
{
    const struct source *const named = source_of(a->config.tick, false);

    a->interval = a->config.interval;
    if (named != 0) /* the rate decides whether the line can carry the samples */
        tick_plan_default_rate(&a->config, named);
    if (!monitors_plan(&a->monitors, &a->config, why))
        return false;
    return a->config.tick == TICK_NONE ||
           (choose_source(a, why) && plan_words(a, why) && plan_schedule(a, why) && plan_share(a, why));
}

/* Of both samplers. */
static uint32_t share_in_all(const struct tick_plan *a)
{
    return a->cost.share + (a->config.second_tick != TICK_AUTO ? plan2.cost.share : 0);
}

static void warn_of_share(const struct tick_plan *a)
{
    const uint32_t share = share_in_all(a);

    if (a->config.tick != TICK_NONE && share > TICK_SHARE_WARNED)
        log_line(LOG_WARNING, "rate=", DECIMAL(a->config.rate), ": a tick takes ", MILLI(nanoseconds(a->cost.tick)),
                 " us here, and ticks take ", MILLI(share), " % of the time");
}

void tick_plan_report(const struct tick_plan *a)
{
    warn_of_share(a);
    if (a->cost.walk != 0)
        log_line(LOG_NOTE, "stack=", DECIMAL(a->config.stack), ": the longest walk takes ",
                 MILLI(nanoseconds(a->cost.walk)), " us; no tick is less than ",
                 MILLI(nanoseconds((uint64_t)minimum_of(a) * a->facts.clock_65536 >> 16)),
                 " us behind another's arming");
}

/* Of a time from an expiry, as of cost.handler: that from the entry. */
static uint64_t after_entry(uint64_t time, uint64_t floor)
{
    return time > floor ? time - floor : 0;
}

/*
 * From a usual tick's entry to its arming, as it was measured by IRQ; 0 where it was not.  A tick as NMI was measured
 * in ring 0, where none is usual; its way is longer, and a one-shot must not end before its point.
 */
static uint64_t pit_way(void)
{
    const struct delivery *const d = survey_delivery(false);

    return after_entry(d->usual_lead, d->calibration.running.floor);
}

void tick_plan_set_probe(const struct tick_plan *a, struct probe *p)
{
    p->running = a->facts.running;
    p->halted = a->facts.halted;
    p->periodic = !a->source->variable && !a->source->rearmed;
    p->relative = a->relative;
    p->shift = a->shift;
    p->exit = a->cost.exit + a->cost.walk;
    p->room = 2 * a->cost.handler + a->cost.walk;
    p->schedule = a->schedule;
    if (a->source == &source_pit || a->source == &source_pit_nmi)
        source_pit_set_way(pit_way(), pit_way() != 0 ? pit_way() + source_pit_exit_cost() : a->cost.handler);
}

/* ---- the second sampler ---- */

static uint64_t another(uint64_t seed)
{
    return seed != SEED_BIT ? seed ^ SEED_BIT : 1;
}

/* rate= and interval= are those of the first too; a source with a rate of its own keeps that. */
bool tick_plan_second(const struct tick_plan *first, struct refusal *why)
{
    bool planned;

    plan2.config = first->config;
    plan2.config.tick = first->config.second_tick;
    plan2.config.second_tick = TICK_AUTO;
    plan2.config.given = 0;
    plan2.config.precision = 0; /* only the first sampler has a goal */
    plan2.seed = another(first->seed);
    if (first->config.seed != 0)
        plan2.config.seed = plan2.seed;
    planned = tick_plan_make(&plan2, why);
    plan2.config.precision = first->config.precision;
    return planned && check_share(first, share_in_all(first), why);
}

static void pair_probes(struct probe *p, struct probe *other)
{
    p->peer = other;
    p->busy_from = p->busy_to = p->busy_since = 0;
}

static void apply_second(const struct tick_plan *first)
{
    const struct source *const wrapped[SAMPLERS] = { first->source, plan2.source };

    sources_set(dual_source_wrap(0, first->source), dual_source_wrap(1, plan2.source));
    sampler_set_second(&(struct sampler){
        .probe = &probe2, .config = &plan2.config, .facts = &plan2.facts, .seed = plan2.seed,
        .cost = &plan2.cost,
    }, wrapped);
    tick_plan_set_probe(&plan2, &probe2);
    probe2.goal = UINT64_MAX; /* the first sampler ends the run */
    pair_probes(&probe, &probe2);
    pair_probes(&probe2, &probe);
}

void tick_plan_apply(const struct tick_plan *a)
{
    run_state_set_config(&a->config);
    sampler_set_seed(a->seed);
    interval_asked = a->interval;
    monitors_apply(&a->monitors);
    if (a->config.tick == TICK_NONE)
        return;
    survey_set_delivery(config_via_nmi(&a->config));
    tick_facts.source = a->facts;
    tick_facts.cost = a->cost;
    sources_set(a->source, 0);
    tick_plan_set_probe(a, &probe);
    if (a->config.second_tick != TICK_AUTO)
        apply_second(a);
    probe.goal = a->config.samples != 0 ? a->config.samples : UINT64_MAX;
}
