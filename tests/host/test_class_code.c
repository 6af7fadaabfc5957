/* SPDX-License-Identifier: MIT */
/*
 * Classes of states as frames and back: each run, its times and its attribute; the length of what a system
 * like the paper's makes; frames that are lost, cut or wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stream/class_decode.h"
#include "tests/host/sent_frames.h"

#define EPOCH   77u
#define RUNS    60000u
#define TASKS   34u /* of the paper's figure 3 */
#define BYTES_A_MICROSECOND_RUN 2.0
#define BYTES_A_RUN             4.0

static struct made {
    struct class_encoder sender;
    struct class_stretch run[RUNS]; /* as they were given */
    uint32_t runs;
    uint64_t now;
} made;

static void begin(uint64_t unit)
{
    memset(&made, 0, sizeof made);
    sent_begin();
    made.now = 5000000;
    class_encoder_begin(&made.sender, &(struct class_encoder_request){.epoch = EPOCH, .unit = unit,
                                                                      .send = sent_take});
}

static void put(int64_t length, unsigned code, uint64_t attribute, bool attributed)
{
    struct class_stretch *const run = &made.run[made.runs++];

    assert_in_range(made.runs, 1, RUNS);
    *run = (struct class_stretch){made.now, made.now + (uint64_t)length, attribute, (uint8_t)code, attributed};
    made.now = run->end;
    class_encoder_put(&made.sender, run);
}

static void put_task(uint64_t instructions, unsigned code, uint32_t task)
{
    put((int64_t)(8 * instructions), code, 0xa0000000u + task * 40503u, true);
}

/*
 * Classes of the default tree: a task is switched to, computes, calls, is ticked, and sleeps;
 * 8 clock units an instruction.
 */
static void burst(void)
{
    const uint32_t task = (uint32_t)below(TASKS), from = (uint32_t)below(TASKS);

    put_task(60 + below(90), 7, from);
    put_task(60, 5, from);
    put_task(60, 5, task);
    for (uint64_t calls = below(4); calls > 0; calls--) {
        put_task(200 + below(20000), 0, task);
        put_task(40 + below(9000), 4, task);
    }
    put_task(200 + below(60000), 0, task);
    if (below(8) == 0) {
        put((int64_t)(8 * (120 + below(40))), 8, 0, false);
        put_task(200 + below(20000), 0, task);
    }
    put_task(40 + below(200), 4, task);
    put_task(40 + below(20), 5, task);
    put_task(60, 5, from);
    put_task(100 + below(30000), 0, from);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Every frame that arrives, each for itself.  Returns the runs. */
static uint32_t check(uint64_t unit, bool (*arrives)(uint32_t frame))
{
    static struct class_batch b;
    uint32_t runs = 0;

    for (uint32_t i = 0; i < sent.frames; i++) {
        uint8_t copy[WIRE_FRAME_MAX];
        struct wire_reader r;

        assert_true(sent_open(i, &r, copy));
        if (arrives && !arrives(i))
            continue;
        assert_true(class_decode(&b, &r));
        assert_int_equal(b.unit, unit);
        for (uint32_t n = 0; n < b.count; n++) {
            const struct class_stretch *const is = &b.run[n], *const was = &made.run[b.first + n];

            assert_int_equal(is->code, was->code);
            assert_int_equal(is->attributed, was->attributed);
            assert_int_equal(is->attribute, was->attribute);
            assert_in_range(distance(is->begin, was->begin), 0, unit / 2);
            assert_in_range(distance(is->end, was->end), 0, unit / 2);
        }
        runs += b.count;
    }
    return runs;
}

/*
 * The bounds: 2 bytes a run by the microsecond, 4 at the clock's unit, all framing included.  Errors do not add up.
 */
static void test_figure3(void **state)
{
    static const struct {
        uint64_t unit;
        double bytes;
    } rows[] = {{1000, BYTES_A_MICROSECOND_RUN}, {1, BYTES_A_RUN}, {7, BYTES_A_RUN}};

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin(rows[i].unit);
        while (made.runs < RUNS - 32)
            burst();
        class_encoder_end(&made.sender, made.now);
        print_message("unit %u: %u runs in %zu bytes: %.3f each\n", (unsigned)rows[i].unit, made.runs, sent.bytes,
                      (double)sent.bytes / made.runs);
        assert_true((double)sent.bytes / made.runs <= rows[i].bytes);
        assert_int_equal(check(rows[i].unit, NULL), made.runs);
    }
}

