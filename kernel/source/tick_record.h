/* SPDX-License-Identifier: MIT */
/*
 * Recording a tick, the same in the handler of every source: time, PC, task and mode are taken
 * from the frame and handed to the probe.  Inline, because each tick runs it.
 */
#pragma once

#include <stdint.h>

#include "kernel/account/exact_time.h"
#include "kernel/sched/task.h"
#include "kernel/source/sampler.h"

/* The mode of a saved CS: ring 3, 1 or 0. */
static inline enum mode tick_mode(uint64_t cs)
{
    static const uint8_t modes[] = { MODE_KERNEL, MODE_SUPERVISOR, MODE_KERNEL, MODE_USER };

    return modes[frame_ring(cs)];
}

/* Move the account to MONITOR; `account` is enum account_kind. */
static inline __attribute__((always_inline)) void tick_enter(struct probe *p, const struct probe_event *e,
                                                             uint32_t account)
{
    if (account == ACCOUNT_KEPT)
        probe_enter(p, e);
    else if (account != ACCOUNT_OFF)
        account_log_enter(p, e);
}

/*
 * In a handler that measures the end of ticks: save and restore the registers that theirs do,
 * all that a function must keep.
 */
#define TICK_SAVED() __asm__ volatile("" : : : "rbx", "rbp", "r12", "r13", "r14", "r15")

/* Record a late tick as masked or stolen (kernel/source/tick_late.c).  Interrupt context. */
uint64_t tick_record_late(struct probe *p, struct probe_event *e, uint32_t accounted);

/*
 * Record the tick that interrupted frame `f`, `now` the clock at its entry, `lateness` clock
 * units after its expiry.  The caller goes back to the interrupted cell by account_tick_exit().
 * Returns the next interval in counts, 0 where this tick was the last.  Interrupt context.
 */
static inline __attribute__((always_inline)) uint64_t
tick_record(struct probe *p, const struct cpu_frame *f, uint64_t now, uint64_t lateness)
{
    const uint32_t accounted = account_on;
    struct probe_event e;

    e.lateness = lateness;
    e.sample.time = now;
    e.sample.pc = f->rip;
    e.sample.task = current->id;
    e.sample.mode = tick_mode(f->cs);
    e.halted = e.sample.task == ROW_IDLE;
    if (probe_is_late(p, &e)) {
        struct probe_event late = e; /* a copy: `e` stays in registers, because its address is not taken */

        return tick_record_late(p, &late, accounted);
    }
    tick_enter(p, &e, accounted);
    return probe_tick_on_time(p, &e);
}
