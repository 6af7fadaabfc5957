/* SPDX-License-Identifier: MIT */
/* The survey of this machine's ticks at the start: deliveries and sources. */
#include "kernel/measure/one_shot.h"
#include "kernel/tick/tick_survey.h"

#include "kernel/account/exact_time.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/idt.h"
#include "kernel/cpu/irq.h"
#include "kernel/lib/run_state.h"
#include "kernel/sched/timer.h"
#include "kernel/source/pit_line.h"
#include "kernel/source/sampler.h"
#include "kernel/source/source_hpet.h"
#include "kernel/source/source_pit.h"
#include "kernel/tick/costs.h"
#include "kernel/tick/sources.h"

#define DELIVERIES 2

static const char not_measured[] = "not measured at the start: health=off, or tick=none";

/* Set at the start, as the next two. */
static struct delivery deliveries[DELIVERIES] = { { .why.reason = not_measured }, { .why.reason = not_measured } };

static struct record {
    bool detected;
    struct source_survey survey;
} records[DELIVERIES][TICK_NONE]; /* by enum config_tick */

static struct refusal lost_nmi; /* why NMIs cannot be used is about it */
static bool closed;           /* set once */

static bool refuse_nmi(const struct nmi_proof *proof, struct refusal *why)
{
    if (!nmi_can_come(why))
        return false;
    if (proof->pins == 0)
        return REFUSE(why, "no I/O APIC answers at 0xfec00000");
    if (!calibrate_check(&lost_nmi))
        return REFUSE_WITH(why, "as NMI %1", REFUSAL_INNER(&lost_nmi));
    if (reference_tick() != TICK_PIT)
        return REFUSE_WITH(why, "of %1 one-shots of the HPET %2 came as NMI", REFUSAL_NUMBER(HPET_PROOFS),
                           REFUSAL_NUMBER(proof->arrived[0]));
    return REFUSE_WITH(why, "of %1 one-shots of the PIT %2 came as NMI through pin %3 of the I/O APIC, "
                            "and %4 through pin %5", REFUSAL_NUMBER(PIT_PROOFS), REFUSAL_NUMBER(proof->arrived[0]),
                       REFUSAL_NUMBER(source_pit_tried(0)), REFUSAL_NUMBER(proof->arrived[1]),
                       REFUSAL_NUMBER(source_pit_tried(1)));
}

/* Measure the latencies of NMIs; false: there is no such delivery. */
static bool measure_nmi(struct calibration *c, struct refusal *why)
{
    struct nmi_proof proof;

    probe.via_nmi = true;
    if (calibrate_nmi(c, &proof))
        return true;
    probe.via_nmi = false;
    pit_line_open();
    return refuse_nmi(&proof, why);
}

/* Without a PIT what stands for it has the cost of a tick's handler. */
static void take_cost(bool via_nmi, struct handler_cost *cost, struct refusal *why)
{
    const struct source_survey *found;

    survey_detect(reference_tick(), 0);
    found = survey_source(reference_tick(), via_nmi);
    *cost = found->cost;
    if (found->why.reason != 0)
        refusal_set(why, &found->why);
}

/*
 * Beside other monitors, which the run may stop, no tick is usual: with the longer lead of the general handler usual
 * ticks would come before their points.
 */
static uint64_t usual_lead(const struct delivery *d, const struct monitor_plan *m)
{
    static struct config asked, alone; /* too large for the stack */
    struct handler_cost cost = d->cost;
    struct refusal why;

    if ((m->monitors == PROBE_SYSTEM && !(run_config()->monitor & MONITOR_TRACED)) ||
        run_config()->second_tick != TICK_AUTO)
        return cost.lead;
    asked = alone = *run_config();
    alone.monitor = MONITOR_SYSTEM;
    run_state_set_config(&alone);
    monitors_apply(&(struct monitor_plan){ .monitors = PROBE_SYSTEM, .thin = 1 });
    if (!handler_cost_of_pit(&cost, &why))
        cost.lead = 0;
    run_state_set_config(&asked);
    monitors_apply(m);
    return cost.lead;
}

