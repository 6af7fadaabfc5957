/* SPDX-License-Identifier: MIT */
/*
 * Which record belongs to which epoch, and which snapshot is in force
 * (docs/PROTOCOL.md, "Epochs" and "Snapshots").
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/text/radix50.h"
#include "tests/host/dumped.h"
#include "tools/analysis/plausible.h"
#include "tools/analysis/report.h"

#define WORDS "rate=120 seed=7 output=frames"

static void decode_dump(void)
{
    decode(&got, d.bytes, d.length);
}

static struct epoch *epoch(size_t number)
{
    assert_true(number <= got.model.epochs);
    return got.model.epoch[number - 1];
}

static void test_repeated_hello(void **state)
{
    const struct wire_fault *fault;
    const struct wire_text_record *text;
    const struct wire_report *report;

    (void)state;
    dump_hello(&d, 1, WORDS);
    dump_sayings(&d, 1);
    dump_hello(&d, 1, WORDS);
    dump_sayings(&d, 0); /* the epoch in force */
    decode_dump();
    assert_int_equal(got.model.epochs, 1);
    assert_int_equal(epoch(1)->hellos, 2);
    assert_int_equal(epoch_kept(epoch(1), WIRE_FAULT)->head.count, 2);
    assert_int_equal(epoch_kept(epoch(1), WIRE_REPORT)->head.count, 2);
    assert_int_equal(epoch_kept(epoch(1), WIRE_TEXT)->head.count, 2);
    fault = record_head(epoch_kept(epoch(1), WIRE_FAULT), 1);
    text = record_head(epoch_kept(epoch(1), WIRE_TEXT), 0);
    report = record_head(epoch_kept(epoch(1), WIRE_REPORT), 0);
    assert_string_equal(fault->cause.bytes, "bad address");
    assert_string_equal(text->text.bytes, "the TSC stops in HLT");
    assert_int_equal(report->value, 4711);
}

static void test_another_hello(void **state)
{
    (void)state;
    dump_hello(&d, 1, WORDS);
    dump_snapshot(&d, 1, 1, false, 10);
    dump_hello(&d, 2, WORDS);
    decode_dump();
    assert_int_equal(got.model.epochs, 2);
    assert_ptr_equal(model_choose(&got.model, 0), epoch(1)); /* the one with a snapshot */
    assert_ptr_equal(model_choose(&got.model, 2), epoch(2));
    assert_null(model_choose(&got.model, 3));
}

/* Views keep pointers into an epoch while others begin. */
static void test_no_epoch_moves(void **state)
{
    struct model *const m = &got.model;
    struct stream_event event;
    const struct epoch *first = NULL;

    (void)state;
    for (uint64_t id = 1; id <= 100; id++)
        dump_hello(&d, id, WORDS);
    decode(&got, NULL, 0);
    decoder_init(&got.stream);
    for (size_t i = 0; i < d.length; i++) {
        decoder_feed(&got.stream, &d.bytes[i], 1, &event);
        model_add_event(m, &event);
        first = first || !m->epochs ? first : m->epoch[0];
    }
    assert_int_equal(m->epochs, 100);
    assert_ptr_equal(epoch(1), first);
    assert_int_equal(epoch(100)->number, 100);
}

/* Nothing follows an END: a machine that boots alike twice may repeat its identifier. */
static void test_after_end(void **state)
{
    (void)state;
    dump_run(&d, 1, WORDS, 10);
    dump_run(&d, 1, WORDS, 20);
    decode_dump();
    assert_int_equal(got.model.epochs, 2);
    assert_int_equal(epoch(1)->snapshot->samples, DUMP_SAMPLES(30));
    assert_int_equal(epoch(2)->snapshot->samples, DUMP_SAMPLES(60));
    assert_int_equal(got.stats.missing, 0);
}

