/* SPDX-License-Identifier: MIT */
/*
 * A program that sends transfers to another task (kernel/abi/syscall_numbers.h).  Their number of data, the work
 * and the pauses are drawn from its argument, and so is which transfer lacks its end: a rare fault, whose time
 * it reports.
 */
#include "kernel/abi/calls.h"
#include "probe/schedule/splitmix64.h"

#define MICROSECOND 1000u /* ns */
#define RETRY_US    60u   /* while the mailbox is full */
#define DRAWN       1000u /* of so many transfers `faults` lack their end */
#define DATA_MOST   6u
#define STEP_US     30u   /* mean work of a step */
#define PAUSE_US    1500u /* mean pause between two transfers */

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    return splitmix64_mix(state += SPLITMIX64_GAMMA) % below;
}

/* One step: it is told, sent, and takes some work. */
static void step(enum message_step what, uint64_t value)
{
    call(SYS_EVENT, MESSAGE_WORD(what, value), 0);
    while (call(SYS_SEND, MESSAGE_WORD(what, value), 0) != 0)
        call(SYS_SLEEP, RETRY_US, 0);
    spin(call(SYS_UNITS, call(SYS_CLOCKS, (1 + draw(2 * STEP_US)) * MICROSECOND, 0), 0));
}

int main(uint64_t argument)
{
    const uint64_t faults = argument & SENDER_FAULTS;

    state = argument;
    for (uint64_t number = 1;; number++) {
        const uint64_t data = 1 + draw(DATA_MOST);

        step(MESSAGE_START, number);
        for (uint64_t i = 1; i <= data; i++)
            step(MESSAGE_DATA, i);
        if (draw(DRAWN) < faults)
            call(SYS_REPORT, call(SYS_CLOCK, 0, 0), 0);
        else
            step(MESSAGE_END, number);
        call(SYS_EVENT, MESSAGE_WORD(MESSAGE_IDLE, 0), 0);
        call(SYS_SLEEP, 1 + draw(2 * PAUSE_US), 0);
    }
}
