/* SPDX-License-Identifier: MIT */
/*
 * The 8254 programmable interval timer: three 16-bit counters clocked at
 * 1.193182 MHz.  A control word to PIT_CONTROL names counter, access and mode;
 * a count is then written to the counter's port, low byte first, and counting
 * begins with the high byte.  To read: latch, then low and high byte.
 * Intel 8254 data sheet, 231164.
 */
#pragma once

#define PIT_COUNTER0 0x40
#define PIT_COUNTER2 0x42
#define PIT_CONTROL  0x43

/* Control word: counter | access | mode */
#define PIT_SEL_CH0      (0 << 6)
#define PIT_SEL_CH2      (2 << 6)
#define PIT_ACCESS_LATCH (0 << 4)
#define PIT_ACCESS_LOHI  (3 << 4)
#define PIT_MODE0        (0 << 1) /* interrupt on terminal count: one shot */
#define PIT_MODE2        (2 << 1) /* rate generator: a request every `count` clocks */

/* Only counter 2 has a gate and a readable output, in port B of the keyboard controller. */
#define PORTB            0x61
#define PORTB_GATE2      (1 << 0)
#define PORTB_SPEAKER    (1 << 1)
#define PORTB_OUT2       (1 << 5)