void survey_measure_delivery(bool via_nmi, const struct calibration *c, const struct monitor_plan *m)
{
    struct delivery *const d = &deliveries[via_nmi];

    d->calibration = *c;
    if (via_nmi && !measure_nmi(&d->calibration, &d->why))
        return;
    survey_set_delivery(via_nmi);
    if (m == 0)
        return;
    d->why.reason = 0;
    if (reference_tick() == TICK_PIT)
        handler_cost_of_pit(&d->cost, &d->why);
    else
        take_cost(via_nmi, &d->cost, &d->why);
    d->monitors = monitors_cost(m);
    if (!via_nmi && reference_tick() == TICK_PIT && d->why.reason == 0)
        d->usual_lead = usual_lead(d, m);
}

const struct delivery *survey_delivery(bool via_nmi)
{
    return &deliveries[via_nmi];
}

/*
 * Set the account's clock to the TSC without a jump in its times.  Ticks by IRQ read the TSC for
 * it (account_tick_exit()), so that `stolen` must be 0 then.
 */
static void rebase_account(void)
{
    account.last += account.nmi_time;
    account.nmi_time = 0;
}

void survey_set_delivery(bool via_nmi)
{
    const struct calibration *const c = &deliveries[via_nmi].calibration;

    idt_set_nmi(via_nmi); /* first: no NMI may add to `stolen` after it was set to 0 */
    rebase_account();
    probe.via_nmi = via_nmi;
    probe.running = c->running;
    probe.halted = c->halted;
    source_pit_set_clock(&(struct source_pit_clock){
        .per_65536 = c->per_65536, .behind = c->counts_past, .late = c->running.late, .longest = c->longest,
        .invariant = cpu.invariant_tsc, .stops = c->tsc_stops,
    });
    tick_facts.calibration = *c;
}

/*
 * A UART may be the stream's: it is not made to tick before the run, and the PIT's tick stands for its own, as for
 * that of the system clock.
 */
static void measure_cost(const struct source *s, struct source_survey *found)
{
    if (s->variable)
        handler_cost_of_source(&found->cost, &found->facts, &found->why);
    else if (s->vector == TICK_VECTOR || s == &source_rtc)
        handler_cost_of_periodic(&found->cost, &found->facts, &found->why);
}

void survey_detect(enum config_tick tick, uint32_t rate)
{
    const struct calibration *const c = &deliveries[probe.via_nmi].calibration;
    const struct source *const s = source_of(tick, probe.via_nmi), *const before = tick_source;
    struct record *const r = &records[probe.via_nmi][tick];
    struct source_survey *const found = &r->survey;

    if (closed || r->detected)
        return;
    r->detected = true;
    *found = (struct source_survey){ .facts = { .rate = rate, .running = c->running, .halted = c->halted } };
    if (s->vector == timer_vector()) {
        REFUSE(&found->why, "its timer is the system clock's");
        return;
    }
    sources_set(s, 0);
    if (s->detect(&found->facts, c, &found->why) && !s->precalibrated)
        measure_cost(s, found);
    sources_set(before, 0);
}

const struct source_survey *survey_source(enum config_tick tick, bool via_nmi)
{
    struct record *const r = &records[via_nmi][tick];

    if (!r->detected && deliveries[via_nmi].why.reason != 0)
        r->survey.why = deliveries[via_nmi].why;
    else if (!r->detected)
        REFUSE(&r->survey.why, not_measured);
    return &r->survey;
}

void survey_detect_all(bool all)
{
    const bool before = probe.via_nmi;
    const struct source *s;

    for (int d = 0; d < DELIVERIES; d++) {
        if (deliveries[d].why.reason != 0)
            continue;
        survey_set_delivery(d);
        for (enum config_tick tick = TICK_PIT; tick < TICK_NONE; tick++)
            if ((s = source_of(tick, d)) != 0 && (all || s->precalibrated))
                survey_detect(tick, 0);
    }
    survey_set_delivery(before);
}

void survey_close(void)
{
    closed = true;
}
