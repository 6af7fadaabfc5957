/* SPDX-License-Identifier: MIT */
/* The PIT's line through the 8259, with or without a command at the end of each interrupt. */
#include "kernel/source/pit_line.h"

#include "kernel/cpu/cpu.h"
#include "kernel/cpu/irq.h"

/*
 * In QEMU a control word does not stop the counter: a one-shot that was cut off requests its interrupt after
 * pit_line_close().
 */
void pit_line_open(void)
{
    pic_unmask(PIT_IRQ);
    if (pic_is_requested(PIT_IRQ))
        cpu_take_pending();
}

/*
 * The last one-shot can have left a request in the 8259, even while its line was masked.  Where pit_init() has
 * lowered the line since, it comes as an IRQ 7 (8259A data sheet, "Interrupt request register"),
 * which is ours and not counted.
 */
void pit_line_close(void)
{
    pic_unmask(PIT_IRQ);
    irq_ignore_spurious(true);
    cpu_take_pending();
    irq_ignore_spurious(false);
    pic_mask(PIT_IRQ);
}

/* A chip that waits for a command brings the first one only. */
static bool is_proven(bool (*arrives)(void))
{
    for (unsigned i = 0; i < PIT_PROOFS; i++)
        if (!arrives())
            return false;
    return true;
}

bool pit_line_choose(bool (*arrives)(void))
{
    pit_line_open();
    if (is_proven(arrives))
        return true;
    pic_init(false);
    pit_line_open();
    return is_proven(arrives);
}

const char *pit_line_way(void)
{
    return pic_automatic ? "through the 8259, which ends its interrupts itself" :
           "through the 8259 by a command for each, as it does not end them itself";
}
