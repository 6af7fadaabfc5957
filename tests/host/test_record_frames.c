/* SPDX-License-Identifier: MIT */
/* Splits records with many rows, one row and none, and reads their frames back: heads, rows and their order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "probe/stream/record_frames.h"

#define ROWS 1000u

struct reading {
    uint64_t frames, rows, first; /* first: of the last head */
};

/* Read a frame back: its head says how many rows came before. */
static void read_back(void *context, struct wire_writer *frame)
{
    static uint8_t bytes[WIRE_FRAME_MAX];
    struct reading *const r = context;
    const size_t length = wire_end(frame, (uint16_t)r->frames, bytes);
    struct wire_transitions head;
    struct wire_transitions_row row;
    struct wire_reader reader;

    assert_true(length > 2);
    assert_int_equal(wire_open(&reader, bytes + 1, length - 2), WIRE_INTACT);
    assert_int_equal(reader.type, WIRE_TRANSITIONS);
    assert_true(wire_read_head(&reader, &head));
    assert_int_equal(head.epoch, 7);
    assert_int_equal(head.first, r->rows);
    r->first = head.first;
    r->frames++;
    while (wire_read_row(&reader, &row))
        assert_int_equal(row.cell, r->rows++);
    assert_true(wire_done(&reader));
}

/* Put so many rows; how many frames began. */
static uint64_t put(struct record_frames *r, uint64_t rows, bool empty)
{
    struct wire_transitions head = {.epoch = 7};
    uint64_t begun = 0;

    record_frames_begin(r, WIRE_TRANSITIONS, &head);
    for (uint64_t i = 0; i < rows; i++) {
        head.first = i; /* of the frame that begins with this row */
        begun += record_frames_put(r, &(struct wire_transitions_row){i, i << 20});
    }
    record_frames_end(r, empty);
    return begun;
}

static void test_split(void **state)
{
    struct reading many = {0}, one = {0};
    struct wire_writer frame;
    struct record_frames r = {.send = read_back, .context = &many, .frame = &frame};
    const uint64_t begun = put(&r, ROWS, false);

    (void)state;
    assert_int_equal(begun, many.frames);
    assert_true(many.frames > 2);
    assert_int_equal(many.rows, ROWS);
    r.context = &one;
    assert_int_equal(put(&r, 1, true), 1); /* nothing is left of the record before */
    assert_int_equal(one.frames, 1);
    assert_int_equal(one.rows, 1);
}

static void test_empty(void **state)
{
    struct reading none = {0}, head = {0};
    struct wire_writer frame;
    struct record_frames r = {.send = read_back, .context = &none, .frame = &frame};

    (void)state;
    put(&r, 0, false);
    assert_int_equal(none.frames, 0);
    r.context = &head;
    put(&r, 0, true);
    assert_int_equal(head.frames, 1);
    assert_int_equal(head.rows, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_split), cmocka_unit_test(test_empty)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
