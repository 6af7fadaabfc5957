/* SPDX-License-Identifier: MIT */
/* The log of changes of cell put together again: lost, doubled and shuffled frames, and what they mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stream/cobs.h"
#include "probe/stream/wire.h"
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

static bool give(struct transitions *t, struct wire_writer *w)
{
    uint8_t encoded[WIRE_FRAME_MAX], bytes[WIRE_FRAME_MAX];
    const size_t length = wire_end(w, 1, encoded);
    struct wire_reader r;

    assert_true(length > 2);
    memcpy(bytes, encoded + 1, length - 2);
    assert_int_equal(wire_open(&r, bytes, length - 2), WIRE_INTACT);
    return transitions_add_frame(t, &r);
}

static void give_changes(struct transitions *t, unsigned frame)
{
    struct wire_writer w;

    wire_begin(&w, WIRE_TRANSITIONS, &(struct wire_transitions){1, frame * FRAME});
    for (uint64_t n = frame * FRAME; n < (frame + 1) * FRAME; n++)
        assert_true(wire_row(&w, WIRE_TRANSITIONS, &(struct wire_transitions_row){cell_of(n), wire_zigzag(time_of(n))}));
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

/* Whatever frame is lost, the others are in order and right, and the gap is counted. */
static void test_each_frame_lost(void **state)
{
    (void)state;
    for (unsigned lost = 0; lost <= FRAMES; lost++) {
        struct transitions *t = transitions_new();

        give_tasks(t, 0);
        for (unsigned f = FRAMES; f-- > 0;) /* backwards, and each second one twice */
            for (unsigned times = 0; f != lost && times <= f % 2; times++)
                give_changes(t, f);
        transitions_finish(t);
        assert_int_equal(t->count, lost < FRAMES ? CHANGES - FRAME : CHANGES);
        assert_int_equal(transitions_missing(t), CHANGES - t->count);
        for (size_t i = 0; i < t->count; i++) {
            check(&t->transition[i]);
            assert_true(i == 0 || t->transition[i].number > t->transition[i - 1].number);
        }
        transitions_free(t);
    }
}

/* What the image's log had no room for is lost, and not missing. */
static void test_overflow(void **state)
{
    struct transitions *t = transitions_new();

    (void)state;
    for (unsigned f = 4; f < FRAMES; f++)
        give_changes(t, f);
    give_tasks(t, 4 * FRAME);
    transitions_finish(t);
    assert_int_equal(t->lost, 4 * FRAME);
    assert_int_equal(transitions_missing(t), 0);
    assert_int_equal(t->transition[0].number, 4 * FRAME);
    transitions_free(t);
}

/* Without LOGGED no task has a name, and MONITOR is what it is. */
static void test_unnamed(void **state)
{
    struct transitions *t = transitions_new();

    (void)state;
    give_changes(t, 0);
    transitions_finish(t);
    assert_int_equal(t->told, 0);
    assert_true(t->transition[0].monitor);
    assert_false(t->transition[1].known);
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
    transitions_finish(t);
    assert_int_equal(t->ids, 3);
    assert_int_equal(t->count, 2);
    assert_true(t->transition[0].known && t->transition[0].id == 7);
    assert_false(t->transition[1].known);
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
    transitions_finish(t);
    assert_false(t->transition[0].known);
    assert_true(t->transition[1].known && t->transition[1].id == UINT32_MAX);
    transitions_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_frame_lost), cmocka_unit_test(test_overflow), cmocka_unit_test(test_unnamed),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_wide_id),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
