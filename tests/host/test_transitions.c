/* SPDX-License-Identifier: MIT */
/* The log of changes of cell added up: lost, doubled and shuffled frames, and what they mean; one by one in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/coding/cobs.h"
#include "probe/stream/wire.h"
#include "tools/records/number_set.h"
#include "tools/records/transitions.h"

#define CHANGES 1000
#define FRAME   50 /* changes in one */
#define FRAMES  (CHANGES / FRAME)
#define TASKS   3

/* Change n, by rule: cells in turn, MONITOR among them; each tenth goes back in time. */
static uint64_t cell_of(uint64_t n)
{
    return n % (1 + 8 * TASKS);
}

static int64_t time_of(uint64_t n)
{
    return n % 10 == 9 ? -(int64_t)n : (int64_t)(n * n);
}

/* A frame on its way: valid until the next one. */
static struct wire_reader sent(struct wire_writer *w)
{
    static uint8_t bytes[WIRE_FRAME_MAX];
    uint8_t encoded[WIRE_FRAME_MAX];
    const size_t length = wire_end(w, 1, encoded);
    struct wire_reader r;

    assert_true(length > 2);
    memcpy(bytes, encoded + 1, length - 2);
    assert_int_equal(wire_open(&r, bytes, length - 2), WIRE_INTACT);
    return r;
}

static bool give(struct transitions *t, struct wire_writer *w)
{
    struct wire_reader r = sent(w);

    return transitions_add_frame(t, &r);
}

static void write_changes(struct wire_writer *w, unsigned frame)
{
    wire_begin(w, WIRE_TRANSITIONS, &(struct wire_transitions){1, frame * FRAME});
    for (uint64_t n = frame * FRAME; n < (frame + 1) * FRAME; n++)
        assert_true(wire_row(w, WIRE_TRANSITIONS,
                             &(struct wire_transitions_row){cell_of(n), wire_zigzag(time_of(n))}));
}

static void give_changes(struct transitions *t, unsigned frame)
{
    struct wire_writer w;

    write_changes(&w, frame);
    assert_true(give(t, &w));
}

static void give_tasks(struct transitions *t, uint64_t lost)
{
    struct wire_writer w;

    wire_begin(&w, WIRE_LOGGED, &(struct wire_logged){1, CHANGES, lost});
    for (uint64_t task = 0; task < TASKS; task++)
        assert_true(wire_row(&w, WIRE_LOGGED, &(struct wire_logged_row){task, 100 + task}));
    assert_true(give(t, &w));
}

/* The sums of all changes but those of one frame. */
static void check_sums(const struct transitions *t, unsigned without)
{
    struct transition_sum sum[1 + 8 * TASKS] = {0};

    for (uint64_t n = 0; n < CHANGES; n++) {
        if (n / FRAME == without)
            continue;
        sum[cell_of(n)].time += time_of(n);
        sum[cell_of(n)].count++;
    }
    assert_int_equal(t->cells, 1 + 8 * TASKS);
    for (uint64_t cell = 0; cell < t->cells; cell++) {
        assert_true(t->cell[cell].time == sum[cell].time);
        assert_int_equal(t->cell[cell].count, sum[cell].count);
    }
}

/* Whatever frame is lost, the others are added once, and the gap is counted. */
static void test_each_frame_lost(void **state)
{
    (void)state;
    for (unsigned lost = 0; lost <= FRAMES; lost++) {
        struct transitions *t = transitions_new();

        give_tasks(t, 0);
        for (unsigned f = FRAMES; f-- > 0;) /* backwards, and each second one twice */
            for (unsigned times = 0; f != lost && times <= f % 2; times++)
                give_changes(t, f);
        assert_int_equal(t->count, lost < FRAMES ? CHANGES - FRAME : CHANGES);
        assert_int_equal(transitions_missing(t), CHANGES - t->count);
        check_sums(t, lost);
        transitions_free(t);
    }
}

/* Frames in any order make as many stretches as they leave, and joined stretches are one. */
static void test_any_order(void **state)
{
    (void)state;
    for (unsigned step = 1; step < FRAMES; step++) {
        struct transitions *t = transitions_new();

        for (unsigned f = 0; f < FRAMES; f++)
            give_changes(t, f * (step | 1) % FRAMES);
        for (unsigned f = 0; f < FRAMES; f++)
            give_changes(t, f);
        assert_int_equal(t->numbers.ranges, 1);
        assert_int_equal(number_set_end(&t->numbers), CHANGES);
        check_sums(t, FRAMES);
        transitions_free(t);
    }
}

static void give_one(struct transitions *t, uint64_t number)
{
    struct wire_writer w;

    wire_begin(&w, WIRE_TRANSITIONS, &(struct wire_transitions){1, number});
    assert_true(wire_row(&w, WIRE_TRANSITIONS, &(struct wire_transitions_row){1, 2}));
    assert_true(give(t, &w));
}

/* More stretches than are told apart: all are added, the first gaps are given up, and memory is bounded. */
static void test_many_gaps(void **state)
{
    struct transitions *t = transitions_new();

    (void)state;
    for (uint64_t n = 1; n <= 2 * NUMBER_RANGES; n++)
        give_one(t, 2 * n);
    assert_int_equal(t->count, 2 * NUMBER_RANGES);
    assert_int_equal(t->cell[1].count, t->count);
    give_one(t, 0);                     /* no room before the first */
    give_one(t, 5);                     /* in a gap that was given up */
    give_one(t, 2);                     /* again */
    give_one(t, 4 * NUMBER_RANGES);     /* again */
    assert_int_equal(t->count, 2 * NUMBER_RANGES);
    give_one(t, 4 * NUMBER_RANGES - 1); /* in the last gap */
    assert_int_equal(t->count, 2 * NUMBER_RANGES + 1);
    assert_true(transitions_bytes(t) < 64 * 1024);
    transitions_free(t);
}

