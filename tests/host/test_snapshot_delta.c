/* SPDX-License-Identifier: MIT */
/*
 * A snapshot that is sent as a delta (probe/stats/snapshot_delta.c) is what it was, whichever frames are lost: a
 * table is right or older, never wrong.  A delta that cannot be one is noted or not used.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe/coding/leb128.h"
#include "probe/stats/snapshot_delta.h"
#include "tests/host/dumped.h"
#include "tests/host/listen.h"
#include "tools/analysis/report.h"

#define EPOCH 1
#define RUN   40u /* snapshots */
#define TURN  8u  /* of which each eighth is whole */
#define TASKS 20u
#define MANY  130u /* rows whose changes need several frames */
#define MS    1000000u

static struct snapshot sent[RUN + 1]; /* by serial */
static struct delta_writer writer;
static uint32_t frames;      /* sent so far */
static uint32_t lose;        /* each how many-th is lost; 0: none */
static uint32_t random_state;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

static uint32_t program_of(void *context, uint32_t id)
{
    (void)context;
    (void)id;
    return 0;
}

static void send(void *context, struct wire_writer *frame)
{
    (void)context;
    if (lose != 0 && ++frames % lose == 0)
        d.sequence++;
    else
        dump_end_frame(&d, frame);
}

static struct wire_writer frame;
static const struct snapshot_sender to = {EPOCH, program_of, send, NULL, &frame, true};

/* ---- runs ---- */

static void add_hit(struct snapshot *s, uint32_t id)
{
    struct snapshot_row *const row = snapshot_row(s, id);
    const unsigned mode = draw(MODES);

    row->hits[mode]++;
    row->total++;
    if (draw(4)) {
        row->changes[mode]++;
        row->total_changes += draw(2);
    }
    row->time[mode] += draw(9 * MS);
    row->masked[mode] += draw(1000);
    s->samples++;
}

/* Two seconds later; a task may have come, or have gone to ENDED. */
static void go_on(struct snapshot *s, uint32_t tasks)
{
    s->serial++;
    for (unsigned i = 0; i < 200; i++)
        add_hit(s, 100 + draw(tasks));
    if (draw(3) == 0)
        add_hit(s, 1000 + (uint32_t)s->serial);
    if (draw(3) == 0 && s->rows > 1) { /* the last row takes its place */
        struct snapshot_row *const gone = &s->row[draw(s->rows)], was = *gone;
        struct snapshot_row *ended;

        *gone = s->row[--s->rows];
        ended = snapshot_row(s, ROW_ENDED);
        for (unsigned m = 0; m < MODES; m++) {
            ended->hits[m] += was.hits[m];
            ended->time[m] += was.time[m];
        }
        ended->total += was.total;
    }
    s->ticks = s->samples;
    s->begin = 2000;
    s->first = 3000;
    s->end += 2000ull * MS;
    s->made = s->end + draw(1000);
    s->monitor += draw(1000);
    s->generator = draw(1u << 24);
    s->intervals = 9943 * s->ticks;
    s->late = 7 * s->serial;
    s->bucket[20] = 3 * s->serial;
    s->bucket[40] = 4 * s->serial;
    s->lateness = s->late * 1000;
    s->exact = true;
}

static void make_run(uint32_t tasks, uint32_t seed)
{
    random_state = seed;
    memset(&sent[0], 0, sizeof sent[0]);
    for (unsigned i = 1; i <= RUN; i++) {
        sent[i] = sent[i - 1];
        go_on(&sent[i], tasks);
    }
    sent[RUN].final = true;
}

/* The run as the image sends it. */
static unsigned send_run(uint32_t lost)
{
    const struct snapshot *whole = NULL;
    unsigned deltas = 0;

    free(d.bytes);
    memset(&d, 0, sizeof d);
    frames = 0;
    lose = lost;
    dump_hello(&d, EPOCH, "rate=120 seed=7 output=frames");
    for (unsigned i = 1; i <= RUN; i++)
        if (whole != NULL && i % TURN != 1 && snapshot_delta_fits(&sent[i], whole)) {
            snapshot_delta_send(&sent[i], whole, &writer, &to);
            deltas++;
        } else {
            whole = &sent[i];
            snapshot_send(whole, &to);
        }
    return deltas;
}

static void check_same(const struct snapshot *s)
{
    const struct snapshot *const right = &sent[s->serial];

    assert_in_range(s->serial, 1, RUN);
    assert_int_equal(s->rows, right->rows);
    assert_memory_equal(s, right, offsetof(struct snapshot, rows));
    for (uint32_t i = 0; i < s->rows; i++) {
        const struct snapshot_row *const row = snapshot_find_row(right, s->row[i].id);

        assert_non_null(row);
        assert_memory_equal(s->row[i].hits, row->hits, sizeof *row - offsetof(struct snapshot_row, hits));
    }
}

