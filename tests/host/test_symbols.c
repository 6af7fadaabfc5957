/* SPDX-License-Identifier: MIT */
/*
 * Functions by address and by name, in files of every odd kind of symbol.
 */
#include "tests/host/elf.h"
#include "tools/symbols/symbols.h"

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

/* A program that was loaded elsewhere, back, and where no program can be. */
static void test_moved(void **state)
{
    static const struct row rows[] = {FUNCTION("first", TEXT, 0x30)};
    struct symbols s;

    (void)state;
    OPEN(&s, rows);
    assert_true(symbols_move(&s, 0x555555554000));
    check(&s, TEXT, NULL);
    check(&s, TEXT + 0x555555554012, "first+0x12");
    assert_false(symbols_move(&s, UINT64_MAX - TEXT));
    assert_false(symbols_move(&s, INT64_MAX));
    check(&s, TEXT + 0x555555554012, "first+0x12");
    assert_true(symbols_move(&s, 0));
    check(&s, TEXT + 0x12, "first+0x12");
    symbols_close(&s);
}

/* What people read: the names of C++ and Rust decoded, all others as they are. */
static void test_shown(void **state)
{
    static const struct {
        const char *name, *shown;
    } rows[] = {
        {"re|sp", "re|sp"},
        {"c$mul", "c$mul"},
        {"_ZN3foo3barEv", "foo::bar()"},
        {"_ZN4core3fmt9Formatter3new17h0123456789abcdefE", "core::fmt::Formatter::new"},
        {"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
    };
    struct row row[5];
    struct symbols s;

    (void)state;
    for (size_t i = 0; i < 5; i++)
        row[i] = (struct row)FUNCTION(rows[i].name, TEXT + 16 * i, 16);
    OPEN(&s, row);
    for (size_t i = 0; i < 5; i++) {
        const struct symbol *found = symbols_find(&s, TEXT + 16 * i);
        const char *shown = symbols_display_name(found);

        assert_string_equal(found->name, rows[i].name);
        assert_string_equal(shown, rows[i].shown);
        assert_ptr_equal(symbols_display_name(found), shown); /* it is decoded once */
    }
    symbols_close(&s);
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
        cmocka_unit_test(test_moved), cmocka_unit_test(test_shown),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
