/* SPDX-License-Identifier: MIT */
/* The PIT's line through the I/O APIC or the 8259.  Intel 82093AA data sheet, 290566; MultiProcessor Specification 1.4. */
#include "kernel/source/pit_line.h"

#include "drivers/ioapic.h"
#include "kernel/boot_info.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/irq_vectors.h"

/* IRQ 0 ends at pin 2 where the MADT has the usual override, else at pin 0. */
const unsigned pit_pins[NMI_PINS] = { 2, 0 };

bool pit_line_direct; /* legend in pit_line.h */

static unsigned pin;    /* set once, as the next */
static const char *why = "through the 8259";

void pit_line_open(void)
{
    if (pit_line_direct)
        ioapic_vector(DIRECT_BASE, pin, lapic_id(), TICK_VECTOR);
    else
        pic_unmask(PIT_IRQ);
}

/* The last one-shot can have left a request in the 8259, even while its line was masked, or in the local APIC. */
void pit_line_close(void)
{
    if (!pit_line_direct)
        pic_unmask(PIT_IRQ);
    cpu_take_pending();
    if (pit_line_direct)
        ioapic_mask(DIRECT_BASE, pin);
    else
        pic_mask(PIT_IRQ);
}

/* Whether all one-shots arrive through `pin`. */
static bool is_proven(unsigned (*prove)(void))
{
    pit_line_open();
    if (prove() == PIT_PROOFS)
        return true;
    pit_line_close();
    return false;
}

void pit_line_choose(unsigned (*prove)(void))
{
    static const char *const ways[NMI_PINS] = { "through pin 2 of the I/O APIC", "through pin 0 of the I/O APIC" };
    const unsigned pins = lapic_in_use() ? ioapic_mask_all(DIRECT_BASE) : 0;

    why = !lapic_in_use() ? "through the 8259, as there is no local APIC" :
          pins == 0 ? "through the 8259, as no I/O APIC answers" :
          "through the 8259, as no pin of the I/O APIC brings each one-shot";
    pit_line_close();
    pit_line_direct = true;
    for (unsigned i = 0; i < NMI_PINS && pit_pins[i] < pins; i++) {
        pin = pit_pins[i];
        if (is_proven(prove)) {
            why = ways[i];
            return;
        }
    }
    pit_line_direct = false;
    pit_line_open();
}

const char *pit_line_way(void)
{
    return why;
}
