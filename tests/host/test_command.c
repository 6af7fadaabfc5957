/* SPDX-License-Identifier: MIT */
/*
 * The command language: the paper's own lines, every command with every option,
 * every refusal and its sentence, and help that names all there is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/command/command_table.h"
#include "probe/config/config_table.h"
#include "tests/host/refused.h"

#define COMMANDS                                                                          \
    "pat plt mps top ps regions tick set start stop snapshot pause continue dump status health output page end " \
    "reboot help"

static struct command taken(const char *line)
{
    char sentence[REFUSAL_TEXT];
    struct command c;

    memset(&c, 0xee, sizeof c);
    if (!command_taken(&c, line, sentence))
        fail_msg("%s: %s", line, sentence);
    assert_string_equal(sentence, "");
    return c;
}

static void test_paper(void **state)
{
    struct command c = taken("pat -sec 60");

    (void)state;
    assert_int_equal(c.verb, COMMAND_PAT);
    assert_int_equal(c.seconds, 60);
    c = taken("plt -sec 180 rogue");
    assert_int_equal(c.verb, COMMAND_PLT);
    assert_int_equal(c.seconds, 180);
    assert_string_equal(c.region.task, "rogue");
    assert_int_equal(c.region.mode, MODE_USER);
    assert_false(c.from_low || c.to_high || c.zoom || c.symbols || c.region.octal);
    assert_true(c.region.low == 0 && c.region.high == UINT64_MAX);
    c = taken("mps -sec 360 -low 025200 -high 042600 rogue rogue.stb");
    assert_int_equal(c.verb, COMMAND_MPS);
    assert_int_equal(c.seconds, 360);
    assert_true(c.from_low && c.to_high && c.symbols && c.region.octal);
    assert_int_equal(c.region.low, 10880);
    assert_int_equal(c.region.high, 17792);
}

static void test_profile(void **state)
{
    struct command c = taken(" plt\t...LDR -mode kernel -low 0xffffffff80000000 -min 20 -zoom # all");

    (void)state;
    assert_string_equal(c.region.task, "...LDR");
    assert_int_equal(c.region.mode, MODE_KERNEL);
    assert_true(c.region.low == 0xffffffff80000000 && c.region.high == UINT64_MAX);
    assert_true(c.from_low && !c.to_high && c.zoom && !c.region.octal);
    assert_int_equal(c.min, 20);
    assert_int_equal(c.seconds, COMMAND_SECONDS);
    assert_int_equal(taken("mps -mode interrupt *").region.mode, MODE_INTERRUPT);
    assert_int_equal(taken("mps * -mode supervisor").region.mode, MODE_SUPERVISOR);
    assert_int_equal(taken("plt x -low 010 -high 4096").region.high, 4096);
    assert_int_equal(taken("pat -sec 1000000").seconds, 1000000);
}

static void test_regions(void **state)
{
    struct command c = taken("regions");

    (void)state;
    assert_int_equal(c.verb, COMMAND_REGIONS);
    assert_int_equal(c.regions, REGIONS_SHOW);
    c = taken("regions add ROGUE:user:0-0200000");
    assert_int_equal(c.regions, REGIONS_ADD);
    assert_string_equal(c.region.task, "ROGUE");
    assert_true(c.region.octal && c.region.high == 65536);
    c = taken("regions remove 8");
    assert_int_equal(c.regions, REGIONS_REMOVE);
    assert_int_equal(c.number, 8);
    assert_int_equal(taken("regions remove all").regions, REGIONS_REMOVE_ALL);
}

/* The words of a change, in the order of their table. */
static void print_change(const struct config *change, char line[CONFIG_LINE])
{
    enum config_key keys[CONFIG_KEYS + 1];
    unsigned n = 0;

    for (enum config_key key = 0; key < CONFIG_KEYS; key++)
        if (config_given(change, key))
            keys[n++] = key;
    keys[n] = CONFIG_KEYS;
    config_print_some(change, keys, line);
}

