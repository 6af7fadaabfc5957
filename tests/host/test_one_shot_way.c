/* SPDX-License-Identifier: MIT */
/*
 * The one-shot that ends at a time: near it to half a count, never in the handler,
 * long ways in pieces of which the last is short.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "probe/core/one_shot_way.h"

#define COUNT   838u   /* clock units of a count, as of the 8254 at 1 GHz */
#define LONGEST 100000u
#define MOST    1000000u
#define EXIT    3000u
#define NOW     5000000u
#define TURNS   100000

static struct one_shot_way way(uint64_t lag)
{
    struct one_shot_way w;

    one_shot_way_set(&w, COUNT, LONGEST, MOST);
    if (lag != 0)
        one_shot_way_began(&w, NOW, NOW + lag);
    return w;
}

/* When the one-shot of this length ends, of whole counts, begun `lag` behind the reading. */
static uint64_t end_of(uint64_t length, uint64_t lag)
{
    return NOW + lag + length / COUNT * COUNT;
}

static void test_near(void **state)
{
    const struct one_shot_way w = way(150);

    (void)state;
    srand(1);
    for (int i = 0; i < TURNS; i++) {
        const uint64_t time = NOW + 150 + EXIT + COUNT + (uint64_t)rand() % (LONGEST - EXIT - COUNT);
        bool piece;
        const int64_t off = (int64_t)(end_of(one_shot_way_to(&w, time, NOW, EXIT, &piece), 150) - time);

        assert_false(piece);
        assert_true(off >= -(int64_t)(COUNT / 2) - 1 && off <= (int64_t)(COUNT / 2) + 1);
    }
}

/* Half a count before a close time could be in the handler: it ends behind the time then, by a count at most. */
static void test_close(void **state)
{
    const struct one_shot_way w = way(150);

    (void)state;
    for (uint64_t left = 0; left < EXIT + COUNT; left++) {
        bool piece;
        const uint64_t length = one_shot_way_to(&w, NOW + 150 + left, NOW, EXIT, &piece);

        assert_false(piece);
        assert_true(length / COUNT * COUNT + COUNT > left + COUNT - 1 && length <= left + COUNT);
    }
}

/* A time that has passed, or that comes before the one-shot can begin: a count, and not the whole counter. */
static void test_passed(void **state)
{
    const struct one_shot_way w = way(150);
    bool piece;

    (void)state;
    for (uint64_t before = 0; before < 10 * MOST; before += 997) {
        assert_int_equal(one_shot_way_to(&w, NOW + 150 - before, NOW, EXIT, &piece), COUNT);
        assert_false(piece);
    }
}

/*
 * A long way: no piece is longer than the timer takes, each leaves a part,
 * and the last begins within `longest` of the time.
 */
static void test_pieces(void **state)
{
    const struct one_shot_way w = way(0);

    (void)state;
    for (uint64_t far = LONGEST; far < 20 * MOST; far += 12345) {
        uint64_t now = NOW;
        unsigned pieces = 0;
        bool piece;

        for (;;) {
            const uint64_t length = one_shot_way_to(&w, NOW + far, now, EXIT, &piece);

            assert_true(length <= MOST + COUNT && length >= COUNT);
            if (!piece)
                break;
            assert_true(now + length < NOW + far);
            now += length;
            assert_true(++pieces < 64);
        }
        assert_true(NOW + far - now <= LONGEST);
        assert_true(far <= LONGEST || pieces > 0);
    }
}

/* The least that was seen counts: what holds a one-shot up once does not make all others early. */
static void test_lag(void **state)
{
    struct one_shot_way w = way(0);

    (void)state;
    one_shot_way_began(&w, NOW, NOW + 200);
    assert_int_equal(w.lag, 200);
    one_shot_way_began(&w, NOW, NOW + 90000);
    assert_int_equal(w.lag, 200);
    one_shot_way_began(&w, NOW, NOW + 120);
    assert_int_equal(w.lag, 120);
    one_shot_way_set(&w, COUNT, LONGEST, 5000);
    assert_int_equal(w.longest, 5000);
    assert_int_equal(w.lag, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near), cmocka_unit_test(test_close), cmocka_unit_test(test_passed),
        cmocka_unit_test(test_pieces), cmocka_unit_test(test_lag),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
