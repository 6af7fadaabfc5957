/* SPDX-License-Identifier: MIT */
/* The pair of 8259A interrupt controllers.  Intel 8259A data sheet, 231468. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "drivers/io.h"

#define PIC_MASTER_COMMAND 0x20
#define PIC_MASTER_MASK    0x21
#define PIC_EOI            0x60 /* OCW2, specific EOI: OR with the line */

#define PIC_MASTER_VECTOR 0x30 /* IRQ 0 .. 7 */
#define PIC_SLAVE_VECTOR  0x38 /* IRQ 8 .. 15 */

/* Mask every line and change nothing else. */
void pic_mask_all(void);

/*
 * Whether the first chip ends each interrupt as it delivers it (AEOI), so that its lines need no command.  The second
 * chip never does: the data sheet promises it of a master only.  Set by pic_init(), interrupts off.
 */
extern bool pic_automatic;

/*
 * Initialise both chips (ICW1 to ICW4) at the vectors above; all lines stay masked, and requests are forgotten.
 * Handlers must run with interrupts off if `automatic`, because any line may interrupt again at once.
 * Interrupts off.
 */
void pic_init(bool automatic);

/* Unmask a line, 0 .. 15.  Interrupts off. */
void pic_unmask(unsigned irq);

/* Mask a line, 0 .. 15; with the last one of the second chip that chip too.  Interrupts off. */
void pic_mask(unsigned irq);

/* End of interrupt for one line, as far as it needs a command. Interrupt context. */
void pic_eoi(unsigned irq);

/* The same for a line of the first chip, 0 .. 7; inline, because each tick runs it. */
static inline void pic_eoi_master(unsigned irq)
{
    if (!pic_automatic)
        outb(PIC_MASTER_COMMAND, (uint8_t)(PIC_EOI | irq));
}

/* Whether a line, masked or not, has a request that has not been delivered yet.  Interrupts off. */
bool pic_is_requested(unsigned irq);

/*
 * Whether a line is in service.  If IRQ 7 or 15 is not, it is spurious: its request has vanished.  With pic_automatic
 * no line of the first chip ever is: an IRQ 7 that no handler waits for counts as spurious then.
 * Interrupt context.
 */
bool pic_in_service(unsigned irq);
