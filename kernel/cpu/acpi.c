/* SPDX-License-Identifier: MIT */
/* From the root pointer to the FADT.  A table is used only if its checksum is right. */
#include "kernel/cpu/acpi.h"

#include <stddef.h>

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
#define TABLE_HEAD    36u    /* signature, length, revision, checksum and names */
#define TABLE_LENGTH  4u
#define TABLE_REVISION 8u
#define TABLE_MOST    65536u
#define FADT_BOOT_ARCH 109u
#define FADT_PM_TIMER   76u  /* a port */
#define FADT_FLAGS      112u
#define FLAG_TIMER_32   (1u << 8)
#define FADT_X_PM_TIMER 208u /* a generic address: space, three bytes, address */
#define SPACE_PORTS     1u
#define X_ADDRESS       4u
#define PORT_MOST       0xfffcu
#define FADT_LEAST    (FADT_BOOT_ARCH + 2)

typedef const uint8_t *reader(uint64_t physical, uint64_t length);

static uint64_t number(const uint8_t *at, unsigned bytes)
{
    uint64_t n = 0;

    while (bytes-- > 0)
        n = n << 8 | at[bytes];
    return n;
}

static bool checksum_ok(const uint8_t *at, uint64_t length)
{
    uint8_t sum = 0;

    for (uint64_t i = 0; i < length; i++)
        sum = (uint8_t)(sum + at[i]);
    return sum == 0;
}

static bool has_signature(const uint8_t *at, const char *signature)
{
    for (; *signature != '\0'; signature++)
        if (*at++ != (uint8_t)*signature)
            return false;
    return true;
}

static const uint8_t *rsdp_at(uint64_t physical, reader *at)
{
    const uint8_t *r = at(physical, RSDP_SHORT);

    return r != 0 && has_signature(r, "RSD PTR ") && checksum_ok(r, RSDP_SHORT) ? r : 0;
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
    const uint64_t ebda = segment != 0 ? number(segment, 2) << 4 : 0;
    uint64_t found = 0;

    if (ebda != 0 && ebda + EBDA_SEARCH <= BIOS_BEGIN)
        found = scan(ebda, ebda + EBDA_SEARCH, at);
    return found != 0 ? found : scan(BIOS_BEGIN, BIOS_END, at);
}

/* A complete table of `length` bytes; NULL where it is not. */
static const uint8_t *table_at(uint64_t physical, uint64_t *length, reader *at)
{
    const uint8_t *t = physical != 0 ? at(physical, TABLE_HEAD) : 0;

    if (t == 0)
        return 0;
    *length = number(t + TABLE_LENGTH, 4);
    if (*length < TABLE_HEAD || *length > TABLE_MOST)
        return 0;
    t = at(physical, *length);
    return t != 0 && checksum_ok(t, *length) ? t : 0;
}

static uint16_t port_or_none(uint64_t port)
{
    return port <= PORT_MOST ? (uint16_t)port : 0;
}

/* The PM timer, ACPI 6.5, 4.8.3.3: by the old field, else by the extended one. */
static void read_pm_timer(struct acpi *a, const uint8_t *fadt, uint64_t length)
{
    a->pm_timer = port_or_none(number(fadt + FADT_PM_TIMER, 4));
    a->pm_timer_32 = length >= FADT_FLAGS + 4 && number(fadt + FADT_FLAGS, 4) & FLAG_TIMER_32;
    if (a->pm_timer == 0 && length >= FADT_X_PM_TIMER + 12 && fadt[FADT_X_PM_TIMER] == SPACE_PORTS)
        a->pm_timer = port_or_none(number(fadt + FADT_X_PM_TIMER + X_ADDRESS, 8));
}

static bool read_fadt(struct acpi *a, uint64_t physical, reader *at)
{
    uint64_t length;
    const uint8_t *t = table_at(physical, &length, at);

    if (t == 0 || !has_signature(t, "FACP") || length < FADT_LEAST)
        return false;
    a->revision = t[TABLE_REVISION];
    a->boot_arch = (uint16_t)number(t + FADT_BOOT_ARCH, 2);
    read_pm_timer(a, t, length);
    return true;
}

/* Find the FADT in an RSDT or XSDT, whose entries have so many bytes. */
static bool search_table(struct acpi *a, uint64_t root, const char *signature, unsigned bytes, reader *at)
{
    uint64_t length;
    const uint8_t *t = table_at(root, &length, at);

    if (t == 0 || !has_signature(t, signature))
        return false;
    for (uint64_t i = TABLE_HEAD; i + bytes <= length; i += bytes)
        if (read_fadt(a, number(t + i, bytes), at))
            return true;
    return false;
}

bool acpi_find(struct acpi *a, uint64_t rsdp, reader *at)
{
    const uint8_t *r, *whole;

    if (rsdp == 0)
        rsdp = search_below_1m(at);
    r = rsdp != 0 ? rsdp_at(rsdp, at) : 0;
    if (r == 0)
        return false;
    whole = r[RSDP_REVISION] >= 2 ? at(rsdp, RSDP_LONG) : 0;
    if (whole != 0 && checksum_ok(whole, RSDP_LONG) &&
        search_table(a, number(whole + RSDP_XSDT, 8), "XSDT", 8, at))
        return true;
    return search_table(a, number(r + RSDP_RSDT, 4), "RSDT", 4, at);
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

    if (t == 0 || !has_signature(t, signature))
        return false;
    for (uint64_t i = TABLE_HEAD; i + bytes <= length && l->tables < ACPI_TABLES; i += bytes) {
        const uint8_t *const one = table_at(number(t + i, bytes), &unused, at);

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
    if (whole != 0 && checksum_ok(whole, RSDP_LONG) && list_of(l, number(whole + RSDP_XSDT, 8), "XSDT", 8, at))
        return true;
    return list_of(l, number(r + RSDP_RSDT, 4), "RSDT", 4, at);
}
