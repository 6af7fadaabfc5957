/* SPDX-License-Identifier: MIT */
/* Windows of the probe, and the source that it ticks by: the port of probe/ to this executive. */
#ifndef KERNEL_TICK_WINDOW_H
#define KERNEL_TICK_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/task.h"
#include "kernel/source/sampler.h"
#include "probe/core/probe.h"

/*
 * What a slot of tasks[] had when the window of this probe was closed last, and its
 * exact times in it; NULL past the last.  Task PROBE.
 */
struct closed_row {
    uint32_t id; /* 0: it is being given to another row, and has nothing */
    uint32_t program;
    char name[NAME_SIZE];
    struct account_row exact;
};
const struct closed_row *window_closed_row(const struct probe *p, uint32_t number);

/*
 * Add the exact times of a slot whose task has ended to those of another slot of the
 * same row, whose task does not run.  Interrupts off.
 */
void window_merge_rows(uint32_t from, uint32_t to);

/* Attach the tick to what stands below it (kernel/tick/tick_attach.c).  Once, before tasks run. */
void tick_attach(void);

/* Begin a window of each source: the first interval of its probe's schedule.  Interrupts off. */
void window_begin(void);

/* No tick from here on. Interrupts off. */
void window_stop(void);

/* Begin a window without any tick, and close it: tick=none. Interrupts off. */
void window_begin_without_ticks(void);
void window_close_without_ticks(void);

#endif
