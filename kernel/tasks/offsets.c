/* SPDX-License-Identifier: MIT */
/*
 * What user programs in assembly must know of C: compiled to text, from which
 * the Makefile makes build/tasks/offsets.inc.  No program, and never linked.
 */
#include "kernel/abi/syscall_numbers.h"

#define GIVE(name) __asm__ volatile("\n->" #name " %0" : : "i"(name))

void offsets(void);

void offsets(void)
{
    GIVE(SYSCALL_VECTOR);
    GIVE(SUPERVISOR_VECTOR);
    GIVE(SVC_WORK);
    GIVE(SVC_SYNC);
    GIVE(SYS_CLOCK);
    GIVE(SYS_SLEEP);
    GIVE(SYS_REPORT);
    GIVE(SYS_PACE);
    GIVE(SYS_WORK);
    GIVE(SYS_REST);
    GIVE(CRASHME_BYTES);
    GIVE(CRASHME_HEAD);
    GIVE(PACE_USER);
    GIVE(PACE_KERNEL);
}
