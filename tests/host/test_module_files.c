/* SPDX-License-Identifier: MIT */
/* The door's list of files: what is taken from it, what is refused, and that their memory is given to nobody. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/mm/module_files.c"
#include "kernel/mm/free_regions.c"

/* No file of these tests has bytes. */
bool elf_build_id(const void *image, uint64_t bytes, uint8_t id[ELF_BUILD_ID])
{
    (void)image;
    (void)bytes;
    (void)id;
    return true;
}

uint64_t elf_loaded_hash(const void *image, uint64_t bytes)
{
    (void)image;
    (void)bytes;
    return 0;
}

#define MIB 0x100000ull

static struct boot_module entry(uint64_t base, uint64_t length, const char *line)
{
    struct boot_module m = { .base = base, .length = length };

    strncpy(m.line, line, sizeof m.line - 1);
    return m;
}

static int memory(void **state)
{
    static const struct boot_info info = { .regions = 2, .region = { { MIB, 4 * MIB }, { 8 * MIB, 8 * MIB } } };

    (void)state;
    count = 0;
    free_regions_init(&info);
    return 0;
}

static void assert_refused(struct boot_module m, const char *sentence)
{
    char text[REFUSAL_TEXT];
    struct refusal why;
    const uint64_t left = free_regions_pages();
    const uint32_t files_before = count;

    assert_false(module_file_take(&m, &why));
    assert_string_equal(refusal_text(&why, text), sentence);
    assert_int_equal(free_regions_pages(), left);
    assert_int_equal(count, files_before);
}

static void assert_taken(struct boot_module *m)
{
    struct refusal why;

    assert_true(module_file_take(m, &why));
}

static void test_names(void **state)
{
    static struct boot_module plain, path;

    (void)state;
    plain = entry(8 * MIB, 5000, "sort");
    path = entry(9 * MIB, 4096, "/usr/bin/busy.box-2  sort -k 2 'a b'");
    assert_taken(&plain);
    assert_taken(&path);
    assert_string_equal(module_file_find("sort")->arguments, "");
    assert_int_equal(module_file_find("sort")->size, 5000);
    assert_string_equal(module_file_at(1)->name, "busy.box-2");
    assert_string_equal(module_file_at(1)->arguments, "sort -k 2 'a b'");
    assert_null(module_file_at(2));
    assert_null(module_file_find("busy"));
    assert_refused(entry(10 * MIB, 1, "other/sort x"), "another one has the name 'sort'");
    assert_refused(entry(10 * MIB, 1, ""), "'' is no name: 1 to 31 of letters, digits, and . _ + -");
    assert_refused(entry(10 * MIB, 1, "a/"), "'' is no name: 1 to 31 of letters, digits, and . _ + -");
    assert_refused(entry(10 * MIB, 1, "a\x1b[2J"), "'a?[2J' is no name: 1 to 31 of letters, digits, and . _ + -");
    assert_refused(entry(10 * MIB, 1, "a1234567890123456789012345678901"),
                   "'a12345678901234567890123...' is no name: 1 to 31 of letters, digits, and . _ + -");
}

static void test_long_line(void **state)
{
    struct boot_module m = entry(8 * MIB, 1, "sort");

    (void)state;
    m.line_cut = 1;
    assert_refused(m, "its name and arguments are longer than 511 characters");
}

/* What the door did not load is told by its name, whatever its addresses are. */
static void test_not_loaded(void **state)
{
    struct boot_module m = entry(0, 5ull << 30, "tasks/f");

    (void)state;
    m.wrong = BOOT_MODULE_NO_MEMORY;
    assert_refused(m, "'f' has 5368709120 bytes, and there is no memory for them");
    m.wrong = BOOT_MODULE_UNREADABLE;
    assert_refused(m, "'f' cannot be read");
    m.wrong = UINT32_MAX;
    assert_refused(m, "'f' cannot be read");
    assert_refused(entry(8 * MIB, 0, "f"), "'f' is empty");
}

/* What the map does not call free, the image's own pages among it, cannot be a file. */
static void test_addresses(void **state)
{
    static const char outside[] = "it lies outside of the memory map, in the image or in another file";
    static struct boot_module whole;

    (void)state;
    assert_refused(entry(8 * MIB + 8, 8, "f"), "it does not begin on a page");
    assert_refused(entry(0, 1, "f"), outside);
    assert_refused(entry(5 * MIB, 1, "f"), outside);
    assert_refused(entry(4 * MIB, MIB + 1, "f"), outside);
    assert_refused(entry(15 * MIB, MIB + 1, "f"), outside);
    assert_refused(entry(8 * MIB, UINT64_MAX, "f"), outside);
    assert_refused(entry(8 * MIB, UINT64_MAX - 8 * MIB, "f"), outside);
    assert_refused(entry(UINT64_MAX & ~4095ull, 4096, "f"), outside);
    whole = entry(8 * MIB, 8 * MIB, "f");
    assert_taken(&whole);
    assert_refused(entry(8 * MIB, 1, "g"), outside);
    assert_refused(entry(16 * MIB - 4096, 1, "g"), outside);
}

static void test_memory_is_reserved(void **state)
{
    static struct boot_module m;
    const uint64_t pages = 12 * MIB / PAGE_SIZE;

    (void)state;
    m = entry(10 * MIB, 4097, "f");
    assert_taken(&m);
    assert_int_equal(free_regions_pages(), pages - 2);
    for (uint32_t i = 0; i < regions; i++)
        assert_true(region[i].base + region[i].length <= 10 * MIB || region[i].base >= 10 * MIB + 2 * PAGE_SIZE ||
                    region[i].length == 0);
}

static void test_too_many(void **state)
{
    static struct boot_module m[BOOT_MODULES];
    char name[] = "a";

    (void)state;
    for (unsigned i = 0; i < BOOT_MODULES; i++) {
        m[i] = entry(8 * MIB + 2 * i * PAGE_SIZE, PAGE_SIZE, name);
        assert_taken(&m[i]);
        name[0]++;
    }
    assert_refused(entry(15 * MIB, 1, "z"), "there are 16 already");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_names, memory),
        cmocka_unit_test_setup(test_long_line, memory),
        cmocka_unit_test_setup(test_not_loaded, memory),
        cmocka_unit_test_setup(test_addresses, memory),
        cmocka_unit_test_setup(test_memory_is_reserved, memory),
        cmocka_unit_test_setup(test_too_many, memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
