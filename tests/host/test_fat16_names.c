/* SPDX-License-Identifier: MIT */
/*
 * boot/disk/fat16.c on folders made here: long and short names, damaged ones;
 * boot/task_files.c on names and words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boot/disk/fat16.h"
#include "boot/task_files.h"
#include "tests/host/fat16_volume.h"

#define LOWER_NAME      0x08
#define LOWER_EXTENSION 0x10
#define FOLDER_CLUSTER  3u

static int at; /* index of the next entry of the folder */
static struct fat16_folder folder;
static struct fat16_named named;

static uint8_t *next_entry(void)
{
    return cluster_at(FOLDER_CLUSTER) + 32 * at++;
}

/* An empty folder TASKS in cluster 3, which goes on in 4. */
static int make_folder(void **state)
{
    make(state);
    at = 0;
    memset(cluster_at(3), 0, 2 * CLUSTER * FAT16_SECTOR);
    entry(disk[ROOT], 3, "TASKS      ", 0x10, FOLDER_CLUSTER, 0);
    link_to(3, 4);
    return 0;
}

static void add_short(const char *name, int attributes, int small, uint32_t bytes)
{
    uint8_t *const e = next_entry();

    entry(e, 0, name, attributes, 10, bytes);
    e[12] = (uint8_t)small;
}

static uint8_t sum(const char *name)
{
    uint8_t s = 0;

    for (int i = 0; i < 11; i++)
        s = (uint8_t)((s >> 1 | s << 7) + (uint8_t)name[i]);
    return s;
}

/* The parts of a long name, the last one first, as its short name's. */
static void add_long(const char *text, const char *name)
{
    static const uint8_t places[] = {1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30};
    const unsigned length = (unsigned)strlen(text), parts = (length + 12) / 13;

    for (unsigned part = parts; part >= 1; part--) {
        uint8_t *const e = next_entry();

        e[0] = (uint8_t)(part | (part == parts ? 0x40 : 0));
        e[11] = 0x0f;
        e[13] = sum(name);
        for (unsigned i = 0; i < 13; i++) {
            const unsigned n = (part - 1) * 13 + i;

            put16(e + places[i], n < length ? (uint8_t)text[n] : n == length ? 0 : 0xffff);
        }
    }
}

static void open_folder(void)
{
    assert_true(fat16_mount(&volume, read_disk, FIRST));
    assert_int_equal(fat16_open(&volume, "TASKS", &folder), FAT16_OK);
}

static void assert_next(const char *name, uint32_t bytes)
{
    unsigned i = 0;

    assert_int_equal(fat16_next(&volume, &folder, &named), FAT16_OK);
    for (; name[i] != '\0'; i++)
        assert_int_equal(named.name[i], (uint8_t)name[i]);
    assert_int_equal(named.name[i], 0);
    assert_int_equal(named.file.bytes, bytes);
}

static void assert_end(void)
{
    assert_int_equal(fat16_next(&volume, &folder, &named), FAT16_ABSENT);
}

static void test_short_names(void **state)
{
    (void)state;
    add_short("HELLO      ", 0x20, 0, 1);
    add_short("HELLO   TXT", 0x20, LOWER_NAME, 2);
    add_short("A       B  ", 0x20, LOWER_NAME | LOWER_EXTENSION, 3);
    add_short("LABEL      ", 0x08, 0, 4);
    add_short("\xe5" "ELETED    ", 0x20, 0, 5);
    add_short("\x05" "A         ", 0x20, 0, 6);
    add_short("SUB        ", 0x10, LOWER_NAME, 0);
    open_folder();
    assert_next("HELLO", 1);
    assert_next("hello.TXT", 2);
    assert_next("a.b", 3);
    assert_next("\xe5" "A", 6);
    assert_false(named.folder);
    assert_next("sub", 0);
    assert_true(named.folder);
    assert_end();
}

/*
 * Names of 12, 13, 14 and 255 characters: less than a part, a whole one, more; more than one cluster of the folder.
 */
static void test_long_names(void **state)
{
    static const char *const thirteen = "static-pie.so";
    char most[256];

    (void)state;
    memset(most, 'n', 255);
    most[255] = '\0';
    add_long("busybox.stat", "BUSYBO~1STA");
    add_short("BUSYBO~1STA", 0x20, 0, 1);
    add_long(thirteen, "STATIC~1SO ");
    add_short("STATIC~1SO ", 0x20, 0, 2);
    add_long("static-pie.so2", "STATIC~2SO2");
    add_short("STATIC~2SO2", 0x20, 0, 3);
    while (at < 24)
        add_short("\xe5" "          ", 0x20, 0, 0);
    add_long(most, "NNNNNN~1   ");
    add_short("NNNNNN~1   ", 0x20, 0, 4);
    open_folder();
    assert_next("busybox.stat", 1);
    assert_next(thirteen, 2);
    assert_next("static-pie.so2", 3);
    assert_next(most, 4);
    assert_end();
}

