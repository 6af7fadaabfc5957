/* SPDX-License-Identifier: MIT */
/*
 * Events as frames and back: each event, its time and its task; the length of what a system like
 * the paper's makes; frames that are lost, cut or wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stream/event_decode.h"
#include "tests/host/sent_frames.h"

#define EPOCH  77u
#define EVENTS 60000u
#define TASKS  34u /* of the paper's figure 3 */
#define BYTES_A_EVENT 3.0

static struct run {
    struct event_encoder sender;
    struct trace_event event[EVENTS]; /* as they were given */
    uint32_t events;
    uint64_t now;
    uint64_t task;
} run;

static void begin(uint64_t unit)
{
    memset(&run, 0, sizeof run);
    sent_begin();
    run.now = 5000000;
    run.task = 7;
    event_encoder_begin(&run.sender, &(struct event_encoder_request){.epoch = EPOCH, .unit = unit, .send = sent_take},
                        7);
}

static void put(int64_t later, enum trace_class class, uint64_t argument)
{
    struct trace_event *const e = &run.event[run.events++];

    assert_in_range(run.events, 1, EVENTS);
    run.now += (uint64_t)later;
    *e = (struct trace_event){.time = run.now, .argument = argument, .task = run.task, .class = (uint8_t)class};
    event_encoder_put(&run.sender, e);
    if (class == TRACE_SWITCH)
        run.task = argument;
}

/* An interrupt wakes a task, which preempts, makes a few calls, and sleeps: at 8 clock units an instruction. */
static void burst(void)
{
    const uint32_t number = (uint32_t)below(TASKS);
    const uint64_t to = trace_task(100 + number, number), from = run.task;

    put((int64_t)(8 * (1 + below(120000))), TRACE_IRQ_ENTER, 0x40);
    put((int64_t)(8 * (60 + below(20))), TRACE_WAKE, to);
    put((int64_t)(8 * (90 + below(9))), TRACE_READY, from);
    put(8 * 70, TRACE_SWITCH, to);
    put(8 * 30, TRACE_RESUME, trace_exit(0, 4));
    for (uint64_t calls = below(3); calls > 0; calls--) {
        put((int64_t)(8 * (200 + below(20000))), TRACE_SYSCALL_ENTER, 2 + below(4));
        put((int64_t)(8 * (40 + below(9000))), TRACE_SYSCALL_EXIT, trace_exit(2, 0));
    }
    put((int64_t)(8 * below(4000)), TRACE_SYSCALL_ENTER, 5);
    put(8 * 40, TRACE_SLEEP, to);
    put(8 * 60, TRACE_SWITCH, from);
    put(8 * 20, TRACE_RESUME, trace_exit(0, 0));
}

static struct event_key keys[DICTIONARY_MAX];

/* Every definition says the same, however often it comes. */
static uint32_t read_keys(void)
{
    static bool known[DICTIONARY_MAX];
    uint32_t count = 0;

    memset(known, 0, sizeof known);
    for (uint32_t i = 0; i < sent.frames; i++) {
        uint8_t copy[WIRE_FRAME_MAX];
        struct wire_reader r;
        struct wire_event_keys head;
        struct wire_event_keys_row row;
        struct event_key key;

        assert_true(sent_open(i, &r, copy));
        if (r.type != WIRE_EVENT_KEYS)
            continue;
        assert_true(wire_read_head(&r, &head));
        assert_int_equal(head.epoch, EPOCH);
        while (wire_read_row(&r, &row)) {
            assert_true(event_read_key(&row, &key));
            if (known[row.index])
                assert_true(keys[row.index].class == key.class && keys[row.index].argument == key.argument);
            count += !known[row.index];
            known[row.index] = true;
            keys[row.index] = key;
        }
        assert_true(wire_done(&r));
    }
    return count;
}

static void check_event(const struct event_sent *is, const struct trace_event *was, uint64_t task, uint64_t unit)
{
    const bool full = is->index == DICTIONARY_NONE;
    const uint64_t error = is->time > was->time ? is->time - was->time : was->time - is->time;

    assert_int_equal(full ? is->class : keys[is->index].class, was->class);
    assert_int_equal(full ? is->argument : keys[is->index].argument, was->argument);
    assert_int_equal(task, was->task);
    if (unit == 0)
        assert_int_equal(is->time, 0);
    else
        assert_in_range(error, 0, unit / 2);
}

