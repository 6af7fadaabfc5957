/* SPDX-License-Identifier: MIT */
/*
 * The configuration words: every default, what a line takes, the round trip, what two
 * configurations share and what a change merges, and bytes that are no words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/config/config.h"
#include "probe/schedule/carta.h"
#include "probe/config/config_table.h"
#include "tests/host/refused.h"

#define DEFAULTS                                                                        \
    "tick=auto rate=120 interval=stratified spread=2.0 seed=auto rng=carta arm=absolute " \
    "delivery=irq cost=limit clock=100 nohz=off sched=rr account=on tasks=figure3 stdin=none identity=name " \
    "monitor=system region=none thin=off stamp=us stack=0 events=usual when=none classes=cells buffer=stream " \
    "records=auto timer=none acct=1 seconds=60 samples=0 windows=1 precision=0.0 serial=auto slu=auto screen=auto " \
    "output=text shell=auto health=auto watchdog=leave exit=halt note=none"

static const char all_words[] =
    "tick rate interval spread seed rng arm delivery cost clock nohz sched account tasks stdin identity "
    "monitor region thin stamp stack events when classes buffer records timer acct seconds samples windows precision "
    "serial slu screen output shell health watchdog exit note";

static void test_defaults(void **state)
{
    struct config w;
    char line[CONFIG_LINE];

    (void)state;
    memset(&w, 0xee, sizeof w);
    config_default(&w);
    config_print(&w, line);
    assert_string_equal(line, DEFAULTS);
    assert_int_equal(w.tick, TICK_AUTO);
    assert_int_equal(w.rate, 120);
    assert_int_equal(w.interval, INTERVAL_STRATIFIED);
    assert_int_equal(w.spread, 2000);
    assert_int_equal(w.seed, 0);
    assert_int_equal(w.clock, 100);
    assert_int_equal(w.account, CONFIG_ACCOUNT_ON);
    assert_int_equal(w.seconds, 60);
    assert_int_equal(w.samples, 0);
    assert_int_equal(w.serial.place, SERIAL_AUTO);
    assert_int_equal(w.serial.baud, 0);
    assert_int_equal(w.output, OUTPUT_TEXT);
    assert_int_equal(w.exit, EXIT_HALT);
    assert_string_equal(w.tasks, "figure3");
}

static void test_print_some(void **state)
{
    static const enum config_key keys[] = {CONFIG_RATE, CONFIG_TICK, CONFIG_KEYS}, none[] = {CONFIG_KEYS};
    struct config w;
    char line[CONFIG_LINE];

    (void)state;
    config_default(&w);
    config_print_some(&w, keys, line);
    assert_string_equal(line, "rate=120 tick=auto");
    config_print_some(&w, none, line);
    assert_string_equal(line, "");
}

/* Each pair is one word and what config_print says of it. */
static void test_taken(void **state)
{
    static const char *const rows[] = {
        "tick=auto", "tick=pit", "tick=none", "tick=lapic", "tick=rtc", "tick=pit-periodic",
        "tick=clock", "tick=slu", "tick=slu-timeout", "tick=pit,rtc", "tick=clock,slu-timeout", "rate=1",
        "rate=500000", "interval=random", "interval=fixed", "interval=stratified", "interval=exponential",
        "interval=narrow", "interval=arithmetic", "spread=0.0", "spread=0.001",
        "spread=1.25", "spread=1.999", "seed=1", "seed=2147483646", "seed=9223372036854775807", "seed=auto",
        "rng=carta", "rng=chacha8", "arm=absolute", "arm=relative", "delivery=irq", "delivery=nmi", "clock=10",
        "clock=1000", "clock=rtc", "sched=rr", "sched=decay", "sched=decay-wake", "account=off", "account=log",
        "windows=200", "tasks=hog", "tasks=a-1,b2", "tasks=file:a", "tasks=spin,file:Lua5.4,file:c++_x",
        "tasks=\"file:sort -k 2 'a, # b',spin\"", "stdin=none", "stdin=file:passwd", "identity=image",
        "identity=task", "monitor=none", "monitor=region", "monitor=samples", "monitor=system,region,samples",
        "thin=auto", "stamp=off", "stack=15", "events=all", "events=switch,syscall:ROGUE",
        "events=irq-exit,service-enter:*:0x400000-0x40ffff",
        "events=fault,io,user,timer,mask,tick,sync,sleep:X", "buffer=overwrite", "buffer=count", "monitor=events",
        "records=64", "records=16777216", "timer=60000", "when=none", "when=fault/freeze",
        "when=irq/add:7,end:ROGUE/write", "when=user:*:3/set:0:4294967295/start,share:ROGUE:30/snapshot/freeze:25",
        "when=syscall-exit:A:2/reset:1/stop", "region=ROGUE:user:0x0-0x10000", "region=ROGUE:user:0-0200000",
        "region=*:kernel:0xffffffff80100000-0xffffffffffffffff",
        "region=...LDR:interrupt:07-010", "region=none", "region=\"X#2:user:0x0-0x10\" region=X:user:0x0-0x10",
        "when=\"end:X#2/write\"", "events=\"switch:X#2\"",
        "serial=auto,9600", "serial=com3", "serial=com4,9600", "serial=0x3e8,57600", "serial=pci",
        "serial=mmio:0xfe000000:4,9600", "serial=mmio:0xfffffffffffc0:8:1,115200,trust",
        "serial=mmio:0xfedc9000:4,115200,clock=48000000", "serial=0x3e8:4,57600", "serial=0x3e8:4:2,57600",
        "serial=com1,115200,trust", "serial=pci:00:16.3,115200", "serial=pci:ff:1f.7,115200,clock=1000000000,trust",
        "serial=mmio:0xfe000000:2:1,3000000,clock=48000000", "seconds=0", "seconds=100000000", "samples=4294967295",
        "serial=com2,9600", "slu=auto", "slu=stream", "slu=com1", "slu=com2,9600", "slu=com4,115200",
        "serial=com1,2", "serial=com1,117551", "serial=com1,112942",
        "precision=0.05", "precision=0.125", "precision=50.0", "precision=0.0",
        "output=frames", "health=on", "health=off", "exit=reboot", "exit=qemu",
        "note=none", "note=\"a\"", "note=\"two  words, # and '='\"", "note=\"none\"",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[CONFIG_LINE], again[CONFIG_LINE], sentence[REFUSAL_TEXT];
        struct config w, back;

        config_default(&w);
        if (!words_taken(&w, rows[i], sentence))
            fail_msg("%s: %s", rows[i], sentence);
        assert_string_equal(sentence, "");
        config_print(&w, line);
        assert_non_null(strstr(line, rows[i]));
        config_default(&back);
        assert_true(words_taken(&back, line, sentence));
        config_print(&back, again);
        assert_string_equal(again, line);
    }
}

