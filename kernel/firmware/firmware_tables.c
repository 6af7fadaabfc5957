/* SPDX-License-Identifier: MIT */
/* The tables of ACPI that the image acts on.  ACPI specification 6.5; IA-PC HPET specification 1.0a, 3.2.4. */
#include "kernel/firmware/firmware_tables.h"

#include "kernel/boot_info.h"
#include "kernel/lib/phys_bytes.h"

#define FOUR_GIB     (1ull << 32)
#define HPET_BASE    40u      /* of its table: a generic address structure */
#define HPET_BYTES   0x400u   /* of its registers */
#define IOAPIC_BYTES 0x20u

static struct firmware_tables tables; /* set once */

static bool holds_registers(uint32_t address, uint32_t bytes)
{
    return address >= REGISTERS_FROM && address <= FOUR_GIB - bytes && address % bytes == 0;
}

static uint32_t hpet_of(const uint8_t *table, uint64_t length)
{
    struct acpi_address at;

    if (table == 0 || length < HPET_BASE + ACPI_GAS || !acpi_address(&at, table + HPET_BASE, HPET_BYTES) ||
        at.is_port)
        return 0;
    return holds_registers(at.address, HPET_BYTES) ? at.address : 0;
}

/* An I/O APIC where no registers can be is none.  kernel/firmware/gsi.c asks whether one answers where they can. */
static void check_ioapics(struct madt *m, bool (*open_registers)(uint64_t physical, uint64_t bytes))
{
    unsigned kept = 0;

    for (unsigned i = 0; i < m->ioapics; i++)
        if (holds_registers(m->ioapic[i].address, IOAPIC_BYTES) || open_registers(m->ioapic[i].address, IOAPIC_BYTES))
            m->ioapic[kept++] = m->ioapic[i];
    m->wrong += m->ioapics - kept;
    m->ioapics = kept;
}

void firmware_tables_read(uint64_t rsdp, bool (*open_registers)(uint64_t physical, uint64_t bytes))
{
    struct acpi_table table = acpi_find_table("APIC", rsdp, phys_bytes);

    madt_read(&tables.madt, table.bytes, table.length);
    check_ioapics(&tables.madt, open_registers);
    table = acpi_find_table("HPET", rsdp, phys_bytes);
    tables.hpet = hpet_of(table.bytes, table.length);
    tables.has_fadt = acpi_find(&tables.fadt, rsdp, phys_bytes);
}

const struct firmware_tables *firmware_tables(void)
{
    return &tables;
}

bool firmware_pm_timer(struct pm_timer *t)
{
    const struct acpi_address *const at = &tables.fadt.pm_timer;

    if (!tables.has_fadt || at->address == 0 || (!at->is_port && at->address < REGISTERS_FROM))
        return false;
    *t = (struct pm_timer){
        .address = at->address + (at->is_port ? 0 : DIRECT_BASE), .is_port = at->is_port,
        .bits = tables.fadt.pm_timer_bits,
    };
    return true;
}
