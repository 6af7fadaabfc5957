/* SPDX-License-Identifier: MIT */
/*
 * Rows against the command lines that they take and refuse, and the rules of the tool's own commands against their
 * rows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tools/base/option_rows.h"
#include "tools/base/subcommand.h"
#include "tools/cmd/commands.h"

#define WORDS_MOST 20

struct arguments {
    const char *path[3], *text;
    unsigned long wanted, kept[3];
    unsigned paths, number, word;
    unsigned long wide;
    double whole, seconds, real;
    bool flag, other, both[2];
    char taken[8];
};

static void take(void *to, char *text, struct argp_state *state)
{
    if (strlen(text) > 7)
        argp_error(state, "'%s' is long", text);
    strcpy(to, text);
}

static void set(void *to, char *text, struct argp_state *state)
{
    (void)text;
    (void)state;
    *(bool *)to = true;
}

static const struct option_row rows[] = {
    {"flag", 'f', NULL, "a flag", SET_FLAG(flag)},
    {"other", 0, NULL, "another flag", SET_FLAG(other)},
    {"text", 't', "TEXT", "a text", SET_TEXT(text)},
    {"word", 0, "red|green|blue", "a word", SET_WORD(word)},
    {"number", 'n', "N", "3 to 9", SET_NUMBER(number, 3, 9), .otherwise = 4},
    {"wide", 0, "N", "any number", SET_NUMBER(wide, 0, UINT64_MAX), .refusal = "no width is '%s'"},
    {"whole", 0, "N", "a number as a double", SET_NUMBER(whole, 1, 100)},
    {"seconds", 0, "S", "a time", SET_SECONDS(seconds), .otherwise = 30},
    {"real", 0, "X", "any number above 0", SET_REAL(real), .refusal = "no real is '%s'"},
    {"taken", 0, "SHORT", "by a call", CALL_AT(take, taken)},
    {"both", 0, NULL, "two places", CALL_BOTH(set, both[0], both[1])},
    {"wanted", 0, "N", "of the files that follow", SET_NUMBER(wanted, 0, 99)},
    {0},
};

static const struct argument_row files = {
    ARGUMENTS(path[0], path[1]), .count = offsetof(struct arguments, paths), .least = 1, .most = 3,
    .last = offsetof(struct arguments, wanted), .kept = offsetof(struct arguments, kept[0]), .missing = "which file?",
    .many = "'%s' is one too many", .twice = "'-' is given twice",
};

static const struct option_rule rules[] = {
    {"flag|seconds", .needs = "text|word", .refusal = "--flag and --seconds need --text or --word"},
    {"other", .excludes = "flag|text", .refusal = "--other excludes it for '%s'"},
    {0},
};

static void check(void *input, struct argp_state *state)
{
    const struct arguments *a = input;

    if (a->number == 5)
        argp_error(state, "5 is unlucky");
}

static const struct option_set own = {rows, &files, rules, check};
static struct arguments parse_as(const char *typed, unsigned flags)
{
    const struct option_line line = {.use = {{&own, 0}}, .flags = flags, .suggests = true};
    char copy[200], *argv[WORDS_MOST] = {"test"};
    struct arguments a = {0};
    int argc = 1;

    strcpy(copy, typed);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    option_line_parse(&line, argc, argv, &a);
    for (unsigned i = 0; i < a.paths; i++)
        a.path[i] = strcmp(a.path[i], "-") ? "file" : "-"; /* the copy ends here */
    a.text = a.text ? "text" : NULL;
    return a;
}

static struct arguments parse(const char *typed)
{
    return parse_as(typed, 0);
}

/* What a child that parses the line says first; "" where it takes it. */
static void said(const char *typed, char *to, size_t size)
{
    int out[2], status;
    FILE *from;
    pid_t child;

    fflush(NULL);
    assert_int_equal(pipe(out), 0);
    child = fork();
    if (!child) {
        dup2(out[1], STDERR_FILENO);
        argp_err_exit_status = 2;
        parse(typed);
        _exit(0);
    }
    close(out[1]);
    from = fdopen(out[0], "r");
    if (!fgets(to, (int)size, from))
        *to = '\0';
    to[strcspn(to, "\n")] = '\0';
    fclose(from);
    waitpid(child, &status, 0);
    assert_int_equal(WEXITSTATUS(status), *to ? 2 : 0);
}

static void refuses(const char *typed, const char *sentence)
{
    char first[300], expected[300];

    snprintf(expected, sizeof(expected), "%s%s", *sentence ? "test: " : "", sentence);
    said(typed, first, sizeof(first));
    assert_string_equal(first, expected);
}

static void test_values_are_stored(void **state)
{
    struct arguments a = parse("-n 9 --word=green --wide=18446744073709551615 --whole 100 --seconds 0.5 --real 1e12 "
                               "--text b x");

    (void)state;
    assert_int_equal(a.number, 9);
    assert_int_equal(a.word, 1);
    assert_true(a.wide == UINT64_MAX);
    assert_true(a.whole == 100 && a.seconds == 0.5 && a.real == 1e12);
    assert_string_equal(a.text, "text");
    assert_false(a.flag || a.both[0]);
    a = parse("--taken=seven -f --both -t c x");
    assert_string_equal(a.taken, "seven");
    assert_true(a.flag && a.both[0] && a.both[1]);
}

