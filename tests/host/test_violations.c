/* SPDX-License-Identifier: MIT */
/*
 * Streams with right checksums whose fields lie: each rule of docs/PROTOCOL.md that the
 * reader checks is broken once, is noted, and alone.  What is right notes nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stream/class_decode.h"
#include "tests/host/dumped.h"
#include "tests/host/listen.h"
#include "tools/analysis/report.h"

#define WORDS "rate=120 seed=7 output=frames"
#define K     10
#define MS    1000000

/* The second snapshot of a run, whose parts other than the one in question are right. */
struct second {
    struct wire_snapshot head;
    struct wire_cells_row cells;     /* in place of task 100's; id 0: as it should be */
    struct wire_exact_row exact;     /* likewise */
    struct wire_lateness_row bucket[2];
    struct wire_region region[2];    /* `parts` 0: none */
    struct wire_region_row slot;
};

static uint64_t violation_count(const struct violations *v, enum violation rule)
{
    return v ? v->of[rule].count : 0;
}

static struct second second;
static struct wire_hello hello;

/* ---- A run that is right but for what a case changes ---- */

static void begin(void)
{
    memset(&second, 0, sizeof(second));
    hello = dump_hello_head(1, WORDS, DUMP_MEAN);
    second.head = dump_snapshot_of(1, 2, true, 2 * K);
    dump_hello(&d, 1, WORDS);
    dump_snapshot(&d, 1, 1, false, K);
}

static void put_cells(void)
{
    struct wire_cells head = {1, second.head.serial, 0};
    struct wire_writer w;

    wire_begin(&w, WIRE_CELLS, &head);
    for (uint64_t i = 0; i < 3; i++) {
        const uint64_t k = 2 * K;
        struct wire_cells_row row = {100 + i, (7 + i) * k, 2 * i * k, (3 + i) * k, k, (11 + 4 * i) * k,
                                     3 * k, i * k, 2 * k, k, 4 * k};

        wire_row(&w, WIRE_CELLS, !i && second.cells.id ? &second.cells : &row);
    }
    dump_end_frame(&d, &w);
    dump_cells(&d, 1, second.head.serial, 1, 2 * K);
}

static void put_exact(void)
{
    struct wire_exact head = {1, second.head.serial, 0};
    struct wire_writer w;

    if (!second.exact.id) {
        dump_exact(&d, 1, second.head.serial, 2 * K);
        return;
    }
    wire_begin(&w, WIRE_EXACT, &head);
    wire_row(&w, WIRE_EXACT, &second.exact);
    dump_end_frame(&d, &w);
}

static void put_lateness(void)
{
    struct wire_lateness head = {1, second.head.serial};
    struct wire_writer w;

    wire_begin(&w, WIRE_LATENESS, &head);
    for (unsigned i = 0; i < 2 && second.bucket[i].count; i++)
        wire_row(&w, WIRE_LATENESS, &second.bucket[i]);
    if (second.head.buckets)
        dump_end_frame(&d, &w);
}

static void put_regions(void)
{
    struct wire_writer w;

    for (unsigned i = 0; i < 2; i++) {
        wire_begin(&w, WIRE_REGION, &second.region[i]);
        if (!i)
            wire_row(&w, WIRE_REGION, &second.slot);
        if (second.region[i].parts)
            dump_end_frame(&d, &w);
    }
}

static void finish(void)
{
    dump_head(&d, WIRE_HELLO, &hello);
    dump_head(&d, WIRE_SNAPSHOT, &second.head);
    put_cells();
    put_exact();
    put_lateness();
    put_regions();
    dump_end(&d, 1, 0, "over");
    decode(&got, d.bytes, d.length);
}

/* ---- Cases ---- */

static void right(void)
{
    hello.now = 99;
    hello.clock_origin = 7; /* one of its ticks: another each time */
    second.head.buckets = 2;
    second.bucket[0] = (struct wire_lateness_row){20, 2 * K};
    second.bucket[1] = (struct wire_lateness_row){21, 2 * K};
    second.head.regions = 1;
    second.region[0] = (struct wire_region){
        1, 2, 0, 0, 1, 100, 0, 0x1000, 0x2000, 0x1000, 3, 1, 2, 5, 1, 1, 2};
    second.slot = (struct wire_region_row){7, 2, 4};
    second.head.late = 4 * K;
}

