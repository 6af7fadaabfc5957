/* SPDX-License-Identifier: MIT */
/*
 * The program of most tasks: in each period it does its shares of work at ring 3, at ring
 * 1 and at ring 0, and then sleeps.  The kernel knows the shares
 * (kernel/load/work_pacer.c), so that all these tasks run one program.
 */
#include "kernel/abi/calls.h"

/* `through`: the supervisor service also makes a system call for the same amount of work. */
int main(uint64_t through)
{
    const uint64_t service = through ? SVC_SYNC : SVC_WORK;

    for (;;) {
        spin(call(SYS_PACE, PACE_USER, 0));
        serve(service, call(SYS_PACE, PACE_SUPERVISOR, 0));
        call(SYS_WORK, call(SYS_PACE, PACE_KERNEL, 0), 0);
        call(SYS_REST, 0, 0);
    }
}
