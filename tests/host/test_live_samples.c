/* SPDX-License-Identifier: MIT */
/*
 * The raw samples that a live view keeps: all of a short run, the newest of a long one, with what their indexes mean.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/host/dump.h"
#include "tests/host/sample_run.h"
#include "tools/live/live_run.h"

static struct run run;

static void give(struct live_samples *s, struct frame_decoder *decoder, const uint8_t *bytes, size_t length)
{
    struct stream_event event;

    for (size_t at = 0; at < length;) {
        at += decoder_feed(decoder, bytes + at, length - at, &event);
        live_samples_add_event(s, &event);
    }
}

static void greet(struct dump *d, const struct load *l)
{
    struct wire_hello hello = dump_hello_head(RUN_EPOCH, "rate=1000 seed=7 output=frames", l->setting.schedule.mean);

    hello.minimum = l->setting.schedule.minimum;
    hello.lead = l->setting.handler;
    hello.stamp = l->setting.stamp;
    hello.thin = 1;
    dump_head(d, WIRE_HELLO, &hello);
}

/* A HELLO, as an image sends one each second, after so many frames. */
#define HELLO_EVERY 200

static struct epoch *kept(struct live_samples *s, struct model *m, uint64_t ticks)
{
    static struct frame_decoder decoder;
    struct dump hello = {0};

    run = (struct run){.policy = INTERVAL_STRATIFIED, .rng = RNG_CARTA, .rate = 1000, .thin = 1, .stamp = 1,
                       .ticks = ticks};
    run_make(&run);
    greet(&hello, &run.load);
    decoder_init(&decoder);
    for (size_t i = 0; i < run.frames; i++) {
        if (i % HELLO_EVERY == 0)
            give(s, &decoder, hello.bytes, hello.length);
        give(s, &decoder, run.bytes + run.frame[i].at, run.frame[i].length);
    }
    free(hello.bytes);
    return live_samples_read(s, m, RUN_EPOCH);
}

static void test_short(void **state)
{
    struct live_samples s = {0};
    struct model m = {0};
    const struct epoch *e = kept(&s, &m, 20000);

    (void)state;
    assert_non_null(e);
    assert_false(s.history.cut);
    assert_int_equal(e->samples->count, 20000);
    assert_int_equal(e->samples->told, 20000);
    assert_int_equal(e->samples->sums->unresolved, 0);
    model_free(&m);
    live_samples_free(&s);
    run_free(&run);
}

/*
 * Shares are of what is kept: nothing before it counts, and no place lost its meaning with the frames that told it.
 */
static void test_long(void **state)
{
    struct live_samples s = {0};
    struct model m = {0};
    const struct epoch *e = kept(&s, &m, 1000000);

    (void)state;
    assert_non_null(e);
    assert_true(s.history.cut);
    assert_true(run.length > 3 * HISTORY_LEAST);
    assert_true(s.history.part.length + s.history.next.length < 4 * HISTORY_LEAST);
    assert_in_range(e->samples->count, 10000, 999999);
    assert_int_equal(e->samples->first + e->samples->count, 1000000);
    assert_int_equal(e->samples->told, e->samples->count);
    assert_int_equal(e->samples->lost, 0);
    assert_int_equal(e->samples->sums->unresolved, 0);
    model_free(&m);
    live_samples_free(&s);
    run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_short), cmocka_unit_test(test_long)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
