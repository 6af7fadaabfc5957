/* SPDX-License-Identifier: MIT */
/* The 8254 programmable interval timer; see pit_regs.h for how it is spoken to. */
#include "drivers/pit.h"

#define LATCHED 3 /* status, low and high byte */

void pit_init(void)
{
    /* What was latched and never read outlives a new control word in QEMU. */
    for (int i = 0; i < LATCHED; i++)
        inb(PIT_COUNTER0);
    /* Mode 0 waits for a count: until then the output stays low. */
    outb(PIT_CONTROL, PIT_SEL_CH0 | PIT_ACCESS_LOHI | PIT_MODE0);
}

/* The count last: it begins with the high byte.  65536 is written as 0. */
void pit_repeat(uint32_t count)
{
    outb(PIT_CONTROL, PIT_SEL_CH0 | PIT_ACCESS_LOHI | PIT_MODE2);
    pit_arm(count & 0xffff);
}

bool pit_counts(void)
{
    enum { LOOKS = 100 }; /* a port access takes about a microsecond on a board */
    uint32_t first, last;

    pit_init();
    pit_arm(PIT_COUNT_MAX);
    first = pit_left();
    last = first;
    for (int i = 0; i < LOOKS && last == first; i++)
        last = pit_left();
    pit_init();
    /* A dead chip reads all ones or one frozen number. */
    return last < first;
}
