/* SPDX-License-Identifier: MIT */
/* From the root pointer to a table.  A table is used only if its checksum is right. */
#include "kernel/firmware/acpi.h"

#define EBDA_SEGMENT  0x40eu /* BIOS data area: the segment of the extended one */
#define EBDA_SEARCH     1024u
#define BIOS_BEGIN    0xe0000u
#define BIOS_END      0x100000u
#define RSDP_STEP     16u
#define RSDP_SHORT    20u    /* ACPI 1.0: what its first checksum covers */
#define RSDP_LONG     36u
#define RSDP_REVISION 15u
#define RSDP_RSDT     16u
#define RSDP_XSDT     24u
#define TABLE_LENGTH  4u
#define TABLE_MOST    65536u
#define FADT_TIMER    76u    /* PM_TMR_BLK */
#define FADT_TIMER_BYTES 91u
#define FADT_BOOT_ARCH 109u
#define FADT_FLAGS    112u
#define FADT_X_TIMER  208u   /* X_PM_TMR_BLK */
#define FADT_LEAST    (FADT_BOOT_ARCH + 2)
#define FLAG_TIMER_32 (1u << 8)  /* TMR_VAL_EXT */
#define FLAG_REDUCED  (1u << 20) /* HW_REDUCED_ACPI: there is no such timer */
#define TIMER_BYTES   4u
#define SPACE_MEMORY  0u
#define SPACE_PORTS   1u
#define PORTS         0x10000u
#define FOUR_GIB      (1ull << 32)

typedef const uint8_t *reader(uint64_t physical, uint64_t length);

static const uint8_t *rsdp_at(uint64_t physical, reader *at)
{
    const uint8_t *r = at(physical, RSDP_SHORT);

    return r != 0 && acpi_has_signature(r, "RSD PTR ") && acpi_checksum_ok(r, RSDP_SHORT) ? r : 0;
}

static uint64_t scan(uint64_t from, uint64_t end, reader *at)
{
    for (; from + RSDP_SHORT <= end; from += RSDP_STEP)
        if (rsdp_at(from, at) != 0)
            return from;
    return 0;
}

static uint64_t search_below_1m(reader *at)
{
    const uint8_t *segment = at(EBDA_SEGMENT, 2);
    const uint64_t ebda = segment != 0 ? acpi_number(segment, 2) << 4 : 0;
    uint64_t found = 0;

    if (ebda != 0 && ebda + EBDA_SEARCH <= BIOS_BEGIN)
        found = scan(ebda, ebda + EBDA_SEARCH, at);
    return found != 0 ? found : scan(BIOS_BEGIN, BIOS_END, at);
}

/* A complete table of `length` bytes; NULL where it is not. */
static const uint8_t *table_at(uint64_t physical, uint64_t *length, reader *at)
{
    const uint8_t *t = physical != 0 ? at(physical, ACPI_TABLE_HEAD) : 0;

    if (t == 0)
        return 0;
    *length = acpi_number(t + TABLE_LENGTH, 4);
    if (*length < ACPI_TABLE_HEAD || *length > TABLE_MOST)
        return 0;
    t = at(physical, *length);
    return t != 0 && acpi_checksum_ok(t, *length) ? t : 0;
}

/* Look at the table at one address; true if it is the one that is searched for. */
static bool look_at(struct acpi_table *found, const char *signature, uint64_t physical, reader *at)
{
    const uint8_t *const head = physical != 0 ? at(physical, ACPI_TABLE_HEAD) : 0;

    if (head == 0 || !acpi_has_signature(head, signature))
        return false;
    found->bytes = table_at(physical, &found->length, at);
    found->wrong = found->wrong || found->bytes == 0;
    return found->bytes != 0;
}

/* Search an RSDT or XSDT, whose entries have so many bytes. */
static bool search_table(struct acpi_table *found, const char *signature, uint64_t root, const char *root_signature,
                         unsigned bytes, reader *at)
{
    uint64_t length;
    const uint8_t *t = table_at(root, &length, at);

    if (t == 0 || !acpi_has_signature(t, root_signature))
        return false;
    for (uint64_t i = ACPI_TABLE_HEAD; i + bytes <= length; i += bytes)
        if (look_at(found, signature, acpi_number(t + i, bytes), at))
            return true;
    return false;
}

struct acpi_table acpi_find_table(const char *signature, uint64_t rsdp, reader *at)
{
    struct acpi_table found = { 0 };
    const uint8_t *r, *whole;

