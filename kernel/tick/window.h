/* SPDX-License-Identifier: MIT */
/* Windows: the port of probe/ to this kernel.  From the first arming of the source to the tick that closes it. */
#pragma once

#include <stdint.h>

#include "kernel/sched/task.h"
#include "kernel/source/sampler.h"
#include "probe/core/probe.h"

/*
 * The row of a slot of tasks[] when this probe's window was last closed, and its exact times in
 * the window; NULL past the last slot.  Task PROBE.
 */
struct closed_row {
    uint32_t id; /* 0: the slot was changing rows, and has no times */
    uint32_t program;
    char name[NAME_SIZE];
    struct account_row exact;
};
const struct closed_row *window_closed_row(const struct probe *p, uint32_t number);

/*
 * Move the exact times of a slot whose task has ended to another slot of the same row, whose
 * task does not run.  Interrupts off.
 */
void window_merge_rows(uint32_t from, uint32_t to);

/*
 * What else counts by windows (kernel/monitor/).  begin(): a window begins, and the words in force
 * say what counts in it.  close(): a window is closed at this moment; not called by an NMI, which may
 * come while the counters change.  Interrupt context or interrupts off, both at a TSC.
 */
struct window_watch {
    void (*begin)(uint64_t now);
    void (*close)(uint64_t now);
};

/*
 * What keeps counters of tasks by slot: reuse() and begins() as in struct task_retirement, merged()
 * before the times of a slot are added to another's.  Task context, merged() with interrupts off.
 */
struct window_slots {
    void (*reuse)(struct task *ended);
    void (*begins)(struct task *t);
    void (*merged)(uint32_t from, uint32_t to);
};

/* Tell it of them from now on; NULL: nobody.  Interrupts off. */
void window_watch_slots(const struct window_slots *slots);

/* For kernel/tick/tick_hooks.c and kernel/tick/tick_hooks.c. */
void window_slot_reuse(struct task *ended);
void window_slot_begins(struct task *t);

/* Register it.  Once, before the first window. */
void window_watch_by(const struct window_watch *watch);

/* Register the callbacks of the rooms below (kernel/tick/tick_hooks.c).  Once, before tasks run. */
void tick_set_hooks(void);

/*
 * What takes long of a window's begin: clear its counters and draw its first points.  While no tick can come;
 * interrupts may be on.
 */
void window_prepare(void);

/*
 * Begin a window behind window_prepare() and arm each source for its first point.
 * Interrupts off, and on for moments.
 */
void window_begin(void);

/* Stop the sources: no tick comes any more.  Interrupts off, and on for moments. */
void window_stop(void);

/* Begin a window without any tick, and close it: tick=none. Interrupts off. */
void window_begin_without_ticks(void);
void window_close_without_ticks(void);