/* Two sources in one epoch, their frames in turn, serial by serial; whichever comes first. */
static void test_second_source(void **state)
{
    const uint64_t first = 1, second = 1 | WIRE_SECOND;
    struct alias_compare beside;

    (void)state;
    for (unsigned turned = 0; turned < 2; turned++) {
        dump_hello(&d, turned ? second : first, turned ? WORDS : WORDS " tick=pit,rtc");
        dump_hello(&d, turned ? first : second, turned ? WORDS " tick=pit,rtc" : WORDS);
        for (unsigned serial = 1; serial <= 2; serial++) {
            dump_snapshot(&d, first, serial, serial == 2, 10 * serial);
            dump_snapshot(&d, second, serial, serial == 2, 30 * serial);
        }
        dump_end(&d, first, 0, "complete");
    }
    decode_dump();
    assert_int_equal(got.model.epochs, 2);
    for (unsigned n = 1; n <= 2; n++) {
        struct epoch *e = epoch(n);

        assert_non_null(e->second_source);
        assert_int_equal(e->words.second_tick, TICK_RTC);
        assert_int_equal(e->snapshot->samples, DUMP_SAMPLES(20));
        assert_int_equal(e->second_source->snapshot->samples, DUMP_SAMPLES(60));
        assert_int_equal(e->snapshots, 2);
        assert_int_equal(e->second_source->snapshots, 2);
        assert_true(epoch_complete(e));
        assert_true(alias_compare_make(&beside, e));
        assert_int_equal(beside.alias.differ, 0);
    }
}

/* The second one's last snapshot, or all of it, is lost: the epoch is not complete. */
static void test_second_source_lost(void **state)
{
    (void)state;
    dump_hello(&d, 1, WORDS " tick=pit,rtc");
    dump_hello(&d, 1 | WIRE_SECOND, WORDS);
    dump_snapshot(&d, 1 | WIRE_SECOND, 1, false, 10);
    dump_snapshot(&d, 1, 1, true, 10);
    dump_end(&d, 1, 0, "complete");
    dump_run(&d, 2, WORDS " tick=pit,rtc", 10);
    decode_dump();
    assert_int_equal(got.model.epochs, 2);
    assert_true(epoch(1)->snapshot->final && !epoch(1)->second_source->snapshot->final);
    assert_false(epoch_complete(epoch(1)));
    assert_null(epoch(2)->second_source);
    assert_false(epoch_complete(epoch(2)));
}

/* What is said before any HELLO belongs to the epoch that it opens. */
static void test_text_before_hello(void **state)
{
    struct wire_text_record text = {.severity = 2, .text = dump_text("unknown word")};

    (void)state;
    dump_head(&d, WIRE_TEXT, &text);
    dump_hello(&d, 5, WORDS);
    decode_dump();
    assert_int_equal(got.model.epochs, 1);
    assert_int_equal(epoch(1)->id, 5);
    assert_int_equal(epoch_kept(epoch(1), WIRE_TEXT)->head.count, 1);
}

/* A HELLO was lost: its records do not fall to the epoch before. */
static void test_lost_hello(void **state)
{
    (void)state;
    dump_hello(&d, 1, WORDS);
    dump_snapshot(&d, 1, 1, false, 10);
    dump_snapshot(&d, 2, 1, true, 20);
    dump_end(&d, 2, 0, "over");
    decode_dump();
    assert_int_equal(got.model.epochs, 2);
    assert_int_equal(epoch(1)->snapshot->samples, DUMP_SAMPLES(10));
    assert_int_equal(epoch(2)->snapshot->samples, DUMP_SAMPLES(20));
    assert_false(epoch(2)->has_hello);
    assert_false(epoch_complete(epoch(2)));
    assert_non_null(report_options(epoch(2)).estimator.reason);
}

static void test_chosen(void **state)
{
    (void)state;
    dump_run(&d, 1, WORDS, 10);
    dump_hello(&d, 2, WORDS);
    dump_snapshot(&d, 2, 1, false, 20);
    decode_dump();
    assert_ptr_equal(model_choose(&got.model, 0), epoch(1)); /* the last with its END */
    dump_end(&d, 2, 1, "failed");
    decode_dump();
    assert_ptr_equal(model_choose(&got.model, 0), epoch(1)); /* and a good one */
    model_free(&got.model);
    assert_null(model_choose(&got.model, 0));
}

/* ---- Snapshots ---- */

