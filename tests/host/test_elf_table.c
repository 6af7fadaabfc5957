/* SPDX-License-Identifier: MIT */
/*
 * Compares the reader of symbol tables with elfutils: the same sections, segments, symbols and build ids, of programs
 * of both word lengths and byte orders and of damaged ones; what elfutils takes for no ELF file is refused.
 */
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "tests/host/shell.h"
#include "tools/symbols/elf_table.h"

#define ROUNDS 400

struct both {
    int file;
    uint64_t size;
    Elf *elf; /* NULL: elfutils takes it for none */
    struct elf_table table;
    const char *why;
};

static void open_both(struct both *b, const char *path)
{
    struct stat status;

    b->file = open(path, O_RDONLY);
    assert_true(b->file >= 0);
    assert_int_equal(fstat(b->file, &status), 0);
    b->size = (uint64_t)status.st_size;
    elf_version(EV_CURRENT);
    b->elf = elf_begin(b->file, ELF_C_READ, NULL);
    if (elf_kind(b->elf) != ELF_K_ELF) {
        elf_end(b->elf);
        b->elf = NULL;
    }
    b->why = elf_table_read(&b->table, b->file, b->size);
}

static void close_both(struct both *b)
{
    elf_table_free(&b->table);
    elf_end(b->elf);
    close(b->file);
}

static void same_text(const char *ours, const char *theirs)
{
    if (ours && theirs)
        assert_string_equal(ours, theirs);
    else
        assert_true(!ours == !theirs);
}

static void same_sections(const struct both *b)
{
    size_t count, strings;
    bool named;

    assert_int_equal(elf_getshdrnum(b->elf, &count), 0);
    assert_int_equal(b->table.sections, count);
    named = !elf_getshdrstrndx(b->elf, &strings);
    for (size_t i = 1; i < count; i++) {
        const struct elf_section *const s = &b->table.section[i];
        GElf_Shdr header;

        assert_non_null(gelf_getshdr(elf_getscn(b->elf, i), &header));
        assert_int_equal(s->type, header.sh_type);
        assert_int_equal(s->link, header.sh_link);
        assert_true(s->flags == header.sh_flags && s->address == header.sh_addr && s->offset == header.sh_offset &&
                    s->size == header.sh_size && s->align == header.sh_addralign);
        if (named)
            same_text(elf_table_name(&b->table, s), elf_strptr(b->elf, strings, header.sh_name));
    }
}

static void same_segments(const struct both *b)
{
    size_t count;

    if (elf_getphdrnum(b->elf, &count) || count != b->table.segments)
        return; /* a table that is not whole has no segments for us */
    for (size_t i = 0; i < count; i++) {
        const struct elf_segment *const s = &b->table.segment[i];
        GElf_Phdr header;

        assert_non_null(gelf_getphdr(b->elf, (int)i, &header));
        assert_true(s->type == header.p_type && s->flags == header.p_flags && s->offset == header.p_offset &&
                    s->address == header.p_vaddr && s->bytes == header.p_filesz && s->align == header.p_align);
    }
}

static void same_symbol(const struct both *b, const struct elf_symbol *ours, const GElf_Sym *theirs, size_t strings)
{
    same_text(ours->name, elf_strptr(b->elf, strings, theirs->st_name));
    assert_true(ours->value == theirs->st_value && ours->size == theirs->st_size &&
                ours->type == GELF_ST_TYPE(theirs->st_info) && ours->bind == GELF_ST_BIND(theirs->st_info) &&
                ours->section == theirs->st_shndx);
}

/* How many there are. */
static size_t same_symbols(const struct both *b)
{
    struct elf_symbols symbols;
    const bool has = elf_symbols_read(&symbols, &b->table);
    const size_t count = symbols.count;
    Elf_Scn *section = NULL;
    GElf_Shdr header = {0};
    Elf_Data *data = NULL;

    while ((section = elf_nextscn(b->elf, section)) &&
           (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB))
        ;
    if (section && !(header.sh_flags & SHF_COMPRESSED))
        data = elf_getdata(section, NULL);
    assert_true(!has || data || !section || header.sh_flags & SHF_COMPRESSED || !header.sh_size);
    for (size_t i = 0; data && i < count; i++) {
        const struct elf_symbol ours = elf_symbols_at(&symbols, i);
        GElf_Sym theirs;

        assert_non_null(gelf_getsym(data, (int)i, &theirs));
        same_symbol(b, &ours, &theirs, header.sh_link);
    }
    elf_symbols_free(&symbols);
    return count;
}

