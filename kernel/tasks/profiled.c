/* SPDX-License-Identifier: MIT */
/*
 * A program of known work for profiles: three functions of its own, each on a page of code of its own, and two
 * that make system calls.  Of each turn's units of work alpha() has 30, beta() 20, delta() 5 at ring 3; the kernel
 * has 40 for heavy() and 5 for light().
 */
#include "kernel/abi/calls.h"
#include "kernel/abi/spin_loop.h"

#define UNIT 100u /* turns of the loop in a unit of work */
#define ON_ITS_PAGE __attribute__((noipa, aligned(4096)))

ON_ITS_PAGE static void alpha(void)
{
    spin(30 * UNIT);
}

ON_ITS_PAGE static void beta(void)
{
    spin(20 * UNIT);
}

ON_ITS_PAGE static void delta(void)
{
    spin(5 * UNIT);
}

ON_ITS_PAGE static void heavy(void)
{
    call(SYS_WORK, 40 * UNIT, 0);
}

ON_ITS_PAGE static void light(void)
{
    call(SYS_WORK, 5 * UNIT, 0);
}

int main(void)
{
    for (;;) {
        alpha();
        heavy();
        beta();
        light();
        delta();
    }
}
