/* SPDX-License-Identifier: MIT */
/* Filter expressions: what they match, which part of a wrong one is named, and any bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/schedule/splitmix64.h"
#include "probe/trace/event_class.h"
#include "tools/trace/item_filter.h"

static const struct filter_subject subject = {
    .task = "ROGUE", .class = 1u << TRACE_SYSCALL_EXIT, .mode = MODE_KERNEL, .argument = 5, .time = 2.5,
    .duration = 0.003, .mode_told = true, .argument_told = true, .time_told = true, .duration_told = true,
};

static bool matches(const char *text, const struct filter_subject *s)
{
    struct item_filter f;
    struct filter_error error;

    assert_true(item_filter_parse(&f, text, &error));
    return item_filter_matches(&f, s);
}

static void what_matches(void **state)
{
    static const char *const yes[] = {
        "task=ROGUE", "task != CP", "task=CP,ROGUE", "class=syscall", "class=syscall-exit", "class=irq,syscall",
        "mode=kernel", "arg=5", "arg=0x5", "arg>=5", "arg<6", "time>2.4", "time<=2500ms", "duration>2ms",
        "duration<4000us", "not task=CP", "!task=CP", "task=CP or arg=5", "task=CP||arg=5",
        "arg=5 and time>2 and mode=kernel", "arg=5&&time>2", "task=CP or task=ROGUE and arg=5",
        "(task=CP or task=ROGUE) and not (arg=6 or time<1s)", "task!=CP,AU", "not not arg=5", "  arg  =  5  ",
    };
    static const char *const no[] = {
        "task=CP", "task!=ROGUE", "class=irq", "class=state,gap", "mode=user,monitor", "arg=6", "arg!=5", "arg>5",
        "time<2.5", "duration>1s", "not task=ROGUE", "task=ROGUE and arg=6", "(task=CP or arg=5) and arg=6",
        "task!=CP,ROGUE",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
        assert_true(matches(yes[i], &subject));
    for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
        assert_false(matches(no[i], &subject));
}

/* What is not known is neither equal nor unequal. */
static void what_is_not_known(void **state)
{
    static const char *const any[] = {"task=A", "task!=A", "mode=user", "mode!=user", "arg=0", "arg!=1", "time<1",
                                      "duration>=0"};
    const struct filter_subject nothing = {.task = ""};

    (void)state;
    for (size_t i = 0; i < sizeof(any) / sizeof(any[0]); i++)
        assert_false(matches(any[i], &nothing));
}

static void wrong_expressions(void **state)
{
    static const struct {
        const char *text;
        unsigned at;
        const char *why;
    } wrong[] = {
        {"", 0, "a field is"}, {"tusk=A", 0, "a field is"}, {"task", 4, "a sign"}, {"task=", 5, "a value"},
        {"task<A", 4, "a name is compared"}, {"class=none", 6, "there is no class"}, {"mode=idle", 5, "a mode is"},
        {"arg=x", 4, "this is no number"}, {"arg=5x", 4, "this is no number"}, {"time=5m", 5, "a time is in"},
        {"time=x", 5, "this is no time"}, {"arg<1,2", 6, "several values"}, {"arg=1 arg=2", 6, "`and` or `or`"},
        {"(arg=1", 6, "a closing"}, {"arg=1)", 5, "`and` or `or`"}, {"arg=1 and", 9, "a field is"},
        {"task=ABCDEFGHIJKLMNO", 5, "a task's name"}, {"arg=99999999999999999999999", 4, "this is no number"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct item_filter f;
        struct filter_error error;

        assert_false(item_filter_parse(&f, wrong[i].text, &error));
        assert_int_equal(error.at, wrong[i].at);
        assert_memory_equal(error.why, wrong[i].why, strlen(wrong[i].why));
    }
}

/* Too long and too deep are refused; a text at the limit is not. */
static void limits(void **state)
{
    char text[4096] = "arg=1", deep[256];
    struct item_filter f;
    struct filter_error error;

    (void)state;
    for (unsigned i = 0; i < 31; i++)
        strcat(text, ",1");
    assert_true(item_filter_parse(&f, text, &error));
    strcat(text, ",1");
    assert_false(item_filter_parse(&f, text, &error));
    for (unsigned depth = 1; depth < 100; depth++) {
        memset(deep, '(', depth);
        strcpy(deep + depth, "arg=1");
        memset(deep + strlen(deep), 0, 1);
        for (unsigned i = 0; i < depth; i++)
            strcat(deep, ")");
        assert_int_equal(item_filter_parse(&f, deep, &error), depth < 32);
    }
}

/* Any text: refused with a place in it, or accepted. */
static void any_text(void **state)
{
    static const char *const part[] = {"task", "class", "arg", "=", "!=", "<", ",", "(", ")", "and", "or", "not", "5",
                                       "ROGUE", "syscall", " ", "1ms", "\xff", "&&", "!"};
    uint64_t random = 7;

    (void)state;
    for (unsigned n = 0; n < 200000; n++) {
        char text[256] = "";
        struct item_filter f;
        struct filter_error error;

        for (unsigned i = 0; i < 1 + n % 17; i++) {
            random += SPLITMIX64_GAMMA;
            strcat(text, part[splitmix64_mix(random) % (sizeof(part) / sizeof(part[0]))]);
        }
        if (item_filter_parse(&f, text, &error))
            item_filter_matches(&f, &subject);
        else
            assert_true(error.at <= strlen(text) && *error.why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_matches), cmocka_unit_test(what_is_not_known), cmocka_unit_test(wrong_expressions),
        cmocka_unit_test(limits), cmocka_unit_test(any_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
