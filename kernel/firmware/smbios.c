/* SPDX-License-Identifier: MIT */
/* From an entry point to the texts of structure 0.  An entry point is used only if its checksum is right. */
#include "kernel/firmware/smbios.h"

#include "kernel/firmware/acpi.h"

#define AREA_BEGIN   0xf0000u
#define AREA_END     0x100000u
#define STEP         16u
#define OLD_BYTES    0x1fu /* "_SM_": the entry point's length, */
#define OLD_LENGTH   0x16u /* where it has the length of the table, two bytes, */
#define OLD_ADDRESS  0x18u /* and its address, four */
#define NEW_BYTES    0x18u /* "_SM3_", likewise: four and eight bytes */
#define NEW_LENGTH   0x0cu
#define NEW_ADDRESS  0x10u
#define TABLE_MOST   65536u
#define STRUCTURES   1024u
#define HEAD         4u    /* type, length, handle */
#define TYPE_BIOS    0u
#define TYPE_END     127u
#define BIOS_VENDOR  4u    /* numbers of texts, from 1; 0: none */
#define BIOS_VERSION 5u
#define BIOS_DATE    8u
#define BIOS_LEAST   9u

typedef const uint8_t *reader(uint64_t physical, uint64_t length);

/* Where the table is that the entry point tells of; NULL: this is none. */
static const uint8_t *table_of(const uint8_t *entry, uint64_t *length, reader *at)
{
    uint64_t address;

    if (acpi_has_signature(entry, "_SM3_") && acpi_checksum_ok(entry, NEW_BYTES)) {
        *length = acpi_number(entry + NEW_LENGTH, 4);
        address = acpi_number(entry + NEW_ADDRESS, 8);
    } else if (acpi_has_signature(entry, "_SM_") && acpi_checksum_ok(entry, OLD_BYTES)) {
        *length = acpi_number(entry + OLD_LENGTH, 2);
        address = acpi_number(entry + OLD_ADDRESS, 4);
    } else {
        return 0;
    }
    return *length <= TABLE_MOST && *length >= HEAD && address != 0 ? at(address, *length) : 0;
}

/* The n-th text of those between `from` and `end`, printable and cut. */
static void take_text(char to[SMBIOS_TEXT], const uint8_t *from, const uint8_t *end, unsigned n)
{
    unsigned length = 0;

    for (; n > 1 && from < end; from++)
        n -= *from == 0;
    for (; n == 1 && from < end && *from != 0 && length < SMBIOS_TEXT - 1; from++)
        to[length++] = *from >= ' ' && *from <= '~' ? (char)*from : '?';
    to[length] = '\0';
}

/* The end of the texts behind a structure, which two zeros mark. */
static const uint8_t *texts_end(const uint8_t *from, const uint8_t *end)
{
    while (from + 1 < end && (from[0] != 0 || from[1] != 0))
        from++;
    return from + 2;
}

static bool read_bios(struct smbios *s, const uint8_t *table, uint64_t length)
{
    const uint8_t *const end = table + length;

    for (unsigned i = 0; i < STRUCTURES && end - table >= (int64_t)HEAD; i++) {
        const uint8_t *const texts = table + table[1];

        if (table[1] < HEAD || texts >= end || table[0] == TYPE_END)
            return false;
        if (table[0] == TYPE_BIOS && table[1] >= BIOS_LEAST) {
            take_text(s->vendor, texts, end, table[BIOS_VENDOR]);
            take_text(s->version, texts, end, table[BIOS_VERSION]);
            take_text(s->date, texts, end, table[BIOS_DATE]);
            return true;
        }
        table = texts_end(texts, end);
    }
    return false;
}

bool smbios_find(struct smbios *s, reader *at)
{
    const uint8_t *const area = at(AREA_BEGIN, AREA_END - AREA_BEGIN);

    for (unsigned i = 0; area != 0 && i + OLD_BYTES <= AREA_END - AREA_BEGIN; i += STEP) {
        uint64_t length = 0;
        const uint8_t *const table = table_of(area + i, &length, at);

        if (table != 0 && read_bios(s, table, length))
            return true;
    }
    return false;
}
