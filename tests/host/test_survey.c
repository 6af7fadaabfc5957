/* SPDX-License-Identifier: MIT */
/* Surveys: what their records may not contain, what they mean for a loop, their text, and two side by side. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/dump_survey.h"
#include "tests/host/dumped.h"
#include "tests/host/near.h"
#include "tools/analysis/survey_diff.h"

#define EPOCH 1

static char said[16384];

static void take_line(void *context, const char *text)
{
    (void)context;
    strcat(strcat(said, text), "\n");
}

static const struct epoch *read_survey(const struct wire_survey *head, const struct wire_survey_row *more)
{
    end(NULL);
    dump_hello(&d, EPOCH, "rate=120 seed=7 tasks=survey output=frames");
    dump_survey_records(&d, head, more);
    dump_end(&d, EPOCH, 0, "over");
    decode(&got, d.bytes, d.length);
    return got.model.epoch[0];
}

static const struct survey *survey_of(const struct epoch *e)
{
    static struct survey survey;

    return epoch_survey(e, &survey) ? &survey : NULL;
}

static uint64_t wrong_values(const struct epoch *e)
{
    return e->violations ? e->violations->of[VIOLATION_VALUE].count : 0;
}

/* The sentences, and the numbers behind them. */
static void test_text(void **state)
{
    const struct wire_survey head = dump_survey_head(EPOCH);
    const struct epoch *e = read_survey(&head, NULL);
    struct clock_rate apart;

    (void)state;
    assert_true(survey_of(e) && wrong_values(e) == 0);
    said[0] = '\0';
    survey_print(survey_of(e), take_line, NULL);
    assert_non_null(strstr(said, "A loop of 50 us misses its time 0.414 times a second (0.265 to 0.616): firmware "
                                 "takes 312 us each 2.50 s.\n"));
    assert_non_null(strstr(said, "A loop of 1000 us never missed its time in 58.0 s: fewer than 0.063"));
    assert_non_null(strstr(said, "Of the time 0.0131 % is stolen"));
    assert_non_null(strstr(said, "the CPU counted 64 SMIs"));
    assert_non_null(strstr(said, "not measured  the firmware's tables name none\n"));
    assert_non_null(strstr(said, "wake from HLT                    1.500         4.000        "
                                 "90.000          1000\n"));
    assert_non_null(strstr(said, "the line is set to 115200 bit/s and runs at 115084.5 to 115084.9, -1002 to "
                                 "-999 ppm off\n"));
    apart = survey_clocks_apart(survey_of(e), 1, 0);
    assert_true(apart.low < 50 && 50 < apart.high && apart.high - apart.low < 0.2);
}

/* Where nearly all of the time is stolen, in few gaps, chance has no more than the whole of it. */
static void test_most_stolen(void **state)
{
    struct wire_survey head = dump_survey_head(EPOCH);
    struct survey_share share;

    (void)state;
    head.stolen = head.watched - head.watched / 20;
    head.greatest = head.watched / 10;
    share = survey_stolen(survey_of(read_survey(&head, NULL)));
    assert_true(share.low < share.value && share.value > 0.94 && share.high == 1);
}

/* Who takes the time: SMIs where the CPU counts them, nobody known where it counts too few. */
static void test_thief(void **state)
{
    struct wire_survey head = dump_survey_head(EPOCH);

    (void)state;
    assert_int_equal(survey_thief(survey_of(read_survey(&head, NULL))), SURVEY_FIRMWARE);
    head.smis = 40;
    assert_int_equal(survey_thief(survey_of(read_survey(&head, NULL))), SURVEY_NO_FIRMWARE);
    head.smi_known = 0;
    assert_int_equal(survey_thief(survey_of(read_survey(&head, NULL))), SURVEY_UNKNOWN);
}

/* Each of these contradicts itself: it is noted, and what it says is not kept. */
static void test_refused(void **state)
{
    const struct wire_survey good = dump_survey_head(EPOCH);
    struct wire_survey bad[] = { good, good, good, good, good, good, good, good };

    (void)state;
    bad[0].clock_hz = 0;
    bad[1].begin = good.end + 1;
    bad[2].watched = good.end - good.begin + 1;
    bad[3].stolen = good.watched + 1;
    bad[4].greatest = good.stolen + 1;
    bad[5].smi_known = 2;
    bad[6].period_fits = good.period_gaps;
    bad[7].characters_least = good.characters_most + 1;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const struct epoch *e = read_survey(&bad[i], NULL);

        assert_true(!survey_of(e) && wrong_values(e) == 1);
    }
}

