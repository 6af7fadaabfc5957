/* SPDX-License-Identifier: MIT */
/* The terminal in memory: scrolling, escape sequences, rows that stand still; any bytes at all. */
#include "kernel/io/terminal.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define COLUMNS 10u
#define ROWS    5u

static struct terminal t;

static void put_text(const char *text)
{
    terminal_write(&t, text, (unsigned)strlen(text));
}

static void begin(const char *text)
{
    terminal_init(&t, COLUMNS, ROWS);
    put_text(text);
}

static void assert_row(unsigned row, const char *expected)
{
    char text[COLUMNS + 1] = "";
    unsigned end = 0;

    for (unsigned column = 0; column < COLUMNS; column++) {
        text[column] = (char)t.cell[row * COLUMNS + column];
        if (text[column] != ' ')
            end = column + 1;
    }
    text[end] = '\0';
    assert_string_equal(text, expected);
}

static void test_text(void **state)
{
    (void)state;
    begin("one\r\ntwo\tx\bY\r\n0123456789");
    assert_row(0, "one");
    assert_row(1, "two     Y");
    assert_row(2, "0123456789");
    assert_row(3, "");
    put_text("a\rb");
    assert_row(3, "b");
    put_text("\r\nc\r\nd\r\ne");
    assert_row(0, "0123456789");
    assert_row(4, "e");
}

static void test_sequences(void **state)
{
    (void)state;
    begin("abcdef\r\x1b[3CX\x1b[K");
    assert_row(0, "abcX");
    put_text("\r\n12345\r\n678\x1b[A\x1b[2DZ\x1b[BQ");
    assert_row(1, "1Z345");
    assert_row(2, "67Q");
    put_text("\x1b[2;3H\x1b[J");
    assert_row(1, "1Z");
    assert_row(2, "");
    put_text("\x1b[?25h\x1b[31mred\x1b(");
    assert_row(1, "1Zred");
    put_text("\x1b[2J\x1b[Hx");
    assert_row(0, "x");
    assert_row(1, "");
    put_text("\x1b[999;999Hy\x1b[999A\x1b[999Dz");
    assert_row(4, "         y");
    assert_row(0, "z");
}

/* The page takes rows from the text, whose last ones are kept; text scrolls below it. */
static void test_page(void **state)
{
    (void)state;
    begin("a\r\nb\r\nc\r\nd");
    terminal_set_top(&t, 3);
    terminal_put_row(&t, 0, "page", TERMINAL_WHITE);
    terminal_put_row(&t, 2, "0123456789more", TERMINAL_GREY);
    terminal_put_row(&t, 3, "no", TERMINAL_GREY);
    assert_row(0, "page");
    assert_row(1, "");
    assert_row(2, "0123456789");
    assert_row(3, "c");
    assert_row(4, "d");
    put_text("\r\ne\x1b[9A\x1b[1;1Hf");
    assert_row(2, "0123456789");
    assert_row(3, "f");
    assert_row(4, "e");
    put_text("\x1b[2J");
    assert_row(0, "page");
    put_text("\x1b[Hg\r\nh");
    terminal_set_top(&t, 0);
    assert_row(0, "g");
    assert_row(1, "h");
    assert_row(2, "");
    terminal_set_top(&t, 99);
    assert_row(ROWS - 1, "h");
}

/*
 * No bytes reach a cell outside: the sanitizer sees those that are not in the array, the guard those behind the last.
 */
static void test_any(void **state)
{
    static const char likely[] = "\x1b[;0123456789ABCDHJKm\r\n\b\t xyz";
    uint32_t x = 1;

    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        terminal_init(&t, 1 + round % 12, 1 + round % 7);
        memset(&t.cell[t.columns * t.rows], 0x5a, sizeof t.cell - t.columns * t.rows * sizeof t.cell[0]);
        for (unsigned i = 0; i < 2000; i++) {
            char c;

            x = x * 1664525 + 1013904223;
            c = x >> 31 ? likely[(x >> 8) % (sizeof likely - 1)] : (char)(x >> 16);
            terminal_write(&t, &c, 1);
            if (i % 97 == 0)
                terminal_set_top(&t, x >> 20 & 15);
            terminal_put_row(&t, x >> 12 & 15, "a row of text", TERMINAL_GREY);
            assert_true(t.row >= t.top && t.row < t.rows && t.column <= t.columns);
        }
        assert_int_equal(t.cell[t.columns * t.rows], 0x5a5a);
    }
}

static void test_sizes(void **state)
{
    (void)state;
    terminal_init(&t, 100000, 100000);
    assert_int_equal(t.columns, TERMINAL_COLUMNS);
    assert_int_equal(t.rows, TERMINAL_ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text), cmocka_unit_test(test_sequences), cmocka_unit_test(test_page),
        cmocka_unit_test(test_any), cmocka_unit_test(test_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
