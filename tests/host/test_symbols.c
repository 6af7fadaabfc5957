/* SPDX-License-Identifier: MIT */
/*
 * Functions by address, from ELF files that are made here byte by byte: whole,
 * odd, foreign, cut and damaged ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tools/symbols.h"

#define TEXT    0x401000
#define CODE    0x1000 /* bytes of .text */
#define DATA    0x402000
#define KERNEL  0xffffffff80100000
#define SYMBOLS 32

enum { NONE, IN_TEXT, IN_DATA, NOTE, SYMTAB, STRTAB, SECTIONS };

static const uint8_t build[8] = {0x01, 0x23, 0xab, 0xcd, 0xef, 0x00, 0xff, 0x7f};
#define BUILD "0123abcdef00ff7f"

struct file {
    Elf64_Ehdr header;
    Elf64_Phdr note_segment;
    Elf64_Shdr section[SECTIONS];
    struct {
        Elf64_Nhdr head;
        char owner[4];
        uint8_t id[sizeof(build)];
    } note;
    Elf64_Sym symbol[SYMBOLS];
    char strings[512];
};

struct row {
    const char *name;
    uint64_t value, size;
    unsigned char bind, type;
    uint16_t section;
};

#define FUNCTION(name, value, size) {name, value, size, STB_GLOBAL, STT_FUNC, IN_TEXT}
#define LABEL(name, value)          {name, value, 0, STB_LOCAL, STT_NOTYPE, IN_TEXT}

static char path[] = "/tmp/cpuprobe-symbols-XXXXXX";
static char *said; /* what went to standard error */
static size_t said_size;

static Elf64_Shdr section(uint32_t type, uint64_t flags, uint64_t address, size_t offset,
                          size_t size)
{
    return (Elf64_Shdr){.sh_type = type, .sh_flags = flags, .sh_addr = address,
                        .sh_offset = offset, .sh_size = size, .sh_addralign = 4};
}

/* A program with code at `text`, data behind it, and these symbols. */
static struct file make(uint64_t text, const struct row *rows, size_t count)
{
    struct file f = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                               EV_CURRENT},
                   .e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
                   .e_ehsize = sizeof(Elf64_Ehdr), .e_phoff = offsetof(struct file, note_segment),
                   .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1,
                   .e_shoff = offsetof(struct file, section),
                   .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = SECTIONS},
        .note_segment = {.p_type = PT_NOTE, .p_offset = offsetof(struct file, note),
                         .p_filesz = sizeof(f.note), .p_align = 4},
        .note = {{4, sizeof(build), NT_GNU_BUILD_ID}, "GNU", {0}},
    };
    size_t length = 1;

    memcpy(f.note.id, build, sizeof(build));
    f.section[IN_TEXT] = section(SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, text, 0, CODE);
    f.section[IN_DATA] = section(SHT_NOBITS, SHF_ALLOC | SHF_WRITE, text + CODE, 0, CODE);
    f.section[NOTE] = section(SHT_NOTE, 0, 0, offsetof(struct file, note), sizeof(f.note));
    f.section[SYMTAB] = section(SHT_SYMTAB, 0, 0, offsetof(struct file, symbol),
                                (count + 1) * sizeof(Elf64_Sym));
    f.section[SYMTAB].sh_link = STRTAB;
    f.section[SYMTAB].sh_entsize = sizeof(Elf64_Sym);
    f.section[STRTAB] = section(SHT_STRTAB, 0, 0, offsetof(struct file, strings),
                                sizeof(f.strings));
    for (size_t i = 0; i < count; i++) {
        f.symbol[i + 1] = (Elf64_Sym){
            .st_name = (uint32_t)length,
            .st_info = ELF64_ST_INFO(rows[i].bind, rows[i].type),
            .st_shndx = rows[i].section,
            .st_value = rows[i].value,
            .st_size = rows[i].size,
        };
        strcpy(f.strings + length, rows[i].name);
        length += strlen(rows[i].name) + 1;
    }
    return f;
}

static void write_file(const void *bytes, size_t length)
{
    FILE *out = fopen(path, "wb");

    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
}

static void open_rows(struct symbols *s, uint64_t text, const struct row *rows, size_t count)
{
    struct file f = make(text, rows, count);

    write_file(&f, sizeof(f));
    assert_true(symbols_open(s, path));
}

#define OPEN(s, rows) open_rows(s, TEXT, rows, sizeof(rows) / sizeof((rows)[0]))

