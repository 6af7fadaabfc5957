/* SPDX-License-Identifier: MIT */
/*
 * The code of raw samples: every policy, thinned or not, timed or not, there and
 * back; and frames that no sender made.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stream/sample_decode.h"
#include "probe/stream/sample_unpack.h"
#include "tests/host/sample_run.h"

static struct run run;
static struct sample_batch batch;

/* Single samples and long stretches find no room. */
static bool lose(struct load *l, struct sample_record *r)
{
    return load_below(l, 50) != 0 && r->tick % 3000 > 200;
}

static void check_runs(enum interval_policy policy, enum rng rng, uint64_t ticks)
{
    static const uint32_t thins[] = {1, 3, 10};
    static const uint64_t stamps[] = {0, 1, 999, 1000};

    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 4; j++)
            for (unsigned k = 0; k < 3; k++) {
                run.policy = policy;
                run.rng = rng;
                run.rate = 1000;
                run.thin = thins[i];
                run.stamp = stamps[j];
                run.ticks = ticks + i;
                run.flush = k == 1 ? 777 : 0;
                run.befall = k == 2 ? lose : NULL;
                run_make(&run);
                run_check_whole(&run);
                run_free(&run);
            }
}

static void test_stratified(void **state)
{
    (void)state;
    check_runs(INTERVAL_STRATIFIED, RNG_CARTA, 10000);
    check_runs(INTERVAL_STRATIFIED, RNG_CARTA, 1);
    check_runs(INTERVAL_STRATIFIED, RNG_CHACHA8, 10000);
}

static void test_random(void **state)
{
    (void)state;
    check_runs(INTERVAL_RANDOM, RNG_CARTA, 10000);
    check_runs(INTERVAL_RANDOM, RNG_CHACHA8, 2);
}

static void test_fixed(void **state)
{
    (void)state;
    check_runs(INTERVAL_FIXED, RNG_CARTA, 10000);
    check_runs(INTERVAL_FIXED, RNG_CHACHA8, 3);
}

static void test_exponential(void **state)
{
    (void)state;
    check_runs(INTERVAL_EXPONENTIAL, RNG_CARTA, 10000);
    check_runs(INTERVAL_EXPONENTIAL, RNG_CHACHA8, 3000);
}

static void test_narrow(void **state)
{
    (void)state;
    check_runs(INTERVAL_NARROW, RNG_CARTA, 10000);
    check_runs(INTERVAL_NARROW, RNG_CHACHA8, 3000);
}

static void test_arithmetic(void **state)
{
    (void)state;
    check_runs(INTERVAL_ARITHMETIC, RNG_CARTA, 10000);
    check_runs(INTERVAL_ARITHMETIC, RNG_CHACHA8, 3000);
}

/* ---- points in clock time ---- */

static void check_arrivals(const struct wire_packed_samples *head)
{
    uint64_t least = UINT64_MAX, count = 0;
    int64_t earliest = INT64_MAX, latest = INT64_MIN, arrived = 0;

    for (uint64_t n = head->first; n < head->first + head->count; n++) {
        const struct sample_record *r = &run.record[decimate_tick(n, run.thin, 7)];

        if (r->arrival == SAMPLE_NO_ARRIVAL)
            continue;
        count++;
        earliest = r->arrival < earliest ? r->arrival : earliest;
        latest = r->arrival > latest ? r->arrival : latest;
        arrived = sample_draw(7, n) < least ? r->arrival : arrived;
        least = sample_draw(7, n) < least ? sample_draw(7, n) : least;
    }
    assert_int_equal(head->arrivals, count);
    if (count != 0)
        assert_true(wire_unzigzag(head->earliest) == earliest && wire_unzigzag(head->latest) == latest &&
                    wire_unzigzag(head->arrived) == arrived);
}

/*
 * Each frame tells the bounds of its arrivals, and one that its number draws.
 * Returns how many begin with a late sample.
 */
static unsigned check_point_frames(void)
{
    uint8_t bytes[WIRE_FRAME_MAX];
    struct wire_packed_samples head;
    struct wire_reader r;
    unsigned late = 0;

    for (size_t i = 0; i < run.frames; i++) {
        run_open(&run, i, &r, bytes);
        if (r.type != WIRE_PACKED_SAMPLES)
            continue;
        assert_true(wire_read_head(&r, &head));
        check_arrivals(&head);
        late += head.late != 0;
    }
    return late;
}

