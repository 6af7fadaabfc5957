/* SPDX-License-Identifier: MIT */
/* A program whose system calls run with interrupts off. */
#include "kernel/abi/calls.h"

/*
 * In a period.  Sections must be much shorter than the mean interval: a section delays
 * one tick at most, so that longer ones get too few samples.
 */
#define PIECES 64

int main(void)
{
    for (;;) {
        const uint64_t user = call(SYS_PACE, PACE_USER, 0);
        const uint64_t kernel = call(SYS_PACE, PACE_KERNEL, 0);

        for (int i = 0; i < PIECES; i++) {
            spin(user / PIECES);
            call(SYS_MASK, kernel / PIECES, 0);
        }
        call(SYS_REST, 0, 0);
    }
}
