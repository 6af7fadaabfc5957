/* SPDX-License-Identifier: MIT */
/*
 * Raw samples of an epoch put together again: lost, doubled and shuffled frames,
 * definitions that contradict, and the numbers that are told of it all.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/sample_run.h"

static struct run run;

static void make(uint64_t ticks, uint32_t thin)
{
    run = (struct run){.policy = INTERVAL_STRATIFIED, .rate = 1000, .thin = thin, .stamp = 1000,
                       .ticks = ticks, .flush = 1000};
    run_make(&run);
}

/* One tick in seven, and all at some places. */
static bool mask(struct load *l, struct sample_record *r)
{
    (void)l;
    r->masked = r->tick % 7 == 3 || r->pc % 5 == 0;
    return r->tick % 1000 != 999;
}

static void check_marks(const struct samples *s, uint64_t missing)
{
    const struct run_told t = run_collect(&run, s);

    for (size_t i = 0; i < t.count; i++) {
        const struct sample_record *r = &run.record[t.sample[i].tick];
        const struct sample_place *p = &t.sample[i].place;

        assert_true(!p->masked || r->masked);
        assert_true(missing || !p->known || p->masked == r->masked);
        assert_true(!p->known || p->pc == r->pc);
    }
    assert_int_equal(s->marked, s->count - missing);
    run_check_sums(&t, s->sums);
    free(t.sample);
}

/* Which samples found interrupts off arrives with them; a lost frame loses it of its own samples alone. */
static void test_masked(void **state)
{
    (void)state;
    for (uint32_t thin = 1; thin < 4; thin += 2) {
        run = (struct run){.policy = INTERVAL_STRATIFIED, .rate = 1000, .thin = thin, .stamp = 1000, .ticks = 20000,
                           .flush = 700,
                           .tells_masked = true, .befall = mask};
        run_make(&run);
        for (size_t lost = 0; lost <= run.frames; lost++) {
            struct samples *s = samples_new(&run.load.setting, NULL, SAMPLES_STEPS);
            uint64_t untold = 0;

            samples_expect_marks(s);
            for (size_t i = run.frames; i-- > 0;) {
                struct wire_masked_samples head;
                uint8_t bytes[WIRE_FRAME_MAX];
                struct wire_reader r;

                run_open(&run, i, &r, bytes);
                if (i == lost && r.type == WIRE_MASKED_SAMPLES && wire_read_head(&r, &head))
                    untold = head.count;
                if (i != lost)
                    run_give(&run, i, s);
            }
            samples_finish(s);
            check_marks(s, untold);
            samples_free(s);
        }
        run_free(&run);
    }
}

static uint64_t count_of(size_t frame)
{
    uint8_t bytes[WIRE_FRAME_MAX];
    struct wire_reader r;
    struct wire_packed_samples head;

    run_open(&run, frame, &r, bytes);
    if (r.type != WIRE_PACKED_SAMPLES)
        return 0;
    assert_true(wire_read_head(&r, &head));
    return head.count;
}

static void test_each_frame_lost(void **state)
{
    (void)state;
    make(5000, 1);
    for (size_t lost = 0; lost < run.frames; lost++) {
        struct samples *s = samples_new(&run.load.setting, NULL, SAMPLES_STEPS);

        for (size_t i = 0; i < run.frames; i++)
            if (i != lost)
                run_give(&run, i, s);
        samples_finish(s);
        run_check(&run, s);
        assert_int_equal(s->count, run.ticks - count_of(lost));
        assert_int_equal(samples_unresolved(s), 0); /* all is told twice at least */
        assert_int_equal(s->told, run.ticks);
        samples_free(s);
    }
    run_free(&run);
}

/* Cut at any frame: no wrong sample, and few that are not resolved. */
static void test_cut(void **state)
{
    (void)state;
    make(20000, 1);
    for (size_t end = 0; end <= run.frames; end++) {
        struct samples *s = samples_new(&run.load.setting, NULL, SAMPLES_STEPS);

        for (size_t i = 0; i < end; i++)
            run_give(&run, i, s);
        samples_finish(s);
        run_check(&run, s);
        samples_free(s);
    }
    run_free(&run);
}

