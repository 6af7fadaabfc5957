/* SPDX-License-Identifier: MIT */
/*
 * A program that takes one resource and then the next one in a ring.  As soon as each
 * task has its own, all wait for ever: a deadlock.
 */
#include "kernel/abi/calls.h"

int main(uint64_t argument)
{
    const uint64_t own = argument & 0xff, next = (own + 1) % (argument >> TAKER_RING & 0xff);
    const uint64_t look = call(SYS_TICK, 0, 0) * (argument >> TAKER_SHARE) / 1000;

    call(SYS_TAKE, own, 0);
    call(SYS_SLEEP, 0, 1); /* until every other has taken its own */
    call(SYS_TAKE, next, call(SYS_UNITS, look, 0));
    return 0;
}
