/* SPDX-License-Identifier: MIT */
/*
 * The I/O APICs that a MADT tells of, on registers of a model: each is masked wherever it is,
 * nothing else is changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "drivers/io.h"

static uint32_t model_read(uint64_t address);
static void model_write(uint64_t address, uint32_t value);

#define mmio_read32(address)         model_read(address)
#define mmio_write32(address, value) model_write(address, value)
#include "drivers/ioapic.c"
#include "kernel/firmware/firmware_tables.c"
#include "kernel/firmware/gsi.c"
#include "kernel/firmware/madt.c"
#include "kernel/mm/free_regions.c"

#define MASK      (1u << 16)
#define OPEN      0x31u /* as firmware may leave an entry */
#define LOW       0xb4180000u
#define REFUSED   0x00300000u /* memory that is free */
#define RESERVED  0x7f000000u /* memory that is not */
#define NOTHING   0xd0000000u
#define CHIPS     3u
#define IMAGE     0x00200000u
#define IMAGE_BYTES 0x80000u

static struct chip {
    uint32_t address, version, index, entry[2 * ENTRIES_MAX];
} chips[CHIPS];
static uint32_t memory[8]; /* at RESERVED */
static uint64_t opened[MADT_IOAPICS];
static unsigned opens;
static uint8_t table[4096];
static uint64_t table_length;

static struct chip *chip_at(uint64_t address)
{
    for (unsigned i = 0; i < CHIPS; i++)
        if ((address & ~0x1full) == DIRECT_BASE + chips[i].address)
            return &chips[i];
    return NULL;
}

static uint32_t *memory_at(uint64_t address)
{
    const uint64_t within = address - DIRECT_BASE - RESERVED;

    return within < sizeof memory ? &memory[within / sizeof *memory] : NULL;
}

static uint32_t model_read(uint64_t address)
{
    const struct chip *const c = chip_at(address);
    const uint32_t *const word = memory_at(address);

    if (word != NULL)
        return *word;
    if (c == NULL)
        return 0xffffffff;
    if (!(address & IOAPIC_WINDOW))
        return c->index;
    if (c->index >= INDEX_ENTRY(0))
        return c->entry[c->index - INDEX_ENTRY(0)];
    return c->index == INDEX_VERSION ? c->version : 1u << 24;
}

static void model_write(uint64_t address, uint32_t value)
{
    struct chip *const c = chip_at(address);
    uint32_t *const word = memory_at(address);

    if (word != NULL)
        *word = value;
    else if (c == NULL)
        assert_true(address == DIRECT_BASE + NOTHING || address >= DIRECT_BASE + REGISTERS_FROM);
    else if (!(address & IOAPIC_WINDOW))
        c->index = value;
    else if (c->index >= INDEX_ENTRY(0))
        c->entry[c->index - INDEX_ENTRY(0)] = value;
}

bool lapic_takes_messages(void)
{
    return true;
}

uint32_t lapic_id(void)
{
    return 5;
}

bool acpi_find(struct acpi *a, uint64_t rsdp, const uint8_t *(*at)(uint64_t physical, uint64_t length))
{
    (void)a;
    (void)rsdp;
    (void)at;
    return false;
}

bool acpi_address(struct acpi_address *a, const uint8_t *gas, unsigned length)
{
    (void)a;
    (void)gas;
    (void)length;
    return false;
}

struct acpi_table acpi_find_table(const char *signature, uint64_t rsdp,
                                  const uint8_t *(*at)(uint64_t physical, uint64_t length))
{
    (void)rsdp;
    (void)at;
    return (struct acpi_table){ .bytes = signature[0] == 'A' ? table : NULL, .length = table_length };
}

static bool open_registers(uint64_t physical, uint64_t length)
{
    static const struct boot_info boot = { .image = IMAGE, .regions = 1, .region = { { 0x100000, 0x3f00000 } } };

    if (device_place_check(&boot, IMAGE_BYTES, physical, length) != NULL)
        return false;
    opened[opens++] = physical;
    return true;
}

static void put_ioapic(uint32_t address, uint32_t first)
{
    const uint8_t entry[12] = { [0] = 1, [1] = 12, [2] = 1 };

    memcpy(table + table_length, entry, sizeof entry);
    memcpy(table + table_length + 4, &address, sizeof address);
    memcpy(table + table_length + 8, &first, sizeof first);
    table_length += sizeof entry;
}

