/* SPDX-License-Identifier: MIT */
/*
 * The configuration words: every word and value that is refused, alone or beside others, and what the refusal says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "probe/config/config.h"
#include "probe/config/config_table.h"
#include "tests/host/refused.h"

static const char all_words[] =
    "tick rate interval spread seed rng arm delivery cost clock nohz sched account tasks stdin identity "
    "monitor region thin stamp stack events when classes buffer records timer acct seconds samples windows precision "
    "serial slu screen output shell health watchdog exit note";

static void check_refused(const char *line, const char *expected)
{
    struct config w, before;
    char sentence[REFUSAL_TEXT];

    config_default(&w);
    before = w;
    if (words_taken(&w, line, sentence))
        fail_msg("'%s' was taken", line);
    assert_string_equal(sentence, expected);
    assert_memory_equal(&w, &before, sizeof w);
}

/* Too long as it is printed; a site of what has none; two sites of one class; nine. */
static void test_events(void **state)
{
    static const char *const wrong[] = {
        "fault:A:0-9,fault:B:0-9,fault:C:0-9,fault:D:0-9,fault:E:0-9", "switch:A:0-9",
        "syscall:*:0-9,syscall-enter:A", "io,io,io,io,io,io,io,io,io", "irqs", "", "irq,", "irq:", "irq:A:",
        "irq-enter:A:9-0", "irq-enter:A:9", "pause", "control", "irq:FIFTEENLETTERSX",
    };
    char line[CONFIG_LINE], sentence[REFUSAL_TEXT];
    struct config w, before;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        config_default(&w);
        before = w;
        snprintf(line, sizeof line, "events=%s", wrong[i]);
        if (words_taken(&w, line, sentence))
            fail_msg("'%s' was taken", line);
        assert_memory_equal(&w, &before, sizeof w);
    }
    assert_true(words_taken(&w, "events=fault:A:0-9,fault:B:0-9,fault:C:0-9,fault:D:0-9", sentence));
}

static void test_unknown(void **state)
{
    static const char *const choices[][2] = {
        {"tick", "auto pit hpet lapic rtc pit-periodic clock slu slu-timeout none, or two: A,B"},
        {"interval", "stratified random exponential narrow fixed arithmetic"},
        {"rng", "carta chacha8"},         {"delivery", "irq nmi"},
        {"nohz", "off on"}, {"sched", "rr decay decay-wake"}, {"account", "on off log"},
        {"identity", "name image task"},  {"thin", "off auto"},
        {"stamp", "us off"},              {"region", REGION_SPEC_ALLOWED},
        {"monitor", "none, or of system region samples idle events intercept acct states callers procstat idletask "
                    "perfcall proctable profil, commas between"},
        {"output", "text frames"},        {"exit", "halt reboot qemu bochs"},
        {"rate", "1 to 500000"},          {"clock", "10 to 1000, or rtc"},
        {"windows", "1 to 100000"},       {"acct", "1 to 3600"},
        {"seconds", "0 to 100000000"},    {"samples", "0 to 4294967295"},
        {"seed", "auto, or 1 to 9223372036854775807"},
        {"spread", "0.0 to 2.0, three decimals at most"},
        {"precision", "0, or 0.05 to 50, three decimals at most"}, {"health", "auto on off"},
        {"tasks", "1 to 255 characters: workloads of a-z 0-9 -, or file:NAME ARGUMENTS; commas between"},
        {"serial", SERIAL_SPEC_ALLOWED},  {"slu", SLU_SPEC_ALLOWED},
    };
    char line[64], expected[REFUSAL_TEXT];

    (void)state;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        static const char *const wrong[] = {"", "PTI", "au", "1e3", "+", "=", "0x10", "012."};

        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
            if (strcmp(choices[i][0], "tasks") == 0 && (k == 2 || k == 3 || k == 6))
                continue; /* these could be names */
            snprintf(line, sizeof line, "%s=%s", choices[i][0], wrong[k]);
            snprintf(expected, sizeof expected, "unknown value '%s' for %s (allowed: %s)",
                     wrong[k], choices[i][0], choices[i][1]);
            check_refused(line, expected);
        }
        snprintf(expected, sizeof expected, "word '%s' has no value (allowed: %s)",
                 choices[i][0], choices[i][1]);
        check_refused(choices[i][0], expected);
    }
    snprintf(expected, sizeof expected, "unknown word 'tik', did you mean 'tick'? (allowed: %s)", all_words);
    check_refused("tik=pit", expected);
    check_refused("tik", expected);
    snprintf(expected, sizeof expected, "unknown word '' (allowed: %s)", all_words);
    check_refused("=pit", expected);
    snprintf(expected, sizeof expected, "unknown word 'Tick', did you mean 'tick'? (allowed: %s)", all_words);
    check_refused("Tick=pit", expected);
}

