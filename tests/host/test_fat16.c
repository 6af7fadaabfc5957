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
#include "boot/disk/fat16.h"

#define FIRST    8u /* sector of the volume */
#define CLUSTER  2u /* sectors */
#define TABLE    (FIRST + 1)
#define TABLE_SECTORS 20u
#define ROOT     (TABLE + 2 * TABLE_SECTORS)
#define DATA     (ROOT + 2)
#define CLUSTERS 4100u
#define SECTORS  (DATA + CLUSTERS * CLUSTER)
#define END_OF_CHAIN 0xffffu

static uint8_t disk[SECTORS][FAT16_SECTOR];
static struct fat16 volume;
static unsigned reads;

static bool read_disk(void *to, uint32_t first, uint32_t count)
{
    reads++;
    if (first >= SECTORS || count > SECTORS - first)
        return false;
    memcpy(to, disk[first], (size_t)count * FAT16_SECTOR);
    return true;
}

static void put16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static void link_to(uint32_t cluster, uint32_t next)
{
    put16(&disk[TABLE][0] + cluster * 2, next);
}

static uint8_t *cluster_at(uint32_t cluster)
{
    return disk[DATA + (cluster - 2) * CLUSTER];
}

static void entry(uint8_t *folder, int index, const char *name, int attributes, uint32_t cluster, uint32_t bytes)
{
    uint8_t *e = folder + index * 32;

    memcpy(e, name, 11);
    e[11] = (uint8_t)attributes;
    put16(e + 26, cluster);
    put16(e + 28, bytes);
    put16(e + 30, bytes >> 16);
}

/* EFI/BOOT/BOOTX64.EFI of 5000 bytes in clusters 5, 6, 9, 7, 8 and CPUPROBE.CFG of 700 in 10. */
static int make(void **state)
{
    static const uint32_t chain[] = {5, 6, 9, 7, 8};
    uint8_t *boot = disk[FIRST];

    (void)state;
    memset(disk, 0, sizeof disk);
    put16(boot + 11, FAT16_SECTOR);
    boot[13] = CLUSTER;
    put16(boot + 14, 1);
    boot[16] = 2;
    put16(boot + 17, 32);
    put16(boot + 19, SECTORS - FIRST);
    put16(boot + 22, TABLE_SECTORS);
    put16(boot + 510, 0xaa55);
    entry(disk[ROOT], 0, "CPUPROBE   ", 0x08, 0, 0);
    entry(disk[ROOT], 1, "Acpuprobe.c", 0x0f, 0, 0);
    entry(disk[ROOT], 2, "\xe5PUPROBECFG", 0x20, 3, 9);
    entry(disk[ROOT], 3, "EFI        ", 0x10, 3, 0);
    entry(disk[ROOT + 1], 0, "CPUPROBECFG", 0x20, 10, 700);
    for (int i = 4; i < 16; i++)
        entry(disk[ROOT], i, "FILL    TXT", 0x20, 0, 0);
    entry(cluster_at(3), 0, "BOOT       ", 0x10, 4, 0);
    entry(cluster_at(4), 0, "BOOTX64 EFI", 0x20, chain[0], 5000);
    for (uint32_t c = 3; c <= 10; c++)
        link_to(c, END_OF_CHAIN);
    for (int i = 0; i < 4; i++)
        link_to(chain[i], chain[i + 1]);
    for (uint32_t i = 0; i < 5; i++)
        memset(cluster_at(chain[i]), 'a' + (int)i, CLUSTER * FAT16_SECTOR);
    memset(cluster_at(10), 'k', CLUSTER * FAT16_SECTOR);
    return 0;
}

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
    char utf8[] = "\xef\xbb\xbfrate=5?", little[] = "\xff\xfer\0a", big[] = "\xfe\xff\0r", bare[] = "r\0a\0", part[] = "\xef?";
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
