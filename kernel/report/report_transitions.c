/* SPDX-License-Identifier: MIT */
/* The log of changes of cell as frames (docs/PROTOCOL.md, "Transitions"), once the window is closed. */
#include "kernel/account/exact_time.h"
#include "kernel/io/frame_tx.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"
#include "kernel/tick/window.h"

static struct wire_writer writer; /* task PROBE */

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
    wire_begin(&writer, WIRE_LOGGED, &(struct wire_logged){
        .epoch = frame_tx_epoch(), .transitions = probe.closed.transitions, .lost = lost,
    });
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        wire_row(&writer, WIRE_LOGGED, &(struct wire_logged_row){ i, tasks[i].id });
    frame_tx_send(&writer);
}

/* A frame begins with this entry. */
static void begin(uint64_t number)
{
    wire_begin(&writer, WIRE_TRANSITIONS, &(struct wire_transitions){ frame_tx_epoch(), number });
}

/* All entries that are left; how many were not. */
static uint64_t put_entries(void)
{
    const uint64_t transitions = probe.closed.transitions;
    uint64_t lost = 0, rows = 0;

    for (uint64_t n = 0; n < transitions; n++) {
        struct account_log_entry entry;
        struct wire_transitions_row row;

        if (!account_log_read(n, &entry)) {
            lost++; /* they are the oldest: no frame has begun */
            continue;
        }
        row = (struct wire_transitions_row){ code_of(entry.cell), wire_zigzag((int64_t)entry.time) };
        if (rows++ == 0)
            begin(n);
        if (wire_row(&writer, WIRE_TRANSITIONS, &row))
            continue;
        frame_tx_send(&writer);
        begin(n);
        wire_row(&writer, WIRE_TRANSITIONS, &row);
    }
    if (rows != 0)
        frame_tx_send(&writer);
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
