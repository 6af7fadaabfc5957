/* SPDX-License-Identifier: MIT */
/* ACPI's MADT: what real firmware writes, and every way in which it is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/firmware/madt.c"

#define MOST 4096u

static uint8_t bytes[MOST];
static uint64_t length;

static void put(uint64_t n, unsigned size)
{
    while (size-- > 0) {
        bytes[length++] = (uint8_t)n;
        n >>= 8;
    }
}

static void begin(void)
{
    memset(bytes, 0, sizeof bytes);
    length = 36;
    put(0xfee00000, 4);
    put(1, 4);
}

static void put_ioapic(uint8_t id, uint32_t address, uint32_t first)
{
    put(1 | 12 << 8 | (uint32_t)id << 16, 4);
    put(address, 4);
    put(first, 4);
}

static void put_override(uint8_t bus, uint8_t irq, uint32_t gsi, uint16_t flags)
{
    put(2 | 10 << 8 | (uint32_t)bus << 16 | (uint32_t)irq << 24, 4);
    put(gsi, 4);
    put(flags, 2);
}

static void put_processor(uint8_t id, uint32_t flags)
{
    put(0 | 8 << 8 | (uint32_t)id << 16 | (uint32_t)id << 24, 4);
    put(flags, 4);
}

static void put_nmi(uint16_t flags, uint32_t gsi)
{
    put(3 | 8 << 8 | (uint32_t)flags << 16, 4);
    put(gsi, 4);
}

/* From a block of its own, so that the sanitizer sees a reading behind the end. */
static struct madt reading(void)
{
    uint8_t *const own = malloc(length);
    struct madt m;

    memcpy(own, bytes, length);
    madt_read(&m, own, length);
    free(own);
    return m;
}

static void put_board(void)
{
    begin();
    put_processor(0, 1);
    put_processor(1, 1);
    put_processor(2, 0);
    put_ioapic(0, 0xfec00000, 0);
    put_ioapic(1, 0xfec01000, 24);
    put_override(0, 0, 2, 0);
    put_override(0, 9, 9, 0xf);
    put_nmi(0xf, 20);
    put(4 | 6 << 8 | 0xffu << 16, 4);
    put(1 << 8, 2);
}

static void test_board(void **state)
{
    static const unsigned inputs[MADT_IOAPICS] = { 24, 32 };
    unsigned input;
    struct madt m;

    (void)state;
    put_board();
    m = reading();
    assert_true(m.found && m.has_8259 && !m.cut);
    assert_int_equal(m.processors, 2);
    assert_int_equal(m.ioapics, 2);
    assert_int_equal(m.isa[0].gsi, 2);
    assert_true(m.isa[0].overridden && !m.isa[0].active_low && !m.isa[0].level);
    assert_true(m.isa[9].active_low && m.isa[9].level);
    assert_true(m.isa[8].gsi == 8 && !m.isa[8].overridden);
    assert_int_equal(m.nmis, 1);
    assert_true(m.nmi[0].gsi == 20 && m.nmi[0].active_low && m.nmi[0].level);
    assert_int_equal(m.local_nmis, 1 << 1);
    assert_int_equal(m.wrong + m.unknown, 0);
    assert_ptr_equal(madt_ioapic_of(&m, 2, inputs, &input), &m.ioapic[0]);
    assert_int_equal(input, 2);
    assert_ptr_equal(madt_ioapic_of(&m, 55, inputs, &input), &m.ioapic[1]);
    assert_int_equal(input, 31);
    assert_null(madt_ioapic_of(&m, 56, inputs, &input));
    assert_null(madt_ioapic_of(&m, UINT32_MAX, inputs, &input));
}

static void test_none(void **state)
{
    struct madt m;

    (void)state;
    madt_read(&m, NULL, 0);
    assert_false(m.found);
    assert_int_equal(m.isa[0].gsi, 0);
    begin();
    length = 43;
    m = reading();
    assert_false(m.found);
    length = 44;
    m = reading();
    assert_true(m.found && m.ioapics == 0 && !m.cut);
}

/* An entry of put_board() ends there. */
static bool is_boundary(uint64_t at)
{
    static const uint8_t lengths[] = { 8, 8, 8, 12, 12, 10, 10, 8, 6 };
    uint64_t end = 44;

    for (size_t i = 0; i < sizeof lengths && end < at; i++)
        end += lengths[i];
    return end == at;
}

/* Each length that the last entry can claim, and a table that ends anywhere. */
static void test_lengths(void **state)
{
    struct madt m;

    (void)state;
    for (unsigned claimed = 0; claimed < 256; claimed++) {
        begin();
        put_processor(0, 1);
        bytes[45] = (uint8_t)claimed;
        m = reading();
        if (claimed < 2 || claimed > 8)
            assert_true(m.cut && m.wrong == 0);
        else
            assert_int_equal(m.wrong, claimed != 8);
        assert_int_equal(m.processors, claimed == 8);
    }
    put_board();
    for (const uint64_t whole = length; length > 44; length--)
        assert_int_equal(reading().cut, !is_boundary(length) && length != whole);
}

static void test_untrue(void **state)
{
    struct madt m;

    (void)state;
    begin();
    put_ioapic(0, 0, 0);
    put_ioapic(0, 0xfec00010, 0);
    put_ioapic(0, 0xfec00000, 0);
    put_ioapic(1, 0xfec00000, 24);
    put_ioapic(1, 0xfec01000, 0);
    put_override(1, 0, 5, 0);
    put_override(0, 16, 5, 0);
    put_override(0, 0, 2, 0);
    put_override(0, 0, 3, 0);
    put(4 | 6 << 8, 4);
    put(7 << 8, 2);
    m = reading();
    assert_int_equal(m.wrong, 8);
    assert_int_equal(m.ioapics, 1);
    assert_int_equal(m.isa[0].gsi, 2);
    assert_int_equal(m.local_nmis, 0);
}

static void test_too_many(void **state)
{
    struct madt m;

    (void)state;
    begin();
    for (unsigned i = 0; i < MADT_IOAPICS + 3; i++)
        put_ioapic((uint8_t)i, 0xfec00000 + 0x1000 * i, 24 * i);
    for (unsigned i = 0; i < MADT_NMIS + 2; i++)
        put_nmi(0, i);
    put(77 | 2 << 8, 2); /* a kind that is not known */
    put(255 | 4 << 8, 4);
    m = reading();
    assert_int_equal(m.ioapics, MADT_IOAPICS);
    assert_int_equal(m.nmis, MADT_NMIS);
    assert_int_equal(m.wrong, 5);
    assert_int_equal(m.unknown, 2);
}

/* Any bytes: every reading ends, in bounds, and counts are in bounds. */
static void test_any(void **state)
{
    uint32_t draw = 1;

    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        struct madt m;

        begin();
        for (unsigned n = (draw >> 8) % 200; n > 0; n--) {
            draw = draw * 1664525 + 1013904223;
            put(draw >> 24 & (draw & 0x800 ? 0x0f : 0xff), 1);
        }
        m = reading();
        draw = draw * 1664525 + 1013904223;
        assert_true(m.ioapics <= MADT_IOAPICS && m.nmis <= MADT_NMIS && m.local_nmis < 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_board), cmocka_unit_test(test_none), cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_untrue), cmocka_unit_test(test_too_many), cmocka_unit_test(test_any),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
