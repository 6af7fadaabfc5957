/* SPDX-License-Identifier: MIT */
/*
 * Source lines and inlined functions against binutils' addr2line, at each
 * address of programs in C, C++ and assembly and of the image; damaged DWARF.
 */
#include <inttypes.h>
#include <sys/stat.h>

#include "tests/host/shell.h"
#include "tools/symbols/line_table.h"
#include "tools/symbols/symbols.h"

#define NAMES 64
#define LINE  8192

/* What addr2line -a -f -i -C says of one address: the innermost function first. */
struct reply {
    uint64_t address;
    char name[NAMES][LINE];
    size_t names;
    char where[LINE]; /* of the innermost */
};

/* The next block of the text; its first line is in `head`, that of the next one goes there. */
static bool read_answer(FILE *text, char *head, struct reply *a)
{
    char line[LINE];
    bool where = false;

    if (!*head && !fgets(head, LINE, text))
        return false;
    a->address = strtoull(head, NULL, 16);
    a->names = 0;
    *head = '\0';
    while (fgets(line, sizeof(line), text)) {
        line[strcspn(line, "\n")] = '\0';
        if (!where && !strncmp(line, "0x", 2)) {
            strcpy(head, line);
            break;
        }
        if (!where && a->names < NAMES)
            strcpy(a->name[a->names++], line);
        else if (a->names == 1)
            strcpy(a->where, line); /* behind it may stand "(discriminator 4)" */
        where = !where;
    }
    return true;
}

/*
 * Line numbers only: binutils 2.40 mistakes the first file of DWARF 5 tables.
 * compare_rows() knows the files.
 */
static bool same_lines(const struct line_table *index, const struct reply *a)
{
    const char *where = strrchr(a->where, ':') + 1, *file;
    unsigned line;

    /* Without DWARF addr2line falls back on the symbol table's names of files. */
    if (!line_table_find(index, a->address, &file, &line))
        return *where == '?';
    return strtoul(where, NULL, 10) == line; /* "?" for 0 */
}

static bool same_names(const struct line_table *index, const struct reply *a)
{
    const char *names[NAMES];
    size_t count = line_table_inlined(index, a->address, names, NAMES);

    if (count + 1 != a->names)
        return false;
    /* Where the innermost has no linkage name addr2line falls back on the table of symbols. */
    for (size_t i = count && !strcmp(a->name[0], a->name[count]); i < count; i++)
        if (strcmp(names[i], a->name[i]))
            return false;
    return true;
}

static void fail_at(const char *path, const struct line_table *index, const struct reply *a)
{
    const char *names[NAMES], *file = "??";
    unsigned line = 0;
    size_t count = line_table_inlined(index, a->address, names, NAMES);

    line_table_find(index, a->address, &file, &line);
    fail_msg("%s: %" PRIx64 ": %s:%u, %zu inlined, first %s; addr2line: %s, %zu, %s", path,
             a->address, file, line, count, count ? names[0] : "", a->where, a->names - 1,
             a->name[0]);
}

/* Every `step`th address of all functions of the file; the result: how many. */
static size_t compare(const char *path, uint64_t step, unsigned deepest)
{
    static struct reply a;
    static char head[LINE];
    struct symbols s;
    struct line_table *index;
    FILE *text;
    size_t compared = 0, deep = 0;

    assert_true(symbols_open(&s, path));
    index = line_table_open(&s);
    assert_non_null(index);
    text = fopen(shell_path("addresses"), "w");
    for (size_t i = 0; i < s.count; i++)
        for (uint64_t at = s.symbol[i].start; at < s.symbol[i].end; at += step)
            fprintf(text, "%" PRIx64 "\n", at);
    fclose(text);
    shell("addr2line -a -f -i -C -e %s <addresses >answers", s.debug.open ? "whole" : path);
    text = fopen(shell_path("answers"), "r");
    for (*head = '\0'; read_answer(text, head, &a); compared++) {
        if (!same_lines(index, &a) || !same_names(index, &a))
            fail_at(path, index, &a);
        deep = a.names > deep ? a.names : deep;
    }
    fclose(text);
    line_table_close(index);
    symbols_close(&s);
    assert_true(deep >= deepest);
    return compared;
}

