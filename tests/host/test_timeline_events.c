/* SPDX-License-Identifier: MIT */
/*
 * The timeline of streams with events: events, steps that follow from them, and what is missing with cause and place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/event_run.h"
#include "tests/host/timeline_of.h"

#define CYCLES 40

/* The steps of a cycle: from when to when, in which task and cell, system call, tick's handler. */
static const struct {
    int64_t begin, end;
    uint32_t task;
    enum mode mode;
    bool masked;
    unsigned nesting;
    int32_t call;
    bool monitor;
} steps[] = {
    {-1400, 1000, 100, MODE_USER, false, 0, CALL_NONE, false},
    {1000, 1400, 100, MODE_INTERRUPT, true, 1, CALL_NONE, false},
    {1400, 2000, 100, MODE_KERNEL, true, 0, CALL_NONE, false},
    {2000, 2100, 101, MODE_KERNEL, true, 0, 2, false},
    {2100, 3000, 101, MODE_USER, false, 0, CALL_NONE, false},
    {3000, 4000, 101, MODE_SUPERVISOR, false, 0, 3, false},
    {4000, 5000, 101, MODE_USER, false, 0, CALL_NONE, false},
    {5000, 5500, 101, MODE_KERNEL, false, 0, 5, false},
    {5500, 5600, 101, MODE_KERNEL, true, 0, 5, false},
    {5600, 5700, 101, MODE_KERNEL, false, 0, 5, false},
    {5700, 5800, 101, MODE_KERNEL, false, 0, 5, true},
    {5800, 6000, 101, MODE_KERNEL, false, 0, 5, false},
    {6000, 7000, 101, MODE_USER, false, 0, CALL_NONE, false},
    {7000, 7500, 101, MODE_USER, false, 0, CALL_NONE, false},
    {7500, 7600, 101, MODE_KERNEL, false, 0, 2, false},
    {7600, 8500, 101, MODE_KERNEL, true, 0, 2, false},
    {8500, 8600, 100, MODE_KERNEL, true, 0, CALL_NONE, false},
};
#define STEPS (sizeof(steps) / sizeof(steps[0]))

static struct timeline *open_stream(void)
{
    struct timeline *t = timeline_of(d.bytes, d.length, 0);

    assert_non_null(t);
    return t;
}

static void check_step(const struct timeline_step *s, uint64_t n, size_t i)
{
    const unsigned all = KNOWN_TASK | KNOWN_MODE | KNOWN_MASKED | KNOWN_NESTING | KNOWN_CALL | KNOWN_TIME;
    const int64_t at = RUN_BEGIN + (int64_t)n * RUN_CYCLE;

    assert_int_equal(s->begin, at + steps[i].begin);
    assert_int_equal(s->begin + s->length, at + steps[i].end);
    assert_int_equal(s->known & all, all);
    assert_int_equal(s->task, steps[i].task);
    assert_int_equal(s->monitor, steps[i].monitor);
    assert_int_equal(s->mode, steps[i].mode);
    assert_int_equal(s->masked, steps[i].masked);
    assert_int_equal(s->nesting, steps[i].nesting);
    assert_int_equal(s->call, steps[i].call);
    if (i == 13)
        assert_int_equal(s->user, n << 8 | 7);
}

/* After two cycles everything is known; steps meet, and events have numbers and tasks. */
static void a_whole_run(void **state)
{
    struct timeline_item item;
    uint64_t step = 0, event = 0;
    struct timeline *t;

    (void)state;
    event_run(CYCLES, 1);
    t = open_stream();
    while (timeline_next(t, &item)) {
        assert_int_not_equal(item.kind, TIMELINE_GAP);
        if (item.kind == TIMELINE_EVENT) {
            const uint64_t of = event % RUN_EVENTS;

            assert_int_equal(item.event.number, event++);
            assert_int_equal(item.event.task, of < 5 || of == 19 ? 100 : 101);
            assert_int_equal(item.event.task_number, of < 5 || of == 19 ? 1 : 2);
        } else if (item.step.begin >= RUN_BEGIN + 2 * RUN_CYCLE - 1400) {
            check_step(&item.step, 2 + step / STEPS, step % STEPS);
            step++;
        }
    }
    assert_int_equal(event, CYCLES * RUN_EVENTS);
    assert_int_equal(step, (CYCLES - 2) * STEPS);
    timeline_close(t);
}

/* Where event `number` of the run is. */
static int64_t time_of(uint64_t number)
{
    static const int64_t at[RUN_EVENTS] = {1000, 1200, 1400, 1500, 2000, 2100, 3000, 4000, 5000, 5500,
                                           5600, 5700, 5800, 6000, 7000, 7500, 7600, 8000, 8500, 8600};

    return RUN_BEGIN + (int64_t)(number / RUN_EVENTS) * RUN_CYCLE + at[number % RUN_EVENTS];
}

/*
 * Every event that is given is right, and with those that are told missing they are all;
 * steps and gaps do not overlap.
 */
static void check_rest(struct timeline *t, uint64_t *given, uint64_t *missing)
{
    struct timeline_item item;
    uint64_t next = 0;
    int64_t end = INT64_MIN;

    *given = *missing = 0;
    while (timeline_next(t, &item)) {
        if (item.kind == TIMELINE_GAP) {
            assert_true(item.gap.begin <= item.gap.end);
            assert_true(end == INT64_MIN || item.gap.begin >= end);
            *missing += item.gap.missing;
            next += item.gap.missing;
            end = item.gap.end;
        } else if (item.kind == TIMELINE_EVENT) {
            assert_int_equal(item.event.number, next++);
            assert_int_equal(item.event.time, time_of(item.event.number));
            (*given)++;
        } else {
            assert_true(item.step.begin >= end);
            end = item.step.begin + item.step.length;
        }
    }
}

