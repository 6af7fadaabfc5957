/* SPDX-License-Identifier: MIT */
/* States made into runs of classes: joined, attributed, by one task, cut where something is missing or not known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe/text/radix50.h"
#include "tools/trace/class_sequence.h"

#define RUNS 64

static struct class_tree tree;
static struct class_sequence sequence;
static struct class_run taken[RUNS];
static char letters[RUNS + 1]; /* of the runs; '|' where the sequence is cut */
static size_t runs, marks;
static int64_t now;
static uint32_t a, b;

static void take_run(void *context, const struct class_run *run)
{
    (void)context;
    taken[runs++] = *run;
    letters[marks++] = class_letter(run->code);
}

static void take_cut(void *context)
{
    (void)context;
    letters[marks++] = '|';
}

static void begin(const char *text)
{
    static const struct epoch epoch = { .words_known = true, .words.identity = IDENTITY_NAME };
    struct refusal why;

    assert_true(class_tree_parse(&tree, span_text(text), &why));
    memset(letters, 0, sizeof(letters));
    runs = marks = 0;
    now = 1000;
    assert_true(radix50_pack("A", &a) && radix50_pack("B", &b));
    class_sequence_begin(&sequence, &tree, &epoch, &(struct class_receiver){ take_run, take_cut, NULL });
}

#define ALL_KNOWN (KNOWN_TASK | KNOWN_MODE | KNOWN_MASKED | KNOWN_NESTING | KNOWN_CALL | KNOWN_USER | KNOWN_TIME)

static void step(int64_t length, uint32_t task, enum mode mode, int32_t call, uint64_t user, unsigned known)
{
    class_sequence_add(&sequence, &(struct timeline_item){
        .kind = TIMELINE_STEP,
        .step = { .begin = now, .length = length, .task = task, .mode = mode, .call = call, .user = user,
                  .known = known },
    });
    now += length;
}

static void gap(void)
{
    class_sequence_add(&sequence, &(struct timeline_item){ .kind = TIMELINE_GAP });
}

static void test_runs(void **state)
{
    (void)state;
    begin("0=a:task=A@task,1=b:mode=user+task=!A");
    step(10, a, MODE_USER, CALL_NONE, 0, ALL_KNOWN);
    step(5, a, MODE_KERNEL, 3, 0, ALL_KNOWN);
    step(7, b, MODE_USER, CALL_NONE, 0, ALL_KNOWN);
    step(1, b, MODE_KERNEL, 3, 0, ALL_KNOWN);
    class_sequence_end(&sequence);
    assert_string_equal(letters, "01R");
    assert_true(taken[0].begin == 1000 && taken[0].end == 1015 && taken[0].time == 15 && taken[0].attribute == a);
    assert_true(taken[1].number == 1 && taken[1].attribute == 0);
    assert_true(sequence.leaf_time[0] == 15 && sequence.leaf_time[1] == 7 && sequence.leaf_time[2] == 1);
}

/* The paper's transfer; each datum is a change where the tree asks for its value. */
static void test_attributes(void **state)
{
    (void)state;
    begin("0=idle:event=0,5=start:event=5,1=transfer:event=1@value,9=end:event=9");
    step(1, a, MODE_USER, CALL_NONE, 5, ALL_KNOWN);
    step(1, a, MODE_USER, CALL_NONE, 1 | 70 << 8, ALL_KNOWN);
    step(1, a, MODE_KERNEL, 1, 1 | 70 << 8, ALL_KNOWN);
    step(1, a, MODE_USER, CALL_NONE, 1 | 71 << 8, ALL_KNOWN);
    step(1, a, MODE_USER, CALL_NONE, 9, ALL_KNOWN);
    class_sequence_end(&sequence);
    assert_string_equal(letters, "5119");
    assert_true(taken[1].attribute == 70 && taken[1].time == 2 && taken[2].attribute == 71);
}

static void test_of_one(void **state)
{
    (void)state;
    begin("0=user:mode=user,1=kernel:mode=kernel");
    sequence.of_one = true;
    sequence.of = a;
    step(10, a, MODE_USER, CALL_NONE, 0, ALL_KNOWN);
    step(100, b, MODE_KERNEL, CALL_NONE, 0, ALL_KNOWN);
    step(10, a, MODE_USER, CALL_NONE, 0, ALL_KNOWN);
    step(1, a, MODE_KERNEL, CALL_NONE, 0, ALL_KNOWN);
    class_sequence_end(&sequence);
    assert_string_equal(letters, "01");
    assert_true(taken[0].end - taken[0].begin == 120 && taken[0].time == 20);
}

static void test_missing(void **state)
{
    (void)state;
    begin("0=none:call=none,1=some:call=any");
    step(10, a, MODE_USER, CALL_NONE, 0, ALL_KNOWN);
    gap();
    step(10, a, MODE_USER, CALL_NONE, 0, ALL_KNOWN);
    step(10, a, MODE_KERNEL, 3, 0, ALL_KNOWN & ~(unsigned)KNOWN_CALL);
    step(10, a, MODE_KERNEL, 3, 0, ALL_KNOWN);
    step(10, a, MODE_KERNEL, 3, 0, ALL_KNOWN & ~(unsigned)KNOWN_MASKED); /* nobody asks */
    class_sequence_end(&sequence);
    assert_string_equal(letters, "0|0|1");
    assert_true(sequence.unknown == 1 && sequence.unknown_time == 10 && sequence.missing == KNOWN_CALL);
}

static void test_pause(void **state)
{
    (void)state;
    begin("START:event=5,STOP:event=9,0=all:else");
    for (uint64_t user = 0; user < 12; user++)
        step(1, a, MODE_USER, CALL_NONE, user, ALL_KNOWN);
    class_sequence_end(&sequence);
    assert_string_equal(letters, "P0P");
    assert_true(taken[1].begin == 1005 && taken[1].time == 4 && sequence.pause_time == 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs), cmocka_unit_test(test_attributes), cmocka_unit_test(test_of_one),
        cmocka_unit_test(test_missing), cmocka_unit_test(test_pause),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
