/* SPDX-License-Identifier: MIT */
/*
 * Functions of known work that call each other, without end: what a profile by calls and a profile
 * by samples must find.  Work of a turn in units of spin(), by function: twice 2000, once() 3000,
 * outer() 500, deep() 1000, tiny() 500.
 */
#include "kernel/abi/calls.h"

#define OWN __attribute__((noipa)) static

#define TINY_CALLS 50u
#define DEEP_CALLS 4u
#define NO_TURN    UINT64_MAX

OWN void twice(void)
{
    spin(1000);
}

OWN void once(void)
{
    spin(3000);
}

OWN void outer(void)
{
    twice();
    spin(500);
    twice();
}

OWN void deep(uint64_t more)
{
    spin(250);
    if (more != 0)
        deep(more - 1);
}

OWN void tiny(void)
{
    spin(10);
}

OWN void never(void)
{
    spin(1000000);
}

OWN void turn(uint64_t number)
{
    outer();
    once();
    deep(DEEP_CALLS - 1);
    for (uint64_t i = 0; i < TINY_CALLS; i++)
        tiny();
    if (number == NO_TURN)
        never();
}

int main(void)
{
    for (uint64_t number = 0;; number++)
        turn(number);
}
