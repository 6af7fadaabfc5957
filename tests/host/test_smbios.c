/* SPDX-License-Identifier: MIT */
/* The look for SMBIOS in made-up memory: both entry points, and every way in which they are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/firmware/smbios.c"

#define MEMORY 0x100000u
#define ENTRY  0xf5620u
#define TABLE  0xe1000u

static uint8_t *memory;
static const char texts[] = "Maker\0" "1.2\t3\0" "04/01/2014\0"; /* and the literal's own zero: two end them */

static const uint8_t *at(uint64_t physical, uint64_t length)
{
    return physical < MEMORY && length <= MEMORY - physical ? memory + physical : NULL;
}

static void put(uint64_t where, uint64_t n, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        memory[where + i] = (uint8_t)(n >> 8 * i);
}

static void seal(unsigned length, unsigned checksum)
{
    uint8_t sum = 0;

    memory[ENTRY + checksum] = 0;
    for (unsigned i = 0; i < length; i++)
        sum = (uint8_t)(sum + memory[ENTRY + i]);
    memory[ENTRY + checksum] = (uint8_t)-sum;
}

static void put_old(uint64_t length)
{
    memset(memory + ENTRY, 0, 32);
    memcpy(memory + ENTRY, "_SM_", 4);
    put(ENTRY + OLD_LENGTH, length, 2);
    put(ENTRY + OLD_ADDRESS, TABLE, 4);
    seal(OLD_BYTES, 4);
}

static void put_new(uint64_t length, uint64_t address)
{
    memset(memory + ENTRY, 0, 32);
    memcpy(memory + ENTRY, "_SM3_", 5);
    put(ENTRY + NEW_LENGTH, length, 4);
    put(ENTRY + NEW_ADDRESS, address, 8);
    seal(NEW_BYTES, 5);
}

/* A structure of type 1 without texts, then that of the BIOS. */
static unsigned put_table(void)
{
    const uint8_t other[] = {1, 8, 0, 0, 9, 9, 9, 9, 0, 0},
                  bios[] = {0, 18, 1, 0, 1, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0};

    memcpy(memory + TABLE, other, sizeof(other));
    memcpy(memory + TABLE + sizeof(other), bios, sizeof(bios));
    memcpy(memory + TABLE + sizeof(other) + sizeof(bios), texts, sizeof(texts));
    return sizeof(other) + sizeof(bios) + sizeof(texts);
}

static int setup(void **state)
{
    (void)state;
    free(memory);
    memory = calloc(1, MEMORY);
    put_old(put_table());
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(memory);
    memory = NULL;
    return 0;
}

static void check(bool found)
{
    struct smbios s = {{0}, {0}, {0}};

    assert_int_equal(smbios_find(&s, at), found);
    assert_string_equal(s.vendor, found ? "Maker" : "");
    assert_string_equal(s.version, found ? "1.2?3" : "");
    assert_string_equal(s.date, found ? "04/01/2014" : "");
}

static void test_found(void **state)
{
    (void)state;
    check(true);
    put_new(put_table(), TABLE);
    check(true);
}

static void test_wrong(void **state)
{
    const unsigned length = put_table();

    (void)state;
    memory[ENTRY + OLD_LENGTH]++;
    check(false); /* checksum */
    put_new(length, 1ull << 40);
    check(false);
    put_new(TABLE_MOST + 1, TABLE);
    check(false);
    put_new(10, TABLE); /* ends before the BIOS */
    check(false);
    put_new(length, TABLE);
    memory[TABLE + 1] = 3; /* a structure shorter than its head */
    check(false);
    memory[TABLE + 1] = 8;
    memory[TABLE] = TYPE_END;
    check(false);
    memory[TABLE] = 1;
    check(true);
    memset(memory + ENTRY, 0, 32);
    check(false);
}

/* Texts that do not end, numbers of texts that are not there. */
static void test_texts(void **state)
{
    const unsigned length = put_table();
    struct smbios s = {{0}, {0}, {0}};

    (void)state;
    memory[TABLE + 10 + BIOS_DATE] = 200;
    assert_true(smbios_find(&s, at));
    assert_string_equal(s.date, "");
    memset(memory + TABLE + 28, 'x', MEMORY - TABLE - 28 < 4096 ? 0 : 4096);
    put_new(length, TABLE);
    assert_true(smbios_find(&s, at));
    assert_int_equal(strlen(s.vendor), length - 28 < SMBIOS_TEXT ? length - 28 : SMBIOS_TEXT - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_found, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wrong, setup, teardown),
        cmocka_unit_test_setup_teardown(test_texts, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
