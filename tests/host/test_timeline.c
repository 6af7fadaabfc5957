/* SPDX-License-Identifier: MIT */
/* The timeline of streams with a log of changes: whole, cut, with frames lost, doubled or swapped, and by a pipe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/host/dumped.h"
#include "tests/host/timeline_of.h"
#include "tools/timeline/timeline.h"

#define CHANGES 400
#define FRAME   50 /* changes in one */
#define FRAMES  (CHANGES / FRAME)
#define TASKS   3
#define BEGIN   2000000 /* of the window, as dump_snapshot_head() says */

/* Change n, by rule: cells in turn, MONITOR among them; each tenth is a little ahead of the clock. */
static uint64_t cell_of(uint64_t n)
{
    return n % (1 + 8 * TASKS);
}

static int64_t time_of(uint64_t n)
{
    return n % 10 == 9 ? -(int64_t)n : (int64_t)(n * n);
}

static int64_t begin_of(uint64_t n)
{
    int64_t time = BEGIN;

    for (uint64_t i = 0; i < n; i++)
        time += time_of(i);
    return time;
}

static void put_changes(unsigned frame)
{
    struct wire_writer w;

    wire_begin(&w, WIRE_TRANSITIONS, &(struct wire_transitions){1, frame * FRAME});
    for (uint64_t n = frame * FRAME; n < (frame + 1) * FRAME; n++)
        wire_row(&w, WIRE_TRANSITIONS, &(struct wire_transitions_row){cell_of(n), wire_zigzag(time_of(n))});
    dump_end_frame(&d, &w);
}

static void put_logged(uint64_t lost)
{
    struct wire_writer w;

    wire_begin(&w, WIRE_LOGGED, &(struct wire_logged){1, CHANGES, lost});
    for (uint64_t task = 0; task < TASKS; task++)
        wire_row(&w, WIRE_LOGGED, &(struct wire_logged_row){task, 100 + task});
    dump_end_frame(&d, &w);
}

static void put_run_head(void)
{
    dump_hello(&d, 1, "account=log");
    dump_snapshot(&d, 1, 1, true, 1);
}

static void expect_step(struct timeline *t, uint64_t n, int64_t offset, bool time_known)
{
    struct timeline_item item;
    const struct timeline_step *s = &item.step;
    const uint64_t cell = cell_of(n) - 1;

    assert_true(timeline_next(t, &item));
    assert_int_equal(item.kind, TIMELINE_STEP);
    assert_int_equal(s->begin, begin_of(n) - offset);
    assert_int_equal(s->length, time_of(n));
    assert_int_equal(s->monitor, !cell_of(n));
    assert_int_equal(!!(s->known & KNOWN_TIME), time_known);
    assert_int_equal(s->call, CALL_NONE);
    if (s->monitor)
        return;
    assert_int_equal(s->mode, cell % 8 / 2);
    assert_int_equal(s->masked, cell % 2);
    assert_int_equal(s->task, 100 + cell / 8);
    assert_true(s->known & KNOWN_TASK);
}

static void expect_steps(struct timeline *t, unsigned frame, int64_t offset, bool time_known)
{
    for (uint64_t n = frame * FRAME; n < (frame + 1) * FRAME; n++)
        expect_step(t, n, offset, time_known);
}

static void expect_gap(struct timeline *t, int64_t begin, uint64_t missing, enum gap_cause cause)
{
    struct timeline_item item;

    assert_true(timeline_next(t, &item));
    assert_int_equal(item.kind, TIMELINE_GAP);
    assert_int_equal(item.gap.begin, begin);
    assert_int_equal(item.gap.end, begin);
    assert_int_equal(item.gap.missing, missing);
    assert_int_equal(item.gap.cause, cause);
}

static void expect_end(struct timeline *t)
{
    struct timeline_item item;

    assert_false(timeline_next(t, &item));
    assert_false(timeline_next(t, &item));
    timeline_close(t);
}

static struct timeline *open_stream(void)
{
    struct timeline *t = timeline_of(d.bytes, d.length, 0);

    assert_non_null(t);
    return t;
}

static void a_whole_log(void **state)
{
    struct timeline *t;

    (void)state;
    put_run_head();
    for (unsigned f = 0; f < FRAMES; f++)
        put_changes(f);
    put_logged(0);
    dump_end(&d, 1, 0, "done");
    t = open_stream();
    for (unsigned f = 0; f < FRAMES; f++)
        expect_steps(t, f, 0, true);
    assert_int_equal(timeline_counts(t)->steps, CHANGES);
    expect_end(t);
}

/* Each frame in turn does not arrive: the others are intact, and the gap has its place and number. */
static void a_lost_frame(void **state)
{
    (void)state;
    for (unsigned lost = 0; lost < FRAMES; lost++) {
        const int64_t at = begin_of(lost * FRAME), offset = begin_of((lost + 1) * FRAME) - at;
        struct timeline *t;

        d.length = 0;
        put_run_head();
        for (unsigned f = 0; f < FRAMES; f++)
            if (f != lost)
                put_changes(f);
        put_logged(0);
        t = open_stream();
        for (unsigned f = 0; f < FRAMES; f++)
            if (f == lost)
                expect_gap(t, at, FRAME, GAP_FRAMES);
            else
                expect_steps(t, f, f < lost ? 0 : offset, f < lost);
        assert_int_equal(timeline_counts(t)->missing[GAP_FRAMES], FRAME);
        assert_int_equal(timeline_counts(t)->first_gap, at);
        expect_end(t);
    }
}

