/* SPDX-License-Identifier: MIT */
/* How long things took in a made-up run, by hand; nothing that a gap separates is a pair. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/event_run.h"
#include "tests/host/timeline_of.h"
#include "tools/trace/durations.h"
#include "tools/trace/masked_stretches.h"

#define CYCLES 20

/* Of a whole cycle (event_run_cycle()). */
static const struct {
    enum duration_kind kind;
    uint32_t task;
    uint64_t number;
    int64_t begin, length;
} expected[] = {
    {DURATION_SLEEP, 101, 0, -2000, 3200}, {DURATION_INTERRUPT, 100, 0x40, 1000, 400},
    {DURATION_RUN, 100, 0, -1500, 3500}, {DURATION_READY, 101, 0, 1200, 800}, {DURATION_LATENCY, 101, 0, 1200, 800},
    {DURATION_MASKED, 100, 0, 1000, 1100}, {DURATION_SERVICE, 101, 3, 3000, 1000},
    {DURATION_MASKED, 101, 0, 5500, 100},
    {DURATION_TICK, 101, 0, 5700, 100}, {DURATION_SYSCALL, 101, 5, 5000, 1000},
    {DURATION_RESPONSE, 101, 0, 1200, 6800}, {DURATION_RUN, 101, 0, 2000, 6500}, {DURATION_READY, 100, 0, 1500, 7000},
    {DURATION_MASKED, 101, 0, 7600, 1000},
};
#define EXPECTED (sizeof(expected) / sizeof(expected[0]))

static void durations_of_a_run(void **state)
{
    struct duration ended[DURATION_MOST];
    struct durations durations;
    struct timeline_item item;
    struct timeline *t;
    unsigned found[EXPECTED] = {0}, others = 0;

    (void)state;
    event_run(CYCLES, 3);
    t = timeline_of(d.bytes, d.length, 0);
    durations_begin(&durations);
    while (timeline_next(t, &item)) {
        const unsigned count = durations_take(&durations, &item, ended);

        for (unsigned i = 0; i < count; i++) {
            const int64_t at = ended[i].begin - RUN_BEGIN;
            size_t e = 0;

            while (e < EXPECTED &&
                   (expected[e].kind != ended[i].kind || expected[e].task != trace_task_row(ended[i].task) ||
                    expected[e].number != ended[i].number || expected[e].length != ended[i].length ||
                    (at - expected[e].begin) % RUN_CYCLE))
                e++;
            if (e < EXPECTED)
                found[e]++;
            else
                others++;
        }
    }
    assert_int_equal(others, 0);
    for (size_t e = 0; e < EXPECTED; e++)
        assert_in_range(found[e], CYCLES - 1, CYCLES);
    durations_free(&durations);
    timeline_close(t);
}

static void take(struct durations *of, enum trace_class class, int64_t time, uint64_t argument,
                 unsigned expected_count)
{
    struct duration ended[DURATION_MOST];
    const struct timeline_item item = {
        .kind = TIMELINE_EVENT,
        .event = {.time = time, .class = class, .argument = argument, .known = KNOWN_TASK | KNOWN_TIME, .task = 9},
    };

    assert_int_equal(durations_take(of, &item, ended), expected_count);
}

/* Requests of devices overlap; interrupts nest, and one whose end did not arrive is not told. */
static void overlapping(void **state)
{
    struct duration ended[DURATION_MOST];
    const struct timeline_item gap = {.kind = TIMELINE_GAP, .gap = {50, 60, 1, GAP_FRAMES}};
    struct durations of;

    (void)state;
    durations_begin(&of);
    take(&of, TRACE_IO_START, 1, 1 | 7 << 8, 0);
    take(&of, TRACE_IO_START, 2, 1 | 8 << 8, 0);
    take(&of, TRACE_IO_END, 3, 1 | 7 << 8, 1);
    take(&of, TRACE_IO_END, 3, 1 | 7 << 8, 0);
    take(&of, TRACE_IO_END, 4, 1 | 8 << 8, 1);
    take(&of, TRACE_IRQ_ENTER, 10, 1, 0);
    take(&of, TRACE_IRQ_ENTER, 11, 2, 0);
    take(&of, TRACE_IRQ_EXIT, 12, trace_exit(2, 7), 1);
    take(&of, TRACE_IRQ_EXIT, 13, trace_exit(1, 0), 1);
    take(&of, TRACE_IRQ_EXIT, 14, trace_exit(1, 0), 0);
    take(&of, TRACE_SYSCALL_ENTER, 40, 5, 0);
    assert_int_equal(durations_take(&of, &gap, ended), 0);
    take(&of, TRACE_SYSCALL_EXIT, 70, trace_exit(5, 0), 0);
    for (uint64_t i = 0; i < 3 * DURATION_DEVICES; i++)
        take(&of, TRACE_IO_START, 80, i << 8, 0);
    for (uint64_t i = 0; i < 3 * DURATION_NESTED; i++)
        take(&of, TRACE_IRQ_ENTER, 90, i, 0);
    durations_free(&of);
}