static void test_nearest(void **state)
{
    static const char *const rows[][2] = {
        {"secnds=1", "unknown word 'secnds', did you mean 'seconds'? (allowed: "},
        {"mointor=system", "unknown word 'mointor', did you mean 'monitor'? (allowed: "},
        {"tick=lapci", "unknown value 'lapci' for tick, did you mean 'lapic'? (allowed: "},
        {"tick=pit,rtcc", "unknown value 'pit,rtcc' for tick, did you mean 'rtc'? (allowed: "},
        {"tick=pit,pit,xyzzy", "unknown value 'pit,pit,xyzzy' for tick (allowed: "},
        {"monitor=system,smaples", "unknown value 'system,smaples' for monitor, did you mean 'samples'? (allowed: "},
        {"records=atuo", "unknown value 'atuo' for records, did you mean 'auto'? (allowed: "},
        {"rate=fast", "unknown value 'fast' for rate (allowed: "},
        {"bogus=1", "unknown word 'bogus' (allowed: "},
        {"serial=com9", "unknown value 'com9' for serial (allowed: "},
    };
    struct refusal why;
    char text[REFUSAL_TEXT];
    struct config c;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        config_default(&c);
        assert_false(config_parse(&c, rows[i][0], &why));
        assert_memory_equal(refusal_text(&why, text), rows[i][1], strlen(rows[i][1]));
    }
}

static void test_out_of_range(void **state)
{
    static const char *const rows[][3] = {
        {"rate", "0", "1 to 500000"},
        {"rate", "500001", "1 to 500000"},
        {"rate", "18446744073709551736", "1 to 500000"}, /* 2^64 + 120 */
        {"clock", "9", "10 to 1000, or rtc"},
        {"clock", "1001", "10 to 1000, or rtc"},
        {"seed", "0", "auto, or 1 to 9223372036854775807"},
        {"seed", "9223372036854775808", "auto, or 1 to 9223372036854775807"},
        {"seconds", "100000001", "0 to 100000000"},
        {"acct", "0", "1 to 3600"},
        {"acct", "3601", "1 to 3600"},
        {"samples", "4294967296", "0 to 4294967295"},
        {"spread", "2.001", "0.0 to 2.0, three decimals at most"},
        {"spread", "4294967298", "0.0 to 2.0, three decimals at most"},
        {"precision", "0.049", "0, or 0.05 to 50, three decimals at most"},
        {"precision", "50.001", "0, or 0.05 to 50, three decimals at most"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[64], expected[256];

        snprintf(line, sizeof line, "%s=%s", rows[i][0], rows[i][1]);
        snprintf(expected, sizeof expected, "value '%s' for %s is out of range (allowed: %s)",
                 rows[i][1], rows[i][0], rows[i][2]);
        check_refused(line, expected);
    }
    check_refused("rate=0120", "unknown value '0120' for rate (allowed: 1 to 500000)");
    check_refused("spread=1.0000", "unknown value '1.0000' for spread (allowed: "
                                   "0.0 to 2.0, three decimals at most)");
    check_refused("spread=1.", "unknown value '1.' for spread (allowed: "
                               "0.0 to 2.0, three decimals at most)");
}

/* Places, widths and options of serial= that cannot be. */
static void test_serial(void **state)
{
    static const char *const values[] = {
        "mmio:0xfedc9000", "mmio:0xfedc9000:3", "mmio:0xfedc9000:4:8", "mmio:0xfedc9000:2:4",
        "mmio:0xfedc9002:4", /* not aligned */
        "mmio:0x0:4", "mmio:0xffffffffffffc0:8", "mmio:0xfedc9000:", "mmio:0xfedc9000:4:", "0xfff9", "0x80",
        "0xffe4:4", "0x3e9:2", "pci:", "pci:0:0", "pci:00:20.0", "pci:00:1f.8", "pci:100:1f.0", "pci:00:1g.0",
        "com1,", "com1,,trust", "com1,trust,trust", "com1,trust,9600", "com1,9600,19200", "com1,clock=",
        "com1,clock=999999", "auto,trust", "auto,9600,trust", "auto,115200,clock=2000000", "com1,clock=1000000001",
        "com1,clock=2000000,clock=2000000", "com1,trusty",
    };
    char line[64], text[REFUSAL_TEXT];
    struct refusal why;
    struct config c;

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        config_default(&c);
        snprintf(line, sizeof line, "serial=%s", values[i]);
        if (config_parse(&c, line, &why))
            fail_msg("%s is taken", line);
        assert_non_null(strstr(refusal_text(&why, text), "unknown value"));
    }
}