/* readelf's rows, "name line address", the last of each address: these know the files for sure. */
static size_t compare_rows(const char *path)
{
    char name[LINE], before[LINE] = "", text[LINE];
    unsigned number, number_before = 0;
    uint64_t at, at_before = 0;
    struct line_table *index;
    struct symbols s;
    size_t compared = 0;
    FILE *rows;

    shell("readelf --debug-dump=decodedline -W %s 2>/dev/null | awk '$3 ~ /^0x/ && $2 ~ /^[0-9-]/ "
          "{ print $1, $2 + 0, $3 }' | LC_ALL=C sort -s -k3,3 >rows", path);
    assert_true(symbols_open(&s, path));
    index = line_table_open(&s);
    rows = fopen(shell_path("rows"), "r");
    while (fgets(text, sizeof(text), rows) &&
           sscanf(text, "%s %u %" SCNx64, name, &number, &at) == 3) {
        const char *file;
        unsigned line;

        if (number_before && at != at_before) { /* 0: the end of a sequence, which has no code */
            assert_true(line_table_find(index, at_before, &file, &line));
            assert_string_equal(basename(file), basename(before));
            assert_int_equal(line, number_before);
            compared++;
        }
        strcpy(before, name);
        number_before = number;
        at_before = at;
    }
    fclose(rows);
    line_table_close(index);
    symbols_close(&s);
    return compared;
}

static const char inlining[] =
    "static volatile int sink;\n"
    "static inline __attribute__((always_inline)) void leaf(int x)\n"
    "{ sink = x * 3; sink = x + sink; }\n"
    "static inline __attribute__((always_inline)) void middle(int x)\n"
    "{ leaf(x); for (int i = 0; i < x; i++) { int y = i * x; leaf(y); } leaf(x + 1); }\n"
    "__attribute__((noinline)) void outer(int x)\n"
    "{ if (x > 3) middle(x); else { sink = 2; } leaf(9); }\n"
    "void _start(void) { outer(sink); middle(sink); __builtin_trap(); }\n";

static void test_inlined(void **state)
{
    static const char *const flags[] = {"-gdwarf-5", "-gdwarf-4", "-gdwarf-3", "-gdwarf-2",
                                        "-gdwarf-4 -fdebug-types-section", "-g -gz", "-g -flto"};

    (void)state;
    shell_write("i.c", inlining);
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        shell("gcc -O2 %s -nostdlib -static i.c -o inlined", flags[i]);
        assert_true(compare(shell_path("inlined"), 1, 3) > 60);
        assert_true(compare_rows(shell_path("inlined")) > 10);
    }
}

/* The names and their order, without an oracle. */
static void test_order(void **state)
{
    const char *names[NAMES], *file;
    struct line_table *index;
    struct symbols s;
    unsigned line;
    bool seen = false;

    (void)state;
    shell_write("i.c", inlining);
    shell("gcc -O2 -g -nostdlib -static i.c -o order");
    assert_true(symbols_open(&s, shell_path("order")));
    index = line_table_open(&s);
    for (uint64_t at = s.symbol[0].start; at < s.symbol[s.count - 1].end; at++)
        if (line_table_inlined(index, at, names, NAMES) == 2) {
            assert_string_equal(names[0], "leaf");
            assert_string_equal(names[1], "middle");
            assert_int_equal(line_table_inlined(index, at, names, 1), 1);
            assert_int_equal(line_table_inlined(index, at, NULL, 0), 0);
            assert_true(line_table_find(index, at, &file, &line));
            assert_non_null(strstr(file, "/i.c"));
            assert_int_equal(line, 3);
            seen = true;
        }
    assert_true(seen);
    file = NULL;
    assert_false(line_table_find(index, 0, &file, &line));
    assert_false(line_table_find(index, UINT64_MAX, &file, &line));
    assert_null(file);
    assert_int_equal(line_table_inlined(index, 0, names, NAMES), 0);
    line_table_close(index);
    symbols_close(&s);
}

