/* SPDX-License-Identifier: MIT */
/*
 * The decoder of the stream, rule by rule: causes of damage, versions, unknown
 * types, the sequence, the preamble (docs/PROTOCOL.md).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/schedule/carta.h"
#include "tests/host/decode.h"
#include "tests/host/dump.h"
#include "tools/stream/stream_reader.h"

#define WORDS "rate=120 seed=7 output=frames"

static struct decoded got; /* of the last decode() */

static int forget(void **state)
{
    (void)state;
    model_free(&got.model);
    return 0;
}

static void check_cause(const void *bytes, size_t length, enum damage cause)
{
    struct dump d = {0};

    dump_hello(&d, 0x1111, WORDS);
    dump_raw(&d, bytes, length);
    dump_raw(&d, "", 1);
    decode(&got, d.bytes, d.length);
    assert_int_equal(decoder_damaged(&got.stats), 1);
    assert_int_equal(got.stats.damaged[cause], 1);
    assert_int_equal(got.stats.damaged_bytes, length);
    assert_int_equal(got.stream.state, STREAM_RESYNC);
    dump_hello(&d, 0x1111, WORDS);
    decode(&got, d.bytes, d.length);
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
    decode(&got, d.bytes, d.length);
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
    decode(&got, d.bytes, d.length);
    assert_int_equal(got.stream.state, STREAM_REFUSED);
    assert_int_equal(got.stats.frames, 0);
    assert_int_equal(got.model.epochs, 0);
    free(d.bytes);
}

/*
 * Each minor that added fields at the end of HELLO has them, and those below it do not;
 * a HELLO without its own is damage.
 */
static void test_older_hello(void **state)
{
    static const struct {
        uint64_t minor;
        size_t missing; /* fields of one byte each: a number that is 0, a text that is empty */
        bool damaged;
    } rows[] = {{0, 7, false}, {0, 6, true}, {1, 7, true}, {1, 6, false}, {5, 6, false}, {5, 5, true},
                {6, 6, true}, {6, 2, true}, {6, 1, false}, {7, 1, false}, {8, 1, true}, {8, 0, false}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct wire_hello hello = {.major = WIRE_MAJOR, .minor = rows[i].minor, .epoch = 1};
        struct wire_writer w;
        struct dump d = {0};

        dump_hello(&d, 1, WORDS); /* damage counts from the first frame on */
        wire_begin(&w, WIRE_HELLO, &hello);
        w.length -= rows[i].missing;
        dump_end_frame(&d, &w);
        decode(&got, d.bytes, d.length);
        assert_int_equal(got.stats.of_type[WIRE_HELLO], rows[i].damaged ? 1 : 2);
        assert_int_equal(got.stats.damaged[DAMAGE_FIELDS], rows[i].damaged);
        free(d.bytes);
    }
}

