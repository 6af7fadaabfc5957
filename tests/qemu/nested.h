/* SPDX-License-Identifier: MIT */
/*
 * Read before kernel/source/nmi.c in build/nested.elf: at three places of its handler,
 * in turns, another NMI is asked for, and let in there and then by an IRETQ, as an
 * SMI may let one in; or it waits, and comes as soon as this one has returned.
 */
#pragma once

#include <stdint.h>

#include "kernel/cpu/cpu.h"
#include "tests/qemu/own_nmi.h"

#define NESTED_EACH  4u                   /* one in so many passes of a place */
#define NESTED_SPIN  3000u                /* instructions, open to the next tick */

/* Any IRET lets NMIs in. */
static inline void nested_let_in(void)
{
    __asm__ volatile("movq %%rsp, %%rax\n\tpushq %0\n\tpushq %%rax\n\tpushfq\n\tpushq %1\n\t"
                     "leaq 1f(%%rip), %%rax\n\tpushq %%rax\n\tiretq\n1:"
                     : : "i"(SEL_KERNEL_DATA), "i"(SEL_KERNEL_CODE) : "rax", "memory", "cc");
}

static __attribute__((noinline)) void nested_strike(unsigned place)
{
    static uint32_t passes;

    passes++;
    if (passes % NESTED_EACH != 0)
        return;
    own_nmi_ask();
    if (passes % (3 * NESTED_EACH) == 0)
        return; /* it waits for our IRETQ */
    nested_let_in();
    if (place == 3)
        for (volatile unsigned i = 0; i < NESTED_SPIN / 5; i++)
            continue;
}

#define NMI_STRIKE(place) nested_strike(place)
