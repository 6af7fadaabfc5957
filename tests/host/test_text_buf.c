/* SPDX-License-Identifier: MIT */
/*
 * Lines and digits without libc: against printf, and at the ends of the numbers.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "probe/text/refusal.h"
#include "probe/text/text_buf.h"

static void test_digits(void **state)
{
    static const struct {
        double x;
        unsigned decimals;
        const char *plus, *wanted;
    } cases[] = {
        {0.0, 0, "", "0"},       {0.0, 2, "+", "+0.00"},   {0.05, 1, "", "0.1"},
        {0.049, 1, "", "0.0"},   {-0.004, 2, "+", "+0.00"}, {-0.006, 2, "+", "-0.01"},
        {99.96, 1, "", "100.0"}, {12.345, 3, "", "12.345"},
        {1e17, 0, "", "100000000000000000"},
        {9.1e18, 0, "", "n.a."}, {NAN, 2, "+", "n.a."},     {INFINITY, 2, "", "n.a."},
    };
    char out[FORMAT_DIGITS], wanted[FORMAT_DIGITS];
    uint64_t n = 1;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        format_real(out, cases[i].x, cases[i].decimals, cases[i].plus);
        assert_string_equal(out, cases[i].wanted);
    }
    format_number(out, UINT64_MAX, 0, "");
    assert_string_equal(out, "18446744073709551615");
    format_number(out, 7, 3, "-");
    assert_string_equal(out, "-0.007");
    for (unsigned i = 0; i < 20000; i++, n = n * 6364136223846793005u + 1442695040888963407u) {
        format_number(out, n >> i % 64, 0, "");
        snprintf(wanted, sizeof(wanted), "%llu", (unsigned long long)(n >> i % 64));
        assert_string_equal(out, wanted);
    }
}

static void test_line_is_cut(void **state)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf l = TEXT_BUF(text);

    (void)state;
    for (unsigned i = 0; i < TEXT_BUF_SIZE; i++)
        buf_text(&l, "ab");
    assert_int_equal(l.length, TEXT_BUF_SIZE - 1);
    buf_reset(&l);
    buf_right(&l, "xyz", 5);
    buf_right(&l, "xyz", 2);
    assert_int_equal(l.length, 8);
    assert_memory_equal(l.text, "  xyzxyz", 8);
}

/* A refusal is made into text where it is printed; one may be about another one. */
static void test_refusals(void **state)
{
    struct refusal inner, outer;
    char text[REFUSAL_TEXT];

    (void)state;
    assert_false(REFUSE_WITH(&inner, "%2 of %1", REFUSAL_MILLI(1500), REFUSAL_NUMBER(7)));
    assert_false(REFUSE_WITH(&outer, "tick=%1: %2", REFUSAL_STRING("rtc"), REFUSAL_INNER(&inner)));
    assert_string_equal(refusal_text(&outer, text), "tick=rtc: 7 of 1.500");
    assert_string_equal(JOINED("a", DECIMAL(12), "b"), "a12b");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits),
        cmocka_unit_test(test_line_is_cut),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
