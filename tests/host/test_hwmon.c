/* SPDX-License-Identifier: MIT */
/* The parts of the hardware monitor that need no machine: words, names, mix, blocks, trigger. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tools/hwmon/analyser.h"
#include "tools/hwmon/block.h"
#include "tools/hwmon/class_time.h"
#include "tools/hwmon/event_monitor.h"
#include "tools/hwmon/mix.h"
#include "tools/hwmon/names.h"
#include "tools/hwmon/options.h"
#include "tools/hwmon/task_table.h"

/* A plugin keeps its words and names as long as QEMU runs. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static const char *write_file(const char *text)
{
    static char path[] = "/tmp/test_hwmon.XXXXXX";
    int file;

    strcpy(path + sizeof path - 7, "XXXXXX");
    file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    return path;
}

static void test_words(void **state)
{
    char why[REFUSAL_TEXT], told[CONFIG_LINE];
    struct options o;

    (void)state;
    options_default(&o);
    assert_true(options_take(&o, "out=a=b", why));
    assert_string_equal(o.out, "a=b");
    assert_true(options_take(&o, "rate=500000", why));
    assert_int_equal(o.rate, 500000);
    assert_false(options_take(&o, "rate=500001", why));
    assert_false(options_take(&o, "rate=-1", why));
    assert_false(options_take(&o, "rate=99999999999999999999", why));
    assert_false(options_take(&o, "rate", why));
    assert_string_equal(why, "word 'rate' has no value (allowed: 1 to 500000)");
    assert_false(options_take(&o, "list=", why));
    assert_string_equal(why, "unknown value '' for list (allowed: FILE)");
    assert_false(options_take(&o, "account=off", why));
    assert_string_equal(why, "unknown value 'off' for account (allowed: on log)");
    assert_true(options_take(&o, "interval=narrow", why));
    options_put_told(&(struct text_buf)TEXT_BUF(told), &o);
    assert_string_equal(told, "rate=500000 interval=narrow rng=carta seed=1 account=on");
    for (unsigned i = 0; i < OPTION_PLACES; i++)
        assert_true(options_take(&o, "monitor=x", why));
    assert_false(options_take(&o, "monitor=x", why));
}

static void test_word_files(void **state)
{
    char why[REFUSAL_TEXT], word[64] = "words=";
    struct options o;
    const char *path;

    (void)state;
    options_default(&o);
    path = strcat(word, write_file("# of a guest\n  current=task # where\n\nrate=7\n")) + 6;
    assert_true(options_take(&o, word, why));
    assert_string_equal(o.current, "task");
    assert_int_equal(o.rate, 7);
    assert_null(o.words);
    unlink(path);
    strcpy(word + 6, write_file("words=other\n"));
    assert_false(options_take(&o, word, why));
    assert_non_null(strstr(why, "cannot name another one"));
    unlink(path);
    strcpy(word + 6, write_file("rate=8\nrat=9\n"));
    assert_false(options_take(&o, word, why));
    assert_non_null(strstr(why, "unknown word 'rat', did you mean 'rate'?"));
    unlink(path);
}

/* Time by class and changes into it; what a window closed with stays until the next. */
static void test_classes(void **state)
{
    static struct class_time c;
    const struct machine_state user = { .mode = MODE_USER, .call = CALL_NONE,
                                        .known = KNOWN_TASK | KNOWN_MODE | KNOWN_NESTING };
    struct machine_state kernel = user;
    char why[256], *text = NULL;
    size_t length;
    FILE *file;

    (void)state;
    kernel.mode = MODE_KERNEL;
    assert_false(class_time_begin(&c, "a:call=3", user.known, why, sizeof why));
    assert_false(c.on);
    assert_true(class_time_begin(&c, "5=own:task=ME+mode=user,other:else", user.known, why, sizeof why));
    class_time_open(&c);
    class_time_add(&c, &user, "ME", 10);
    class_time_add(&c, &user, "ME", 5); /* no change */
    class_time_add(&c, &user, "YOU", 7);
    class_time_add(&c, &kernel, "ME", 1);
    class_time_add(&c, &user, "ME", 0); /* it never was there */
    class_time_close(&c);
    class_time_add(&c, &user, "ME", 100);
    file = open_memstream(&text, &length);
    class_time_report(file, &c);
    fclose(file);
    assert_string_equal(text, "class 0 other 8 1\nclass 5 own 15 1\n");
    free(text);
}

