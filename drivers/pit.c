/* SPDX-License-Identifier: MIT */
/* The 8254 programmable interval timer; see pit_regs.h for how it is spoken to. */
#include "drivers/pit.h"

#include "drivers/io.h"
#include "drivers/pit_regs.h"

void pit_init(void)
{
    /* Mode 0 waits for a count: until then the output stays low. */
    outb(PIT_CONTROL, PIT_SEL_CH0 | PIT_ACCESS_LOHI | PIT_MODE0);
}

void pit_arm(uint32_t count)
{
    outb(PIT_COUNTER0, (uint8_t)count);
    outb(PIT_COUNTER0, (uint8_t)(count >> 8));
}

uint32_t pit_left(void)
{
    uint32_t low;

    outb(PIT_CONTROL, PIT_SEL_CH0 | PIT_ACCESS_LATCH);
    low = inb(PIT_COUNTER0);
    return low | (uint32_t)inb(PIT_COUNTER0) << 8;
}

uint32_t pit_lateness(void)
{
    return -pit_left() & 0xffff;
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