static void hello_clock(void) { hello.clock_hz++; }
static void hello_seed(void) { hello.seed++; }
static void hello_words(void) { hello.words = dump_text("rate=120 seed=7 output=frames interval=fixed"); }
static void hello_source(void) { hello.source = dump_text("rtc"); }

static void names(uint64_t id, const char *name, uint64_t program)
{
    struct wire_names head = {1};
    struct wire_writer w;

    wire_begin(&w, WIRE_NAMES, &head);
    wire_row(&w, WIRE_NAMES, &(struct wire_names_row){id, dump_text(name), program});
    dump_end_frame(&d, &w);
}

static void name_changed(void) { names(100, "OTHER", 0); }
static void name_program(void) { names(100, "ROGUE", 3); }
static void name_shared(void) { names(106, "ROGUE", 0); }
static void name_long(void) { names(106, "ABCDEFGHIJKLMNO", 0); }
static void name_empty(void) { names(106, "", 0); }
static void name_wide(void) { names(1ull << 32 | 106, "WIDE", 0); }

static void program(const char *build)
{
    struct wire_programs head = {1};
    struct wire_writer w;

    wire_begin(&w, WIRE_PROGRAMS, &head);
    wire_row(&w, WIRE_PROGRAMS, &(struct wire_programs_row){1, dump_text("rogue"), dump_text(build)});
    dump_end_frame(&d, &w);
}
static void program_changed(void)
{
    program("aa");
    program("ab");
}

static void severity(void)
{
    dump_head(&d, WIRE_TEXT, &(struct wire_text_record){.epoch = 1, .severity = 3, .text = dump_text("?")});
}

static void fault_mode(void)
{
    dump_head(&d, WIRE_FAULT, &(struct wire_fault){.epoch = 1, .id = 100, .mode = 3});
}

static void serial_zero(void) { second.head.serial = 0; }
static void serial_same(void) { second.head.serial = 1; }

static void after_final(void)
{
    dump_snapshot(&d, 1, 2, true, 2 * K);
    second.head.serial = 3;
}

static void ends_first(void) { second.head.begin = second.head.end + 1; }
static void made_first(void) { second.head.made = second.head.end - 1; }
static void first_late(void) { second.head.first = second.head.end + 1; }
static void unfired(void) { second.head.ticks--; }
static void all_late(void) { second.head.late = second.head.ticks + 1; }
static void excess(void) { second.head.excess = second.head.lateness + 1; }
static void backward(void) { second.head.intervals = 1; }
static void monitor(void) { second.head.monitor = second.head.end - second.head.begin + 1; }
static void mode_changes(void) { second.head.changes_user = second.head.samples + 1; }
/* At most as many as samples, and more than the mode's 5 * 2K hits can make. */
static void mode_pairs(void) { second.head.changes_interrupt = 2 * 5 * 2 * K + 1; }
static void lost(void) { second.head.lost_table--; }

static void buckets(void)
{
    right();
    second.bucket[0].count--;
}

static void bucket_twice(void)
{
    right();
    second.bucket[0].bucket = second.bucket[1].bucket;
}

static void exact(uint64_t user, uint64_t masked)
{
    second.exact = (struct wire_exact_row){.id = 100, .user = user, .masked_kernel = masked};
}
static void exact_most(void) { exact(116 * 2 * K * (uint64_t)MS, 1); }
static void exact_wraps(void) { exact(UINT64_MAX, 1); }

static void changes(void)
{
    second.cells = (struct wire_cells_row){100, 140, 0, 60, 20, 220, 60, 0, 121, 20, 80};
}

static void row_twice(void)
{
    second.cells = (struct wire_cells_row){101, 140, 0, 60, 20, 220, 60, 0, 40, 20, 80};
}