static void test_defaults_stand_where_nothing_is_given(void **state)
{
    const struct arguments a = parse("x");

    (void)state;
    assert_int_equal(a.number, 4);
    assert_true(a.seconds == 30);
    assert_true(a.real == 0);
}

static void test_ranges(void **state)
{
    (void)state;
    refuses("-n 3 x", "");
    refuses("-n 2 x", "'2' is not a number from 3 to 9");
    refuses("-n 10 x", "'10' is not a number from 3 to 9");
    refuses("-n 4x x", "'4x' is not a number from 3 to 9");
    refuses("-n= x", "'=' is not a number from 3 to 9");
    refuses("--number=+4 x", "'+4' is not a number from 3 to 9");
    refuses("--whole 0 x", "'0' is not a number from 1 to 100");
    refuses("--wide 18446744073709551616 x", "no width is '18446744073709551616'");
    refuses("--seconds=1e9 --word=red x", "");
    refuses("--seconds=1e10 x", "'1e10' is not a number of seconds");
    refuses("--seconds=0 x", "'0' is not a number of seconds");
    refuses("--seconds=nan x", "'nan' is not a number of seconds");
    refuses("--real=inf x", "no real is 'inf'");
    refuses("--real=-1 x", "no real is '-1'");
    refuses("--real= x", "no real is ''");
    refuses("--taken=muchlonger x", "'muchlonger' is long");
}

static void test_words(void **state)
{
    (void)state;
    refuses("--word blue x", "");
    refuses("--word gren x", "'gren' is not a choice: red, green or blue; did you mean 'green'?");
    refuses("--word gree x", "'gree' is not a choice: red, green or blue; did you mean 'green'?");
    refuses("--word= x", "'' is not a choice: red, green or blue");
}

static void test_needs_and_excludes(void **state)
{
    (void)state;
    refuses("--flag x", "--flag and --seconds need --text or --word");
    refuses("--seconds=1 x", "--flag and --seconds need --text or --word");
    refuses("--flag --word=red x", "");
    refuses("--other x", "");
    refuses("--other -t y x", "--other excludes it for 'x'");
    refuses("--fla -ty --other x", "--other excludes it for 'x'");
    refuses("-n5 x", "5 is unlucky");
    refuses("-n5 -f x", "--flag and --seconds need --text or --word"); /* rules come before what the command checks */
}

static void test_arguments_have_limits(void **state)
{
    const struct arguments a = parse_as("x --wanted=7 y --wanted 8 -", ARGP_IN_ORDER);

    (void)state;
    assert_int_equal(a.paths, 3);
    assert_string_equal(a.path[2], "-");
    assert_int_equal(a.kept[0], 0);
    assert_int_equal(a.kept[1], 7);
    assert_int_equal(a.kept[2], 8);
    refuses("", "which file?");
    refuses("a b c", "");
    refuses("a b c d", "'d' is one too many");
    refuses("- a -", "'-' is given twice");
    refuses("-- --flag -", "");
}

static void test_names_that_are_none(void **state)
{
    (void)state;
    refuses("--numbr a x", "there is no option '--numbr'; did you mean '--number'?");
    refuses("--unlike x", "unrecognized option '--unlike'");
    refuses("--text --flga x", ""); /* it is a value */
    refuses("-- --flga", "");
    refuses("-z x", "invalid option -- 'z'");
}

static bool line_has(const struct option_line *of, const char *name, size_t length)
{
    const struct option_use *use;
    const struct option_row *r;

    for (size_t i = 0; (r = option_line_row(of, i, &use)); i++)
        if (r->name && strlen(r->name) == length && !strncmp(r->name, name, length))
            return true;
    return length == 4 && !strncmp(name, "FILE", 4);
}

static void check_names(const struct option_line *of, const char *names)
{
    for (size_t length; names && *names; names += length + (names[length] == '|')) {
        length = strcspn(names, "|");
        assert_true(line_has(of, names, length));
    }
}

/*
 * Of the tool's commands: names of rules are rows, a name or a letter is one row's, and the bits of `given` suffice.
 */
static void test_the_commands_are_sound(void **state)
{
    (void)state;
    for (const struct command_row *c = commands; c->command; c++) {
        const struct option_line of = subcommand_line(c->command);
        const struct option_use *use;
        const struct option_row *r, *s;
        size_t count = 0;

        for (; (r = option_line_row(&of, count, &use)); count++)
            for (size_t i = 0; i < count; i++) {
                s = option_line_row(&of, i, &use);
                assert_false(r->letter && r->letter == s->letter);
                assert_false(r->name && s->name && !strcmp(r->name, s->name));
            }
        assert_true(count <= OPTIONS_MOST);
        for (use = of.use; use->set; use++)
            for (const struct option_rule *rule = use->set->rules; rule && rule->refusal; rule++) {
                check_names(&of, rule->of);
                check_names(&of, rule->needs);
                check_names(&of, rule->excludes);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_stored),
        cmocka_unit_test(test_defaults_stand_where_nothing_is_given),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_needs_and_excludes),
        cmocka_unit_test(test_arguments_have_limits),
        cmocka_unit_test(test_names_that_are_none),
        cmocka_unit_test(test_the_commands_are_sound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