static void test_baud(void **state)
{
    struct config w;
    char sentence[REFUSAL_TEXT];

    (void)state;
    check_refused("serial=com1,100000", "no divisor of the UART makes the rate in "
                                        "serial='com1,100000' (nearest: 115200 57600)");
    check_refused("serial=com2,230400", "no divisor of the UART makes the rate in "
                                        "serial='com2,230400' (nearest: 115200)");
    check_refused("serial=com1,33600", "no divisor of the UART makes the rate in "
                                       "serial='com1,33600' (nearest: 38400 28800)");
    check_refused("serial=com1,117552", "no divisor of the UART makes the rate in "
                                        "serial='com1,117552' (nearest: 115200)");
    check_refused("serial=com1,112941", "no divisor of the UART makes the rate in "
                                        "serial='com1,112941' (nearest: 115200 57600)");
    check_refused("serial=com1,1", "no divisor of the UART makes the rate in "
                                   "serial='com1,1' (nearest: 2)");
    check_refused("serial=com1,0", "no divisor of the UART makes the rate in "
                                   "serial='com1,0' (nearest: 2)");
    check_refused("serial=0x3e8:4,2000000,clock=48000000", "no divisor of the UART makes the rate in "
                  "serial='0x3e8:4,2000000,clock=48...' (nearest: 3000000 1500000)");
    check_refused("serial=com1,115200,clock=2000000", "no divisor of the UART makes the rate in "
                  "serial='com1,115200,clock=200000...' (nearest: 125000 62500)");
    check_refused("slu=com2,33600", "no divisor of the UART makes the rate in "
                                    "slu='com2,33600' (nearest: 38400 28800)");
    check_refused("slu=stream,9600", "unknown value 'stream,9600' for slu (allowed: "
                                     SLU_SPEC_ALLOWED ")");
    check_refused("slu=pci", "unknown value 'pci' for slu (allowed: " SLU_SPEC_ALLOWED ")");
    config_default(&w);
    for (unsigned divisor = 1; divisor <= 57600; divisor++) {
        char line[64];

        snprintf(line, sizeof line, "serial=com1,%u", (115200 + divisor / 2) / divisor);
        assert_true(words_taken(&w, line, sentence));
    }
    assert_true(words_taken(&w, "serial=com2", sentence));
    assert_int_equal(w.serial.place, SERIAL_COM2);
    assert_int_equal(w.serial.baud, 115200);
}