/* Without each third frame, what arrives is right. */
static void check_lost_frames(void)
{
    struct samples *s = samples_new(&run.load.setting, NULL, SAMPLES_STEPS);

    for (size_t i = 0; i < run.frames; i++)
        if (i % 3 != 1)
            run_give(&run, i, s);
    samples_finish(s);
    assert_true(s->count < run.ticks * 9 / 10);
    run_check(&run, s);
    samples_free(s);
}

static unsigned check_points(enum interval_policy policy, enum rng rng, uint32_t thin, uint64_t stamp)
{
    unsigned late;

    run = (struct run){.points = true, .policy = policy, .rng = rng, .rate = 1000, .thin = thin, .stamp = stamp,
                       .ticks = 20000, .flush = 77};
    run_make(&run);
    run_check_whole(&run);
    late = check_point_frames();
    if (thin == 1)
        check_lost_frames();
    run_free(&run);
    run.befall = lose;
    run.flush = 0;
    run_make(&run);
    run_check_whole(&run);
    run_free(&run);
    return late;
}

/*
 * A sample in time has its point's time to the unit, whatever the step is: also behind late ones,
 * at a frame's begin, thinned.
 */
static void test_at_points(void **state)
{
    (void)state;
    for (enum interval_policy policy = 0; policy < INTERVALS; policy++) {
        assert_in_range(check_points(policy, RNG_CARTA, 1, 1000), 5, 50); /* 260 frames, one sample in 20 is late */
        check_points(policy, RNG_CHACHA8, 1, 1);
        check_points(policy, RNG_CARTA, 3, 1000);
        assert_int_equal(check_points(policy, RNG_CARTA, 1, 0), 0); /* without times */
    }
}

/* What nobody foresees: a long handler, a clock that jumps, chained intervals that cost more. */
static bool disturb(struct load *l, struct sample_record *r)
{
    static const uint64_t jumps[] = {0, 3000, 1000000, 1ull << 36, 1ull << 52};

    if (load_below(l, 10) == 0)
        r->time += jumps[load_below(l, 5)];
    l->arming = (r->time + LOAD_HANDLER) << 16; /* of 48 bits: it jumps back, too */
    return true;
}

static void test_times(void **state)
{
    static const unsigned rates[] = {1, 7, 120, 20000};

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        run = (struct run){.policy = INTERVAL_RANDOM, .rate = rates[i], .thin = 1, .stamp = 3000,
                           .ticks = 5000, .befall = disturb};
        run_make(&run);
        run_check_whole(&run);
        run_free(&run);
    }
}

static bool spread(struct load *l, struct sample_record *r)
{
    static const uint64_t pcs[] = {
        0, 1, 025200, 042460, 0x7fffffffffff, 0x8000000000000000, 0xffffffff80100000,
        0xffff800000000000, UINT64_MAX,
    };

    r->pc = pcs[load_below(l, 9)];
    r->task = (uint32_t)load_below(l, 3);
    if (load_below(l, 2))
        r->task = UINT32_MAX - r->task;
    r->mode = (uint8_t)load_below(l, MODES);
    return true;
}

static bool scatter(struct load *l, struct sample_record *r)
{
    r->pc = 0x400000 + load_below(l, 12000);
    r->delay = DELAY_NONE;
    return true;
}

static void test_places(void **state)
{
    (void)state;
    run = (struct run){.policy = INTERVAL_FIXED, .rate = 1000, .thin = 1, .stamp = 1000, .ticks = 20000,
                       .befall = spread};
    run_make(&run);
    assert_in_range(run.sender.places.count, 200, SAMPLE_PLACES_MAX);
    run_check_whole(&run);
    run_free(&run);
    run.ticks = 200000;
    run.befall = scatter; /* times 84 cells: more than there are indexes */
    run_make(&run);
    assert_int_equal(run.sender.places.count, SAMPLE_PLACES_MAX);
    run_check_whole(&run);
    run_free(&run);
}

