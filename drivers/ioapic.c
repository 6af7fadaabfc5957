/* SPDX-License-Identifier: MIT */
/* The I/O APIC: an index and a data register.  Intel 82093AA data sheet, 290566. */
#include "drivers/ioapic.h"

#include "drivers/io.h"

#define IOAPIC_ADDRESS   0xfec00000u
#define IOAPIC_SELECT    0x00
#define IOAPIC_WINDOW    0x10
#define INDEX_VERSION    0x01
#define INDEX_ENTRY(n)   (0x10 + 2 * (n)) /* low half; the high one follows */
#define ENTRY_MASKED     (1u << 16)
#define ENTRIES_MAX      240u

static uint32_t index_read(uint64_t base, uint32_t index)
{
    mmio_write32(base + IOAPIC_SELECT, index);
    return mmio_read32(base + IOAPIC_WINDOW);
}

unsigned ioapic_mask_all(uint64_t direct_map)
{
    const uint64_t base = direct_map + IOAPIC_ADDRESS;
    const uint32_t version = index_read(base, INDEX_VERSION);
    const uint32_t entries = (version >> 16 & 0xff) + 1;

    /* Where nothing answers, all bits read the same. */
    if (version == 0 || version == 0xffffffff || entries > ENTRIES_MAX)
        return 0;
    for (uint32_t i = 0; i < entries; i++) {
        mmio_write32(base + IOAPIC_SELECT, INDEX_ENTRY(i));
        mmio_write32(base + IOAPIC_WINDOW, ENTRY_MASKED);
    }
    return entries;
}