/* Each pair is a line and the words that come of it. */
static void test_words(void **state)
{
    static const struct {
        const char *line, *words;
        enum command_verb verb;
    } rows[] = {
        {"tick", "", COMMAND_TICK},
        {"tick tick=lapic rate=200", "tick=lapic rate=200", COMMAND_TICK},
        {"tick lapic 200 random", "tick=lapic rate=200 interval=random", COMMAND_TICK},
        {"tick nmi chacha8 spread=1.5", "spread=1.5 rng=chacha8 delivery=nmi", COMMAND_TICK},
        {"tick auto", "tick=auto", COMMAND_TICK},
        {"tick clock seed=7 slu=com2", "tick=clock seed=7 slu=com2", COMMAND_TICK},
        {"set", "", COMMAND_SET},
        {"set seconds=0", "seconds=0", COMMAND_SET},
        {"rate=200", "rate=200", COMMAND_SET},
        {"  rate=200\tseed=3 # x", "rate=200 seed=3", COMMAND_SET},
        {"region=a:user:0-8 region=b:user:0-8", "region=a:user:0x0-0x8 region=b:user:0x0-0x8", COMMAND_SET},
        {"output frames", "output=frames", COMMAND_OUTPUT},
        {"output text", "output=text", COMMAND_OUTPUT},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct command c = taken(rows[i].line);
        char line[CONFIG_LINE];

        assert_int_equal(c.verb, rows[i].verb);
        print_change(&c.change, line);
        assert_string_equal(line, rows[i].words);
    }
}