/* Every frame that arrives, each for itself: events, times and tasks.  Returns the events. */
static uint32_t check(uint64_t unit, bool (*arrives)(uint32_t frame))
{
    static struct event_batch b;
    uint32_t events = 0;

    read_keys();
    for (uint32_t i = 0; i < sent.frames; i++) {
        uint8_t copy[WIRE_FRAME_MAX];
        struct wire_reader r;
        uint64_t task;

        assert_true(sent_open(i, &r, copy));
        if (!event_is_frame(r.type) || (arrives && !arrives(i)))
            continue;
        assert_true(event_decode(&b, &r));
        task = b.task;
        for (uint32_t e = 0; e < b.count; e++) {
            const struct trace_event *const was = &run.event[b.first + e];

            check_event(&b.event[e], was, task, unit);
            task = was->class == TRACE_SWITCH ? was->argument : task;
        }
        events += b.count;
    }
    return events;
}

/* The bound: 3 bytes an event on the paper's system at the clock's unit, all frames included. */
static void test_figure3(void **state)
{
    (void)state;
    begin(1);
    while (run.events < EVENTS - 32)
        burst();
    event_encoder_end(&run.sender);
    print_message("%u events in %zu bytes: %.3f each\n", run.events, sent.bytes, (double)sent.bytes / run.events);
    assert_true((double)sent.bytes / run.events <= BYTES_A_EVENT);
    assert_int_equal(check(1, NULL), run.events);
}

static bool one_in_three(uint32_t frame)
{
    return frame % 3 == 1;
}

static void test_frames_are_lost(void **state)
{
    (void)state;
    begin(1);
    while (run.events < EVENTS / 4)
        burst();
    event_encoder_end(&run.sender);
    assert_in_range(check(1, one_in_three), 1, run.events / 2);
}

/* Coarser times do not drift, and none are sent where none are asked for. */
static void test_units(void **state)
{
    const uint64_t units[] = {1000, 7, 0};

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        begin(units[i]);
        while (run.events < EVENTS / 4)
            burst();
        event_encoder_end(&run.sender);
        assert_int_equal(check(units[i], NULL), run.events);
    }
}

/* Time that goes back, arguments of any length, keys that never come again, more keys than indexes. */
static void test_odd_events(void **state)
{
    (void)state;
    begin(1);
    put(0, TRACE_USER, TRACE_ARGUMENT_MAX);
    for (unsigned i = 0; i < 3 * DICTIONARY_MAX; i++)
        put(below(4) == 0 ? -(int64_t)below(100) : (int64_t)(below(2) << below(40)), TRACE_USER,
            below(DICTIONARY_MAX + 500));
    event_encoder_end(&run.sender);
    assert_in_range(run.sender.keys.count, 2 * DICTIONARY_SHORT, DICTIONARY_MAX);
    assert_int_equal(check(1, NULL), run.events);
}

static void test_overwritten_and_lost(void **state)
{
    static struct event_batch b;
    uint8_t copy[WIRE_FRAME_MAX];
    struct wire_reader r;

    (void)state;
    begin(1);
    put(8, TRACE_SYNC, 1);
    event_encoder_skip_to(&run.sender, 1000, 55);
    event_encoder_lost(&run.sender, 17, 4711);
    put(8, TRACE_SYNC, 2);
    event_encoder_flush(&run.sender);
    assert_true(sent_open(1, &r, copy) && event_decode(&b, &r));
    assert_int_equal(b.first, 1000);
    assert_int_equal(b.task, 55);
    assert_int_equal(b.lost, 17);
    assert_int_equal(b.lost_time, 4711);
    event_encoder_end(&run.sender);
    assert_true(sent_open(2, &r, copy) && event_decode(&b, &r));
    assert_int_equal(b.count, 0);
    assert_int_equal(b.first, 1001);
}

/* A second clock that is always the same is told by indexes; one that never is, by numbers. */
static void test_steps_come_again(void **state)
{
    size_t bytes[2];

    (void)state;
    for (unsigned fresh = 0; fresh < 2; fresh++) {
        begin(1);
        for (unsigned i = 0; i < EVENTS / 4; i++)
            put(fresh ? (int64_t)(1 + below(1 << 20)) : (int64_t)(70000 + 1000 * below(8)), TRACE_IRQ_ENTER,
                below(4));
        event_encoder_end(&run.sender);
        assert_int_equal(check(1, NULL), run.events);
        bytes[fresh] = sent.bytes;
    }
    print_message("%u events: %zu bytes where steps come again, %zu where none does\n", run.events, bytes[0],
                  bytes[1]);
    /*
     * Of 8 steps and of 4 keys an index takes 4 bits each and what a class leaves open; a fresh step takes 3 bytes.
     */
    assert_in_range(bytes[0], run.events, 3 * run.events / 2);
    assert_in_range(bytes[1], 3 * run.events, 4 * run.events);
}

