/* SPDX-License-Identifier: MIT */
/* A program that does one thing wrong, at its own ring or through a service. */
#include "kernel/misdeed.h"
#include "kernel/tasks/calls.h"

#define WAIT_US 20000

int main(uint64_t argument)
{
    const uint64_t kind = argument & 0xff;

    call(SYS_SLEEP, WAIT_US, 0);
    if (argument & CULPRIT_RING1)
        serve(SVC_FAULT, kind);
    else if (argument & CULPRIT_RING0)
        call(SYS_FAULT, kind, 0);
    else
        misdeed((enum fault_kind)kind);
    return 0; /* a task that was not stopped ends without a record: the tests look for it */
}
