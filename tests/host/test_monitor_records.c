/* SPDX-License-Identifier: MIT */
/*
 * The records of the software monitors (the rules of probe/stream/wire.h): what is
 * right is kept and notes nothing; what contradicts itself or the record before is noted, alone, and dropped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/core/call_stacks.h"
#include "probe/stats/tick_usage.h"
#include "tests/host/dump_monitors.h"
#include "tests/host/dumped.h"

#define EPOCH 1
#define WORDS "rate=120 seed=7 monitor=system,idle,intercept,acct output=frames"

/* The first record of each kind is right; the second one is what a case makes of it. */
static struct wire_idle idle;
static struct wire_disk disk;
static struct wire_intercept intercept;
static struct wire_intercept_row vector;
static struct wire_acct acct;
static struct wire_acct_row task;
static struct wire_calls calls;
static struct wire_ranges ranges;
static struct wire_ranges_row range;
static struct wire_profil profil;
static struct wire_profil_row counter;
static struct wire_call_stacks stacks;
static struct wire_call_stacks_row stack;
static uint64_t addresses[CALL_STACK_DEPTH + 1];
static struct wire_stack_walks walks;
static struct wire_output output;
static struct wire_procstat procstat;
static struct wire_procreads reads;
static struct wire_procreads_row read_stat;
static struct wire_procstat_row counted;

static void put(void)
{
    struct wire_writer w;

    dump_head(&d, WIRE_IDLE, &idle);
    dump_head(&d, WIRE_DISK, &disk);
    wire_begin(&w, WIRE_INTERCEPT, &intercept);
    wire_row(&w, WIRE_INTERCEPT, &vector);
    dump_end_frame(&d, &w);
    wire_begin(&w, WIRE_ACCT, &acct);
    wire_row(&w, WIRE_ACCT, &task);
    dump_end_frame(&d, &w);
    wire_begin(&w, WIRE_CALLS, &calls);
    wire_row(&w, WIRE_CALLS, &(struct wire_calls_row){0x401000, 1, 0, 5, 5});
    dump_end_frame(&d, &w);
    wire_begin(&w, WIRE_RANGES, &ranges);
    wire_row(&w, WIRE_RANGES, &range);
    dump_end_frame(&d, &w);
    wire_begin(&w, WIRE_PROFIL, &profil);
    wire_row(&w, WIRE_PROFIL, &counter);
    dump_end_frame(&d, &w);
    wire_begin(&w, WIRE_CALL_STACKS, &stacks);
    wire_row(&w, WIRE_CALL_STACKS, &stack);
    dump_end_frame(&d, &w);
    dump_head(&d, WIRE_STACK_WALKS, &walks);
    dump_head(&d, WIRE_OUTPUT, &output);
    wire_begin(&w, WIRE_PROCSTAT, &procstat);
    wire_row(&w, WIRE_PROCSTAT, &counted);
    dump_end_frame(&d, &w);
    wire_begin(&w, WIRE_PROCREADS, &reads);
    wire_row(&w, WIRE_PROCREADS, &read_stat);
    dump_end_frame(&d, &w);
}

static void decode_with(void (*by)(void))
{
    d.length = 0;
    d.sequence = 0;
    idle = (struct wire_idle){EPOCH, 1, 100, 1000, 300, 200, 7};
    disk = (struct wire_disk){EPOCH, 1000, 9, 8, 2, 64, 500, 900, 800, 3};
    intercept = (struct wire_intercept){EPOCH, 1, 100, 1000, 1};
    vector = (struct wire_intercept_row){0x24, dump_text("COM1"), 0, 10, 100, 30, 5, 40, 9};
    acct = (struct wire_acct){EPOCH, 1, 1000, 0};
    task = (struct wire_acct_row){.task = 2, .id = 100, .user = 400, .calls = 5, .denied = 1, .response = 9,
                                  .response_greatest = 4};
    calls = (struct wire_calls){.epoch = EPOCH, .id = 100, .number = 1, .time = 1000, .ran = 5, .functions = 1};
    ranges = (struct wire_ranges){EPOCH, 1, 1000};
    range = (struct wire_ranges_row){5, 3, 400};
    stacks = (struct wire_call_stacks){EPOCH, 1, 100, 1000, 2, 3, 4};
    profil = (struct wire_profil){.epoch = EPOCH, .serial = 1, .time = 1000, .id = 100, .number = 2, .bytes = 4096,
                                  .scale = 65536};
    counter = (struct wire_profil_row){9, 3};
    walks = (struct wire_stack_walks){EPOCH, 1, 4, 10, 2, 3, 1, 5};
    output = (struct wire_output){EPOCH, 1000, 100, 1, dump_text("CAT"), dump_text("a line\n"), 1};
    addresses[0] = 0x401234;
    stack = (struct wire_call_stacks_row){100, MODE_KERNEL, {(const char *)addresses, 8}, 7, 6, 5, 400, 300, 50};
    procstat = (struct wire_procstat){EPOCH, 1, 100, 1000, 250, 40, 5, 30, 20, 3, 2, 1, 0, 2048, 1024, 512};
    counted = (struct wire_procstat_row){1, 100, wire_zigzag(5), 45, 32};
    reads = (struct wire_procreads){EPOCH, 1};
    read_stat = (struct wire_procreads_row){0, 10, 500, 40, 900};
    dump_hello(&d, EPOCH, WORDS);
    dump_snapshot(&d, EPOCH, 1, true, 1);
    put();
    profil.part = 1;
    counter.counter = 10;
    reads.serial = 2;
    by();
    put();
    dump_end(&d, EPOCH, 0, "over");
    decode(&got, d.bytes, d.length);
}

