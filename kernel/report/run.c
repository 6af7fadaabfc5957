/* SPDX-License-Identifier: MIT */
/* The run: servicing its rings, changes of its configuration, epochs, its end. */
#include "kernel/report/run.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/io/screen.h"
#include "kernel/lib/run_state.h"
#include "kernel/report/machine_report.h"
#include "kernel/sched/timer.h"
#include "kernel/source/sampler.h"
#include "kernel/tick/monitor_config.h"
#include "kernel/tick/reconfigure.h"
#include "kernel/tick/window.h"

#define SECOND_US    1000000u
#define EPOCH_STEP   6364136223846793005ull /* Knuth's multiplier of an LCG: no epoch repeats */
#define QUIET_US     20000u /* until the last tick, and what its source sends, is over */

uint64_t run_service_us(void)
{
    const uint64_t us = POINT_QUEUE_SIZE / 2 * (uint64_t)SECOND_US / run_config()->rate;
    const uint64_t samples = report_samples_service_us(), events = report_trace_service_us();
    const uint64_t soonest = samples < events ? samples : events;

    return us < soonest ? us : soonest;
}

void run_service_rings(void)
{
    for (unsigned i = 0; i < samplers() && tick_facts.ticks; i++)
        point_queue_fill(&sampler_at(i).probe->queue, POINT_QUEUE_MAX);
    report_samples();
    report_trace();
    report_task_notes();
    screen_paint();
}

/*
 * The old source is stopped before the new one starts.  If its ticks are bytes on a line,
 * the last byte leaves first.
 */
static void put(const struct reconfiguration *c)
{
    const uint64_t quiet = report_stopped_at() + timer_us_to_clocks(QUIET_US);

    if (tick_facts.ticks && rdtsc() < quiet)
        timer_sleep_until(quiet);
    irq_disable();
    if (tick_facts.ticks)
        window_stop();
    reconfigure_apply(c);
    irq_enable();
    if (!c->seconds)
        return;
    run.begin = rdtsc();
    run.second = 1;
    run_set_end();
}

void run_begin_epoch(const struct reconfiguration *c)
{
    put(c);
    frame_tx_set_epoch((frame_tx_epoch() * EPOCH_STEP + 1) & ~WIRE_SECOND);
    report_renumber();
    frame_tx_restart();
    report_samples_prepare();
    report_trace_prepare();
    if (tick_facts.ticks)
        window_prepare();
    irq_disable();
    if (tick_facts.ticks)
        window_begin();
    else
        window_begin_without_ticks();
    irq_enable();
}

void report_config(const struct reconfiguration *c)
{
    const struct config *w = run_config();

    monitors_report(&c->plan.monitors);
    tick_plan_report(&c->plan);
    if (run_in_frames()) {
        report_hello();
        report_programs();
        machine_report_send();
    } else {
        log_line(LOG_NOTE, "from here on tick=", config_value_name(w, CONFIG_TICK), " delivery=",
                 config_value_name(w, CONFIG_DELIVERY), " rate=", DECIMAL(w->rate), " interval=",
                 config_value_name(w, CONFIG_INTERVAL), " seed=", DECIMAL(sampler_seed()));
    }
}

/* End the window and its epoch; the next epoch has counters of its own. */
void run_change_config(const struct reconfiguration *c, bool shown)
{
    report_stop_window();
    if (shown)
        report_show_last();
    report_transitions();
    if (run_in_frames())
        report_end_record(true, "the words were changed");
    run_begin_epoch(c);
    report_config(c);
}

uint64_t run_service(uint64_t until)
{
    const uint64_t look = rdtsc() + timer_us_to_clocks(run_service_us());

    run_service_rings();
    return look < until ? look : until;
}

_Noreturn void run_conclude(void)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf reason = TEXT_BUF(text);

    screen_hold_page(false);
    report_end_window(&reason);
    run_finish(true, text);
}