static void test_vectors(void **state)
{
    const struct stubs none = { 0x1000, 0 }, table = { 0x1000, 16 };

    (void)state;
    assert_int_equal(stubs_vector(&none, 0x1000), 0);
    assert_int_equal(stubs_vector(&table, 0x1000), 1);
    assert_int_equal(stubs_vector(&table, 0x1340), 0x35);
    assert_int_equal(stubs_vector(&table, 0x1341), 0); /* within a stub */
    assert_int_equal(stubs_vector(&table, 0x1ff0), 256);
    assert_int_equal(stubs_vector(&table, 0x2000), 0);
    assert_int_equal(stubs_vector(&table, 0xff0), 0);
}

static void test_names(void **state)
{
    struct names n = { .count = 0 };
    uint64_t address;
    const char *path = write_file("2000 t second.lto_priv.0\n# a comment\n1000 T first\n2010 t second.loop\n"
                                  "9000 B data\n");

    (void)state;
    assert_true(names_add_table(&n, path));
    unlink(path);
    names_sort(&n);
    assert_true(names_address(&n, "first+0x10", &address) && address == 0x1010);
    assert_true(names_address(&n, "second", &address) && address == 0x2000);
    assert_true(names_address(&n, "second.loop", &address) && address == 0x2010);
    assert_true(names_address(&n, "data", &address) && address == 0x9000);
    assert_true(names_address(&n, "0x77", &address) && address == 0x77);
    assert_false(names_address(&n, "sec", &address));
    assert_false(names_address(&n, "first+x", &address));
    assert_false(names_address(&n, "", &address));
    assert_string_equal(names_code_at(&n, 0x1fff)->text, "first");
    assert_string_equal(names_code_at(&n, 0x2011)->text, "second.loop");
    assert_null(names_code_at(&n, 0xfff));
}

static void test_mix(void **state)
{
    struct mix m = { .count = 0 };

    (void)state;
    assert_int_equal(mix_number(&m, "addq %rax, %rbx"), 0);
    assert_int_equal(mix_number(&m, "rep stosb %al, (%rdi)"), 1);
    assert_int_equal(mix_number(&m, "addq $1, %rcx"), 0);
    assert_int_equal(mix_number(&m, "ret"), 2);
    assert_int_equal(mix_number(&m, NULL), 3);
    assert_string_equal(m.mnemonic[1].text, "rep stosb");
}

static struct block *block_at(uint64_t address, int ring, const char *code)
{
    struct block *b = block_new(2, ring);

    block_add(b, address, code, 1);
    block_add(b, address + 1, code + 1, 1);
    return b;
}

static void test_blocks(void **state)
{
    static struct block_table t;
    struct block *const one = block_intern(&t, block_at(0x1000, 0, "ab"));

    (void)state;
    assert_ptr_equal(block_intern(&t, block_at(0x1000, 0, "ab")), one);
    assert_ptr_not_equal(block_intern(&t, block_at(0x1000, 3, "ab")), one);
    assert_ptr_not_equal(block_intern(&t, block_at(0x1000, 0, "ac")), one);
    assert_ptr_not_equal(block_intern(&t, block_at(0x2000, 0, "ab")), one);
    assert_int_equal(t.count, 4);
}

static void test_ports(void **state)
{
    static const struct {
        const char *code;
        size_t size;
        bool any, known; /* hit by `port`, by `port:0xf4` */
    } cases[] = {
        { "\xe6\xf4", 2, true, true }, { "\xe4\xf4", 2, true, true },  { "\xe6\x21", 2, true, false },
        { "\xee", 1, true, false },    { "\x66\xef", 2, true, false }, { "\x66\xe7\xf4", 3, true, true },
        { "\xe8\xf4", 5, false, false }, { "\xeb\xf4", 2, false, false }, { "\xf4", 1, false, false },
        { "\x66\x90", 2, false, false },
    };
    const struct names none = { .count = 0 };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct analyser any = { .nth = 1 }, known = { .nth = 1 };
        struct insn insn = { .size = (uint8_t)cases[i].size };

        memcpy(insn.code, cases[i].code, cases[i].size < strlen(cases[i].code) ? cases[i].size
                                                                               : strlen(cases[i].code));
        assert_true(analyser_begin(&any, &none, "port") && analyser_begin(&known, &none, "port:0xf4"));
        assert_int_equal(analyser_is_port(&any, &insn), cases[i].any);
        assert_int_equal(analyser_is_port(&known, &insn), cases[i].known);
    }
}

static void test_triggers(void **state)
{
    static const char *const wrong[] = { "at", "at:", "at:nowhere", "ports", "port:", "port:256", "port:x", "when:1",
                                         "store:" };
    const struct names none = { .count = 0 };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct analyser a = { .nth = 1 };

        assert_false(analyser_begin(&a, &none, wrong[i]));
    }
}