static void profil_next(void) { profil.serial++, profil.part = 0; }

static void right(void)
{
    idle.serial = intercept.serial = acct.serial = procstat.serial = 2;
    procstat.end = 2000;
    procstat.user = counted.user = 50;
    idle.end = intercept.end = acct.time = disk.time = calls.time = ranges.time = 2000;
    profil_next();
    read_stat.reads = 11;
    read_stat.time = 560;
    stacks.serial = 2;
    stacks.end = 2000;
    stack.samples = 8;
    walks.serial = 2;
    walks.whole = 11;
    walks.lost = 6;
    stack.time = 900;
    range.times = 4;
    range.time = 1400; /* all of the 1000 since */
    idle.idle = 900; /* 600 of the 1000 since */
    vector.count = 20;
    vector.time = 180;
    task.user = 700;
    disk.done = 9;
}

static void procstat_serial(void) { procstat.serial = 0; }
static void procstat_again(void) { procstat.end = 2000; } /* another head of this serial */
static void procstat_ends(void) { procstat.end = 99; }
static void procstat_hz(void) { procstat.hz = 0; }
static void procstat_ticks(void) { procstat.idle = WIRE_TICKS_MAX + 1; }
static void procstat_load(void) { procstat.load15 = (1ull << 20) + 1; }
static void procstat_back(void) { procstat.iowait = 2; }
static void procstat_other_hz(void) { procstat.hz = 251; }
static void counted_user(void) { counted.user = 46; }
static void counted_system(void) { counted.system = 33; }
static void counted_nice(void) { counted.nice = wire_zigzag(20); }
static void counted_id(void) { counted.id = 1ull << 32; }
static void idle_longer(void) { idle.idle = 901; }
static void idle_io(void) { idle.io = 301; }
static void idle_ends(void) { idle.end = 99; }
static void idle_back(void) { idle.idle = 299; }
static void idle_halts(void) { idle.halts = 6; }
static void idle_begin(void) { idle.begin = 101; }
static void idle_more_than_passed(void) { idle.end = 1100, idle.idle = 401; }
static void disk_done(void) { disk.done = 10; }
static void disk_busy(void) { disk.busy = 1001; }
static void disk_back(void) { disk.blocks = 63; }
static void intercept_serial(void) { intercept.serial = 0; }
static void intercept_ends(void) { intercept.end = 99; }
static void vector_none(void) { vector.count = 0; }
static void vector_number(void) { vector.vector = 256; }
static void vector_greatest(void) { vector.greatest = 101; }
static void vector_latencies(void) { vector.latencies = 11; }
static void vector_latency(void) { vector.latency_greatest = 41; }
static void vector_time(void) { vector.time = 901; }
static void vector_back(void) { vector.count = 9; }
static void acct_back(void) { acct.time = 999; }
static void acct_serial(void) { acct.serial = 0; }
static void task_none(void) { task.task = 0; }
static void task_denied(void) { task.denied = 6; }
static void task_user(void) { task.user = 1001; }
static void task_response(void) { task.response_greatest = 10; }
static void calls_id(void) { calls.id = 1ull << 32; }

