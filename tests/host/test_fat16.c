/* SPDX-License-Identifier: MIT */
/* boot/disk/fat16.c on volumes made here: whole, in pieces, damaged; boot/config.c on texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boot/config.h"
#include "tests/host/fat16_volume.h"

static void test_reads_a_file_in_pieces(void **state)
{
    static uint8_t bytes[5120];
    struct fat16_file file;

    (void)state;
    assert_true(fat16_mount(&volume, read_disk, FIRST));
    assert_int_equal(fat16_find(&volume, "EFI/BOOT/BOOTX64.EFI", &file), FAT16_OK);
    assert_int_equal(file.bytes, 5000);
    reads = 0;
    assert_true(fat16_read(&volume, &file, bytes));
    for (int i = 0; i < 5000; i++)
        assert_int_equal(bytes[i], 'a' + i / 1024);
    assert_true(reads <= 3 + 4); /* three pieces; the table's sector comes back between them */
}

static void test_finds_in_any_sector_of_the_root(void **state)
{
    static uint8_t bytes[1024];
    struct fat16_file file;

    (void)state;
    assert_true(fat16_mount(&volume, read_disk, FIRST));
    assert_int_equal(fat16_find(&volume, "CPUPROBE.CFG", &file), FAT16_OK);
    assert_int_equal(file.cluster, 10);
    assert_true(fat16_read(&volume, &file, bytes));
    assert_int_equal(bytes[699], 'k');
}

static void test_says_what_is_absent(void **state)
{
    static const char *const absent[] = {"NOTHING.CFG", "EFI/NOTHING", "EFI/BOOT", "CPUPROBE.CFG/A", "CPUPROBE", ""};
    struct fat16_file file;

    (void)state;
    assert_true(fat16_mount(&volume, read_disk, FIRST));
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        assert_int_equal(fat16_find(&volume, absent[i], &file), FAT16_ABSENT);
}

static void test_survives_damage(void **state)
{
    static uint8_t bytes[8192];
    struct fat16_file file;

    (void)state;
    assert_true(fat16_mount(&volume, read_disk, FIRST));
    link_to(9, 0); /* a chain that breaks off */
    assert_int_equal(fat16_find(&volume, "EFI/BOOT/BOOTX64.EFI", &file), FAT16_OK);
    assert_false(fat16_read(&volume, &file, bytes));
    link_to(3, 3); /* a folder without end, full of other things */
    for (int i = 0; i < 32; i++)
        entry(cluster_at(3), i, "FILL    TXT", 0x20, 0, 0);
    assert_true(fat16_mount(&volume, read_disk, FIRST));
    assert_int_equal(fat16_find(&volume, "EFI/BOOT/BOOTX64.EFI", &file), FAT16_DAMAGED);
    entry(disk[ROOT], 3, "EFI        ", 0x10, 60000, 0); /* a folder outside the volume */
    assert_true(fat16_mount(&volume, read_disk, FIRST));
    assert_int_equal(fat16_find(&volume, "EFI/BOOT/BOOTX64.EFI", &file), FAT16_DAMAGED);
}

/* No byte of the boot sector, the table or a folder makes it read where it should not, or go on for ever. */
static void test_survives_any_byte(void **state)
{
    static uint8_t bytes[65536];

    (void)state;
    srand(1);
    for (int turn = 0; turn < 20000; turn++) {
        struct fat16_file file;

        make(NULL);
        for (int i = 0; i < 4; i++) {
            static const uint32_t places[] = {FIRST, TABLE, ROOT, DATA + 2, DATA + 4};

            disk[places[rand() % 5]][rand() % 64] = (uint8_t)rand();
        }
        if (fat16_mount(&volume, read_disk, FIRST) &&
            fat16_find(&volume, "EFI/BOOT/BOOTX64.EFI", &file) == FAT16_OK && file.bytes <= sizeof bytes)
            fat16_read(&volume, &file, bytes);
    }
}

static void test_refuses_other_volumes(void **state)
{
    (void)state;
    put16(disk[FIRST] + 19, 4000); /* too few clusters: FAT12 */
    assert_false(fat16_mount(&volume, read_disk, FIRST));
    make(NULL);
    disk[FIRST][510] = 0;
    assert_false(fat16_mount(&volume, read_disk, FIRST));
    make(NULL);
    disk[FIRST][13] = 0;
    assert_false(fat16_mount(&volume, read_disk, FIRST));
    assert_false(fat16_mount(&volume, read_disk, SECTORS));
}

static void test_takes_comments_out(void **state)
{
    char text[32];
    struct config_line line = {.text = text, .room = sizeof text};

    (void)state;
    assert_true(config_add(&line, "# first\r\n\r\n  rate=10\t seconds=2 # = 3\r\n#last"));
    assert_string_equal(text, "rate=10 seconds=2");
    assert_true(config_add(&line, "\nseed=1\n"));
    assert_string_equal(text, "rate=10 seconds=2 seed=1");
    assert_false(config_add(&line, "output=frames"));
    assert_int_equal(strlen(text), sizeof text - 1);
}

static void assert_words(const char *file, const char *words)
{
    char text[100];
    struct config_line line = {.text = text, .room = sizeof text};

    text[0] = '\0';
    assert_true(config_add(&line, file));
    assert_string_equal(text, words);
}

/* Keys as people type them; a value, and what is no key, stays as it is. */
static void test_keys_as_typed(void **state)
{
    (void)state;
    assert_words("Rate = 1000\r\nSECONDS\t=\t2", "rate=1000 seconds=2");
    assert_words("region =ROGUE:user:0-0200000 output= text", "region=ROGUE:user:0-0200000 output=text");
    assert_words("Rate seed = 7", "Rate seed=7");
    assert_words("rate =\nseed=7", "rate= seed=7");
    assert_words("rate\n= 5", "rate =5");
    assert_words("rate = # none\nseed=7", "rate= seed=7");
    assert_words("=", "=");
    assert_words("Note = \"Two  words # = x\"\nseed=7", "note=\"Two  words # = x\" seed=7");
    assert_words("note=\"open # \nseed=7", "note=\"open #  seed=7");
}

static void test_marks(void **state)
{
    char utf8[] = "\xef\xbb\xbfrate=5?", little[] = "\xff\xfer\0a", big[] = "\xfe\xff\0r", bare[] = "r\0a\0",
         part[] = "\xef?";
    const char *text;

    (void)state;
    assert_int_equal(config_text(utf8, sizeof utf8 - 2, &text), CONFIG_TEXT);
    assert_string_equal(text, "rate=5");
    assert_int_equal(config_text(part, 1, &text), CONFIG_TEXT);
    assert_string_equal(text, "\xef");
    assert_int_equal(config_text(part, 0, &text), CONFIG_TEXT);
    assert_string_equal(text, "");
    assert_int_equal(config_text(little, sizeof little - 1, &text), CONFIG_UTF16);
    assert_int_equal(config_text(big, sizeof big - 1, &text), CONFIG_UTF16);
    assert_int_equal(config_text(bare, sizeof bare - 1, &text), CONFIG_UTF16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_reads_a_file_in_pieces, make),
        cmocka_unit_test_setup(test_finds_in_any_sector_of_the_root, make),
        cmocka_unit_test_setup(test_says_what_is_absent, make),
        cmocka_unit_test_setup(test_survives_damage, make),
        cmocka_unit_test_setup(test_survives_any_byte, make),
        cmocka_unit_test_setup(test_refuses_other_volumes, make),
        cmocka_unit_test(test_takes_comments_out),
        cmocka_unit_test(test_keys_as_typed),
        cmocka_unit_test(test_marks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
