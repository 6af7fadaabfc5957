/* SPDX-License-Identifier: MIT */
/* A task's memory by its address, over made-up page tables: every address that must not be followed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The tables' physical addresses are this process's own. */
#include "kernel/boot_info.h"
#undef DIRECT_BASE
#define DIRECT_BASE 0ull
#include "kernel/mm/user_memory.c"

#define FIRST    0x400000ull          /* two pages that can be written, not in the order of their frames */
#define CODE     (FIRST + 2 * PAGE)   /* one that can only be read */
#define HOLE     (FIRST + 3 * PAGE)   /* nothing */
#define KERNELS  (FIRST + 4 * PAGE)   /* not the task's */
#define SHUT     0x8000000000ull      /* one in the second table of the top level, which lacks the bit of tasks */
#define LAST     (USER_TOP - PAGE)    /* the last of a task's half */
#define PAGE     ((uint64_t)PAGE_SIZE)
#define ACCESS   (PAGE_PRESENT | PAGE_USER | PAGE_WRITE)
#define TABLES   16

static uint64_t (*table)[PAGE_ENTRIES]; /* the first is the root */
static unsigned tables;
static uint8_t *frame; /* of the pages */

static uint64_t *next(uint64_t *entry, uint64_t access)
{
    if (*entry == 0)
        *entry = (uint64_t)table[tables++] | access;
    return (uint64_t *)(*entry & PAGE_FRAME);
}

static void map(uint64_t virtual, unsigned number, uint64_t upper, uint64_t access)
{
    uint64_t *t = table[0];

    for (int shift = 39; shift > 12; shift -= 9)
        t = next(&t[virtual >> shift & (PAGE_ENTRIES - 1)], upper);
    t[virtual >> 12 & (PAGE_ENTRIES - 1)] = (uint64_t)(frame + number * PAGE) | access | PAGE_NO_CODE;
}

static int make_space(void **state)
{
    (void)state;
    table = aligned_alloc(PAGE_SIZE, TABLES * sizeof *table);
    frame = aligned_alloc(PAGE_SIZE, 6 * PAGE);
    memset(table, 0, TABLES * sizeof *table);
    memset(frame, 0, 6 * PAGE);
    tables = 1;
    map(FIRST, 1, ACCESS, ACCESS);
    map(FIRST + PAGE, 0, ACCESS, ACCESS);
    map(CODE, 2, ACCESS, PAGE_PRESENT | PAGE_USER);
    map(KERNELS, 3, ACCESS, PAGE_PRESENT | PAGE_WRITE);
    map(SHUT, 4, PAGE_PRESENT | PAGE_WRITE, ACCESS);
    map(LAST, 5, ACCESS, ACCESS);
    return 0;
}

static int free_space(void **state)
{
    (void)state;
    free(table);
    free(frame);
    return 0;
}

static uint64_t root(void)
{
    return (uint64_t)table[0];
}

static bool put(uint64_t address, uint64_t bytes)
{
    static const uint8_t ones[3 * PAGE_SIZE] = {[0 ... 3 * PAGE_SIZE - 1] = 1};

    return user_memory_write(root(), address, ones, bytes);
}

static bool get(uint64_t address, uint64_t bytes)
{
    uint8_t to[3 * PAGE_SIZE];

    return user_memory_read(root(), to, address, bytes);
}

static unsigned written(void)
{
    unsigned n = 0;

    for (unsigned i = 0; i < 6 * PAGE; i++)
        n += frame[i];
    return n;
}

static void across_a_page_s_end(void **state)
{
    const char text[] = "across the end";
    char back[sizeof text];

    (void)state;
    assert_true(user_memory_write(root(), FIRST + PAGE - 6, text, sizeof text));
    assert_memory_equal(frame + 2 * PAGE - 6, text, 6);
    assert_memory_equal(frame, text + 6, sizeof text - 6);
    assert_true(user_memory_read(root(), back, FIRST + PAGE - 6, sizeof text));
    assert_string_equal(back, text);
    assert_true(put(FIRST, 2 * PAGE));
    assert_true(put(LAST, PAGE));
    assert_true(get(FIRST, 3 * PAGE));
}

/* Where a part of the bytes is not the task's, none is written. */
static void nothing_by_halves(void **state)
{
    (void)state;
    assert_false(put(FIRST, 2 * PAGE + 1));
    assert_false(put(FIRST - 1, 2));
    assert_false(put(CODE - 1, 2));
    assert_false(put(CODE + PAGE - 1, 1));
    assert_false(get(CODE, PAGE + 1));
    assert_false(get(HOLE, 1));
    assert_int_equal(written(), 0);
}

static void not_of_the_task(void **state)
{
    (void)state;
    assert_false(get(KERNELS, 1) || put(KERNELS, 1));
    assert_false(get(SHUT, 1) || put(SHUT, 1));
    assert_int_equal(written(), 0);
}

/* The kernel's half, the addresses between, and ranges past the end of all addresses. */
static void outside_of_the_half(void **state)
{
    static const uint64_t address[] = {
        USER_TOP, USER_TOP + 1, 0x0000ffffffffffffull, 0xffff800000000000ull, KERNEL_STACKS, 0xffffffff80100000ull,
        UINT64_MAX, (uint64_t)-PAGE,
    };

    (void)state;
    for (unsigned i = 0; i < sizeof address / sizeof *address; i++)
        assert_false(get(address[i], 1) || put(address[i], 1) || user_memory_writable(root(), address[i], 1) != NULL);
    assert_false(put(LAST + PAGE - 1, 2) || get(LAST + PAGE - 1, 2));
    assert_false(put(FIRST, UINT64_MAX) || put(FIRST, (uint64_t)0 - FIRST) || get(FIRST, (uint64_t)0 - FIRST + 1));
    assert_int_equal(written(), 0);
}

static void within_one_page(void **state)
{
    (void)state;
    assert_ptr_equal(user_memory_writable(root(), FIRST + 8, 8), frame + PAGE + 8);
    assert_ptr_equal(user_memory_writable(root(), FIRST + PAGE - 8, 8), frame + 2 * PAGE - 8);
    assert_null(user_memory_writable(root(), FIRST + PAGE - 7, 8));
    assert_null(user_memory_writable(root(), CODE, 8));
    assert_null(user_memory_writable(root(), HOLE, 8));
    assert_null(user_memory_writable(root(), SHUT, 8));
    assert_null(user_memory_writable(root(), FIRST, UINT64_MAX));
}

static void no_bytes_at_all(void **state)
{
    (void)state;
    assert_true(put(HOLE, 0) && get(HOLE, 0));
    assert_false(put(USER_TOP, 0) || get(UINT64_MAX, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(across_a_page_s_end, make_space, free_space),
        cmocka_unit_test_setup_teardown(nothing_by_halves, make_space, free_space),
        cmocka_unit_test_setup_teardown(not_of_the_task, make_space, free_space),
        cmocka_unit_test_setup_teardown(outside_of_the_half, make_space, free_space),
        cmocka_unit_test_setup_teardown(within_one_page, make_space, free_space),
        cmocka_unit_test_setup_teardown(no_bytes_at_all, make_space, free_space),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
