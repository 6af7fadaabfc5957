/* SPDX-License-Identifier: MIT */
/* A command is done once, however often it comes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "probe/command/reply_cache.h"

#define BOOT 4711

static struct reply_cache answers;

static int begin(void **state)
{
    (void)state;
    memset(&answers, 0, sizeof answers);
    return 0;
}

static enum reply_verdict judge(uint64_t boot, uint64_t session, uint64_t id, struct reply **a)
{
    return reply_cache_check(&answers, BOOT, &(struct wire_command){
        .boot = boot, .session = session, .id = id}, a);
}

static void test_once(void **state)
{
    struct reply *a;

    (void)state;
    assert_int_equal(judge(0, 9, 1, &a), REPLY_NEW);
    reply_line(a, "first");
    reply_line(a, "second");
    reply_end(a);
    a->status = ANSWER_REFUSED;
    assert_int_equal(judge(BOOT, 9, 1, &a), REPLY_REPEAT);
    assert_string_equal(a->text, "first\nsecond");
    assert_int_equal(a->length, 12);
    assert_int_equal(a->status, ANSWER_REFUSED);
    assert_int_equal(judge(BOOT, 9, 3, &a), REPLY_NEW);
    assert_string_equal(a->text, "");
    assert_int_equal(a->status, ANSWER_DONE);
    assert_int_equal(judge(BOOT, 9, 2, &a), REPLY_STALE);
    assert_null(a);
    assert_int_equal(judge(BOOT, 9, 3, &a), REPLY_REPEAT);
}

static void test_other_boot(void **state)
{
    struct reply *a;

    (void)state;
    assert_int_equal(judge(BOOT + 1, 9, 1, &a), REPLY_OTHER_BOOT);
    assert_null(a);
    assert_int_equal(judge(BOOT, 9, 1, &a), REPLY_NEW); /* it left no trace */
}

static void test_sessions(void **state)
{
    struct reply *a;

    (void)state;
    for (uint64_t session = 1; session <= REPLY_SESSIONS; session++) {
        assert_int_equal(judge(0, session, 5, &a), REPLY_NEW);
        reply_line(a, "yes");
    }
    for (uint64_t session = 1; session <= REPLY_SESSIONS; session++)
        assert_int_equal(judge(0, session, 5, &a), REPLY_REPEAT);
    assert_int_equal(judge(0, 100, 1, &a), REPLY_NEW); /* takes the place of the oldest */
    assert_string_equal(a->text, "");
    assert_int_equal(judge(0, 2, 5, &a), REPLY_REPEAT);
    assert_int_equal(judge(0, 1, 5, &a), REPLY_NEW);
}

static void test_room(void **state)
{
    struct reply *a;
    char line[100];
    uint32_t lines = 0;

    (void)state;
    judge(0, 1, 1, &a);
    memset(line, 'x', sizeof line);
    line[99] = '\0';
    for (unsigned i = 0; i < 1000; i++)
        reply_line(a, line);
    reply_line(a, ""); /* nothing after what was left out */
    reply_end(a);
    assert_int_equal(strlen(a->text), a->length);
    assert_in_range(a->length, REPLY_ROOM - 200, REPLY_ROOM - 1);
    for (const char *at = a->text; (at = strchr(at, '\n')); at++)
        lines++;
    snprintf(line, sizeof line, "\n(%u more lines found no room)", 1001 - lines);
    assert_string_equal(a->text + a->length - strlen(line), line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_once, begin),
        cmocka_unit_test_setup(test_other_boot, begin),
        cmocka_unit_test_setup(test_sessions, begin),
        cmocka_unit_test_setup(test_room, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
