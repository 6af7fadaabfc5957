/* SPDX-License-Identifier: MIT */
/*
 * QR codes: an independent reader, zbarimg, reads the longest and the shortest text of each version; format and
 * version stand in both of their places, each a word of its code; what has no code is refused.
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

#include "kernel/io/qr_code.c"

#define PIXELS 4u /* of a module */

static struct qr_code code;
static char text[QR_TEXT_MAX + 2];

/* Any text of the 45 characters, without blanks at its ends. */
static void fill(size_t length, unsigned seed)
{
    static const char characters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

    for (size_t i = 0; i < length; i++) {
        seed = seed * 1103515245u + 12345u;
        text[i] = characters[(seed >> 16) % 45];
    }
    text[0] = 'A';
    text[length - 1] = 'Z';
    text[length] = '\0';
}

/* The longest text of a version. */
static size_t most(unsigned version)
{
    size_t length = 0;

    while (length < QR_TEXT_MAX && qr_version(length + 1) != 0 && qr_version(length + 1) <= version)
        length++;
    return length;
}

/* ---- read by another ---- */

static void write_picture(FILE *out)
{
    const unsigned side = (code.side + 2 * QR_QUIET) * PIXELS;

    fprintf(out, "P5 %u %u 255\n", side, side);
    for (unsigned y = 0; y < side; y++)
        for (unsigned x = 0; x < side; x++) {
            const unsigned u = x / PIXELS - QR_QUIET, v = y / PIXELS - QR_QUIET; /* wraps in the border */

            fputc(u < code.side && v < code.side && qr_dark(&code, u, v) ? 0 : 255, out);
        }
}

static void read_back(char *to, size_t room)
{
    char name[] = "/tmp/cpuprobe-qr-XXXXXX", command[80];
    const int file = mkstemp(name);
    FILE *picture, *reader;

    assert_true(file >= 0);
    picture = fdopen(file, "wb");
    write_picture(picture);
    fclose(picture);
    snprintf(command, sizeof command, "zbarimg --raw -q %s 2>/dev/null", name);
    reader = popen(command, "r");
    to[fread(to, 1, room - 1, reader)] = '\0';
    pclose(reader);
    unlink(name);
}

static void check_read(size_t length, unsigned version)
{
    static char back[2 * QR_TEXT_MAX];

    fill(length, version);
    assert_true(qr_make(&code, text, length));
    assert_int_equal(code.side, QR_SIDE(version));
    read_back(back, sizeof back);
    back[strcspn(back, "\n")] = '\0';
    assert_string_equal(back, text);
}

static void test_read(void **state)
{
    (void)state;
    if (system("zbarimg --version >/dev/null 2>&1") != 0) {
        puts("no zbarimg (package zbar-tools): no code is read back");
        skip();
    }
    for (unsigned version = 1; version <= QR_VERSIONS; version++) {
        check_read(version == 1 ? 1 : most(version - 1) + 1, version);
        check_read(most(version), version);
    }
}

/* ---- what a reader finds first ---- */

static unsigned module_at(unsigned x, unsigned y)
{
    return qr_dark(&code, x, y);
}

/* Both copies of the format, the highest bit first (ISO/IEC 18004, figure 25). */
static unsigned format_by_corner(void)
{
    unsigned bits = 0;

    for (unsigned x = 0; x < 9; x++)
        if (x != 6 && x != 8)
            bits = bits << 1 | module_at(x, 8);
    for (unsigned y = 9; y-- > 0;)
        if (y != 6)
            bits = bits << 1 | module_at(8, y);
    return bits;
}

static unsigned format_by_sides(void)
{
    unsigned bits = 0;

    for (unsigned i = 1; i <= 7; i++)
        bits = bits << 1 | module_at(8, code.side - i);
    for (unsigned x = code.side - 8; x < code.side; x++)
        bits = bits << 1 | module_at(x, 8);
    return bits;
}

static unsigned rest_of(unsigned bits, unsigned polynomial, unsigned degree)
{
    for (unsigned i = 31; i >= degree; i--)
        if (bits >> i & 1)
            bits ^= polynomial << (i - degree);
    return bits;
}

static void check_version(unsigned version)
{
    unsigned below = 0, right = 0;

    for (unsigned i = 18; i-- > 0;) {
        below = below << 1 | module_at(i / 3, code.side - 11 + i % 3);
        right = right << 1 | module_at(code.side - 11 + i % 3, i / 3);
    }
    assert_int_equal(below, right);
    assert_int_equal(below >> 12, version);
    assert_int_equal(rest_of(below, 0x1f25, 12), 0);
}

static void test_format(void **state)
{
    (void)state;
    for (unsigned version = 1; version <= QR_VERSIONS; version++) {
        fill(most(version), version);
        assert_true(qr_make(&code, text, most(version)));
        assert_int_equal(format_by_corner(), format_by_sides());
        assert_int_equal((format_by_corner() ^ 0x5412) >> 13, 1); /* level L */
        assert_int_equal(rest_of(format_by_corner() ^ 0x5412, 0x537, 10), 0);
        assert_int_equal(module_at(8, code.side - 8), 1);
        if (version >= 7)
            check_version(version);
    }
}

/* ISO/IEC 18004, table 7: the characters of level L. */
static void test_capacity(void **state)
{
    static const struct { unsigned version; size_t characters; } table[] = {
        {1, 25}, {2, 47}, {9, 335}, {10, 395}, {25, 1853}, {26, 1990}, {27, 2132}, {39, 4087}, {40, 4296},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_int_equal(most(table[i].version), table[i].characters);
    assert_int_equal(qr_version(QR_TEXT_MAX + 1), 0);
}

static void test_refused(void **state)
{
    (void)state;
    fill(QR_TEXT_MAX + 1, 1);
    assert_false(qr_make(&code, text, QR_TEXT_MAX + 1));
    assert_false(qr_make(&code, "abc", 3));
    assert_false(qr_make(&code, "A,", 2));
    assert_true(qr_make(&code, "", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read), cmocka_unit_test(test_format), cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
