/* SPDX-License-Identifier: MIT */
/* Expressions over sequences of classes: hits across the window's ends, what is missing, and those that explode. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/base/alloc.h"
#include "tools/trace/class_match.h"
#include "tools/trace/class_sequence.h"

#define HITS 4096

struct found {
    uint64_t first[HITS], runs[HITS];
    size_t hits;
    uint64_t at;
    const char *given_up;
};

static void note(void *context, const struct class_hit *hit)
{
    struct found *f = context;

    if (f->hits < HITS) {
        f->first[f->hits] = hit->run[0].number;
        f->runs[f->hits] = hit->runs;
    }
    f->hits++;
}

static uint8_t code_of(char letter)
{
    uint8_t code = 0;

    while (class_letter(code) != letter)
        code++;
    return code;
}

/* Search a sequence of letters; '|': something is missing there. */
static struct found search(const char *expression, const char *letters, size_t length)
{
    char why[256];
    struct found f = { .hits = 0 };
    struct class_match *m = class_match_new(expression, note, &f, why, sizeof(why));
    uint64_t number = 0;

    assert_non_null(m);
    for (size_t i = 0; i < length; i++)
        if (letters[i] == '|')
            class_match_cut(m);
        else
            class_match_run(m, &(struct class_run){ .number = number++, .code = code_of(letters[i]) });
    class_match_end(m);
    f.given_up = class_match_given_up(m, &f.at);
    class_match_free(m);
    return f;
}

static struct found search_text(const char *expression, const char *letters)
{
    return search(expression, letters, strlen(letters));
}

static void test_paper(void **state)
{
    const struct found f = search_text("5 [1]+9", "0511190590519051");

    (void)state;
    assert_int_equal(f.hits, 2);
    assert_int_equal(f.first[0], 1);
    assert_int_equal(f.runs[0], 5);
    assert_int_equal(f.first[1], 10);
    assert_null(f.given_up);
}

static void test_expressions(void **state)
{
    (void)state;
    assert_int_equal(search_text("5 1{2} 9", "5115951195119").hits, 2);
    assert_int_equal(search_text("5[^9]*0", "51105190510").hits, 2); /* a transfer without its end */
    assert_int_equal(search_text("0*", "111").hits, 0); /* nothing is no hit */
    assert_int_equal(search_text("R|P", "0R1P").hits, 2);
    assert_int_equal(search_text("^0", "00|0").hits, 2);
    assert_int_equal(search_text("0$", "00|0").hits, 2);
    assert_int_equal(search_text("(?<=5)1", "0511").hits, 1);
    assert_int_equal(search_text("51", "5|15|1").hits, 0);
}

static void test_refused(void **state)
{
    char why[256];

    (void)state;
    assert_null(class_match_new("5 [1+ 9", note, NULL, why, sizeof(why)));
    assert_string_equal(why, "character 8 of the expression: missing terminating ] for character class");
    assert_null(class_match_new("5 )", note, NULL, why, sizeof(why)));
    assert_non_null(strstr(why, "character 3 of the expression: "));
    assert_null(class_match_new("(*UTF)1", note, NULL, why, sizeof(why)));
}

static uint32_t draw(uint32_t *seed)
{
    return *seed = *seed * 1664525u + 1013904223u;
}

/* Three windows long, with transfers at random places. */
static void test_windows(void **state)
{
    const size_t length = 800000;
    char *letters = xrealloc_array(NULL, length, 1);
    uint32_t seed = 5;
    size_t transfers = 0;

    (void)state;
    memset(letters, '0', length);
    for (size_t at = 0; at + 400 < length; at += 100 + (draw(&seed) >> 8) % 300, transfers++) {
        const size_t ones = 1 + (draw(&seed) >> 8) % 90;

        letters[at] = '5';
        memset(letters + at + 1, '1', ones);
        letters[at + 1 + ones] = '9';
    }
    assert_true(transfers < HITS);
    for (unsigned before = 0; before < 2; before++) {
        const struct found f = search(before ? "(?<!5)51*9" : "5 [1]+9", letters, length);

        assert_int_equal(f.hits, transfers);
        assert_null(f.given_up);
        for (size_t i = 0; i < f.hits; i++)
            assert_true(letters[f.first[i]] == '5' && letters[f.first[i] + f.runs[i] - 1] == '9');
    }
    free(letters);
}

static char *filled(size_t length, char letter)
{
    char *letters = xrealloc_array(NULL, length, 1);

    memset(letters, letter, length);
    return letters;
}

static void test_span(void **state)
{
    char *letters = filled(300000, '1');
    struct found f;

    (void)state;
    letters[1000] = letters[100000] = '5';
    letters[1000 + 65535] = letters[100000 + 65536] = '9';
    f = search("51+9", letters, 300000);
    assert_int_equal(f.hits, 1); /* the second spans one change too many */
    assert_int_equal(f.first[0], 1000);
    assert_int_equal(f.runs[0], 65536);
    assert_null(f.given_up);
    f = search("1+9", letters, 300000);
    assert_non_null(f.given_up);
    assert_non_null(strstr(f.given_up, "65536 changes"));
    f = search("1+", letters, 300000); /* greedy: pieces of the longest span */
    assert_true(f.hits >= 4 && f.runs[1] <= 65536);
    free(letters);
}

static void test_explodes(void **state)
{
    char *letters = filled(200000, '1');
    struct found f = search("(1+)+9", letters, 200000);

    (void)state;
    assert_non_null(f.given_up);
    f = search("(1|1)*(1|1)*9", letters, 200000);
    assert_non_null(f.given_up);
    free(letters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper), cmocka_unit_test(test_expressions), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_windows), cmocka_unit_test(test_span), cmocka_unit_test(test_explodes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
