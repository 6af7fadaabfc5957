/* SPDX-License-Identifier: MIT */
/*
 * Taking the machine over.  The order matters: nothing may interrupt before it is complete; the
 * virtual wire through LINT0 must work before a line of the 8259 is unmasked; pending
 * interrupts are drained last, when no source can add any.  Intel SDM 3A, chapter 11; 8259A and
 * HPET documents.
 */
#include "kernel/firmware/hw_takeover.h"

#include "drivers/hpet.h"
#include "drivers/ich9.h"
#include "drivers/io.h"
#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "drivers/pit.h"
#include "kernel/boot_info.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/idt.h"
#include "kernel/firmware/firmware_tables.h"
#include "kernel/firmware/gsi.h"

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

/*
 * Bus masters and other processors are stopped.  Intel SDM 3A, 8.4 and 11.6; PCI Local Bus Specification 3.0,
 * 6.2.2.
 */

static struct hw_quiesced quiesced; /* set once, by hw_quiesce() */

void hw_quiesce(void)
{
    quiesced.others_stopped = lapic_present() && lapic_init_others(DIRECT_BASE);
    quiesced.masters = pci_stop_masters();
}

const struct hw_quiesced *hw_quiesced(void)
{
    return &quiesced;
}

/* Whether the chipset's watchdog runs: whether its count changes. */

#define LOOK_TENTHS 7 /* of a second: longer than a count */

/* One that is not halted need not have been started. */
static bool is_counting(const struct tco *t, uint64_t clock_hz)
{
    const uint64_t begin = rdtsc(), most = clock_hz / 10 * LOOK_TENTHS;
    const uint32_t first = tco_count(t);

    while (rdtsc() - begin < most)
        if (tco_count(t) != first)
            return true;
    return false;
}

/* It resets at the second time-out; the count that it is at may be over at once. */
static uint32_t seconds_left(const struct tco *t)
{
    const uint32_t counts = tco_count(t) + t->reload;

    return counts > 0 ? (counts - 1) * TCO_TENTHS / 10 : 0;
}

enum watchdog watchdog_look(uint64_t clock_hz, bool stop, uint32_t *seconds)
{
    struct tco t;

    if (!tco_find(&t, DIRECT_BASE) || t.halted || !t.resets || !is_counting(&t, clock_hz))
        return WATCHDOG_NONE;
    if (stop && !t.locked && tco_halt(&t))
        return WATCHDOG_STOPPED;
    *seconds = seconds_left(&t);
    return stop ? WATCHDOG_LOCKED : WATCHDOG_RUNS;
}
