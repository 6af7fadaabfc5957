/* SPDX-License-Identifier: MIT */
/* The log of changes of cell as frames (docs/PROTOCOL.md, "Transitions"), once the window is closed. */
#include "kernel/account/exact_time.h"
#include "kernel/io/frame_tx.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"
#include "kernel/tick/window.h"

/* As WIRE_ROW_TRANSITIONS tells a cell: 0 is row MONITOR. */
static uint64_t code_of(const uint64_t *cell)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++) {
        const uint64_t at = (uint64_t)cell - (uint64_t)&tasks[i].account;

        if (at < sizeof tasks[i].account)
            return 1 + ((uint64_t)i * sizeof tasks[i].account + at) / sizeof *cell;
    }
    return 0;
}

static void put_logged(uint64_t lost)
{
    frame_tx_begin(WIRE_LOGGED, &(struct wire_logged){
        .epoch = frame_tx_epoch(), .transitions = probe.closed.transitions, .lost = lost,
    });
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        frame_tx_row(&(struct wire_logged_row){ i, tasks[i].id });
    frame_tx_end();
}

/* All entries that are left; how many were not. */
static uint64_t put_entries(void)
{
    const uint64_t transitions = probe.closed.transitions;
    struct wire_transitions head = { .epoch = frame_tx_epoch() };
    uint64_t lost = 0;

    frame_tx_begin(WIRE_TRANSITIONS, &head);
    for (uint64_t n = 0; n < transitions; n++) {
        struct account_log_entry entry;

        if (!account_log_read(n, &entry)) {
            lost++; /* they are the oldest: no frame has begun */
            continue;
        }
        head.first = n; /* of a frame that begins here */
        frame_tx_row(&(struct wire_transitions_row){ code_of(entry.cell), wire_zigzag((int64_t)entry.time) });
    }
    frame_tx_end_rows();
    return lost;
}

void report_transitions(void)
{
    if (account_on != ACCOUNT_LOGGED)
        return;
    irq_disable();
    account_log_pause();
    irq_enable();
    put_logged(put_entries());
    irq_disable();
    account_log_resume();
    irq_enable();
}
