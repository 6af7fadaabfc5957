/* SPDX-License-Identifier: MIT */
/* Late events come into the order of their times, and nothing that was taken or overwritten is moved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "probe/trace/event_ring.h"

#define RECORDS 64

static struct event_record memory[RECORDS], room[RECORDS];

static struct event_ring ring(enum event_ring_mode mode)
{
    struct event_ring r;

    event_ring_begin(&r, &(struct event_ring_request){memory, RECORDS, mode});
    return r;
}

static void put(struct event_ring *r, enum trace_class class, uint64_t time)
{
    event_ring_put(r, time, class, time);
}

/* Every record that is left is taken in the order of time; how many. */
static unsigned take_in_order(struct event_ring *r)
{
    struct event_record e;
    uint64_t last = 0;
    unsigned n = 0;

    for (; event_ring_take(r, &e); n++) {
        assert_true(e.time >= last);
        assert_int_equal(event_record_argument(&e), e.time);
        last = e.time;
    }
    return n;
}

static void late_ones_among_early_ones(void **state)
{
    struct event_ring r = ring(EVENT_RING_STREAM);

    (void)state;
    for (uint64_t t = 10; t <= 50; t += 10)
        put(&r, TRACE_IRQ_ENTER, t);
    put(&r, TRACE_USER, 15);
    put(&r, TRACE_USER, 40);
    put(&r, TRACE_USER, 60);
    event_ring_merge_last(&r, 3, room);
    assert_int_equal(memory[1].time, 15);
    assert_int_equal(event_record_class(&memory[4]), TRACE_IRQ_ENTER); /* of one time the earlier one stays first */
    assert_int_equal(event_record_class(&memory[5]), TRACE_USER);
    assert_int_equal(take_in_order(&r), 8);
}

static void not_past_a_taken_one(void **state)
{
    struct event_ring r = ring(EVENT_RING_STREAM);
    struct event_record e;

    (void)state;
    put(&r, TRACE_IRQ_ENTER, 10);
    put(&r, TRACE_IRQ_ENTER, 20);
    assert_true(event_ring_take(&r, &e));
    put(&r, TRACE_USER, 5);
    event_ring_merge_last(&r, 1, room);
    assert_int_equal(memory[0].time, 10);
    assert_int_equal(memory[1].time, 5);
    assert_int_equal(memory[2].time, 20);
}

/* Any times, in a ring that wraps: in order at the end, none lost and none twice. */
static void any_times(void **state)
{
    (void)state;
    srand(1);
    for (unsigned round = 0; round < 2000; round++) {
        struct event_ring r = ring(round % 2 ? EVENT_RING_OVERWRITE : EVENT_RING_STREAM);
        const unsigned early = (unsigned)rand() % 40, late = (unsigned)rand() % 20;
        struct event_record e;
        uint64_t time = 1000, since;

        for (unsigned i = 0; i < (unsigned)rand() % 200; i++) {
            put(&r, TRACE_SWITCH, time++);
            if (r.mode == EVENT_RING_STREAM)
                assert_true(event_ring_take(&r, &e));
        }
        since = time;
        for (unsigned i = 0; i < early; i++)
            put(&r, TRACE_IRQ_ENTER, time += (unsigned)rand() % 5);
        for (unsigned i = 0; i < late; i++)
            put(&r, TRACE_USER, since += (unsigned)rand() % 5);
        event_ring_merge_last(&r, late, room);
        if (r.mode == EVENT_RING_STREAM)
            assert_int_equal(take_in_order(&r), early + late);
        else
            assert_in_range(take_in_order(&r), early + late, RECORDS);
    }
}

/* More late ones than the ring has left. */
static void more_than_are_left(void **state)
{
    struct event_ring r = ring(EVENT_RING_OVERWRITE);

    (void)state;
    for (uint64_t t = 1; t <= 3 * RECORDS; t++)
        put(&r, TRACE_USER, t);
    event_ring_merge_last(&r, 3 * RECORDS, room);
    assert_int_equal(take_in_order(&r), RECORDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_ones_among_early_ones),
        cmocka_unit_test(not_past_a_taken_one),
        cmocka_unit_test(any_times),
        cmocka_unit_test(more_than_are_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