static void part_twice(void)
{
    dump_snapshot_head(&d, 1, 2, false, 2 * K);
    dump_cells(&d, 1, 2, 0, K);
    dump_cells(&d, 1, 2, 0, 2 * K);
    dump_cells(&d, 1, 2, 1, 2 * K);
    second.head.serial = 3; /* and all of the next is right */
}

static void parts(void) { second.head.cells = 65; }

static void region_nowhere(void)
{
    right();
    second.region[0].base = 0x1001;
}

static void region_slot(void)
{
    right();
    second.slot.slot = 512;
}

static void region_parts(void)
{
    right();
    second.region[0].parts = 2;
    second.region[1] = second.region[0];
    second.region[1].part = 1;
    second.region[1].below++;
}

static void samples_wrong(void)
{
    dump_head(&d, WIRE_SAMPLES, &(struct wire_samples){.epoch = 1, .count = 3, .codes = dump_text("\1")});
}

static void samples_told(void)
{
    dump_head(&d, WIRE_SAMPLES, &(struct wire_samples){.epoch = 1, .first = DUMP_SAMPLES(2 * K) + 1});
}

/* Each sum of task 100 + i, and of MONITOR, as a change of its own; `off` is added to the last. */
static void put_log(int64_t off, uint64_t lost, uint64_t told)
{
    const struct wire_transitions changes = {1, lost};
    const struct wire_logged logged = {1, told, lost};
    const uint64_t k = 2 * K;
    struct wire_writer w;

    wire_begin(&w, WIRE_TRANSITIONS, &changes);
    for (uint64_t i = 0; i < DUMP_TASKS; i++) {
        const uint64_t ms[8] = {(7 + i) * k, 0, 2 * i * k, 0, (3 + i) * k, k / 5, k, 0};

        for (uint64_t c = 0; c < 8; c++)
            wire_row(&w, WIRE_TRANSITIONS,
                     &(struct wire_transitions_row){1 + 8 * i + c, wire_zigzag((int64_t)ms[c] * MS)});
    }
    wire_row(&w, WIRE_TRANSITIONS, &(struct wire_transitions_row){1 + 8 * DUMP_TASKS + 4,
                                                                  wire_zigzag(20 * (int64_t)k * MS)});
    wire_row(&w, WIRE_TRANSITIONS, &(struct wire_transitions_row){0,
                                                                  wire_zigzag((int64_t)second.head.monitor + off)});
    dump_end_frame(&d, &w);
    wire_begin(&w, WIRE_LOGGED, &logged);
    for (uint64_t i = 0; i < DUMP_TASKS; i++)
        wire_row(&w, WIRE_LOGGED, &(struct wire_logged_row){i, 100 + i});
    wire_row(&w, WIRE_LOGGED, &(struct wire_logged_row){DUMP_TASKS, ROW_IDLE});
    dump_end_frame(&d, &w);
}

#define CHANGES (8 * DUMP_TASKS + 2)

static void log_off(void) { put_log(-1, 0, CHANGES); }
static void log_more(void) { put_log(0, 0, CHANGES - 1); }
static void log_lost(void) { put_log(0, CHANGES + 1, CHANGES); }

static void log_row(void)
{
    second.exact = (struct wire_exact_row){.id = 100, .user = 7 * 2 * K * (uint64_t)MS};
    put_log(0, 0, CHANGES);
}

static void put_key(uint64_t index, uint64_t class, uint64_t argument)
{
    struct wire_writer w;

    wire_begin(&w, WIRE_EVENT_KEYS, &(struct wire_event_keys){1});
    wire_row(&w, WIRE_EVENT_KEYS, &(struct wire_event_keys_row){3, TRACE_USER, 7});
    wire_row(&w, WIRE_EVENT_KEYS, &(struct wire_event_keys_row){index, class, argument});
    dump_end_frame(&d, &w);
}

static void key_far(void) { put_key(DICTIONARY_MAX, TRACE_USER, 7); }
static void key_changed(void) { put_key(3, TRACE_USER, 8); }

static void put_event_counts(uint64_t recorded, uint64_t users)
{
    struct wire_writer w;

    wire_begin(&w, WIRE_EVENT_COUNTS, &(struct wire_event_counts){.epoch = 1, .recorded = recorded});
    wire_row(&w, WIRE_EVENT_COUNTS, &(struct wire_event_counts_row){TRACE_USER, users});
    dump_end_frame(&d, &w);
}