static void test_cpp(void **state)
{
    (void)state;
    shell_write("c.cpp", "#include <algorithm>\n#include <string>\n#include <vector>\n"
                         "int main(int argc, char **argv) {\n"
                         "std::vector<std::string> v(argv, argv + argc);\n"
                         "std::sort(v.begin(), v.end(), [](auto &a, auto &b) { return a > b; });\n"
                         "return (int)v[0].size(); }\n");
    shell("g++ -O2 -g -no-pie c.cpp -o cpp");
    assert_true(compare(shell_path("cpp"), 1, 6) > 1000);
    assert_true(compare_rows(shell_path("cpp")) > 100);
}

static void test_nasm(void **state)
{
    static const char source[] = "section .text\nglobal _start\n_start: mov eax, 1\n"
                                 "again: dec rax\n jnz again\n ret\n";

    (void)state;
    shell_write("n.asm", source);
    shell("nasm -f elf64 -g -F dwarf n.asm -o n.o && ld n.o -o nasm");
    assert_true(compare(shell_path("nasm"), 1, 1) >= 10);
    assert_int_equal(compare_rows(shell_path("nasm")), 4);
}

/* Lines come from the separate debug file where the program has none. */
static void test_separate(void **state)
{
    (void)state;
    shell_write("i.c", inlining);
    shell("gcc -O2 -g -nostdlib -static i.c -o whole && objcopy --only-keep-debug whole d.debug &&"
          " strip -o bare whole && objcopy --add-gnu-debuglink=d.debug bare &&"
          " strip -g -o named whole && objcopy --add-gnu-debuglink=d.debug named");
    assert_true(compare(shell_path("bare"), 1, 3) > 60);
    assert_true(compare(shell_path("named"), 1, 3) > 60);
    assert_true(compare(shell_path("d.debug"), 1, 3) > 60);
}

static void test_none(void **state)
{
    struct symbols s;

    (void)state;
    shell_write("i.c", inlining);
    shell("gcc -O2 -nostdlib -static i.c -o none");
    assert_true(symbols_open(&s, shell_path("none")));
    assert_null(line_table_open(&s));
    line_table_close(NULL);
    symbols_close(&s);
}

/* Link-time optimised, and of C and assembly; each task too. */
static void test_image(void **state)
{
    static const char *const files[] = {"build/cpuprobe.elf", "build/tasks/rogue.elf",
                                        "build/tasks/culprit.elf"};
    static const uint64_t steps[] = {3, 1, 1};
    size_t compared = 0;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        char *path = realpath(files[i], NULL);

        if (path) {
            compared += compare(path, steps[i], 1);
            compare_rows(path);
        }
        free(path);
    }
    if (!compared)
        skip();
}

static void ask_all(const char *path)
{
    const char *names[NAMES], *file;
    struct symbols s;
    const char *why;
    struct line_table *index;
    unsigned line;

    if (!symbols_open_quietly(&s, path, NULL, &why))
        return;
    index = line_table_open(&s);
    for (uint64_t at = s.symbol[0].start; index && at < s.symbol[s.count - 1].end; at++) {
        line_table_find(index, at, &file, &line);
        line_table_inlined(index, at, names, NAMES);
    }
    line_table_close(index);
    symbols_close(&s);
}

