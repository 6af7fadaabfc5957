/* SPDX-License-Identifier: MIT */
/*
 * What the hardware monitor writes of blocks: the analyser's listing, the mix of instructions; names of an ELF file.
 */
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
#include "tools/hwmon/event_monitor.h"
#include "tools/hwmon/mix.h"
#include "tools/hwmon/names.h"
#include "tools/hwmon/options.h"
#include "tools/hwmon/task_table.h"

/* A plugin keeps its names as long as QEMU runs. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static char *text;
static size_t length;

/* Three instructions of a byte from `address` on. */
static struct block *block_at(uint64_t address)
{
    struct block *b = block_new(3, 0);

    for (uint64_t i = 0; i < 3; i++)
        block_add(b, address + i, "\x90", 1);
    return b;
}

static void analyse(struct analyser *a, uint64_t hit)
{
    struct block *one = block_at(0x1000), *other = block_at(0x2000);
    struct name name = {0x1000, 3, "one", true};
    const struct names names = {&name, 1, NULL};
    FILE *out = open_memstream(&text, &length);

    assert_true(analyser_begin(a, &names, "at:one"));
    assert_int_equal(a->address, 0x1000);
    for (uint64_t executed = 0; executed < 60; executed += 3) {
        analyser_block(a, executed / 3 % 2 ? other : one, executed);
        if (executed == hit)
            analyser_hit(a, executed);
    }
    analyser_report(out, a, &names, 60);
    fclose(out);
    free(a->ring);
    free(one);
    free(other);
}

static unsigned lines_with(const char *what)
{
    unsigned count = 0;

    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

/* Four instructions before the trigger, five behind it, and itself; numbers count from it. */
static void test_triggered(void **state)
{
    struct analyser a = {.nth = 1, .before = 4, .after = 5};

    (void)state;
    analyse(&a, 30);
    assert_true(a.stopped);
    assert_non_null(strstr(text, "# triggered at instruction 30, the condition held 1 times\n"));
    assert_int_equal(lines_with("\n+") + lines_with("\n-"), 4 + 1 + 5);
    assert_non_null(strstr(text, "\n+0\t0x1000\t0\t90\tone+0\n"));
    assert_non_null(strstr(text, "\n-4\t0x1002\t0\t90\tone+0x2\n"));
    assert_non_null(strstr(text, "\n-3\t0x2000\t0\t90\t-\n"));
    assert_non_null(strstr(text, "\n+5\t0x2002\t0\t90\t-\n"));
    free(text);
}

/* Without a trigger it is the end that counts. */
static void test_not_triggered(void **state)
{
    struct analyser a = {.nth = 2, .before = 4, .after = 5};

    (void)state;
    analyse(&a, 30);
    assert_false(a.stopped);
    assert_non_null(strstr(text, "# no trigger came (the condition held 1 times): the last instructions\n"));
    assert_non_null(strstr(text, "\n-1\t0x2002\t0\t90\t-\n"));
    assert_null(strstr(text, "\n+"));
    free(text);
}

static void test_mix(void **state)
{
    static struct block_table t;
    struct mix m = {.count = 0};
    FILE *out = open_memstream(&text, &length);
    struct block *b = block_at(0x1000);

    (void)state;
    b->insn[0].mnemonic = mix_number(&m, "add %rax, %rbx");
    b->insn[1].mnemonic = mix_number(&m, "add $1, %rcx");
    b->insn[2].mnemonic = mix_number(&m, "ret");
    b->times = 10;
    block_intern(&t, b);
    b = block_at(0x2000); /* translated, never executed */
    b->insn[0].mnemonic = b->insn[1].mnemonic = b->insn[2].mnemonic = mix_number(&m, "hlt");
    block_intern(&t, b);
    mix_report(out, &m, &t);
    fclose(out);
    assert_string_equal(text, "# mnemonic, static, %, executed, %\n"
                              "add\t2\t33.333\t20\t66.667\nret\t1\t16.667\t10\t33.333\nhlt\t3\t50.000\t0\t0.000\n"
                              "total\t6\t100\t30\t100\n");
    free(text);
}

/* A function of this program, by name and by address. */
static void test_elf(void **state)
{
    struct names n = {.count = 0};
    uint64_t start, inside;

    (void)state;
    assert_true(names_add_elf(&n, "/proc/self/exe"));
    names_sort(&n);
    assert_non_null(n.build);
    assert_true(names_address(&n, "test_elf", &start));
    assert_true(names_address(&n, "test_elf+4", &inside));
    assert_int_equal(inside, start + 4);
    assert_string_equal(names_code_at(&n, inside)->text, "test_elf");
    assert_false(names_add_elf(&n, "/no/such/file"));
    assert_false(names_add_elf(&n, "/dev/null"));
    assert_false(names_add_table(&n, "/no/such/file"));
    assert_false(names_add_table(&n, "/proc/self/exe"));
}

/* A word that there is not is refused with those that there are; so is a file that is missing. */
static void test_unknown_words(void **state)
{
    struct options o;
    char why[REFUSAL_TEXT];

    (void)state;
    options_default(&o);
    assert_false(options_take(&o, "colour=red", why));
    assert_non_null(strstr(why, "unknown word 'colour' (allowed: out list"));
    assert_false(options_take(&o, "words=/no/such/file", why));
    assert_non_null(strstr(why, "/no/such/file: No such file"));
}

/* A range of addresses that is entered is a user event; the times of tasks begin again, their names stay. */
static void test_ranges_and_tasks(void **state)
{
    struct event_monitor m = {.points = 0};
    static struct task_table t;

    (void)state;
    m.on = true;
    event_monitor_entered(&m, 2, 7);
    event_monitor_entered(&m, 0, 9);
    assert_int_equal(m.counts[TRACE_USER], 2);
    task_named(&t, "ONE")->time[MODE_USER] = 5;
    task_clear(&t);
    assert_int_equal(task_named(&t, "ONE")->time[MODE_USER], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triggered), cmocka_unit_test(test_not_triggered), cmocka_unit_test(test_mix),
        cmocka_unit_test(test_elf), cmocka_unit_test(test_unknown_words), cmocka_unit_test(test_ranges_and_tasks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