/* Frames are as full as they may be, and no fuller. */
static void test_frames(void **state)
{
    uint8_t bytes[WIRE_FRAME_MAX];
    struct wire_reader r;
    unsigned full = 0;

    (void)state;
    run = (struct run){.policy = INTERVAL_STRATIFIED, .rate = 1000, .thin = 1, .stamp = 1, .ticks = 20000,
                       .befall = scatter};
    run_make(&run);
    for (size_t i = 0; i < run.frames; i++) {
        run_open(&run, i, &r, bytes);
        full += r.end - r.at > SAMPLE_CODES_MAX - 30; /* one more place in full had no room */
        assert_true(r.type == WIRE_PACKED_SAMPLES || r.end - r.at <= WIRE_ROWS_MAX);
    }
    assert_in_range(full, 100, run.frames);
    run_free(&run);
}

/* ---- Frames that no sender made ---- */

struct made {
    enum wire_type type; /* 0: SAMPLES */
    struct wire_samples head; /* of either type */
    uint64_t late;
    const char *codes, *steps;
    size_t codes_length, steps_length;
};

/* Five samples: index 0, 191, 192, 8191 and one in full; steps 0, +1, -1 and 100. */
#define CODES "\x01\xc0\xc1\x00\xe0\x3f\xff\x07\x05\x09"
#define STEPS "\x39\xc8\x01"

static const struct made good = {
    .head = {.epoch = 1, .first = 9, .count = 5, .lost = 9, .time = 7, .generator = 1, .phase = 2},
    .codes = CODES, .codes_length = 10, .steps = STEPS, .steps_length = 3,
};

/* The fields end where the buffer ends, so that the sanitizer sees a byte too far. */
static bool decodes(const struct made *m, const struct sample_setting *setting)
{
    struct wire_packed_samples head = {.late = m->late};
    struct wire_writer w;
    struct wire_reader r = {.type = m->type != 0 ? m->type : WIRE_SAMPLES};
    uint8_t *bytes;
    bool whole;

    memcpy(&head, &m->head, sizeof m->head); /* the first fields of either type */
    head.codes = (struct wire_text){m->codes, m->codes_length};
    head.steps = (struct wire_text){m->steps, m->steps_length};
    wire_begin(&w, r.type, &head);
    assert_false(w.full);
    bytes = malloc(w.length - 3);
    memcpy(bytes, w.bytes + 3, w.length - 3);
    r.at = bytes;
    r.end = bytes + w.length - 3;
    memset(&batch, 0xaa, sizeof(batch));
    batch.budget = UINT64_MAX;
    whole = sample_decode(&batch, setting, &r);
    assert_true(whole || batch.count == 0);
    free(bytes);
    return whole;
}

static struct sample_setting plain(enum interval_policy policy)
{
    struct load l;

    load_begin(&l, policy, RNG_CARTA, 1000, 1, 1000, 7);
    return l.setting;
}

static void test_by_hand(void **state)
{
    const struct sample_setting setting = plain(INTERVAL_FIXED); /* 1193 counts: 999847 units */
    const uint64_t tick = (1193 * (uint64_t)LOAD_CLOCK >> 16) + setting.handler;

    (void)state;
    assert_true(decodes(&good, &setting));
    assert_int_equal(batch.count, 5);
    assert_int_equal(batch.fulls, 1);
    assert_int_equal(batch.place[0], 0);
    assert_int_equal(batch.place[1], 191);
    assert_int_equal(batch.place[2], 192);
    assert_int_equal(batch.place[3], 8191);
    assert_int_equal(batch.place[4], SAMPLE_PLACES_MAX);
    assert_int_equal(batch.full[0].mode, MODE_INTERRUPT + SAMPLE_DELAY_STEP * DELAY_MASKED);
    assert_int_equal(batch.full[0].task, 5);
    assert_true(batch.full[0].pc == (uint64_t)-5);
    assert_int_equal(batch.time[0], 7);
    assert_int_equal(batch.time[1], 7 + tick);
    assert_int_equal(batch.time[2], 7 + 2 * tick + 1000);
    assert_int_equal(batch.time[3], 7 + 3 * tick);
    assert_int_equal(batch.time[4], 7 + 4 * tick + 100 * 1000);
    assert_true(batch.timed);
}

