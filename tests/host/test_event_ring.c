/* SPDX-License-Identifier: MIT */
/*
 * The buffer of events: each mode when it is full, filters, counters; in whatever turn producer
 * and reader come, what was recorded and what was lost add up, and the loss stands in its place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/schedule/splitmix64.h"
#include "probe/trace/event_ring.h"

#define RECORDS 64u

static void put_at(struct event_ring *r, uint64_t time, enum trace_class class, uint64_t argument, uint64_t site)
{
    if (event_ring_is_site(r, class, site))
        event_ring_put(r, time, class, argument);
}

static struct event_record memory[RECORDS];
static struct event_ring ring;
static uint64_t now;

static void begin(enum event_ring_mode mode)
{
    now = 1000;
    event_ring_begin(&ring, &(struct event_ring_request){memory, RECORDS, mode});
    ring.open = ring.mask = UINT32_MAX;
}

static void put(unsigned count)
{
    for (; count > 0; count--) {
        now++;
        event_ring_put(&ring, now, TRACE_SYNC, now);
    }
}

static unsigned take(unsigned count)
{
    struct event_record e;
    unsigned taken = 0;

    while (taken < count && event_ring_take(&ring, &e))
        taken++;
    return taken;
}

static void test_stop_when_full(void **state)
{
    struct event_record e;

    (void)state;
    begin(EVENT_RING_STOP);
    put(RECORDS + 7);
    assert_int_equal(ring.put, RECORDS);
    assert_int_equal(ring.lost, 7);
    assert_int_equal(ring.count[TRACE_SYNC], RECORDS + 7);
    for (unsigned i = 0; i < RECORDS; i++) {
        assert_true(event_ring_take(&ring, &e));
        assert_int_equal(event_record_argument(&e), 1001 + i);
    }
    assert_true(event_ring_take(&ring, &e)); /* the slots are free now: the loss is told */
    assert_int_equal(event_record_class(&e), TRACE_LOST);
    assert_int_equal(event_record_argument(&e), 7);
    assert_int_equal(e.time, 1001 + RECORDS);
    assert_int_equal(ring.lost_time, 1001 + RECORDS);
    assert_false(event_ring_take(&ring, &e));
}

static void test_overwrite(void **state)
{
    struct event_record e;

    (void)state;
    begin(EVENT_RING_OVERWRITE);
    put(5 * RECORDS + 3);
    assert_int_equal(ring.lost, 0);
    assert_int_equal(event_ring_overwritten(&ring), 4 * RECORDS + 3);
    assert_true(event_ring_take(&ring, &e));
    assert_int_equal(event_ring_taken(&ring), 4 * RECORDS + 3);
    assert_int_equal(event_record_argument(&e), 1001 + 4 * RECORDS + 3);
    assert_int_equal(take(1000), RECORDS - 1);
    put(2);
    assert_int_equal(take(1000), 2);
}

/* A quarter of the buffer is from before; it fills, loses, is read, and goes on behind what it says of its losses. */
static void test_freeze(void **state)
{
    struct event_record e;
    const uint64_t from = 3 * RECORDS;

    (void)state;
    begin(EVENT_RING_OVERWRITE);
    put(from);
    event_ring_freeze(&ring, 25);
    event_ring_freeze(&ring, 0); /* the earlier end stays */
    assert_false(event_ring_is_frozen(&ring));
    put(RECORDS + 5);
    assert_true(event_ring_is_frozen(&ring));
    assert_int_equal(ring.put, from + RECORDS / 4 * 3);
    assert_int_equal(ring.lost, RECORDS + 5 - RECORDS / 4 * 3);
    assert_true(event_ring_take(&ring, &e));
    assert_int_equal(event_ring_taken(&ring), from - RECORDS / 4);
    assert_int_equal(take(1000), RECORDS - 1);
    event_ring_release(&ring);
    put(2);
    assert_true(event_ring_take(&ring, &e));
    assert_int_equal(event_record_class(&e), TRACE_LOST);
    assert_int_equal(event_record_argument(&e), ring.lost);
    assert_int_equal(take(1000), 2);
    assert_int_equal(ring.limit, UINT64_MAX);
}

