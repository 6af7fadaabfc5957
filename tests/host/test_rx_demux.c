/* SPDX-License-Identifier: MIT */
/* Lines and COMMAND frames out of bytes, with everything between them that a line can bring. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/command/rx_demux.h"

static struct rx_demux inbox;

static int begin(void **state)
{
    (void)state;
    memset(&inbox, 0, sizeof inbox);
    return 0;
}

/* Take bytes; the last thing that was whole, and how many were. */
static enum rx_kind take(const void *bytes, size_t length, unsigned *whole)
{
    enum rx_kind last = RX_NOTHING;

    for (size_t i = 0; i < length; i++) {
        enum rx_kind kind = rx_demux_byte(&inbox, ((const uint8_t *)bytes)[i]);

        if (kind != RX_NOTHING) {
            last = kind;
            ++*whole;
        }
    }
    return last;
}

static void expect_line(const char *bytes, const char *line)
{
    const uint64_t before = inbox.counts.lines;

    assert_int_equal(take(bytes, strlen(bytes), &(unsigned){0}), RX_LINE);
    assert_int_equal(inbox.counts.lines - before, 1); /* empty ones do not count */
    assert_string_equal(inbox.line, line);
}

static size_t frame(uint8_t *out, uint64_t session, uint64_t id, const char *line, uint16_t sequence)
{
    struct wire_writer w;

    wire_begin(&w, WIRE_COMMAND, &(struct wire_command){
        .boot = 77, .session = session, .id = id, .line = {line, strlen(line)},
    });
    return wire_end(&w, sequence, out);
}

static void expect_command(const uint8_t *bytes, size_t length, const char *line)
{
    unsigned whole = 0;

    assert_int_equal(take(bytes, length, &whole), RX_COMMAND);
    assert_int_equal(whole, 1);
    assert_string_equal(inbox.line, line);
    assert_int_equal(inbox.command.boot, 77);
}

static void test_lines(void **state)
{
    unsigned whole = 0;

    (void)state;
    expect_line("status\n", "status");
    expect_line("\r\n\rrate=2000\r", "rate=2000");
    assert_int_equal(take("\n\n\r", 3, &whole), RX_LINE); /* Enter calls */
    assert_int_equal(whole, 3);
    assert_string_equal(inbox.line, "");
    expect_line("\x1b[2J\xff\n", "\x1b[2J\xff");
    assert_int_equal(inbox.counts.lines, 3);
    assert_int_equal(inbox.counts.damaged, 0);
}

static void test_long_lines(void **state)
{
    char text[2000];
    unsigned whole = 0;

    (void)state;
    memset(text, 'x', sizeof text);
    text[COMMAND_LINE - 1] = '\n';
    assert_int_equal(take(text, COMMAND_LINE, &whole), RX_LINE);
    assert_int_equal(strlen(inbox.line), COMMAND_LINE - 1);
    text[COMMAND_LINE - 1] = 'x';
    text[1999] = '\n';
    whole = 0;
    assert_int_equal(take(text, 2000, &whole), RX_TOO_LONG);
    assert_int_equal(whole, 1);
    assert_int_equal(inbox.counts.too_long, 1);
    expect_line("status\n", "status");
}

/* A stretch of any length between zeros; every sequence number, for its bytes are the first ones after the zero. */
static void test_frames(void **state)
{
    uint8_t bytes[WIRE_FRAME_MAX];
    char line[COMMAND_LINE];

    (void)state;
    for (unsigned sequence = 0; sequence < 65536; sequence += sequence < 600 ? 1 : 97) {
        memset(line, 'a' + sequence % 26, sizeof line);
        line[sequence % COMMAND_LINE] = '\0';
        expect_command(bytes, frame(bytes, sequence * 0x10101010101ull + 1, sequence + 1, line,
                                    (uint16_t)sequence), line);
    }
    assert_int_equal(inbox.counts.damaged, 0);
    assert_int_equal(inbox.counts.lines, 0);
    expect_line("tasks\n", "tasks"); /* and a person may type at once */
}

static void test_frame_on_line(void **state)
{
    uint8_t bytes[WIRE_FRAME_MAX + 8] = "tick la";
    size_t length;

    (void)state;
    length = 7 + frame(bytes + 7, 1, 1, "status", 0); /* a person was typing */
    expect_command(bytes, length, "status");
    assert_int_equal(inbox.counts.damaged, 1);
    length = frame(bytes, 1, 2, "tasks", 0);
    expect_command(bytes + 1, length - 1, "tasks"); /* its first zero was lost */
}

