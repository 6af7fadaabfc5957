/* SPDX-License-Identifier: MIT */
/*
 * Class trees: texts and what they say of states, sentences for bad ones, and the compiled sets of leaves
 * against a walk down the tree.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/class_walk.h"

/* The paper's protocol (figure 6). */
static const char protocol[] =
    "# message passing\n"
    "0 = idle : event = none / 0\n"
    "busy     : else              # a transfer\n"
    "5 = busy.start    : event = 5 @ value\n"
    "1 = busy.transfer : event = 1-4, 9=busy.end:event=9\n";

static void parse(struct class_tree *t, const char *text)
{
    struct refusal why;
    char sentence[REFUSAL_TEXT];

    if (!class_tree_parse(t, span_text(text), &why))
        fail_msg("%s: %s", text, refusal_text(&why, sentence));
}

static char class_at(const struct class_tree *t, const char *task, enum mode mode, int masked, uint32_t call,
                     uint32_t event)
{
    const unsigned value[CLASS_FIELDS] = {
        (unsigned)mode, (unsigned)masked, class_tree_task(t, span_text(task)),
        class_tree_number(t, CLASS_FIELD_NEST, mode == MODE_INTERRUPT), class_tree_number(t, CLASS_FIELD_CALL, call),
        class_tree_number(t, CLASS_FIELD_EVENT, event),
    };

    return class_letter(class_tree_leaf(t, class_walk_open(t, value))->code);
}

static void test_protocol(void **state)
{
    struct class_tree t;

    (void)state;
    parse(&t, protocol);
    assert_int_equal(class_at(&t, "A", MODE_USER, 0, CLASS_NONE, CLASS_NONE), '0');
    assert_int_equal(class_at(&t, "A", MODE_USER, 0, CLASS_NONE, 0), '0');
    assert_int_equal(class_at(&t, "A", MODE_USER, 0, CLASS_NONE, 5), '5');
    assert_int_equal(class_at(&t, "B", MODE_KERNEL, 1, 7, 1), '1');
    assert_int_equal(class_at(&t, "B", MODE_KERNEL, 1, 7, 4), '1');
    assert_int_equal(class_at(&t, "B", MODE_KERNEL, 1, 7, 9), '9');
    assert_int_equal(class_at(&t, "B", MODE_KERNEL, 1, 7, 6), 'R');
    assert_int_equal(class_at(&t, "B", MODE_KERNEL, 1, 7, 70000), 'R');
    assert_int_equal(t.leaf[1].attribute, CLASS_ATTRIBUTE_VALUE);
}

static void test_conditions(void **state)
{
    struct class_tree t;

    (void)state;
    parse(&t, "a:task=IDLE,b:task=!IDLE/X.1+mode=user/kernel+masked=no+call=none,"
              "c:task=!IDLE/X.1+call=3/5-7/900-,d:task=X.1+mode=interrupt+nest=1-");
    assert_int_equal(class_at(&t, "IDLE", MODE_KERNEL, 1, 5, 3), '0');
    assert_int_equal(class_at(&t, "Y", MODE_USER, 0, CLASS_NONE, 3), '1');
    assert_int_equal(class_at(&t, "Y", MODE_USER, 1, CLASS_NONE, 3), 'R');
    assert_int_equal(class_at(&t, "Y", MODE_USER, 0, 3, 3), '2');
    assert_int_equal(class_at(&t, "Y", MODE_USER, 0, 4, 3), 'R');
    assert_int_equal(class_at(&t, "Y", MODE_USER, 0, 6, 3), '2');
    assert_int_equal(class_at(&t, "Y", MODE_USER, 0, 65534, 3), '2');
    assert_int_equal(class_at(&t, "X.1", MODE_INTERRUPT, 0, 6, 3), '3');
    assert_int_equal(class_at(&t, "X.1", MODE_USER, 0, 6, 3), 'R');
}

/* account=log records a task's modes, each with interrupts on or off, and MONITOR. */
static void test_default(void **state)
{
    struct class_tree t;
    unsigned hole[CLASS_FIELDS];

    (void)state;
    parse(&t, class_tree_default);
    for (unsigned mode = 0; mode < MODES; mode++)
        for (int masked = 0; masked < 2; masked++)
            assert_int_equal(class_at(&t, "T", (enum mode)mode, masked, 1, 1),
                             class_letter(2 * mode + (unsigned)masked));
    assert_int_equal(class_at(&t, "T", CLASS_MONITOR, 1, 1, 1), '8');
    assert_int_equal(class_tree_hole(&t, hole), CLASS_HOLE_NONE);
}