/* Two sources stand in one order, whatever was given; a later word has one again. */
static void test_two_sources(void **state)
{
    static const char *const wrong[] = {"tick=pit,", "tick=,pit", "tick=auto,pit", "tick=pit,auto",
                                        "tick=pit,rtc,clock", "tick=pit,hpett"};
    char line[CONFIG_LINE], sentence[REFUSAL_TEXT];
    struct config w;

    (void)state;
    config_default(&w);
    assert_true(words_taken(&w, "tick=slu-timeout,pit", sentence));
    assert_true(w.tick == TICK_PIT && w.second_tick == TICK_SLU_TIMEOUT);
    config_print(&w, line);
    assert_non_null(strstr(line, "tick=pit,slu-timeout rate="));
    assert_true(words_taken(&w, "tick=rtc", sentence));
    assert_true(w.tick == TICK_RTC && w.second_tick == TICK_AUTO);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(words_taken(&w, wrong[i], sentence));
}

static void test_lines(void **state)
{
    struct config w;
    char sentence[REFUSAL_TEXT];

    (void)state;
    config_default(&w);
    assert_true(words_taken(&w, "", sentence));
    assert_true(words_taken(&w, " \t\r\n", sentence));
    assert_true(words_taken(&w, "# tick=wrong", sentence));
    assert_true(words_taken(&w, "rate=1 rate=2#rate=x\n\trate=3 #y\r\nclock=20", sentence));
    assert_int_equal(w.rate, 3);
    assert_int_equal(w.clock, 20);
    /* Words before a wrong one have been taken. */
    assert_false(words_taken(&w, "rate=7 tik=1 rate=8", sentence));
    assert_int_equal(w.rate, 7);
    assert_string_equal(config_value_name(&w, CONFIG_INTERVAL), "stratified");
    assert_string_equal(config_value_name(&w, CONFIG_SERIAL), "");
    assert_string_equal(config_value_name(&w, CONFIG_TASKS), "figure3");
    assert_string_equal(config_value_name(&w, CONFIG_RATE), "");
}

