/* SPDX-License-Identifier: MIT */
/*
 * Streams under damage: bits flipped, cut short, noise between frames.
 * Whatever is broken, the table is that of some snapshot that was sent.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stats/table.h"
#include "tests/host/decode.h"
#include "tests/host/dump.h"
#include "tools/analysis/report.h"

#define WORDS  "rate=120 seed=7 output=frames"
#define TABLES 12 /* snapshots that dump_two() sends, each with the names of its rows and without */
#define SENT(n) sent[2 * (n)] /* with names */

static struct decoded got; /* of the last decode() */
static char table[4096];   /* of the last print_table() */
static char sent[TABLES][4096];

static void take_line(void *context, const char *line)
{
    (void)context;
    strcat(table, line);
    strcat(table, "\n");
}

/* Where every HELLO was hit, the options are those of any other epoch. */
static void print_table(struct epoch *e)
{
    static struct table_options o;

    if (e->has_hello)
        o = report_options(e);
    table[0] = '\0';
    o.exact = true;
    epoch_name_rows(e);
    if (e->snapshot)
        table_print(e->snapshot, &o, take_line, NULL);
}

static struct dump dump_two(void)
{
    struct dump d = {0};

    dump_run(&d, 0x1111, WORDS, 10);
    dump_run(&d, 0x2222, WORDS, 100);
    return d;
}

/* The tables that can be had: each snapshot alone, in a stream that is whole. */
static int learn_tables(void **state)
{
    unsigned n = 0;

    (void)state;
    for (uint64_t epoch = 0x1111; epoch <= 0x2222; epoch += 0x1111)
        for (uint64_t serial = 1; serial <= 3; serial++) {
            struct dump d = {0};

            dump_hello(&d, epoch, WORDS);
            dump_snapshot(&d, epoch, serial, false,
                          serial * (epoch == 0x1111 ? 10 : 100));
            decode(&got, d.bytes, d.length);
            print_table(model_choose(&got.model, 0));
            strcpy(sent[n++], table);
            got.model.epoch[0]->name_count = 0; /* as where all NAMES were lost */
            index_free(&got.model.epoch[0]->name_of);
            print_table(model_choose(&got.model, 0));
            strcpy(sent[n++], table);
            free(d.bytes);
        }
    return 0;
}

static int forget(void **state)
{
    (void)state;
    model_free(&got.model);
    return 0;
}

/* The table of what was decoded is one of those sent, or there is none. */
static bool table_was_sent(void)
{
    struct epoch *e = model_choose(&got.model, 0);

    if (!e || !e->snapshot)
        return true;
    print_table(e);
    for (unsigned i = 0; i < TABLES; i++)
        if (!strcmp(table, sent[i]))
            return true;
    print_error("%s", table);
    return false;
}

static bool damage_is_told(void)
{
    const struct epoch *e = model_choose(&got.model, 0);

    return decoder_damaged(&got.stats) || got.stats.missing || got.stats.preamble || !e ||
           !epoch_complete(e);
}

static void test_whole(void **state)
{
    struct dump d = dump_two();

    (void)state;
    decode(&got, d.bytes, d.length);
    assert_int_equal(got.stats.bytes, d.length);
    assert_int_equal(decoder_damaged(&got.stats), 0);
    assert_int_equal(got.stats.missing, 0);
    assert_int_equal(got.stats.preamble, 0);
    assert_int_equal(got.model.epochs, 2);
    assert_true(epoch_complete(got.model.epoch[0]));
    assert_true(epoch_complete(got.model.epoch[1]));
    print_table(model_choose(&got.model, 0));
    assert_string_equal(table, SENT(5));
    print_table(model_choose(&got.model, 1));
    assert_string_equal(table, SENT(2));
    free(d.bytes);
}