static void check(const struct transition *one)
{
    const uint64_t cell = cell_of(one->number) - 1;

    assert_int_equal(one->time, time_of(one->number));
    assert_int_equal(one->monitor, cell_of(one->number) == 0);
    if (one->monitor)
        return;
    assert_true(one->known);
    assert_int_equal(one->id, 100 + cell / 8);
    assert_int_equal(one->mode, cell % 8 / 2);
    assert_int_equal(one->masked, cell % 2);
}

/* One by one in the order of their numbers; what comes again or late is left out and counted. */
static void test_one_by_one(void **state)
{
    static const unsigned order[] = {0, 1, 1, 4, 2, 5};
    struct transitions *t = transitions_new();
    struct transition_rows rows = {.meaning = t};
    struct transition one;
    uint64_t given = 0;

    (void)state;
    give_tasks(t, 0);
    for (unsigned f = 0; f < sizeof(order) / sizeof(order[0]); f++) {
        struct wire_writer w;

        write_changes(&w, order[f]);
        transition_rows_frame(&rows, sent(&w));
        for (; transition_rows_next(&rows, &one); given++)
            check(&one);
    }
    assert_int_equal(given, 4 * FRAME);
    assert_int_equal(rows.late, 2 * FRAME);
    transitions_free(t);
}

/* What the image's log had no room for is lost, and not missing. */
static void test_overflow(void **state)
{
    struct transitions *t = transitions_new();

    (void)state;
    for (unsigned f = 4; f < FRAMES; f++)
        give_changes(t, f);
    give_tasks(t, 4 * FRAME);
    assert_int_equal(t->lost, 4 * FRAME);
    assert_int_equal(transitions_missing(t), 0);
    assert_int_equal(t->numbers.range[0].begin, 4 * FRAME);
    transitions_free(t);
}

/* Without LOGGED no task has a name, and MONITOR is what it is. */
static void test_unnamed(void **state)
{
    struct transitions *t = transitions_new();

    (void)state;
    give_changes(t, 0);
    assert_int_equal(t->told, 0);
    assert_true(transition_of_cell(t, 0).monitor);
    assert_false(transition_of_cell(t, cell_of(1)).known);
    transitions_free(t);
}

/* A number of a task that no image has takes no memory. */
static void test_damage(void **state)
{
    struct transitions *t = transitions_new();
    struct wire_writer w;

    (void)state;
    wire_begin(&w, WIRE_LOGGED, &(struct wire_logged){1, 1, 0});
    wire_row(&w, WIRE_LOGGED, &(struct wire_logged_row){UINT64_MAX, 1});
    wire_row(&w, WIRE_LOGGED, &(struct wire_logged_row){2, 7});
    assert_true(give(t, &w));
    wire_begin(&w, WIRE_TRANSITIONS, &(struct wire_transitions){1, UINT64_MAX});
    wire_row(&w, WIRE_TRANSITIONS, &(struct wire_transitions_row){UINT64_MAX, UINT64_MAX});
    wire_row(&w, WIRE_TRANSITIONS, &(struct wire_transitions_row){1 + 8 * 2, 4});
    assert_true(give(t, &w));
    assert_int_equal(t->ids, 3);
    assert_int_equal(t->count, 1);
    assert_true(transition_of_cell(t, 1 + 8 * 2).known && transition_of_cell(t, 1 + 8 * 2).id == 7);
    assert_int_equal(t->strange, 1);
    assert_int_equal(t->cells, 2 + 8 * 2);
    transitions_free(t);
}

/* An id of more than 32 bits is not the one that its last 32 bits are. */
static void test_wide_id(void **state)
{
    struct transitions *t = transitions_new();
    struct wire_writer w;

    (void)state;
    wire_begin(&w, WIRE_LOGGED, &(struct wire_logged){1, 2, 0});
    assert_true(wire_row(&w, WIRE_LOGGED, &(struct wire_logged_row){0, ((uint64_t)1 << 32) + 100}));
    assert_true(wire_row(&w, WIRE_LOGGED, &(struct wire_logged_row){1, UINT32_MAX}));
    assert_false(give(t, &w));
    wire_begin(&w, WIRE_TRANSITIONS, &(struct wire_transitions){1, 0});
    assert_true(wire_row(&w, WIRE_TRANSITIONS, &(struct wire_transitions_row){1, 0}));
    assert_true(wire_row(&w, WIRE_TRANSITIONS, &(struct wire_transitions_row){9, 0}));
    assert_true(give(t, &w));
    assert_false(transition_of_cell(t, 1).known);
    assert_true(transition_of_cell(t, 9).known && transition_of_cell(t, 9).id == UINT32_MAX);
    transitions_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_frame_lost), cmocka_unit_test(test_any_order), cmocka_unit_test(test_many_gaps),
        cmocka_unit_test(test_one_by_one), cmocka_unit_test(test_overflow), cmocka_unit_test(test_unnamed),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_wide_id),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