/* Bytes of the DWARF spoiled, at random and in turn: an answer or none, never harm. */
static void test_damaged(void **state)
{
    unsigned seed = 1;
    struct stat status;
    uint8_t *bytes;
    FILE *file;

    (void)state;
    shell_write("i.c", inlining);
    shell("gcc -O2 -g -nostdlib -static i.c -o fine");
    assert_int_equal(stat(shell_path("fine"), &status), 0);
    bytes = malloc((size_t)status.st_size);
    for (unsigned round = 0; round < 3000; round++) {
        file = fopen(shell_path("fine"), "rb");
        assert_int_equal(fread(bytes, 1, (size_t)status.st_size, file), status.st_size);
        fclose(file);
        for (unsigned i = 0; i <= round % 8; i++) /* not the headers: test_elf_file does that */
            bytes[0x1000 + (unsigned)rand_r(&seed) % ((unsigned)status.st_size - 0x1000 - 0x600)] =
                (uint8_t)rand_r(&seed);
        file = fopen(shell_path("spoiled"), "wb");
        fwrite(bytes, 1, (size_t)status.st_size, file);
        fclose(file);
        ask_all(shell_path("spoiled"));
    }
    free(bytes);
}

/* Each section of the DWARF cut to any length. */
static void test_truncated(void **state)
{
    static const char *const sections[] = {"info", "abbrev", "line", "str", "line_str",
                                           "rnglists", "aranges"};

    (void)state;
    shell_write("i.c", inlining);
    shell("gcc -O2 -g -nostdlib -static i.c -o fine");
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
        for (unsigned length = 0; length < 100; length += 1 + length / 3) {
            shell("objcopy -O binary -j .debug_%s --set-section-flags .debug_%s=alloc fine part &&"
                  " head -c %u part >cut && objcopy --update-section .debug_%s=cut fine spoiled"
                  " 2>/dev/null",
                  sections[i], sections[i], length, sections[i]);
            ask_all(shell_path("spoiled"));
        }
}

/* Assembler's DWARF 4: a tag's entry has a name, an address pair, a sibling and an origin. */
static const char hostile[] =
    ".globl _start\n.type _start, @function\n_start: .skip 64, 0x90\n.size _start, 64\n"
    ".section .debug_abbrev\n"
    ".uleb128 1, 0x11\n.byte 1\n.uleb128 0x11, 1, 0x12, 7, 0, 0\n"                /* unit */
    ".uleb128 2, 0x1d\n.byte 1\n.uleb128 0x11, 1, 0x12, 7, 0x31, 0x13, 1, 0x13, 0, 0\n" /* copy */
    ".uleb128 0\n"
    ".section .debug_info\n"
    "unit: .long over - from\nfrom: .short 4\n.long 0\n.byte 8\n"
    ".uleb128 1\n.quad _start, 64\n"
    "%s"
    ".byte 0\nover:\n.section .note.GNU-stack,\"\",@progbits\n";

#define ENTRY(sibling) ".uleb128 2\n.quad _start, 64\n.long 1b - unit, " sibling "\n"

static void refuse_hostile(const char *entries)
{
    static char source[8000];

    snprintf(source, sizeof(source), hostile, entries);
    shell_write("h.s", source);
    shell("gcc -nostdlib -static -no-pie h.s -o hostile");
    alarm(20); /* where it does not end, the test does */
    ask_all(shell_path("hostile"));
    alarm(0);
}

/* Siblings that lead back, or into the entry itself; origins in a circle; nests without end. */
static void test_loops(void **state)
{
    (void)state;
    refuse_hostile("1: " ENTRY("1b - unit") ".byte 0\n");
    refuse_hostile("1: " ENTRY("1b - unit + 25") ".byte 0\n");
    refuse_hostile("1: .rept 60\n" ENTRY("9f - unit\n9:") ".endr\n.skip 60\n");
    refuse_hostile("1: .rept 100000\n" ENTRY("1b - unit") ".endr\n.skip 100000\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inlined),  cmocka_unit_test(test_order),
        cmocka_unit_test(test_cpp),      cmocka_unit_test(test_nasm),
        cmocka_unit_test(test_separate), cmocka_unit_test(test_none),
        cmocka_unit_test(test_image),    cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_truncated), cmocka_unit_test(test_loops),
    };
    return cmocka_run_group_tests(tests, shell_begin, shell_end);
}
