/* SPDX-License-Identifier: MIT */
/* The tick counters: the records PROCSTAT and PROCREADS, or a line of text, one of each task and of each file that was read. */
#include "kernel/io/frame_tx.h"
#include "kernel/lib/run_state.h"
#include "kernel/monitor/proc_reads.h"
#include "kernel/monitor/procstat.h"
#include "kernel/report/report_monitors.h"
#include "kernel/report/run.h"
#include "kernel/sched/timer.h"

static void put_window(const struct procstat_window *w, uint64_t serial)
{
    frame_tx_begin(WIRE_PROCSTAT, &(struct wire_procstat){
        .epoch = frame_tx_epoch(), .serial = serial, .begin = w->all.begin - run_state->start, .end = w->all.end - run_state->start,
        .hz = timer_hz(), .user = w->all.ticks[TICK_USER], .nice = w->all.ticks[TICK_NICE], .system = w->all.ticks[TICK_SYSTEM],
        .idle = w->all.ticks[TICK_IDLE], .iowait = w->all.ticks[TICK_IOWAIT], .irq = w->all.ticks[TICK_IRQ],
        .running = w->all.running, .blocked = w->all.blocked, .load1 = w->all.load[0], .load5 = w->all.load[1], .load15 = w->all.load[2],
    });
    for (uint32_t i = 0; i < w->rows; i++) {
        const struct procstat_row *const r = &w->row[i];

        frame_tx_row(&(struct wire_procstat_row){
            r->number, r->id, wire_zigzag(r->nice), r->ticks.user, r->ticks.system });
    }
    frame_tx_end();
}

static void put_reads(uint64_t serial)
{
    frame_tx_begin(WIRE_PROCREADS, &(struct wire_procreads){ .epoch = frame_tx_epoch(), .serial = serial });
    for (enum proc_kind kind = 0; kind < PROC_KINDS; kind++) {
        const struct proc_reads *const r = proc_reads_closed(kind);

        if (r->reads != 0)
            frame_tx_row(&(struct wire_procreads_row){ kind, r->reads, r->time, r->least, r->bytes });
    }
    frame_tx_end();
}

static void put_frames(uint64_t serial, bool final)
{
    (void)final;
    put_window(procstat_closed(), serial);
    put_reads(serial);
}

/* Each mode in percent of all ticks, and the load averages. */
static void put_all(struct text_buf *b, const struct procstat_window *w)
{
    const uint64_t sum = tick_usage_sum(w->all.ticks);

    buf_text(b, "procstat");
    for (unsigned mode = 0; mode < TICK_MODES; mode++)
        buf_parts(b, " ", tick_mode_name((enum tick_mode)mode), " ", MILLI(sum != 0 ? w->all.ticks[mode] * 100000 / sum : 0));
    buf_parts(b, " % of ", DECIMAL(sum), " ticks; load");
    for (unsigned i = 0; i < 3; i++) {
        buf_char(b, ' ');
        load_average_print(b, w->all.load[i]);
    }
}

static void put_reads_line(struct text_buf *b, enum proc_kind kind)
{
    const struct proc_reads *const r = proc_reads_closed(kind);
    const uint64_t us = timer_us_to_clocks(1);

    if (r->reads == 0)
        return;
    buf_reset(b);
    buf_parts(b, "procstat ", tick_usage_file(kind), " read ", DECIMAL(r->reads), " times, ", MILLI(r->time * 1000 / us / r->reads),
              " us each, ", MILLI(r->least * 1000 / us), " at least");
    report_line(0, b->text);
}

static void put_lines(void)
{
    const struct procstat_window *const w = procstat_closed();
    char text[TEXT_BUF_SIZE];
    struct text_buf b = TEXT_BUF(text);

    put_all(&b, w);
    report_line(0, text);
    for (uint32_t i = 0; i < w->rows; i++) {
        const struct procstat_row *const r = &w->row[i];

        buf_reset(&b);
        buf_parts(&b, "procstat ", tasks[r->number].name, " user ", DECIMAL(r->ticks.user), " system ", DECIMAL(r->ticks.system), " ticks");
        report_line(0, text);
    }
    for (enum proc_kind kind = 0; kind < PROC_KINDS; kind++)
        put_reads_line(&b, kind);
}

const struct monitor_report report_procstat = { .put_frames = put_frames, .put_lines = put_lines };
