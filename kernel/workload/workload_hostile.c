/* SPDX-License-Identifier: MIT */
/* Programs that break rules or look for what they shall not know (kernel/tasks/hostile/). */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/log.h"
#include "kernel/sched/children.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/workload/workload.h"

/*
 * Tasks that ask for more than they may have: calls without a grant, longer times with
 * interrupts off than are allowed, and more reports than the serial line carries.
 * Beside them run three tasks that fault and one that is correct.
 */
#define BOUNDED (GRANT_CALL(SYS_MASK) | GRANT_CALL(SYS_SHADOW) | GRANT_CALL(SYS_STORM))

/* Each waits a moment first: it shall fault after the flood of reports has begun. */
#define CULPRIT(task, wrong) \
    { .name = (task), .program = "culprit", .argument = (wrong), .grants = GRANTS_SLEEP }

WORKLOAD(workload_unruly, "unruly", "tasks that ask for more than they may have",
         { .name = "ASKER", .program = "asker", .argument = ~(GRANTS_ALWAYS | GRANTS_REPORT),
           .grants = GRANTS_REPORT },
         { .name = "BOUND", .program = "asker", .argument = BOUNDED, .grants = BOUNDED | GRANTS_REPORT },
         { .name = "FLOOD", .program = "flooder", .grants = GRANTS_REPORT },
         CULPRIT("UPRIV", FAULT_PRIVILEGED), CULPRIT("UDIV", FAULT_DIVIDE), CULPRIT("UREAD", FAULT_BAD_READ),
         WORKER("GOOD", 20000, 20000, 20000));

/*
 * Tasks whose frame pointers lead nowhere, each in its own way (kernel/tasks/hostile/frames.asm):
 * stack= must find that out.
 */
#define ROW(task, number) { .name = task, .program = "frames", .argument = number }

WORKLOAD(workload_frames, "frames", "tasks whose frame pointers lead nowhere, each in its own way",
         ROW("NONE", 0), ROW("SELF", 1), ROW("ODD", 2), ROW("KERNEL", 3), ROW("WILD", 4),
         ROW("STACK", 5), ROW("NOWHER", 6), ROW("EDGE", 7), ROW("LONG", 8));

/*
 * Tasks that try to learn when ticks come: one predicts them from those that it saw,
 * and one looks for data of others in all that it can read.
 */
#define RATE 997u /* ticks a second that it assumes */

WORKLOAD(workload_foresee, "foresee", "a task that works only where, by the ticks it saw, none can come",
         { .name = "FORSEE", .program = "foresee", .argument = RATE,
           .grants = GRANTS_CLOCK | GRANT_SERVICE(SVC_WORK) });

WORKLOAD(workload_snoop, "snoop", "a task that looks for what is not its own in registers, stack and memory",
         { .name = "SNOOP", .program = "snoop",
           .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_REPORT | GRANTS_PACE });

/*
 * Programs that jump from ring 3 to each byte of kernel/cpu/vectors.asm, one after the other.  The entries decide by
 * the address of the interrupted code what it was doing: they must not take such a program for the kernel.  Each byte
 * is tried twice: with all registers 0, so that a kernel that uses them as pointers faults, and with the address of
 * the account in them, which such a kernel would overwrite.
 */
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

WORKLOAD(workload_jumps, "jumps", "programs that jump to each byte of the kernel's entries",
         { .name = "PARENT", .entry = parent, .tell = tell },
         WORKER("STAYS", 50000, 50000, 100000));
