/* SPDX-License-Identifier: MIT */
/*
 * The encoder and decoder of every record: round trips at the ends of the
 * numbers, bytes worked out by hand, full frames and fields cut short.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "probe/config/config.h"
#include "probe/stream/wire_fields.h"
#include "tests/host/dump.h"

union any {
    struct wire_hello hello;
    struct wire_snapshot snapshot;
    struct wire_cells_row cells;
    struct wire_exact_row exact;
    uint8_t bytes[512];
};

static const uint64_t extremes[] = {0, 1, 127, 128, 0x3fff, 0x4000, 0xffffffff, 0x100000000,
                                    UINT64_MAX - 1, UINT64_MAX};
static const char sample_text[] = "a\0b\xff\n"; /* texts may hold any byte */

#define EXTREMES (sizeof(extremes) / sizeof(extremes[0]))

static void fill(void *into, const struct wire_field *field, unsigned fields, unsigned turn)
{
    char *member = into;

    for (unsigned i = 0; i < fields; member += wire_member(&field[i++])) {
        struct wire_text text = {sample_text, (turn + i) % sizeof(sample_text)};

        if (field[i].text)
            memcpy(member, &text, sizeof(text));
        else
            memcpy(member, &extremes[(turn + i) % EXTREMES], sizeof(uint64_t));
    }
}

static void check_equal(const void *a, const void *b, const struct wire_field *field,
                        unsigned fields)
{
    const char *left = a, *right = b;

    for (unsigned i = 0; i < fields; left += wire_member(&field[i]), right += wire_member(&field[i++])) {
        struct wire_text one, other;

        if (!field[i].text) {
            assert_memory_equal(left, right, sizeof(uint64_t));
            continue;
        }
        memcpy(&one, left, sizeof(one));
        memcpy(&other, right, sizeof(other));
        assert_int_equal(one.length, other.length);
        assert_memory_equal(one.bytes, other.bytes, one.length);
    }
}

static void open_frame(struct wire_reader *r, uint8_t *frame, size_t length)
{
    assert_int_equal(frame[0], 0);
    assert_int_equal(frame[length - 1], 0);
    assert_null(memchr(frame + 1, 0, length - 2));
    assert_int_equal(wire_open(r, frame + 1, length - 2), WIRE_INTACT);
}

static void round_trip(const struct wire_record *record, unsigned turn)
{
    union any head, row, back;
    struct wire_writer w;
    struct wire_reader r;
    uint8_t frame[WIRE_FRAME_MAX];
    unsigned rows = record->rows ? turn % 4 : 0;
    size_t length;

    fill(&head, record->head, record->heads, turn);
    if (record->type == WIRE_HELLO)
        head.hello.minor = WIRE_MINOR; /* lower ones lack fields (unit-frame_decoder) */
    fill(&row, record->row, record->rows, turn + 3);
    wire_begin(&w, record->type, &head);
    for (unsigned i = 0; i < rows; i++)
        assert_true(wire_row(&w, record->type, &row));
    length = wire_end(&w, (uint16_t)(turn * 7919), frame);
    assert_true(length > 0 && length <= WIRE_FRAME_MAX);
    open_frame(&r, frame, length);
    assert_int_equal(r.type, record->type);
    assert_int_equal(r.sequence, (uint16_t)(turn * 7919));
    assert_true(wire_read_head(&r, &back));
    check_equal(&head, &back, record->head, record->heads);
    for (unsigned i = 0; i < rows; i++) {
        assert_true(wire_read_row(&r, &back));
        check_equal(&row, &back, record->row, record->rows);
    }
    assert_false(wire_read_row(&r, &back));
    assert_true(wire_done(&r));
}

static void test_round_trips(void **state)
{
    const struct wire_record *record;

    (void)state;
    for (unsigned i = 0; (record = wire_record_at(i)); i++)
        for (unsigned turn = 0; turn < 4 * EXTREMES; turn++)
            round_trip(record, turn);
}