/* What the log dropped and what the line lost are told apart. */
static void a_log_without_its_begin(void **state)
{
    struct timeline *t;

    (void)state;
    put_run_head();
    for (unsigned f = 2; f < FRAMES; f++)
        put_changes(f);
    put_logged(FRAME);
    t = open_stream();
    expect_gap(t, BEGIN, FRAME, GAP_OVERWRITTEN);
    expect_gap(t, BEGIN, FRAME, GAP_FRAMES);
    for (unsigned f = 2; f < FRAMES; f++)
        expect_steps(t, f, begin_of(2 * FRAME) - BEGIN, false);
    expect_end(t);
}

static void frames_that_come_again_or_late(void **state)
{
    struct timeline *t;

    (void)state;
    put_run_head();
    put_changes(0);
    put_changes(0);
    put_changes(2);
    put_changes(1);
    put_logged(0);
    t = open_stream();
    expect_steps(t, 0, 0, true);
    expect_gap(t, begin_of(FRAME), FRAME, GAP_FRAMES);
    expect_steps(t, 2, begin_of(2 * FRAME) - begin_of(FRAME), false);
    expect_gap(t, begin_of(3 * FRAME) - begin_of(2 * FRAME) + begin_of(FRAME), CHANGES - 3 * FRAME, GAP_FRAMES);
    assert_int_equal(timeline_counts(t)->late, 2 * FRAME);
    expect_end(t);
}

/* Cut anywhere: what is whole comes, then a gap says that more is missing. */
static void a_cut_stream(void **state)
{
    size_t length, first;

    (void)state;
    put_run_head();
    first = d.length;
    for (unsigned f = 0; f < 3; f++)
        put_changes(f);
    length = d.length;
    for (size_t cut = first; cut <= length; cut += 7) {
        struct timeline *t = timeline_of(d.bytes, cut, 0);
        struct timeline_item item;
        uint64_t steps = 0;

        while (timeline_next(t, &item) && item.kind == TIMELINE_STEP)
            assert_int_equal(item.step.length, time_of(steps++));
        assert_int_equal(steps % FRAME, 0);
        assert_true(!steps || (item.kind == TIMELINE_GAP && item.gap.cause == GAP_CUT));
        expect_end(t);
    }
}

static void a_time_that_goes_back(void **state)
{
    struct timeline_item item;
    struct wire_writer w;
    struct timeline *t;

    (void)state;
    put_run_head();
    wire_begin(&w, WIRE_TRANSITIONS, &(struct wire_transitions){1, 0});
    wire_row(&w, WIRE_TRANSITIONS, &(struct wire_transitions_row){0, wire_zigzag(5)});
    wire_row(&w, WIRE_TRANSITIONS, &(struct wire_transitions_row){0, wire_zigzag(-2000000)});
    wire_row(&w, WIRE_TRANSITIONS, &(struct wire_transitions_row){0, wire_zigzag(INT64_MAX)});
    wire_row(&w, WIRE_TRANSITIONS, &(struct wire_transitions_row){0, wire_zigzag(7)});
    dump_end_frame(&d, &w);
    t = open_stream();
    assert_true(timeline_next(t, &item));
    expect_gap(t, BEGIN + 5, 1, GAP_BACKWARDS);
    expect_gap(t, BEGIN + 5, 1, GAP_BACKWARDS);
    assert_true(timeline_next(t, &item));
    assert_int_equal(item.step.length, 7);
    expect_gap(t, BEGIN + 12, 0, GAP_CUT);
    expect_end(t);
}

/* The epoch that was asked for, and no change of another. */
static void one_of_two_epochs(void **state)
{
    struct timeline *t;

    (void)state;
    put_run_head();
    put_changes(0);
    put_logged(0);
    dump_end(&d, 1, 0, "done");
    put_run_head();
    put_changes(0);
    put_changes(1);
    put_logged(0);
    dump_end(&d, 1, 0, "done");
    t = timeline_of(d.bytes, d.length, 1);
    expect_steps(t, 0, 0, true);
    expect_gap(t, begin_of(FRAME), CHANGES - FRAME, GAP_FRAMES);
    expect_end(t);
    t = timeline_of(d.bytes, d.length, 2);
    expect_steps(t, 0, 0, true);
    expect_steps(t, 1, 0, true);
    expect_gap(t, begin_of(2 * FRAME), CHANGES - 2 * FRAME, GAP_FRAMES);
    expect_end(t);
    assert_null(timeline_of(d.bytes, d.length, 3));
}

static void a_pipe(void **state)
{
    int ends[2];
    char path[32];
    struct timeline *t;

    (void)state;
    put_run_head();
    put_changes(0);
    put_logged(0);
    assert_int_equal(pipe(ends), 0);
    assert_true(write(ends[1], d.bytes, d.length) == (ssize_t)d.length);
    close(ends[1]);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
    t = timeline_open(path, &(struct timeline_request){0});
    close(ends[0]);
    assert_non_null(t);
    expect_steps(t, 0, 0, true);
    timeline_close(t);
}

static void no_stream(void **state)
{
    (void)state;
    assert_null(timeline_open("/nonexistent", &(struct timeline_request){0}));
    assert_null(timeline_of("some text", 9, 0));
    assert_null(timeline_of("", 0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_whole_log, end),
        cmocka_unit_test_teardown(a_lost_frame, end),
        cmocka_unit_test_teardown(a_log_without_its_begin, end),
        cmocka_unit_test_teardown(frames_that_come_again_or_late, end),
        cmocka_unit_test_teardown(a_cut_stream, end),
        cmocka_unit_test_teardown(a_time_that_goes_back, end),
        cmocka_unit_test_teardown(one_of_two_epochs, end),
        cmocka_unit_test_teardown(a_pipe, end),
        cmocka_unit_test_teardown(no_stream, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
