/* SPDX-License-Identifier: MIT */
/* The entries of ACPI's MADT, each with its kind and its length first.  ACPI specification 6.5, 5.2.12. */
#include "kernel/firmware/madt.h"

#include <stddef.h>

#include "kernel/firmware/acpi.h"

#define FLAGS       40u /* behind the address of the local APIC */
#define ENTRIES     44u
#define PCAT_COMPAT 1u
#define ENABLED     1u

#define POLARITY_LOW 3u /* of the two bits that tell it; the bus's own, 0, is high for ISA */
#define TRIGGER_LEVEL 3u
#define IOAPIC_ALIGN 0xffu /* bits of its address that are 0 */
#define ALL_LINTS    2u
#define X2APIC_LINT_LENGTH 12u

static bool is_low(uint32_t flags)
{
    return (flags & 3) == POLARITY_LOW;
}

static bool is_level(uint32_t flags)
{
    return (flags >> 2 & 3) == TRIGGER_LEVEL;
}

/* False where the entry cannot be true, or there is no room for it: the same of all that follow. */
static bool take_processor(struct madt *m, const uint8_t *e)
{
    m->processors += acpi_number(e + 4, 4) & ENABLED;
    return true;
}

static bool take_x2apic(struct madt *m, const uint8_t *e)
{
    m->processors += acpi_number(e + 8, 4) & ENABLED;
    return true;
}

static bool take_ioapic(struct madt *m, const uint8_t *e)
{
    const struct madt_ioapic found = {
        .id = e[2], .address = (uint32_t)acpi_number(e + 4, 4), .first = (uint32_t)acpi_number(e + 8, 4),
    };

    if (m->ioapics == MADT_IOAPICS || found.address == 0 || found.address & IOAPIC_ALIGN)
        return false;
    for (unsigned i = 0; i < m->ioapics; i++)
        if (m->ioapic[i].address == found.address || m->ioapic[i].first == found.first)
            return false;
    m->ioapic[m->ioapics++] = found;
    return true;
}

/* Bus 0 is ISA.  The first word on an interrupt counts. */
static bool take_override(struct madt *m, const uint8_t *e)
{
    const uint32_t flags = (uint32_t)acpi_number(e + 8, 2);

    if (e[2] != 0 || e[3] >= MADT_ISA_IRQS || m->isa[e[3]].overridden)
        return false;
    m->isa[e[3]] = (struct madt_line){
        .gsi = (uint32_t)acpi_number(e + 4, 4), .overridden = true, .active_low = is_low(flags),
        .level = is_level(flags),
    };
    return true;
}

static bool take_nmi(struct madt *m, const uint8_t *e)
{
    const uint32_t flags = (uint32_t)acpi_number(e + 2, 2);

    if (m->nmis == MADT_NMIS)
        return false;
    m->nmi[m->nmis++] = (struct madt_nmi){
        .gsi = (uint32_t)acpi_number(e + 4, 4), .active_low = is_low(flags), .level = is_level(flags),
    };
    return true;
}

static bool take_lint(struct madt *m, uint8_t lint)
{
    if (lint >= ALL_LINTS)
        return false;
    m->local_nmis |= (uint8_t)(1u << lint);
    return true;
}

static bool take_local_nmi(struct madt *m, const uint8_t *e)
{
    return take_lint(m, e[5]);
}

static bool take_x2apic_nmi(struct madt *m, const uint8_t *e)
{
    return take_lint(m, e[8]);
}

static const struct kind {
    uint8_t length; /* 0: we need not know it */
    bool (*take)(struct madt *m, const uint8_t *entry);
} kinds[] = {
    [0] = { 8, take_processor }, [1] = { 12, take_ioapic }, [2] = { 10, take_override }, [3] = { 8, take_nmi },
    [4] = { 6, take_local_nmi }, [9] = { 16, take_x2apic }, [10] = { X2APIC_LINT_LENGTH, take_x2apic_nmi },
};

static void take(struct madt *m, const uint8_t *e)
{
    const struct kind *const k = e[0] < sizeof kinds / sizeof kinds[0] ? &kinds[e[0]] : NULL;

    if (k == NULL || k->length == 0)
        m->unknown++;
    else
        m->wrong += e[1] != k->length || !k->take(m, e);
}

void madt_read(struct madt *m, const uint8_t *table, uint64_t length)
{
    *m = (struct madt){ .found = table != NULL && length >= ENTRIES };
    for (unsigned irq = 0; irq < MADT_ISA_IRQS; irq++)
        m->isa[irq].gsi = irq;
    if (!m->found)
        return;
    m->has_8259 = acpi_number(table + FLAGS, 4) & PCAT_COMPAT;
    for (uint64_t at = ENTRIES; at < length; at += table[at + 1]) {
        if (length - at < 2 || table[at + 1] < 2 || table[at + 1] > length - at) {
            m->cut = true;
            return;
        }
        take(m, table + at);
    }
}

const struct madt_ioapic *madt_ioapic_of(const struct madt *m, uint32_t gsi, const unsigned *inputs, unsigned *input)
{
    for (unsigned i = 0; i < m->ioapics; i++)
        if (gsi >= m->ioapic[i].first && gsi - m->ioapic[i].first < inputs[i]) {
            *input = gsi - m->ioapic[i].first;
            return &m->ioapic[i];
        }
    return NULL;
}
