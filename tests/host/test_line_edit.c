/* SPDX-License-Identifier: MIT */
/*
 * The line editor on a small terminal: each key, history, completion, lines longer
 * than the row, and random keys against a second, plain model of an edited line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/command/line_edit.h"
#include "probe/schedule/carta.h"
#include "tests/host/vt100.h"

#define UP     "\x1b[A"
#define DOWN   "\x1b[B"
#define RIGHT  "\x1b[C"
#define LEFT   "\x1b[D"
#define HOME   "\x1b[H"
#define END    "\x1b[F"
#define DELETE "\x1b[3~"

static struct vt100 screen;
static struct line_edit edit;

static void put(void *context, const char *bytes, unsigned length)
{
    assert_ptr_equal(context, &screen);
    for (unsigned i = 0; i < length; i++)
        vt100_byte(&screen, bytes[i]);
}

/* Commands, and after one of them tasks. */
static const char *name(const char *line, unsigned word, unsigned index)
{
    static const char *const names[] = {"start", "status", "stop", "help", NULL};
    static const char *const tasks[] = {"ROGUE", "rows.1", "ROWS.2", NULL};

    assert_ptr_equal(line, edit.line);
    if (word == 0)
        return names[index];
    return strncmp(line, "stop ", 5) == 0 ? tasks[index] : NULL;
}

static int begin(void **state)
{
    (void)state;
    vt100_init(&screen);
    edit = (struct line_edit){.put = put, .context = &screen, .prompt = "> ", .name = name};
    line_edit_init(&edit);
    line_edit_show(&edit);
    return 0;
}

/* Type; the event of the last byte. */
static enum line_edit_event type(const char *keys)
{
    enum line_edit_event event = EDIT_MORE;

    for (; *keys; keys++) {
        event = line_edit_byte(&edit, (uint8_t)*keys);
        if (event != EDIT_MORE && keys[1])
            line_edit_show(&edit);
    }
    return event;
}

static void expect(const char *line, unsigned cursor)
{
    char row[VT100_COLUMNS + 1];

    snprintf(row, sizeof row, "> %s", line);
    for (size_t i = strlen(row); i > 0 && row[i - 1] == ' '; i--)
        row[i - 1] = '\0';
    assert_string_equal(vt100_row(&screen, screen.row), row);
    assert_int_equal(screen.column, 2 + cursor);
    assert_string_equal(edit.line, line);
}

static void test_keys(void **state)
{
    static const struct {
        const char *keys, *line;
        unsigned cursor;
    } rows[] = {
        {"pat", "pat", 3},
        {"pat\b", "pa", 2},
        {"pat\x7f\x7f\x7f", "", 0},
        {"pat" LEFT LEFT "l", "plat", 2},
        {"pat" LEFT LEFT RIGHT "l", "palt", 3},
        {"pat\x02\x02\x06l", "palt", 3},
        {"at" HOME "p", "pat", 1},
        {"at\x01p\x05s", "pats", 4},
        {"at\x1b[1~p\x1b[4~s", "pats", 4},
        {"at\x1b[7~p\x1b[8~s", "pats", 4},
        {"at\x1bOHp\x1bOFs", "pats", 4},
        {"at" HOME "p" END "s", "pats", 4},
        {"pat" HOME DELETE, "at", 0},
        {"pat\x01\x04", "at", 0},
        {"pat -sec" LEFT LEFT "\x0b", "pat -s", 6},
        {"pat -sec" LEFT LEFT "\x15", "ec", 0},
        {"pat -sec 60\x17", "pat -sec ", 9},
        {"pat -sec  \x17", "pat ", 4},
        {"a\x1b[1;5Db", "ba", 1},     /* a parameter more: still the arrow */
        {"a\x1b[Zb\x1b\x1b[Dc", "acb", 2}, /* unknown; ESC begins anew */
        {"a\x1b[99999999~b", "ab", 2},
        {"a\x1bxb\x1bOxc", "abc", 3},
        {"a\x80\xffz\x0f", "az", 2},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin(state);
        assert_int_equal(type(rows[i].keys), EDIT_MORE);
        expect(rows[i].line, rows[i].cursor);
    }
}