static void ranges_serial(void) { ranges.serial = 0; }
static void reads_serial(void) { reads.serial = 0; }
static void reads_again(void) { reads.epoch = 0, reads.serial = 1; } /* the same: the epoch in force */
static void read_never(void) { read_stat.reads = 0; }
static void read_file(void) { read_stat.file = TICK_USAGE_FILES; }
static void read_least(void) { read_stat.least = 51; }
static void read_back(void) { read_stat.time = 499; }
static void read_longer(void) { read_stat.least = 41; }
static void ranges_back(void) { ranges.time = 999; }
static void range_event(void) { range.event = 256; }
static void range_never(void) { range.times = 0; }
static void range_longer(void) { range.time = 1001; }
static void range_back(void) { range.time = 399; }
static void range_fewer(void) { range.times = 2; }
static void profil_serial(void) { profil.serial = 0; }
static void profil_bytes(void) { profil_next(), profil.bytes = WIRE_PROFIL_BYTES + 1; }
static void profil_stopped(void) { profil_next(), profil.stopped = 1; }
static void counter_past(void) { profil_next(), counter.counter = 2048; }
static void counter_full(void) { profil_next(), counter.count = 65536; }
static void stacks_serial(void) { stacks.serial = 0; }
static void stacks_ends(void) { stacks.end = 99; }
static void stack_bytes(void) { stack.pcs.length = 7; }
static void stack_none(void) { stack.pcs.length = 0; }
static void stack_deep(void) { stack.pcs.length = sizeof(addresses); }
static void stack_mode(void) { stack.mode = MODE_USER; }
static void stack_interrupt(void) { stack.mode = MODE_INTERRUPT; }
static void walks_none(void) { walks.callers = 0; }
static void walks_deep(void) { walks.callers = CALL_STACK_DEPTH; }
static void walks_lost(void) { walks.lost = 17; }
static void walks_serial(void) { walks.serial = 0; }
static void walks_whole(void) { walks.whole = 9; }
static void walks_cut(void) { walks.cut = 1; }
static void walks_broken(void) { walks.broken = 2; }
static void walks_absent(void) { walks.absent = 0; }
static void walks_found(void) { walks.lost = 4; }
static void output_none(void) { output.bytes.length = 0; }
static void output_task(void) { output.id = 1ull << 32; }
static void stack_task(void) { stack.id = 1ull << 32; }
static void stack_longer(void) { stack.time = 901; }
static void stack_back(void) { stack.samples = 6; }
static void range_more_than_passed(void) { ranges.time = 1100, range.time = 501; }

static const struct {
    void (*by)(void);
    enum violation rule;
} broken[] = {
    {procstat_serial, VIOLATION_VALUE}, {procstat_again, VIOLATION_BACKWARD}, {reads_again, VIOLATION_BACKWARD},
    {procstat_ends, VIOLATION_VALUE}, {procstat_hz, VIOLATION_VALUE},
    {procstat_ticks, VIOLATION_VALUE}, {procstat_load, VIOLATION_VALUE}, {procstat_back, VIOLATION_BACKWARD},
    {procstat_other_hz, VIOLATION_BACKWARD}, {counted_user, VIOLATION_VALUE}, {counted_system, VIOLATION_VALUE},
    {counted_nice, VIOLATION_VALUE}, {counted_id, VIOLATION_VALUE},
    {idle_longer, VIOLATION_VALUE}, {idle_io, VIOLATION_VALUE}, {idle_ends, VIOLATION_VALUE},
    {idle_back, VIOLATION_BACKWARD},
    {idle_halts, VIOLATION_BACKWARD}, {idle_begin, VIOLATION_BACKWARD}, {idle_more_than_passed, VIOLATION_BACKWARD},
    {disk_done, VIOLATION_VALUE}, {disk_busy, VIOLATION_VALUE}, {disk_back, VIOLATION_BACKWARD},
    {intercept_serial, VIOLATION_VALUE}, {intercept_ends, VIOLATION_VALUE}, {vector_none, VIOLATION_VALUE},
    {vector_number, VIOLATION_VALUE}, {vector_greatest, VIOLATION_VALUE}, {vector_latencies, VIOLATION_VALUE},
    {vector_latency, VIOLATION_VALUE}, {vector_time, VIOLATION_VALUE}, {vector_back, VIOLATION_BACKWARD},
    {acct_back, VIOLATION_BACKWARD}, {acct_serial, VIOLATION_VALUE}, {task_none, VIOLATION_VALUE},
    {task_denied, VIOLATION_VALUE}, {task_user, VIOLATION_VALUE}, {task_response, VIOLATION_VALUE},
    {calls_id, VIOLATION_VALUE},
    {ranges_serial, VIOLATION_VALUE}, {ranges_back, VIOLATION_BACKWARD}, {range_event, VIOLATION_VALUE},
    {range_never, VIOLATION_VALUE}, {range_longer, VIOLATION_VALUE}, {range_back, VIOLATION_BACKWARD},
    {range_fewer, VIOLATION_BACKWARD}, {range_more_than_passed, VIOLATION_BACKWARD},
    {profil_serial, VIOLATION_VALUE}, {profil_bytes, VIOLATION_VALUE}, {profil_stopped, VIOLATION_VALUE},
    {counter_past, VIOLATION_VALUE}, {counter_full, VIOLATION_VALUE},
    {stacks_serial, VIOLATION_VALUE}, {stacks_ends, VIOLATION_VALUE}, {stack_bytes, VIOLATION_VALUE},
    {stack_none, VIOLATION_VALUE}, {stack_deep, VIOLATION_VALUE}, {stack_mode, VIOLATION_VALUE},
    {stack_interrupt, VIOLATION_VALUE},
    {walks_none, VIOLATION_VALUE}, {walks_deep, VIOLATION_VALUE}, {walks_lost, VIOLATION_VALUE},
    {walks_serial, VIOLATION_VALUE},
    {walks_whole, VIOLATION_BACKWARD}, {walks_cut, VIOLATION_BACKWARD}, {walks_broken, VIOLATION_BACKWARD},
    {walks_absent, VIOLATION_BACKWARD}, {walks_found, VIOLATION_BACKWARD}, {stack_task, VIOLATION_VALUE},
    {output_none, VIOLATION_VALUE}, {output_task, VIOLATION_VALUE},
    {reads_serial, VIOLATION_VALUE}, {read_never, VIOLATION_VALUE}, {read_file, VIOLATION_VALUE},
    {read_least, VIOLATION_VALUE}, {read_back, VIOLATION_BACKWARD}, {read_longer, VIOLATION_BACKWARD},
    {stack_longer, VIOLATION_VALUE}, {stack_back, VIOLATION_BACKWARD},
};