static void check_in_force(uint64_t serial, uint64_t k)
{
    assert_non_null(epoch(1)->snapshot);
    assert_int_equal(epoch(1)->snapshot->serial, serial);
    assert_int_equal(epoch(1)->snapshot->samples, DUMP_SAMPLES(k));
    assert_int_equal(epoch(1)->snapshot->rows, DUMP_TASKS + 3);
    assert_true(epoch(1)->adds_up);
}

static void test_unfinished(void **state)
{
    (void)state;
    dump_hello(&d, 1, WORDS);
    dump_snapshot(&d, 1, 1, false, 10);
    dump_snapshot_head(&d, 1, 2, false, 20);
    dump_cells(&d, 1, 2, 1, 20);
    dump_exact(&d, 1, 2, 20);
    decode_dump();
    check_in_force(1, 10);
    assert_true(epoch(1)->newest_unfinished);
    assert_int_equal(epoch(1)->unfinished, 1);
    assert_int_equal(epoch_age(epoch(1)), 116 * 10 * 1000000 + 500000 * 10);
    dump_snapshot(&d, 1, 3, true, 30);
    decode_dump();
    check_in_force(3, 30);
    assert_false(epoch(1)->newest_unfinished);
    assert_int_equal(epoch(1)->unfinished, 1);
    assert_int_equal(epoch(1)->snapshots, 2);
}

static void test_any_order(void **state)
{
    (void)state;
    dump_hello(&d, 1, WORDS);
    dump_exact(&d, 1, 7, 10);
    dump_cells(&d, 1, 7, 1, 10);
    dump_hello(&d, 1, WORDS);
    dump_cells(&d, 1, 7, 0, 10);
    dump_cells(&d, 1, 7, 0, 10); /* twice the same is the same */
    dump_snapshot_head(&d, 1, 7, true, 10);
    decode_dump();
    check_in_force(7, 10);
    assert_int_equal(epoch(1)->unfinished, 0);
}

/* Parts of one snapshot never fill up another. */
static void test_no_mixing(void **state)
{
    (void)state;
    dump_hello(&d, 1, WORDS);
    dump_snapshot_head(&d, 1, 1, false, 10);
    dump_cells(&d, 1, 1, 0, 10);
    dump_exact(&d, 1, 1, 10);
    dump_cells(&d, 1, 2, 1, 20);
    dump_cells(&d, 1, 1, 1, 10);
    decode_dump();
    assert_null(epoch(1)->snapshot);
    dump_hello(&d, 2, WORDS); /* nor those of another epoch */
    dump_snapshot_head(&d, 2, 1, false, 10);
    dump_cells(&d, 2, 1, 0, 10);
    dump_exact(&d, 2, 1, 10);
    decode_dump();
    assert_null(epoch(2)->snapshot);
}

static void test_two_heads(void **state)
{
    (void)state;
    dump_hello(&d, 1, WORDS);
    dump_snapshot_head(&d, 1, 1, false, 10);
    dump_cells(&d, 1, 1, 0, 10);
    dump_snapshot_head(&d, 1, 1, false, 20); /* booted again without a word */
    dump_cells(&d, 1, 1, 1, 20);
    dump_exact(&d, 1, 1, 20);
    decode_dump();
    assert_null(epoch(1)->snapshot);
    dump_cells(&d, 1, 1, 0, 20);
    decode_dump();
    check_in_force(1, 20);
}

/* A whole window that arrives after a newer one does not take its place, and is told. */
static void test_late_window(void **state)
{
    (void)state;
    dump_hello(&d, 1, WORDS);
    dump_snapshot(&d, 1, 3, false, 30);
    dump_snapshot(&d, 1, 2, false, 20);
    decode_dump();
    check_in_force(3, 30);
    assert_int_equal(epoch(1)->snapshots, 1);
    assert_int_equal(epoch(1)->head_count, 2);
    assert_int_equal(epoch(1)->serials_rising, 1);
    assert_int_equal(epoch(1)->violations->of[VIOLATION_SERIAL].count, 1);
    dump_snapshot(&d, 1, 4, true, 40); /* the one after it does */
    decode_dump();
    check_in_force(4, 40);
    assert_int_equal(epoch(1)->snapshots, 2);
    assert_int_equal(epoch(1)->unfinished, 0);
}

