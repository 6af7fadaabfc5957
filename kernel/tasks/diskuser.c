/* SPDX-License-Identifier: MIT */
/*
 * A program that computes for a while, moves blocks of the disk, and thinks: all drawn from its
 * argument.  A hostile one asks for blocks of any number and counts the refusals that it gets.
 */
#include "kernel/abi/calls.h"
#include "probe/schedule/splitmix64.h"

#define MICROSECOND 1000u /* ns */
#define RETRY_US    2000u /* where the queue is full */
#define MOST        32u   /* blocks of a request */

static uint64_t state;

static uint64_t draw(void)
{
    return splitmix64_mix(state += SPLITMIX64_GAMMA);
}

/* Uniform below twice the mean. */
static uint64_t around(uint64_t mean)
{
    return mean != 0 ? draw() % (2 * mean) : 0;
}

static void compute(uint64_t microseconds)
{
    spin(call(SYS_UNITS, call(SYS_CLOCKS, microseconds * MICROSECOND, 0), 0));
}

/* Requests of any size: most are refused, and none does harm. */
static void ask_any(void)
{
    call(SYS_DISK, draw() >> draw() % 64, draw() >> draw() % 64);
}

static void move(uint64_t blocks)
{
    while (call(SYS_DISK, draw() % (blocks - MOST), 1 + draw() % MOST) != 0)
        call(SYS_SLEEP, RETRY_US, 0);
}

int main(uint64_t argument)
{
    const uint64_t compute_us = argument & DISKUSER_COMPUTE, think_us = (argument >> DISKUSER_THINK & 0xff) * 1000;

    state = argument;
    for (;;) {
        compute(around(compute_us));
        if (argument & DISKUSER_HOSTILE)
            ask_any();
        else
            move(DISKUSER_BLOCKS);
        if (think_us != 0)
            call(SYS_SLEEP, around(think_us), 0);
    }
}
