/* SPDX-License-Identifier: MIT */
/* Records PROCESS and CODE: the newest counts, what is impossible is noted and changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/records/changed_code.h"
#include "tools/records/record_store.h"
#include "tools/records/violations.h"

static const struct wire_text one = {"one", 3}, two = {"two", 3};

/* No rows follow where `count` is 0.  Returns the bytes that were taken. */
static size_t add(struct record_stores *s, struct wire_process head, uint64_t count, struct violations **v)
{
    const size_t before = s->bytes.kept;
    static struct wire_writer w;
    static uint8_t frame[WIRE_FRAME_MAX];
    struct wire_reader rows;

    wire_begin(&w, WIRE_PROCESS, &head);
    if (count)
        wire_row(&w, WIRE_PROCESS, &(struct wire_process_row){.call = 334, .name = {"rseq", 4}, .count = count});
    memcpy(frame, w.bytes, w.length);
    rows = (struct wire_reader){.type = WIRE_PROCESS, .at = frame + 3, .end = frame + w.length};
    assert_true(wire_read_head(&rows, &head));
    record_stores_add(s, &(struct record_frame){.record = wire_record(WIRE_PROCESS), .head = &head}, &rows, v);
    return s->bytes.kept - before;
}

static const struct wire_process *newest(const struct record_stores *s, unsigned n)
{
    const struct record_store *p = NULL;

    do
        p = record_store_next(s, WIRE_PROCESS, p);
    while (n--);
    return p ? record_last(p) : NULL;
}

static void test_newest(void **state)
{
    const struct wire_process_row *call;
    struct record_stores s = {0};
    struct violations *v = NULL;

    (void)state;
    assert_true(add(&s, (struct wire_process){.id = 7, .program = 3, .base = 0x1000, .name = one}, 1, &v) > 0);
    add(&s, (struct wire_process){.id = 8, .program = 4, .name = two}, 0, &v);
    add(&s, (struct wire_process){.id = 7, .program = 3, .base = 0x1000, .state = 1, .status = 5, .generation = 2,
                                  .name = one}, 9, &v);
    /* another task */
    add(&s, (struct wire_process){.id = 7, .program = 3, .base = 0x1000, .state = 1, .status = 5, .generation = 1,
                                  .name = one}, 9, &v);
    assert_null(v);
    assert_int_equal(s.count, 2);
    assert_int_equal(newest(&s, 0)->generation, 1);
    assert_int_equal(newest(&s, 0)->status, 5);
    assert_int_equal(s.of[0].row.count, 1);
    call = record_row_of(&s.of[0], 334);
    assert_int_equal(call->count, 9);
    assert_string_equal(call->name.bytes, "rseq");
    assert_int_equal(newest(&s, 1)->program, 4);
    assert_null(newest(&s, 2));
    record_stores_free(&s);
}

/* Whose records come by turns, under one row id and name. */
static void test_two_programs(void **state)
{
    struct record_stores s = {0};
    struct violations *v = NULL;

    (void)state;
    add(&s, (struct wire_process){.id = 7, .program = 3, .name = one}, 0, &v);
    assert_null(v);
    add(&s, (struct wire_process){.id = 7, .program = 4, .name = one}, 0, &v);
    add(&s, (struct wire_process){.id = 7, .program = 3, .name = one}, 0, &v);
    assert_int_equal(v->of[VIOLATION_BACKWARD].count, 1);
    assert_int_equal(newest(&s, 0)->program, 3);
    record_stores_free(&s);
    free(v);
}

/* A run repeats its records each second: the same again takes nothing, and names count. */
static void test_bytes(void **state)
{
    static const char wide[] = "a name that is longer than any that an image gives a task";
    struct record_stores s = {0};
    struct violations *v = NULL;
    const struct wire_process named = {.id = 7, .program = 3, .name = {wide, sizeof wide - 1}};

    (void)state;
    assert_true(add(&s, named, 1, &v) >= sizeof(struct record_store) + sizeof wide + strlen("rseq"));
    assert_int_equal(add(&s, named, 2, &v), 0);
    assert_int_equal(add(&s, named, 0, &v), 0);
    assert_int_equal(add(&s, named, 1, &v), 0);
    assert_null(v);
    record_stores_free(&s);
    assert_int_equal(s.count, 0);
}