/* Each way to write a rule that is none. */
static void test_rules(void **state)
{
    static const char *const wrong[] = {
        "", "fault", "fault/", "/stop", "fault/stop/", "fault/stop,", ",fault/stop", "mask/stop", "tick/stop",
        "lost/stop", "service/stop", "sync/stop", "none/stop", "bogus/stop", "fault/bogus", "fault/start/stop",
        "fault/stop:1", "fault/add", "fault/add:8", "fault/add:x", "fault/add:1:2", "fault/set:1", "fault/set:1:",
        "fault/set:1:4294967296", "fault/reset:1:0", "fault/add:1/add:2", "fault/freeze:101", "fault/freeze:",
        "fault/freeze:1:2", "fault:/stop", "fault:A:/stop", "fault:A:x/stop", "fault:A:1:2/stop",
        "fault:A:4294967296/stop", "fault:FIFTEENLETTERSX/stop",
        "switch:A:1/stop", "share/stop", "share:A/stop", "share:*:3/stop", "share:A:101/stop", "share:A:3:4/stop",
        "end/stop,end/stop,end/stop,end/stop,end/stop,end/stop,end/stop,end/stop,end/stop",
        ("end:FOURTEENLETTER/stop,end:FOURTEENLETTER/stop,end:FOURTEENLETTER/stop,end:FOURTEENLETTER/stop,"
         "end:FOURTEENLETTER/stop,end:FOURTEE/write"),
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char line[200], expected[REFUSAL_TEXT];
        const bool cut = strlen(wrong[i]) > 24;

        snprintf(line, sizeof line, "when=%s", wrong[i]);
        snprintf(expected, sizeof expected, "unknown value '%.24s%s' for when (allowed: %s)", wrong[i],
                 cut ? "..." : "", RULE_SPEC_ALLOWED);
        check_refused(line, expected);
    }
}

/* Each way to write a region that is none. */
static void test_region(void **state)
{
    static const char *const wrong[] = {
        "ROGUE", "ROGUE:user", "ROGUE:user:0", "ROGUE:user:0-", "ROGUE:user:-1", ":user:0-1",
        "ROGUE::0-1", "ROGUE:ring3:0-1", "ROGUE:user:1-1", "ROGUE:user:2-1",
        "ROGUE:user:08-011", "ROGUE:user:0x-0x1", "ROGUE:user:0-0x10000000000000000",
        "ROGUE:user:0-02000000000000000000000", "ROGUE:user:0-18446744073709551616",
        "ROGUE:user:0-1-2", "FIFTEENLETTERSX:user:0-1", "ROGUE:user:0-1x",
        "ROGUE:user:a-b", "0", "*",
    };
    struct config w;
    char sentence[REFUSAL_TEXT];

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char line[64], expected[REFUSAL_TEXT];
        const bool cut = strlen(wrong[i]) > 24;

        snprintf(line, sizeof line, "region=%s", wrong[i]);
        snprintf(expected, sizeof expected, "unknown value '%.24s%s' for region (allowed: %s)",
                 wrong[i], cut ? "..." : "", REGION_SPEC_ALLOWED);
        check_refused(line, expected);
    }
    config_default(&w);
    assert_true(words_taken(&w, "region=FOURTEENLETTER:user:0-0xffffffffffffffff "
                                "region=A:user:1777777777777777777-18446744073709551615 "
                                "region=B:user:01777777777777777777776-01777777777777777777777",
                            sentence));
    assert_int_equal(w.regions, 3);
    assert_false(w.region[1].octal);
    assert_true(w.region[2].octal);
    assert_true(w.region[2].low == UINT64_MAX - 1 && w.region[2].high == UINT64_MAX);
    assert_true(words_taken(&w, "region=none region=C:kernel:1-2", sentence));
    assert_int_equal(w.regions, 1);
    for (unsigned i = 1; i < REGIONS_MAX; i++)
        assert_true(words_taken(&w, "region=C:kernel:1-2", sentence));
    assert_false(words_taken(&w, "region=C:kernel:1-2", sentence));
    assert_string_equal(sentence, "there are more than eight region= words");
}

