/* SPDX-License-Identifier: MIT */
/*
 * Classes as the image makes them: from events to runs, to frames, to the timeline; gaps with their cause and number.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "probe/stream/class_encode.h"
#include "probe/trace/class_runs.h"
#include "tests/host/dumped.h"
#include "tests/host/timeline_of.h"

#define BEGIN 2000000 /* as dump_snapshot_of() */

static struct class_tree tree;
static struct class_runs runs;
static struct class_encoder sender;

static void send(void *context, struct wire_writer *w)
{
    (void)context;
    dump_end_frame(&d, w);
}

static void put(void *context, const struct class_stretch *run)
{
    (void)context;
    class_encoder_put(&sender, run);
}

static struct span name_of(uint32_t row, unsigned number)
{
    (void)number;
    return span_text(row == 101 ? "HOG" : "OTHER");
}

static void begin(const char *text)
{
    struct refusal why;

    assert_true(class_tree_parse(&tree, span_text(text), &why));
    dump_hello(&d, 1, "monitor=states");
    dump_snapshot(&d, 1, 1, true, 1);
    class_encoder_begin(&sender, &(struct class_encoder_request){.epoch = 1, .unit = 1, .send = send});
    class_runs_begin(&runs, &(struct class_runs_request){
        .tree = &tree, .classes = class_runs_classes(&tree), .time = BEGIN, .name = name_of, .put = put,
    });
}

static void take(uint64_t time, enum trace_class class, uint64_t argument)
{
    class_runs_take(&runs, BEGIN + time, class, argument);
}

static void finish(uint64_t time)
{
    class_runs_end(&runs, BEGIN + time);
    class_encoder_end(&sender, BEGIN + time);
    dump_end(&d, 1, 0, "done");
}

/* What the timeline gives, as text: class and length, or a gap's cause, length and number. */
static void check(const char *expected)
{
    struct timeline *t = timeline_of(d.bytes, d.length, 0);
    struct timeline_item item;
    char text[512] = "";
    size_t length = 0;

    assert_non_null(t);
    assert_true(timeline_has_classes(t) && timeline_read_classes(t, true));
    while (timeline_next(t, &item))
        length += (size_t)(item.kind == TIMELINE_CLASS
            ? snprintf(text + length, sizeof text - length, "%c%d ", class_letter(item.class.code),
                       (int)item.class.length)
            : snprintf(text + length, sizeof text - length, "!%d:%d:%d ", (int)item.gap.cause,
                       (int)(item.gap.end - item.gap.begin), (int)item.gap.missing));
    timeline_close(t);
    assert_string_equal(text, expected);
}

static void one_cycle(uint64_t t)
{
    take(t, TRACE_SWITCH, trace_task(101, 2));
    take(t + 10, TRACE_RESUME, trace_exit(0, 0));
    take(t + 100, TRACE_SYSCALL_ENTER, 5);
    take(t + 130, TRACE_TICK_ENTER, 0);
    take(t + 135, TRACE_TICK_EXIT, 0);
    take(t + 150, TRACE_SYSCALL_EXIT, trace_exit(5, 0));
    take(t + 200, TRACE_IRQ_ENTER, 0x40);
    take(t + 220, TRACE_IRQ_EXIT, trace_exit(0x40, 0));
}

/* @number asks for the call, which is not known before the first return. */
static void test_tree(void **state)
{
    (void)state;
    begin("0=hog:task=HOG+mode=user,1=call:task=HOG+mode=kernel+masked=no@number,2=tick:mode=monitor,"
          "3=irq:mode=interrupt");
    take(0, TRACE_CONTINUE, trace_task(100, 1));
    one_cycle(50);
    finish(300);
    check("!6:60:0 090 130 25 115 050 320 030 ");
}

/* A loss, a pause and what was overwritten are told; then the state is known again. */
static void test_gaps(void **state)
{
    (void)state;
    begin("0=hog:task=HOG+mode=user,1=other:else");
    class_runs_skip(&runs, BEGIN + 20, 7);
    take(20, TRACE_SWITCH, trace_task(101, 2));
    take(30, TRACE_RESUME, trace_exit(0, 0));
    take(50, TRACE_LOST, 9);
    take(70, TRACE_CONTINUE, trace_task(101, 2));
    take(90, TRACE_PAUSE, 0);
    take(95, TRACE_CONTINUE, trace_task(101, 2));
    finish(100);
    check("!1:20:7 110 020 !2:20:9 120 !3:5:0 15 ");
}

/* START and STOP; a call that began before the monitor did is not known. */
static void test_pause_and_unknown(void **state)
{
    (void)state;
    begin("START:event=5,STOP:event=6,a:call=any,b:else");
    take(0, TRACE_CONTINUE, trace_task(101, 2));
    take(10, TRACE_RESUME, trace_exit(0, 0));
    take(20, TRACE_USER, 5);
    take(30, TRACE_SYSCALL_ENTER, 3);
    take(40, TRACE_SYSCALL_EXIT, trace_exit(3, 0));
    take(50, TRACE_USER, 6);
    take(60, TRACE_END, trace_task(101, 2));
    finish(70);
    check("!6:10:0 P10 110 010 110 P20 ");
}

/* A frame that did not arrive, and an end that did not.  A run that may go on is in the next frame. */
static void test_lost_frame(void **state)
{
    size_t first, second;

    (void)state;
    begin("0=hog:task=HOG+mode=user,1=other:else");
    take(0, TRACE_CONTINUE, trace_task(100, 1));
    one_cycle(50);
    class_encoder_flush(&sender);
    first = d.length;
    one_cycle(350);
    class_encoder_flush(&sender);
    second = d.length;
    one_cycle(650);
    class_runs_flush(&runs);
    class_encoder_flush(&sender);
    memmove(d.bytes + first, d.bytes + second, d.length - second);
    d.length -= second - first;
    check("160 090 150 050 !0:300:6 120 080 110 090 150 050 120 !4:0:0 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_tree, end), cmocka_unit_test_teardown(test_gaps, end),
        cmocka_unit_test_teardown(test_pause_and_unknown, end), cmocka_unit_test_teardown(test_lost_frame, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
