/* SPDX-License-Identifier: MIT */
/*
 * Constants of C for programs in assembly.  This file is compiled to assembly text only,
 * from which the Makefile makes build/tasks/offsets.inc; it is never linked.
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
