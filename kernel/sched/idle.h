/* SPDX-License-Identifier: MIT */
/*
 * The idle counter: the clock across HLT (Thurner, "Performance Measurement Using System Monitors",
 * Figure 5).  A halt begins right before HLT in sched_idle_loop() and ends where an interrupt is
 * entered.  The way of a tick has no part in it: what ticks took of a halt is subtracted.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Cumulative since the counter was switched on. */
struct idle_counters {
    uint64_t time;  /* halted, clock units */
    uint64_t io;    /* of this, while a task waited for a device */
    uint64_t halts; /* HLTs; one that a tick ended and another that follows are two */
};

extern bool idle_counted;   /* the counter is on; set with interrupts off */
extern uint64_t idle_since; /* the account's clock when the present halt began, 0: none is counted; interrupts off */

/* Tasks that wait for a device: kernel/sched/io_wait.c changes it.  Interrupts off. */
extern uint32_t idle_io_tasks;

/*
 * Switch the counter on, from zero, or off.  `ticks` reads the time that ticks took so far, clock
 * units, monotonic: NULL where it is switched off.  Interrupts off, not in task IDLE.
 */
void idle_count(uint64_t (*ticks)(void));

/*
 * Call `enter` before each HLT, and `leave` with the TSC at the entry of the interrupt that ends it, where that takes
 * the common entry: only while the counter is on.  NULL: nothing.  Interrupts off.
 */
void idle_watch(void (*enter)(void), void (*leave)(uint64_t now));

/* A halt begins: only while the counter is on.  Task IDLE, interrupts off. */
__attribute__((cold)) void idle_halt(void);

/*
 * An interrupt, entered at `now` by the account's clock, ends a halt: only where idle_since is not 0.
 * Interrupts off.
 */
__attribute__((cold)) void idle_leave(uint64_t now);

/* The counters at `now` by the account's clock, the present halt up to then included.  Interrupts off. */
struct idle_counters idle_read(uint64_t now);