/* Bytes made by hand, with a CRC and a COBS that are not ours. */
static void test_vectors(void **state)
{
    static const uint8_t end[] = {0x00, 0x0e, 0x09, 0x02, 0x01, 0xac, 0x02, 0x01,
                                  0x02, 0x6e, 0x6f, 0x22, 0xa5, 0xad, 0x27, 0x00};
    static const uint8_t zeros[] = {0x00, 0x03, 0x09, 0x05, 0x03, 0xac, 0x02, 0x01,
                                    0x03, 0xcd, 0x79, 0x02, 0x5c, 0x00};
    static const uint8_t names[] = {0x00, 0x02, 0x02, 0x01, 0x0c, 0x01, 0x81, 0x80,
                                    0xfc, 0xff, 0x0f, 0x04, 0x49, 0x44, 0x4c, 0x45,
                                    0x05, 0x66, 0x23, 0xd1, 0x3a, 0x00};
    struct dump d = {.sequence = 0x0102};
    struct wire_names head = {1};
    struct wire_writer w;

    (void)state;
    dump_end(&d, 300, 1, "no");
    assert_int_equal(d.length, sizeof(end));
    assert_memory_equal(d.bytes, end, sizeof(end));
    d.length = 0;
    d.sequence = 5;
    dump_end(&d, 300, 0, "");
    assert_int_equal(d.length, sizeof(zeros));
    assert_memory_equal(d.bytes, zeros, sizeof(zeros));
    d.length = 0;
    d.sequence = 0;
    wire_begin(&w, WIRE_NAMES, &head);
    assert_true(wire_row(&w, WIRE_NAMES, &(struct wire_names_row){ROW_IDLE, {"IDLE", 4}, 0}));
    dump_end_frame(&d, &w);
    assert_int_equal(d.length, sizeof(names));
    assert_memory_equal(d.bytes, names, sizeof(names));
    free(d.bytes);
}

static void test_no_head_is_zeros(void **state)
{
    struct wire_end zero = {0, 0, {NULL, 0}};
    struct wire_writer none, zeros;

    (void)state;
    wire_begin(&none, WIRE_END, NULL);
    wire_begin(&zeros, WIRE_END, &zero);
    assert_int_equal(none.length, zeros.length);
    assert_memory_equal(none.bytes + 3, zeros.bytes + 3, none.length - 3);
}

/* Rows until the frame is full: what stood before the last one can still be sent. */
static void test_full_of_rows(void **state)
{
    struct wire_cells head = {1, 2, 3};
    struct wire_cells_row row, back;
    struct wire_writer w;
    struct wire_reader r;
    uint8_t frame[WIRE_FRAME_MAX];
    unsigned rows = 0, read = 0;
    size_t length;

    (void)state;
    memset(&row, 0xff, sizeof(row));
    wire_begin(&w, WIRE_CELLS, &head);
    while (wire_row(&w, WIRE_CELLS, &row))
        rows++;
    assert_int_equal(rows, (WIRE_ROWS_MAX - 3) / 110); /* 11 numbers of 10 bytes */
    assert_false(w.full);
    length = wire_end(&w, 0, frame);
    open_frame(&r, frame, length);
    assert_true(wire_read_head(&r, &head));
    while (wire_read_row(&r, &back))
        read++;
    assert_int_equal(read, rows);
    assert_true(wire_done(&r));
}

static void test_full_head(void **state)
{
    static char long_text[WIRE_FIELDS_MAX + 1];
    struct wire_text_record text = {.text = {long_text, WIRE_FIELDS_MAX - 5}};
    struct wire_writer w;
    uint8_t frame[WIRE_FRAME_MAX];

    (void)state;
    memset(long_text, 'x', sizeof(long_text));
    wire_begin(&w, WIRE_TEXT, &text); /* 1 + 1 + 2 before it, 1 behind it: exactly full */
    assert_false(w.full);
    assert_int_equal(wire_end(&w, 0xffff, frame), WIRE_FRAME_MAX);
    text.text.length++;
    wire_begin(&w, WIRE_TEXT, &text);
    assert_true(w.full);
    assert_int_equal(wire_end(&w, 0, frame), 0);
    wire_begin(&w, (enum wire_type)77, NULL);
    assert_int_equal(wire_end(&w, 0, frame), 0);
    wire_begin(&w, WIRE_END, NULL);
    assert_false(wire_row(&w, WIRE_END, NULL)); /* it has no rows */
    assert_false(w.full);
}

