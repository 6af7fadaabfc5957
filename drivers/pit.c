/* SPDX-License-Identifier: MIT */
/* The 8254 programmable interval timer; pit_regs.h has its protocol. */
#include "drivers/pit.h"

#define LATCHED 3 /* status, low and high byte */

void pit_init(void)
{
    /* In QEMU a latched value stays latched until it is read, even after a new control word. */
    for (int i = 0; i < LATCHED; i++)
        inb(PIT_COUNTER0);
    /* Mode 0 waits for a count: until then the output stays low. */
    outb(PIT_CONTROL, PIT_SEL_CH0 | PIT_ACCESS_LOHI | PIT_MODE0);
}

/* Counting begins with the high byte of the count.  65536 is written as 0. */
void pit_start_periodic(uint32_t count)
{
    outb(PIT_CONTROL, PIT_SEL_CH0 | PIT_ACCESS_LOHI | PIT_MODE2);
    pit_arm(count & 0xffff);
}

bool pit_is_counting(void)
{
    enum { LOOKS = 100 }; /* a port access takes about a microsecond on a board */
    uint32_t first, last;

    pit_init();
    pit_arm(PIT_COUNT_MAX);
    first = pit_read();
    last = first;
    for (int i = 0; i < LOOKS && last == first; i++)
        last = pit_read();
    pit_init();
    /* A dead chip reads all ones or one frozen number. */
    return last < first;
}

static bool await_out2(uint8_t level, uint64_t longest)
{
    const uint64_t begin = rdtsc();

    while ((inb(PORTB) & PORTB_OUT2) != level)
        if (rdtsc() - begin > longest)
            return false;
    return true;
}

bool pit_time_counter2(uint32_t count, uint64_t longest, uint64_t *took)
{
    /* Bits above the fourth are read-only. */
    const uint8_t portb = inb(PORTB) & 0x0f & ~PORTB_SPEAKER;
    uint64_t begin;
    bool ended;

    outb(PORTB, portb | PORTB_GATE2);
    outb(PIT_CONTROL, PIT_SEL_CH2 | PIT_ACCESS_LOHI | PIT_MODE0);
    outb(PIT_COUNTER2, (uint8_t)count);
    outb(PIT_COUNTER2, (uint8_t)(count >> 8));
    begin = rdtsc();
    ended = await_out2(0, longest) && await_out2(PORTB_OUT2, longest);
    *took = rdtsc() - begin;
    outb(PORTB, portb & ~PORTB_GATE2);
    return ended;
}

void pit_counter2_run(void)
{
    const uint8_t portb = inb(PORTB) & 0x0f & ~PORTB_SPEAKER;

    outb(PORTB, portb | PORTB_GATE2);
    outb(PIT_CONTROL, PIT_SEL_CH2 | PIT_ACCESS_LOHI | PIT_MODE2);
    outb(PIT_COUNTER2, 0);
    outb(PIT_COUNTER2, 0);
}

uint32_t pit_counter2_read(void)
{
    uint32_t left;

    outb(PIT_CONTROL, PIT_SEL_CH2 | PIT_ACCESS_LATCH);
    left = inb(PIT_COUNTER2);
    left |= (uint32_t)inb(PIT_COUNTER2) << 8;
    return (uint16_t)-left;
}