/* Late parts of an older window are no part of the one that is being put together, which they break off. */
static void test_late_parts(void **state)
{
    (void)state;
    dump_hello(&d, 1, WORDS);
    dump_snapshot(&d, 1, 1, false, 10);
    dump_snapshot_head(&d, 1, 3, true, 30);
    dump_cells(&d, 1, 3, 0, 30);
    dump_exact(&d, 1, 2, 20);
    dump_cells(&d, 1, 3, 1, 30);
    dump_exact(&d, 1, 3, 30);
    decode_dump();
    check_in_force(1, 10);
    assert_int_equal(epoch(1)->snapshots, 1);
    assert_true(epoch(1)->newest_unfinished);
}

static void put_rows(uint64_t from, uint64_t to, uint64_t part)
{
    struct wire_cells head = {1, 1, part};
    struct wire_writer w;

    wire_begin(&w, WIRE_CELLS, &head);
    for (uint64_t id = from; id < to; id++)
        assert_true(wire_row(&w, WIRE_CELLS, &(struct wire_cells_row){.id = id}));
    dump_end_frame(&d, &w);
}

/* More rows, parts or bits of an id than there can be: no snapshot, and no harm. */
static void test_overflow(void **state)
{
    struct wire_snapshot head = {.epoch = 1, .serial = 1, .cells = 6};

    (void)state;
    dump_hello(&d, 1, WORDS);
    dump_head(&d, WIRE_SNAPSHOT, &head);
    for (uint64_t part = 0; part < 6; part++)
        put_rows(30 * part, 30 * part + 30, part); /* 180 */
    decode_dump();
    assert_null(epoch(1)->snapshot);
    assert_int_equal(epoch(1)->unfinished, 1);
    d.length = 0;
    dump_hello(&d, 1, WORDS);
    head.cells = 1;
    dump_head(&d, WIRE_SNAPSHOT, &head);
    put_rows(0, 1, 64);
    put_rows(0x100000000, 0x100000001, 0);
    decode_dump();
    assert_null(epoch(1)->snapshot);
    d.length = 0;
    dump_hello(&d, 1, WORDS);
    head.cells = UINT64_MAX;
    dump_head(&d, WIRE_SNAPSHOT, &head);
    decode_dump();
    assert_null(epoch(1)->snapshot);
}

static void test_does_not_add_up(void **state)
{
    struct wire_snapshot head = {.epoch = 1, .serial = 1, .cells = 1, .samples = 7,
                                 .final = 1};
    struct wire_cells cells = {1, 1, 0};
    struct wire_writer w;

    (void)state;
    dump_hello(&d, 1, WORDS);
    dump_head(&d, WIRE_SNAPSHOT, &head);
    wire_begin(&w, WIRE_CELLS, &cells);
    wire_row(&w, WIRE_CELLS, &(struct wire_cells_row){.id = 1, .user = 6, .total = 6});
    dump_end_frame(&d, &w);
    dump_end(&d, 1, 0, "over");
    decode_dump();
    assert_non_null(epoch(1)->snapshot);
    assert_false(epoch(1)->adds_up);
    assert_false(epoch(1)->snapshot->exact);
    assert_false(epoch_complete(epoch(1)));
}

/* ---- Names, words, times ---- */

static void check_name(uint32_t id, const char *name)
{
    assert_string_equal(snapshot_row(epoch(1)->snapshot, id)->name, name);
}