/* Of more tasks than an image has, those behind are noted. */
static void test_too_many(void **state)
{
    struct record_stores s = {0};
    struct violations *v = NULL;

    (void)state;
    for (uint64_t id = 0; id < RECORD_ROWS; id++)
        assert_true(add(&s, (struct wire_process){.id = id, .program = 1, .name = one}, 0, &v) > 0);
    assert_null(v);
    assert_int_equal(add(&s, (struct wire_process){.id = RECORD_ROWS, .program = 1, .name = one}, 0, &v), 0);
    assert_int_equal(v->of[VIOLATION_AMOUNT].count, 1);
    free(v);
    v = NULL;
    add(&s, (struct wire_process){.id = RECORD_ROWS - 1, .program = 1, .status = 3, .name = one}, 0, &v);
    assert_null(v);
    assert_int_equal(newest(&s, RECORD_ROWS - 1)->status, 3);
    assert_int_equal(s.count, RECORD_ROWS);
    record_stores_free(&s);
}

static void test_impossible(void **state)
{
    static const struct wire_process wrong[] = {
        {.id = UINT64_MAX, .program = 1}, {.id = 1}, {.id = 1, .program = 1, .state = 3},
    };
    struct record_stores s = {0};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct violations *v = NULL;

        add(&s, wrong[i], 0, &v);
        assert_int_equal(v->of[VIOLATION_VALUE].count, 1);
        assert_int_equal(s.count, 0);
        free(v);
    }
}

static size_t change(struct changed_code *c, uint64_t id, uint64_t from, uint64_t to, struct violations **v)
{
    return changed_code_add(c, &(struct wire_code){.id = id, .from = from, .to = to, .name = one}, v);
}

static void test_code(void **state)
{
    struct changed_code c = {0};
    struct violations *v = NULL;

    (void)state;
    assert_true(change(&c, 1, 0x1000, 0x2000, &v) > sizeof(struct code_range));
    assert_int_equal(change(&c, 1, 0x1800, 0x3000, &v), 0);
    assert_int_equal(change(&c, 1, 0x8000, 0x9000, &v), sizeof(struct code_range));
    assert_null(v);
    assert_int_equal(c.of[0].ranges, 2);
    assert_true(changed_code_at(&c, 1, 0x1000) && changed_code_at(&c, 1, 0x2fff) && changed_code_at(&c, 1, 0x8000));
    assert_false(changed_code_at(&c, 1, 0xfff) || changed_code_at(&c, 1, 0x3000) || changed_code_at(&c, 1, 0x9000) ||
                 changed_code_at(&c, 2, 0x1000));
    for (uint64_t i = 0; i < 2 * CODE_RANGES; i++)
        change(&c, 1, (i + 16) << 13, ((i + 16) << 13) + 1, &v);
    assert_int_equal(c.of[0].ranges, CODE_RANGES);
    for (uint64_t i = 0; i < 2 * CODE_RANGES; i++)
        assert_true(changed_code_at(&c, 1, (i + 16) << 13));
    assert_null(v);
    change(&c, 1, 5, 5, &v);
    change(&c, 1ull << 32, 5, 6, &v);
    assert_int_equal(v->of[VIOLATION_VALUE].count, 2);
    for (uint64_t id = 2; id <= CODE_ROWS + 1; id++)
        change(&c, id, 1, 2, &v);
    assert_int_equal(v->of[VIOLATION_VALUE].count, 3);
    free(v);
    changed_code_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newest), cmocka_unit_test(test_two_programs), cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_too_many), cmocka_unit_test(test_impossible), cmocka_unit_test(test_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
