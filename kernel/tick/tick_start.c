/* SPDX-License-Identifier: MIT */
/* From the configuration to a tick source in force: the measurements of the start, and the plan. */
#include "kernel/tick/tick_plan.h"

#include "drivers/lapic.h"
#include "kernel/cpu/idt.h"
#include "kernel/io/log.h"
#include "kernel/io/shutdown.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"
#include "kernel/measure/one_shot.h"
#include "kernel/measure/yardstick.h"
#include "kernel/sched/clock.h"
#include "kernel/sched/timer.h"
#include "kernel/source/calibrate.h"
#include "kernel/source/nmi_state.h"
#include "kernel/source/sampler.h"
#include "kernel/source/source.h"
#include "kernel/source/source_hpet.h"
#include "kernel/source/straight/pit_plain_tick.h"
#include "kernel/tick/costs.h"
#include "kernel/tick/monitor_config.h"
#include "kernel/tick/sources.h"
#include "kernel/tick/tick_survey.h"
#include "kernel/tick/trace_control.h"
#include "probe/config/config.h"

/* The choice of the system clock. */

#define ALARM_MS 41u /* as that of the 8254 */

/* The whole configuration must agree with the RTC as system clock. */
static void take_rtc(const char *reason)
{
    struct config c = *run_config();
    struct refusal why;

    if (config_given(&c, CONFIG_CLOCK))
        fatal("clock=", DECIMAL(c.clock), ": ", reason, ": clock=rtc does without");
    c.clock = CLOCK_RTC;
    run_state_set_config(&c);
    log_line(LOG_NOTE, reason, ": clock=rtc");
    if (!config_check(&c, &why))
        fatal_refusal(&why);
}

static void hpet_alarm(void)
{
    source_hpet_alarm(ALARM_MS);
}

/* What ends a HLT in which the timer stops: the 8254, unless another stands for it. */
static void choose_alarm(void)
{
    if (reference_tick() == TICK_HPET)
        clock_lapic_alarm_by(hpet_alarm, source_hpet_alarm_off);
}

static bool try_lapic(const struct calibration *c, struct refusal *why)
{
    const uint32_t hz = (uint32_t)run_config()->clock;
    char text[REFUSAL_TEXT];

    choose_alarm();
    timer_choose(&clock_deadline, hz);
    if (timer_calibrate(&c->rate, why))
        return true;
    if (lapic_has_deadline())
        log_line(LOG_NOTE, "the system clock: ", refusal_text(why, text), ": it is used by its counter");
    timer_choose(&clock_lapic, hz);
    return timer_calibrate(&c->rate, why);
}

static void use_rtc(const struct calibration *c)
{
    struct refusal why;

    timer_choose(&clock_rtc, 0);
    if (!timer_calibrate(&c->rate, &why))
        fatal("the system clock: ", refusal_text(&why, (char[REFUSAL_TEXT]){ 0 }));
    log_line(LOG_NOTE, "the system clock is the RTC at ", DECIMAL(timer_hz()),
             " Hz: sleeps are rounded up to its ticks");
}

/*
 * Choose it by clock=, by what the machine has and by what a test of it shows, and measure it.  Where
 * clock= was not given it may become rtc, which is told.  Ends the run where none works.  After calibrate_clocks(),
 * once; interrupts off.
 */
static void clock_choose(const struct calibration *c)
{
    char text[REFUSAL_TEXT];
    struct refusal why;

    if (run_config()->clock != CLOCK_RTC && !lapic_in_use())
        take_rtc("this CPU has no local APIC");
    if (run_config()->clock != CLOCK_RTC && reference_tick() == TICK_LAPIC)
        take_rtc("the local APIC's timer is the only one that can tick");
    if (run_config()->clock != CLOCK_RTC) {
        if (try_lapic(c, &why))
            return;
        if (config_given(run_config(), CONFIG_CLOCK))
            fatal("the system clock: ", refusal_text(&why, text));
        take_rtc(refusal_text(&why, text));
    }
    use_rtc(c);
}

static void tell_rate(const struct source *s, uint64_t before)
{
    if (run_config()->rate != before)
        log_line(LOG_NOTE, "tick=", s->name, ": rate=", DECIMAL(run_config()->rate));
}

