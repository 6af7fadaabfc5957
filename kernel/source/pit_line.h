/* SPDX-License-Identifier: MIT */
/*
 * The interrupt line of the PIT's counter 0, where its ticks are no NMIs.  Through a pin of the I/O APIC that was
 * proven the end of interrupt is one write to the local APIC, which is part of the processor.  Through the 8259 it is
 * a port access more in each tick, of 0.5 to 1.5 us on a board.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "kernel/source/nmi.h"

#define PIT_IRQ    0u
#define PIT_PROOFS 8u /* one-shots that must all arrive through a pin */

extern const unsigned pit_pins[NMI_PINS]; /* of the I/O APIC that are tried, in this order */

extern bool pit_line_direct; /* through the I/O APIC, else through the 8259; set by the two below, interrupts off */

/*
 * Have the line come through the I/O APIC if all one-shots that `prove` fires arrive there, else through the 8259.
 * It is open afterwards.  Once, when the 8259's way is known to work; interrupts off.
 */
void pit_line_choose(unsigned (*prove)(void));

/*
 * Open the line, or close it: a request that is pending then is let in, and its handler must ignore it.  Before the
 * first count is written, as a masked pin of the I/O APIC forgets an edge.  Interrupts off; close() lets them in.
 */
void pit_line_open(void);
void pit_line_close(void);

/* Which way it comes and why, for the machine report.  Any context. */
const char *pit_line_way(void);

/* End its interrupt.  Interrupt context. */
static inline void pit_line_end(void)
{
    if (pit_line_direct)
        lapic_eoi();
    else
        pic_eoi_master(PIT_IRQ);
}
