/* SPDX-License-Identifier: MIT */
/*
 * The look for a table, the FADT first of all, in made-up memory: where it is found,
 * and every way in which it is wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/firmware/acpi.c"

#define MEMORY   0x110000u
#define RSDP     0xf5a00u
#define ROOT     0x105000u
#define XROOT    0x105800u
#define OTHER    0x106000u
#define FADT     0x107000u

static uint8_t *memory;

static const uint8_t *at(uint64_t physical, uint64_t length)
{
    return physical < MEMORY && length <= MEMORY - physical ? memory + physical : NULL;
}

static void put(uint64_t where, uint64_t n, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        memory[where + i] = (uint8_t)(n >> 8 * i);
}

static void seal(uint64_t where, uint64_t length, unsigned checksum)
{
    uint8_t sum = 0;

    memory[where + checksum] = 0;
    for (uint64_t i = 0; i < length; i++)
        sum = (uint8_t)(sum + memory[where + i]);
    memory[where + checksum] = (uint8_t)-sum;
}

static void put_table(uint64_t where, const char *signature, uint64_t length, unsigned revision)
{
    memcpy(memory + where, signature, 4);
    put(where + 4, length, 4);
    memory[where + 8] = (uint8_t)revision;
    seal(where, length, 9);
}

static void put_rsdp(uint64_t where, unsigned revision)
{
    memcpy(memory + where, "RSD PTR ", 8);
    memory[where + 15] = (uint8_t)revision;
    put(where + 16, ROOT, 4);
    put(where + 20, 36, 4);
    put(where + 24, XROOT, 8);
    seal(where, 20, 8);
    seal(where, 36, 32);
}

static int setup(void **state)
{
    (void)state;
    free(memory);
    memory = calloc(1, MEMORY);
    put(FADT + 109, ACPI_LEGACY_DEVICES | ACPI_NO_CMOS_RTC, 2);
    put_table(FADT, "FACP", 244, 5);
    put_table(OTHER, "APIC", 60, 1);
    put(ROOT + 36, OTHER, 4);
    put(ROOT + 40, FADT, 4);
    put_table(ROOT, "RSDT", 44, 1);
    put_rsdp(RSDP, 0);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(memory);
    memory = NULL;
    return 0;
}

static void check(uint64_t rsdp, bool found)
{
    struct acpi a = {0};

    assert_int_equal(acpi_find(&a, rsdp, at), found);
    if (found) {
        assert_int_equal(a.revision, 5);
        assert_int_equal(a.boot_arch, ACPI_LEGACY_DEVICES | ACPI_NO_CMOS_RTC);
    }
}

static void test_found(void **state)
{
    (void)state;
    check(0, true);
    check(RSDP, true);
    check(RSDP + 16, false);
    memset(memory + RSDP, 0, 36);
    check(0, false);
    put_rsdp(0xfffe0, 0);
    check(0, true);
}

/* Of a table that is wrong it is told that it is there; one that is sound goes before it. */
static void test_table(void **state)
{
    struct acpi_table t;

    (void)state;
    t = acpi_find_table("SPCR", 0, at);
    assert_null(t.bytes);
    assert_false(t.wrong);
    t = acpi_find_table("APIC", 0, at);
    assert_ptr_equal(t.bytes, memory + OTHER);
    assert_int_equal(t.length, 60);
    for (unsigned byte = 4; byte < 60; byte++) { /* the length first */
        memory[OTHER + byte]++;
        t = acpi_find_table("APIC", 0, at);
        assert_null(t.bytes);
        assert_true(t.wrong);
        memory[OTHER + byte]--;
    }
    put_table(FADT, "APIC", 80, 1);
    memory[OTHER + 9]++;
    t = acpi_find_table("APIC", 0, at);
    assert_ptr_equal(t.bytes, memory + FADT);
    put(ROOT + 36, MEMORY - 20, 4); /* wild: its head is not all there */
    put(ROOT + 40, 0xfffffff0u, 4);
    put_table(ROOT, "RSDT", 44, 1);
    t = acpi_find_table("APIC", 0, at);
    assert_null(t.bytes);
}

static void test_ebda(void **state)
{
    (void)state;
    memset(memory + RSDP, 0, 36);
    put(0x40e, 0x9fc0, 2);
    put_rsdp(0x9fc00 + 1008 - 16, 0);
    check(0, true);
    put(0x40e, 0xffff, 2);
    check(0, false);
}