/* The usual one, one of AMD's with its bit 15, and one that the MADT does not tell of; all entries open. */
static int set_up(void **state)
{
    static const struct chip board[CHIPS] = {
        { .address = IOAPIC_ADDRESS, .version = 0x00170020 }, { .address = LOW, .version = 0x001f8021 },
        { .address = LOW + 0x200000, .version = 0x00170011 },
    };

    (void)state;
    memcpy(chips, board, sizeof chips);
    for (unsigned i = 0; i < CHIPS; i++)
        for (unsigned k = 0; k < 2 * ENTRIES_MAX; k++)
            chips[i].entry[k] = OPEN;
    for (unsigned i = 0; i < sizeof memory / sizeof *memory; i++)
        memory[i] = 0x00170011; /* looks like a version */
    memset(table, 0, sizeof table);
    table_length = ENTRIES;
    opens = 0;
    memset(inputs, 0, sizeof inputs);
    usual_inputs = 0;
    return 0;
}

static unsigned masked(const struct chip *c)
{
    unsigned count = 0;

    for (unsigned i = 0; i < ENTRIES_MAX; i++)
        count += c->entry[2 * i] == MASK;
    return count;
}

static void take_over(void)
{
    firmware_tables_read(0, open_registers);
    gsi_init();
}

static void test_low(void **state)
{
    (void)state;
    put_ioapic(IOAPIC_ADDRESS, 0);
    put_ioapic(LOW, 24);
    take_over();
    assert_int_equal(masked(&chips[0]), 24);
    assert_int_equal(masked(&chips[1]), 32);
    assert_int_equal(masked(&chips[2]), 0);
    assert_int_equal(opens, 1);
    assert_int_equal(opened[0], LOW);
    assert_int_equal(gsi_controllers(), 2);
    assert_int_equal(gsi_inputs(), 56);
    assert_int_equal(gsi_silent() + firmware_tables()->madt.wrong, 0);
    assert_true(gsi_open(24 + 31, 0x40));
    assert_int_equal(chips[1].entry[62], 0x40);
    assert_int_equal(chips[1].entry[63], 5u << 24);
    assert_false(gsi_open(24 + 32, 0x40));
}

static void test_hostile(void **state)
{
    uint32_t before[sizeof memory / sizeof *memory];

    (void)state;
    memcpy(before, memory, sizeof memory);
    put_ioapic(IOAPIC_ADDRESS, 0);
    put_ioapic(REFUSED, 24);         /* free memory, */
    put_ioapic(IMAGE + 0x1000, 48);  /* the image, */
    put_ioapic(0x000b8000, 72);      /* the first MiB, */
    put_ioapic(RESERVED, 96);        /* memory that is not free: written to, and as it was afterwards, */
    put_ioapic(NOTHING, 120);        /* and nothing at all */
    take_over();
    assert_memory_equal(memory, before, sizeof memory);
    assert_int_equal(firmware_tables()->madt.wrong, 3);
    assert_int_equal(gsi_controllers(), 1);
    assert_int_equal(gsi_silent(), 2);
    assert_int_equal(masked(&chips[0]), 24);
    assert_int_equal(masked(&chips[1]) + masked(&chips[2]), 0);
    assert_false(gsi_open(96, 0x40) || gsi_open(120, 0x40));
}

static void test_untold(void **state)
{
    (void)state;
    take_over();
    assert_int_equal(masked(&chips[0]), 24);
    assert_int_equal(gsi_controllers(), 1);
    assert_int_equal(gsi_silent(), 0);
    assert_int_equal(opens, 0);
}

static void test_many(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MADT_IOAPICS; i++)
        put_ioapic(i == MADT_IOAPICS - 1 ? LOW : 0xfec00000 + 0x100 * i, 32 * i);
    take_over();
    assert_int_equal(masked(&chips[0]), 24);
    assert_int_equal(masked(&chips[1]), 32);
    assert_int_equal(gsi_controllers(), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_low, set_up), cmocka_unit_test_setup(test_hostile, set_up),
        cmocka_unit_test_setup(test_untold, set_up), cmocka_unit_test_setup(test_many, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
