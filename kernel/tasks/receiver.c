/* SPDX-License-Identifier: MIT */
/* A program that receives the transfers of the sender, and works a little on each message. */
#include "kernel/abi/calls.h"

#define NOTHING UINT64_MAX
#define WAIT_US 40u
#define WORK_NS 10000u

int main(uint64_t argument)
{
    const uint64_t units = call(SYS_UNITS, call(SYS_CLOCKS, WORK_NS, 0), 0);

    (void)argument;
    for (;;) {
        const uint64_t word = call(SYS_RECEIVE, 0, 0);

        if (word == NOTHING) {
            call(SYS_SLEEP, WAIT_US, 0);
            continue;
        }
        call(SYS_EVENT, word, 0);
        spin(units);
        if ((word & ((1u << MESSAGE_STEP_BITS) - 1)) == MESSAGE_END)
            call(SYS_EVENT, MESSAGE_WORD(MESSAGE_IDLE, 0), 0);
    }
}
