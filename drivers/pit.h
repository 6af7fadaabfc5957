/* SPDX-License-Identifier: MIT */
/* The 8254: counter 0 as a one-shot, and how late it is; or repeating by itself. */
#ifndef DRIVERS_PIT_H
#define DRIVERS_PIT_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/io.h"
#include "drivers/pit_regs.h"

#define PIT_HZ_NOMINAL 1193182u
#define PIT_COUNT_MAX  65535u /* longest one-shot whose lateness can still be read */

/* Counter 0 to mode 0, not counting: no interrupt until pit_arm(). Task context. */
void pit_init(void);

/*
 * Counter 0 to mode 2: IRQ 0 each `count` clocks, 2 .. PIT_REPEAT_MAX, from now
 * on until pit_init().  Interrupts off.
 */
#define PIT_REPEAT_MAX 65536u
void pit_start_periodic(uint32_t count);

/* True if counter 0 counts at all: bounded to some 100 microseconds. Task context. */
bool pit_is_counting(void);

/*
 * How long counter 2, which has no interrupt, takes for `count` clocks: clock units,
 * by its visible output.  False where that does not change within `longest` of them.
 * Leaves the speaker off.  Interrupts off.
 */
bool pit_time_counter2(uint32_t count, uint64_t longest, uint64_t *took);

/* The three below are in the way of each tick: inline. */

/*
 * Begin a one-shot of `count` clocks, 1 .. 65535; its end raises IRQ 0.  The
 * count begins with the second write.  Interrupt context, interrupts off.
 */
static inline void pit_arm(uint32_t count)
{
    outb(PIT_COUNTER0, (uint8_t)count);
    outb(PIT_COUNTER0, (uint8_t)(count >> 8));
}

/*
 * Clocks left of a one-shot that has not ended. Interrupts off.  Two rotations
 * make one number of the bytes, low one first: shorter than shift and or.
 */
static inline uint32_t pit_read(void)
{
    uint32_t left;

    __asm__ volatile("outb %%al, %1\n\t"
                     "inb %2, %%al\n\trolw $8, %%ax\n\t"
                     "inb %2, %%al\n\trolw $8, %%ax"
                     : "=a"(left)
                     : "i"(PIT_CONTROL), "i"(PIT_COUNTER0), "0"(PIT_SEL_CH0 | PIT_ACCESS_LATCH)
                     : "cc");
    return (uint16_t)left;
}

/*
 * Clocks since the one-shot ended, 0 .. 65535; meaningful in its interrupt
 * handler, for in mode 0 the counter counts on through 0xffff.  Interrupt
 * context, interrupts off.
 */
static inline uint32_t pit_lateness(void)
{
    return (uint16_t)-pit_read();
}

#endif
