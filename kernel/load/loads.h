/* SPDX-License-Identifier: MIT */
/* Declares the loads that tasks ask for by calls: masked sections, storms of interrupts, SMIs, paced work, a disk. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/sched/task.h"
#include "probe/text/refusal.h"

/*
 * A path through the kernel, in functions whose shares of its time are known; a tenth
 * of it runs with interrupts off.  It shows which functions a sampler by IRQ misses.
 */

#define CLI_SHADOW_PART 10 /* one in so many parts runs with interrupts off */

/* Run the path once; it takes about `units` of kernel/abi/spin_loop.h.  Task context. */
void cli_shadow_run(uint64_t units);

/*
 * A device that interrupts thousands of times a second, with a handler that does real
 * work.  The question is how much of that work a task that only computes is charged
 * (McCanne and Torek, "Interrupt Activity Interference").
 */

#define IRQ_STORM_HZ 4096u
/* of work in an interrupt; the rest of the time is left to all others */
#define IRQ_STORM_LONGEST_US (1000000 / IRQ_STORM_HZ * 3 / 4)

/*
 * Let the RTC interrupt IRQ_STORM_HZ times a second.  Each time the handler does `units`
 * of kernel/abi/spin_loop.h, at most IRQ_STORM_LONGEST_US of them; `open`: with interrupts
 * enabled.  Task context.
 */
void irq_storm_start(uint64_t units, bool open);

/* Interrupts since its start.  Interrupts off. */
uint64_t irq_storm_count(void);

/* End it; nothing where there is no storm.  Returns the interrupts since its start.  Task context. */
uint64_t irq_storm_stop(void);

/*
 * Stolen time, made on purpose: SMIs that software raises, with a handler of our own
 * where the firmware has none.  No tick, not even an NMI, is taken before the handler
 * has returned.
 */

/*
 * Put the handler where the processor starts it after a reset, and test it with one
 * SMI.  False, with what is missing.  Interrupts off, before tasks run.
 */
bool smi_detect(struct refusal *why);

/*
 * Raise one that lasts so many clock units.  Returns the clock units of all so far, as
 * the handler counts them from its first to its last instruction.  Task context.
 */
uint64_t smi_raise(uint64_t clocks);

/*
 * Paced work: a task that uses given shares of the CPU in each mode, on a slow emulator
 * as on a fast board, because shares are kept by time and not by loop counts.
 */

/* How long a unit of kernel/abi/spin_loop.h takes, clock units, 32.32. Once, before tasks run. */
void work_pacer_set_unit(uint64_t clocks_q32);

/* Units of kernel/abi/spin_loop.h that take so many clock units.  Task context. */
uint64_t work_pacer_units_of(uint64_t clocks);

/*
 * The work of the running task in `part` (enum pace_part) of its present period, in
 * units.  To ask for PACE_USER begins the next period.  Task context.
 */
uint64_t work_pacer_units(unsigned part);

/* Sleep until the present period is over. Task context. */
void work_pacer_rest(void);

/*
 * A disk that is not there: requests queue, first come first served, each takes as long as the arm
 * of a disk would, and an interrupt of the system clock's timer ends it.  No data moves.
 *
 * A request is to `blocks` blocks from `block` on.  The disk has DISK_CYLINDERS cylinders of
 * DISK_TRACK blocks and turns 120 times a second.  The arm takes 1 ms and 8 us for each cylinder
 * that it passes; then the first block comes around, and a block passes each DISK_TRACK-th of a turn.
 */

#define DISK_CYLINDERS 1024u
#define DISK_TRACK     1024u
#define DISK_BLOCKS    (DISK_CYLINDERS * DISK_TRACK)
#define DISK_MOST      256u /* blocks of one request */
#define DISK_QUEUE     16u  /* requests that wait or are served */

/*
 * Move blocks, and sleep until that is done.  False where the queue is full, which is counted, or
 * where is_bounded is false.  Task context, interrupts on.
 */
bool disk_transfer(uint64_t block, uint64_t blocks);

/* Whether these blocks are on the disk, and no more than one request may have.  Any context. */
bool disk_is_bounded(uint64_t block, uint64_t blocks);

/* Cumulative since the boot; times in clock units. */
struct disk_counters {
    uint64_t time;     /* TSC: when they were read */
    uint64_t requests; /* that were taken */
    uint64_t done;     /* of these, completed */
    uint64_t refused;  /* requests that found the queue full */
    uint64_t blocks;   /* moved */
    uint64_t busy;     /* the device moved its arm or blocks */
    uint64_t queue;    /* requests in the queue, the one that is served included, times how long they were there */
    uint64_t waits;    /* of the completed ones: from the call to the interrupt */
    uint64_t longest;  /* most requests in the queue */
};

/* Read the counters as of now.  Interrupts off. */
void disk_read(struct disk_counters *to);