/* Each table that comes into force, and how many did. */
static unsigned check_tables(void)
{
    struct frame_decoder *const stream = malloc(sizeof *stream);
    unsigned tables = 0;
    struct model *const m = calloc(1, sizeof *m);
    struct stream_event event;
    uint64_t serial = 0;

    decoder_init(stream);
    for (size_t at = 0; at < d.length;) {
        at += decoder_feed(stream, d.bytes + at, d.length - at, &event);
        model_add_event(m, &event);
        if (!m->epochs || !m->epoch[0]->snapshot || m->epoch[0]->snapshot->serial == serial)
            continue;
        serial = m->epoch[0]->snapshot->serial;
        check_same(m->epoch[0]->snapshot);
        assert_true(m->epoch[0]->adds_up);
        tables++;
    }
    if (m->epochs)
        assert_null(m->epoch[0]->violations);
    model_free(m);
    free(m);
    free(stream);
    return tables;
}

static void test_same(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        make_run(seed % 2 ? TASKS : MANY, seed);
        assert_in_range(send_run(0), RUN / 2, RUN);
        assert_int_equal(check_tables(), RUN);
    }
}

/* Whatever is lost, tables are right; and the last one, which is whole, is there unless a frame of it is lost. */
static void test_lost(void **state)
{
    (void)state;
    for (uint32_t lost = 2; lost < 30; lost++)
        for (uint32_t seed = 1; seed <= 4; seed++) {
            make_run(seed % 2 ? TASKS : MANY, seed);
            send_run(lost);
            check_tables();
        }
}

/* An attachment in mid-run: what comes before the next whole one is counted and said. */
static void test_attached(void **state)
{
    FILE *before;

    (void)state;
    make_run(TASKS, 5);
    send_run(0);
    memset(d.bytes, 'x', d.length / 3); /* three wholes are behind */
    check_tables();
    decode(&got, d.bytes, d.length);
    assert_non_null(got.model.epoch[0]->snapshot);
    make_run(TASKS, 5);
    free(d.bytes);
    memset(&d, 0, sizeof d);
    lose = 0;
    snapshot_delta_send(&sent[2], &sent[1], &writer, &to);
    decode(&got, d.bytes, d.length);
    assert_null(got.model.epoch[0]->snapshot);
    assert_int_equal(got.model.epoch[0]->baseless, 1);
    before = listen();
    report_verdict("stream", &got.stream, &got.model, got.model.epoch[0]);
    listen_no_more(before);
    assert_non_null(strstr(said, "only tell what changed"));
}

/* ---- what does not fit ---- */

static void test_does_not_fit(void **state)
{
    struct snapshot *const s = &sent[0];

    (void)state;
    make_run(TASKS, 1);
#define REFUSED(change)                                 \
    do {                                                \
        *s = sent[3];                                   \
        assert_true(snapshot_delta_fits(s, &sent[2]));  \
        change;                                         \
        assert_false(snapshot_delta_fits(s, &sent[2])); \
    } while (0)
    REFUSED(s->final = true);
    REFUSED(s->serial = 2);
    REFUSED(s->regions = 1);
    REFUSED(s->exact = false);
    REFUSED(s->ticks = 1);
    REFUSED(s->bucket[20] = 1);
    REFUSED(snapshot_row(s, sent[2].row[0].id)->time[MODE_USER] = 0;
            snapshot_row(s, sent[2].row[0].id)->time[MODE_KERNEL] = 0);
    REFUSED(s->row[1].total++);
    REFUSED(s->rows = 1; for (uint32_t i = 0; s->rows <= SNAPSHOT_ROWS - sent[2].rows + 1; i++)
                             snapshot_row(s, 5000 + i));
}

/* ---- hostile deltas ---- */

static struct wire_delta hostile;
static uint8_t bytes[1400];
static size_t length;

static void put(uint64_t n)
{
    length += leb128_put(bytes + length, n);
}

/* A whole snapshot and a delta to it that is right so far: nothing in its head, no bucket. */
static void begin_hostile(void)
{
    make_run(TASKS, 1);
    sent[1].row[0].time[MODE_KERNEL] = 5;
    free(d.bytes);
    memset(&d, 0, sizeof d);
    lose = 0;
    dump_hello(&d, EPOCH, "rate=120 seed=7 output=frames");
    snapshot_send(&sent[1], &to);
    hostile = (struct wire_delta){.epoch = EPOCH, .serial = 2, .base = 1, .last = 1, .samples = sent[1].samples,
                                  .end = sent[1].end};
    length = 0;
}

static void send_hostile(void)
{
    hostile.changes = (struct wire_text){(const char *)bytes, length};
    dump_head(&d, WIRE_DELTA, &hostile);
}

