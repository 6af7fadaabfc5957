/* SPDX-License-Identifier: MIT */
/*
 * Entropy of values as they come: by hand, against the one that sorts them, and with more values than are told apart.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/schedule/splitmix64.h"
#include "tests/host/near.h"
#include "tests/host/steps.h"
#include "tools/samples/entropy.h"

static void by_hand(void **state)
{
    struct entropy_tally t = {0};

    (void)state;
    check_near(entropy_tally_bits(&t), 0.0, 0.0);
    entropy_tally_add(&t, 5);
    check_near(entropy_tally_bits(&t), 0.0, 0.0); /* one value says nothing */
    entropy_tally_add(&t, 7);
    check_near(entropy_tally_bits(&t), 1.0, 1e-12);
    entropy_tally_add(&t, 7);
    entropy_tally_add(&t, 7);
    check_near(entropy_tally_bits(&t), 0.811278124459, 1e-9); /* 1/4 * 2 + 3/4 * log2(4/3) */
    entropy_tally_free(&t);
    memset(&t, 0, sizeof(t));
    for (uint64_t i = 0; i < 800; i++)
        entropy_tally_add(&t, i % 8);
    check_near(entropy_tally_bits(&t), 3.0, 1e-12);
    entropy_tally_free(&t);
}

static void as_by_sorting(void **state)
{
    struct entropy_tally t = {0};
    struct steps steps = {0};

    (void)state;
    for (uint64_t i = 0; i < 50000; i++) {
        const int64_t step = (int64_t)(splitmix64_mix(i) % (1 + splitmix64_mix(~i) % 1000));

        entropy_tally_add(&t, (uint64_t)step);
        steps_add(&steps, &step, 1);
    }
    check_near(entropy_tally_bits(&t), entropy_of_steps(&steps), 1e-9);
    entropy_tally_free(&t);
    free(steps.bytes);
}

/* Values without a place count as one: less than the entropy is told, and that is known. */
static void more_than_there_is_room_for(void **state)
{
    struct entropy_tally t = {0};

    (void)state;
    for (uint64_t i = 0; i < 4 * ENTROPY_VALUES; i++)
        entropy_tally_add(&t, i);
    assert_int_equal(t.values, ENTROPY_VALUES);
    assert_int_equal(t.rest, 3 * ENTROPY_VALUES);
    check_near(entropy_tally_bits(&t), 0.25 * 18.0 + 0.75 * 0.415037499279, 1e-9); /* of 18 bits */
    entropy_tally_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand), cmocka_unit_test(as_by_sorting), cmocka_unit_test(more_than_there_is_room_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
