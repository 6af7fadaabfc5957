/* SPDX-License-Identifier: MIT */
/* --fail-if: which conditions there are, and which rows they hold for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/analysis/share_diff.h"

static void test_conditions(void **state)
{
    static const struct {
        const char *text, *row;
        double points;
        bool holds;
    } rows[] = {
        {"any", "f", 0.01, true},          {"any", "f", -0.01, true},
        {"+0.5", "f", 0.51, true},         {"+0.5", "f", 0.49, false},
        {"+0.5", "f", -3, false},          {"-0.5", "f", -0.51, true},
        {"-0.5", "f", 3, false},           {"+0", "f", 0.01, true},
        {"-0", "f", -0.01, true},          {"-0", "f", 0.01, false},
        {"f > +0.5", "f", 0.6, true},      {"f > 0.5", "f", 0.6, true},
        {"f >  .5", "f", 0.6, true},       {"f > +0.5", "g", 0.6, false},
        {"f > +0.5", "f", 0.4, false},     {"f < -0.5", "f", -0.6, true},
        {"f < -0.5", "f", 0.6, false},     {"a<b> > +1", "a<b>", 2, true},
        {"operator > > +1", "operator >", 2, true},
        {"spin (in main) > +1", "spin (in main)", 2, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct share_diff_row row = {.name = rows[i].row, .difference = rows[i].points / 100};
        struct fail_condition c;

        assert_true(fail_if_parse(&c, rows[i].text));
        assert_false(fail_if_matches(&c, &row)); /* not significant */
        row.significant = true;
        if (fail_if_matches(&c, &row) != rows[i].holds)
            fail_msg("'%s' of %s %+g", rows[i].text, rows[i].row, rows[i].points);
        fail_if_free(&c);
    }
}

static void test_refused_conditions(void **state)
{
    static const char *const texts[] = {
        "", "0.5", "+", "-", "+x", "+0.5x", "+inf", "+nan", "+0x1", "+1e3", "++1", "+1.2.3",
        "f", "f >", "f > ", "f > x", "f > -0.5", "f < +0.5", "f < 0.5", "f>+0.5", " > +0.5",
        "f = +1", "ANY", "any ", "f > + 1", "+ 1",
    };
    struct fail_condition c;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (fail_if_parse(&c, texts[i]))
            fail_msg("'%s' was taken", texts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_refused_conditions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
