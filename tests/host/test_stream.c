/* SPDX-License-Identifier: MIT */
/*
 * The decoder under damage: bits flipped, streams cut, noise between frames.
 * Whatever is broken, the table is that of some snapshot that was sent.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/table.h"
#include "tests/host/dump.h"
#include "tools/epochs.h"
#include "tools/report.h"
#include "tools/stream.h"

#define WORDS  "rate=120 seed=7 output=frames"
#define TABLES 6 /* snapshots that dump_two() sends */

struct decoded {
    struct stream stream;
    struct model model;
    struct stream_stats stats;
};

static struct decoded got; /* of the last decode() */
static char table[4096];   /* of the last print_table() */
static char sent[TABLES][4096];

static void decode(const uint8_t *bytes, size_t length)
{
    struct stream_event event;

    model_free(&got.model);
    stream_init(&got.stream);
    for (size_t i = 0; i < length; i++) {
        stream_pump(&got.stream, bytes[i], &event);
        model_take(&got.model, &event);
    }
    stream_finish(&got.stream, &event);
    model_take(&got.model, &event);
    model_finish(&got.model);
    got.stats = got.stream.stats;
}

static void take_line(void *context, const char *line)
{
    (void)context;
    strcat(table, line);
    strcat(table, "\n");
}

static void print_table(struct epoch *e)
{
    struct table_options o = report_options(e);

    table[0] = '\0';
    epoch_name_rows(e);
    o.exact = true;
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
            decode(d.bytes, d.length);
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

    return stream_damaged(&got.stats) || got.stats.missing || got.stats.preamble || !e ||
           !epoch_complete(e);
}

static void test_whole(void **state)
{
    struct dump d = dump_two();

    (void)state;
    decode(d.bytes, d.length);
    assert_int_equal(got.stats.bytes, d.length);
    assert_int_equal(stream_damaged(&got.stats), 0);
    assert_int_equal(got.stats.missing, 0);
    assert_int_equal(got.stats.preamble, 0);
    assert_int_equal(got.model.epochs, 2);
    assert_true(epoch_complete(&got.model.epoch[0]));
    assert_true(epoch_complete(&got.model.epoch[1]));
    print_table(model_choose(&got.model, 0));
    assert_string_equal(table, sent[5]);
    print_table(model_choose(&got.model, 1));
    assert_string_equal(table, sent[2]);
    free(d.bytes);
}

