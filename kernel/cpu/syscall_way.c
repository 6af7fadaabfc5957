/* SPDX-License-Identifier: MIT */
/* The steps of a system call. */
#include "kernel/cpu/syscall_way.h"

syscall_step *syscall_way;                  /* legend in syscall_way.h */
static syscall_step *steps[SYSCALL_PLACES]; /* interrupts off */

static syscall_step *first_from(unsigned place)
{
    while (place < SYSCALL_DISPATCH && steps[place] == 0)
        place++;
    return steps[place];
}

void syscall_way_set(enum syscall_place place, syscall_step *step)
{
    steps[place] = step;
    syscall_way = first_from(0);
}

void syscall_way_on(enum syscall_place place, struct frame *f)
{
    first_from(place + 1)(f);
}
