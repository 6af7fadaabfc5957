/* SPDX-License-Identifier: MIT */
/* The record DISK. */
#include "kernel/account/exact_time.h"
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/load/loads.h"
#include "kernel/report/run.h"

void report_disk(void)
{
    struct disk_counters c;

    irq_disable();
    disk_read(&c);
    irq_enable();
    if (c.requests + c.refused == 0 || !run_in_frames())
        return;
    frame_tx_send_head(WIRE_DISK, &(struct wire_disk){
        .epoch = frame_tx_epoch(), .time = c.time - run_state->start, .requests = c.requests, .done = c.done,
        .refused = c.refused, .blocks = c.blocks, .busy = c.busy, .queue = c.queue, .waits = c.waits,
        .longest = c.longest,
    });
}