/* Wrong heads and cut codes are refused, and leave an empty batch. */
static void refuse_as(enum wire_type type, struct wire_events head, const char *codes, size_t length)
{
    static struct event_batch b;
    uint8_t bytes[WIRE_FRAME_MAX];
    struct wire_reader r;

    head.codes = (struct wire_text){codes, length};
    sent_wrong(type, &head, &r, bytes);
    assert_false(event_decode(&b, &r));
    assert_int_equal(b.count, 0);
}

static void refuse(struct wire_events head, const char *codes, size_t length)
{
    refuse_as(WIRE_EVENTS, head, codes, length);
}

/* Classes of one index each, and a form; of two events, as all below. */
#define WIDTHS "\0\0\0\0\0\0\0"

static void take(struct wire_events head, const char *codes, size_t length, uint64_t second)
{
    static struct event_batch b;
    uint8_t bytes[WIRE_FRAME_MAX];
    struct wire_reader r;

    head.codes = (struct wire_text){codes, length};
    sent_wrong(WIRE_PACKED_EVENTS, &head, &r, bytes);
    assert_true(event_decode(&b, &r));
    assert_int_equal(b.count, 2);
    assert_int_equal(b.event[1].time, second);
}

/* `codes` is a string literal without its zero. */
#define TAKE(head, codes, second)  take(head, codes, sizeof(codes) - 1, second)
#define REFUSE(head, codes)        refuse_as(WIRE_PACKED_EVENTS, head, codes, sizeof(codes) - 1)

static void test_packed_refusals(void **state)
{
    const struct wire_events two = {.epoch = EPOCH, .count = 2, .time = 9, .unit = 1};
    struct wire_events head = two;

    (void)state;
    TAKE(two, WIDTHS "\0\x10\3", 11);                        /* indexes 0 and 1, 2 units later */
    TAKE(two, WIDTHS "\0\xe3\0\11", 0);                      /* index 3, the same again, back to time 0 */
    TAKE(two, WIDTHS "\0\xf0\7\5\3", 11);                    /* the second in full: class 7, argument 5 */
    TAKE(two, WIDTHS "\1\x10" WIDTHS "\0\x0f\3", 11);        /* the step in full, in form 1 */
    REFUSE(two, WIDTHS "\0\x10");                            /* no step */
    REFUSE(two, WIDTHS "\0\x10\3\3");                        /* a step too many */
    REFUSE(two, WIDTHS "\2\x10\3");                          /* no such form */
    REFUSE(two, "\0\0\0\0\0\0\xe0\0\x10\3");               /* no such width */
    REFUSE(two, WIDTHS "\0\x1e\3");                          /* the index before the first */
    REFUSE(two, WIDTHS "\0\xef\7\5\3");                      /* the index of what has none */
    REFUSE(two, WIDTHS "\0\xf0\7\5");                        /* a key, no step */
    REFUSE(two, WIDTHS "\0\x10\0\12");                       /* back before time 0 */
    REFUSE(two, WIDTHS "\0\x10\0\0");                        /* back by nothing */
    REFUSE(two, WIDTHS "\0\x10\377\377\377\377\377\377\377\377\377\2");
    REFUSE(two, WIDTHS "\0\x10\377\377\377\377\377\377\377\377\77"); /* a time that no run reaches */
    REFUSE(two, WIDTHS "\1\x10" WIDTHS "\1\x0f\3");          /* a form within the steps */
    REFUSE(two, WIDTHS "\1\x10" WIDTHS "\0\x00");            /* the first step by an index */
    REFUSE(two, WIDTHS "\1\x10" WIDTHS "\0\x0f");            /* a step in full that is missing */
    REFUSE(two, WIDTHS "\1\x10" WIDTHS "\0\x1f\3");          /* an odd number, and a class more */
    REFUSE(two, WIDTHS "\1\x10\3");                          /* half of the widths */
    REFUSE(two, "\15\0\0\0\0\0\0\0\0\3");                    /* the bits of an index are missing */
    REFUSE(two, "\15\0\0\0\0\0\0\0\0\1\0\0\100\3");           /* bits behind the last one */
    head.time = head.unit = 0;
    REFUSE(head, WIDTHS "\0\x10\3");                         /* a time without a unit */
    REFUSE(head, WIDTHS "\1\x10");                           /* and a form of it */
    TAKE(head, WIDTHS "\0\x10", 0);
    head = two;
    head.unit = EVENT_TIME_MAX - 1;
    REFUSE(head, WIDTHS "\0\x10\4");
    head = two;
    head.count = EVENT_FRAME_MAX + 1;
    REFUSE(head, "");
    head.count = 0;
    REFUSE(head, "\0");
}