/* Each single byte of a frame is damaged in each bit, or lost: what comes next is whole. */
static void test_damage(void **state)
{
    uint8_t bytes[WIRE_FRAME_MAX], next[WIRE_FRAME_MAX];
    const size_t length = frame(bytes, 0x123456789abcull, 1, "rate=1000 interval=random", 10);
    const size_t more = frame(next, 0x123456789abcull, 2, "status", 11);

    (void)state;
    for (size_t at = 0; at < length; at++)
        for (unsigned bit = 0; bit < 9; bit++) {
            uint8_t wrong[WIRE_FRAME_MAX];
            unsigned whole = 0;

            memcpy(wrong, bytes, length);
            if (bit < 8)
                wrong[at] ^= (uint8_t)(1 << bit);
            else
                memmove(wrong + at, wrong + at + 1, length - at - 1);
            take(wrong, length - (bit == 8), &whole);
            if (whole)
                assert_true(inbox.counts.lines || !strcmp(inbox.line, "rate=1000 interval=random"));
            whole = 0;
            take(next, more, &whole); /* its first zero may have ended what was wrong */
            take(next, more, &whole);
            assert_string_equal(inbox.line, "status");
            rx_demux_abandon(&inbox);
            rx_demux_byte(&inbox, '\n');
            expect_line("tasks\n", "tasks");
        }
}

static void test_foreign(void **state)
{
    uint8_t bytes[WIRE_FRAME_MAX];
    struct wire_writer w;
    unsigned whole = 0;

    (void)state;
    wire_begin(&w, WIRE_END, &(struct wire_end){.epoch = 1});
    take(bytes, wire_end(&w, 0, bytes), &whole);
    take(bytes, frame(bytes, 0, 1, "status", 0), &whole); /* no session */
    take(bytes, frame(bytes, 1, 0, "status", 0), &whole); /* no number */
    assert_int_equal(whole, 0);
    assert_int_equal(inbox.counts.foreign, 1);
    assert_int_equal(inbox.counts.damaged, 2);
}

static void test_silence(void **state)
{
    uint8_t bytes[WIRE_FRAME_MAX];
    const size_t length = frame(bytes, 5, 1, "stop", 0);
    unsigned whole = 0;

    (void)state;
    assert_false(rx_demux_abandon(&inbox));
    take(bytes, length - 1, &whole);
    assert_true(rx_demux_in_frame(&inbox));
    assert_true(rx_demux_abandon(&inbox)); /* all but its last zero: never carried out */
    assert_int_equal(inbox.counts.cut, 1);
    take("tas", 3, &whole);
    assert_false(rx_demux_abandon(&inbox)); /* a person thinks */
    expect_line("ks\n", "tasks");
    expect_line("tasks\n", "tasks");
    expect_command(bytes, length, "stop");
}

/* Typed after a frame that was damaged, with nobody waiting. */
static void test_line_after_damage(void **state)
{
    (void)state;
    take("\0\x05\x12zz\0", 6, &(unsigned){0});
    assert_int_equal(inbox.counts.damaged, 1);
    expect_line("tasks\r", "tasks");
    take("\0\r\n", 3, &(unsigned){0});
    expect_line("tasks\n", "tasks");
}

static void test_noise(void **state)
{
    unsigned whole = 0;

    (void)state;
    srand(1);
    for (unsigned i = 0; i < 3000000; i++) {
        const uint8_t byte = (uint8_t)(rand() >> 7);

        whole += rx_demux_byte(&inbox, byte) == RX_COMMAND;
    }
    assert_int_equal(whole, 0);
    assert_int_equal(inbox.counts.bytes, 3000000);
    rx_demux_abandon(&inbox);
    rx_demux_byte(&inbox, '\n');
    expect_line("tasks\n", "tasks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_lines, begin),
        cmocka_unit_test_setup(test_long_lines, begin),
        cmocka_unit_test_setup(test_frames, begin),
        cmocka_unit_test_setup(test_frame_on_line, begin),
        cmocka_unit_test_setup(test_damage, begin),
        cmocka_unit_test_setup(test_foreign, begin),
        cmocka_unit_test_setup(test_silence, begin),
        cmocka_unit_test_setup(test_line_after_damage, begin),
        cmocka_unit_test_setup(test_noise, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