static uint64_t noted(const struct epoch *e, unsigned rule)
{
    return e->violations ? e->violations->of[rule].count : 0;
}

static const struct record_store *kept_of(enum wire_type type)
{
    return epoch_kept(got.model.epoch[0], type);
}

static void test_right(void **state)
{
    const struct wire_intercept_row *kept;
    const struct wire_procreads_row *read;
    const struct wire_call_stacks_row *called;
    const struct wire_disk *last;

    (void)state;
    decode_with(right);
    assert_null(got.model.epoch[0]->violations);
    assert_int_equal(kept_of(WIRE_IDLE)->head.count, 2);
    assert_int_equal(kept_of(WIRE_DISK)->head.count, 1);
    last = record_last(kept_of(WIRE_DISK));
    assert_int_equal(last->done, 9);
    assert_int_equal(kept_of(WIRE_ACCT)->row.count, 2);
    assert_int_equal(record_head_of(kept_of(WIRE_ACCT), 1), 1);
    assert_int_equal(kept_of(WIRE_INTERCEPT)->row.count, 1);
    assert_int_equal(kept_of(WIRE_RANGES)->row.count, 2);
    assert_int_equal(kept_of(WIRE_PROCSTAT)->head.count, 2);
    assert_int_equal(kept_of(WIRE_PROCSTAT)->row.count, 2);
    assert_null(record_row_of(kept_of(WIRE_PROCREADS), 1));
    read = record_row_of(kept_of(WIRE_PROCREADS), 0);
    assert_int_equal(read->reads, 11);
    kept = record_row(kept_of(WIRE_INTERCEPT), 0);
    assert_int_equal(kept->count, 20);
    assert_string_equal(kept->name.bytes, "COM1");
    assert_int_equal(kept_of(WIRE_CALL_STACKS)->row.count, 1);
    assert_int_equal(kept_of(WIRE_PROFIL)->row.count, 1);
    assert_int_equal(((const struct wire_profil_row *)record_row(kept_of(WIRE_PROFIL), 0))->count, 3);
    called = record_row(kept_of(WIRE_CALL_STACKS), 0);
    assert_int_equal(called->time, 900);
    assert_int_equal(stack_pc(called, 0), 0x401234);
}

