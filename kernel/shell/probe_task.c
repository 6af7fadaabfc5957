/* SPDX-License-Identifier: MIT */
/*
 * The event loop of the task PROBE.  It waits for the end of a second, for received bytes, and for rings that
 * fill.  PROBE is a task like others, with a row of its own in the table.
 */
#include "kernel/shell/shell.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/screen.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/lib/run_state.h"
#include "kernel/report/machine_report.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"
#include "kernel/sched/task_events.h"
#include "kernel/sched/timer.h"
#include "kernel/tick/reconfigure.h"
#include "kernel/tick/trace_rules.h"
#include "kernel/tick/window.h"
#include "kernel/workload/workload.h"

#define SECOND_US    1000000u
#define END_LOOK_US  20000u /* how often the end by samples=, or by the end of programs, is checked */
#define TEXT_SECONDS 60u    /* between tables of a run without end */

/* Whole seconds since the run began. */
static uint64_t second_now(void)
{
    return mul_div64(rdtsc() - run.begin, 1, tick_facts.calibration.rate.clock_hz);
}

/* The TSC at the end of this second, or of the run.  A change of the configuration may move both. */
static uint64_t second_ends(void)
{
    const uint64_t until = run.begin + timer_us_to_clocks(run.second * SECOND_US);

    return until < run.end ? until : run.end;
}

/* What rules about events leave to PROBE. */
static void do_asked(void)
{
    unsigned actions;

    if (run_config()->when.count == 0)
        return;
    irq_disable();
    actions = trace_rules_take();
    irq_enable();
    if (actions & ACTION_WRITE)
        report_trace_write();
    if (actions & ACTION_SNAPSHOT)
        report_show();
}

static void wait_second(void)
{
    while (probe.close != PROBE_STOPPED && rdtsc() < second_ends() && !host_link_shell_call() &&
           !workload_is_over()) {
        const uint64_t look = run_config()->samples != 0 || workload_may_end() ? END_LOOK_US : run_service_us();
        const uint64_t wake = rdtsc() + timer_us_to_clocks(look);

        stream_uart_wait_rx(wake < second_ends() ? wake : second_ends());
        host_link_poll();
        run_service_rings();
        do_asked();
        if (events_fault_backlog())
            report_events();
    }
}

/* Whether to report during the run: frames each second, if the line has room; text each minute of an endless run. */
static bool is_shown(void)
{
    const bool endless = run_config()->seconds == 0 && run_config()->samples == 0 &&
                         run_config()->precision == 0;

    return run_in_frames() ? stream_uart_tx_room() >= STREAM_UART_TX_RING / 2
                           : endless && run.second % TEXT_SECONDS == 0;
}

/* windows=: another window, with the next seed. */
static void next_window(void)
{
    static struct reconfiguration next;
    static struct config w;
    struct refusal why;
    char text[REFUSAL_TEXT], ended[TEXT_BUF_SIZE];
    struct text_buf reason = TEXT_BUF(ended);
    const uint64_t seed = reconfigure_next_seed();

    report_end_window(&reason);
    w = *run_config();
    w.given = 0;
    if (w.seed != 0)
        w.seed = seed;
    if (!reconfigure_check(&next, &w, seed, &why))
        run_finish(false, refusal_text(&why, text));
    next.seconds = true;
    if (run_in_frames())
        report_end_record(true, ended);
    run_begin_epoch(&next);
    report_config(&next);
}

/* Until seconds=, samples= or precision= ends the window, or the programs of files have ended. */
static void watch_window(void)
{
    for (run.second = 1; probe.close != PROBE_STOPPED; run.second++) {
        report_trace_sync();
        wait_second();
        report_events();
        report_processes();
        task_reclaim();
        report_samples_flush();
        report_received();
        host_link_poll();
        if (host_link_shell_call()) {
            const char *const first = host_link_shell_call();

            host_link_call_taken();
            shell_run(&run.end, first);
            run.second = second_now();
            continue;
        }
        if (rdtsc() >= run.end || probe.close == PROBE_STOPPED || workload_is_over())
            return;
        report_periodic(is_shown());
    }
}

static _Noreturn void probe_task(void)
{
    host_link_init();
    screen_paint_later();
    report_renumber();
    if (run_in_frames()) {
        report_hello();
        report_programs();
        machine_report_send();
    }
    run_service_rings();
    run_set_end();
    if (!run_in_frames() && run_config()->shell == SHELL_ON)
        shell_run(&run.end, "");
    for (uint64_t window = 1; window < run_config()->windows; window++) {
        watch_window();
        next_window();
    }
    watch_window();
    run_conclude();
}

bool probe_task_start(void)
{
    events_on_fault_backlog(stream_uart_wake_reader);
    report_samples_prepare();
    report_trace_prepare();
    struct task *const t = task_create_kernel("PROBE", workload_id("PROBE", "probe", TASKS_MAX), probe_task);

    if (t != 0)
        task_start(t);
    return t != 0;
}
