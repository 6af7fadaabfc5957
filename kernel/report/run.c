/* SPDX-License-Identifier: MIT */
/* The course of the run: its rings, changes of words, a window behind another, the end. */
#include "kernel/report/run.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"
#include "kernel/report/machine_report.h"
#include "kernel/sched/timer.h"
#include "kernel/tick/monitor_config.h"
#include "kernel/tick/reconfigure.h"
#include "kernel/tick/window.h"

#define SECOND_US    1000000u
#define EPOCH_STEP   6364136223846793005ull /* Knuth's multiplier: no epoch comes again */
#define QUIET_US     20000u /* the last tick that was asked for, and what its source sends, has passed */

struct run run; /* legend in display.h */

uint64_t display_look_us(void)
{
    const uint64_t us = AHEAD_ROOM / 2 * (uint64_t)SECOND_US / options.words.rate;
    const uint64_t samples = display_samples_look_us();

    return us < samples ? us : samples;
}

void display_look_after(void)
{
    for (unsigned i = 0; i < samplers() && tick_facts.ticks; i++)
        ahead_fill(&sampler_at(i).probe->ahead, AHEAD_FULL);
    display_samples();
}

void display_set_end(void)
{
    const uint64_t seconds = options.words.seconds;

    run.end = seconds != 0 ? options.begin + timer_clocks(seconds * SECOND_US) : UINT64_MAX;
}

/*
 * The old source is quiet before the new one is set up; its last byte, where it sends
 * any, passes first.
 */
static void put(const struct reconfiguration *c)
{
    const uint32_t given = options.words.given;
    const uint64_t quiet = display_stopped() + timer_clocks(QUIET_US);

    if (tick_facts.ticks && rdtsc() < quiet)
        timer_sleep_until(quiet);
    irq_disable();
    if (tick_facts.ticks)
        window_stop();
    reconfigure_apply(c);
    options.words.given |= given; /* at the start or since */
    irq_enable();
    if (!c->seconds)
        return;
    options.begin = rdtsc();
    run.second = 1;
    display_set_end();
}

void display_go_on(const struct reconfiguration *c)
{
    put(c);
    options.epoch = (options.epoch * EPOCH_STEP + 1) & ~WIRE_SECOND;
    display_renumber();
    link_begin();
    display_samples_prepare();
    irq_disable();
    if (tick_facts.ticks)
        window_begin();
    else
        window_begin_without_ticks();
    irq_enable();
}

void display_tell_words(const struct reconfiguration *c)
{
    const struct config *w = &options.words;

    monitors_report(&c->arrangement.monitoring);
    if (options_frames()) {
        display_hello();
        health_send();
    } else {
        say(SAY_NOTE, "from here on tick=", config_value_name(w, "tick"), " delivery=", config_value_name(w, "delivery"),
            " rate=", DECIMAL(w->rate), " interval=", config_value_name(w, "interval"), " seed=",
            DECIMAL(options.seed));
    }
}

/* The window is closed and shown, its epoch ends, and the next one begins with counters of its own. */
void display_change(const struct reconfiguration *c, bool shown)
{
    display_stop();
    if (shown)
        display_show_last();
    display_transitions();
    if (options_frames())
        display_end(true, "the words were changed");
    display_go_on(c);
    display_tell_words(c);
}

uint64_t display_tend(uint64_t until)
{
    const uint64_t look = rdtsc() + timer_clocks(display_look_us());

    display_look_after();
    return look < until ? look : until;
}

_Noreturn void display_conclude(void)
{
    display_finish(true, display_end_window());
}
