/* SPDX-License-Identifier: MIT */
/* What tasks did with their time in made-up runs: by hand, to the unit; who ran meanwhile; gaps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/schedule/splitmix64.h"
#include "tests/host/event_run.h"
#include "tests/host/timeline_of.h"
#include "tools/trace/waits.h"

static struct waits waits_of_stream(void)
{
    struct timeline *t = timeline_of(d.bytes, d.length, 0);
    struct timeline_item item;
    struct waits w;

    assert_non_null(t);
    waits_begin(&w);
    while (timeline_next(t, &item))
        waits_take(&w, &item);
    waits_finish(&w);
    timeline_close(t);
    return w;
}

static const struct wait_row *row_of(const struct waits *w, uint32_t id)
{
    const size_t at = index_find(&w->row_of, id);

    assert_true(at != INDEX_NONE);
    return &w->row[at];
}

static void add_up(const struct waits *w)
{
    for (size_t r = 0; r < w->rows; r++) {
        int64_t sum = 0, behind = 0;

        for (unsigned s = 0; s < WAIT_STATES; s++)
            sum += w->row[r].time[s];
        assert_int_equal(sum, (w->end - w->begin) * (int64_t)w->row[r].tasks);
        for (size_t by = 0; by < w->rows; by++)
            behind += waits_behind(w, r, by);
        if (!w->gaps)
            assert_int_equal(behind, w->row[r].time[WAIT_READY]);
    }
}

/* Cycles of event_run.h: 101 sleeps from 8500 to 1200, is ready to 2000 and runs to 8500. */
static void a_whole_run(void **state)
{
    const int64_t n = 30;
    struct waits w;

    (void)state;
    event_run((uint64_t)n, 1);
    w = waits_of_stream();
    assert_int_equal(w.begin, RUN_BEGIN + 1000);
    assert_int_equal(w.end, RUN_BEGIN + (n - 1) * RUN_CYCLE + 8600);
    assert_int_equal(row_of(&w, 101)->time[WAIT_RUN], n * 6500);
    assert_int_equal(row_of(&w, 101)->time[WAIT_READY], n * 800);
    assert_int_equal(row_of(&w, 101)->time[WAIT_SLEEP], 200 + (n - 1) * 2700 + 100);
    assert_int_equal(row_of(&w, 101)->longest, 800);
    assert_int_equal(row_of(&w, 101)->longest_at, RUN_BEGIN + 1200);
    assert_int_equal(row_of(&w, 101)->wakes, n);
    assert_int_equal(row_of(&w, 101)->masked, n * 1100 + (n - 1) * 0);
    assert_int_equal(row_of(&w, 100)->time[WAIT_READY], n * 6500);
    assert_int_equal(row_of(&w, 100)->longest, 6500);
    assert_int_equal(w.row[row_of(&w, 100)->longest_behind].id, 101);
    assert_int_equal(waits_behind(&w, index_find(&w.row_of, 100), index_find(&w.row_of, 101)), n * 6500);
    add_up(&w);
    waits_free(&w);
}

static uint64_t random_state;

static uint64_t below(uint64_t n)
{
    random_state += SPLITMIX64_GAMMA;
    return splitmix64_mix(random_state) % n;
}

/* Any order of events adds up, whatever they tell; gaps too. */
static void any_order(void **state)
{
    static const enum trace_class class[] = {TRACE_SWITCH, TRACE_SWITCH, TRACE_SWITCH, TRACE_READY, TRACE_SLEEP,
                                             TRACE_WAKE, TRACE_START, TRACE_END, TRACE_IRQ_ENTER, TRACE_IRQ_EXIT,
                                             TRACE_PAUSE, TRACE_CONTINUE, TRACE_LOST};

    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        const uint64_t classes = seed % 2 ? sizeof(class) / sizeof(class[0]) : 8;
        struct waits w;
        int64_t now = 0;

        random_state = seed;
        d.length = 0;
        event_run_begin(1);
        for (unsigned i = 0; i < 200; i++) {
            const uint64_t row = below(10) ? 100 + below(5) : ROW_IDLE;

            now += (int64_t)below(1000);
            event_run_put(now, class[below(classes)], trace_task((uint32_t)row, (uint32_t)below(2)));
        }
        event_encoder_end(&event_sender);
        w = waits_of_stream();
        add_up(&w);
        waits_free(&w);
    }
}

static struct waits waits_of_tasks(uint32_t tasks)
{
    struct waits w;

    waits_begin(&w);
    for (uint32_t i = 0; i < tasks; i++)
        waits_take(&w, &(struct timeline_item){.kind = TIMELINE_EVENT, .event = {
            .time = 1000 + i, .class = TRACE_START, .argument = trace_task(100 + i, 1),
            .known = KNOWN_TIME}});
    waits_finish(&w);
    return w;
}

/* Later rows share the last one, which has the times of their tasks. */
static void many_rows(void **state)
{
    struct waits w = waits_of_tasks(WAIT_TABLE), more = waits_of_tasks(3 * WAIT_TABLE);

    (void)state;
    assert_int_equal(w.rows, WAIT_TABLE);
    assert_int_equal(more.rows, WAIT_TABLE);
    assert_int_equal(more.row[WAIT_TABLE - 1].id, WAIT_OTHERS);
    assert_int_equal(more.row[WAIT_TABLE - 1].tasks, 2 * WAIT_TABLE + 1);
    assert_int_equal(more.row[WAIT_TABLE - 2].tasks, 1);
    for (size_t r = 0; r < more.rows; r++) {
        int64_t sum = 0;

        for (unsigned s = 0; s < WAIT_STATES; s++)
            sum += more.row[r].time[s];
        assert_int_equal(sum, (more.end - more.begin) * (int64_t)more.row[r].tasks);
    }
    assert_false(more.forgotten);
    waits_free(&w);
    waits_free(&more);
}

/* So many tasks at a time, and no more. */
static void many_tasks(void **state)
{
    struct waits w = waits_of_tasks(WAIT_TASKS), more = waits_of_tasks(WAIT_TASKS + 1);

    (void)state;
    assert_false(w.forgotten);
    assert_int_equal(w.tasks, WAIT_TASKS);
    assert_true(more.forgotten && more.gaps);
    assert_int_equal(more.tasks, 1);
    waits_free(&w);
    waits_free(&more);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_whole_run, end),
        cmocka_unit_test_teardown(any_order, end),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(many_tasks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
