/* SPDX-License-Identifier: MIT */
/*
 * The program of most tasks: in each period its share of work at ring 3, at
 * ring 1 and at ring 0, then rest.  The kernel keeps the shares
 * (kernel/workload/work_pacer.c), so that one program serves them all.
 */
#include "kernel/abi/spin_loop.h"
#include "kernel/tasks/calls.h"

/* `through`: the supervisor service makes a system call for as much work again. */
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
