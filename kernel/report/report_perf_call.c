/* SPDX-License-Identifier: MIT */
/* The performance counters: the record PERFCALL, or a line of text. */
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/monitor/perf_call.h"
#include "kernel/report/report_monitors.h"
#include "kernel/report/run.h"
#include "probe/stats/load_methods.h"

static void put_frames(uint64_t serial, bool final)
{
    const struct perf_window *const w = perf_call_closed();

    (void)final;
    frame_tx_send_head(WIRE_PERFCALL, &(struct wire_perfcall){
        .epoch = frame_tx_epoch(), .serial = serial,
        .begin = w->begin - run_state->start, .end = w->end - run_state->start,
        .time = w->counters.time, .idle = w->counters.idle, .busy = w->counters.busy, .interrupt = w->counters.interrupt,
    });
}

static void put_lines(void)
{
    const struct perf_counters *const c = &perf_call_closed()->counters;
    const struct perf_load l = { c->time, c->idle, c->busy, c->interrupt };
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    perf_load_print(&b, &l, tick_facts.calibration.rate.clock_hz);
    report_line(0, text);
}

const struct monitor_report report_perf_call = { .put_frames = put_frames, .put_lines = put_lines };