/* Buckets of both kinds, and what they hold. */
static void histograms(void **state)
{
    struct duration_histogram h;
    unsigned first, end;

    (void)state;
    duration_histogram_begin(&h, 0);
    duration_histogram_range(&h, &first, &end);
    assert_int_equal(end, 0);
    for (int64_t length = -3; length < 5000; length++)
        duration_histogram_add(&h, 10 * length, length);
    duration_histogram_range(&h, &first, &end);
    assert_int_equal(first, 0);
    assert_int_equal(end, 14);
    assert_int_equal(h.bucket[0], 4);
    for (unsigned b = 1; b < 13; b++)
        assert_int_equal(h.bucket[b], duration_histogram_from(&h, b + 1) - duration_histogram_from(&h, b));
    assert_int_equal(h.bucket[13], 5000 - 4096);
    assert_int_equal(h.count, 5003);
    assert_int_equal(h.total, 4999 * 2500 - 6);
    assert_int_equal(h.least, -3);
    assert_int_equal(h.greatest, 4999);
    assert_int_equal(h.greatest_at, 49990);
    duration_histogram_begin(&h, 100);
    duration_histogram_add(&h, 0, 99);
    duration_histogram_add(&h, 0, 100);
    duration_histogram_add(&h, 0, INT64_MAX);
    assert_int_equal(h.bucket[0], 1);
    assert_int_equal(h.bucket[1], 1);
    assert_int_equal(h.bucket[DURATION_BUCKETS - 1], 1);
}

/*
 * By cause: the interrupt with its vector and the switch after it, and two sections of system calls,
 * one up to the switch.
 */
static void masked_by_cause(void **state)
{
    static const struct {
        enum masked_cause cause;
        uint64_t number;
        int64_t length, begin;
    } expected_sums[] = {{MASKED_INTERRUPT, 0x40, 1100, 1000}, {MASKED_CALL, 2, 1000, 7600},
                         {MASKED_CALL, 5, 100, 5500}};
    struct masked_stretches *m = calloc(1, sizeof(*m));
    struct timeline_item item;
    struct timeline *t;
    uint64_t ended = 0;

    (void)state;
    event_run(CYCLES, 3);
    t = timeline_of(d.bytes, d.length, 0);
    while (timeline_next(t, &item))
        ended += masked_stretches_take(m, &item) != NULL;
    masked_stretches_sort(m);
    assert_int_equal(ended, 3 * CYCLES - 1);
    assert_int_equal(m->sums, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(m->sum[i].longest.cause, expected_sums[i].cause);
        assert_int_equal(m->sum[i].longest.number, expected_sums[i].number);
        assert_int_equal(m->sum[i].longest.length, expected_sums[i].length);
        assert_int_equal(m->sum[i].longest.begin, RUN_BEGIN + expected_sums[i].begin);
        assert_int_equal(m->sum[i].total, (int64_t)m->sum[i].count * expected_sums[i].length);
    }
    assert_int_equal(m->longests, MASKED_LONGEST);
    assert_int_equal(m->longest[0].length, 1100);
    timeline_close(t);
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(durations_of_a_run, end),
        cmocka_unit_test(overlapping),
        cmocka_unit_test(histograms),
        cmocka_unit_test_teardown(masked_by_cause, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