/* One frame in twenty, at random. */
static void check_loss(uint64_t seed, uint64_t *count, uint64_t *unresolved)
{
    struct samples *s = samples_new(&run.load.setting, NULL, SAMPLES_STEPS);
    struct load dice = {.random = seed};

    for (size_t i = 0; i < run.frames; i++)
        if (load_below(&dice, 20) != 0)
            run_give(&run, i, s);
    samples_finish(s);
    run_check(&run, s);
    *count += s->count;
    *unresolved += samples_unresolved(s);
    samples_free(s);
}

static void test_loss(void **state)
{
    uint64_t count = 0, unresolved = 0;

    (void)state;
    make(200000, 1);
    for (uint64_t seed = 0; seed < 10; seed++) {
        check_loss(seed, &count, &unresolved);
        assert_true(unresolved * 1000 <= count);
    }
    print_message("5 %% of the frames lost: %lu of %lu samples unresolved\n", unresolved, count);
    assert_in_range(count, 1800000, 1950000);
    run_free(&run);
    make(100000, 10);
    check_loss(1, &count, &unresolved);
    run_free(&run);
}

/* Backwards, and some of them twice. */
static void test_disorder(void **state)
{
    struct samples *s;
    uint64_t twice = 0;

    (void)state;
    make(20000, 3);
    s = samples_new(&run.load.setting, NULL, SAMPLES_STEPS);
    for (size_t i = run.frames; i-- > 0;) {
        run_give(&run, i, s);
        if (i % 3 == 0) {
            run_give(&run, i, s);
            twice += count_of(i);
        }
    }
    samples_finish(s);
    run_check(&run, s);
    assert_int_equal(s->count, s->told);
    assert_int_equal(s->duplicates, twice);
    assert_true(s->timed);
    samples_free(s);
    run_free(&run);
}

static void test_places_are_told_apart(void **state)
{
    struct samples *s;

    (void)state;
    make(20000, 1);
    s = samples_new(&run.load.setting, NULL, SAMPLES_STEPS);
    for (size_t i = 0; i < run.frames; i++)
        run_give(&run, i, s);
    samples_finish(s);
    for (size_t i = 0; i < s->sums->places; i++)
        for (size_t j = 0; j < i; j++) {
            const struct sample_place *a = &s->sums->place[i].place, *b = &s->sums->place[j].place;

            assert_false(a->pc == b->pc && a->task == b->task && a->mode == b->mode && a->delay == b->delay);
        }
    samples_free(s);
    run_free(&run);
}

/* ---- Frames by hand ---- */

static struct sample_setting setting(uint64_t stamp)
{
    struct load l;

    load_begin(&l, INTERVAL_FIXED, RNG_CARTA, 1000, 1, stamp, 7);
    return l.setting;
}

static void give(struct samples *s, struct wire_writer *w)
{
    uint8_t frame[WIRE_FRAME_MAX];
    size_t length = wire_end(w, 0, frame);
    struct wire_reader r;

    assert_int_equal(wire_open(&r, frame + 1, length - 2), WIRE_INTACT);
    samples_add_frame(s, &r, length);
}

static void give_place(struct samples *s, uint64_t index, uint64_t task, uint64_t mode, uint64_t pc)
{
    struct wire_writer w;

    wire_begin(&w, WIRE_PLACES, &(struct wire_places){1});
    wire_row(&w, WIRE_PLACES, &(struct wire_places_row){0, 9, 0, wire_zigzag(9)});
    wire_row(&w, WIRE_PLACES, &(struct wire_places_row){index, task, mode, pc});
    give(s, &w);
}

static void give_codes(struct samples *s, uint64_t first, uint64_t lost, const char *codes,
                       size_t length, uint64_t count)
{
    const struct wire_samples head = {
        .epoch = 1, .first = first, .lost = lost, .count = count, .generator = 1,
        .codes = {codes, length},
    };
    struct wire_writer w;

    wire_begin(&w, WIRE_SAMPLES, &head);
    give(s, &w);
}