static void test_events(void **state)
{
    static const char *const wrong[] = { "at:", "at:x", "store:0x10:0", "store:0x10:7", "store:0x10:44", "store:",
                                         "0x10", "" };
    const struct names none = { .count = 0 };
    struct event_monitor m = { .points = 0 };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_non_null(event_monitor_add(&m, &none, wrong[i], EVENT_TIMED));
    assert_null(event_monitor_add(&m, &none, "at:0x10", EVENT_COUNTED));
    assert_null(event_monitor_add(&m, &none, "store:0x20:6", EVENT_TIMED));
    assert_int_equal(m.point[1].bytes, 6);
    event_monitor_reached(&m, &m.point[0], 5, 0);
    event_monitor_reached(&m, &m.point[1], 6, 0xffffffffffff);
    assert_int_equal(m.count, 1);
    assert_int_equal(m.counts[TRACE_USER], 2);
    assert_int_equal(m.kept[0].argument, 0xffffffffffff01);
    while (m.points < EVENT_POINTS)
        assert_null(event_monitor_add(&m, &none, "at:1", EVENT_COUNTED));
    assert_string_equal(event_monitor_add(&m, &none, "at:1", EVENT_COUNTED), "there are more than 32 events");
}

/*
 * A window's stores are arguments of user events, a SYNC's are its numbers;
 * a SYNC alone does not switch the monitor on.
 */
static void test_windows(void **state)
{
    const struct names none = { .count = 0 };
    struct event_monitor m = { .points = 0 };

    (void)state;
    assert_string_equal(event_monitor_add(&m, &none, "x", EVENT_STORED),
                        "no file has this name, and it is no address");
    assert_null(event_monitor_add(&m, &none, "0x10", EVENT_SYNC));
    assert_false(m.on);
    assert_null(event_monitor_add(&m, &none, "0x70000018", EVENT_STORED));
    assert_true(m.on && m.point[1].bytes == 8);
    event_monitor_reached(&m, &m.point[0], 5, 7);
    event_monitor_reached(&m, &m.point[1], 6, UINT64_MAX);
    assert_int_equal(m.count, 2);
    assert_true(m.kept[0].class == TRACE_SYNC && m.kept[0].argument == 7);
    assert_true(m.kept[1].class == TRACE_USER && m.kept[1].argument == TRACE_ARGUMENT_MAX);
}

/* What finds no room is counted; one event of class LOST tells it, in its place. */
static void test_events_lost(void **state)
{
    const struct names none = { .count = 0 };
    struct event_monitor m = { .points = 0 };

    (void)state;
    assert_null(event_monitor_add(&m, &none, "at:0x10", EVENT_TIMED));
    for (uint64_t i = 0; i < EVENTS_KEPT + 3; i++)
        event_monitor_reached(&m, &m.point[0], i, 0);
    assert_int_equal(m.count, EVENTS_KEPT);
    assert_int_equal(m.lost, 3);
    assert_int_equal(m.lost_time, EVENTS_KEPT);
    assert_int_equal(m.counts[TRACE_USER], EVENTS_KEPT + 3);
    event_monitor_sent(&m);
    event_monitor_reached(&m, &m.point[0], EVENTS_KEPT + 9, 0);
    assert_true(m.count == 2 && m.kept[0].class == TRACE_LOST && m.kept[0].argument == 3 && m.lost == 3);
    event_monitor_clear(&m);
    assert_true(m.count == 0 && m.lost == 0);
    free(m.kept);
}

/* More names than rows: none is lost, those without a row share one. */
static void test_tasks(void **state)
{
    static struct task_table t;
    char name[16];

    (void)state;
    assert_int_equal(task_named(&t, "IDLE")->id, ROW_IDLE);
    for (unsigned i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "task%u", i);
        assert_non_null(task_named(&t, name));
    }
    assert_int_equal(t.count, TASKS_MAX);
    assert_string_equal(task_named(&t, "task199")->name, "(others)");
    assert_string_equal(task_named(&t, "task3")->name, "task3");
    assert_string_equal(task_named(&t, "a name that is too long")->name, "(others)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words), cmocka_unit_test(test_vectors), cmocka_unit_test(test_classes),
        cmocka_unit_test(test_word_files), cmocka_unit_test(test_names),
        cmocka_unit_test(test_mix), cmocka_unit_test(test_blocks), cmocka_unit_test(test_ports),
        cmocka_unit_test(test_triggers), cmocka_unit_test(test_events), cmocka_unit_test(test_windows),
        cmocka_unit_test(test_events_lost), cmocka_unit_test(test_tasks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