/* Every word with its longest value, and the longest brand string, fit in a HELLO. */
static void test_longest_hello(void **state)
{
    struct config words;
    char line[CONFIG_LINE];
    struct wire_hello hello;
    struct wire_writer w;

    (void)state;
    config_default(&words);
    memset(words.tasks, 'x', sizeof(words.tasks) - 1);
    words.rate = 500000;
    words.spread = 1999;
    words.seed = INT64_MAX;
    words.seconds = 100000000;
    words.samples = 4294967295;
    words.windows = 100000;
    for (words.regions = 0; words.regions < REGIONS_MAX; words.regions++)
        words.region[words.regions] = (struct region_spec){
            "FOURTEENLETTER", MODE_SUPERVISOR, true, UINT64_MAX - 1, UINT64_MAX};
    words.events.count = EVENT_SPECS_MAX;
    for (unsigned i = 0; i < EVENT_SPECS_MAX; i++) /* as long as a value can be */
        words.events.spec[i] = (struct event_spec){.high = UINT64_MAX, .classes = trace_bit(TRACE_END),
                                                   .task = "FOUR"};
    words.buffer = BUFFER_OVERWRITE;
    memset(words.classes.text, 'c', sizeof(words.classes.text) - 1);
    words.records = 16777216;
    words.timer = 60000;
    assert_true(rule_specs_parse(&words.when, span_text(
        "syscall-exit:FOURTEENLETTER:4294967295/set:7:4294967295/stop/write/snapshot/freeze:25,"
        "user:*:1/start,user:*:2/stop,switch/add:0")));
    config_print(&words, line);
    memset(&hello, 0xff, sizeof(hello));
    hello.major = hello.minor = hello.clock_notes = 1;
    hello.minimum = 0x7fffffff;
    hello.seed = INT64_MAX;
    hello.handler = hello.entry = hello.stub = hello.floor = 0xffffff;
    hello.halt_floor = hello.late = hello.lead = 0xffffff;
    hello.port_read = hello.port_write = hello.lapic_access = hello.tick = 0xffffff;
    hello.tick_share = 10000000;
    hello.stamp = hello.thin = 0xffff;
    hello.words = dump_text(line);
    hello.build = dump_text("0123456789abcdef0123456789abcdef01234567");
    hello.version = dump_text("10.10");
    hello.source = dump_text("slu-timeout");
    hello.door = dump_text("multiboot");
    hello.machine = (struct wire_text){line, 48};
    hello.line = (struct wire_text){line, 48};
    wire_begin(&w, WIRE_HELLO, &hello);
    assert_false(w.full);
    assert_true(w.length <= WIRE_FIELDS_MAX - 50); /* words to come need room too */
}

/* Cut after each byte, with a checksum that agrees: never read as whole. */
static void test_truncated_fields(void **state)
{
    struct dump d = {0};
    uint8_t bytes[WIRE_FRAME_MAX];
    struct wire_reader r, cut;
    struct wire_cells head;
    struct wire_cells_row row;
    unsigned whole = 0;
    size_t fields;

    (void)state;
    dump_cells(&d, 300, 5, 0, 100);
    memcpy(bytes, d.bytes, d.length);
    open_frame(&r, bytes, d.length);
    fields = (size_t)(r.end - r.at);
    for (size_t n = 0; n < fields; n++) {
        cut = r;
        cut.end = r.at + n;
        if (!wire_read_head(&cut, &head))
            continue;
        while (wire_read_row(&cut, &row))
            ;
        whole += wire_done(&cut); /* only where the cut falls between two rows */
    }
    assert_int_equal(whole, 3);
    free(d.bytes);
}

