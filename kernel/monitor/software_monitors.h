/* SPDX-License-Identifier: MIT */
/*
 * The software monitors of monitor= beside those of the probe: each counts by windows, from zero in
 * each epoch, and has a file of its own in this room.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/cpu/frame.h"
#include "kernel/io/frame_tx.h"
#include "probe/config/config.h"
#include "probe/core/call_stacks.h"
#include "probe/core/mode.h"
#include "probe/stream/wire.h"

/*
 * The report of a closed window: `serial` of its snapshot, the second of the run, whether it is the epoch's last;
 * words of the monitors that count, which are set on the way.
 */
struct monitor_turn {
    uint64_t serial, second, counting;
    bool final;
};

/* Prints a line. */
typedef void monitor_line(void *context, const char *text);

struct software_monitor {
    uint64_t word; /* its bit of enum config_monitor */
    /* Any window begins at the TSC `now`, whether or not it counts in that.  NULL: none.  Interrupts off. */
    void (*any_window)(uint64_t now);
    /* A window begins at the TSC `now`: count from zero.  end(): stop, where it is on, or NULL.  Interrupts off. */
    void (*begin)(uint64_t now);
    void (*end)(void);
    /*
     * Keep the counters as they are at the TSC `now`, for the reports.
     * Interrupts off, or the tick that closes a window.
     */
    void (*close)(uint64_t now);
    /*
     * MONITOR_WATCHED: look at a sample of the first source, late or not.  Interrupt context, or NMI.
     * NULL: it does not.
     */
    void (*sample)(const struct sample *s, enum delay delay);
    /*
     * The report of what was closed; task PROBE.  As frames: a record, whose head begins with epoch and serial, with
     * all rows; or put_frames().  As text; NULL: the line of the record (probe/stats/monitor_print.h), if it has one.
     */
    enum wire_type type;
    void *head;
    frame_tx_rows *rows; /* NULL: none */
    void (*put_frames)(const struct monitor_turn *t);
    void (*put_lines)(monitor_line *line);
};

/* monitor_NAME for each counter of CONFIG_MONITORS.  Windows call them, and their reports come, in that order. */
#define MONITOR_NONE(NAME, name, accounted)
#define MONITOR_DECLARE(NAME, name, accounted) extern const struct software_monitor monitor_##name;
CONFIG_MONITORS(MONITOR_NONE, MONITOR_NONE, MONITOR_DECLARE)
extern const struct software_monitor monitor_user_stacks; /* stack=; the last */

/*
 * Have samples handed to those that look at them.  Once, before the first tick:
 * those that measure its handler go the same way.
 */
void software_monitors_take_samples(void);

/* Have windows switch them on and off.  Once, before the first window. */
void software_monitors_init(void);

/* Report those that count in the window, in their order: as frames, or with `line`.  Task PROBE. */
void software_monitors_report(struct monitor_turn turn, monitor_line *line);

/*
 * Before a closed window is reported: where ticks are NMIs nobody could close the counters with it, and
 * they are closed now.  Task PROBE.
 */
void software_monitors_settle(void);

/* ---- what single monitors do for others, each in the file of its monitor ---- */

/*
 * The counter across HLT has two users, monitor=idle and procstat with nohz=on: each switches it on, from zero, or
 * off for itself, both at the beginning of a window.  Interrupts off.
 */
void idle_counters_use(uint64_t word, bool on);

/* Count passes also where monitor=proctable is off: a task asks for the table.  Before tasks run. */
void process_table_wanted(void);

/* The head of CALL_STACKS as the window was closed, but for epoch and serial.  Task PROBE. */
struct wire_call_stacks callers_head(void);

/* Put a row whose id, mode and addresses are those of `key` (frame_tx_row()).  Task PROBE. */
void callers_put(const struct call_stack_key *key, struct wire_call_stacks_row *row);

/* The tick of IRQ 0 while stack= is on, as kernel/cpu/vectors.asm calls it.  Interrupt context. */
void user_stacks_tick(const struct cpu_frame *f, uint64_t now);
