/* SPDX-License-Identifier: MIT */
/*
 * Windows: has a tick of each source close one, makes snapshots of what was closed,
 * prints or sends them, and resumes or ends the window.
 */
#include "kernel/report/run.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/log.h"
#include "kernel/io/screen.h"
#include "kernel/lib/run_state.h"
#include "kernel/monitor/software_monitors.h"
#include "kernel/sched/timer.h"
#include "kernel/source/sampler.h"
#include "kernel/tick/window.h"

#define LOOK_US     20000u /* longest sleep between two looks for the closing tick */
#define SOON_US     1000u  /* the first one */
#define QUIET_LOOKS 500u   /* looks without a tick: the source is dead */

static struct snapshot snapshots[SAMPLERS]; /* task PROBE, as all below */
static uint64_t serial_number;
static uint64_t stopped_at; /* TSC */

void report_renumber(void)
{
    serial_number = 0;
    report_turns_begin();
}

static void read_closed(unsigned number, bool final)
{
    const struct sampler sampler = sampler_at(number);
    uint32_t state;

    do { /* a last tick may close the window again while it is being read */
        state = sampler.probe->close;
        report_make_snapshot(&snapshots[number], &sampler, final);
        snapshots[number].serial = serial_number;
    } while (sampler.probe->close != state);
}

/* As frames: what is due, or all of it where somebody asked, and at the end. */
enum showing { SHOW_TURN, SHOW_ASKED, SHOW_FINAL };

static void show_frames(enum showing how)
{
    if (how == SHOW_TURN)
        report_snapshots_in_turn(snapshots);
    else
        report_snapshots_in_full(snapshots);
}

static void show(enum showing how)
{
    const bool final = how == SHOW_FINAL;

    serial_number++;
    for (unsigned i = 0; i < samplers(); i++)
        read_closed(i, final);
    software_monitors_settle();
    if (run_in_frames())
        show_frames(how);
    else
        report_text(snapshots, report_line);
    software_monitors_report((struct monitor_turn){ serial_number, run.second, .final = final }, report_line);
    report_disk();
    report_trace_counts();
    report_rules_counts();
    report_states_flush();
    if (run_in_frames())
        report_calls();
}

/* Whether all sources have closed the window; `stopped`: and will tick no more. */
static bool are_closed(bool stopped)
{
    bool all = true;

    for (unsigned i = 0; i < samplers(); i++) {
        const uint32_t close = sampler_at(i).probe->close;

        all &= close == PROBE_STOPPED || (close == PROBE_CLOSED && !stopped);
    }
    return all;
}

/*
 * Wait for the ticks; where none comes any more the run ends.
 * The first looks come soon: somebody may wait for the answer.
 */
static void await(bool stopped)
{
    uint32_t look = SOON_US;

    for (unsigned looks = 0; !are_closed(stopped); looks++) {
        if (looks == QUIET_LOOKS)
            run_finish(false, "the tick source stopped: no tick for ten seconds");
        timer_sleep_us(look);
        look = 2 * look < LOOK_US ? 2 * look : LOOK_US;
    }
}

/* Have a tick close the window. */
static void close_window(enum probe_close how)
{
    if (!tick_facts.ticks) {
        irq_disable();
        window_close_without_ticks();
        irq_enable();
        return;
    }
    irq_disable(); /* the last tick may come just now */
    for (unsigned i = 0; i < samplers(); i++)
        probe_request_close(sampler_at(i).probe, how);
    irq_enable();
    await(false);
}

static void resume(void)
{
    irq_disable();
    for (unsigned i = 0; i < samplers(); i++)
        probe_resume(sampler_at(i).probe);
    irq_enable();
}

struct snapshot *report_peek(void)
{
    close_window(PROBE_CLOSE_REQUESTED);
    for (unsigned i = 0; i < samplers(); i++)
        read_closed(i, false);
    resume();
    return snapshots;
}

/* On the screen, from the snapshot that was made last. */
static void put_page(bool over)
{
    if (screen_has_page())
        report_page(&snapshots[0], over);
}

void report_show(void)
{
    close_window(PROBE_CLOSE_REQUESTED);
    show(SHOW_ASKED);
    resume();
    put_page(false);
}

void report_show_last(void)
{
    show(SHOW_FINAL);
}

void report_stop_window(void)
{
    close_window(PROBE_STOP_REQUESTED);
    stopped_at = rdtsc();
    report_samples_end();
    report_trace_end();
}

uint64_t report_stopped_at(void)
{
    return stopped_at;
}

/* Whether the closed window has reached precision=; then it ends, without a last tick. */
static bool is_enough(void)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf unused = TEXT_BUF(text);

    if (run_config()->precision == 0)
        return false;
    read_closed(0, false);
    if (!report_precise(&snapshots[0], &unused))
        return false;
    irq_disable();
    for (unsigned i = 0; i < samplers(); i++)
        probe_finish(sampler_at(i).probe);
    irq_enable();
    await(true);
    return true;
}

void report_periodic(bool room)
{
    const bool shares = report_rules_watch_shares(), turn = !run_in_frames() || report_turns_second(room);
    const bool shown = room && turn;

    if (!shown && run_config()->precision == 0 && !shares && !screen_has_page())
        return;
    close_window(PROBE_CLOSE_REQUESTED);
    if (is_enough())
        return;
    if (shares) {
        read_closed(0, false);
        report_rules_look(&snapshots[0]);
    }
    if (shown)
        show(SHOW_TURN);
    else if (screen_has_page())
        read_closed(0, false);
    resume();
    put_page(false);
}

void report_end_window(struct text_buf *reason)
{
    report_stop_window();
    show(SHOW_FINAL);
    put_page(true);
    report_transitions();
    if (run_config()->precision == 0) {
        buf_text(reason, "complete");
        return;
    }
    report_precise(&snapshots[0], reason);
    if (!run_in_frames())
        log_line(LOG_NOTE, reason->text);
}