/* Each bit of the first run's last snapshot and of the second's first frames. */
static void test_flipped_bits(void **state)
{
    struct dump d = {0};
    size_t from, to;

    (void)state;
    dump_run(&d, 0x1111, WORDS, 10);
    from = d.length - 500;
    dump_run(&d, 0x2222, WORDS, 100);
    to = from + 1000;
    assert_true(to < d.length);
    for (size_t bit = 8 * from; bit < 8 * to; bit++) {
        d.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        decode(d.bytes, d.length);
        if (!table_was_sent() || !damage_is_told())
            fail_msg("bit %zu of byte %zu", bit % 8, bit / 8);
        print_table(model_choose(&got.model, 0)); /* the last snapshot is not hit */
        assert_string_equal(table, sent[5]);
        d.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(d.bytes);
}

static void test_flipped_tail(void **state)
{
    struct dump d = dump_two();

    (void)state;
    for (size_t bit = 8 * (d.length - 650); bit < 8 * (d.length - 1); bit++) {
        d.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        decode(d.bytes, d.length);
        if (!table_was_sent() || !damage_is_told())
            fail_msg("bit %zu of byte %zu", bit % 8, bit / 8);
        d.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(d.bytes);
}

static void test_truncated(void **state)
{
    struct dump d = dump_two();

    (void)state;
    for (size_t length = 0; length < d.length - 1; length++) {
        const struct epoch *e;

        decode(d.bytes, length);
        if (!table_was_sent())
            fail_msg("cut after %zu bytes", length);
        e = model_choose(&got.model, 0);
        if (length < d.length / 2 - 20 && e)
            assert_false(epoch_complete(e));
    }
    decode(d.bytes, d.length - 1); /* the zero that closes END is not needed */
    assert_true(epoch_complete(&got.model.epoch[1]));
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
    for (unsigned turn = 0; turn < 100; turn++) {
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
        decode(noisy.bytes, noisy.length);
        print_table(model_choose(&got.model, 0));
        assert_string_equal(table, sent[5]);
        assert_int_equal(got.stats.missing, 0);
        assert_true(stream_damaged(&got.stats) > 0);
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
        decode(copy, d.length);
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
    decode(d.bytes, d.length);
    assert_int_equal(got.stats.frames + got.stats.unknown, 0);
    assert_int_equal(got.model.epochs, 0);
    assert_int_equal(stream_damaged(&got.stats), 0);
    assert_true(got.stats.preamble > 190000);
    free(d.bytes);
}

/* ---- The causes ---- */

static void check_cause(const void *bytes, size_t length, enum damage cause)
{
    struct dump d = {0};

    dump_hello(&d, 0x1111, WORDS);
    dump_raw(&d, bytes, length);
    dump_raw(&d, "", 1);
    decode(d.bytes, d.length);
    assert_int_equal(stream_damaged(&got.stats), 1);
    assert_int_equal(got.stats.damaged[cause], 1);
    assert_int_equal(got.stats.damaged_bytes, length);
    assert_int_equal(got.stream.state, STREAM_RESYNC);
    dump_hello(&d, 0x1111, WORDS);
    decode(d.bytes, d.length);
    assert_int_equal(got.stream.state, STREAM_FRAMES);
    assert_int_equal(got.stats.frames, 2);
    assert_int_equal(got.stats.missing, 0);
    free(d.bytes);
}

static void test_causes(void **state)
{
    uint8_t longer[WIRE_FRAME_MAX + 1];
    struct wire_writer w;
    uint8_t frame[WIRE_FRAME_MAX];
    size_t length;

    (void)state;
    memset(longer, 1, sizeof(longer));
    check_cause("\x02x", 2, DAMAGE_SHORT);
    check_cause("\x09x", 2, DAMAGE_STUFFING);
    check_cause("\x08" "abcdefg", 8, DAMAGE_CHECKSUM);
    check_cause(longer, sizeof(longer), DAMAGE_LONG);
    wire_begin(&w, WIRE_END, NULL);
    w.length--; /* a field short, under a checksum that agrees */
    length = wire_end(&w, 1, frame);
    check_cause(frame + 1, length - 2, DAMAGE_FIELDS);
    wire_begin(&w, WIRE_END, NULL);
    w.bytes[w.length++] = 5; /* a field more than this version has */
    length = wire_end(&w, 1, frame);
    check_cause(frame + 1, length - 2, DAMAGE_FIELDS);
}

/* A HELLO of this minor, and an END with a field more than we know. */
static bool end_is_taken(uint64_t minor)
{
    struct wire_hello hello = {.major = WIRE_MAJOR, .minor = minor, .epoch = 1};
    struct wire_end end = {.epoch = 1};
    struct wire_writer w;
    struct dump d = {0};

    dump_head(&d, WIRE_HELLO, &hello);
    wire_begin(&w, WIRE_END, &end);
    w.bytes[w.length++] = 5;
    dump_end_frame(&d, &w);
    decode(d.bytes, d.length);
    free(d.bytes);
    return got.stats.of_type[WIRE_END] == 1;
}

static void test_versions(void **state)
{
    struct wire_hello hello = {.major = WIRE_MAJOR + 1, .epoch = 3};
    struct dump d = {0};

    (void)state;
    assert_false(end_is_taken(WIRE_MINOR));
    assert_true(end_is_taken(WIRE_MINOR + 1));
    dump_head(&d, WIRE_HELLO, &hello);
    dump_run(&d, 0x1111, WORDS, 10);
    decode(d.bytes, d.length);
    assert_int_equal(got.stream.state, STREAM_REFUSED);
    assert_int_equal(got.stats.frames, 0);
    assert_int_equal(got.model.epochs, 0);
    free(d.bytes);
}

static void test_unknown_types(void **state)
{
    static const uint8_t body[] = {200, 0, 0, 1, 2, 3};
    struct wire_writer w = {.length = sizeof(body)};
    struct dump d = {0};

    (void)state;
    memcpy(w.bytes, body, sizeof(body));
    dump_hello(&d, 0x1111, WORDS);
    dump_end_frame(&d, &w);
    dump_hello(&d, 0x1111, WORDS);
    decode(d.bytes, d.length);
    assert_int_equal(got.stats.unknown, 1);
    assert_int_equal(got.stats.of_type[200], 1);
    assert_int_equal(got.stats.frames, 2);
    assert_int_equal(got.stats.missing, 0);
    assert_int_equal(stream_damaged(&got.stats), 0);
    free(d.bytes);
}

static void test_sequence(void **state)
{
    struct dump d = {.sequence = 65534};

    (void)state;
    dump_hello(&d, 0x1111, WORDS);
    dump_sayings(&d, 0x1111); /* wraps */
    d.sequence += 3;
    dump_sayings(&d, 0x1111);
    d.sequence = 500; /* another epoch counts for itself */
    dump_hello(&d, 0x2222, WORDS);
    decode(d.bytes, d.length);
    assert_int_equal(got.stats.gaps, 1);
    assert_int_equal(got.stats.missing, 3);
    free(d.bytes);
}

/* Firmware before a HELLO and after an END; in mid-run the same bytes are damage. */
static void test_preamble(void **state)
{
    static const char firmware[] = "BdsDxe: loading Boot0001\r\n";
    struct dump d = {0};

    (void)state;
    dump_raw(&d, firmware, 26);
    dump_run(&d, 0x1111, WORDS, 10);
    dump_raw(&d, firmware, 26);
    dump_hello(&d, 0x2222, WORDS);
    decode(d.bytes, d.length);
    assert_int_equal(got.stats.preamble, 52);
    assert_int_equal(stream_damaged(&got.stats), 0);
    dump_raw(&d, firmware, 26);
    dump_hello(&d, 0x3333, WORDS);
    decode(d.bytes, d.length);
    assert_int_equal(stream_damaged(&got.stats), 1);
    assert_int_equal(got.stats.damaged_bytes, 26);
    free(d.bytes);
}

static void test_printed_table(void **state)
{
    static const char text[] = "PerPercentage CPU Utilization\n(7200 Samples, 8 missed)\n";

    (void)state;
    decode((const uint8_t *)text, sizeof(text) - 1);
    assert_true(got.stream.looks_like_text);
    decode((const uint8_t *)text, 20);
    assert_false(got.stream.looks_like_text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),     cmocka_unit_test(test_flipped_bits),
        cmocka_unit_test(test_flipped_tail), cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_noise_between_frames), cmocka_unit_test(test_random_damage),
        cmocka_unit_test(test_foreign),   cmocka_unit_test(test_causes),
        cmocka_unit_test(test_versions),  cmocka_unit_test(test_unknown_types),
        cmocka_unit_test(test_sequence),  cmocka_unit_test(test_preamble),
        cmocka_unit_test(test_printed_table),
    };
    return cmocka_run_group_tests(tests, learn_tables, forget);
}