static void test_trigger(void **state)
{
    struct class_tree t;
    uint64_t five, nine, none;

    (void)state;
    parse(&t, "START:event=5,STOP:event=9,0=all:else");
    assert_true(t.starts && t.stops);
    five = class_tree_open(&t, CLASS_FIELD_EVENT, class_tree_number(&t, CLASS_FIELD_EVENT, 5)) &
           class_tree_open(&t, CLASS_FIELD_MODE, MODE_USER);
    nine = class_tree_open(&t, CLASS_FIELD_EVENT, class_tree_number(&t, CLASS_FIELD_EVENT, 9));
    none = class_tree_open(&t, CLASS_FIELD_EVENT, class_tree_number(&t, CLASS_FIELD_EVENT, 7));
    assert_true(class_tree_paused(&t, none, true));
    assert_false(class_tree_paused(&t, five, true));
    assert_false(class_tree_paused(&t, none, false));
    assert_true(class_tree_paused(&t, nine, false));
    assert_int_equal(class_tree_leaf(&t, five)->code, 0);
}

static void test_holes(void **state)
{
    struct class_tree t;
    unsigned at[CLASS_FIELDS];

    (void)state;
    parse(&t, "0=a:mode=user/kernel,1=b:mode=interrupt,2=c:mode=supervisor+masked=no");
    assert_int_equal(class_tree_hole(&t, at), CLASS_HOLE_FOUND);
    assert_int_equal(at[CLASS_FIELD_MODE], MODE_SUPERVISOR);
    assert_int_equal(at[CLASS_FIELD_MASKED], 1);
    parse(&t, "0=a:call=none,1=b:call=any");
    assert_int_equal(class_tree_hole(&t, at), CLASS_HOLE_NONE);
    parse(&t, "0=a:nest=0,b:nest=1-,1=b.c:nest=1,2=b.d:nest=2-255");
    assert_int_equal(class_tree_hole(&t, at), CLASS_HOLE_NONE);
    parse(&t, protocol);
    assert_int_equal(class_tree_hole(&t, at), CLASS_HOLE_FOUND);
}

