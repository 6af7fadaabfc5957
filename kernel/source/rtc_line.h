/* SPDX-License-Identifier: MIT */
/*
 * The interrupt line of the RTC where it is the tick: through an input of an I/O APIC, whose end of interrupt is an
 * access of memory, or through the second 8259, which wants a command, on a board a port access of 0.5 to 1.5 us.
 * ACPI specification 6.5, 5.2.12.5; Intel SDM 3A, 11.8 and 11.9; Intel 8259A data sheet, 231468.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "drivers/rtc.h"
#include "kernel/cpu/irq.h"
#include "probe/text/text_buf.h"

#define RTC_LINE_PROOFS 4u /* interrupts that must all come by the input, and before those of the 8259 */

extern bool rtc_line_by_input; /* set by the next two, interrupts off */

/*
 * Try the input.  The RTC's interrupt is let come both ways at once, RTC_LINE_PROOFS times: where the local APIC has
 * the 8259's request come before its own, it would do so with the line's too, and a transmitter that requests the
 * next interrupt at once would hold ticks up.  The line is closed afterwards, the RTC stopped, and its two vectors
 * have no handler of ticks.  `clock_hz`: of the TSC.  Once, at the start, 2 ms for each proof;
 * interrupts off, let in meanwhile.
 */
void rtc_line_choose(uint64_t clock_hz);

/* Use the 8259 after all, because too few ticks come by the input.  The line is closed; interrupts off. */
void rtc_line_use_8259(void);

/* The vector of its interrupt.  After rtc_line_choose(). */
static inline unsigned rtc_line_vector(void)
{
    return rtc_line_by_input ? RTC_VECTOR : PIC_SLAVE_VECTOR;
}

/*
 * Open the line, or close it once the RTC is stopped: a request that is pending then is let in, and its handler must
 * ignore it.  Interrupts off; close() lets them in.
 */
void rtc_line_open(void);
void rtc_line_close(void);

/* End of interrupt.  Interrupt context. */
static inline void rtc_line_end(void)
{
    if (rtc_line_by_input)
        lapic_eoi();
    else
        pic_eoi(RTC_IRQ);
}

/* Its way, why, and the port accesses of a tick, for the machine report.  Any context. */
void rtc_line_put(struct text_buf *b);
