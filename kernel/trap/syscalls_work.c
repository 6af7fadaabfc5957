/* SPDX-License-Identifier: MIT */
/* System calls that work at ring 0, or have a device do so: what synthetic loads are made of. */

#include "kernel/abi/fault_injection.h"
#include "kernel/abi/spin_loop.h"
#include "kernel/account/exact_time.h"
#include "kernel/load/loads.h"
#include "kernel/sched/syscalls.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"

#define LONGEST_MASKED 10000u    /* us with interrupts off that a task may ask for */
#define LONGEST_SMI    (1ull << 26) /* clock units: 67 ms at 1 GHz */

uint64_t sys_pace(uint64_t part, uint64_t unused)
{
    (void)unused;
    return work_pacer_units((unsigned)part);
}

uint64_t sys_work(uint64_t units, uint64_t unused)
{
    (void)unused;
    spin(units);
    return 0;
}

uint64_t sys_rest(uint64_t unused, uint64_t unused2)
{
    (void)unused;
    (void)unused2;
    work_pacer_rest();
    return 0;
}

/* Whether `units` of work take longer than that. */
static bool is_longer(uint64_t units, uint64_t microseconds)
{
    return units > work_pacer_units_of(timer_us_to_clocks(microseconds));
}

uint64_t sys_mask(uint64_t units, uint64_t unused)
{
    (void)unused;
    if (is_longer(units, LONGEST_MASKED))
        return syscall_deny();
    irq_disable();
    spin(units);
    irq_enable();
    return 0;
}

uint64_t sys_shadow(uint64_t units, uint64_t unused)
{
    (void)unused;
    if (is_longer(units / CLI_SHADOW_PART, LONGEST_MASKED))
        return syscall_deny();
    cli_shadow_run(units);
    return 0;
}

uint64_t sys_storm(uint64_t units, uint64_t open)
{
    if (is_longer(units, IRQ_STORM_LONGEST_US))
        return syscall_deny();
    irq_storm_start(units, open != 0);
    return 0;
}

uint64_t sys_calm(uint64_t unused, uint64_t unused2)
{
    (void)unused;
    (void)unused2;
    return irq_storm_stop();
}

uint64_t sys_smi(uint64_t clocks, uint64_t unused)
{
    (void)unused;
    return smi_raise(clocks < LONGEST_SMI ? clocks : LONGEST_SMI);
}

uint64_t sys_disk(uint64_t block, uint64_t blocks)
{
    if (!disk_is_bounded(block, blocks))
        return syscall_deny();
    return disk_transfer(block, blocks) ? 0 : SYSCALL_DENIED;
}

uint64_t sys_fault(uint64_t kind, uint64_t unused)
{
    (void)unused;
    if (kind == FAULT_LOST_TASK) { /* the dump itself will stumble over it */
        cpu_interrupts_off();
        current = (struct task *)INJECT_NOWHERE;
    }
    inject_fault(kind == FAULT_LOST_TASK ? FAULT_BAD_READ : (enum fault_kind)kind);
    return 0;
}
