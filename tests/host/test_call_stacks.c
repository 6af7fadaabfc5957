/* SPDX-License-Identifier: MIT */
/* Counters by call stack (probe/core/call_stacks.c) against a plain list of the stacks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe/core/call_stacks.h"

#define MOST 256

static struct call_stacks t = CALL_STACKS(MOST);

/* Stacks differ in each of their parts. */
static struct call_stack_key key_of(unsigned n)
{
    struct call_stack_key key = {.task = n % 3, .mode = n % 2 ? MODE_KERNEL : MODE_SUPERVISOR,
                                 .depth = (uint16_t)(1 + n % 4)};

    for (unsigned i = 0; i < key.depth; i++)
        key.pc[i] = 0x400000 + 16 * n + i;
    return key;
}

static void test_each_has_its_own(void **state)
{
    const unsigned stacks = MOST / 2; /* homes enough for all */

    (void)state;
    call_stacks_init(&t);
    for (unsigned turn = 1; turn <= 3; turn++)
        for (unsigned n = 0; n < stacks; n++) {
            const struct call_stack_key key = key_of(n);
            struct call_stack *s = call_stacks_find(&t, &key);

            assert_non_null(s);
            assert_int_equal(++s->count, turn);
            assert_memory_equal(&s->key, &key, sizeof(key));
            assert_ptr_equal(call_stacks_seek(&t, &key), s);
        }
    assert_int_equal(t.used, stacks);
    assert_int_equal(t.lost, 0);
}

/* Stacks that are alike but for one part are not taken for each other. */
static void test_parts(void **state)
{
    struct call_stack_key key = key_of(3), other[4] = {key, key, key, key};
    struct call_stack *s;

    (void)state;
    call_stacks_init(&t);
    s = call_stacks_find(&t, &key);
    other[0].task++;
    other[1].mode = MODE_SUPERVISOR;
    other[2].depth--;
    other[3].pc[key.depth - 1]++;
    for (unsigned i = 0; i < 4; i++) {
        assert_null(call_stacks_seek(&t, &other[i]));
        assert_ptr_not_equal(call_stacks_find(&t, &other[i]), s);
    }
}

/* A full table, and homes that are all others', lose a stack each time and never a record. */
static void test_full(void **state)
{
    unsigned found = 0, kept = 0;

    (void)state;
    call_stacks_init(&t);
    for (unsigned n = 0; n < 10 * MOST; n++) {
        const struct call_stack_key key = key_of(n);

        found += call_stacks_find(&t, &key) != NULL;
    }
    assert_int_equal(found, t.used);
    assert_in_range(t.used, 1, MOST);
    assert_int_equal(t.lost, 10 * MOST - found);
    for (unsigned n = 0; n < 10 * MOST; n++) {
        const struct call_stack_key key = key_of(n);

        kept += call_stacks_seek(&t, &key) != NULL;
    }
    assert_int_equal(kept, found);
    call_stacks_init(&t);
    assert_null(call_stacks_seek(&t, &(struct call_stack_key){.depth = 1}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_has_its_own), cmocka_unit_test(test_parts),
                                       cmocka_unit_test(test_full)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
