/* SPDX-License-Identifier: MIT */
/* The performance counters: the record PERFCALL, or a line of text. */
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/monitor/perf_call.h"
#include "kernel/report/run.h"
#include "probe/stats/load_methods.h"

static void put_frame(const struct perf_window *w, uint64_t serial)
{
    frame_tx_send_head(WIRE_PERFCALL, &(struct wire_perfcall){
        .epoch = frame_tx_epoch(), .serial = serial,
        .begin = w->begin - run_state->start, .end = w->end - run_state->start,
        .time = w->counters.time, .idle = w->counters.idle, .busy = w->counters.busy, .interrupt = w->counters.interrupt,
    });
}

static void put_line(const struct perf_counters *c)
{
    const struct perf_load l = { c->time, c->idle, c->busy, c->interrupt };
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    perf_load_print(&b, &l, tick_facts.calibration.rate.clock_hz);
    report_line(0, text);
}

void report_perf_call(uint64_t serial)
{
    if (!software_monitors_has(MONITOR_PERFCALL))
        return;
    if (run_in_frames())
        put_frame(perf_call_closed(), serial);
    else
        put_line(&perf_call_closed()->counters);
}