static void refuse(const struct made *m)
{
    const struct sample_setting setting = plain(INTERVAL_STRATIFIED);

    assert_false(decodes(m, &setting));
}

static void test_heads(void **state)
{
    struct made m;

    (void)state;
#define REFUSE(field, value) m = good; m.head.field = (value); refuse(&m)
    REFUSE(count, 4);
    REFUSE(count, 6);
    REFUSE(count, 11);
    REFUSE(count, 0);
    REFUSE(count, UINT64_MAX);
    REFUSE(first, SAMPLE_NUMBER_MAX);
    REFUSE(first, 8); /* more lost than there were */
    REFUSE(time, 0);  /* and yet steps */
    REFUSE(generator, 0);
    REFUSE(generator, 0x7fffffff);
    REFUSE(generator, UINT64_MAX);
    REFUSE(phase, 3);
    REFUSE(fraction, 65536);
    REFUSE(carry, UINT64_MAX);
    REFUSE(second, UINT64_MAX - 1);
#undef REFUSE
}

static void refuse_codes(const char *codes, size_t length, uint64_t count)
{
    struct made m = good;

    m.codes = codes;
    m.codes_length = length;
    m.head.count = count;
    m.head.time = 0;
    m.steps_length = 0;
    refuse(&m);
}

static void test_codes(void **state)
{
    (void)state;
    refuse_codes("\x00", 1, 1);                /* no code begins like this */
    refuse_codes("\x01\x01", 2, 1);            /* a code too many */
    refuse_codes("\x01\xc1", 2, 2);            /* cut short */
    refuse_codes("\xe0\x40", 2, 1);            /* index 8192 */
    refuse_codes("\xfe\xff", 2, 1);
    refuse_codes("\xff", 1, 1);
    refuse_codes("\xff\x07\x05", 3, 1);
    refuse_codes("\xff\x0d\x05\x09", 4, 1);    /* no such mode */
    refuse_codes("\xff\x01\x80\x80\x80\x80\x10\x09", 8, 1); /* a task of 33 bits */
    refuse_codes("\x01\x02\x03\x04\x05\x06\x07\x08\x00", 9, 9);
    refuse_codes("\x01\x02\x03\x04\x00\x06\x07\x08\x09", 9, 9);
}

static void refuse_steps(const char *steps, size_t length)
{
    struct made m = good;

    m.steps = steps;
    m.steps_length = length;
    refuse(&m);
}