/* `want` is name+0x12, or NULL. */
static void check(const struct symbols *s, uint64_t address, const char *want)
{
    struct symbol_set set = {(struct symbols *)s, 1};
    char *name = symbol_set_name(&set, address);

    if (want)
        assert_string_equal(name ? name : "unknown", want);
    else
        assert_null(name);
    free(name);
}

static void test_sized(void **state)
{
    static const struct row rows[] = {
        FUNCTION("second", TEXT + 0x40, 0x20),
        FUNCTION("first", TEXT, 0x30),
        {"helper", TEXT + 0x80, 1, STB_LOCAL, STT_FUNC, IN_TEXT},
    };
    struct symbols s;

    (void)state;
    OPEN(&s, rows);
    assert_int_equal(s.count, 3);
    check(&s, TEXT, "first+0x0");
    check(&s, TEXT + 0x12, "first+0x12");
    check(&s, TEXT + 0x2f, "first+0x2f");
    check(&s, TEXT + 0x30, NULL);
    check(&s, TEXT + 0x5f, "second+0x1f");
    check(&s, TEXT + 0x80, "helper+0x0");
    check(&s, TEXT + 0x81, NULL);
    check(&s, TEXT - 1, NULL);
    check(&s, 0, NULL);
    check(&s, UINT64_MAX, NULL);
    assert_false(symbols_is_kernel(&s));
    symbols_close(&s);
}

/* Labels of assembly reach to the next one; local ones and marks are none. */
static void test_labels(void **state)
{
    static const struct row rows[] = {
        LABEL("entry", TEXT + 0x10),
        LABEL("entry.loop", TEXT + 0x18),
        LABEL("..@12.begin", TEXT + 0x1a),
        LABEL(".L4", TEXT + 0x1c),
        LABEL("next", TEXT + 0x20),
        FUNCTION("sized", TEXT + 0x40, 0x20),
        LABEL("restart", TEXT + 0x50), /* marks a place within it */
        LABEL("last", TEXT + 0x80),
        LABEL("text_end", TEXT + CODE),
    };
    struct symbols s;

    (void)state;
    OPEN(&s, rows);
    assert_int_equal(s.count, 4);
    check(&s, TEXT + 0x0f, NULL);
    check(&s, TEXT + 0x1f, "entry+0xf");
    check(&s, TEXT + 0x3f, "next+0x1f");
    check(&s, TEXT + 0x50, "sized+0x10");
    check(&s, TEXT + 0x60, NULL);
    check(&s, TEXT + CODE - 1, "last+0xf7f");
    check(&s, TEXT + CODE, NULL);
    symbols_close(&s);
}

static void test_names(void **state)
{
    static const struct row rows[] = {
        LABEL("re|sp", TEXT),
        LABEL("c$mul", TEXT + 0x10),
        FUNCTION("search.constprop.0", TEXT + 0x20, 0x10),
        FUNCTION("hello.cold", TEXT + 0x30, 0x10),
        FUNCTION("_ZN3foo3barEv", TEXT + 0x40, 0x10),
    };
    struct symbols s;

    (void)state;
    OPEN(&s, rows);
    check(&s, TEXT + 0x2, "re|sp+0x2");
    check(&s, TEXT + 0x10, "c$mul+0x0");
    check(&s, TEXT + 0x21, "search.constprop.0+0x1");
    check(&s, TEXT + 0x31, "hello.cold+0x1");
    check(&s, TEXT + 0x41, "_ZN3foo3barEv+0x1");
    symbols_close(&s);
}

/* What is no code of the program has no name. */
static void test_no_functions(void **state)
{
    static const struct row rows[] = {
        FUNCTION("code", TEXT, 0x10),
        {"variable", DATA, 8, STB_GLOBAL, STT_OBJECT, IN_DATA},
        {"table", TEXT + 0x20, 8, STB_GLOBAL, STT_OBJECT, IN_TEXT},
        {"bss_start", DATA, 0, STB_GLOBAL, STT_NOTYPE, IN_DATA},
        {"CONSTANT", TEXT + 0x30, 0, STB_LOCAL, STT_NOTYPE, SHN_ABS},
        {"elsewhere", TEXT + 0x40, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF},
        {"file.c", TEXT + 0x50, 0, STB_LOCAL, STT_FILE, SHN_ABS},
        {"no_section", TEXT + 0x60, 4, STB_GLOBAL, STT_FUNC, 77},
        {"outside", TEXT - 8, 4, STB_GLOBAL, STT_FUNC, IN_TEXT},
        {"", TEXT + 0x70, 4, STB_GLOBAL, STT_FUNC, IN_TEXT},
    };
    struct symbols s;

    (void)state;
    OPEN(&s, rows);
    assert_int_equal(s.count, 1);
    check(&s, TEXT + 8, "code+0x8");
    for (uint64_t at = TEXT + 0x10; at < DATA + 0x10; at += 8)
        check(&s, at, NULL);
    symbols_close(&s);
}

