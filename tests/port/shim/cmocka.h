/* SPDX-License-Identifier: MIT */
/* As much of cmocka's interface as unit tests of probe/ use, for processors for which Debian has no cmocka. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

#define cmocka_unit_test(function) { #function, function }
#define cmocka_run_group_tests(tests, begin, end) shim_run(tests, sizeof(tests) / sizeof((tests)[0]))
#define fail_msg(...) (fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), fprintf(stderr, __VA_ARGS__), \
                       fputc('\n', stderr), abort())
#define assert_true(c) ((c) ? (void)0 : (fail_msg("%s", #c)))
#define assert_false(c) assert_true(!(c))
#define assert_null(p) assert_true((p) == NULL)
#define assert_non_null(p) assert_true((p) != NULL)
#define assert_int_equal(a, b) assert_true((unsigned long long)(a) == (unsigned long long)(b))
#define assert_int_not_equal(a, b) assert_true((unsigned long long)(a) != (unsigned long long)(b))
#define assert_in_range(n, low, high) assert_true((unsigned long long)(n) >= (low) && \
                                                  (unsigned long long)(n) <= (high))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)

static inline int shim_run(const struct CMUnitTest *tests, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tests[i].run(&(void *){ NULL });
    printf("%zu tests\n", count);
    return 0;
}