static void same_build(const struct both *b)
{
    const void *theirs;
    const ssize_t wanted = dwelf_elf_gnu_build_id(b->elf, &theirs);
    size_t length = 0;
    uint8_t *const ours = elf_table_build(&b->table, &length);

    assert_int_equal(ours ? (ssize_t)length : 0, wanted > 0 ? wanted : 0);
    if (ours)
        assert_memory_equal(ours, theirs, length);
    free(ours);
}

/* Symbols of a file that both can read; 0 where one refuses it. */
static size_t compare(const char *path)
{
    struct both b;
    size_t count = 0;

    open_both(&b, path);
    if (!b.elf)
        assert_non_null(b.why);
    if (b.elf && !b.why) {
        same_sections(&b);
        same_segments(&b);
        count = same_symbols(&b);
        same_build(&b);
    }
    close_both(&b);
    return count;
}

/* Every program that the project has built, this one among them. */
static void test_built(void **state)
{
    char path[SHELL_PATH * 8];
    unsigned files = 0;
    size_t symbols = 0;
    FILE *list = popen("ls build/*.elf build/tasks/*.elf build/*.so build/host/test_elf_table build/cpuprobe "
                       "build/cpuprobe.elf 2>/dev/null", "r");

    (void)state;
    while (fgets(path, sizeof(path), list)) {
        path[strcspn(path, "\n")] = '\0';
        symbols += compare(path);
        files++;
    }
    pclose(list);
    assert_true(files >= 2 && symbols > 1000);
}

static void write_bytes(const char *path, const uint8_t *bytes, size_t length)
{
    FILE *const out = fopen(path, "wb");

    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
}

/* The first bytes, or one of a file's tables of headers, with a few bytes changed; or less of it. */
static void test_damaged(void **state)
{
    uint8_t whole[1 << 16], bytes[sizeof(whole)];
    size_t length;
    FILE *in;

    (void)state;
    shell("printf 'int main(void) { return 0; }\\n' >p.c && "
          "gcc -nostdlib -static -Wl,--build-id -Wl,-e,main p.c -o p");
    in = fopen(shell_path("p"), "rb");
    length = fread(whole, 1, sizeof(whole), in);
    fclose(in);
    assert_true(compare(shell_path("p")) > 3);
    srand(1);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const size_t at = round % 2 ? (size_t)rand() % 0x1c0 : length - 1 - (size_t)rand() % 0x400;

        memcpy(bytes, whole, length);
        bytes[at] ^= (uint8_t)(1 + rand() % 255);
        if (round % 3 == 0)
            bytes[(size_t)rand() % length] = (uint8_t)rand();
        write_bytes(shell_path("d"), bytes, round % 5 ? length : (size_t)rand() % length);
        compare(shell_path("d"));
    }
}

/* A header by hand, of 32 bits with the high byte first: no compiler of a Debian system makes one. */
static void test_high_first(void **state)
{
    static const uint8_t file[] = {
        0x7f, 'E', 'L', 'F', 1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 20, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 52, 0, 0, 0, 0, 0, 52, 0, 32, 0, 0, 0, 40, 0, 3, 0, 0, /* three sections: none, symbols, strings */
        [52 + 40] = 0, 0, 0, 0, 0, 0, 0, SHT_SYMTAB, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 172, 0, 0, 0, 32, 0, 0, 0, 2,
        [52 + 80] = 0, 0, 0, 0, 0, 0, 0, SHT_STRTAB, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 204, 0, 0, 0, 6,
        [172 + 16] = 0, 0, 0, 1, 0x12, 0x34, 0x56, 0x78, 0, 0, 1, 2, 0x12, 0, 0, 1,
        [204] = 0, 'm', 'a', 'i', 'n', 0,
    };
    struct both b;
    struct elf_symbols symbols;
    struct elf_symbol main_symbol;

    (void)state;
    write_bytes(shell_path("high"), file, sizeof(file));
    assert_int_equal(compare(shell_path("high")), 2);
    open_both(&b, shell_path("high"));
    assert_null(b.why);
    assert_true(elf_symbols_read(&symbols, &b.table));
    main_symbol = elf_symbols_at(&symbols, 1);
    assert_string_equal(main_symbol.name, "main");
    assert_int_equal(main_symbol.value, 0x12345678);
    assert_int_equal(main_symbol.size, 0x102);
    assert_int_equal(main_symbol.type, STT_FUNC);
    elf_symbols_free(&symbols);
    close_both(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built), cmocka_unit_test(test_damaged), cmocka_unit_test(test_high_first),
    };
    return cmocka_run_group_tests(tests, shell_begin, shell_end);
}