static void test_ready(void **state)
{
    (void)state;
    assert_int_equal(type("pat" LEFT "\r"), EDIT_READY);
    assert_string_equal(edit.line, "pat");
    assert_true(screen.row == 1 && screen.column == 0);
    assert_int_equal(line_edit_byte(&edit, '\n'), EDIT_MORE); /* of CR LF */
    assert_string_equal(edit.line, "pat");
    line_edit_show(&edit);
    expect("", 0);
    assert_int_equal(type("x\n"), EDIT_READY);
    assert_int_equal(type("\n"), EDIT_READY); /* an empty line */
    assert_string_equal(edit.line, "");
}

static void test_interrupt(void **state)
{
    (void)state;
    assert_int_equal(type("pat -s" LEFT "\x03"), EDIT_INTERRUPTED);
    assert_string_equal(vt100_row(&screen, 0), "> pat -s^C");
    line_edit_show(&edit);
    expect("", 0);
    type("\x1b\x03"); /* in the middle of an escape sequence */
    line_edit_show(&edit);
    type("[");
    expect("[", 1);
}

static void test_clear(void **state)
{
    (void)state;
    type("one\rtwo\x0c");
    assert_int_equal(screen.row, 0);
    expect("two", 3);
    assert_string_equal(vt100_row(&screen, 1), "");
}

static void test_history(void **state)
{
    (void)state;
    type("one\rtwo\rtwo\r\rthr" UP);
    expect("two", 3);
    type(UP);
    expect("one", 3);
    type(UP);
    assert_int_equal(screen.bells, 1);
    expect("one", 3);
    type("s" DOWN DOWN);
    expect("thr", 3);
    type(DOWN);
    assert_int_equal(screen.bells, 2);
    type("\x10\x10\x0e");
    expect("two", 3);
    assert_int_equal(type("\r"), EDIT_READY);
    assert_string_equal(edit.line, "two");
}

static void test_history_is_bounded(void **state)
{
    char line[16];

    (void)state;
    for (int i = 0; i < 3 * EDIT_PAST; i++) {
        snprintf(line, sizeof line, "line %d\r", i);
        type(line);
        line_edit_show(&edit);
    }
    for (int i = 0; i < 2 * EDIT_PAST; i++)
        type(UP);
    snprintf(line, sizeof line, "line %d", 2 * EDIT_PAST);
    expect(line, (unsigned)strlen(line));
}

static void test_completion(void **state)
{
    (void)state;
    type("he\t");
    expect("help ", 5);
    type("\t");
    assert_int_equal(screen.bells, 1);
    type("\x15s\t"); /* start, status, stop */
    expect("st", 2);
    type("\t");
    assert_int_equal(screen.bells, 2);
    type("a\t");
    expect("sta", 3);
    type("r\t");
    expect("start ", 6);
    type("\x15zz\t");
    assert_int_equal(screen.bells, 4);
    type(HOME "\t");
    assert_int_equal(screen.bells, 5);
    /* A later word, whatever the case of its letters, is written as the name is. */
    type("\x05\x15stop rog\t");
    expect("stop ROGUE ", 11);
    type("R\t");
    expect("stop ROGUE RO", 13);
    type("w\t");
    expect("stop ROGUE ROWS.", 16);
    type("2\t");
    expect("stop ROGUE ROWS.2 ", 18);
    type(LEFT "\t");
    assert_int_equal(screen.bells, 6);
}

/* What was typed beyond the room is gone: the rest is no line to carry out, until it is cleared. */
static void test_cut(void **state)
{
    (void)state;
    for (unsigned i = 0; i < EDIT_LINE; i++)
        line_edit_byte(&edit, 'a');
    assert_int_equal(type("\b\r"), EDIT_TOO_LONG);
    line_edit_show(&edit);
    assert_int_equal(type("b\r"), EDIT_READY);
    line_edit_show(&edit);
    for (unsigned i = 0; i < EDIT_LINE; i++)
        line_edit_byte(&edit, 'a');
    assert_int_equal(type("\x15" "b\r"), EDIT_READY);
    line_edit_show(&edit);
    for (unsigned i = 0; i < EDIT_LINE - 1; i++)
        line_edit_byte(&edit, 'a');
    assert_int_equal(type("\r"), EDIT_READY);
}