/* What may stand in a list of tasks, and how it comes apart. */
static void test_task_specs(void **state)
{
    static const char *const wrong[] = {
        "tasks=", "tasks=,", "tasks=a,", "tasks=,a", "tasks=a,,b", "tasks=Spin", "tasks=file:", "tasks=file:a/b",
        "tasks=file:a,file:", "\"tasks=spin b\"", "tasks=\"file:a 'b\"", "tasks=\"file:a\tb\"",
        "tasks=file:a1234567890123456789012345678901", "stdin=", "stdin=a", "stdin=file:", "stdin=file:a,file:b",
        "stdin=\"file:a b\"", "stdin=file:a1234567890123456789012345678901",
    };
    char sentence[REFUSAL_TEXT];
    struct config w;
    struct task_spec spec;
    struct span rest;

    (void)state;
    config_default(&w);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (words_taken(&w, wrong[i], sentence))
            fail_msg("%s is taken", wrong[i]);
    assert_true(words_taken(&w, "tasks=\"spin,file:Sort  -t ',' -k'2,3',hog1\"", sentence));
    rest = span_text(w.tasks);
    assert_true(task_spec_next(&rest, &spec) && !spec.file && span_is(spec.name, "spin") &&
                spec.arguments.length == 0);
    assert_true(task_spec_next(&rest, &spec) && spec.file && span_is(spec.name, "Sort"));
    assert_true(span_is(spec.arguments, "-t ',' -k'2,3'"));
    assert_true(task_spec_next(&rest, &spec) && !spec.file && span_is(spec.name, "hog1"));
    assert_false(task_spec_next(&rest, &spec));
}

/* A note's text is the same with quotes round it, round the word, and, where it has no blank, without any. */
static void test_note(void **state)
{
    static const char *const same[] = {"note=\"a#b\"", "\"note=a#b\"", "note=\"a#b\" # more"};
    static const char *const wrong[] = {"note=", "note", "note=\"", "note=a\"b", "note=\"a\tb\"", "note=\"a\nb\"",
                                        "note=\"\x7f\"", "note=\"\xc3\xa9\"", "\"", "\"\""};
    char line[200], sentence[REFUSAL_TEXT];
    struct config w;

    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        config_default(&w);
        assert_true(words_taken(&w, same[i], sentence));
        assert_string_equal(w.note, "a#b");
    }
    assert_true(words_taken(&w, "note=bare rate=5", sentence) && w.rate == 5);
    assert_string_equal(w.note, "bare");
    assert_true(words_taken(&w, "note=\"\"", sentence) && !w.note[0]);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(words_taken(&w, wrong[i], sentence));
    snprintf(line, sizeof line, "note=\"%*s\"", CONFIG_NOTE_SIZE - 1, "x");
    assert_true(words_taken(&w, line, sentence));
    assert_int_equal(strlen(w.note), CONFIG_NOTE_SIZE - 1);
    snprintf(line, sizeof line, "note=\"%*s\"", CONFIG_NOTE_SIZE, "x");
    assert_false(words_taken(&w, line, sentence));
}

/* A double quote that is not one of two around a value: as it is printed, it would begin a text that goes on. */
static void test_stray_quotes(void **state)
{
    static const char *const wrong[] = {"region=A\"B:user:0-1", "when=end:A\"/write", "events=switch:\"A",
                                        "tasks=spin\"",
                                        "stdin=file:a\"b", "classes=START:event=5,a:mode=user@tas\"", "rate=10\"0",
                                        "\"rate=100", "region=A:user:0-1\" rate=100"};
    char sentence[REFUSAL_TEXT];
    struct config w;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        config_default(&w);
        if (words_taken(&w, wrong[i], sentence))
            fail_msg("%s is taken", wrong[i]);
    }
    assert_true(words_taken(&w, "rate=\"100\"", sentence) && w.rate == 100);
}