static void test_refusals(void **state)
{
    const struct wire_events two = {.epoch = EPOCH, .count = 2, .time = 9, .unit = 1};
    struct wire_events head = two;

    (void)state;
    refuse(two, "\1\0\1", 3);           /* the time of the second is missing */
    refuse(two, "\1\0\1\1\1", 5);       /* more bytes than events */
    refuse(two, "\1\0\0\1", 4);         /* no code is 0 */
    refuse(two, "\1\0\376\1\12", 5);    /* back before time 0 */
    refuse(two, "\1\0\376\376\1\1", 6); /* twice back */
    refuse(two, "\1\0\301", 3);         /* half an index */
    refuse(two, "\1\0\375\1\1", 5);     /* an index that cannot be */
    refuse(two, "\1\0\377\1", 4);       /* half a key */
    refuse(two, "\1\0\1\377\377\377\377\377\377\377\377\377\2", 13); /* more than 64 bits */
    refuse(two, "\1\0\1\377\377\377\377\377\377\377\377\77", 12);    /* a time that no run reaches */
    head.unit = 0;
    refuse(head, "\1\1", 2); /* a time without a unit */
    head = two;
    head.unit = UINT64_MAX;
    refuse(head, "\1\0\1\1", 4);
    head = two;
    head.count = EVENT_FRAME_MAX + 1;
    refuse(head, "", 0);
    head = two;
    head.first = EVENT_NUMBER_MAX;
    refuse(head, "\1\0\1\1", 4);
    head = two;
    head.task = TRACE_ARGUMENT_MAX + 1;
    refuse(head, "\1\0\1\1", 4);
}

/* Whatever stands in a frame, what comes out is within its bounds. */
static void test_any_bytes(void **state)
{
    static struct event_batch b;
    uint32_t whole = 0;

    (void)state;
    begin(1);
    for (unsigned i = 0; i < 20000; i++) {
        char codes[64];
        const size_t length = below(sizeof codes);
        struct wire_events head = {.count = below(20), .time = below(100), .unit = below(3),
                                   .codes = {codes, length}};
        uint8_t bytes[WIRE_FRAME_MAX];
        struct wire_reader r;

        for (size_t at = 0; at < length; at++)
            codes[at] = (char)below(256);
        if (i % 2 != 0) /* most widths cannot be, and most classes have bits */
            memset(codes, 0, length < PACK_HEAD ? length : PACK_HEAD);
        sent_wrong(i % 2 != 0 ? WIRE_PACKED_EVENTS : WIRE_EVENTS, &head, &r, bytes);
        if (!event_decode(&b, &r))
            continue;
        whole++;
        for (uint32_t e = 0; e < b.count; e++)
            assert_true(b.event[e].time < EVENT_TIME_MAX &&
                        (b.event[e].index == DICTIONARY_NONE || b.event[e].index < DICTIONARY_MAX));
    }
    assert_true(whole > 10);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(trace_class_name(TRACE_IRQ_EXIT), "irq-exit");
    assert_null(trace_class_name(0));
    assert_null(trace_class_name(TRACE_CLASSES_END));
    assert_int_equal(trace_classes_named(span_text("irq")), trace_bit(TRACE_IRQ_ENTER) | trace_bit(TRACE_IRQ_EXIT));
    assert_int_equal(trace_classes_named(span_text("irq-exit")), trace_bit(TRACE_IRQ_EXIT));
    assert_int_equal(trace_classes_named(span_text("irqs")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure3), cmocka_unit_test(test_frames_are_lost), cmocka_unit_test(test_units),
        cmocka_unit_test(test_odd_events), cmocka_unit_test(test_overwritten_and_lost),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_packed_refusals),
        cmocka_unit_test(test_steps_come_again), cmocka_unit_test(test_any_bytes), cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