static void test_refused(void **state)
{
    static const struct { const char *text, *sentence; } bad[] = {
        {"", "a tree without a class"},
        {"# nothing", "a tree without a class"},
        {"START:event=1", "a tree without a class"},
        {"a", "line 1, column 2: ':' and a condition are missing"},
        {"a:", "line 1, column 3: a condition is missing"},
        {"a:mode", "line 1, column 7: '=' and a value are missing"},
        {"a:mode=", "line 1, column 8: a value is missing"},
        {"a:mode=user/", "line 1, column 13: a value is missing"},
        {"a:mode=user\n b:mode=usr", "line 2, column 9: 'usr' is no mode: user supervisor kernel interrupt monitor"},
        {"a:colour=red", "line 1, column 3: 'colour' is none of mode masked task nest call event"},
        {"a:masked=1", "line 1, column 10: '1' is neither yes nor no"},
        {"a:nest=none", "line 1, column 8: 'none' is no number, no range A-B or A-, and not none or any"},
        {"a:call=7-5", "line 1, column 8: '7-5' is no number, no range A-B or A-, and not none or any"},
        {"a:call=65535", "line 1, column 8: '65535' is no number, no range A-B or A-, and not none or any"},
        {"w=a:else", "line 1, column 1: 'w' is no class: 0-9 or a-v, 32 in all"},
        {"10=a:else", "line 1, column 1: '10' is no class: 0-9 or a-v, 32 in all"},
        {"a:else@colour", "line 1, column 8: 'colour' is no attribute: task number value"},
        {"a:else x", "line 1, column 8: 'x' has no meaning here"},
        {"a:else,a:mode=user", "line 1, column 8: 'a' is there already"},
        {"REST:else", "line 1, column 1: 'REST' is a class that every tree has"},
        {"0=START:event=1,a:else", "line 1, column 3: 'START' has a condition only"},
        {"STOP:event=1,STOP:event=2,a:else", "line 1, column 14: 'STOP' is there already"},
        {"b.a:else", "line 1, column 1: there is no node 'b'"},
        {"a.a:else", "line 1, column 3: 'a' does not lead to the root: its parents form a cycle"},
        {"z:else,b.a:mode=user,c.b:mode=user,a.c:mode=user",
         "line 1, column 10: 'a' does not lead to the root: its parents form a cycle"},
        {"0=a:mode=user,a.b:else", "line 1, column 3: 'a' has nodes below it, and so no class and no attribute"},
        {"a:mode=user,b:masked=no", "line 1, column 13: 'b' overlaps with 'a'"},
        {"a:else,b:else", "line 1, column 8: 'b' is a second else, beside 'a'"},
        {"a:mode=user,a.b:mode=kernel,c:else", "line 1, column 15: no state can be 'b'"},
        {"a:mode=user+mode=kernel", "line 1, column 1: no state can be 'a'"},
        {"abcdefghijklmnop:else", "line 1, column 1: 'abcdefghijklmnop' is longer than a name's 15 characters"},
        {"a:task=ABCDEFGHIJKLMNO", "line 1, column 8: 'ABCDEFGHIJKLMNO' is too long for a task's name"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct class_tree t;
        struct refusal why;
        char sentence[REFUSAL_TEXT];

        assert_false(class_tree_parse(&t, span_text(bad[i].text), &why));
        assert_string_equal(refusal_text(&why, sentence), bad[i].sentence);
    }
}

/* `count` statements of the same form, each with its number. */
static const char *many(char *text, size_t size, unsigned count, const char *form)
{
    size_t length = 0;

    for (unsigned i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, size - length, form, i, i, i);
    return text;
}

static void assert_refused(const char *text, const char *end)
{
    struct class_tree t;
    struct refusal why;
    char sentence[REFUSAL_TEXT];

    assert_false(class_tree_parse(&t, span_text(text), &why));
    if (!strstr(refusal_text(&why, sentence), end))
        fail_msg("%s, and not %s", sentence, end);
}

static void test_limits(void **state)
{
    char text[4096];
    struct class_tree t;

    (void)state;
    parse(&t, many(text, sizeof text, 32, "n%u:call=%u,"));
    assert_int_equal(t.leaf[31].code, 31);
    assert_refused(many(text, sizeof text, 33, "n%u:call=%u,"), "'n32' is class 33; a tree has at most 32");
    parse(&t, many(text, sizeof text, 61, "5=n%u:call=%u,"));
    assert_refused(many(text, sizeof text, 62, "5=n%u:call=%u,"), "a tree has at most 61 statements");
    assert_refused(many(text, sizeof text, 61, "5=n%u:call=1%u0-1%u5,"), "more bounds of numbers");
}

/* ---- the compiled form against a walk down the tree ---- */

static unsigned draw(uint32_t *seed, unsigned below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static size_t put_condition(uint32_t *seed, char *to, size_t size)
{
    static const char *const condition[] = {
        "else", "mode=user", "mode=kernel/interrupt", "mode=!user", "masked=yes", "masked=no", "task=A", "task=B/C",
        "task=!A/B", "call=none", "call=any", "call=1-3", "call=4", "event=0-5+mode=user", "event=6-+masked=no",
        "event=none", "nest=0", "nest=1-", "nest=2", "mode=monitor",
    };

    return (size_t)snprintf(to, size, "%s,", condition[draw(seed, sizeof condition / sizeof condition[0])]);
}

static const char *random_tree(uint32_t *seed, char *text, size_t size)
{
    const unsigned nodes = 1 + draw(seed, 8);
    size_t length = 0;

    for (unsigned i = 0; i < nodes; i++) {
        const unsigned parent = draw(seed, i + 1);

        length += (size_t)(parent ? snprintf(text + length, size - length, "n%u.n%u:", parent, i + 1)
                                  : snprintf(text + length, size - length, "n%u:", i + 1));
        length += put_condition(seed, text + length, size - length);
    }
    return text;
}

static void test_random_trees(void **state)
{
    uint32_t seed = 7;
    unsigned taken = 0;

    (void)state;
    for (unsigned i = 0; i < 40000; i++) {
        char text[1024];
        struct class_tree t;
        struct refusal why;

        if (!class_tree_parse(&t, span_text(random_tree(&seed, text, sizeof text)), &why))
            continue;
        taken++;
        if (!class_walk_agrees(&t))
            fail_msg("%s", text);
    }
    assert_true(taken > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_protocol), cmocka_unit_test(test_conditions), cmocka_unit_test(test_default),
        cmocka_unit_test(test_trigger), cmocka_unit_test(test_holes), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_limits), cmocka_unit_test(test_random_trees),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
