/* SPDX-License-Identifier: MIT */
/* Scan codes of a keyboard: what each key sends, with Shift, Ctrl and Caps Lock; any bytes at all. */
#include "drivers/keyboard.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct scancode_keys keys;
static char sent[256];

/* What a row of codes sends, from a keyboard on which nothing is pressed. */
static const char *type(const char *codes, unsigned length)
{
    memset(&keys, 0, sizeof keys);
    sent[0] = '\0';
    for (unsigned i = 0; i < length; i++) {
        char text[SCANCODE_TEXT];

        strcat(sent, scancode_take(&keys, (uint8_t)codes[i], text));
    }
    return sent;
}

#define TYPE(codes) type(codes, sizeof(codes) - 1)

static void test_keys(void **state)
{
    (void)state;
    assert_string_equal(TYPE("\x1e\x9e\x30\xb0\x02\x82\x39\xb9\x1c\x9c"), "ab1 \r");
    assert_string_equal(TYPE("\x2a\x1e\x9e\x03\xaa\x03"), "A@2");
    assert_string_equal(TYPE("\x36\x2c\xb6\x2c"), "Zz");
    assert_string_equal(TYPE("\x3a\xba\x1e\x02\x2a\x1e\xaa\x3a\x1e"), "A1aa");
    assert_string_equal(TYPE("\x1d\x2e\xae\x9d\x2e"), "\x03" "c");
    assert_string_equal(TYPE("\xe0\x1d\x1e\xe0\x9d\x1e"), "\x01" "a");
    assert_string_equal(TYPE("\x0e\x0f\x01\x2b\x56"), "\x7f\t\x1b\\");
}

static void test_named(void **state)
{
    (void)state;
    assert_string_equal(TYPE("\xe0\x48\xe0\xc8\xe0\x50\xe0\x4d\xe0\x4b"), "\x1b[A\x1b[B\x1b[C\x1b[D");
    /* with the Shift of its own */
    assert_string_equal(TYPE("\xe0\x2a\xe0\x47\xe0\xaa\xe0\x4f\xe0\x53"), "\x1b[H\x1b[F\x1b[3~");
    assert_string_equal(TYPE("\xe0\x1c\xe0\x35\xe0\x5b\x48"), "\r/\x1b[A");
    assert_string_equal(TYPE("\xe1\x1d\x45\xe1\x9d\xc5\x1e"), "a"); /* Pause is no Ctrl */
}

/* Whatever comes, what is sent is a text of less than its room. */
static void test_any(void **state)
{
    uint32_t x = 1;

    (void)state;
    memset(&keys, 0, sizeof keys);
    for (unsigned i = 0; i < 200000; i++) {
        char text[SCANCODE_TEXT];

        memset(text, 'x', sizeof text);
        x = x * 1664525 + 1013904223;
        assert_true(strnlen(scancode_take(&keys, (uint8_t)(x >> 24), text), SCANCODE_TEXT) < SCANCODE_TEXT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys), cmocka_unit_test(test_named), cmocka_unit_test(test_any),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
