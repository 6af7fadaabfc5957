/* SPDX-License-Identifier: MIT */
/*
 * The periodic interrupt of the real-time clock: 2 to 8192 Hz in powers of two,
 * by IRQ 8.  Motorola MC146818A data sheet; IBM PC/AT, ports 0x70 and 0x71.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "drivers/io.h"

#define RTC_IRQ      8
#define RTC_HZ_BASE  32768u /* frequency of its crystal */
#define RTC_HZ_LEAST 2u
#define RTC_HZ_MOST  8192u

#define RTC_INDEX    0x70
#define RTC_DATA     0x71
#define RTC_REG_C    0x0c
#define RTC_C_PERIODIC (1u << 6)
#define RTC_C_REQUEST  (1u << 7)
#define RTC_C_ZERO     0x0fu /* bits that are always 0 */

/* Interrupt at `hz`, a power of two from RTC_HZ_LEAST to RTC_HZ_MOST.  Interrupts off. */
void rtc_start_periodic(uint32_t hz);

/* Disable all interrupts of the RTC.  Interrupts off. */
void rtc_stop(void);

/*
 * The first tells whether there is an RTC, the second whether its "valid RAM and time" bit is set.  Interrupts off.
 */
bool rtc_answers(void);
bool rtc_has_power(void);

/*
 * Whether the RTC updates its time: the bit falls once a second, at the end of the update.  Interrupts off.
 */
bool rtc_is_updating(void);

/*
 * Read register C, which permits the next interrupt.  Returns true if a period has ended.  The index stays at
 * register C between all accesses of this driver, which saves a port access in each tick; what is read tells whether
 * somebody else, firmware in an SMI, has changed it.  Bit 7 of the index port disables NMIs and cannot be read back:
 * this driver always writes it as 0, so that NMIs stay enabled.  Interrupt context, or interrupts off.
 *
 * A byte of the CMOS memory that looks like register C deceives it: 0xc0, 0xd0, 0xe0, 0xf0.  Then the request stays,
 * and no other one comes.  So whoever calls it in ticks looks now and then whether they still come, and calls
 * rtc_acknowledge_anywhere() if not.
 */
static inline bool rtc_acknowledge(void)
{
    if ((inb(RTC_DATA) & (RTC_C_REQUEST | RTC_C_PERIODIC | RTC_C_ZERO)) == (RTC_C_REQUEST | RTC_C_PERIODIC))
        return true;
    outb(RTC_INDEX, RTC_REG_C);
    return inb(RTC_DATA) & RTC_C_PERIODIC;
}

/*
 * The same wherever the index is: it is written first, until register C tells that no request is left; at most
 * RTC_READINGS times, of two port accesses each.  Interrupt context, or interrupts off.
 */
#define RTC_READINGS 4u
bool rtc_acknowledge_anywhere(void);
