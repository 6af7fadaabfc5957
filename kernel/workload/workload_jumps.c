/* SPDX-License-Identifier: MIT */
/*
 * Programs that jump from ring 3 to each byte of kernel/cpu/vectors.asm, one after the
 * other.  The entries decide by the address of the interrupted code what it was doing:
 * they must not take such a program for the kernel.  Each byte is tried twice: with all
 * registers 0, so that a kernel that uses them as pointers faults, and with the address
 * of the account in them, which such a kernel would overwrite.
 */
#include "kernel/account/exact_time.h"
#include "kernel/io/log.h"
#include "kernel/sched/children.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/workload/workload.h"

#define LIFE_US 1000000u

extern const uint8_t vector_stubs[], restart_text_end[]; /* kernel/cpu/vectors.asm, all of it */

static struct children sum; /* written by task PARENT, read by PROBE at the end */

static struct task *make(uint64_t number)
{
    const uint64_t target = (uint64_t)vector_stubs + number / 2;
    const uint64_t registers = number % 2 != 0 ? (uint64_t)&account : 0;
    const struct workload_task row = {
        .program = "jumper", .argument = registers << 32 | (uint32_t)target,
    };

    return workload_make_child(&row, "JUMP", number);
}

static void parent(void)
{
    static const struct child_kind kinds[] = { { make, &sum }, { make, &sum }, { make, &sum }, { make, &sum } };

    children_run(kinds, sizeof kinds / sizeof kinds[0], 2 * (uint64_t)(restart_text_end - vector_stubs),
                 timer_us_to_clocks(LIFE_US));
}

static void tell(void)
{
    log_line(LOG_NOTE, "jumps: ", DECIMAL(sum.faulted), " tasks ended by a fault, ", DECIMAL(sum.exited),
             " by themselves, ", DECIMAL(sum.terminated), " by their parent");
}

static const struct workload_task rows[] = {
    { .name = "PARENT", .entry = parent, .tell = tell },
    { .name = "STAYS", .program = "worker", .user = 100000, .kernel = 50000, .supervisor = 50000,
      .grants = GRANTS_PACE },
};

WORKLOAD(workload_jumps, "jumps", "programs that jump to each byte of the kernel's entries", rows);