static void test_long(void **state)
{
    (void)state;
    for (unsigned i = 0; i < EDIT_LINE + 10; i++)
        line_edit_byte(&edit, (uint8_t)('a' + i % 26));
    assert_int_equal(screen.bells, 11);
    assert_int_equal(edit.length, EDIT_LINE - 1);
    assert_int_equal(screen.row, 0);
    assert_int_equal(screen.column, VT100_COLUMNS - 3);
    type(HOME);
    assert_int_equal(screen.column, 2);
    assert_memory_equal(screen.cell[0], "> abcdef", 8);
    type("\x03"); /* its ^C stands in the same row */
    assert_memory_equal(screen.cell[0] + VT100_COLUMNS - 3, "^C", 2);
    assert_int_equal(screen.row, 1);
}

/* A letter at the end of a line that has room costs a byte, any key at most a row and a half. */
static void test_bytes(void **state)
{
    unsigned before;

    (void)state;
    before = screen.bytes;
    type("pat -sec 60");
    assert_int_equal(screen.bytes - before, 11);
    before = screen.bytes;
    type(LEFT);
    assert_true(screen.bytes - before < 120);
}

/* ---- random keys, against a plain model ---- */

static struct model {
    char line[EDIT_LINE];
    size_t length, cursor;
} model;

static void model_cut(size_t from, size_t to)
{
    memmove(model.line + from, model.line + to, model.length - to);
    model.length -= to - from;
    model.cursor = from;
}

static void model_letter(char c)
{
    if (model.length == EDIT_LINE - 1)
        return;
    memmove(model.line + model.cursor + 1, model.line + model.cursor, model.length - model.cursor);
    model.line[model.cursor++] = c;
    model.length++;
}

static void random_key(uint32_t random)
{
    char text[2] = {(char)(' ' + random / 16 % 95), '\0'};

    switch (random % 16) {
    case 0: type(LEFT); model.cursor -= model.cursor > 0; break;
    case 1: type(RIGHT); model.cursor += model.cursor < model.length; break;
    case 2: type("\b"); if (model.cursor > 0) model_cut(model.cursor - 1, model.cursor); break;
    case 3: type(DELETE); if (model.cursor < model.length) model_cut(model.cursor, model.cursor + 1); break;
    case 4: if (random / 16 % 8 == 0) { type(HOME); model.cursor = 0; } break;
    case 5: if (random / 16 % 8 == 0) { type(END); model.cursor = model.length; } break;
    case 6: if (random / 16 % 64 == 0) { type("\x0b"); model.length = model.cursor; } break;
    case 7: if (random / 16 % 256 == 0) { type("\x15"); model_cut(0, model.cursor); } break;
    default: type(text); model_letter(text[0]); break;
    }
}

/* The row shows a part of the line, the cursor among the same letters. */
static void check_row(void)
{
    const size_t columns = VT100_COLUMNS - 5;
    const size_t from = model.cursor > columns ? model.cursor - columns : 0;
    size_t shown = model.length - from;
    char row[VT100_COLUMNS + 1];

    shown = shown < columns ? shown : columns;
    memset(row, ' ', sizeof row);
    memcpy(row, "> ", 2);
    memcpy(row + 2, model.line + from, shown);
    assert_memory_equal(screen.cell[screen.row], row, VT100_COLUMNS);
    assert_int_equal(screen.column, 2 + model.cursor - from);
}

static void test_random(void **state)
{
    uint32_t generator = carta_start(20261121);

    (void)state;
    memset(&model, 0, sizeof model);
    for (int i = 0; i < 100000; i++) {
        generator = carta_next(generator);
        random_key(generator);
        assert_int_equal(edit.length, model.length);
        assert_memory_equal(edit.line, model.line, model.length);
        check_row();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_keys, begin),
        cmocka_unit_test_setup(test_ready, begin),
        cmocka_unit_test_setup(test_interrupt, begin),
        cmocka_unit_test_setup(test_clear, begin),
        cmocka_unit_test_setup(test_history, begin),
        cmocka_unit_test_setup(test_history_is_bounded, begin),
        cmocka_unit_test_setup(test_completion, begin),
        cmocka_unit_test_setup(test_cut, begin),
        cmocka_unit_test_setup(test_long, begin),
        cmocka_unit_test_setup(test_bytes, begin),
        cmocka_unit_test_setup(test_random, begin),
    };

    return cmocka_run_group_tests_name("edit", tests, NULL, NULL);
}
