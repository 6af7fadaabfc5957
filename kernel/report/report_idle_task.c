/* SPDX-License-Identifier: MIT */
/* The counts of tasks at idle priority: the record IDLETASK, or a line of text each. */
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/monitor/idle_task.h"
#include "kernel/report/report_monitors.h"
#include "kernel/report/run.h"
#include "probe/stats/load_methods.h"

static void put_frames(uint64_t serial, bool final)
{
    const struct idle_task_row *r;

    (void)final;
    frame_tx_begin(WIRE_IDLETASK, &(struct wire_idletask){ .epoch = frame_tx_epoch(), .serial = serial });
    for (uint32_t i = 0; (r = idle_task_row(i)) != 0; i++)
        if (r->counts.took != 0)
            frame_tx_row(&(struct wire_idletask_row){
                .task = r->task, .id = r->id, .begin = r->begin - run_state->start, .end = r->end - run_state->start,
                .count = r->counts.count, .calibrated = r->counts.calibrated, .took = r->counts.took,
            });
    frame_tx_end();
}

static void put_line(const struct idle_task_row *r)
{
    const struct idle_task_load l = { r->end - r->begin, r->counts.count, r->counts.calibrated, r->counts.took };
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    idle_task_print(&b, r->name, &l, tick_facts.calibration.rate.clock_hz);
    report_line(0, text);
}

static void put_lines(void)
{
    if (idle_task_row(0) == 0)
        report_line(0, "idletask no task counts at idle priority: one is made where the boot line has monitor=idletask");
    for (uint32_t i = 0; idle_task_row(i) != 0; i++)
        put_line(idle_task_row(i));
}

const struct monitor_report report_idle_task = { .put_frames = put_frames, .put_lines = put_lines };
