/* SPDX-License-Identifier: MIT */
/* The table of processes: the record PROCTABLE, or lines of text with what changed since the last one. */
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/monitor/process_table.h"
#include "kernel/report/report_monitors.h"
#include "kernel/report/run.h"
#include "probe/stats/process_collection.h"

static struct process_collection remembered; /* task PROBE */

static uint32_t entries(void)
{
    struct process_entry e;
    uint32_t n = 0;

    while (process_table_closed(n, &e))
        n++;
    return n;
}

static void put_frames(uint64_t serial, bool final)
{
    struct process_entry e;

    (void)final;
    frame_tx_begin(WIRE_PROCTABLE, &(struct wire_proctable){
        .epoch = frame_tx_epoch(), .serial = serial, .time = process_table_time() - run_state->start,
        .passes = process_table_passes(), .tasks = entries(),
    });
    for (uint32_t i = 0; process_table_closed(i, &e); i++)
        frame_tx_row(&(struct wire_proctable_row){
            .task = e.task, .id = e.id, .user = e.user, .system = e.system, .priority = wire_zigzag(e.priority),
            .state = e.state, .flags = e.flags,
        });
    frame_tx_end();
}

static void put_lines(void)
{
    struct process_entry e;
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    process_collection_begin(&remembered);
    for (uint32_t i = 0; process_table_closed(i, &e); i++)
        process_collection_add(&remembered, &e);
    process_collection_end(&remembered);
    process_print_head(&b);
    report_line(0, text);
    for (uint32_t i = 0; i < remembered.count; i++) {
        buf_reset(&b);
        process_print(&b, &remembered, &remembered.process[i]);
        report_line(0, text);
    }
}

const struct monitor_report report_process_table = { .put_frames = put_frames, .put_lines = put_lines };
