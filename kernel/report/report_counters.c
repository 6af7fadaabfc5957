/* SPDX-License-Identifier: MIT */
/*
 * Sends counters that others keep: of the disk, of what was received over the serial line, and of instrumented
 * programs.
 */
#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"
#include "kernel/load/loads.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"
#include "probe/schedule/memory.h"

/* The record DISK. */
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

/* The record RECEIVED: what was received over the serial line, and what was wrong with it. */
static struct wire_received told; /* task PROBE */

static struct wire_received received(void)
{
    const struct stream_uart_errors e = stream_uart_errors();
    struct wire_received r = rx_counts.framing;

    r.repeated = rx_counts.repeated;
    r.refused = rx_counts.refused;
    r.overrun = e.overrun;
    r.parity = e.parity;
    r.framing = e.framing;
    r.breaks = e.breaks;
    r.unread = stream_uart_unread();
    return r;
}

void report_received(void)
{
    struct wire_received now = received();

    if (!run_in_frames() || memcmp(&now, &told, sizeof now) == 0)
        return;
    told = now;
    now.epoch = frame_tx_epoch();
    frame_tx_send_head(WIRE_RECEIVED, &now);
}

void report_received_end(void)
{
    const struct wire_received r = received();

    report_received();
    if (r.damaged + r.foreign + r.too_long + r.cut != 0)
        log_line(LOG_WARNING, "of what came in, ", DECIMAL(r.damaged), " frames were damaged, ",
                 DECIMAL(r.foreign), " were no commands, ", DECIMAL(r.too_long), " stretches were too long, ",
                 DECIMAL(r.cut), " were not ended");
    if (r.overrun + r.parity + r.framing + r.breaks != 0)
        log_line(LOG_WARNING, "the UART lost bytes ", DECIMAL(r.overrun), " times, ", DECIMAL(r.parity),
                 " bytes had a wrong parity, ", DECIMAL(r.framing), " no stop bit, and the line stood at break ",
                 DECIMAL(r.breaks), " times");
}

/* The tables of instrumented programs as frames: numbers of the tasks, which the host judges. */

_Static_assert(CALL_COST_CALLS == WIRE_CALLS_COST, "programs measure what the record tells");

static uint64_t since_start(uint64_t tsc)
{
    return tsc > run_state->start ? tsc - run_state->start : 0;
}

static struct wire_calls head_of(const struct task *t, const struct call_head *from)
{
    return (struct wire_calls){
        .epoch = frame_tx_epoch(), .id = t->id, .number = t->number, .program = t->program,
        .time = since_start(rdtsc()), .since = since_start(from->since), .ran = from->last - from->first,
        .cost = from->cost, .inside = from->inside, .deep = from->deep, .lost = from->lost,
    };
}

/* A function that has not returned has the time up to its program's last call or return. */
static struct wire_calls_row row_of(const struct call_row *from, uint64_t last)
{
    return (struct wire_calls_row){
        .function = from->function, .calls = from->calls, .made = from->made, .exclusive = from->exclusive,
        .inclusive = from->inclusive + (from->entered != 0 ? last - from->entered : 0),
    };
}

static uint64_t functions_of(const struct task *t)
{
    uint64_t functions = 0;

    for (uint32_t i = 1; i < CALL_ROWS; i++)
        functions += task_monitor_call_row(t, i)->calls != 0;
    return functions;
}

static void send_table(const struct task *t, const struct call_head *from)
{
    struct wire_calls head = head_of(t, from);

    head.functions = functions_of(t);
    frame_tx_begin(WIRE_CALLS, &head);
    for (uint32_t i = 1; i < CALL_ROWS; i++) {
        const struct call_row *const row = task_monitor_call_row(t, i);
        const struct wire_calls_row told = row_of(row, from->last);

        if (row->calls != 0)
            frame_tx_row(&told);
    }
    frame_tx_end();
}

void report_calls(void)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++) {
        const struct call_head *const head = task_monitor_calls(&tasks[i]);

        if (head != 0 && head->since != 0)
            send_table(&tasks[i], head);
    }
}