/* Functions in functions, two names of one address, sizes past every end. */
static void test_overlaps(void **state)
{
    static const struct row rows[] = {
        FUNCTION("outer", TEXT, 0x100),
        FUNCTION("inner", TEXT + 0x20, 0x20),
        FUNCTION("innermost", TEXT + 0x28, 8),
        FUNCTION("later", TEXT + 0xf0, 0x20),
        LABEL("alias", TEXT + 0x200),
        {"weak", TEXT + 0x200, 0x10, STB_WEAK, STT_FUNC, IN_TEXT},
        FUNCTION("global", TEXT + 0x200, 0x10),
        FUNCTION("endless", TEXT + 0x800, UINT64_MAX),
    };
    struct symbols s;

    (void)state;
    OPEN(&s, rows);
    check(&s, TEXT + 0x1f, "outer+0x1f");
    check(&s, TEXT + 0x27, "inner+0x7");
    check(&s, TEXT + 0x28, "innermost+0x0");
    check(&s, TEXT + 0x30, "inner+0x10");
    check(&s, TEXT + 0x40, "outer+0x40");
    check(&s, TEXT + 0xf8, "later+0x8");
    check(&s, TEXT + 0x10f, "later+0x1f");
    check(&s, TEXT + 0x110, NULL);
    check(&s, TEXT + 0x200, "global+0x0");
    check(&s, TEXT + CODE - 1, "endless+0x7ff");
    check(&s, TEXT + CODE, NULL);
    symbols_close(&s);
}

/* Each address of a crowded file, against a search from end to end. */
static void test_every_address(void **state)
{
    struct row rows[SYMBOLS - 1];
    struct symbols s;

    (void)state;
    for (unsigned i = 0; i < SYMBOLS - 1; i++)
        rows[i] = (struct row)FUNCTION("f", TEXT + i * 37 % 31 * 64, 16 + i * 29 % 150);
    OPEN(&s, rows);
    for (uint64_t at = TEXT - 4; at < TEXT + CODE; at++) {
        const struct symbol *found = symbols_find(&s, at), *want = NULL;

        for (size_t i = 0; i < s.count; i++)
            if (s.symbol[i].start <= at && at < s.symbol[i].end)
                want = &s.symbol[i]; /* by address: the last one is the innermost */
        assert_ptr_equal(found, want);
    }
    symbols_close(&s);
}

static const struct row two_rows[] = {FUNCTION("main", TEXT, 0x40), LABEL("re|sp", TEXT + 0x40)};

/* Take what is said on standard error instead of printing it. */
static FILE *listen(void)
{
    FILE *before = stderr;

    free(said);
    stderr = open_memstream(&said, &said_size);
    return before;
}

static void listen_no_more(FILE *before)
{
    fclose(stderr);
    stderr = before;
}

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
    const struct file whole = make(TEXT, two_rows, 2);
    struct file f = whole;

    (void)state;
    assert_true(try_open(&whole, sizeof(whole)));
    refuse("", 0, "is no ELF file");
    refuse("cpuprobe: starting\r\n", 20, "is no ELF file");
    f.header.e_ident[EI_CLASS] = ELFCLASS32;
    refuse(&f, sizeof(f), "is a 32-bit ELF file; the image runs 64-bit code");
    f = whole;
    f.header.e_machine = EM_AARCH64;
    refuse(&f, sizeof(f), "is an ELF file for another CPU than x86-64");
    f = whole;
    f.header.e_type = ET_REL;
    refuse(&f, sizeof(f), "is not linked, so that its addresses are not those of a program");
    f = whole;
    f.section[SYMTAB].sh_type = SHT_PROGBITS;
    refuse(&f, sizeof(f), "is stripped: it has no symbol table");
    f = whole;
    f.section[SYMTAB].sh_size = 1 << 20;
    refuse(&f, sizeof(f), "is damaged: its symbol table cannot be read");
    f = whole;
    f.section[SYMTAB].sh_size = sizeof(Elf64_Sym);
    refuse(&f, sizeof(f), "names no function: its symbol table holds other things only");
    refuse(&whole, 40, "is cut short");
    refuse(&whole, offsetof(struct file, section[2]), "is cut short");
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
    struct file f = make(TEXT, two_rows, 2);
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

