/* SPDX-License-Identifier: MIT */
/*
 * The task PROBE and the course of its run: seconds, windows, changes of words, the
 * end.  A normal task, with a row of its own.
 */
#include "kernel/display.h"

#include "drivers/io.h"
#include "kernel/account.h"
#include "kernel/beside.h"
#include "kernel/change.h"
#include "kernel/control.h"
#include "kernel/health.h"
#include "kernel/link.h"
#include "kernel/monitors.h"
#include "kernel/muldiv.h"
#include "kernel/options.h"
#include "kernel/say.h"
#include "kernel/serial.h"
#include "kernel/shell.h"
#include "kernel/task.h"
#include "kernel/tick.h"
#include "kernel/timer.h"
#include "kernel/workload.h"

#define SECOND_US    1000000u
#define EPOCH_STEP   6364136223846793005ull /* Knuth's multiplier: no epoch comes again */
#define LOOK_US      20000u /* how often the end by samples= is looked for */
#define QUIET_US     20000u /* the last tick that was asked for, and what its source sends, has passed */
#define TEXT_SECONDS 60u    /* between tables of a run without end */

struct display_facts display_facts; /* legend in display.h */

static uint64_t run_end; /* clock units; task PROBE, as all below */
static uint64_t second;  /* of the run */

/* Within this many microseconds rings want to be looked after. */
static uint64_t look_us(void)
{
    const uint64_t us = AHEAD_ROOM / 2 * (uint64_t)SECOND_US / options.words.rate;
    const uint64_t samples = display_samples_look_us();

    return us < samples ? us : samples;
}

/* Draw intervals ahead, and send what the ring of raw samples holds. */
static void look_after(void)
{
    for (unsigned i = 0; i < lanes() && display_facts.ticks; i++)
        ahead_fill(&lane_at(i).probe->ahead, AHEAD_FULL);
    display_samples();
}

/* The moment when the run ends, whatever was seen by then. */
static void set_end(void)
{
    const uint64_t seconds = options.words.seconds;

    run_end = seconds != 0 ? options.begin + timer_clocks(seconds * SECOND_US) : UINT64_MAX;
}

/*
 * The old source is quiet before the new one is set up; its last byte, where it sends
 * any, passes first.
 */
static void put(const struct change *c)
{
    const uint32_t given = options.words.given;
    const uint64_t quiet = display_stopped() + timer_clocks(QUIET_US);

    if (display_facts.ticks && rdtsc() < quiet)
        timer_sleep_until(quiet);
    masked_begin();
    if (display_facts.ticks)
        tick_stop();
    change_put(c);
    options.words.given |= given; /* at the start or since */
    masked_end();
    if (!c->seconds)
        return;
    options.begin = rdtsc();
    second = 1;
    set_end();
}

void display_go_on(const struct change *c)
{
    put(c);
    options.epoch = (options.epoch * EPOCH_STEP + 1) & ~WIRE_SECOND;
    display_renumber();
    link_begin();
    display_samples_prepare();
    masked_begin();
    if (display_facts.ticks)
        tick_begin();
    else
        tick_begin_none();
    masked_end();
}

/* What is in force from here on. */
static void tell_words(const struct change *c)
{
    const struct words *w = &options.words;

    monitors_tell(&c->arrangement.monitoring);
    if (options_frames()) {
        display_hello();
        health_send();
    } else {
        say(SAY_NOTE, "from here on tick=", words_name(w, "tick"), " delivery=", words_name(w, "delivery"),
            " rate=", DECIMAL(w->rate), " interval=", words_name(w, "interval"), " seed=",
            DECIMAL(options.seed));
    }
}

/* The window is closed and shown, its epoch ends, and the next one begins with counters of its own. */
void display_change(const struct change *c)
{
    display_stop();
    if (!shell_is_open())
        display_show_last();
    display_transitions();
    if (options_frames())
        display_end(true, "the words were changed");
    display_go_on(c);
    tell_words(c);
}

uint64_t display_tend(uint64_t until)
{
    const uint64_t look = rdtsc() + timer_clocks(look_us());

    look_after();
    return look < until ? look : until;
}

/* Whole seconds since the run began. */
static uint64_t second_now(void)
{
    return muldiv(rdtsc() - options.begin, 1, display_facts.calibration.rate.clock_hz);
}

/* The second, or the run, is over: a change may have set both anew. */
static uint64_t second_ends(void)
{
    const uint64_t until = options.begin + timer_clocks(second * SECOND_US);

    return until < run_end ? until : run_end;
}

static void wait_second(void)
{
    while (probe.close != PROBE_STOPPED && rdtsc() < second_ends() && !control_called()) {
        const uint64_t look = options.words.samples != 0 ? LOOK_US : look_us();
        const uint64_t wake = rdtsc() + timer_clocks(look);

        serial_listen(wake < second_ends() ? wake : second_ends());
        control_take();
        look_after();
    }
}

/* Whether something is shown while the run goes on: frames each second, as the line allows. */
static bool is_shown(void)
{
    const bool endless = options.words.seconds == 0 && options.words.samples == 0 &&
                         options.words.precision == 0;

    return options_frames() ? serial_room() >= SERIAL_RING / 2 : endless && second % TEXT_SECONDS == 0;
}

_Noreturn void display_conclude(void)
{
    display_finish(true, display_end_window());
}

/* windows=: the same again with the next seed. */
static void next_window(void)
{
    static struct change next;
    static char sentence[WORDS_SENTENCE];
    const char *const reason = display_end_window();
    const uint64_t seed = change_next_seed();
    struct words w = options.words;

    w.given = 0;
    if (w.seed != 0)
        w.seed = seed;
    if (!change_judge_words(&next, &w, seed, sentence))
        display_finish(false, sentence);
    next.seconds = true;
    if (options_frames())
        display_end(true, reason);
    display_go_on(&next);
    tell_words(&next);
}

/* Until the window has an end, by seconds=, samples= or precision=. */
static void watch_window(void)
{
    for (second = 1; probe.close != PROBE_STOPPED; second++) {
        wait_second();
        display_events();
        display_samples_flush();
        control_tell();
        control_take();
        if (control_called()) {
            const char *const first = control_called();

            control_answered();
            shell_run(&run_end, first);
            second = second_now();
            continue;
        }
        if (rdtsc() >= run_end || probe.close == PROBE_STOPPED)
            return;
        display_meanwhile(is_shown());
    }
}

static _Noreturn void display_task(void)
{
    control_begin();
    if (options_frames()) {
        display_hello();
        health_send();
    }
    look_after();
    set_end();
    if (!options_frames() && options.words.shell == SHELL_ON)
        shell_run(&run_end, "");
    for (uint64_t window = 1; window < options.words.windows; window++) {
        watch_window();
        next_window();
    }
    watch_window();
    display_conclude();
}

bool display_start(void)
{
    display_samples_prepare();
    return task_kernel("PROBE", workload_id("PROBE", "probe", TASKS_MAX), display_task) != 0;
}
