/* SPDX-License-Identifier: MIT */
/* A snapshot that is sent as frames (probe/stats/snapshot_frames.c) and decoded again is the same, field by field. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stats/snapshot_frames.h"
#include "tests/host/dumped.h"

#define EPOCH 1
#define TASKS 150u /* rows of three frames */
#define MS    1000000u

static struct snapshot sent;

static uint32_t program_of(void *context, uint32_t id)
{
    (void)context;
    return id == 1 ? 1 : 0;
}

static void send(void *context, struct wire_writer *frame)
{
    (void)context;
    dump_end_frame(&d, frame);
}

/* Each task's record as the system monitor keeps it; wide numbers, so that the rows need several frames. */
static void fill_rows(struct snapshot *s)
{
    for (uint32_t i = 1; i <= TASKS; i++) {
        const struct system_record r = {
            .hits = {100000 + i, 200000, 300000, 400000 + i}, .changes = {9000, 8000, 7000, 6000},
            .total_changes = 5000,
            .key = SYSTEM_USED | i,
        };

        snapshot_add_record(s, &r);
        snprintf(s->row[i - 1].name, NAME_SIZE, "T%u", i);
        for (unsigned m = 0; m < MODES; m++) {
            s->row[i - 1].time[m] = (10ull + m) * MS;
            s->row[i - 1].masked[m] = m * MS / 10;
        }
    }
}

/* 20 hits in the slots of 0x401000 on, 80 outside. */
static void fill_region(struct snapshot_region *r)
{
    *r = (struct snapshot_region){.task = 1, .mode = MODE_USER, .low = 0x401000, .high = 0x402000, .base = 0x401000,
                                  .shift = 3, .below = 30, .above = 50, .active = 80};
    for (uint32_t i = 0; i < REGION_SLOTS; i++) {
        r->hits[i] = 1000000 + i;
        r->changes[i] = 500000;
        r->active += r->hits[i];
    }
    r->changes_active = 7;
}

static void fill(struct snapshot *s)
{
    memset(s, 0, sizeof *s);
    fill_rows(s);
    snapshot_add_total(s, ROW_MASKED, "MASKED", &(struct system_record){.hits[MODES] = 7, .total_changes = 3});
    snapshot_add_total(s, ROW_LOST, "LOST", &(struct system_record){.hits[MODES] = 0});
    s->serial = 1;
    s->final = s->exact = true;
    for (uint32_t i = 0; i < s->rows; i++)
        s->samples += s->row[i].total;
    s->ticks = s->samples;
    s->late = 7;
    s->bucket[20] = 3;
    s->bucket[40] = 4;
    s->lateness = 5;
    s->begin = 2000;
    s->first = 3000;
    s->end = s->begin + 10000ull * MS;
    s->made = s->end + 1;
    s->monitor = 1000;
    s->intervals = 9943 * s->ticks;
    s->regions = 1;
    fill_region(&s->region[0]);
}

static struct snapshot *round_trip(const struct snapshot *s)
{
    struct wire_writer frame;
    const struct snapshot_sender to = {EPOCH, program_of, send, NULL, &frame, false};

    dump_hello(&d, EPOCH, "rate=120 seed=7 output=frames");
    snapshot_send(s, &to);
    dump_end(&d, EPOCH, 0, "over");
    decode(&got, d.bytes, d.length);
    epoch_name_rows(got.model.epoch[0]);
    return got.model.epoch[0]->snapshot;
}

static void test_same(void **state)
{
    struct snapshot *s;

    (void)state;
    fill(&sent);
    assert_int_equal(sent.rows, TASKS + 1); /* no row of nothing */
    s = round_trip(&sent);
    assert_non_null(s);
    assert_null(got.model.epoch[0]->violations);
    for (uint32_t i = 0; i < sent.rows; i++) /* the reader sorts them */
        assert_memory_equal(snapshot_row(s, sent.row[i].id), &sent.row[i], sizeof sent.row[i]);
    assert_int_equal(s->rows, sent.rows);
    assert_memory_equal(s->region, sent.region, sizeof sent.region[0]);
    assert_memory_equal(s, &sent, offsetof(struct snapshot, rows));
}

/* Without the exact half, late samples and regions there are no such frames. */
static void test_least(void **state)
{
    struct snapshot *s;

    (void)state;
    fill(&sent);
    sent.exact = false;
    sent.regions = 0;
    sent.monitor = 0;
    memset(sent.bucket, 0, sizeof sent.bucket);
    s = round_trip(&sent);
    assert_non_null(s);
    assert_false(s->exact);
    assert_int_equal(s->regions, 0);
    assert_int_equal(snapshot_row(s, TASKS)->hits[MODE_USER], 100000 + TASKS);
    assert_int_equal(snapshot_row(s, 1)->time[MODE_USER], 0);
}

/* A table that is full takes no more rows, and what it has stays. */
static void test_full(void **state)
{
    (void)state;
    fill(&sent);
    while (snapshot_row(&sent, 1000 + sent.rows))
        ;
    assert_int_equal(sent.rows, SNAPSHOT_ROWS);
    snapshot_add_record(&sent, &(struct system_record){.hits = {1}, .key = SYSTEM_USED | 5000});
    snapshot_add_total(&sent, 5001, "NONE", &(struct system_record){.hits[MODES] = 1});
    assert_int_equal(sent.rows, SNAPSHOT_ROWS);
    assert_int_equal(sent.row[0].hits[MODE_USER], 100001);
}

#define TEST(name) cmocka_unit_test_teardown(name, end)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_same), TEST(test_least), TEST(test_full)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
