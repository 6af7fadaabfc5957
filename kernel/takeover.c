/* SPDX-License-Identifier: MIT */
/*
 * Taking the machine over.  The order matters: nothing may interrupt while it is
 * half done, and the virtual wire through LINT0 must stand before the 8259 is
 * asked for anything.  Intel SDM 3A, chapter 11; 8259A and HPET documents.
 */
#include "kernel/takeover.h"

#include "drivers/hpet.h"
#include "drivers/ioapic.h"
#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "drivers/pit.h"
#include "kernel/boot_info.h"
#include "kernel/cpu.h"

void takeover(void)
{
    pic_mask_all();
    hpet_release_irq0(DIRECT_BASE);
    ioapic_mask_all(DIRECT_BASE);
    lapic_init(DIRECT_BASE);
    /* What was pending arrives now, at vectors that only count it. */
    cpu_interrupts_on();
    __asm__ volatile("nop\n\tnop\n\tnop");
    cpu_interrupts_off();
    pic_init();
    pit_init();
}