/* Index 1 means one thing for ever: the frame that says otherwise is not taken. */
static void test_contradiction(void **state)
{
    const struct sample_setting fixed = setting(0);
    struct samples *s = samples_new(&fixed, NULL, SAMPLES_STEPS);

    (void)state;
    give_codes(s, 0, 0, "\x01\x02\x03", 3, 3);
    give_place(s, 1, 5, 2, wire_zigzag(-4096));
    give_place(s, 1, 6, 2, wire_zigzag(-4096));
    give_place(s, 1, 5, 3, wire_zigzag(-4096));
    give_place(s, 1, 5, 2, wire_zigzag(4096));
    give_place(s, SAMPLE_PLACES_MAX, 5, 2, 0);
    give_place(s, 2, 5, 13, 0);
    give_place(s, 2, 1ull << 32, 0, 0);
    samples_finish(s);
    assert_int_equal(s->damaged, 6);
    assert_int_equal(s->count, 3);
    assert_int_equal(samples_unresolved(s), 1);
    assert_int_equal(s->sums->places, 3);
    assert_int_equal(s->sums->place[0].place.pc, 9);
    assert_int_equal(s->sums->place[1].place.task, 5);
    assert_true(s->sums->place[1].place.pc == (uint64_t)-4096);
    assert_int_equal(s->sums->place[1].place.mode, MODE_KERNEL);
    assert_false(s->sums->place[2].place.known);
    assert_false(s->timed);
    samples_free(s);
}

/* A place told in full and one with an index are one. */
static void test_full_and_index(void **state)
{
    const struct sample_setting fixed = setting(0);
    struct samples *s = samples_new(&fixed, NULL, SAMPLES_STEPS);
    struct samples_entropy e;

    (void)state;
    give_codes(s, 10, 4, "\xff\x06\x05\x0e\xff\x06\x05\x0e\x02\x01\xff\x02\x05\x0e\x01\x01\x01",
               17, 8);
    give_place(s, 1, 5, 6, wire_zigzag(7));
    give_codes(s, 20, 11, "\x01", 1, 1); /* overlaps nothing; 11 lost */
    give_codes(s, 12, 4, "\x02\x02", 2, 2); /* there already */
    give_codes(s, 40, 41, "", 0, 0);        /* more lost than there are */
    give_codes(s, 40, 12, "", 0, 0);
    samples_finish(s);
    assert_int_equal(s->damaged, 1);
    assert_int_equal(s->count, 9);
    assert_int_equal(s->duplicates, 2);
    assert_int_equal(s->told, 40);
    assert_int_equal(s->lost, 12);
    assert_int_equal(samples_unresolved(s), 0);
    assert_int_equal(s->sums->places, 3);
    assert_int_equal(s->sums->place[1].hits, 3); /* index 1, told in full twice before */
    assert_int_equal(s->sums->place[1].place.delay, DELAY_MASKED);
    assert_int_equal(s->sums->place[1].place.mode, MODE_KERNEL);
    e = samples_entropy(s);
    /* 3, 5 and 1 of 9; both of task 5 are one cell: 4 and 5 of 9. */
    assert_true(fabs(e.places - (3 * log2(3) + 5 * log2(9 / 5.0) + log2(9)) / 9) < 1e-9);
    assert_true(fabs(e.cells - (4 * log2(9 / 4.0) + 5 * log2(9 / 5.0)) / 9) < 1e-9);
    assert_true(e.steps == 0);
    samples_free(s);
}

/* PACKED_SAMPLES with these codes, of 14 classes of one index where they are whole. */
static void give_packed(struct samples *s, const char *codes, size_t length, uint64_t count)
{
    const struct wire_packed_samples head = {.epoch = 1, .count = count, .generator = 1, .codes = {codes, length}};
    struct wire_writer w;

    wire_begin(&w, WIRE_PACKED_SAMPLES, &head);
    give(s, &w);
}