static void fewer_recorded(void) { put_event_counts(9, 9), put_event_counts(8, 9); }
static void fewer_users(void) { put_event_counts(9, 9), put_event_counts(9, 8); }

static void put_rules(uint64_t rule, uint64_t hits)
{
    struct wire_writer w;

    wire_begin(&w, WIRE_RULES, &(struct wire_rules){.epoch = 1});
    wire_row(&w, WIRE_RULES, &(struct wire_rules_row){rule, hits, 5});
    dump_end_frame(&d, &w);
}

static void fewer_hits(void) { put_rules(1, 9), put_rules(1, 8); }
static void rule_far(void) { put_rules(EVENT_RULES_MAX, 1); }

static void events_far(void)
{
    dump_head(&d, WIRE_EVENTS, &(struct wire_events){.epoch = 1, .first = EVENT_NUMBER_MAX});
}

static void states_far(void)
{
    dump_head(&d, WIRE_STATES, &(struct wire_states){.epoch = 1, .first = CLASS_NUMBER_END, .unit = 1});
}

/* What is lost never becomes less. */
static void states_found(void)
{
    dump_head(&d, WIRE_STATES, &(struct wire_states){.epoch = 1, .unit = 1, .lost = 9});
    dump_head(&d, WIRE_STATES, &(struct wire_states){.epoch = 1, .unit = 1, .lost = 8});
}

static void missed(void) { second.head.missed_overrun = UINT64_MAX; }

static void missed_source(void)
{
    second.head.missed_source = 3 * (second.head.end - second.head.begin) / 8333333;
}

struct broken {
    void (*by)(void);
    enum violation rule;
};

static const struct broken broken[] = {
    {hello_clock, VIOLATION_HELLO}, {hello_seed, VIOLATION_HELLO}, {hello_words, VIOLATION_HELLO},
    {hello_source, VIOLATION_HELLO}, {name_changed, VIOLATION_NAME_CHANGED},
    {name_program, VIOLATION_NAME_CHANGED}, {name_shared, VIOLATION_NAME_SHARED},
    {name_long, VIOLATION_NAME_LENGTH}, {name_empty, VIOLATION_NAME_LENGTH}, {name_wide, VIOLATION_VALUE},
    {program_changed, VIOLATION_PROGRAM_CHANGED}, {severity, VIOLATION_VALUE}, {fault_mode, VIOLATION_VALUE},
    {key_far, VIOLATION_VALUE}, {key_changed, VIOLATION_BACKWARD}, {fewer_recorded, VIOLATION_BACKWARD},
    {fewer_users, VIOLATION_BACKWARD}, {events_far, VIOLATION_VALUE},
    {fewer_hits, VIOLATION_BACKWARD}, {rule_far, VIOLATION_VALUE},
    {states_far, VIOLATION_VALUE}, {states_found, VIOLATION_VALUE},
    {serial_same, VIOLATION_SERIAL}, {after_final, VIOLATION_AFTER_FINAL}, {ends_first, VIOLATION_TIMES},
    {made_first, VIOLATION_TIMES}, {first_late, VIOLATION_TIMES}, {unfired, VIOLATION_COUNTERS},
    {all_late, VIOLATION_COUNTERS}, {excess, VIOLATION_COUNTERS}, {backward, VIOLATION_BACKWARD},
    {monitor, VIOLATION_MONITOR}, {mode_changes, VIOLATION_CHANGES}, {mode_pairs, VIOLATION_CHANGES},
    {lost, VIOLATION_LOST}, {buckets, VIOLATION_BUCKETS}, {bucket_twice, VIOLATION_BUCKETS},
    {exact_most, VIOLATION_EXACT},
    {exact_wraps, VIOLATION_EXACT}, {changes, VIOLATION_CHANGES}, {row_twice, VIOLATION_ROW_TWICE},
    {part_twice, VIOLATION_PART_TWICE}, {parts, VIOLATION_PARTS}, {region_nowhere, VIOLATION_REGION},
    {region_slot, VIOLATION_REGION}, {region_parts, VIOLATION_REGION}, {samples_wrong, VIOLATION_SAMPLES},
    {samples_told, VIOLATION_TOLD}, {log_off, VIOLATION_LOG}, {log_more, VIOLATION_LOG}, {log_lost, VIOLATION_LOG},
    {log_row, VIOLATION_LOG}, {missed, VIOLATION_COUNTERS}, {missed_source, VIOLATION_COUNTERS},
};

