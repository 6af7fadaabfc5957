/* SPDX-License-Identifier: MIT */
/*
 * ROGUE, the story of Crowe's "An example": an endless loop that writes its data
 * base again and again, and waits for its disk now and then.
 */
#include "kernel/spin.h"
#include "kernel/tasks/calls.h"

#define RECORDS 16 /* written in a period */

/* Write one record: put it together, then have the kernel put it on the disk. */
static __attribute__((noinline)) void dbwrit(uint64_t user, uint64_t kernel)
{
    spin(user);
    call(SYS_WORK, kernel, 0);
}

int main(void)
{
    for (;;) {
        const uint64_t user = call(SYS_PACE, PACE_USER, 0);
        const uint64_t kernel = call(SYS_PACE, PACE_KERNEL, 0);

        for (int record = 0; record < RECORDS; record++)
            dbwrit(user / RECORDS, kernel / RECORDS);
        call(SYS_REST, 0, 0); /* the disk */
    }
}