static void test_annotate(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"rip 0x401012, rsp", "rip 0x401012 <main+0x12>, rsp"},
        {"0x0000000000401041", "0x0000000000401041 <re|sp+0x1>"},
        {"(0x401000)(0x401040)", "(0x401000 <main+0x0>)(0x401040 <re|sp+0x0>)"},
        {"0x402000 0xffffffff80100000", "0x402000 0xffffffff80100000"},
        {"0x12 0x 0 x401000 401000 0x0x401000", "0x12 0x 0 x401000 401000 0x0x401000 <main+0x0>"},
        {"0x00000000000401000", "0x00000000000401000"}, /* 17 digits */
        {"0xffffffffffffffffffffffff401000", "0xffffffffffffffffffffffff401000"},
        {"", ""},
    };
    struct symbol_set set = {0};

    (void)state;
    write_file(&(struct file[]){make(TEXT, two_rows, 2)}, sizeof(struct file));
    assert_true(symbol_set_add(&set, path));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        size_t size;
        char *text = symbol_set_annotate(&set, rows[i].text, strlen(rows[i].text), &size);

        assert_string_equal(text, rows[i].want);
        assert_int_equal(size, strlen(rows[i].want));
        free(text);
    }
    symbol_set_free(&set);
}

/* Two tasks' programs at the same addresses, and the kernel at its own. */
static void test_several(void **state)
{
    static const struct row other[] = {FUNCTION("spin", TEXT + 0x10, 0x10)};
    static const struct row kernel[] = {FUNCTION("kernel_main", KERNEL, 0x100)};
    struct symbol_set set = {0};
    char *name;

    (void)state;
    write_file(&(struct file[]){make(TEXT, two_rows, 2)}, sizeof(struct file));
    assert_true(symbol_set_add(&set, path));
    unlink(path); /* an open file stays as it was */
    write_file(&(struct file[]){make(TEXT, other, 1)}, sizeof(struct file));
    assert_true(symbol_set_add(&set, path));
    unlink(path);
    write_file(&(struct file[]){make(KERNEL, kernel, 1)}, sizeof(struct file));
    assert_true(symbol_set_add(&set, path));
    assert_true(symbols_is_kernel(&set.file[2]));
    name = symbol_set_name(&set, TEXT + 0x12);
    assert_string_equal(name, "main+0x12 or spin+0x2");
    free(name);
    name = symbol_set_name(&set, KERNEL + 0xff);
    assert_string_equal(name, "kernel_main+0xff");
    free(name);
    assert_null(symbol_set_name(&set, KERNEL + 0x100));
    symbol_set_free(&set);
}

/* What is said of the file at `path`, were the image of build id `id` the one that ran. */
static void compare_build(const struct file *f, const char *id, const char *want)
{
    struct symbol_set set = {0};
    FILE *before;

    write_file(f, sizeof(*f));
    assert_true(symbol_set_add(&set, path));
    before = listen();
    symbol_set_compare(&set, id);
    listen_no_more(before);
    if (want)
        assert_non_null(strstr(said, want));
    else
        assert_string_equal(said, "");
    symbol_set_free(&set);
}

static void test_build(void **state)
{
    static const struct row rows[] = {FUNCTION("kernel_main", KERNEL, 0x100)};
    const struct file task = make(TEXT, two_rows, 2);
    struct file kernel = make(KERNEL, rows, 1);

    (void)state;
    compare_build(&kernel, BUILD, NULL);
    compare_build(&kernel, "0123abcd", "is not the image that ran: its build id, " BUILD ",");
    compare_build(&kernel, "", "is not the image that ran");
    compare_build(&task, "0123abcd", NULL);
    kernel.note.head.n_type = 0;
    compare_build(&kernel, BUILD, "has no build id");
}

static int begin(void **state)
{
    int file = mkstemp(path);

    (void)state;
    return file < 0 ? -1 : close(file);
}

static int end(void **state)
{
    (void)state;
    free(said);
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sized),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_no_functions),
        cmocka_unit_test(test_overlaps),
        cmocka_unit_test(test_every_address),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_annotate),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_build),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