/* It is not in force, and noted as this. */
static void check_refused(uint64_t noted)
{
    const struct epoch *e;

    send_hostile();
    decode(&got, d.bytes, d.length);
    e = got.model.epoch[0];
    assert_int_equal(e->snapshot->serial, 1);
    check_same(e->snapshot);
    assert_int_equal(e->violations ? e->violations->of[VIOLATION_DELTA].count : 0, noted);
}

static void put_nothing(void)
{
    put(0);
    put(0);
}

static void test_hostile(void **state)
{
    (void)state;
    begin_hostile(); /* right: for comparison */
    put_nothing();
    send_hostile();
    decode(&got, d.bytes, d.length);
    assert_int_equal(got.model.epoch[0]->snapshot->serial, 2);
    assert_null(got.model.epoch[0]->violations);

    begin_hostile(); /* a base that is not there: not used */
    put_nothing();
    hostile.serial = 9;
    hostile.base = 8;
    check_refused(0);
    begin_hostile(); /* a base that cannot be */
    put_nothing();
    hostile.base = 2;
    check_refused(1);
    begin_hostile(); /* a part that cannot be */
    put_nothing();
    hostile.part = DELTA_PARTS;
    check_refused(1);
    begin_hostile();
    put_nothing();
    hostile.last = 2;
    check_refused(1);
    begin_hostile(); /* a head that is cut short */
    put(1);
    check_refused(1);
    begin_hostile(); /* a field that is not there */
    put(1u << 25);
    put_nothing();
    check_refused(1);
    begin_hostile(); /* a sum that does not fit */
    put(1);
    put(UINT64_MAX);
    put(0);
    check_refused(1);
    begin_hostile(); /* a bucket that is not there */
    put(0);
    put(1);
    put(SNAPSHOT_BUCKETS);
    put(1);
    check_refused(1);
    begin_hostile(); /* more buckets than there are */
    put(0);
    put(SNAPSHOT_BUCKETS + 1);
    check_refused(1);
}

static void test_hostile_rows(void **state)
{
    (void)state;
    begin_hostile(); /* a row far outside: its id is one that is there */
    put_nothing();
    put(1 << 1 | 1);
    put(SNAPSHOT_ROWS);
    put(sent[1].row[0].id);
    put(1);
    check_refused(1);
    begin_hostile(); /* a row in two parts */
    put_nothing();
    put(1 << 1);
    put(1);
    hostile.last = 0;
    send_hostile();
    length = 0;
    put(1 << 1);
    put(1);
    hostile.part = hostile.last = 1;
    check_refused(1);
    begin_hostile(); /* farther */
    put_nothing();
    put(1 << 1 | 1);
    put(UINT64_MAX);
    check_refused(1);
    begin_hostile(); /* an id of more than 32 bits */
    put_nothing();
    put(1 << 1 | 1);
    put(sent[1].rows);
    put(1ull << 32);
    put(1);
    check_refused(1);
    begin_hostile(); /* a time that overflows */
    put_nothing();
    put(1 << 1);
    put(UINT64_MAX);
    check_refused(1);
    begin_hostile(); /* a row that is cut short */
    put_nothing();
    put(3 << 1);
    put(1);
    check_refused(1);
    begin_hostile(); /* a row's field that is not there */
    put_nothing();
    put(1ull << 40);
    check_refused(1);
    begin_hostile(); /* more new rows than any snapshot has */
    put_nothing();
    put(1 << 1 | 1);
    put(sent[1].rows);
    put(5000);
    put(1);
    for (unsigned i = 1; i <= SNAPSHOT_ROWS - sent[1].rows; i++) {
        put(0); /* the mask of the one before */
        put(5000 + i);
        put(1);
    }
    check_refused(1);
}

/* A part that comes twice, and frames of a whole snapshot with the delta's number. */
static void test_hostile_frames(void **state)
{
    const struct wire_cells cells = {EPOCH, 2, 0};

    (void)state;
    begin_hostile();
    put_nothing();
    hostile.last = 0;
    send_hostile();
    hostile.last = 1;
    check_refused(1);
    begin_hostile();
    put_nothing();
    hostile.last = 0;
    send_hostile();
    dump_head(&d, WIRE_CELLS, &cells);
    hostile.part = 1;
    length = 0;
    hostile.last = 1;
    check_refused(1);
    begin_hostile();
    dump_head(&d, WIRE_CELLS, &cells);
    put_nothing();
    check_refused(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_same, end),
        cmocka_unit_test_teardown(test_lost, end),
        cmocka_unit_test_teardown(test_attached, end),
        cmocka_unit_test_teardown(test_does_not_fit, end),
        cmocka_unit_test_teardown(test_hostile, end),
        cmocka_unit_test_teardown(test_hostile_rows, end),
        cmocka_unit_test_teardown(test_hostile_frames, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
