/* SPDX-License-Identifier: MIT */
/* The idle counters: the record IDLE, or a line of text. */
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/monitor/idle_counters.h"
#include "kernel/report/report_monitors.h"
#include "kernel/report/run.h"
#include "probe/stats/idle_load.h"

static void put_frames(uint64_t serial, bool final)
{
    const struct idle_window *const w = idle_counters_closed();

    (void)final;
    frame_tx_send_head(WIRE_IDLE, &(struct wire_idle){
        .epoch = frame_tx_epoch(), .serial = serial,
        .begin = w->begin - run_state->start, .end = w->end - run_state->start,
        .idle = w->counters.time, .io = w->counters.io, .halts = w->counters.halts,
    });
}

static void put_lines(void)
{
    const struct idle_window *const w = idle_counters_closed();
    const struct idle_load l = { .idle = w->counters.time, .io = w->counters.io, .clock = w->end - w->begin, .halts = w->counters.halts };
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    idle_load_print(&b, &l, tick_facts.calibration.rate.clock_hz, tick_facts.calibration.empty_interrupt);
    report_line(0, text);
}

const struct monitor_report report_idle = { .put_frames = put_frames, .put_lines = put_lines };