/* Each bit of the first run's END and of the second's first HELLO. */
static void test_flipped_bits(void **state)
{
    struct dump d = {0};
    size_t from, to;

    (void)state;
    dump_run(&d, 0x1111, WORDS, 10);
    from = d.frame;
    to = d.length + 150;
    dump_run(&d, 0x2222, WORDS, 100);
    for (size_t bit = 8 * from; bit < 8 * to; bit++) {
        d.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        decode(&got, d.bytes, d.length);
        if (!table_was_sent() || !damage_is_told())
            fail_msg("bit %zu of byte %zu", bit % 8, bit / 8);
        print_table(model_choose(&got.model, 0)); /* the last snapshot is not hit */
        assert_string_equal(table, SENT(5));
        d.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(d.bytes);
}

/* Each bit of the last parts of the last snapshot, and of its END. */
static void test_flipped_tail(void **state)
{
    struct dump d = dump_two();

    (void)state;
    for (size_t bit = 8 * (d.length - 550); bit < 8 * (d.length - 1); bit++) {
        d.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        decode(&got, d.bytes, d.length);
        if (!table_was_sent() || !damage_is_told())
            fail_msg("bit %zu of byte %zu", bit % 8, bit / 8);
        d.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(d.bytes);
}

static void test_truncated(void **state)
{
    struct dump d = {0};
    size_t first;

    (void)state;
    dump_run(&d, 0x1111, WORDS, 10);
    first = d.length;
    dump_run(&d, 0x2222, WORDS, 100);
    for (size_t length = 0; length < d.length - 1; length++) {
        const struct epoch *e;

        decode(&got, d.bytes, length);
        if (!table_was_sent())
            fail_msg("cut after %zu bytes", length);
        e = model_choose(&got.model, 0);
        if (e && epoch_complete(e))
            assert_true(length >= first - 1);
    }
    decode(&got, d.bytes, d.length - 1); /* the zero that closes END is not needed */
    assert_true(epoch_complete(got.model.epoch[1]));
    free(d.bytes);
}

static uint32_t noise = 1;

static uint8_t random_byte(void)
{
    noise = noise * 1664525 + 1013904223;
    return (uint8_t)(noise >> 24);
}

static void put_noise(struct dump *d)
{
    for (unsigned n = random_byte(); n; n--)
        dump_raw(d, &(uint8_t){random_byte()}, 1);
}

/* Frames are bounded by zeros on both sides: noise between them costs none. */
static void test_noise_between_frames(void **state)
{
    struct dump d = dump_two();

    (void)state;
    for (unsigned turn = 0; turn < 40; turn++) {
        struct dump noisy = {0};
        size_t at = 0;

        while (at < d.length) {
            size_t end = at + 1;

            while (d.bytes[end])
                end++;
            put_noise(&noisy);
            dump_raw(&noisy, d.bytes + at, end + 1 - at);
            at = end + 1;
        }
        decode(&got, noisy.bytes, noisy.length);
        print_table(model_choose(&got.model, 0));
        assert_string_equal(table, SENT(5));
        assert_int_equal(got.stats.missing, 0);
        assert_true(decoder_damaged(&got.stats) > 0);
        assert_int_equal(got.stats.frames, 2 * 22);
        free(noisy.bytes);
    }
    free(d.bytes);
}

static void test_random_damage(void **state)
{
    struct dump d = dump_two();
    uint8_t *copy = malloc(d.length);

    (void)state;
    for (unsigned turn = 0; turn < 1000; turn++) {
        memcpy(copy, d.bytes, d.length);
        for (unsigned hits = 1 + random_byte() % 8; hits; hits--)
            copy[(random_byte() << 8 | random_byte()) % d.length] = random_byte();
        decode(&got, copy, d.length);
        if (!table_was_sent())
            fail_msg("turn %u", turn);
    }
    free(copy);
    free(d.bytes);
}

static void test_foreign(void **state)
{
    struct dump d = {0};

    (void)state;
    while (d.length < 200000)
        put_noise(&d);
    decode(&got, d.bytes, d.length);
    assert_int_equal(got.stats.frames + got.stats.unknown, 0);
    assert_int_equal(got.model.epochs, 0);
    assert_int_equal(decoder_damaged(&got.stats), 0);
    assert_true(got.stats.preamble > 190000);
    free(d.bytes);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_flipped_bits),
        cmocka_unit_test(test_flipped_tail),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_noise_between_frames),
        cmocka_unit_test(test_random_damage),
        cmocka_unit_test(test_foreign),
    };
    return cmocka_run_group_tests(tests, learn_tables, forget);
}
