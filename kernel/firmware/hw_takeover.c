/* SPDX-License-Identifier: MIT */
/*
 * Taking the machine over.  The order matters: nothing may interrupt before it is complete; the
 * virtual wire through LINT0 must work before a line of the 8259 is unmasked; pending
 * interrupts are drained last, when no source can add any.  Intel SDM 3A, chapter 11; 8259A and
 * HPET documents.
 */
#include "kernel/firmware/hw_takeover.h"

#include "drivers/hpet.h"
#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "drivers/pit.h"
#include "kernel/boot_info.h"
#include "kernel/cpu/cpu.h"
#include "kernel/firmware/firmware_tables.h"
#include "kernel/firmware/gsi.h"
#include "kernel/cpu/idt.h"

#define DRAINS 1000 /* there are 240 vectors: more would be a broken APIC */

/*
 * Interrupts that firmware requested and did not take are pending in the local APIC, perhaps at a
 * vector of ours: take them all while every vector is ignored.
 */
static void drain(bool lapic)
{
    idt_ignore_all();
    for (int i = 0; i < DRAINS; i++) {
        cpu_interrupts_on();
        __asm__ volatile("nop\n\tnop\n\tnop");
        cpu_interrupts_off();
        if (!lapic || lapic_eoi_all())
            break;
    }
    idt_init();
}

void hw_takeover(void)
{
    bool lapic = lapic_present();
    const uint32_t hpet = firmware_tables()->hpet;

    pic_mask_all();
    hpet_init(DIRECT_BASE + (hpet != 0 ? hpet : HPET_ADDRESS));
    gsi_init();
    if (lapic)
        lapic = lapic_init(DIRECT_BASE);
    pic_init(true); /* kernel/source/pit_line.c tries whether the chip can do it */
    pit_init();
    drain(lapic);
}