    if (rsdp == 0)
        rsdp = search_below_1m(at);
    r = rsdp != 0 ? rsdp_at(rsdp, at) : 0;
    if (r == 0)
        return found;
    whole = r[RSDP_REVISION] >= 2 ? at(rsdp, RSDP_LONG) : 0;
    if (whole == 0 || !acpi_checksum_ok(whole, RSDP_LONG) ||
        !search_table(&found, signature, acpi_number(whole + RSDP_XSDT, 8), "XSDT", 8, at))
        search_table(&found, signature, acpi_number(r + RSDP_RSDT, 4), "RSDT", 4, at);
    return found;
}

bool acpi_address(struct acpi_address *a, const uint8_t *gas, unsigned bytes)
{
    const uint64_t address = acpi_number(gas + 4, 8), end = gas[0] == SPACE_PORTS ? PORTS : FOUR_GIB;

    if (gas[0] > SPACE_PORTS || gas[2] != 0 || address == 0 || address >= end || bytes > end - address)
        return false;
    *a = (struct acpi_address){ .address = (uint32_t)address, .is_port = gas[0] == SPACE_PORTS };
    return true;
}

/* The extended address, where it is there and right, comes before the old one (ACPI 6.5, 5.2.9). */
static void read_pm_timer(struct acpi *a, const uint8_t *t, uint64_t length)
{
    const uint32_t flags = length >= FADT_FLAGS + 4 ? (uint32_t)acpi_number(t + FADT_FLAGS, 4) : 0;
    const uint32_t block = (uint32_t)acpi_number(t + FADT_TIMER, 4);

    a->pm_timer = (struct acpi_address){ 0 };
    a->pm_timer_bits = flags & FLAG_TIMER_32 ? 32 : 24;
    if (flags & FLAG_REDUCED)
        return;
    if (length >= FADT_X_TIMER + ACPI_GAS && acpi_address(&a->pm_timer, t + FADT_X_TIMER, TIMER_BYTES))
        return;
    if (t[FADT_TIMER_BYTES] == TIMER_BYTES && block != 0 && block <= PORTS - TIMER_BYTES)
        a->pm_timer = (struct acpi_address){ .address = block, .is_port = true };
}

bool acpi_find(struct acpi *a, uint64_t rsdp, reader *at)
{
    const struct acpi_table t = acpi_find_table("FACP", rsdp, at);

    if (t.bytes == 0 || t.length < FADT_LEAST)
        return false;
    a->revision = t.bytes[ACPI_TABLE_REVISION];
    a->boot_arch = (uint16_t)acpi_number(t.bytes + FADT_BOOT_ARCH, 2);
    read_pm_timer(a, t.bytes, t.length);
    return true;
}

#define RSDP_OEM   9u
#define OEM_BYTES  6u
#define NAME_BYTES 4u

static void take_name(char *to, const uint8_t *from, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = from[i] >= ' ' && from[i] <= '~' ? (char)from[i] : '?';
    to[bytes] = '\0';
}

/* The tables of an RSDT or XSDT, whose entries have so many bytes; false: it is none. */
static bool list_of(struct acpi_list *l, uint64_t root, const char *signature, unsigned bytes, reader *at)
{
    uint64_t length, unused;
    const uint8_t *t = table_at(root, &length, at);

    if (t == 0 || !acpi_has_signature(t, signature))
        return false;
    for (uint64_t i = ACPI_TABLE_HEAD; i + bytes <= length && l->tables < ACPI_TABLES; i += bytes) {
        const uint8_t *const one = table_at(acpi_number(t + i, bytes), &unused, at);

        if (one != 0)
            take_name(l->signature[l->tables++], one, NAME_BYTES);
    }
    return true;
}

bool acpi_list(struct acpi_list *l, uint64_t rsdp, reader *at)
{
    const uint8_t *r, *whole;

    l->tables = 0;
    if (rsdp == 0)
        rsdp = search_below_1m(at);
    r = rsdp != 0 ? rsdp_at(rsdp, at) : 0;
    if (r == 0)
        return false;
    take_name(l->oem, r + RSDP_OEM, OEM_BYTES);
    whole = r[RSDP_REVISION] >= 2 ? at(rsdp, RSDP_LONG) : 0;
    if (whole != 0 && acpi_checksum_ok(whole, RSDP_LONG) &&
        list_of(l, acpi_number(whole + RSDP_XSDT, 8), "XSDT", 8, at))
        return true;
    return list_of(l, acpi_number(r + RSDP_RSDT, 4), "RSDT", 4, at);
}