/* What stubs look at: no code is at a closed site; open, a class is recorded without a look. */
static void test_closed(void **state)
{
    const uint32_t class = trace_bit(TRACE_SYSCALL_ENTER);

    (void)state;
    begin(EVENT_RING_STREAM);
    event_ring_close_sites(&ring, class);
    assert_false(ring.plain & class);
    assert_false(event_ring_is_site(&ring, TRACE_SYSCALL_ENTER, 0x400000));
    event_ring_open_sites(&ring, class);
    assert_true(ring.plain & class && event_ring_is_site(&ring, TRACE_SYSCALL_ENTER, 0x400000));
}

static void test_count(void **state)
{
    (void)state;
    begin(EVENT_RING_COUNT);
    put(500);
    event_ring_control(&ring, now, TRACE_PAUSE, 0);
    assert_int_equal(ring.count[TRACE_SYNC], 500);
    assert_int_equal(ring.put, 0);
    assert_int_equal(ring.lost, 0);
    assert_int_equal(take(10), 0);
}

static void test_site(void **state)
{
    (void)state;
    begin(EVENT_RING_STREAM);
    event_ring_set_site(&ring, trace_bit(TRACE_SYSCALL_ENTER), 100, 200);
    assert_int_equal(ring.plain, ~trace_bit(TRACE_SYSCALL_ENTER));
    for (uint64_t site = 99; site <= 201; site++) {
        put_at(&ring, ++now, TRACE_SYSCALL_ENTER, 1, site);
        put_at(&ring, ++now, TRACE_IRQ_ENTER, 1, site); /* has all addresses: 103 events, of which 64 are too many */
        take(2);
    }
    assert_int_equal(ring.count[TRACE_SYSCALL_ENTER], 101);
    assert_int_equal(ring.count[TRACE_IRQ_ENTER], 103);
    put_at(&ring, ++now, TRACE_IRQ_ENTER, 1, UINT64_MAX);
    assert_int_equal(ring.count[TRACE_IRQ_ENTER], 104);
}

/* Any turns of producer and reader: arguments count on, but where LOST says how many are missing, with their time. */
static void check_turns(uint64_t seed, unsigned most_put, unsigned most_taken)
{
    uint64_t random = seed, next = 1001, recorded = 0, lost = 0, first_lost = 0, last = 0;
    struct event_record e;

    begin(EVENT_RING_STREAM);
    for (unsigned turn = 0; turn < 400; turn++) {
        random += SPLITMIX64_GAMMA;
        put((unsigned)(splitmix64_mix(random) % most_put));
        for (uint64_t left = splitmix64_mix(random ^ 99) % most_taken + (turn == 399 ? 10 * RECORDS : 0);
             left > 0 && event_ring_take(&ring, &e); left--) {
            assert_true(e.time > last || (event_record_class(&e) == TRACE_LOST && e.time >= last));
            last = e.time;
            if (event_record_class(&e) != TRACE_LOST) {
                assert_int_equal(event_record_argument(&e), next++);
                recorded++;
                continue;
            }
            assert_int_equal(e.time, next);
            first_lost = first_lost ? first_lost : e.time;
            last = e.time + event_record_argument(&e) - 1;
            next += event_record_argument(&e);
            lost += event_record_argument(&e);
        }
    }
    assert_int_equal(ring.count[TRACE_SYNC], recorded + lost);
    assert_int_equal(ring.lost, lost);
    assert_int_equal(ring.told, lost);
    assert_int_equal(ring.lost_time, first_lost);
    assert_int_equal(next, now + 1);
}

static void test_stream(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        check_turns(seed, 20, 25);
        check_turns(seed, 40, 20);
        check_turns(seed, 200, 30);
        check_turns(seed, 3, 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stop_when_full), cmocka_unit_test(test_overwrite), cmocka_unit_test(test_freeze),
        cmocka_unit_test(test_closed), cmocka_unit_test(test_count),
        cmocka_unit_test(test_site), cmocka_unit_test(test_stream),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