/* The same of the numbers that minor 8 added to other records: all of them or none. */
static void test_older_records(void **state)
{
    static const struct {
        enum wire_type type;
        size_t added;
    } rows[] = {{WIRE_SNAPSHOT, 6}, {WIRE_PACKED_SAMPLES, 5}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (size_t missing = 0; missing <= rows[i].added; missing++) {
            /* the larger head: no number of it is longer than a byte */
            const struct wire_snapshot zeros = {.epoch = 1};
            const bool damaged = missing % rows[i].added != 0;
            struct wire_writer w;
            struct dump d = {0};

            dump_hello(&d, 1, WORDS);
            wire_begin(&w, rows[i].type, &zeros);
            w.length -= missing;
            dump_end_frame(&d, &w);
            decode(&got, d.bytes, d.length);
            assert_int_equal(got.stats.damaged[DAMAGE_FIELDS], damaged);
            assert_int_equal(got.stats.of_type[rows[i].type], !damaged);
            free(d.bytes);
        }
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
    decode(&got, d.bytes, d.length);
    assert_int_equal(got.stats.unknown, 1);
    assert_int_equal(got.stats.of_type[200], 1);
    assert_int_equal(got.stats.frames, 2);
    assert_int_equal(got.stats.missing, 0);
    assert_int_equal(decoder_damaged(&got.stats), 0);
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
    decode(&got, d.bytes, d.length);
    assert_int_equal(got.stats.gaps, 1);
    assert_int_equal(got.stats.missing, 3);
    d.sequence += 2;
    dump_hello(&d, 0x2222 | WIRE_SECOND, WORDS); /* the second source of the same one does not */
    decode(&got, d.bytes, d.length);
    assert_int_equal(got.stats.gaps, 2);
    assert_int_equal(got.stats.missing, 5);
    free(d.bytes);
}

/* ---- what the 16 bits of the sequence do not tell ---- */

#define EPOCH 0x1111

static void put_text(struct dump *d, uint64_t number)
{
    dump_head(d, WIRE_TEXT, &(struct wire_text_record){.epoch = EPOCH, .text = dump_text("a sentence"),
                                                       .number = number});
}

/* The frame that was written last. */
static void put_again(struct dump *d)
{
    uint8_t frame[WIRE_FRAME_MAX];
    const size_t length = d->length - d->frame;

    memcpy(frame, d->bytes + d->frame, length);
    dump_raw(d, frame, length);
}

static void put_sent(struct dump *d, uint64_t frames, uint64_t texts)
{
    dump_head(d, WIRE_SENT, &(struct wire_sent){.epoch = EPOCH, .frames = frames, .texts = texts});
}

static void check_loss(const struct dump *d, uint64_t missing, uint64_t unsure, uint64_t repeated)
{
    decode(&got, d->bytes, d->length);
    assert_int_equal(got.stats.missing, missing);
    assert_int_equal(got.stats.unsure, unsure);
    assert_int_equal(got.stats.repeated, repeated);
    assert_int_equal(stream_is_whole(&got.stats), !missing && !unsure && !repeated);
}

/*
 * A frame came before if the same did: another one with a lower number is behind a gap of nearly 65536, or of more.
 */
static void test_repeated(void **state)
{
    struct dump d = {0};

    (void)state;
    dump_hello(&d, EPOCH, WORDS);
    for (uint64_t n = 1; n <= 40; n++)
        put_text(&d, n);
    put_again(&d);
    check_loss(&d, 0, 0, 1);
    d.sequence -= 36;
    for (uint64_t n = 41; n <= 80; n++) /* as 65500 frames later */
        put_text(&d, n);
    check_loss(&d, 65500, 1, 1);
    free(d.bytes);
}

/* SENT tells the multiple of 65536; what contradicts it is not known. */
static void test_sent(void **state)
{
    static const struct {
        uint64_t gap;      /* frames that are lost behind the first SENT */
        int64_t off;       /* what the second one tells too much */
        uint64_t missing, unsure;
    } rows[] = {{0, 0, 0, 0}, {3, 0, 3, 0}, {65500, 0, 65500, 0}, {65536, 0, 65536, 0}, {65537, 0, 65537, 0},
                {1ull << 33, 0, 1ull << 33, 0}, {0, 1, 0, 1}, {65500, -65500, 65500, 1}, {100, -100, 100, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dump d = {0};

        dump_hello(&d, EPOCH, WORDS);
        put_text(&d, 0);
        put_sent(&d, 2, 0);
        d.sequence += rows[i].gap;
        put_text(&d, 0);
        put_sent(&d, 4 + rows[i].gap + (uint64_t)rows[i].off, 0);
        put_text(&d, 0);
        check_loss(&d, rows[i].missing, rows[i].unsure, 0);
        free(d.bytes);
    }
}

/* A reader that comes later learns from the first SENT where it is: what was before is not missing. */
static void test_sent_later(void **state)
{
    struct dump d = {.sequence = 500};

    (void)state;
    put_text(&d, 77);
    put_sent(&d, 65536 + 501, 77);
    check_loss(&d, 0, 0, 0);
    put_text(&d, 78);
    put_sent(&d, 3 * 65536 + 503, 80);
    check_loss(&d, 2 * 65536, 0, 0);
    assert_int_equal(got.stats.lost.texts, 2);
    put_sent(&d, 65536 + 504, 80); /* back by two rounds of the sequence */
    check_loss(&d, 2 * 65536, 1, 0);
    free(d.bytes);
}

/* After a break any number may be missing, also none; SENT tells it. */
static void test_break(void **state)
{
    struct dump d = {0};
    struct stream_event event;
    size_t before;

    (void)state;
    dump_hello(&d, EPOCH, WORDS);
    before = d.length;
    put_text(&d, 0);
    decoder_init(&got.stream);
    for (size_t at = 0; at < d.length; at++) {
        if (at == before)
            decoder_note_break(&got.stream);
        decoder_feed(&got.stream, d.bytes + at, 1, &event);
    }
    assert_int_equal(got.stream.stats.unsure, 1);
    assert_int_equal(got.stream.stats.gaps, 0);
    before = d.length;
    put_sent(&d, 2 + 65536, 0);
    decoder_feed(&got.stream, d.bytes + before, 1, &event);
    decoder_feed(&got.stream, d.bytes + before + 1, d.length - before - 1, &event);
    assert_int_equal(event.skipped, 65536);
    assert_int_equal(got.stream.stats.unsure, 0);
    assert_int_equal(got.stream.stats.missing, 65536);
    free(d.bytes);
}

/* A silence is a break only if the line could have carried 65536 frames in it. */
static void test_silence(void **state)
{
    struct dump d = {0};
    struct stream_event event;
    size_t before;

    (void)state;
    dump_hello(&d, EPOCH, WORDS);
    before = d.length;
    put_text(&d, 0);
    for (int longer = 0; longer < 2; longer++) {
        decoder_init(&got.stream);
        for (size_t at = 0; at < d.length; at++) {
            if (at == before)
                decoder_note_silence(&got.stream, DECODER_SILENCE + longer);
            decoder_feed(&got.stream, d.bytes + at, 1, &event);
        }
        assert_int_equal(got.stream.stats.unsure, longer);
    }
    free(d.bytes);
}

/* Without SENT: of two snapshots between these nothing arrived, and the sequence came round. */
static void test_serials(void **state)
{
    struct dump d = {0};

    (void)state;
    dump_hello(&d, EPOCH, WORDS);
    dump_snapshot(&d, EPOCH, 1, false, 10); /* as a file of a recording begins */
    dump_snapshot(&d, EPOCH, 4, false, 10);
    put_text(&d, 0);
    dump_snapshot(&d, EPOCH, 5, false, 20);
    dump_snapshot(&d, EPOCH, 6, false, 20);
    check_loss(&d, 0, 0, 0);
    dump_snapshot(&d, EPOCH, 9, false, 50);
    check_loss(&d, 0, 1, 0);
    d.sequence += 3; /* these may be the ones between */
    dump_snapshot(&d, EPOCH, 12, false, 90);
    check_loss(&d, 3, 1, 0);
    free(d.bytes);
}

/* Texts have numbers of their own: lost ones are told by the next one, by SENT, and in the next epoch anew. */
static void test_own_numbers(void **state)
{
    struct dump d = {0};

    (void)state;
    put_text(&d, 1); /* before HELLO */
    dump_hello(&d, EPOCH, WORDS);
    d.sequence += 2;
    put_text(&d, 4);
    check_loss(&d, 2, 0, 0);
    assert_int_equal(got.stats.lost.texts, 2);
    d.sequence += 2;
    put_sent(&d, 7, 5);
    dump_end(&d, EPOCH, 0, "over");
    decode(&got, d.bytes, d.length);
    assert_int_equal(got.stats.missing, 4);
    assert_int_equal(got.stats.lost.texts, 3);
    d.sequence = 1;
    put_text(&d, 2);
    decode(&got, d.bytes, d.length);
    assert_int_equal(got.stats.lost.texts, 4);
    assert_int_equal(got.stats.lost.faults + got.stats.lost.reports + got.stats.lost.outputs, 0);
    free(d.bytes);
}

/* A reset without END: what comes first of the other boot is not behind a gap, HELLO or not. */
static void test_reset(void **state)
{
    struct dump d = {.sequence = 60000};

    (void)state;
    dump_hello(&d, EPOCH, WORDS);
    d.sequence = 0;
    dump_head(&d, WIRE_TEXT, &(struct wire_text_record){.epoch = 0x2222, .text = dump_text("booted"), .number = 1});
    d.sequence++;
    dump_hello(&d, 0x2222, WORDS);
    check_loss(&d, 1, 0, 0); /* which was counted anew with HELLO */
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
    decode(&got, d.bytes, d.length);
    assert_int_equal(got.stats.preamble, 52);
    assert_int_equal(decoder_damaged(&got.stats), 0);
    dump_raw(&d, firmware, 26);
    dump_hello(&d, 0x3333, WORDS);
    decode(&got, d.bytes, d.length);
    assert_int_equal(decoder_damaged(&got.stats), 1);
    assert_int_equal(got.stats.damaged_bytes, 26);
    free(d.bytes);
}

/*
 * The HELLO of a boot that follows an END is damaged: its bytes may be firmware's, but the next frame's number says
 * that one is missing, and from that frame on bytes outside frames are damage.
 */
static void test_lost_hello(void **state)
{
    struct dump d = {0};

    (void)state;
    dump_run(&d, 0x1111, WORDS, 10);
    dump_hello(&d, 0x2222, WORDS);
    d.bytes[d.frame + 20] ^= 1;
    dump_names(&d, 0x2222);
    dump_raw(&d, "firmware", 9);
    decode(&got, d.bytes, d.length);
    assert_int_equal(got.stats.missing, 1);
    assert_int_equal(got.stats.gaps, 1);
    assert_int_equal(got.stats.damaged_bytes, 8);
    assert_int_equal(got.stream.state, STREAM_RESYNC);
    free(d.bytes);
}

/* A stream that is joined in mid-run: its first frame is no HELLO, and ends the preamble. */
static void test_joined(void **state)
{
    struct dump d = {.sequence = 100};

    (void)state;
    dump_raw(&d, "half", 5);
    dump_names(&d, 0x1111);
    dump_raw(&d, "noise", 6);
    decode(&got, d.bytes, d.length);
    assert_int_equal(got.stats.preamble, 4);
    assert_int_equal(got.stats.damaged_bytes, 5);
    assert_int_equal(got.stats.missing, 0);
    free(d.bytes);
}

static void test_printed_table(void **state)
{
    static const char text[] = "PerPercentage CPU Utilization\n(7200 Samples, 8 missed)\n";

    (void)state;
    decode(&got, (const uint8_t *)text, sizeof(text) - 1);
    assert_true(got.stream.looks_like_text);
    decode(&got, (const uint8_t *)text, 20);
    assert_false(got.stream.looks_like_text);
}

/* ---- Bytes at once are bytes one by one ---- */

struct trace {
    struct frame_decoder stream;
    uint64_t events, sum; /* of all that an event says */
};

static void note(struct trace *t, const struct stream_event *e)
{
    const uint64_t told[] = {
        e->kind, e->kind == STREAM_DAMAGED ? e->damage : 0, e->offset, e->length, e->skipped,
        e->kind == STREAM_RECORD ? e->reader.type : 0,
        e->kind == STREAM_RECORD ? (uint64_t)(e->reader.end - e->reader.at) : 0,
        t->stream.stats.bytes,
    };

    if (e->kind == STREAM_NOTHING)
        return;
    t->events++;
    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
        t->sum = t->sum * 0x9e3779b97f4a7c15u + told[i];
    for (const uint8_t *at = e->reader.at; e->kind == STREAM_RECORD && at < e->reader.end; at++)
        t->sum = t->sum * 31 + *at;
}

/* Copies of the exact size, so that the sanitizer sees a byte too far. */
static void feed(struct trace *t, const uint8_t *bytes, size_t length, size_t piece)
{
    struct stream_event event = {0};

    memset(t, 0, sizeof(*t));
    decoder_init(&t->stream);
    for (size_t at = 0, took; at < length; at += took) {
        const size_t size = length - at < piece ? length - at : piece;
        uint8_t *copy = malloc(size);

        memcpy(copy, bytes + at, size);
        took = decoder_feed(&t->stream, copy, size, &event);
        assert_in_range(took, 1, size);
        note(t, &event);
        free(copy);
    }
    decoder_finish(&t->stream, &event);
    note(t, &event);
}

static void pump(struct trace *t, const uint8_t *bytes, size_t length)
{
    struct stream_event event = {0};

    memset(t, 0, sizeof(*t));
    decoder_init(&t->stream);
    for (size_t at = 0; at < length; at++) {
        decoder_feed(&t->stream, &bytes[at], 1, &event);
        note(t, &event);
    }
    decoder_finish(&t->stream, &event);
    note(t, &event);
}

static void check_alike(const uint8_t *bytes, size_t length)
{
    static struct trace one, other;

    pump(&one, bytes, length);
    for (size_t piece = 1; piece < 70000; piece = piece * 7 + 2) {
        feed(&other, bytes, length, piece);
        assert_int_equal(one.events, other.events);
        assert_true(one.sum == other.sum);
        assert_memory_equal(&one.stream.stats, &other.stream.stats, sizeof(one.stream.stats));
        assert_int_equal(one.stream.looks_like_text, other.stream.looks_like_text);
        assert_int_equal(one.stream.state, other.stream.state);
    }
}

static void damage(uint8_t *bytes, size_t length, uint32_t *x, unsigned times)
{
    while (times--) {
        size_t at = carta_below(x, length), run = 1 + carta_below(x, 40);

        for (size_t i = at; i < at + run && i < length; i++)
            bytes[i] = carta_below(x, 8) ? (uint8_t)carta_below(x, 256) : 0;
    }
}

static void test_pieces(void **state)
{
    static const char text[] = "PerPercentage CPU Utilization\n";
    struct dump d = {0};
    uint32_t x = 1;

    (void)state;
    check_alike((const uint8_t *)text, sizeof(text) - 1);
    check_alike((const uint8_t *)text, sizeof(text));
    for (unsigned round = 0; round < 40; round++) {
        d.length = 0;
        dump_raw(&d, text, 1 + carta_below(&x, sizeof(text) - 1));
        dump_run(&d, 0x1111 + round, WORDS, 10);
        for (size_t i = carta_below(&x, 3 * WIRE_FRAME_MAX); round % 4 == 0 && i > 0; i--)
            dump_raw(&d, "x", 1); /* longer than any frame */
        dump_run(&d, 0x2222, WORDS, 20);
        damage(d.bytes, d.length, &x, round);
        check_alike(d.bytes, d.length);
    }
    free(d.bytes);
}

static void test_no_bytes(void **state)
{
    static struct frame_decoder s;
    struct stream_event event = {.kind = STREAM_RECORD};

    (void)state;
    decoder_init(&s);
    assert_int_equal(decoder_feed(&s, NULL, 0, &event), 0);
    assert_int_equal(event.kind, STREAM_NOTHING);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_causes),   cmocka_unit_test(test_versions), cmocka_unit_test(test_older_hello),
        cmocka_unit_test(test_older_records),
        cmocka_unit_test(test_unknown_types), cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_repeated), cmocka_unit_test(test_sent), cmocka_unit_test(test_sent_later),
        cmocka_unit_test(test_break),
        cmocka_unit_test(test_silence), cmocka_unit_test(test_serials), cmocka_unit_test(test_own_numbers),
        cmocka_unit_test(test_reset),
       
        cmocka_unit_test(test_preamble), cmocka_unit_test(test_lost_hello), cmocka_unit_test(test_joined),
        cmocka_unit_test(test_printed_table),
        cmocka_unit_test(test_pieces),   cmocka_unit_test(test_no_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