static bool one_in_three(uint32_t frame)
{
    return frame % 3 == 1;
}

/* What arrives is whole in time, class and attribute. */
static void test_frames_are_lost(void **state)
{
    (void)state;
    begin(1);
    while (made.runs < RUNS / 4)
        burst();
    class_encoder_end(&made.sender, made.now);
    assert_in_range(check(1, one_in_three), 1, made.runs / 2);
}

/* Time that goes back, every class, attributes of any length and more than have numbers. */
static void test_odd_runs(void **state)
{
    const uint64_t units[] = {1, 1000};

    (void)state;
    for (unsigned u = 0; u < 2; u++) {
        begin(units[u]);
        put(0, 0, UINT64_MAX, true);
        put(0, 0, 0, true);
        for (unsigned i = 0; i < RUNS / 2; i++)
            put(below(5) == 0 ? -(int64_t)below(4000) : (int64_t)(1 + (below(2) << below(44))),
                (unsigned)below(CLASS_SENT), below(400) << below(56), below(3) != 0);
        for (uint32_t i = 0; i < made.runs; i++)
            made.run[i].attribute = made.run[i].attributed ? made.run[i].attribute : 0;
        class_encoder_end(&made.sender, made.now);
        assert_int_equal(check(units[u], NULL), made.runs);
    }
}

static void test_end_and_lost(void **state)
{
    static struct class_batch b;
    uint8_t copy[WIRE_FRAME_MAX];
    struct wire_reader r;

    (void)state;
    begin(1);
    put(8, 3, 0, false);
    class_encoder_lost(&made.sender, 17, 4711);
    class_encoder_flush(&made.sender);
    class_encoder_flush(&made.sender);
    assert_int_equal(sent.frames, 1);
    assert_true(sent_open(0, &r, copy) && class_decode(&b, &r));
    assert_int_equal(b.lost, 17);
    assert_int_equal(b.lost_time, 4711);
    class_encoder_end(&made.sender, 5000009);
    assert_true(sent_open(1, &r, copy) && class_decode(&b, &r));
    assert_true(b.count == 0 && b.first == 1 && b.time == 5000009);
}

/* Wrong heads and cut codes are refused, and leave an empty batch. */
static void refuse_as(enum wire_type type, struct wire_states head, const char *codes, size_t length)
{
    static struct class_batch b;
    uint8_t bytes[WIRE_FRAME_MAX];
    struct wire_reader r;

    head.codes = (struct wire_text){codes, length};
    sent_wrong(type, &head, &r, bytes);
    assert_false(class_decode(&b, &r));
    assert_int_equal(b.count, 0);
}

static void refuse(struct wire_states head, const char *codes, size_t length)
{
    refuse_as(WIRE_STATES, head, codes, length);
}

/* PACKED_STATES with these codes, a string literal without its zero: the end of the last run. */
static uint64_t end_of(struct wire_states head, const char *codes, size_t length)
{
    static struct class_batch b;
    uint8_t bytes[WIRE_FRAME_MAX];
    struct wire_reader r;

    head.codes = (struct wire_text){codes, length};
    sent_wrong(WIRE_PACKED_STATES, &head, &r, bytes);
    assert_true(class_decode(&b, &r));
    assert_int_equal(b.count, head.count);
    return b.run[b.count - 1].end;
}

#define THE_END(head, codes) end_of(head, codes, sizeof(codes) - 1)
#define WRONG(head, codes)   refuse_as(WIRE_PACKED_STATES, head, codes, sizeof(codes) - 1)
#define WIDTHS "\0\0\0\0\0\0\0\0"

