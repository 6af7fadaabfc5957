/* SPDX-License-Identifier: MIT */
/* Records PROCESS and CODE: the newest counts, what is impossible is noted and changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/records/process_records.h"

static const struct wire_text one = {"one", 3}, two = {"two", 3};

/* No rows follow where `count` is 0. */
static size_t add(struct process_records *p, struct wire_process head, uint64_t count, struct violations **v)
{
    static struct wire_writer w;
    static uint8_t frame[WIRE_FRAME_MAX];
    struct wire_reader rows;
    struct wire_process again;

    wire_begin(&w, WIRE_PROCESS, &head);
    if (count)
        wire_row(&w, WIRE_PROCESS, &(struct wire_process_row){.call = 334, .name = {"rseq", 4}, .count = count});
    memcpy(frame, w.bytes, w.length);
    rows = (struct wire_reader){.type = WIRE_PROCESS, .at = frame + 3, .end = frame + w.length};
    assert_true(wire_read_head(&rows, &again));
    return process_records_add(p, &again, &rows, v);
}

static void test_newest(void **state)
{
    struct process_records p = {0};
    struct violations *v = NULL;

    (void)state;
    assert_true(add(&p, (struct wire_process){.id = 7, .program = 3, .base = 0x1000, .name = one}, 1, &v) > 0);
    add(&p, (struct wire_process){.id = 8, .program = 4, .name = two}, 0, &v);
    add(&p, (struct wire_process){.id = 7, .program = 3, .base = 0x1000, .state = 1, .status = 5, .generation = 2,
                                  .name = one}, 9, &v);
    /* another task */
    add(&p, (struct wire_process){.id = 7, .program = 3, .base = 0x1000, .state = 1, .status = 5, .name = one}, 9,
        &v);
    assert_null(v);
    assert_int_equal(p.count, 2);
    assert_int_equal(process_record_of(&p, 7)->generation, 2);
    assert_int_equal(process_record_of(&p, 7)->status, 5);
    assert_int_equal(process_record_of(&p, 7)->calls, 1);
    assert_int_equal(process_record_of(&p, 7)->call[0].count, 9);
    assert_string_equal(process_record_of(&p, 7)->call[0].name, "rseq");
    assert_null(process_record_of(&p, 9));
    process_records_free(&p);
}

/* Whose records come by turns. */
static void test_two_programs(void **state)
{
    struct process_records p = {0};
    struct violations *v = NULL;

    (void)state;
    add(&p, (struct wire_process){.id = 7, .program = 3, .name = one}, 0, &v);
    assert_false(process_record_of(&p, 7)->mixed);
    add(&p, (struct wire_process){.id = 7, .program = 4, .name = one}, 0, &v);
    add(&p, (struct wire_process){.id = 7, .program = 3, .name = one}, 0, &v);
    assert_true(process_record_of(&p, 7)->mixed);
    assert_int_equal(v->of[VIOLATION_PROGRAMS_MIXED].count, 2);
    process_records_free(&p);
    free(v);
}

/* A run repeats its records each second: the same again takes nothing, and names count. */
static void test_bytes(void **state)
{
    static const char wide[200] = "a long name";
    struct process_records p = {0};
    struct violations *v = NULL;
    const struct wire_process named = {.id = 7, .program = 3, .name = {wide, sizeof wide}};
    size_t taken = add(&p, named, 1, &v);

    (void)state;
    assert_true(taken >= sizeof(struct process_record) + strlen(p.of[0].name) + sizeof(struct process_call) +
                strlen("rseq"));
    assert_int_equal(add(&p, named, 2, &v), 0);
    assert_int_equal(add(&p, named, 0, &v), 0);
    assert_int_equal(add(&p, named, 1, &v), 0);
    assert_int_equal(process_records_add_code(&p, &(struct wire_code){.id = 7, .from = 1, .to = 2,
                                                                      .name = named.name}, &v),
                     sizeof(struct process_range));
    assert_int_equal(process_records_add_code(&p, &(struct wire_code){.id = 7, .from = 1, .to = 9,
                                                                      .name = named.name}, &v), 0);
    assert_null(v);
    assert_int_equal(p.count, 1);
    process_records_free(&p);
}

/* Of more tasks than an image has, those behind are noted. */
static void test_too_many(void **state)
{
    struct process_records p = {0};
    struct violations *v = NULL;

    (void)state;
    for (uint64_t id = 0; id < PROCESS_TASKS; id++)
        assert_true(add(&p, (struct wire_process){.id = id, .program = 1, .name = one}, 0, &v) > 0);
    assert_null(v);
    assert_int_equal(add(&p, (struct wire_process){.id = PROCESS_TASKS, .program = 1, .name = one}, 0, &v), 0);
    assert_non_null(v);
    free(v);
    v = NULL;
    add(&p, (struct wire_process){.id = PROCESS_TASKS - 1, .program = 1, .status = 3, .name = one}, 0, &v);
    assert_null(v);
    assert_int_equal(process_record_of(&p, PROCESS_TASKS - 1)->status, 3);
    assert_int_equal(p.count, PROCESS_TASKS);
    process_records_free(&p);
}

static void test_impossible(void **state)
{
    static const struct wire_process wrong[] = {
        {.id = UINT64_MAX, .program = 1}, {.id = 1}, {.id = 1, .program = 1, .state = 3},
    };
    struct process_records p = {0};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct violations *v = NULL;

        add(&p, wrong[i], 0, &v);
        assert_non_null(v);
        assert_int_equal(p.count, 0);
        free(v);
    }
}

static void test_code(void **state)
{
    struct process_records p = {0};
    struct violations *v = NULL;
    const struct process_record *r;

    (void)state;
    process_records_add_code(&p, &(struct wire_code){.id = 1, .from = 0x1000, .to = 0x2000, .name = one}, &v);
    process_records_add_code(&p, &(struct wire_code){.id = 1, .from = 0x1800, .to = 0x3000, .name = one}, &v);
    process_records_add_code(&p, &(struct wire_code){.id = 1, .from = 0x8000, .to = 0x9000, .name = one}, &v);
    assert_null(v);
    r = process_record_of(&p, 1);
    assert_int_equal(r->changes, 2);
    assert_true(process_changed_at(r, 0x1000) && process_changed_at(r, 0x2fff) && process_changed_at(r, 0x8000));
    assert_false(process_changed_at(r, 0xfff) || process_changed_at(r, 0x3000) || process_changed_at(r, 0x9000));
    for (uint64_t i = 0; i < 2 * PROCESS_RANGES; i++)
        process_records_add_code(&p, &(struct wire_code){.id = 1, .from = (i + 16) << 13, .to = ((i + 16) << 13) + 1,
                                                         .name = one}, &v);
    assert_int_equal(r->changes, PROCESS_RANGES);
    for (uint64_t i = 0; i < 2 * PROCESS_RANGES; i++)
        assert_true(process_changed_at(r, (i + 16) << 13));
    process_records_add_code(&p, &(struct wire_code){.id = 1, .from = 5, .to = 5, .name = one}, &v);
    assert_non_null(v);
    free(v);
    process_records_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newest), cmocka_unit_test(test_two_programs), cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_too_many), cmocka_unit_test(test_impossible), cmocka_unit_test(test_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