/* Each alone, and what came before it stays. */
static void test_broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        const struct wire_intercept_row *vector_kept;
        const struct wire_call_stacks_row *called;
        const struct wire_idle *idle_kept;
        const struct epoch *e;

        decode_with(broken[i].by);
        e = got.model.epoch[0];
        for (unsigned rule = 0; rule < VIOLATIONS; rule++)
            if (noted(e, rule) != (rule == broken[i].rule))
                fail_msg("case %zu: rule %u was noted %lu times", i, rule, noted(e, rule));
        assert_in_range(kept_of(WIRE_IDLE)->head.count + kept_of(WIRE_ACCT)->row.count, 3, 4);
        vector_kept = record_row(kept_of(WIRE_INTERCEPT), 0);
        assert_int_equal(vector_kept->count, 10);
        idle_kept = record_head(kept_of(WIRE_IDLE), 0);
        assert_int_equal(idle_kept->idle, 300);
        called = record_row(kept_of(WIRE_CALL_STACKS), 0);
        assert_int_equal(called->samples, 7);
    }
}

/* A program writes its table itself: more functions than one has are counted, more tasks than there can be noted. */
static void test_many_calls(void **state)
{
    const struct record_store *r;
    struct wire_writer w;

    (void)state;
    dump_hello(&d, EPOCH, WORDS);
    dump_snapshot(&d, EPOCH, 1, true, 1);
    for (uint64_t from = 0; from < 300; from += 20) {
        wire_begin(&w, WIRE_CALLS, &(struct wire_calls){.epoch = EPOCH, .id = 100, .number = 1, .functions = 300});
        for (uint64_t i = from; i < from + 20; i++)
            wire_row(&w, WIRE_CALLS, &(struct wire_calls_row){0x401000 + i, 1, 0, 5, 5});
        dump_end_frame(&d, &w);
    }
    for (uint64_t number = 0; number <= RECORD_ROWS; number++)
        dump_head(&d, WIRE_CALLS, &(struct wire_calls){.epoch = EPOCH, .id = 101, .number = number});
    dump_end(&d, EPOCH, 0, "over");
    decode(&got, d.bytes, d.length);
    r = epoch_kept_of(got.model.epoch[0], WIRE_CALLS, 100);
    assert_int_equal(r->row.count, RECORD_KEYS);
    assert_int_equal(r->left_out, 300 - RECORD_KEYS);
    assert_null(epoch_kept_of(got.model.epoch[0], WIRE_CALLS, 102));
    assert_int_equal(noted(got.model.epoch[0], VIOLATION_AMOUNT), 2);
}

/* A frame of one vector, which came so often, taken by a store that may be full. */
static void add_vector(struct record_stores *s, uint64_t of, uint64_t count, bool full, struct violations **v)
{
    static uint8_t bytes[WIRE_FRAME_MAX];
    struct wire_intercept head = {EPOCH, count, 100, 1000 * count, 1};
    struct wire_reader reader;
    struct wire_writer w;
    size_t length;

    wire_begin(&w, WIRE_INTERCEPT, &head);
    wire_row(&w, WIRE_INTERCEPT, &(struct wire_intercept_row){.vector = of, .name = dump_text("COM1"),
                                                              .count = count});
    length = wire_end(&w, 0, bytes);
    assert_int_equal(wire_open(&reader, bytes + 1, length - 2), WIRE_INTACT);
    assert_true(wire_read_head(&reader, &head));
    record_stores_add(s, &(struct record_frame){wire_record(WIRE_INTERCEPT), &head, full}, &reader, v);
}

/* Where there is no more memory, a key that is known has a new state all the same. */
static void test_full(void **state)
{
    const struct wire_intercept_row *row;
    struct record_stores s = {0};
    struct violations *v = NULL;

    (void)state;
    assert_null(record_head(record_store_of(&s, WIRE_INTERCEPT), 0));
    assert_null(record_row(record_store_of(&s, WIRE_INTERCEPT), 0));
    add_vector(&s, 36, 1, false, &v);
    add_vector(&s, 36, 2, true, &v);
    assert_null(v);
    add_vector(&s, 37, 3, true, &v);
    assert_int_equal(v->of[VIOLATION_AMOUNT].count, 1);
    row = record_row(record_store_of(&s, WIRE_INTERCEPT), 0);
    assert_int_equal(record_store_of(&s, WIRE_INTERCEPT)->row.count, 1);
    assert_int_equal(row->count, 2);
    record_stores_free(&s);
    free(v);
}

#define TEST(name) cmocka_unit_test_teardown(name, end)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_right), TEST(test_broken), TEST(test_many_calls), TEST(test_full)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