static void test_xsdt(void **state)
{
    (void)state;
    put_rsdp(RSDP, 2);
    check(0, true); /* there is none: by the old way */
    put(XROOT + 36, FADT, 8);
    put_table(XROOT, "XSDT", 44, 1);
    memory[ROOT + 9]++;
    check(0, true);
    memory[XROOT + 9]++;
    check(0, false);
}

/* One wrong byte anywhere in what is read: nothing is found. */
static void test_damage(void **state)
{
    static const struct {
        uint64_t where, length;
    } parts[] = {{RSDP, 20}, {ROOT, 44}, {FADT, 244}};

    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (uint64_t k = 0; k < parts[i].length; k++) {
            memory[parts[i].where + k] ^= 0x40;
            check(0, false);
            memory[parts[i].where + k] ^= 0x40;
        }
    check(0, true);
}

static void test_wrong_lengths(void **state)
{
    static const uint64_t lengths[] = {0, 35, 110, 65537, 0xffffffff};

    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        put(FADT + 4, lengths[i], 4);
        if (lengths[i] < 65536)
            seal(FADT, lengths[i] < 36 ? 36 : lengths[i], 9);
        check(0, false);
    }
    put_table(FADT, "FACP", 111, 5);
    check(0, true);
    put(ROOT + 40, MEMORY - 20, 4);
    seal(ROOT, 44, 9);
    check(0, false);
}

static struct acpi fadt_of(uint64_t length)
{
    struct acpi a = {0};

    put_table(FADT, "FACP", length, 5);
    assert_true(acpi_find(&a, 0, at));
    return a;
}

/* Where the power management timer is told: twice, once, nowhere, or where no register can be. */
static void test_pm_timer(void **state)
{
    static const struct {
        uint8_t space, offset;
        uint64_t address;
    } untrue[] = {{2, 0, 0x608}, {1, 1, 0x608}, {1, 0, 0xfffd}, {1, 0, 0x10000}, {0, 0, 0xfffffffd},
                  {0, 0, 1ull << 32}, {1, 0, 0}};

    (void)state;
    assert_int_equal(fadt_of(244).pm_timer.address, 0);
    put(FADT + 76, 0x408, 4);
    assert_int_equal(fadt_of(244).pm_timer.address, 0); /* of no bytes */
    memory[FADT + 91] = 4;
    assert_int_equal(fadt_of(244).pm_timer.address, 0x408);
    assert_true(fadt_of(116).pm_timer.is_port);
    assert_int_equal(fadt_of(116).pm_timer_bits, 24);
    put(FADT + 112, 1 << 8, 4);
    assert_int_equal(fadt_of(116).pm_timer_bits, 32);
    put(FADT + 208, 0xfed80808ull << 32 | 32 << 8, 8);
    put(FADT + 212, 0xfed80808ull, 8);
    assert_int_equal(fadt_of(220).pm_timer.address, 0xfed80808);
    assert_false(fadt_of(220).pm_timer.is_port);
    assert_int_equal(fadt_of(219).pm_timer.address, 0x408);
    for (size_t i = 0; i < sizeof untrue / sizeof untrue[0]; i++) {
        memory[FADT + 208] = untrue[i].space;
        memory[FADT + 210] = untrue[i].offset;
        put(FADT + 212, untrue[i].address, 8);
        assert_int_equal(fadt_of(244).pm_timer.address, 0x408);
    }
    put(FADT + 112, 1 << 20, 4);
    assert_int_equal(fadt_of(244).pm_timer.address, 0);
    put(FADT + 112, 0, 4);
    put(FADT + 76, 0xfffd, 4);
    assert_int_equal(fadt_of(244).pm_timer.address, 0);
}

static void test_list(void **state)
{
    static struct acpi_list l;

    (void)state;
    assert_true(acpi_list(&l, 0, at));
    assert_int_equal(l.tables, 2);
    assert_string_equal(l.signature[0], "APIC");
    assert_string_equal(l.signature[1], "FACP");
    memory[OTHER + 9]++;
    memcpy(memory + RSDP + 9, "A\nCORP", 6);
    seal(RSDP, 20, 8);
    assert_true(acpi_list(&l, 0, at) && l.tables == 1);
    assert_string_equal(l.oem, "A?CORP");
    memory[ROOT + 9]++;
    assert_false(acpi_list(&l, 0, at));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_found, setup, teardown),
        cmocka_unit_test_setup_teardown(test_table, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ebda, setup, teardown),
        cmocka_unit_test_setup_teardown(test_xsdt, setup, teardown),
        cmocka_unit_test_setup_teardown(test_list, setup, teardown),
        cmocka_unit_test_setup_teardown(test_damage, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wrong_lengths, setup, teardown),
        cmocka_unit_test_setup_teardown(test_pm_timer, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
