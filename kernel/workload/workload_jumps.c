/* SPDX-License-Identifier: MIT */
/*
 * Programs that jump from ring 3 to each byte of kernel/cpu/vectors.asm, one after the
 * other: what decides by the address of the interrupted code must not take them for
 * the kernel.  Each byte twice: with registers of zero, which a kernel that believes
 * them writes through and faults, and with the address of the account, which it
 * would spoil.
 */
#include "kernel/account/exact_time.h"
#include "kernel/io/log.h"
#include "kernel/sched/children.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/workload/workload.h"

#define AT_ONCE 4u
#define LIFE_US 1000000u

extern const uint8_t vector_stubs[], restart_text_end[]; /* kernel/cpu/vectors.asm, all of it */

static struct children sum; /* task PARENT; PROBE reads it at the end */

static struct task *make(uint64_t number)
{
    const uint64_t target = (uint64_t)vector_stubs + number / 2;
    const uint64_t registers = number % 2 != 0 ? (uint64_t)&account : 0;
    const struct workload_task row = {
        .program = "jumper", .argument = registers << 32 | (uint32_t)target,
    };

    return workload_make(&row, "JUMP", (uint32_t)(TASKS_MAX + 1 + number));
}

static void parent(void)
{
    const uint64_t jumps = 2 * (uint64_t)(restart_text_end - vector_stubs);
    struct child child[AT_ONCE] = { { .task = 0 } };
    uint64_t begun = 0;

    for (;;) {
        for (unsigned i = 0; i < AT_ONCE; i++) {
            struct task *t;

            if (!child_poll(&child[i], &sum) || begun == jumps || (t = make(begun)) == 0)
                continue;
            begun++;
            child_start(&child[i], t, timer_us_to_clocks(LIFE_US));
        }
        children_wait(child, AT_ONCE);
    }
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

const struct workload workload_jumps = {
    "jumps", "programs that jump to each byte of the kernel's entries", rows, sizeof rows / sizeof rows[0],
};
