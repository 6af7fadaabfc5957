/* SPDX-License-Identifier: MIT */
/*
 * The audit: clean on every policy's own ticks; one altered interval, one
 * dropped tick, one repeated frame are each found, and named.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/dump_audit.h"
#include "tests/host/dumped.h"
#include "tools/analysis/audit.h"

#define TICKS 6000

static struct audit audit;

/* What tells of the records of d to an audit. */
struct telling {
    struct audit_walk *walk;
    struct sample_reader *samples;
    uint64_t heads, claimed; /* ticks of the last snapshot, if not 0 */
    bool foresees;
};

static void take_sample(void *context, const struct resolved_sample *s)
{
    audit_sample(context, s);
}

static void take_record(struct telling *t, const struct stream_event *event)
{
    struct wire_reader frame = event->reader;
    struct wire_snapshot head;

    if (event->kind != STREAM_RECORD)
        return;
    if (frame.type == WIRE_SNAPSHOT && wire_read_head(&frame, &head)) {
        if (++t->heads == got.model.epoch[0].head_count && t->claimed)
            head.ticks = t->claimed;
        (t->foresees ? audit_foresee : audit_head)(t->walk, &head);
    } else if (!t->foresees) {
        sample_reader_frame(t->samples, event->reader);
    }
}

static void tell(struct telling *t)
{
    static struct frame_decoder stream;
    struct stream_event event;

    decoder_init(&stream);
    t->heads = 0;
    for (size_t at = 0; at < d.length;) {
        at += decoder_feed(&stream, d.bytes + at, d.length - at, &event);
        take_record(t, &event);
    }
}

/* The audit of what was decoded; the last snapshot claims so many ticks, if not 0. */
static void make_audit(uint64_t claimed)
{
    struct epoch *e = &got.model.epoch[0];
    struct telling t = {.walk = audit_begin(&audit, e), .claimed = claimed, .foresees = true};

    t.samples = sample_reader_new(e->samples, take_sample, t.walk);
    tell(&t);
    t.foresees = false;
    tell(&t);
    sample_reader_end(t.samples);
    sample_reader_free(t.samples);
    audit_end(t.walk);
}

static void make(struct dump_audit how)
{
    how.ticks = TICKS;
    how.policy = how.policy ? how.policy : INTERVAL_STRATIFIED;
    d.length = 0;
    dump_audit_run(&d, &how);
    decode(&got, d.bytes, d.length);
    assert_int_equal(got.model.epochs, 1);
    make_audit(0);
}

/* Some finding has these words. */
static void check_found(const char *words)
{
    for (uint64_t i = 0; i < audit.faults && i < AUDIT_FINDINGS; i++)
        if (strstr(audit.finding[i], words))
            return;
    fail_msg("%lu findings, none with: %s; the first: %s", audit.faults, words, audit.finding[0]);
}

static void check_clean(void)
{
    if (audit.faults)
        fail_msg("%lu findings: %s", audit.faults, audit.finding[0]);
}

static void test_clean(void **state)
{
    static const enum interval_policy policies[] = {INTERVAL_STRATIFIED, INTERVAL_RANDOM, INTERVAL_FIXED};

    (void)state;
    for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
        make((struct dump_audit){.policy = policies[i]});
        check_clean();
        assert_true(audit.replayed);
        assert_int_equal(audit.agreed, got.model.epoch[0].head_count);
        assert_int_equal(audit.checked, TICKS - 1);
        assert_int_equal(audit.ticks, TICKS);
        assert_true(audit.shortest >= -1000 && audit.longest <= 1000);
        assert_int_equal(got.model.epoch[0].snapshot->bucket[15], TICKS / DUMP_AUDIT_LATE);
    }
}

/* One tick in six thousand, by 50 us. */
static void test_interval(void **state)
{
    (void)state;
    make((struct dump_audit){.at = 4321, .counts = -60});
    assert_int_equal(audit.faults, 1);
    check_found("tick 4321 came 5");
    check_found("before its time: its interval was altered");
    make((struct dump_audit){.at = 4321, .counts = 60});
    assert_int_equal(audit.faults, 1);
    check_found("tick 4321 came 5");
    check_found("after its time and is not late: its interval was altered");
    make((struct dump_audit){.at = TICKS, .told = 1});
    check_found("an interval was altered");
}

static void test_dropped(void **state)
{
    (void)state;
    make((struct dump_audit){.at = 1234, .dropped = true});
    check_found("the generator gave 1 more intervals: ticks were dropped");
    check_found("tick 1234 came");
}

static void test_repeated(void **state)
{
    (void)state;
    make((struct dump_audit){.repeated = 3});
    assert_int_equal(audit.faults, 1);
    check_found("raw samples arrived twice: a frame was repeated");
    assert_int_equal(got.stats.repeated, 1);
    assert_int_equal(got.stats.missing, 0);
    make((struct dump_audit){.twice = true});
    check_found("snapshot 2 comes after snapshot 2: a frame was repeated");
}

/* What was lost on the way is not the generator's fault, and is counted. */
static void test_absent(void **state)
{
    (void)state;
    make((struct dump_audit){.absent = 5});
    check_clean();
    assert_true(audit.absent > 0 && audit.absent <= SAMPLE_FRAME_MAX);
    assert_int_equal(audit.spanned, 1);
    assert_int_equal(got.stats.missing, 1);
}

static void test_phase(void **state)
{
    (void)state;
    make((struct dump_audit){.policy = INTERVAL_RANDOM});
    assert_int_equal(audit.phase.samples, TICKS);
    assert_int_equal(audit.phase.empty, 0);
    assert_true(audit.phase.even);
    got.model.epoch[0].hello.clock_period = (uint64_t)1000 << 16; /* nothing is in step with that */
    make_audit(0);
    assert_true(audit.phase.chi_square > 0);
    got.model.epoch[0].hello.clock_period = 0;
    make_audit(0);
    assert_int_equal(audit.phase.samples, 0);
}

/* A few bytes that claim ticks of years are not drawn again for minutes. */
static void test_claimed(void **state)
{
    (void)state;
    make((struct dump_audit){0});
    make_audit((uint64_t)1 << 36);
    assert_false(audit.replayed);
    assert_int_equal(audit.cut, (uint64_t)1 << 36);
    assert_int_equal(audit.ticks, TICKS);
}

/* Another seed's generator, or words that nobody knows. */
static void test_foreign(void **state)
{
    (void)state;
    make((struct dump_audit){0});
    got.model.epoch[0].hello.seed++;
    make_audit(0);
    check_found("the ticks are not its own");
    got.model.epoch[0].words_known = false;
    make_audit(0);
    check_clean();
    assert_false(audit.replayed);
}

#define TEST(name) cmocka_unit_test_teardown(name, end)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_clean), TEST(test_interval), TEST(test_dropped), TEST(test_repeated),
        TEST(test_absent), TEST(test_phase), TEST(test_claimed), TEST(test_foreign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