static void test_steps(void **state)
{
    (void)state;
    refuse_steps("", 0);
    refuse_steps("\x39", 1);                 /* the far one is missing */
    refuse_steps("\x39\xc8", 2);             /* cut short */
    refuse_steps("\x39\xc8\x01\x01", 4);     /* one too many */
    refuse_steps("\x79\xc8\x01", 3);         /* none is far */
    refuse_steps("\x39\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11); /* over 64 bits */
}

static void test_left_over_bits(void **state)
{
    const struct sample_setting setting = plain(INTERVAL_STRATIFIED);
    struct made m = good;

    (void)state;
    m.codes = "\x01\x01\x01";
    m.codes_length = m.head.count = 3;
    m.steps_length = 1;
    m.steps = "\x05";
    assert_true(decodes(&m, &setting));
    m.steps = "\x15";
    assert_false(decodes(&m, &setting));
}

/* Whatever the bytes are. */
static void test_any_bytes(void **state)
{
    struct load l;
    uint8_t codes[600], steps[300];
    unsigned good_ones = 0;

    (void)state;
    load_begin(&l, INTERVAL_STRATIFIED, RNG_CARTA, 1000, 1, 1000, 7);
    for (unsigned i = 0; i < 20000; i++) {
        struct made m = good;
        uint64_t range = 1 + load_below(&l, load_below(&l, 4) ? 192 : 256);

        for (unsigned j = 0; j < sizeof(codes); j++)
            codes[j] = (uint8_t)(load_below(&l, range) + (load_below(&l, 400) != 0));
        for (unsigned j = 0; j < sizeof(steps); j++)
            steps[j] = load_below(&l, 200) ? 0x55 : (uint8_t)load_below(&l, 256);
        m.codes = (char *)codes;
        m.steps = (char *)steps;
        m.head.count = 1 + load_below(&l, 520);
        m.codes_length = load_below(&l, 4) ? m.head.count : load_below(&l, 600);
        m.steps_length = (m.head.count + 2) / 4 + load_below(&l, 3);
        m.head.time = load_below(&l, 2);
        m.steps_length *= m.head.time;
        m.head.carry = load_below(&l, 1u << 31) << load_below(&l, 12);
        m.head.second = load_below(&l, 1u << 31) << load_below(&l, 12);
        l.setting.thin = (uint32_t)load_below(&l, 4);
        good_ones += decodes(&m, &l.setting);
    }
    assert_in_range(good_ones, 1000, 19000);
}

/* ---- The same of PACKED_SAMPLES ---- */

/* Classes of 1, 256 and 8192 indexes; five samples: index 0, 191, again, 8191, one in full; steps 0, +1, -1, 100. */
#define WIDTHS "\x80\x0d\0\0\0\0\0"
#define PACKED WIDTHS "\x01" "\x10\x2e\x0f" "\xbe\xfe\x1e" "\x07\x05\x09"
#define RUNS   "\x06\x03\x00\xc8\x01"

static struct made packed(const char *codes, size_t length, uint64_t count)
{
    struct made m = good;

    m.type = WIRE_PACKED_SAMPLES;
    m.head.count = count;
    m.codes = codes;
    m.codes_length = length;
    m.steps = RUNS;
    m.steps_length = sizeof RUNS - 1;
    return m;
}

static void test_packed_by_hand(void **state)
{
    const struct sample_setting setting = plain(INTERVAL_FIXED);
    const uint64_t tick = (1193 * (uint64_t)LOAD_CLOCK >> 16) + setting.handler;
    const struct made m = packed(PACKED, sizeof PACKED - 1, 5);
    static int64_t step[SAMPLE_FRAME_MAX];
    static const uint16_t places[] = {0, 191, 191, 8191, SAMPLE_PLACES_MAX};

    (void)state;
    assert_true(decodes(&m, &setting));
    assert_int_equal(batch.count, 5);
    assert_int_equal(batch.fulls, 1);
    assert_memory_equal(batch.place, places, sizeof places);
    assert_int_equal(batch.full[0].mode, MODE_INTERRUPT + SAMPLE_DELAY_STEP * DELAY_MASKED);
    assert_int_equal(batch.full[0].task, 5);
    assert_true(batch.full[0].pc == (uint64_t)-5);
    assert_int_equal(batch.time[1], 7 + tick);
    assert_int_equal(batch.time[2], 7 + 2 * tick + 1000);
    assert_int_equal(batch.time[3], 7 + 3 * tick);
    assert_int_equal(batch.time[4], 7 + 4 * tick + 100 * 1000);
    batch.steps = (struct wire_text){RUNS, sizeof RUNS - 1};
    sample_steps(&batch, step);
    assert_true(step[0] == 0 && step[1] == 0 && step[2] == 1 && step[3] == -1 && step[4] == 100);
}

static void refuse_packed(const char *codes, size_t length, uint64_t count)
{
    const struct made m = packed(codes, length, count);

    refuse(&m);
}

#define REFUSE(count, codes) refuse_packed(codes, sizeof(codes) - 1, count)

static void test_packed_codes(void **state)
{
    struct made m = packed(PACKED, sizeof PACKED - 1, 5);

    (void)state;
    for (size_t length = 0; length < sizeof PACKED - 1; length++)
        refuse_packed(PACKED, length, 5);
    REFUSE(5, PACKED "\0");
    REFUSE(4, PACKED);
    REFUSE(7, PACKED); /* 6 would do: the four bits that fill are a class */
    REFUSE(5, "\xe0\x0d\0\0\0\0\0\x01\x10\x2e\x0f\xbe\xfe\x1e\x07\x05\x09"); /* 14 bits */
    REFUSE(5, WIDTHS "\x02\x10\x2e\x0f\xbe\xfe\x1e\x07\x05\x09"); /* no such form */
    REFUSE(5, WIDTHS "\x01\x10\x2e\x1f\xbe\xfe\x1e\x07\x05\x09"); /* a sample too many */
    REFUSE(5, WIDTHS "\x01\x10\x2e\x0f\xbe\xfe\x3e\x07\x05\x09"); /* a bit too many */
    REFUSE(5, WIDTHS "\x01\x10\x2e\x0f\xbe\xff\x1e\x07\x05\x09"); /* index 8192 */
    REFUSE(5, WIDTHS "\x01\x10\x2e\x0f\xbe\xfe\x1e\x0d\x05\x09"); /* no such mode */
    REFUSE(1, WIDTHS "\0\x0e");                 /* as none */
    REFUSE(2, WIDTHS "\0\xef\x07\x05\x09");   /* as a place in full */
    REFUSE(0, WIDTHS "\0");
    m.head.time = m.steps_length = 0;
    refuse(&m); /* runs, and yet no times */
}

static void refuse_runs(const char *steps, size_t length)
{
    struct made m = packed(PACKED, sizeof PACKED - 1, 5);

    m.steps = steps;
    m.steps_length = length;
    refuse(&m);
}

static void test_packed_steps(void **state)
{
    (void)state;
    refuse_runs(RUNS, 3); /* the far one is missing */
    refuse_runs(RUNS, 4); /* cut short */
    refuse_runs(RUNS "\x02", 6);
    refuse_runs("\x12", 1); /* of the sixth sample */
    refuse_runs("\xfd", 1);
    refuse_runs("\x05", 1); /* nothing ends the run */
    refuse_runs("\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11);
}

/*
 * Times without steps, where a count or the clock has more than 32 bits, against the formula;
 * one sample in `at` is so.
 */
static void check_predictions(uint32_t count, uint32_t at, uint64_t large, uint64_t clock)
{
    const struct sample_prediction f = {.clock = clock, .handler = 3000, .stamp = 1};
    uint64_t now = 7;

    batch.count = count;
    batch.runs = true;
    batch.steps = (struct wire_text){"", 0};
    batch.time[0] = now;
    for (uint32_t i = 1; i < count; i++)
        batch.time[i] = i == at ? large : 1193 * i;
    assert_true(sample_times(&batch, &f));
    for (uint32_t i = 1; i < count; i++) {
        now += ((i == at ? large : 1193 * i) * clock >> 16) + f.handler;
        assert_int_equal(batch.time[i], now);
    }
}

static void test_predictions(void **state)
{
    (void)state;
    for (uint32_t count = 2; count < 40; count++)
        for (uint32_t at = 1; at < count; at++) {
            check_predictions(count, at, UINT32_MAX, UINT32_MAX);
            check_predictions(count, at, (uint64_t)UINT32_MAX + 1, 54925400);
            check_predictions(count, at, UINT32_MAX - at, (uint64_t)UINT32_MAX + 1);
            check_predictions(count, at, (uint64_t)5 << 33, (uint64_t)3 << 33);
        }
}

/* Whatever the bytes are: most frames have widths and places that can be. */
static void test_any_packed_bytes(void **state)
{
    struct load l;
    uint8_t codes[1500], steps[600];
    unsigned good_ones = 0;

    (void)state;
    load_begin(&l, INTERVAL_STRATIFIED, RNG_CARTA, 1000, 1, 1000, 7);
    for (unsigned i = 0; i < 20000; i++) {
        const uint64_t count = 1 + load_below(&l, load_below(&l, 4) ? 40 : SAMPLE_FRAME_MAX + 2);
        const uint64_t width = load_below(&l, 15);
        struct made m = packed((char *)codes, load_below(&l, sizeof codes), count);

        for (size_t j = 0; j < sizeof codes; j++)
            codes[j] = (uint8_t)load_below(&l, 256);
        for (size_t j = 0; j < 7; j++)
            codes[j] = (uint8_t)(width * 17);
        codes[7] = (uint8_t)load_below(&l, load_below(&l, 9) ? 2 : 256);
        if (load_below(&l, 4) != 0) { /* all of one class, of whole bytes */
            const size_t bytes = (count + 1) / 2;

            memset(codes + 8, count == 1 ? 3 : 0x33, bytes);
            if (count % 2 != 0)
                codes[7 + bytes] = 3;
            m.codes_length = 8 + bytes + (count * width + 7) / 8;
            memset(codes + 8 + bytes, 0, sizeof codes - 8 - bytes);
        }
        for (size_t j = 0; j < sizeof steps; j++)
            steps[j] = load_below(&l, 9) ? codes[7] == 1 ? 0x02 : 0x55 : (uint8_t)load_below(&l, 256);
        m.steps = (char *)steps;
        m.steps_length = codes[7] == 1 ? load_below(&l, 20) : (count + 2) / 4;
        m.codes_length = m.codes_length > sizeof codes ? sizeof codes : m.codes_length;
        l.setting.thin = (uint32_t)load_below(&l, 4);
        good_ones += decodes(&m, &l.setting);
    }
    assert_in_range(good_ones, 1000, 19000);
}

/* ---- PACKED_PLACES ---- */

/* Rows of `what`, `task`, `pc`; whether all of them are valid, and the last one's index and place. */
static bool reads_rows(const uint64_t (*row)[3], size_t rows, uint32_t *index, struct sample_location *where)
{
    struct sample_places places;
    struct wire_writer w;
    struct wire_reader r = {.type = WIRE_PACKED_PLACES};

    wire_begin(&w, WIRE_PACKED_PLACES, &(struct wire_packed_places){1});
    for (size_t i = 0; i < rows; i++)
        assert_true(wire_row(&w, WIRE_PACKED_PLACES,
                             &(struct wire_packed_places_row){row[i][0], row[i][1], row[i][2]}));
    r.at = w.bytes + 3;
    r.end = w.bytes + w.length;
    assert_true(sample_places_open(&places, r));
    while (sample_places_next(&places, index, where))
        continue;
    return sample_places_whole(&places);
}

static void test_packed_places(void **state)
{
    /* Kernel, task 7, index 3; user, the same task, index 4; kernel, task 8, index 2. */
    static const uint64_t rows[][3] = {{2 + 16 * 6, 256 + 7, 100}, {0, 1, 40}, {2 + 16 * 5, 256 + 8, 5}};
    static const uint64_t wrong[][3] = {
        {0, 0, 0},                       /* no row before */
        {0, 1, 0},
        {15, 256, 0},                    /* no such mode */
        {0, 256 + (1ull << 32), 0},      /* a task of 33 bits */
        {16 * 16384, 256, 0},            /* index 8192 */
        {16 * 1, 256, 0},                /* index -1 */
        {UINT64_MAX - 15, 256, 0},
    };
    struct sample_location where;
    uint32_t index = 0;

    (void)state;
    assert_true(reads_rows(rows, 1, &index, &where));
    assert_true(index == 3 && where.task == 7 && where.mode == 2 && where.pc == 50);
    assert_true(reads_rows(rows, 2, &index, &where));
    assert_true(index == 4 && where.task == 7 && where.mode == 0 && where.pc == 20);
    assert_true(reads_rows(rows, 3, &index, &where));
    assert_true(index == 2 && where.task == 8 && where.mode == 2 && where.pc == 47);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(reads_rows(&wrong[i], 1, &index, &where));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stratified), cmocka_unit_test(test_random),
        cmocka_unit_test(test_fixed),      cmocka_unit_test(test_times),
        cmocka_unit_test(test_exponential), cmocka_unit_test(test_narrow), cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_at_points),
        cmocka_unit_test(test_places),     cmocka_unit_test(test_frames),
        cmocka_unit_test(test_by_hand),    cmocka_unit_test(test_heads),
        cmocka_unit_test(test_codes),      cmocka_unit_test(test_steps),
        cmocka_unit_test(test_left_over_bits), cmocka_unit_test(test_any_bytes),
        cmocka_unit_test(test_packed_by_hand), cmocka_unit_test(test_packed_codes),
        cmocka_unit_test(test_packed_steps), cmocka_unit_test(test_predictions),
        cmocka_unit_test(test_any_packed_bytes), cmocka_unit_test(test_packed_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