/* Every value at its longest fits the line; every sentence fits its buffer. */
static void test_longest(void **state)
{
    struct config w, back;
    char line[2 * CONFIG_LINE], again[CONFIG_LINE], name[CONFIG_TASKS];
    char *sentence = malloc(REFUSAL_TEXT);

    (void)state;
    memset(name, 'z', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(line, sizeof line,
             "rate=500000 spread=1.999 seed=9223372036854775807 clock=1000 account=off tasks=%s "
             "identity=image seconds=100000000 samples=4294967295 windows=100000 output=frames exit=reboot",
             name);
    config_default(&w);
    assert_true(words_taken(&w, line, sentence));
    for (unsigned i = 0; i < REGIONS_MAX; i++)
        assert_true(words_taken(&w, "region=FOURTEENLETTER:supervisor:"
                                    "01777777777777777777776-01777777777777777777777", sentence));
    assert_true(words_taken(&w, "events=syscall:FOURTEENLETTER:0xffffffffffffff0-0xffffffffffffffff buffer=overwrite",
                            sentence));
    assert_true(config_fits(&w));
    config_print(&w, again);
    assert_non_null(strstr(again, "exit=reboot"));
    config_default(&back);
    assert_true(words_taken(&back, again, sentence));
    assert_string_equal(back.tasks, name);
    config_print(&back, line);
    assert_string_equal(line, again);
    memcpy(line, "monitor=system,region classes=", 30);
    memset(line + 30, 'a', CLASS_VALUE_SIZE - 1);
    line[30 + CLASS_VALUE_SIZE - 1] = '\0';
    assert_true(words_taken(&w, line, sentence));
    assert_true(words_taken(&w, "when=syscall-exit:FOURTEENLETTER:4294967295/set:7:4294967295/stop/write/snapshot/"
                                "freeze:25,user:*:1/start,user:*:2/stop,switch/add:0 records=16777216 timer=60000",
                            sentence));
    assert_false(config_fits(&w));
    assert_true(words_taken(&w, "region=none region=A:user:0-8", sentence));
    assert_true(config_fits(&w));
    memset(line, '\xff', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    assert_false(words_taken(&w, line, sentence));
    assert_true(strlen(sentence) < REFUSAL_TEXT);
    assert_non_null(strstr(sentence, "unknown word '????????????????????????...'"));
    assert_int_equal(sentence[strlen(sentence) - 1], ')');
    memcpy(line, "tasks=", 6);
    assert_false(words_taken(&w, line, sentence));
    assert_true(strlen(sentence) < REFUSAL_TEXT);
    free(sentence);
}

/* Lines stitched of pieces of words and of any bytes: no read or write too far. */
static void test_any_bytes(void **state)
{
    static const char *const pieces[] = {"tick", "serial", "=", "com1", ",", "9600", "spread",
                                         "0", ".", " ", "#", "\n", "tasks", "1", "region", "note", "\""};
    uint32_t x = 1;

    (void)state;
    for (int round = 0; round < 50000; round++) {
        char text[200] = "", *line, *sentence = malloc(REFUSAL_TEXT);
        struct config w;
        bool taken;

        for (uint64_t i = carta_below(&x, 12); i > 0; i--) {
            size_t at = strlen(text);

            if (carta_below(&x, 5) == 0)
                text[at] = (char)carta_below(&x, 256);
            else
                strcat(text, pieces[carta_below(&x, sizeof pieces / sizeof pieces[0])]);
        }
        line = strdup(text);
        config_default(&w);
        taken = words_taken(&w, line, sentence);
        assert_int_equal(taken, sentence[0] == '\0');
        for (const char *c = sentence; *c; c++)
            assert_in_range(*c, ' ', '~');
        free(line);
        free(sentence);
    }
}

static void test_help(void **state)
{
    char line[CONFIG_LINE] = "", keys[CONFIG_LINE] = "";

    (void)state;
    for (const struct config_word *word = config_table; word < config_table + CONFIG_KEYS; word++) {
        const char *blank = word != config_table ? " " : "";

        snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s=%s", blank, word->key, word->standard);
        snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s%s", blank, word->key);
        assert_true(strlen(word->what) > 0 && strlen(word->allowed) > 0);
    }
    assert_string_equal(line, DEFAULTS);
    assert_string_equal(keys, all_words);
    assert_int_equal(config_key_named(span_text("interval")), CONFIG_INTERVAL);
    assert_int_equal(config_key_named(span_text("tik")), CONFIG_KEYS);
}

/* Values are compared, each with a line that has another value, or the same one written otherwise. */
static void test_same(void **state)
{
    static const char *const other[CONFIG_KEYS] = {
        "tick=pit", "rate=121", "interval=fixed", "spread=1.9", "seed=1", "rng=chacha8", "arm=relative",
        "delivery=nmi", "cost=any", "clock=rtc", "nohz=on", "sched=decay", "account=off", "tasks=figure",
        "stdin=file:a", "identity=task", "monitor=none", "region=A:user:0-8", "thin=auto", "stamp=off", "stack=3",
        "events=all", "when=timer/write", "classes=a:else", "buffer=stop", "records=4096", "timer=5", "acct=2",
        "seconds=61", "samples=1", "windows=2", "precision=0.5", "serial=com1,9600",
        "slu=com2", "screen=on", "output=frames", "shell=on", "health=on", "watchdog=stop", "exit=qemu", "note=\"x\"",
    };
    struct config a, b;
    char sentence[REFUSAL_TEXT];

    (void)state;
    for (enum config_key key = 0; key < CONFIG_KEYS; key++) {
        config_default(&a);
        config_default(&b);
        assert_true(config_equal(&a, &b));
        assert_true(words_taken(&b, other[key], sentence));
        assert_true(config_given(&b, key) && b.given == config_bit(key));
        for (enum config_key each = 0; each < CONFIG_KEYS; each++)
            assert_int_equal(config_same(&a, &b, each), each != key);
        assert_false(config_equal(&a, &b));
        assert_true(words_taken(&b, DEFAULTS, sentence));
        assert_true(config_equal(&a, &b));
    }
    assert_true(words_taken(&a, "tasks=figure3-fixed", sentence) && words_taken(&a, "tasks=figure3", sentence));
    assert_true(words_taken(&a, "tick=pit,rtc spread=2.00", sentence) && words_taken(&b, "tick=rtc,pit", sentence));
    assert_true(config_equal(&a, &b));
    assert_true(words_taken(&b, "tick=pit,slu", sentence));
    assert_false(config_equal(&a, &b));
    assert_true(words_taken(&a, "region=A:user:8-16", sentence) &&
                words_taken(&b, "tick=pit,rtc region=A:user:010-020", sentence));
    assert_false(config_equal(&a, &b)); /* in octal it is shown otherwise */
}

static struct config read_words(const char *line)
{
    char sentence[REFUSAL_TEXT];
    struct config c;

    config_default(&c);
    assert_true(words_taken(&c, line, sentence));
    return c;
}

/* A change has the words that were given, and no other. */
static void test_merge(void **state)
{
    struct config c = read_words("rate=500 tick=pit,rtc region=A:user:0-8 tasks=spin");
    struct config change = read_words("tick=lapic region=B:user:0-8"),
                  clear = read_words("region=none region=C:user:0-8");
    struct refusal why;
    char text[REFUSAL_TEXT];

    (void)state;
    c.given = 0;
    assert_true(config_merge(&c, &change, &why));
    assert_true(c.rate == 500 && c.tick == TICK_LAPIC && c.second_tick == TICK_AUTO && c.regions == 2);
    assert_true(c.given == (config_bit(CONFIG_TICK) | config_bit(CONFIG_REGION)));
    assert_string_equal(c.region[1].task, "B");
    assert_string_equal(c.tasks, "spin");
    assert_true(config_merge(&c, &clear, &why));
    assert_true(c.regions == 1);
    assert_string_equal(c.region[0].task, "C");
    for (unsigned i = 1; i < REGIONS_MAX; i++)
        assert_true(config_merge(&c, &change, &why));
    assert_false(config_merge(&c, &change, &why));
    assert_string_equal(refusal_text(&why, text), "there are more than eight region= words");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_print_some), cmocka_unit_test(test_taken), cmocka_unit_test(test_two_sources),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_longest), cmocka_unit_test(test_task_specs), cmocka_unit_test(test_note),
        cmocka_unit_test(test_stray_quotes),
        cmocka_unit_test(test_any_bytes), cmocka_unit_test(test_same), cmocka_unit_test(test_merge),
        cmocka_unit_test(test_help),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