/* A long name that is not whole, or of another file, is none: an older system has written the short one alone. */
static void test_damaged_long_names(void **state)
{
    (void)state;
    add_long("of-another-file", "OFANOT~1   ");
    add_short("OTHER      ", 0x20, 0, 1);
    add_long("without-its-first-part", "WITHOU~1   ");
    cluster_at(FOLDER_CLUSTER)[32 * (at - 1)] = 0xe5;
    add_short("WITHOU~1   ", 0x20, 0, 2);
    add_long("in-the-wrong-order", "INTHEW~1   ");
    cluster_at(FOLDER_CLUSTER)[32 * (at - 1)] = 3;
    add_short("INTHEW~1   ", 0x20, 0, 3);
    add_long("no-part-at-all", "NOPART~1   ");
    cluster_at(FOLDER_CLUSTER)[32 * (at - 2)] = 0x40 | 21;
    at--;
    add_short("NOPART~1   ", 0x20, 0, 4);
    open_folder();
    assert_next("OTHER", 1);
    assert_next("WITHOU~1", 2);
    assert_next("INTHEW~1", 3);
    assert_next("NOPART~1", 4);
    assert_end();
}

static void test_folder_without_end(void **state)
{
    enum fat16_answer answer;
    unsigned entries = 0;

    (void)state;
    while (at < 32)
        add_short("FILL    TXT", 0x20, 0, 0);
    link_to(3, 3);
    open_folder();
    while ((answer = fat16_next(&volume, &folder, &named)) == FAT16_OK)
        entries++;
    assert_int_equal(answer, FAT16_DAMAGED);
    assert_int_equal(entries, 65536);
    assert_int_equal(fat16_open(&volume, "CPUPROBE.CFG", &folder), FAT16_ABSENT);
    assert_int_equal(fat16_open(&volume, "NOTHING", &folder), FAT16_ABSENT);
    entry(disk[ROOT], 3, "TASKS      ", 0x10, 0, 0); /* would be the root */
    assert_true(fat16_mount(&volume, read_disk, FIRST));
    assert_int_equal(fat16_open(&volume, "TASKS", &folder), FAT16_DAMAGED);
}

/* A length that the volume cannot hold is refused before anything is read. */
static void test_longer_than_the_volume(void **state)
{
    static uint8_t bytes[1024];
    struct fat16_file file;

    (void)state;
    assert_true(fat16_mount(&volume, read_disk, FIRST));
    assert_int_equal(fat16_find(&volume, "CPUPROBE.CFG", &file), FAT16_OK);
    file.bytes = UINT32_MAX;
    reads = 0;
    assert_false(fat16_read(&volume, &file, bytes));
    assert_int_equal(reads, 0);
}

/* Whatever bytes stand in a folder: each name ends within its room. */
static void test_any_byte(void **state)
{
    (void)state;
    srand(1);
    for (int turn = 0; turn < 2000; turn++) {
        make_folder(NULL);
        for (unsigned i = 0; i < 2 * CLUSTER * FAT16_SECTOR; i++)
            cluster_at(FOLDER_CLUSTER)[i] = i % 32 == 11 && rand() % 4 != 0
                                                ? 0x0f : (uint8_t)(rand() % 3 == 0 ? rand() : 0x41);
        open_folder();
        while (fat16_next(&volume, &folder, &named) == FAT16_OK) {
            char line[TASK_FILES_LINE];
            unsigned length = 0;

            while (length < FAT16_LONG_NAME && named.name[length] != 0)
                length++;
            assert_true(length < FAT16_LONG_NAME);
            task_files_line(line, named.name);
            assert_true(strlen(line) < sizeof line);
        }
    }
}

static void test_lines(void **state)
{
    static const uint16_t plain[] = {'a', '.', 'b', 0}, other[] = {'a', ' ', 0xe4, '/', '\t', 0x7f, 0x141, 0},
                          hidden[] = {'.', 'a', 0};
    char line[TASK_FILES_LINE];

    (void)state;
    assert_true(task_files_line(line, plain));
    assert_string_equal(line, "a.b");
    assert_true(task_files_line(line, other));
    assert_string_equal(line, "a??????");
    assert_false(task_files_line(line, hidden));
}

static void test_words_that_name_files(void **state)
{
    (void)state;
    assert_true(task_files_wanted("rate=10 tasks=file:a"));
    assert_true(task_files_wanted("stdin=file:a"));
    assert_false(task_files_wanted("rate=10 tasks=figure3"));
    assert_false(task_files_wanted(""));
    assert_false(task_files_wanted("tasks=file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_short_names, make_folder),
        cmocka_unit_test_setup(test_long_names, make_folder),
        cmocka_unit_test_setup(test_damaged_long_names, make_folder),
        cmocka_unit_test_setup(test_folder_without_end, make_folder),
        cmocka_unit_test_setup(test_longer_than_the_volume, make_folder),
        cmocka_unit_test(test_any_byte),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_words_that_name_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