static void test_packed_refusals(void **state)
{
    const struct wire_states one = {.epoch = EPOCH, .count = 1, .time = 9, .unit = 1};
    struct wire_states head = one;

    (void)state;
    assert_int_equal(THE_END(one, "\0\3\5\4"), 12);          /* class 5, 3 units */
    assert_int_equal(THE_END(one, "\0\3\5\0\11"), 0);        /* back to time 0 */
    assert_int_equal(THE_END(one, "\0\3\205\0\7\1"), 9);     /* attribute 7, no time */
    head.count = 3;
    assert_int_equal(THE_END(head, "\0\17\5\5\2\3\4"), 15);  /* 5 after nothing, 5 after 5, and again by its place */
    /* lengths by indexes, all of them new */
    assert_int_equal(THE_END(head, "\1\17\5\5" WIDTHS "\xff\x0f\2\3\4"), 15);
    WRONG(one, "");
    WRONG(one, "\0");                      /* no place */
    WRONG(one, "\0\3");                    /* the kind is missing */
    WRONG(one, "\0\3\5");                  /* the length is missing */
    WRONG(one, "\0\3\5\4\4");              /* more lengths than runs */
    WRONG(one, "\2\3\5\4");                /* no such form */
    WRONG(one, "\0\0\4");                  /* a place in a list that is empty */
    WRONG(one, "\0\23\5\4");               /* bits behind the last place */
    WRONG(one, "\0\3\43\4");               /* class 35 */
    assert_int_equal(THE_END(one, "\0\3\300\5\0\1"), 8); /* as in STATES: its kind is not listed */
    WRONG(one, "\0\3\300\300\4");        /* twice back */
    WRONG(one, "\0\3\205\1\4");            /* number 1 of none */
    WRONG(one, "\0\3\5\0\12");             /* back before time 0 */
    WRONG(one, "\0\3\5\377\377\377\377\377\377\377\377\77"); /* a time that no run reaches */
    WRONG(one, "\1\3\5" WIDTHS "\0");      /* the first length by an index */
    head = one;
    head.unit = 0;
    WRONG(head, "\0\3\5\4");
    head.unit = CLASS_TIME_END - 1;
    WRONG(head, "\0\3\5\5");
    head = one;
    head.count = CLASS_FRAME_MAX + 1;
    WRONG(head, "");
    head.count = 0;
    WRONG(head, "\0");
}

static void test_refusals(void **state)
{
    const struct wire_states one = {.epoch = EPOCH, .count = 1, .time = 9, .unit = 1};
    struct wire_states head = one;

    (void)state;
    refuse(one, "", 0);
    refuse(one, "\301", 1);              /* the kind is missing */
    refuse(one, "\301\0\1", 3);          /* more bytes than runs */
    refuse(one, "\1", 1);                /* a place in a list that is empty */
    refuse(one, "\301\43", 2);           /* class 35 */
    refuse(one, "\301\201", 2);          /* the attribute is missing */
    refuse(one, "\301\201\1", 3);        /* number 1 of none */
    refuse(one, "\301\201\0\200", 4);    /* half an attribute */
    refuse(one, "\341\0", 2);            /* half a length */
    refuse(one, "\301\300", 2);          /* back, and no kind */
    refuse(one, "\301\300\300", 3);      /* twice back */
    refuse(one, "\312\300\0", 3);        /* back before time 0 */
    refuse(one, "\340\0\377\377\377\377\377\377\377\377\77", 11); /* a time that no run reaches */
    head.unit = 0;
    refuse(head, "\301\0", 2);
    head.unit = UINT64_MAX;
    refuse(head, "\301\0", 2);
    head = one;
    head.count = CLASS_FRAME_MAX + 1;
    refuse(head, "", 0);
    head = one;
    head.first = CLASS_NUMBER_END;
    refuse(head, "\301\0", 2);
    head = one;
    head.time = CLASS_TIME_END;
    refuse(head, "\301\0", 2);
}

/* Whatever stands in a frame, what comes out is within its bounds. */
static void test_any_bytes(void **state)
{
    static struct class_batch b;
    uint32_t whole = 0;

    (void)state;
    begin(1);
    for (unsigned i = 0; i < 20000; i++) {
        char codes[64];
        const size_t length = below(sizeof codes);
        struct wire_states head = {.count = below(8), .time = below(100), .unit = below(3), .codes = {codes, length}};
        uint8_t bytes[WIRE_FRAME_MAX];
        struct wire_reader r;

        for (size_t at = 0; at < length; at++)
            codes[at] = (char)below(256);
        if (i % 2 != 0 && length != 0)
            codes[0] = (char)below(2); /* the form */
        sent_wrong(i % 2 != 0 ? WIRE_PACKED_STATES : WIRE_STATES, &head, &r, bytes);
        if (!class_decode(&b, &r))
            continue;
        whole++;
        for (uint32_t n = 0; n < b.count; n++)
            assert_true(b.run[n].end < CLASS_TIME_END && b.run[n].code < CLASS_SENT);
    }
    assert_true(whole > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure3), cmocka_unit_test(test_frames_are_lost), cmocka_unit_test(test_odd_runs),
        cmocka_unit_test(test_end_and_lost), cmocka_unit_test(test_refusals), cmocka_unit_test(test_packed_refusals),
        cmocka_unit_test(test_any_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