/* The verdict on the stream, and what it says in `said`. */
static enum exit_code verdict(void)
{
    FILE *before = listen();
    const enum exit_code code = report_verdict("dump", &got.stream, &got.model, model_choose(&got.model, 0));

    listen_no_more(before);
    return code;
}

static void test_right(void **state)
{
    (void)state;
    begin();
    right();
    put_log(0, 0, CHANGES);
    finish();
    assert_int_equal(verdict(), EXIT_OK);
    assert_string_equal(said, "");
    assert_true(epoch_complete(got.model.epoch[0]));
    assert_null(got.model.epoch[0]->violations);
}

/* With identity=task two tasks may have one name. */
static void test_shared_names(void **state)
{
    (void)state;
    dump_hello(&d, 1, "identity=task");
    name_shared();
    dump_snapshot(&d, 1, 1, true, K);
    dump_end(&d, 1, 0, "over");
    decode(&got, d.bytes, d.length);
    assert_int_equal(verdict(), EXIT_OK);
}

/* Each alone: a rule that is always broken, or never, proves nothing. */
static void test_broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        const struct violations *v;

        d.length = 0;
        d.sequence = 0;
        begin();
        broken[i].by();
        finish();
        v = got.model.epoch[0]->violations;
        assert_int_equal(got.stats.missing + decoder_damaged(&got.stats), 0);
        for (unsigned rule = 0; rule < VIOLATIONS; rule++)
            if (!violation_count(v, rule) != (rule != broken[i].rule))
                fail_msg("case %zu: rule %u was noted %lu times", i, rule, violation_count(v, rule));
        assert_false(epoch_complete(got.model.epoch[0]));
        assert_int_equal(verdict(), EXIT_DAMAGED);
        assert_non_null(strstr(said, "dump: the sender breaks the protocol: "));
    }
}

static void test_backward_named(void **state)
{
    (void)state;
    begin();
    backward();
    finish();
    assert_int_equal(verdict(), EXIT_DAMAGED);
    assert_non_null(strstr(said, "below that of the snapshot before (snapshot 2, intervals)"));
}

/* A serial from 1: 0 is no number of a snapshot, and is not above any. */
static void test_serial_zero(void **state)
{
    (void)state;
    begin();
    serial_zero();
    finish();
    assert_int_equal(violation_count(got.model.epoch[0]->violations, VIOLATION_VALUE), 1);
    assert_int_equal(violation_count(got.model.epoch[0]->violations, VIOLATION_SERIAL), 1);
}

/* What was first believed stays. */
static void test_first_holds(void **state)
{
    (void)state;
    begin();
    hello_clock();
    name_changed();
    finish();
    assert_int_equal(got.model.epoch[0]->hello.clock_hz, 1000000000);
    epoch_name_rows(got.model.epoch[0]);
    assert_string_equal(snapshot_row(got.model.epoch[0]->snapshot, 100)->name, "ROGUE");
}

/* An older snapshot, or another one under its serial, does not take the place of the final one. */
static void test_older(void **state)
{
    (void)state;
    begin();
    dump_snapshot(&d, 1, 7, true, 3 * K);
    finish();
    assert_int_equal(got.model.epoch[0]->snapshot->serial, 7);
    assert_int_equal(got.model.epoch[0]->snapshot->samples, DUMP_SAMPLES(3 * K));
    assert_int_equal(verdict(), EXIT_DAMAGED);
}

#define TEST(name) cmocka_unit_test_teardown(name, end)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_right), TEST(test_shared_names), TEST(test_broken), TEST(test_backward_named),
        TEST(test_serial_zero),
        TEST(test_first_holds), TEST(test_older),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
