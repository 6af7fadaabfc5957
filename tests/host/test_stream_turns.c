/* SPDX-License-Identifier: MIT */
/* What is sent beside the samples: within ten seconds all of it, and below the budget where that allows it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/report/stream_turns.c"

#define SECONDS 1000u
#define MOST    9u /* seconds from one to the next: with the second in which it is sent ten */

/* The bytes of each. */
struct sizes {
    uint32_t of[STREAM_TURNS];
};

/* What a run of these sizes sent after its first ten seconds, and when. */
struct run {
    uint64_t bytes;
    uint32_t snapshots, longest[STREAM_TURNS], last[STREAM_TURNS];
};

static void send(struct stream_turns *t, struct run *r, const struct sizes *s, enum stream_turn what, uint32_t second)
{
    const uint32_t gap = second - r->last[what];

    stream_turns_sent(t, what, s->of[what]);
    if (gap > r->longest[what])
        r->longest[what] = gap;
    r->last[what] = second;
    if (second > 10)
        r->bytes += s->of[what];
}

static struct run run_of(const struct sizes *s)
{
    struct stream_turns t;
    struct run r = {0};

    stream_turns_begin(&t);
    for (uint32_t second = 1; second <= 10 + SECONDS; second++) {
        stream_turns_second(&t);
        for (enum stream_turn what = STREAM_HELLO; what <= STREAM_PROGRAMS; what++)
            if (stream_turns_due(&t, what) && what != STREAM_NAMES)
                send(&t, &r, s, what, second);
        if (!stream_turns_due(&t, STREAM_DELTA))
            continue;
        r.snapshots += second > 10;
        if (stream_turns_due(&t, STREAM_NAMES))
            send(&t, &r, s, STREAM_NAMES, second);
        send(&t, &r, s, stream_turns_due(&t, STREAM_WHOLE) ? STREAM_WHOLE : STREAM_DELTA, second);
    }
    return r;
}

static void check_promise(const struct run *r)
{
    for (enum stream_turn what = STREAM_WHOLE; what <= STREAM_PROGRAMS; what++)
        assert_in_range(r->longest[what], 1, MOST);
}

/* A few tasks: a snapshot each second. */
static void test_small(void **state)
{
    const struct run r = run_of(&(struct sizes){{300, 600, 60, 50, 150}});

    (void)state;
    check_promise(&r);
    assert_int_equal(r.snapshots, SECONDS);
    assert_in_range(r.bytes, 1, STREAM_BUDGET * SECONDS);
}

/* figure3's 37 rows: each second one. */
static void test_figure3(void **state)
{
    const struct run r = run_of(&(struct sizes){{1750, 606, 427, 116, 780}});

    (void)state;
    check_promise(&r);
    assert_int_equal(r.snapshots, SECONDS / 2);
    assert_in_range(r.bytes, 1, STREAM_BUDGET * SECONDS);
}

/* A full table: the promise takes more than the budget, and there is still one snapshot between two whole ones. */
static void test_large(void **state)
{
    const struct run r = run_of(&(struct sizes){{8000, 600, 2500, 1500, 3000}});

    (void)state;
    check_promise(&r);
    assert_int_equal(r.snapshots, SECONDS / LONGEST);
}

/* A line without room for a minute: all of it is due at once, and nothing is forgotten. */
static void test_after_a_stall(void **state)
{
    struct stream_turns t;

    (void)state;
    stream_turns_begin(&t);
    for (unsigned i = 0; i < 60; i++)
        stream_turns_second(&t);
    for (enum stream_turn what = STREAM_WHOLE; what < STREAM_TURNS; what++)
        assert_true(stream_turns_due(&t, what));
    for (enum stream_turn what = STREAM_WHOLE; what < STREAM_DELTA; what++)
        stream_turns_sent(&t, what, UINT64_MAX);
    for (enum stream_turn what = STREAM_WHOLE; what < STREAM_TURNS; what++)
        assert_false(stream_turns_due(&t, what)); /* a whole snapshot is one */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_figure3),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_after_a_stall),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