/* Frames with right checksums and contents that no sender makes: each is counted, and none gives anything. */
static void test_malformed_packed(void **state)
{
    static const char whole[] = "\0\0\0\0\0\0\0" "\0" "\x10";
    const struct sample_setting fixed = setting(0);
    struct samples *s = samples_new(&fixed, NULL, SAMPLES_STEPS);
    struct wire_writer w;

    (void)state;
    give_packed(s, whole, 9, 2);
    assert_int_equal(s->damaged, 0);
    give_packed(s, whole, 8, 2);                                  /* the classes of samples are missing */
    give_packed(s, "\xee\xee\xee\xee\xee\xee\xee" "\0" "\0", 9, 1); /* widths above 13 */
    give_packed(s, whole, 9, SAMPLE_FRAME_MAX + 1);
    give_packed(s, whole, 9, UINT64_MAX);
    wire_begin(&w, WIRE_PACKED_PLACES, &(struct wire_packed_places){1});
    wire_row(&w, WIRE_PACKED_PLACES, &(struct wire_packed_places_row){16 * 2 * (uint64_t)SAMPLE_PLACES_MAX, 256, 0});
    give(s, &w);
    wire_begin(&w, WIRE_PACKED_PLACES, &(struct wire_packed_places){1});
    w.bytes[w.length++] = 1; /* a row cut short */
    give(s, &w);
    samples_finish(s);
    assert_int_equal(s->damaged, 6);
    assert_int_equal(s->count, 2);
    samples_free(s);
}

static void test_malformed(void **state)
{
    const struct sample_setting fixed = setting(0);
    struct samples *s = samples_new(&fixed, NULL, SAMPLES_STEPS);
    struct wire_writer w;

    (void)state;
    give_codes(s, 0, 0, "\x01\x01", 2, 1);
    give_codes(s, 0, 0, "\x01\x01", 2, 3);
    give_codes(s, 0, 0, "\xff", 1, 1);
    wire_begin(&w, WIRE_PLACES, &(struct wire_places){1});
    w.bytes[w.length++] = 1; /* a row cut short */
    give(s, &w);
    wire_begin(&w, WIRE_SAMPLES, NULL);
    w.length--;
    give(s, &w);
    samples_finish(s);
    assert_int_equal(s->damaged, 5);
    assert_int_equal(s->count, 0);
    assert_null(s->sums);
    samples_free(s);
}

/* What may be replayed is enough for some of the frames: theirs have times, and all have places. */
static void test_budget(void **state)
{
    const uint64_t before = SAMPLES_REPLAY - 20000;
    uint64_t replayed = before;
    struct samples *s;
    struct run_told t;
    size_t timed = 0;

    (void)state;
    make(50000, DECIMATE_MAX / 64);
    s = samples_new(&run.load.setting, &replayed, SAMPLES_SUMMED);
    for (size_t i = 0; i < run.frames; i++)
        run_give(&run, i, s);
    samples_finish(s);
    t = run_collect(&run, s);
    for (size_t i = 0; i < t.count; i++)
        timed += t.sample[i].time != 0;
    free(t.sample);
    assert_int_equal(s->damaged + samples_unresolved(s), 0);
    assert_int_equal(s->count, s->told);
    assert_int_equal(timed, s->count - s->timeless);
    assert_true(timed > 0 && s->timeless > 0 && !s->timed);
    assert_true(replayed > before);
    samples_free(s);
    run_check_whole(&run); /* without a bound all are as they were made */
    run_free(&run);
}

static void test_settings(void **state)
{
    struct sample_setting fixed = setting(0);
    struct samples *s;

    (void)state;
    fixed.thin = DECIMATE_MAX + 1;
    assert_null(samples_new(&fixed, NULL, SAMPLES_STEPS));
    fixed.thin = 0; /* as 1 */
    s = samples_new(&fixed, NULL, SAMPLES_STEPS);
    samples_finish(s);
    assert_int_equal(s->count, 0);
    samples_free(s);
    samples_free(NULL);
    fixed.schedule.policy = NULL;
    assert_null(samples_new(&fixed, NULL, SAMPLES_STEPS));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masked),
        cmocka_unit_test(test_each_frame_lost), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_loss),            cmocka_unit_test(test_disorder),
        cmocka_unit_test(test_places_are_told_apart), cmocka_unit_test(test_contradiction),
        cmocka_unit_test(test_full_and_index),  cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_malformed_packed),
        cmocka_unit_test(test_budget),          cmocka_unit_test(test_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