/* Monitors are planned by the rate, before the source is chosen. */
static void foresee_rate(void)
{
    struct config c = *run_config();
    const struct source *s = source_of(c.tick, false);
    const uint64_t before = c.rate;

    if (s == 0)
        return;
    tick_plan_default_rate(&c, s);
    run_state_set_config(&c);
    tell_rate(s, before);
}

/* Where the 8254 does not do what it does on most machines: what stands for it, and why. */
static void tell_reference(const struct calibration *c)
{
    const struct source *const s = source_of(reference_tick(), false);
    char text[REFUSAL_TEXT];
    struct refusal why;

    if (!reference_has_pit(&why))
        log_line(LOG_WARNING, refusal_text(&why, text), ": the TSC runs at ", DECIMAL(c->rate.clock_hz), " Hz by ",
                 yardstick_name(yardstick()), ", and latencies are measured with tick=", s->name);
}

/* With the account that will be kept; where none will, as if one were. */
static void measure_entries(struct calibration *c, enum account_kind kind)
{
    struct entry_costs costs;

    trace_control_rehearse(run_config(), true);
    if (!entry_cost_measure(&costs, kind != ACCOUNT_OFF ? kind : ACCOUNT_KEPT))
        fatal("out of memory: the cost of system calls cannot be measured");
    trace_control_rehearse(run_config(), false);
    c->empty_interrupt = costs.empty;
    c->entry_cost = costs.entry;
    c->exit_cost = costs.exit;
    c->tick_exit_cost = costs.tick_exit;
    account_entry_cost = c->entry_cost;
    account_exit_cost = c->exit_cost;
    account_tick_exit_cost = c->tick_exit_cost;
    pit_plain_exit_cost = costs.plain_exit;
    nmi_state.plain_exit_cost = costs.plain_nmi_exit;
}

void tick_start_measure(struct tick_facts *f, enum account_kind kind)
{
    struct calibration *const c = &f->calibration;
    struct refusal why;

    sampler_give_memory();
    sources_set(0, 0); /* the interrupt of the 8254 has its handler */
    if (run_config()->second_tick != TICK_AUTO)
        idt_set_ticks_common(); /* as in the run: kernel/tick/dual_source.c */
    if (!calibrate_clocks(c, &why))
        fatal_refusal(&why);
    sources_set(0, 0); /* the interrupt of what stands for the 8254 too */
    tell_reference(c);
    yardstick_warn();
    clock_choose(c);
    if (!calibrate_latencies(c, &why))
        fatal_refusal(&why);
    measure_entries(c, kind);
    access_cost_measure(&f->access);
    account_cli_cost = c->cli_cost;
    account_sti_cost = c->sti_cost;
    stream_uart_test_irq(c->rate.clock_hz);
    stream_uart_report_start();
    foresee_rate();
}

/* The cost of the handler by each delivery that is used or reported. */
static void measure_ticks(const struct calibration *c, const struct monitor_plan *m, bool all)
{
    const bool via_nmi = config_via_nmi(run_config());

    monitors_apply(m);
    for (int d = 0; d < 2; d++)
        if (all || d == via_nmi)
            survey_measure_delivery(d, c, tick_facts.ticks ? m : 0);
    if (via_nmi && survey_delivery(true)->why.reason != 0)
        fatal("delivery=nmi: ", refusal_text(&survey_delivery(true)->why, (char[REFUSAL_TEXT]){ 0 }));
    survey_set_delivery(via_nmi);
}

void tick_start_plan(struct tick_facts *f)
{
    static struct tick_plan a; /* too large for the stack */
    const struct calibration c = f->calibration;
    const bool all = run_config()->health != HEALTH_OFF;
    const uint64_t rate = run_config()->rate;
    struct refusal why;

    f->ticks = run_config()->tick != TICK_NONE;
    if (!trace_control_plan(run_config(), &why))
        fatal_refusal(&why);
    monitors_measure_cost();
    a.config = *run_config();
    a.seed = sampler_seed();
    if (!monitors_plan(&a.monitors, &a.config, &why))
        fatal_refusal(&why);
    monitors_report(&a.monitors);
    measure_ticks(&c, &a.monitors, all && f->ticks);
    sources_set(0, 0);
    if (!f->ticks)
        return;
    if (!tick_plan_make(&a, &why) || (a.config.second_tick != TICK_AUTO && !tick_plan_second(&a, &why)))
        fatal_refusal(&why);
    survey_detect_all(all);
    tick_plan_apply(&a);
    tell_rate(a.source, rate);
    tick_plan_report(&a);
}
