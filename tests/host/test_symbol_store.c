/* SPDX-License-Identifier: MIT */
/*
 * Separate debug files in each of their places, and which file speaks for a
 * build id: named, in a named folder, beside the program; whole before
 * stripped; never one of another build.
 */
#include "tests/host/listen.h"
#include "tests/host/shell.h"
#include "tools/symbols/symbol_store.h"

#define ID    "0123456789abcdef0123456789abcdef01234567"
#define OTHER "76543210fedcba9876543210fedcba9876543210"

/* In an empty folder: whole, bare (stripped), apart.debug (what was stripped), other (a build). */
static void make(void)
{
    shell("rm -rf .debug .build-id *");
    shell_write("s.s", ".globl _start\n.type _start, @function\n_start: nop\n.size _start, 1\n"
                       ".section .note.GNU-stack,\"\",@progbits\n");
    shell("gcc -nostdlib -static -Wl,--build-id=0x" ID " s.s -o whole &&"
          " gcc -nostdlib -static -Wl,--build-id=0x" OTHER " s.s -o other &&"
          " gcc -nostdlib -static -Wl,--build-id=none s.s -o nameless &&"
          " objcopy --only-keep-debug whole apart.debug && strip -o bare whole");
}

static bool opens(const char *name, const char *folder)
{
    struct debug_places places = {&folder, folder ? 1 : 0, NULL};
    struct symbols s;
    const char *why;
    bool opened = symbols_open_quietly(&s, shell_path(name), &places, &why);

    if (opened) {
        assert_string_equal(s.symbol[0].name, "_start");
        symbols_close(&s);
    } else {
        assert_string_equal(why, "is stripped: it has no symbol table");
    }
    return opened;
}

static void test_debug_by_build(void **state)
{
    (void)state;
    make();
    assert_true(opens("whole", NULL));
    assert_false(opens("bare", shell_folder));
    shell("mkdir -p .build-id/01 && cp other .build-id/01/%s.debug", &ID[2]);
    assert_false(opens("bare", shell_folder)); /* the place is right and the build id is not */
    shell("cp bare .build-id/01/%s.debug", &ID[2]);
    assert_false(opens("bare", shell_folder)); /* it has nothing either */
    shell("mv apart.debug .build-id/01/%s.debug", &ID[2]);
    assert_true(opens("bare", shell_folder));
    assert_false(opens("bare", NULL));
}

static void test_debug_by_link(void **state)
{
    (void)state;
    make();
    shell("objcopy --add-gnu-debuglink=apart.debug bare && mkdir .debug");
    assert_true(opens("bare", NULL));
    shell("mv apart.debug .debug");
    assert_true(opens("bare", NULL));
    shell("mkdir -p root$PWD && mv .debug/apart.debug root$PWD");
    assert_false(opens("bare", NULL));
    assert_true(opens("bare", shell_path("root")));
    shell("cp other apart.debug"); /* another build, at the right place */
    assert_false(opens("bare", NULL));
}

/* Without a build id the checksum decides. */
static void test_debug_by_crc(void **state)
{
    (void)state;
    make();
    shell("objcopy --only-keep-debug nameless n.debug && strip nameless &&"
          " objcopy --add-gnu-debuglink=n.debug nameless");
    assert_true(opens("nameless", NULL));
    shell("printf x >>n.debug");
    assert_false(opens("nameless", NULL));
}

static void check(struct symbol_store *store, const char *build, const char *name)
{
    const struct symbols *found = symbol_store_by_build(store, build);

    if (!name) {
        assert_null(found);
        return;
    }
    assert_non_null(found);
    assert_string_equal(found->path, shell_path(name));
    assert_string_equal(found->build, build);
    assert_ptr_equal(symbol_store_by_build(store, build), found);
}

static void begin(struct symbol_store *store, const char *own)
{
    *store = (struct symbol_store){.own = shell_path(own)};
}

static void test_named(void **state)
{
    struct symbol_store store;

    (void)state;
    make();
    begin(&store, "nowhere");
    assert_null(symbol_store_first(&store));
    assert_true(symbol_store_add(&store, shell_path("other")));
    assert_true(symbol_store_add(&store, shell_path("nameless")));
    assert_true(symbol_store_add(&store, shell_path("whole")));
    check(&store, ID, "whole");
    check(&store, OTHER, "other");
    check(&store, "0123", NULL);
    assert_string_equal(symbol_store_first(&store)->path, shell_path("other"));
    symbol_store_free(&store);
}

static void test_folder(void **state)
{
    struct symbol_store store;
    FILE *before;

    (void)state;
    make();
    shell("mkdir -p deep/tasks deep/no && mv other deep/tasks && mv whole deep && cp bare deep/a &&"
          " echo text >deep/text && mkfifo deep/pipe && head -c 300 deep/whole >deep/cut");
    begin(&store, "nowhere");
    before = listen();
    assert_true(symbol_store_add(&store, shell_path("deep")));
    check(&store, ID, "deep/whole"); /* not deep/a, which comes first and has no symbols */
    check(&store, OTHER, "deep/tasks/other");
    listen_no_more(before);
    assert_string_equal(said, "");
    assert_null(symbol_store_first(&store));
    symbol_store_free(&store);
}