static bool reads_as_end(const uint8_t *fields, size_t length, struct wire_end *end)
{
    struct wire_reader r = {.type = WIRE_END, .at = fields, .end = fields + length};

    return wire_read_head(&r, end) && wire_done(&r);
}

static void test_foreign_numbers(void **state)
{
    static const uint8_t most[] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0, 0};
    static const uint8_t over[] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 2, 0, 0};
    static const uint8_t longer[] = {128, 128, 128, 128, 128, 128, 128,
                                     128, 128, 128, 0,   0,   0};
    static const uint8_t text[] = {1, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 'x'};
    struct wire_end end;

    (void)state;
    assert_true(reads_as_end(most, sizeof(most), &end));
    assert_true(end.epoch == UINT64_MAX);
    assert_false(reads_as_end(over, sizeof(over), &end));
    assert_false(reads_as_end(longer, sizeof(longer), &end));
    assert_false(reads_as_end(text, sizeof(text), &end)); /* longer than the frame */
}

static void test_verdicts(void **state)
{
    uint8_t none[] = {0x01}, small[] = {0x02, 0x09}, jump[] = {0x05, 0x09, 0x01};
    uint8_t six[] = {0x07, 1, 2, 3, 4, 5, 6}, seven[] = {0x08, 1, 2, 3, 4, 5, 6, 7};
    struct wire_reader r;

    (void)state;
    assert_int_equal(wire_open(&r, none, 0), WIRE_SHORT);
    assert_int_equal(wire_open(&r, none, 1), WIRE_SHORT);
    assert_int_equal(wire_open(&r, small, 2), WIRE_SHORT);
    assert_int_equal(wire_open(&r, jump, 3), WIRE_STUFFING);
    assert_int_equal(wire_open(&r, six, 7), WIRE_SHORT);
    assert_int_equal(wire_open(&r, seven, 8), WIRE_CHECKSUM);
}

/* Each bit between the zeros: the frame is never taken for intact. */
static void test_flipped_bits(void **state)
{
    struct dump d = {0};
    uint8_t bytes[WIRE_FRAME_MAX];
    struct wire_reader r;

    (void)state;
    dump_hello(&d, 0x1111, "rate=120");
    for (size_t bit = 8; bit < 8 * (d.length - 1); bit++) {
        memcpy(bytes, d.bytes, d.length);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (bytes[bit / 8]) /* a zero would end the frame before */
            assert_int_not_equal(wire_open(&r, bytes + 1, d.length - 2), WIRE_INTACT);
    }
    free(d.bytes);
}

/* The checksum is that of zlib. */
static void test_checksum(void **state)
{
    struct wire_writer w;
    uint8_t frame[WIRE_FRAME_MAX];
    const uint8_t *crc = w.bytes + 3 + 3;

    (void)state;
    wire_begin(&w, WIRE_END, NULL);
    wire_end(&w, 0x1234, frame);
    assert_int_equal(crc[0] | crc[1] << 8 | crc[2] << 16 | (uint32_t)crc[3] << 24,
                     crc32(0, w.bytes, 6));
}

static void test_unknown_types(void **state)
{
    struct wire_reader r = {.type = (enum wire_type)77};
    struct wire_end end;

    (void)state;
    assert_null(wire_record(0));
    assert_null(wire_record(77));
    assert_false(wire_read_head(&r, &end));
    assert_false(wire_read_row(&r, &end));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),   cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_no_head_is_zeros), cmocka_unit_test(test_full_of_rows),
        cmocka_unit_test(test_full_head),     cmocka_unit_test(test_longest_hello),
        cmocka_unit_test(test_truncated_fields), cmocka_unit_test(test_foreign_numbers),
        cmocka_unit_test(test_verdicts),      cmocka_unit_test(test_flipped_bits),
        cmocka_unit_test(test_checksum),      cmocka_unit_test(test_unknown_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
