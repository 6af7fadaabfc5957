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
        full += r.end - r.at > WIRE_CODES_MAX - 100;
        assert_true(r.type == WIRE_SAMPLES || r.end - r.at <= WIRE_ROWS_MAX);
    }
    assert_in_range(full, 100, run.frames);
    run_free(&run);
}

/* ---- Frames that no sender made ---- */

struct made {
    struct wire_samples head;
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
    struct wire_samples head = m->head;
    struct wire_writer w;
    struct wire_reader r = {.type = WIRE_SAMPLES};
    uint8_t *bytes;
    bool whole;

    head.codes = (struct wire_text){m->codes, m->codes_length};
    head.steps = (struct wire_text){m->steps, m->steps_length};
    wire_begin(&w, WIRE_SAMPLES, &head);
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
    refuse_codes("\xff\x0c\x05\x09", 4, 1);    /* no such mode */
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

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stratified), cmocka_unit_test(test_random),
        cmocka_unit_test(test_fixed),      cmocka_unit_test(test_times),
        cmocka_unit_test(test_exponential), cmocka_unit_test(test_narrow), cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_places),     cmocka_unit_test(test_frames),
        cmocka_unit_test(test_by_hand),    cmocka_unit_test(test_heads),
        cmocka_unit_test(test_codes),      cmocka_unit_test(test_steps),
        cmocka_unit_test(test_left_over_bits), cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
