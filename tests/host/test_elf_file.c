/* SPDX-License-Identifier: MIT */
/*
 * Whole, foreign, cut and damaged ELF files: an index or a sentence, never harm.
 */
#include <sys/stat.h>

#include "tests/host/elf.h"
#include "tests/host/listen.h"
#include "tools/symbols/symbols.h"

static bool try_open(const void *bytes, size_t length)
{
    struct symbols s;
    FILE *before;
    bool well;

    write_file(bytes, length);
    before = listen();
    well = symbols_open(&s, path);
    listen_no_more(before);
    if (well) {
        for (uint64_t at = TEXT - 8; at < TEXT + CODE; at += 8)
            symbols_find(&s, at);
        symbols_close(&s);
    }
    return well;
}

static void refuse(const void *bytes, size_t length, const char *sentence)
{
    char want[200];

    assert_false(try_open(bytes, length));
    snprintf(want, sizeof(want), "cpuprobe: %s %s\n", path, sentence);
    assert_string_equal(said, want);
}

static void test_refused(void **state)
{
    const struct file whole = make(TEXT, TWO_ROWS, 2);
    struct file f = whole;

    (void)state;
    assert_true(try_open(&whole, sizeof(whole)));
    refuse("", 0, "is no ELF file");
    refuse("cpuprobe: starting\r\n", 20, "is no ELF file");
    f.header.e_machine = EM_AARCH64;
    assert_true(try_open(&f, sizeof(f)));
    f = whole;
    f.header.e_type = ET_REL;
    refuse(&f, sizeof(f), "is not linked: its addresses are not those of a program");
    f = whole;
    f.section[SYMTAB].sh_type = SHT_PROGBITS;
    refuse(&f, sizeof(f), "is stripped: it has no symbol table");
    f = whole;
    f.section[SYMTAB].sh_size = 1 << 20;
    refuse(&f, sizeof(f), "is damaged: its symbol table cannot be read");
    f = whole;
    f.section[SYMTAB].sh_size = sizeof(Elf64_Sym);
    refuse(&f, sizeof(f), "has no function in its symbol table");
    refuse(&whole, 40, "is cut short");
    refuse(&whole, offsetof(struct file, section[2]), "is cut short");
}

/* A symbol table of a gigabyte that takes no room on the disk is not read. */
static void test_hole(void **state)
{
    struct file f = make(TEXT, TWO_ROWS, 2);
    struct symbols s;
    FILE *before;
    bool well;

    (void)state;
    f.section[SYMTAB].sh_offset = 1 << 20;
    f.section[SYMTAB].sh_size = (uint64_t)sizeof(Elf64_Sym) << 25;
    write_file(&f, sizeof(f));
    assert_int_equal(truncate(path, (1 << 20) + ((off_t)sizeof(Elf64_Sym) << 25)), 0);
    before = listen();
    well = symbols_open(&s, path);
    listen_no_more(before);
    assert_false(well);
    assert_non_null(strstr(said, "has holes in its sections, which no linker makes"));
}

static void test_missing(void **state)
{
    struct symbols s;
    FILE *before = listen();
    bool well = symbols_open(&s, "/no/such/file");

    (void)state;
    listen_no_more(before);
    assert_false(well);
    assert_string_equal(said, "cpuprobe: /no/such/file: No such file or directory\n");
}

/* Cut at each byte, and with each byte spoiled: a sentence or an index, never harm. */
static void test_damaged(void **state)
{
    static const uint8_t spoils[] = {0x01, 0x80, 0xff};
    struct file f = make(TEXT, TWO_ROWS, 2);
    uint8_t *bytes = (uint8_t *)&f;

    (void)state;
    for (size_t length = 0; length < offsetof(struct file, note); length++)
        assert_false(try_open(&f, length));
    for (size_t i = 0; i < offsetof(struct file, symbol[3]); i++)
        for (size_t k = 0; k < sizeof(spoils); k++) {
            bytes[i] ^= spoils[k];
            if (!try_open(&f, sizeof(f)))
                assert_non_null(strstr(said, path));
            bytes[i] ^= spoils[k];
        }
}

/* Nothing waits for what another program may write some day. */
static void test_pipe(void **state)
{
    struct symbols s;
    FILE *before;
    bool well;

    (void)state;
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    before = listen();
    well = symbols_open(&s, path);
    listen_no_more(before);
    assert_false(well);
    assert_non_null(strstr(said, "is no ELF file"));
    unlink(path);
    write_file("", 0);
}

static int quiet(void **state)
{
    free(said);
    return end(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_hole), cmocka_unit_test(test_missing),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_pipe),
    };
    return cmocka_run_group_tests(tests, begin, quiet);
}