static void test_others(void **state)
{
    static const struct {
        const char *line;
        enum command_verb verb;
    } rows[] = {
        {"", COMMAND_NONE}, {" \t\r\n", COMMAND_NONE}, {"# pat", COMMAND_NONE}, {"ps", COMMAND_PS},
        {"tasks", COMMAND_PS},
        {"snapshot", COMMAND_SNAPSHOT}, {"status", COMMAND_STATUS}, {"health#", COMMAND_HEALTH},
        {"end", COMMAND_END}, {"exit", COMMAND_END}, {"quit", COMMAND_END}, {"?", COMMAND_HELP},
        {"reboot", COMMAND_REBOOT}, {"help", COMMAND_HELP},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(taken(rows[i].line).verb, rows[i].verb);
    assert_int_equal(taken("start").monitors, 0);
    assert_int_equal(taken("start region system").monitors, MONITOR_REGION | MONITOR_SYSTEM);
    assert_int_equal(taken("stop samples").monitors, MONITOR_SAMPLES);
    assert_int_equal(taken("stop samples").verb, COMMAND_STOP);
    assert_int_equal(taken("page").number, COMMAND_ROWS);
    assert_int_equal(taken("page 0").number, 0);
    assert_int_equal(taken("top").order, TABLE_BY_TOTAL);
    assert_int_equal(taken("top -sort kernel").order, TABLE_BY_KERNEL);
    assert_int_equal(taken("page 1000").number, 1000);
    assert_null(taken("help").topic);
    assert_string_equal(taken("help plt").topic, "plt");
    assert_string_equal(taken("help precision").topic, "precision");
    assert_string_equal(taken("? quit").topic, "end");
}

static void test_refused(void **state)
{
    static const struct {
        const char *line, *sentence;
    } rows[] = {
        {"bogus", "unknown command 'bogus' (commands: " COMMANDS ")"},
        {"Pat", "unknown command 'Pat', did you mean 'pat'? (commands: " COMMANDS ")"},
        {"bogus=1", "unknown word 'bogus' (allowed: tick rate"},
        {"pat -sec", "pat: option '-sec' has no value"},
        {"pat -sec 0", "pat: -sec '0' is no number of seconds, 1 to 1000000"},
        {"pat -sec 1000001", "pat: -sec '1000001' is no number of seconds, 1 to 1000000"},
        {"pat -sec 6x", "pat: -sec '6x' is no number of seconds, 1 to 1000000"},
        {"pat -low 0 rogue", "pat: unknown option '-low' (options: -sec)"},
        {"pat rogue", "pat: it takes no 'rogue'"},
        {"ps -sec 1", "ps: unknown option '-sec': it has none"},
        {"plt", "plt: no task is named (plt [OPTION ...] TASK)"},
        {"plt -bogus x",
         "plt: unknown option '-bogus' (options: -sec -mode -low -high -min -zoom)"},
        {"plt -mode ring1 x",
         "plt: -mode 'ring1' is no mode (allowed: user supervisor kernel interrupt)"},
        {"plt -low 09 x", "plt: '09' is no address (0x.. hexadecimal, 0.. octal, or decimal)"},
        {"plt -low 0x1ffffffffffffffff x",
         "plt: '0x1ffffffffffffffff' is no address (0x.. hexadecimal, 0.. octal, or decimal)"},
        {"plt -low 8 -high 8 x", "plt: -low is not below -high"},
        {"plt -min 0 x", "plt: -min '0' is no number of hits"},
        {"plt a b", "plt: after the task it takes no 'b'"},
        {"mps a b c", "mps: after the task it takes no 'c'"},
        {"plt abcdefghijklmno", "plt: 'abcdefghijklmno' is no name of a task"},
        {"regions add", "regions: it takes what to do, and one region"},
        {"regions add a b", "regions: it takes what to do, and one region"},
        {"regions drop 1", "regions: regions can be added and removed"},
        {"regions remove 0", "regions: '0' is no number of a region, nor all"},
        {"regions remove 9", "regions: '9' is no number of a region, nor all"},
        {"regions add x", "regions: 'x' is no region (allowed: none, or TASK:MODE:LOW-HIGH"},
        {"tick bogus", "tick: 'bogus' is no source, rate, policy or delivery"},
        {"tick seconds=3", "tick: 'seconds=3' is no word of the tick's: set changes others"},
        {"tick 0", "value '0' for rate is out of range (allowed: 1 to 500000)"},
        {"tick rate=9999999", "value '9999999' for rate is out of range (allowed: 1 to 500000)"},
        {"set rate", "word 'rate' has no value (allowed: 1 to 500000)"},
        {"start tick", "start: 'tick' is no monitor (allowed: "
                       "system region samples idle events intercept acct states callers procstat"
                       " idletask perfcall proctable profil)"},
        {"output", "output: it takes what to put out (output text|frames)"},
        {"output html", "unknown value 'html' for output (allowed: text frames)"},
        {"output text now", "output: it takes what to put out (output text|frames)"},
        {"page 1", "page: '1' is no number of rows, 2 to 1000, or 0"},
        {"top -sort size", "top: -sort 'size' is no order (allowed: " TABLE_ORDERS_ALLOWED ")"},
        {"top rogue", "top: it takes no 'rogue'"},
        {"pat -sort user", "pat: unknown option '-sort' (options: -sec)"},
        {"page x", "page: 'x' is no number of rows, 2 to 1000, or 0"},
        {"page 1 2", "page: it takes one number (page [ROWS])"},
        {"help bogus", "help: there is no command or word 'bogus'"},
        {"help pat plt", "help: it takes one name (help [COMMAND|WORD])"},
        {"reboot now", "reboot: it takes no 'now'"},
        {"\x1b[A\x07z", "unknown command '?[A?z' (commands: " COMMANDS ")"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char sentence[REFUSAL_TEXT];
        struct command c;

        if (command_taken(&c, rows[i].line, sentence))
            fail_msg("taken: %s", rows[i].line);
        if (strncmp(sentence, rows[i].sentence, strlen(rows[i].sentence)))
            fail_msg("%s: '%s' is not '%s'", rows[i].line, sentence, rows[i].sentence);
    }
}

static void test_bounds(void **state)
{
    char line[4096], sentence[REFUSAL_TEXT];
    struct command c;

    (void)state;
    line[0] = '\0';
    for (int i = 0; i < 9; i++)
        strcat(line, " region=a:user:0-8");
    assert_false(command_taken(&c, line, sentence));
    assert_string_equal(sentence, "there are more than eight region= words");
    strcpy(line, "tick");
    for (int i = 0; i < 200; i++)
        strcat(line, " nmi");
    assert_true(command_taken(&c, line, sentence));
    assert_true(c.change.delivery == DELIVERY_NMI && c.change.given == config_bit(CONFIG_DELIVERY));
    /* A line of words as long as may be has room. */
    strcpy(line, "set ");
    for (int i = 0; i < (COMMAND_LINE - 5) / 7; i++)
        strcat(line, "rate=1 ");
    assert_true(command_taken(&c, line, sentence));
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    assert_false(command_taken(&c, line, sentence));
}

struct text {
    char all[8192];
    unsigned lines;
};

static void keep(void *context, const char *line)
{
    struct text *t = context;

    assert_true(strlen(t->all) + strlen(line) + 2 < sizeof t->all);
    strcat(t->all, line);
    strcat(t->all, "\n");
    t->lines++;
}

static void test_help(void **state)
{
    struct text all = {"", 0}, host = {"", 0}, tick = {"", 0}, mps = {"", 0}, rate = {"", 0},
                start = {"", 0};
    char names[256] = "";

    (void)state;
    command_help(NULL, true, keep, &all);
    for (unsigned i = 0; command_name(i); i++) {
        struct text one = {"", 0};

        strcat(strcat(names, i ? " " : ""), command_name(i));
        assert_non_null(strstr(all.all, command_name(i)));
        command_help(command_name(i), true, keep, &one);
        assert_true(one.lines >= 2 && strstr(one.all, command_name(i)) == one.all);
    }
    assert_string_equal(names, COMMANDS);
    command_help(NULL, false, keep, &host); /* lists what a host can have, and nothing else */
    for (const struct command_row *row = command_table; row->name; row++) {
        char begin[32];

        snprintf(begin, sizeof begin, "\n%s ", row->name);
        assert_int_equal(strstr(host.all, begin) != NULL || host.all == strstr(host.all, begin + 1),
                         !command_needs_shell(row->verb));
    }
    command_help("mps", true, keep, &mps);
    assert_non_null(strstr(mps.all, "-high A    the address after the last one\n"));
    assert_non_null(strstr(mps.all, "TASK [SYMBOLS]\n"));
    command_help("start", true, keep, &start);
    for (const char *const *name = config_table[CONFIG_MONITOR].choice; *name; name++)
        assert_non_null(strstr(start.all, *name));
    command_help("rate", true, keep, &rate);
    assert_string_equal(rate.all, "rate=1 to 500000\nmean rate of the tick, Hz (default: 120)\n");
    command_help("tick", true, keep, &tick); /* a command and a word */
    assert_non_null(strstr(tick.all, "tick [SOURCE]"));
    assert_non_null(strstr(tick.all, "tick=auto pit"));
}

/* Help fits a terminal. */
static void narrow(void *context, const char *line)
{
    (void)context;
    assert_true(strlen(line) < 80);
}

static void test_width(void **state)
{
    (void)state;
    command_help(NULL, true, narrow, NULL);
    for (unsigned i = 0; command_name(i); i++)
        command_help(command_name(i), true, narrow, NULL);
    command_help("region", true, narrow, NULL);
    command_help("serial", true, narrow, NULL);
}

static void test_takes_task(void **state)
{
    (void)state;
    assert_true(command_takes_task("plt "));
    assert_true(command_takes_task("mps -sec 3 RO"));
    assert_false(command_takes_task("pat "));
    assert_false(command_takes_task("no-such-command "));
    assert_false(command_takes_task(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_takes_task), cmocka_unit_test(test_paper),   cmocka_unit_test(test_profile),
        cmocka_unit_test(test_regions), cmocka_unit_test(test_words),
        cmocka_unit_test(test_others),  cmocka_unit_test(test_refused),
        cmocka_unit_test(test_bounds),  cmocka_unit_test(test_help),
        cmocka_unit_test(test_width),
    };

    return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}
