/* SPDX-License-Identifier: MIT */
/* Intercepted interrupts by vector: the record INTERCEPT, or lines of text. */
#include "kernel/cpu/irq.h"
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/monitor/intercept.h"
#include "kernel/report/report_monitors.h"
#include "kernel/report/run.h"
#include "probe/stats/intercept_print.h"

static bool is_tick(unsigned vector)
{
    return irqs[vector].tick != 0 && !irqs[vector].tick_shared;
}

static void put_frames(uint64_t serial, bool final)
{
    const struct intercept_window *const w = intercept_closed();

    (void)final;
    frame_tx_begin(WIRE_INTERCEPT, &(struct wire_intercept){
        .epoch = frame_tx_epoch(), .serial = serial, .begin = w->begin - run_state->start,
        .end = w->end - run_state->start, .starts = w->starts,
    });
    for (unsigned v = 0; v < INTERCEPT_VECTORS; v++) {
        const struct intercept_row *const r = &w->row[v];
        char name[16];
        struct wire_intercept_row row = {
            .vector = v, .tick = is_tick(v), .count = r->count, .time = r->time, .greatest = r->greatest,
            .latencies = r->latencies, .latency = r->latency, .latency_greatest = r->latency_greatest,
        };

        if (r->count == 0)
            continue;
        intercept_name(v, name);
        row.name = (struct wire_text){ name, string_length(name) };
        frame_tx_row(&row);
    }
    frame_tx_end();
}

static void put_lines(void)
{
    const struct intercept_window *const w = intercept_closed();
    char text[TEXT_BUF_SIZE];

    intercept_print_head(text);
    report_line(0, text);
    for (unsigned v = 0; v < INTERCEPT_VECTORS; v++) {
        const struct intercept_row *const r = &w->row[v];
        char name[16];

        if (r->count == 0)
            continue;
        intercept_name(v, name);
        intercept_print(text, &(struct intercept_line){
            .name = name, .count = r->count, .time = r->time, .greatest = r->greatest, .latencies = r->latencies,
            .latency = r->latency, .latency_greatest = r->latency_greatest, .window = w->end - w->begin,
            .clock_hz = tick_facts.calibration.rate.clock_hz,
        });
        report_line(0, text);
    }
}

const struct monitor_report report_intercept = { .put_frames = put_frames, .put_lines = put_lines };