/* Without each frame in turn. */
static void a_lost_frame(void **state)
{
    size_t from = 0;

    (void)state;
    event_run(CYCLES, 2);
    for (size_t at = 1; at < d.length; at++) {
        struct timeline *t;
        uint8_t *rest;
        uint64_t given, missing;

        if (d.bytes[at] || at == from + 1)
            continue;
        rest = malloc(d.length);
        memcpy(rest, d.bytes, from);
        memcpy(rest + from, d.bytes + at + 1, d.length - at - 1);
        t = timeline_of(rest, d.length - (at + 1 - from), 0);
        assert_non_null(t);
        check_rest(t, &given, &missing);
        assert_int_equal(given + missing, CYCLES * RUN_EVENTS);
        assert_in_range(missing, 0, 3 * RUN_EVENTS);
        assert_int_equal(missing, timeline_counts(t)->missing[GAP_FRAMES]);
        timeline_close(t);
        free(rest);
        from = at + 1;
    }
}

static void a_cut_stream(void **state)
{
    (void)state;
    event_run(6, 1);
    for (size_t length = 0; length < d.length; length += 5) {
        struct timeline *t = timeline_of(d.bytes, length, 0);
        uint64_t given, missing;

        if (!t)
            continue;
        check_rest(t, &given, &missing);
        assert_in_range(given + missing, 0, 6 * RUN_EVENTS);
        timeline_close(t);
    }
}

static void expect_gap(struct timeline *t, int64_t begin, int64_t end, uint64_t missing, enum gap_cause cause)
{
    struct timeline_item item;

    do
        assert_true(timeline_next(t, &item));
    while (item.kind != TIMELINE_GAP);
    assert_int_equal(item.gap.cause, cause);
    assert_int_equal(item.gap.begin, RUN_BEGIN + begin);
    assert_int_equal(item.gap.end, RUN_BEGIN + end);
    assert_int_equal(item.gap.missing, missing);
}

static void next_event(struct timeline *t, struct timeline_item *item)
{
    do
        assert_true(timeline_next(t, item));
    while (item->kind == TIMELINE_STEP);
    assert_int_equal(item->kind, TIMELINE_EVENT);
}

/* What the image tells of its own losses and pauses, and what its counts tell at the end. */
static void losses_that_are_told(void **state)
{
    struct timeline *t;
    struct wire_writer w;

    (void)state;
    event_run_begin(1);
    event_run_put(100, TRACE_USER, 1);
    event_run_put(200, TRACE_LOST, 17);
    event_run_put(900, TRACE_USER, 2);
    event_run_put(1000, TRACE_PAUSE, TRACE_PAUSED_BY_COMMAND);
    event_run_put(5000, TRACE_CONTINUE, trace_task(101, 2));
    event_encoder_skip_to(&event_sender, 25, trace_task(100, 1));
    event_run_put(9000, TRACE_USER, 3);
    event_encoder_end(&event_sender);
    wire_begin(&w, WIRE_EVENT_COUNTS, &(struct wire_event_counts){.epoch = 1, .recorded = 30, .overwritten = 8,
                                                                  .lost = 20});
    dump_end_frame(&d, &w);
    t = open_stream();
    expect_gap(t, 200, 900, 17, GAP_NO_ROOM);
    expect_gap(t, 1000, 5000, 0, GAP_PAUSED);
    expect_gap(t, 5000, 9000, 3, GAP_OVERWRITTEN);
    expect_gap(t, 5000, 9000, 17, GAP_FRAMES);
    expect_gap(t, 9000, 9000, 4, GAP_FRAMES);
    expect_gap(t, 9000, 9000, 3, GAP_NO_ROOM);
    timeline_close(t);
}

/* A time that goes back by some units is the account's; by a second it is damage. */
static void a_time_that_goes_back(void **state)
{
    struct timeline_item item;
    struct timeline *t;

    (void)state;
    event_run_begin(1);
    event_run_put(2000000000, TRACE_USER, 1);
    event_run_put(1999999900, TRACE_USER, 2);
    event_run_put(100, TRACE_USER, 3);
    event_encoder_end(&event_sender);
    t = open_stream();
    for (unsigned i = 0; i < 2; i++)
        next_event(t, &item);
    expect_gap(t, 1999999900, 1999999900, 0, GAP_BACKWARDS);
    next_event(t, &item);
    assert_int_equal(item.event.time, RUN_BEGIN + 100);
    timeline_close(t);
}

/* Without times the order is still told; without a key the class is not. */
static void unknown_times_and_keys(void **state)
{
    struct timeline_item item;
    struct timeline *t;
    size_t keys;

    (void)state;
    event_run_begin(0);
    keys = d.length;
    for (unsigned i = 0; i < 3; i++)
        event_run_put(i, TRACE_USER, 1);
    event_run_put(9, TRACE_SWITCH, 7);
    event_encoder_flush(&event_sender);
    memmove(d.bytes + keys, d.bytes + d.frame, d.length - d.frame);
    d.length -= d.frame - keys;
    t = open_stream();
    for (uint64_t i = 0; i < 4; i++) {
        next_event(t, &item);
        assert_int_equal(item.event.number, i);
        assert_false(item.event.known & KNOWN_TIME);
        assert_int_equal(item.event.class, i == 0 ? TRACE_USER : i < 3 ? 0 : TRACE_SWITCH);
    }
    timeline_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_whole_run, end),
        cmocka_unit_test_teardown(a_lost_frame, end),
        cmocka_unit_test_teardown(a_cut_stream, end),
        cmocka_unit_test_teardown(losses_that_are_told, end),
        cmocka_unit_test_teardown(a_time_that_goes_back, end),
        cmocka_unit_test_teardown(unknown_times_and_keys, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