static void test_rows_refused(void **state)
{
    const struct wire_survey good = dump_survey_head(EPOCH);
    const struct wire_survey_row bad[] = { {300, 1, 1}, {200, 1, 1}, {500, 65, 1}, {500, 0, 1},
                                           {500, 1, good.stolen + 1} };
    const struct wire_survey_row right = {500, 1, 1};

    (void)state;
    assert_int_equal(wrong_values(read_survey(&good, &right)), 0);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const struct epoch *e = read_survey(&good, &bad[i]);

        assert_true(survey_of(e)->lengths == 2 && wrong_values(e) == 1);
    }
}

/* The same again has the same rows; of clocks and times the first are told that a survey has room for. */
static void test_again(void **state)
{
    const struct wire_survey head = dump_survey_head(EPOCH);
    const struct wire_survey_clocks clocks = {EPOCH};
    const struct epoch *e;
    char name[24];

    (void)state;
    end(NULL);
    dump_hello(&d, EPOCH, "rate=120 seed=7 tasks=survey output=frames");
    for (unsigned i = 0; i < 9; i++)
        dump_survey_records(&d, &head, NULL);
    for (unsigned i = 0; i < SURVEY_CLOCKS; i++) {
        struct wire_survey_clocks_row row;
        struct wire_writer w;

        snprintf(name, sizeof(name), "clock %u", i);
        row = dump_survey_clock(name, 1000, 60000);
        wire_begin(&w, WIRE_SURVEY_CLOCKS, &clocks);
        wire_row(&w, WIRE_SURVEY_CLOCKS, &row);
        dump_end_frame(&d, &w);
    }
    decode(&got, d.bytes, d.length);
    e = got.model.epoch[0];
    assert_true(survey_of(e)->clocks == SURVEY_CLOCKS && survey_of(e)->times == 2 && survey_of(e)->lengths == 2);
    assert_string_equal(survey_of(e)->clock[3].name.bytes, "clock 0");
    assert_int_equal(wrong_values(e), 8 * 2); /* lengths do not rise */
}

static const struct survey_diff_row *row_of(const struct survey_diff *diff, const char *name)
{
    for (unsigned i = 0; i < diff->rows; i++)
        if (!strcmp(diff->row[i].name, name))
            return &diff->row[i];
    fail_msg("no row %s", name);
    return NULL;
}

/* One before and after: the long gaps are gone, and the HPET is right. */
static void test_diff(void **state)
{
    const struct wire_survey head = dump_survey_head(EPOCH);
    const struct survey *const before = survey_of(read_survey(&head, NULL));
    struct survey after = *before;
    struct survey_diff diff;

    (void)state;
    survey_diff_make(&diff, before, &after);
    for (unsigned i = 0; i < diff.rows; i++)
        assert_true(!diff.row[i].differ && diff.row[i].of[0].value == diff.row[i].of[1].value);
    after.lengths = 1;
    after.head.period = 0;
    after.clock[1].counts -= 42955;
    survey_diff_make(&diff, before, &after);
    assert_true(row_of(&diff, "gaps from 50 us, a second")->differ);
    assert_true(row_of(&diff, "HPET against 8254, ppm")->differ);
    assert_false(row_of(&diff, "stolen, % of time")->differ);
    assert_false(row_of(&diff, "period, s")->of[1].known);
    survey_diff_make(&diff, &after, before); /* and the other way round */
    assert_true(row_of(&diff, "gaps from 50 us, a second")->differ &&
                row_of(&diff, "HPET against 8254, ppm")->differ);
    check_near(row_of(&diff, "wake from HLT, us: median")->of[0].value, 1.5, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_text, end),         cmocka_unit_test_teardown(test_thief, end),
        cmocka_unit_test_teardown(test_most_stolen, end),
        cmocka_unit_test_teardown(test_refused, end),      cmocka_unit_test_teardown(test_rows_refused, end),
        cmocka_unit_test_teardown(test_again, end),        cmocka_unit_test_teardown(test_diff, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
