/* SPDX-License-Identifier: MIT */
/* The I/O APIC: an index and a data register.  Intel 82093AA data sheet, 290566. */
#include "drivers/ioapic.h"

#include "drivers/io.h"

#define IOAPIC_SELECT    0x00
#define IOAPIC_WINDOW    0x10
#define INDEX_ID         0x00
#define INDEX_VERSION    0x01
#define VERSION_RESERVED 0xff007f00u
#define VERSION_NUMBER   0xffu
#define INDEX_ENTRY(n)   (0x10 + 2 * (n)) /* low half; the high half is the next register */
#define ENTRY_MASKED     (1u << 16)
#define ENTRY_NMI        (4u << 8) /* edge, active high, physical destination */
#define DESTINATION      24        /* bit number in the high half */
#define ENTRIES_MAX      240u

static uint32_t index_read(uint64_t base, uint32_t index)
{
    mmio_write32(base + IOAPIC_SELECT, index);
    return mmio_read32(base + IOAPIC_WINDOW);
}

static void index_write(uint64_t base, uint32_t index, uint32_t value)
{
    mmio_write32(base + IOAPIC_SELECT, index);
    mmio_write32(base + IOAPIC_WINDOW, value);
}

void ioapic_nmi(uint64_t direct_map, unsigned pin, uint32_t lapic)
{
    const uint64_t base = direct_map + IOAPIC_ADDRESS;

    index_write(base, INDEX_ENTRY(pin) + 1, lapic << DESTINATION);
    index_write(base, INDEX_ENTRY(pin), ENTRY_NMI);
}

void ioapic_mask(uint64_t direct_map, unsigned pin)
{
    index_write(direct_map + IOAPIC_ADDRESS, INDEX_ENTRY(pin), ENTRY_MASKED);
}

void ioapic_open_input(uint64_t base, unsigned input, uint32_t lapic, uint32_t how)
{
    index_write(base, INDEX_ENTRY(input) + 1, lapic << DESTINATION);
    index_write(base, INDEX_ENTRY(input), how);
}

void ioapic_mask_input(uint64_t base, unsigned input)
{
    index_write(base, INDEX_ENTRY(input), ENTRY_MASKED);
}

/*
 * The entries of the I/O APIC at `base`; 0: there is none.  Where no device is, all bits read as 0 or all as 1.  In
 * memory, or at a device that has no window, what is read does not depend on the index: its first word is put back.
 */
static uint32_t entries_at(uint64_t base)
{
    const uint32_t first = mmio_read32(base + IOAPIC_SELECT);
    const uint32_t version = index_read(base, INDEX_VERSION), id = index_read(base, INDEX_ID);
    const uint32_t entries = (version >> 16 & 0xff) + 1;

    if ((version & VERSION_NUMBER) != 0 && !(version & VERSION_RESERVED) && entries <= ENTRIES_MAX && id != version &&
        index_read(base, INDEX_VERSION) == version)
        return entries;
    mmio_write32(base + IOAPIC_SELECT, first);
    return 0;
}

unsigned ioapic_mask_inputs(uint64_t base)
{
    const uint32_t entries = entries_at(base);

    for (uint32_t i = 0; i < entries; i++)
        ioapic_mask_input(base, i);
    return entries;
}

unsigned ioapic_mask_all(uint64_t direct_map)
{
    return ioapic_mask_inputs(direct_map + IOAPIC_ADDRESS);
}