static void test_names(void **state)
{
    struct wire_exact exact = {1, 1, 0};
    struct wire_writer w;
    uint32_t rogue;

    (void)state;
    assert_true(radix50_pack("ROGUE", &rogue));
    dump_hello(&d, 1, "identity=task");
    dump_snapshot_head(&d, 1, 1, true, 10);
    dump_cells(&d, 1, 1, 0, 10);
    dump_cells(&d, 1, 1, 1, 10);
    wire_begin(&w, WIRE_EXACT, &exact);
    wire_row(&w, WIRE_EXACT, &(struct wire_exact_row){.id = rogue});
    dump_end_frame(&d, &w);
    decode_dump();
    epoch_name_rows(epoch(1));
    check_name(100, "#00000064");
    epoch(1)->words.identity = IDENTITY_NAME;
    epoch_name_rows(epoch(1));
    check_name(rogue, "ROGUE");
    dump_names(&d, 1); /* may come late */
    decode_dump();
    epoch_name_rows(epoch(1));
    check_name(100, "ROGUE");
    check_name(104, "...LDR");
    check_name(ROW_IDLE, "IDLE");
    assert_string_equal(epoch(1)->snapshot->row[0].name, "#72df8408"); /* in order */
    assert_string_equal(epoch(1)->snapshot->row[1].name, "...LDR");
}

/* What a terminal should not see never gets there. */
static void test_foreign_names(void **state)
{
    struct wire_names head = {1};
    struct wire_writer w;

    (void)state;
    dump_hello(&d, 1, "rate=\033[2J");
    wire_begin(&w, WIRE_NAMES, &head);
    wire_row(&w, WIRE_NAMES,
             &(struct wire_names_row){1, dump_text("\033[2Jabcdefghijklmnopq"), 0});
    dump_end_frame(&d, &w);
    decode_dump();
    assert_string_equal(epoch(1)->names[0].name, "?[2Jabcdefghij");
    assert_string_equal(epoch(1)->hello.words.bytes, "rate=?[2J interval=stratified");
    assert_false(epoch(1)->words_known);
    assert_non_null(report_options(epoch(1)).estimator.reason);
}

/* 9943.2 counts at 838.0951 ns are 8.333 ms: 120 ticks a second. */
static void test_measures(void **state)
{
    (void)state;
    dump_hello(&d, 1, WORDS);
    decode_dump();
    assert_true(epoch_mean(epoch(1)) > 8333000 && epoch_mean(epoch(1)) < 8333700);
    assert_null(report_options(epoch(1)).estimator.reason);
    assert_int_equal(report_options(epoch(1)).estimator.pairing, PAIR_STRATUM);
    assert_int_equal(report_options(epoch(1)).stub, 640);
    dump_hello(&d, 2, "interval=random");
    dump_hello(&d, 3, "interval=random spread=0.5");
    dump_hello(&d, 4, "interval=fixed");
    decode_dump();
    assert_int_equal(report_options(epoch(2)).estimator.pairing, PAIR_EACH);
    assert_true(report_options(epoch(2)).estimator.cv2 > 0.32);
    assert_string_equal(report_options(epoch(3)).estimator.reason, "spread too small");
    assert_string_equal(report_options(epoch(4)).estimator.reason, "fixed ticks");
}

/* A factor that 32 bits do not hold is refused, not taken for what it wraps to. */
static void test_thin_wraps(void **state)
{
    static const uint64_t thin[] = {2, (1ull << 32) + 2};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct wire_hello hello = dump_hello_head(i + 1, WORDS, DUMP_MEAN);
        const struct wire_samples samples = {.epoch = i + 1};

        hello.thin = thin[i];
        dump_head(&d, WIRE_HELLO, &hello);
        dump_head(&d, WIRE_SAMPLES, &samples);
    }
    decode_dump();
    assert_non_null(epoch(1)->samples);
    assert_null(epoch(2)->samples);
}

#define TEST(name) cmocka_unit_test_teardown(name, end)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_repeated_hello), TEST(test_another_hello), TEST(test_no_epoch_moves), TEST(test_after_end),
        TEST(test_second_source),
        TEST(test_second_source_lost),
        TEST(test_text_before_hello), TEST(test_lost_hello), TEST(test_chosen),
        TEST(test_unfinished), TEST(test_any_order), TEST(test_no_mixing),
        TEST(test_late_window), TEST(test_late_parts), TEST(test_two_heads), TEST(test_overflow),
        TEST(test_does_not_add_up), TEST(test_names), TEST(test_foreign_names), TEST(test_measures),
        TEST(test_thin_wraps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
