/* SPDX-License-Identifier: MIT */
/* The I/O APICs together.  ACPI specification 6.5, 5.2.12 and 5.2.13; MultiProcessor Specification 1.4, 3.6.2. */
#include "kernel/firmware/gsi.h"

#include "drivers/ioapic.h"
#include "drivers/lapic.h"
#include "kernel/boot_info.h"
#include "kernel/firmware/firmware_tables.h"

#define USUAL_INPUT_OF_IRQ0 2u

static struct madt_ioapic usual = { .address = IOAPIC_ADDRESS }; /* where the MADT tells none */
static unsigned inputs[MADT_IOAPICS];  /* of each; set once, as the next */
static unsigned usual_inputs;

void gsi_init(void)
{
    const struct madt *const m = &firmware_tables()->madt;

    for (unsigned i = 0; i < m->ioapics; i++)
        inputs[i] = ioapic_mask_inputs(DIRECT_BASE + m->ioapic[i].address);
    if (m->ioapics == 0)
        usual_inputs = ioapic_mask_inputs(DIRECT_BASE + usual.address);
}

unsigned gsi_controllers(void)
{
    unsigned answer = usual_inputs != 0;

    for (unsigned i = 0; i < MADT_IOAPICS; i++)
        answer += inputs[i] != 0;
    return answer;
}

unsigned gsi_silent(void)
{
    const unsigned told = firmware_tables()->madt.ioapics;

    return told - (told != 0 ? gsi_controllers() : 0);
}

unsigned gsi_inputs(void)
{
    unsigned all = usual_inputs;

    for (unsigned i = 0; i < MADT_IOAPICS; i++)
        all += inputs[i];
    return all;
}

static const struct madt_ioapic *find(uint32_t gsi, unsigned *input)
{
    if (gsi < usual_inputs) {
        *input = gsi;
        return &usual;
    }
    return madt_ioapic_of(&firmware_tables()->madt, gsi, inputs, input);
}

bool gsi_open(uint32_t gsi, uint32_t how)
{
    unsigned input;
    const struct madt_ioapic *const apic = find(gsi, &input);

    if (apic == 0 || !lapic_takes_messages())
        return false;
    ioapic_open_input(DIRECT_BASE + apic->address, input, lapic_id(), how);
    return true;
}

bool gsi_mask(uint32_t gsi)
{
    unsigned input;
    const struct madt_ioapic *const apic = find(gsi, &input);

    if (apic != 0)
        ioapic_mask_input(DIRECT_BASE + apic->address, input);
    return apic != 0;
}

uint32_t gsi_of_irq(unsigned irq)
{
    const struct madt *const m = &firmware_tables()->madt;

    return m->found || irq != 0 ? m->isa[irq].gsi : USUAL_INPUT_OF_IRQ0;
}