static void test_agreement(void **state)
{
    static const char *const rows[][2] = {
        {"nohz=on", "nohz=on is given, and monitor= has no procstat, which stops the clock"},
        {"nohz=on monitor=procstat", ""},
        {"nohz=on monitor=procstat clock=rtc",
         "nohz=on needs a system clock that can be stopped: clock=rtc ticks by itself"},
        {"nohz=on monitor=procstat tick=pit,clock",
         "nohz=on and tick=clock: a sampler whose ticks stop while the processor is idle"},
        {"nohz=on monitor=procstat tick=slu-timeout interval=fixed",
         "nohz=on and tick=slu or slu-timeout: the clock's ticks restart a UART that has lost its interrupt"},
        {"nohz=on monitor=system,procstat sched=decay", "nohz=on and sched=decay, which counts the clock's ticks"},
        {"monitor=region", "monitor= has region, and no region= says which"},
        {"account=log", "account=log needs output=frames"},
        {"account=log output=frames delivery=nmi",
         "account=log needs delivery=irq: an NMI changes no cell, so that no tick is in the log"},
        {"windows=2 tick=lapic clock=rtc", "windows= is for tick=pit delivery=irq"},
        {"windows=2 delivery=nmi", "windows= is for tick=pit delivery=irq"},
        {"region=A:user:0-1", "region= is given, and monitor= has no region"},
        {"monitor=samples", "monitor= has samples, which need output=frames"},
        {"delivery=nmi tick=rtc", "delivery=nmi is for tick=pit, hpet, slu or slu-timeout"},
        {"delivery=nmi tick=none", "delivery=nmi is for tick=pit, hpet, slu or slu-timeout"},
        {"monitor=states", "monitor= has states, which need output=frames"},
        {"monitor=states output=frames account=off",
         "monitor= has states, whose times are the account's: they need account=on or log"},
        {"monitor=states output=frames delivery=nmi",
         "monitor= has states, which need delivery=irq: an NMI changes no cell"},
        {"monitor=states output=frames tick=pit,rtc", "monitor= has states, which are for one source alone"},
        {"monitor=states output=frames buffer=count",
         "monitor= has states, which follow from recorded events: buffer=count records none"},
        {"monitor=states output=frames stamp=off", "monitor= has states, which have lengths: stamp=off leaves none"},
        {"monitor=states output=frames classes=a:mode=user,b:else buffer=stop", ""},
        {"monitor=samples output=frames", ""},
        {"monitor=samples output=frames stack=15", ""},
        {"stack=1", "stack= looks for the callers of raw samples: it needs monitor=samples and ticks"},
        {"monitor=samples output=frames tick=none stack=1",
         "stack= looks for the callers of raw samples: it needs monitor=samples and ticks"},
        {"monitor=samples output=frames tick=pit,rtc stack=1",
         "stack= is for one source alone: a walk would delay the other one's ticks"},
        {"monitor=system,region region=A:user:0-1", ""},
        {"monitor=events account=off",
         "monitor= has events, whose times are the account's: they need account=on or log"},
        {"monitor=events buffer=count delivery=nmi",
         "monitor= has events, which need delivery=irq: an NMI changes no cell"},
        {"monitor=events buffer=count tick=pit,rtc", "monitor= has events, which are for one source alone"},
        {"monitor=events", "monitor= has events: output=text shows buffer=count or overwrite, output=frames any"},
        {"monitor=events buffer=stop", "monitor= has events: output=text shows buffer=count or overwrite, "
                                       "output=frames any"},
        {"monitor=events buffer=overwrite", ""},
        {"monitor=intercept account=off",
         "monitor= has intercept, which counts by the account's clock: it needs account=on or log"},
        {"monitor=acct account=off output=frames",
         "monitor= has acct, which counts by the account's clock: it needs account=on or log"},
        {"monitor=acct", "monitor= has acct, which needs output=frames"},
        {"monitor=acct output=frames", ""},
        {"monitor=idle account=off", ""},
        {"when=fault/write", "when= is given, and monitor= has no events"},
        {"monitor=events buffer=count when=fault/write",
         "when= freezes or writes the buffer, and buffer=count has none"},
        {"monitor=events output=frames when=fault/freeze", "when= has freeze, which is for buffer=overwrite"},
        {"monitor=events output=frames tick=none when=share:A:3/stop",
         "when= has a share of monitor=system, and there are none"},
        {"monitor=system,events output=frames interval=fixed when=share:A:3/stop",
         "when= has a share, whose lower limit interval=fixed does not give"},
        {"monitor=system,events output=frames when=share:A:3/stop,fault/snapshot", ""},
        {"monitor=events buffer=count when=fault/add:0,user/stop", ""},
        {"sched=decay tick=none",
         "sched=decay charges by the samples of monitor=system, and there are none"},
        {"sched=decay monitor=none",
         "sched=decay charges by the samples of monitor=system, and there are none"},
        {"sched=decay-wake tick=none",
         "sched=decay charges by the samples of monitor=system, and there are none"},
        {"sched=decay", ""},
        {"precision=1 tick=none",
         "precision= looks at the totals of monitor=system, and there are none"},
        {"precision=1 monitor=region region=A:user:0-1",
         "precision= looks at the totals of monitor=system, and there are none"},
        {"precision=1 interval=fixed", "precision= needs an interval, and interval=fixed gives none"},
        {"precision=1 interval=random", ""},
        {"precision=1 interval=exponential", ""},
        {"precision=1 interval=narrow", "precision= needs an interval, and interval=narrow gives none"},
        {"sched=rr tick=none", ""},
        {"tick=lapic", "tick=lapic takes the timer that the system clock has: it needs clock=rtc"},
        {"tick=lapic clock=rtc", ""},
        {"tick=pit,rtc", ""},
        {"tick=pit,lapic", "tick=lapic takes the timer that the system clock has: it needs clock=rtc"},
        {"tick=pit,lapic clock=rtc", ""},
        {"tick=lapic,rtc clock=rtc", "tick=rtc and clock=rtc both want the one RTC"},
        {"tick=clock,pit rate=1000", ""},
        {"tick=none,pit", "tick= has a source beside none"},
        {"tick=pit-periodic,pit", "tick= has two sources that are one device"},
        {"tick=rtc,rtc", "tick= has two sources that are one device"},
        {"tick=slu,slu-timeout", "tick= has two sources that are one device"},
        {"tick=pit,slu delivery=nmi", "delivery=nmi is for one source alone, for an NMI waits for no other handler"},
        {"tick=pit,rtc account=log output=frames", "account=log is for one source alone"},
        {"tick=pit,rtc windows=2 output=frames samples=10", "windows= is for tick=pit delivery=irq"},
        {"tick=pit,rtc monitor=samples output=frames", "monitor=samples tells the ticks of one source alone"},
        {"tick=rtc clock=rtc", "tick=rtc and clock=rtc both want the one RTC"},
        {"tick=rtc rate=1024", ""},
        {"clock=rtc", ""},
        {"tick=clock", ""},
        {"tick=clock rate=100", ""},
        {"tick=clock rate=128 clock=rtc", ""},
        {"tick=clock rate=120", "tick=clock ticks as the system clock does, at 100 Hz: rate=120 is another"},
        {"tick=clock rate=100 clock=rtc",
         "tick=clock ticks as the system clock does, at 128 Hz: rate=100 is another"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char sentence[REFUSAL_TEXT];
        struct config w;

        config_default(&w);
        assert_true(words_taken(&w, rows[i][0], sentence));
        assert_int_equal(words_agree(&w, sentence), !*rows[i][1]);
        assert_string_equal(sentence, rows[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events), cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_out_of_range),
        cmocka_unit_test(test_serial), cmocka_unit_test(test_baud),
        cmocka_unit_test(test_region), cmocka_unit_test(test_rules),
        cmocka_unit_test(test_agreement),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
