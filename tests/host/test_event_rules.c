/* SPDX-License-Identifier: MIT */
/* Which rules an event meets, what they count, and what is left to be done. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "probe/trace/event_rules.h"

#define ALL 0xffu

/* user 3: add to counter 1; any call 5's end: set it to 9 and stop; a switch: reset it and write. */
static struct event_rules some_rules(void)
{
    return (struct event_rules){
        .count = 3,
        .rule = {{.classes = trace_bit(TRACE_USER), .number = 3, .counting = COUNTING_ADD, .counter = 1},
                 {.classes = trace_bit(TRACE_SYSCALL_EXIT), .number = 5, .counting = COUNTING_SET, .counter = 1,
                  .value = 9,
                  .actions = ACTION_STOP},
                 {.classes = trace_bit(TRACE_SWITCH) | trace_bit(TRACE_USER), .any = true, .counting = COUNTING_RESET,
                  .counter = 1, .actions = ACTION_WRITE}}};
}

static void test_met(void **state)
{
    const struct event_rules r = some_rules();

    (void)state;
    assert_int_equal(event_rules_classes(&r),
                     trace_bit(TRACE_USER) | trace_bit(TRACE_SYSCALL_EXIT) | trace_bit(TRACE_SWITCH));
    assert_int_equal(event_rules_met(&r, TRACE_USER, 3 | 0x700, ALL), 5); /* its number is the low byte */
    assert_int_equal(event_rules_met(&r, TRACE_USER, 4, ALL), 4);
    assert_int_equal(event_rules_met(&r, TRACE_USER, 3, 1), 1); /* the others are about other tasks */
    assert_int_equal(event_rules_met(&r, TRACE_SYSCALL_EXIT, trace_exit(5, 4), ALL), 2);
    assert_int_equal(event_rules_met(&r, TRACE_SYSCALL_EXIT, trace_exit(0x105, 4), ALL), 0);
    assert_int_equal(event_rules_met(&r, TRACE_SYSCALL_ENTER, 5, ALL), 0);
    assert_int_equal(event_rules_met(&r, TRACE_SWITCH, trace_task(7, 3), ALL), 4);
}

static void test_count(void **state)
{
    struct event_rules r = some_rules();

    (void)state;
    assert_int_equal(event_rules_count(&r, 1, 100), 0);
    assert_int_equal(event_rules_count(&r, 1, 200), 0);
    assert_true(r.counter[1] == 2 && r.hits[0] == 2 && r.last[0] == 200);
    assert_int_equal(event_rules_count(&r, 2, 300), ACTION_STOP);
    assert_int_equal(r.counter[1], 9);
    assert_int_equal(event_rules_count(&r, 6, 400), ACTION_STOP | ACTION_WRITE);
    assert_true(r.counter[1] == 0 && r.hits[1] == 2 && r.hits[2] == 1 && r.counter[0] == 0);
    assert_int_equal(event_rules_count(&r, 0, 500), 0);
    assert_int_equal(event_rules_count(&r, 1u << 7, 500), 0); /* there is no such rule */
}

static void test_with(void **state)
{
    const struct event_rules r = some_rules();

    (void)state;
    assert_int_equal(event_rules_with(&r, 6, ACTION_WRITE), 2);
    assert_int_equal(event_rules_with(&r, 6, ACTION_WRITE | ACTION_STOP), 1);
    assert_int_equal(event_rules_with(&r, 1, ACTION_STOP), EVENT_RULES_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_met),
        cmocka_unit_test(test_count),
        cmocka_unit_test(test_with),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
