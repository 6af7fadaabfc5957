/* SPDX-License-Identifier: MIT */
/* The 8254: counter 0 as a one-shot, whose counter tells how late its interrupt is, or periodic. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "drivers/io.h"
#include "drivers/pit_regs.h"

#define PIT_HZ_NOMINAL 1193182u
#define PIT_COUNT_MAX  65535u /* the longest one-shot without a wrap of its counter */

/* Counter 0 to mode 0, not counting: no interrupt until pit_arm(). Task context. */
void pit_init(void);

/*
 * Counter 0 to mode 2: IRQ 0 each `count` clocks, 2 .. PIT_REPEAT_MAX, from now
 * on until pit_init().  Interrupts off.
 */
#define PIT_REPEAT_MAX 65536u
void pit_start_periodic(uint32_t count);

/* Whether counter 0 counts.  Takes some 100 microseconds.  Task context. */
bool pit_is_counting(void);

/*
 * Measure how long counter 2, which has no interrupt, takes for `count` clocks, by its output bit:
 * clock units.  False if the output does not change within `longest` clock units.  Leaves the
 * speaker off.  Interrupts off.
 */
bool pit_time_counter2(uint32_t count, uint64_t longest, uint64_t *took);

/*
 * Have counter 2, which has no interrupt and is nobody else's during the run, count without end from 65536 (mode 2),
 * and read how far it has counted, modulo 65536.  The speaker stays off.  Interrupts off.
 */
void pit_counter2_run(void);
uint32_t pit_counter2_read(void);

/* The three below are inline, because each tick runs them. */

/*
 * Begin a one-shot of `count` clocks, 1 .. 65535; its end raises IRQ 0.  The
 * count begins with the second write.  Interrupt context, interrupts off.
 */
static inline void pit_arm(uint32_t count)
{
    outb_low_high(PIT_COUNTER0, (uint16_t)count);
}

/*
 * Read the counter: clocks until the one-shot ends.  Interrupts off.  The low byte is read first;
 * two rotations combine the bytes in fewer instructions than shift and OR.
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
 * Clocks since the one-shot ended, 0 .. 65535: in mode 0 the counter counts on from 0xffff.  Valid
 * in its interrupt handler.  Interrupt context, interrupts off.
 */
static inline uint32_t pit_lateness(void)
{
    return (uint16_t)-pit_read();
}