/* The code in one file, the symbols in another: one file for those who ask. */
static void test_joined(void **state)
{
    struct symbol_store store;
    const struct symbols *found;

    (void)state;
    make();
    shell("mkdir a b && mv bare a && mv apart.debug b");
    begin(&store, "nowhere");
    assert_true(symbol_store_add(&store, shell_path("b")));
    check(&store, ID, "b/apart.debug");
    symbol_store_free(&store);
    begin(&store, "nowhere");
    assert_true(symbol_store_add(&store, shell_path("a")));
    check(&store, ID, NULL);
    assert_true(symbol_store_add(&store, shell_path("b")));
    symbol_store_free(&store);
    begin(&store, "b"); /* and in different places */
    assert_true(symbol_store_add(&store, shell_path("a")));
    check(&store, ID, "a/bare");
    found = symbol_store_by_build(&store, ID);
    assert_true(elf_file_has_code(&found->file));
    assert_string_equal(symbols_find(found, found->symbol[0].start)->name, "_start");
    symbol_store_free(&store);
}

static void test_own(void **state)
{
    struct symbol_store store;

    (void)state;
    make();
    shell("mkdir -p own/tasks named && cp whole own && mv other own/tasks && mv whole named");
    begin(&store, "own");
    check(&store, ID, "own/whole");
    check(&store, OTHER, "own/tasks/other");
    symbol_store_free(&store);
    begin(&store, "own");
    assert_true(symbol_store_add(&store, shell_path("named")));
    check(&store, ID, "named/whole"); /* what the user names goes first */
    symbol_store_free(&store);
    begin(&store, "own"); /* a stripped one that the user named gives way to the whole one */
    shell("rm named/whole && mv bare named");
    assert_true(symbol_store_add(&store, shell_path("named")));
    check(&store, ID, "own/whole");
    symbol_store_free(&store);
}

/* The folder of the program that runs, and the system's: whatever is there, no harm. */
static void test_real(void **state)
{
    struct symbol_store store = {0};

    (void)state;
    assert_null(symbol_store_by_build(&store, "00000000000000000000000000000000000000ff"));
    assert_true(store.searched_own);
    symbol_store_free(&store);
}

/* Build ids come from streams, which may be damaged. */
static void test_odd_builds(void **state)
{
    static const char *const odd[] = {"", "0", "01", "../../etc/passwd", "01/../..", "0123 ",
                                      "ABCDEF012345", "0123456789abcdef0123456789abcdef0123456",
                                      "%s%s%n"};
    struct symbol_store store;

    (void)state;
    make();
    begin(&store, "nowhere");
    assert_true(symbol_store_add(&store, shell_path("whole")));
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
        assert_null(symbol_store_by_build(&store, odd[i]));
    symbol_store_free(&store);
}

static void refuse(const char *name, const char *sentence)
{
    struct symbol_store store;
    char want[SHELL_PATH * 2];
    FILE *before = listen();
    bool added;

    begin(&store, "nowhere");
    added = symbol_store_add(&store, shell_path(name));
    listen_no_more(before);
    assert_false(added);
    assert_null(symbol_store_first(&store));
    snprintf(want, sizeof(want), "cpuprobe: %s%s\n", shell_path(name), sentence);
    assert_string_equal(said, want);
    symbol_store_free(&store);
}

static void test_refused(void **state)
{
    (void)state;
    make();
    refuse("none", ": No such file or directory");
    refuse("bare", " is stripped: it has no symbol table");
    refuse("s.s", " is no ELF file");
    shell("head -c 400 whole >cut");
    refuse("cut", " is cut short");
}

/* Damaged symbols are found out when they are asked for; then the next best serves. */
static void test_damaged(void **state)
{
    struct symbol_store store;

    (void)state;
    make();
    shell("mkdir d e && cp whole e && mv whole d/whole && cd d &&"
          " at=$(readelf -SW whole | awk '/SYMTAB/ { print NR - 5 }') &&"
          " off=$(readelf -hW whole | awk '/Start of section headers/ { print $5 }') &&"
          " printf '\\377\\377\\377\\377' | dd of=whole bs=1 seek=$((off + at * 64 + 24))"
          " conv=notrunc 2>/dev/null && readelf -SW whole >/dev/null 2>&1; true");
    begin(&store, "nowhere");
    assert_true(symbol_store_add(&store, shell_path("d")));
    check(&store, ID, NULL);
    symbol_store_free(&store);
    begin(&store, "e");
    assert_true(symbol_store_add(&store, shell_path("d")));
    check(&store, ID, "e/whole");
    symbol_store_free(&store);
}

static int end(void **state)
{
    free(said);
    return shell_end(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_debug_by_build), cmocka_unit_test(test_debug_by_link),
        cmocka_unit_test(test_debug_by_crc),   cmocka_unit_test(test_named),
        cmocka_unit_test(test_folder),         cmocka_unit_test(test_joined),
        cmocka_unit_test(test_own),            cmocka_unit_test(test_real),
        cmocka_unit_test(test_odd_builds),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, shell_begin, end);
}
