/* SPDX-License-Identifier: MIT */
/*
 * The table of the configuration words (docs/ACCOUNTING.md, "Numbers and
 * codes"): each with its parser, its range, its default and its help.
 */
#include "probe/config/config_table.h"

#define SEED_MAX INT64_MAX

_Static_assert(CONFIG_STACK_MAX == 15, "stack= says so");

_Static_assert(CLOCK_RTC == 0, "clock=rtc is the name of 0");

/* Names in their order: what is chosen from, and what of it is told. */
#define TICK_NAMES(first, next) \
    first("auto") next("pit") next("hpet") next("lapic") next("rtc") next("pit-periodic") next("clock") next("slu") \
    next("slu-timeout") next("none")

/* The word is named as the member of struct config that has the value. */
#define WORD(member, kind) WORD_OF(struct config, #member, member, config_##kind)

#define MONITOR_NAME(NAME, name, accounted)       #name
#define COMMA_MONITOR_NAME(NAME, name, accounted) , #name
#define BLANK_MONITOR_NAME(NAME, name, accounted) " " #name

#define MONITOR_CHOICE CONFIG_MONITORS(MONITOR_NAME, COMMA_MONITOR_NAME, COMMA_MONITOR_NAME)
#define MONITOR_TEXT   CONFIG_MONITORS(MONITOR_NAME, BLANK_MONITOR_NAME, BLANK_MONITOR_NAME)

const char config_monitor_names[] = MONITOR_TEXT;

const struct config_word config_table[CONFIG_KEYS] = {
    [CONFIG_TICK] = {WORD(tick, tick), CHOICE_OF(TICK_NAMES), .allowed = TEXT_OF(TICK_NAMES) ", or two: A,B",
     .standard = "auto", .what = "source of the sampling tick, or two side by side"},
    [CONFIG_RATE] = {WORD(rate, number), RANGE(1, 500000), .standard = "120",
     .what = "mean rate of the tick, Hz"},
    [CONFIG_INTERVAL] = {WORD(interval, choice), CHOICE_OF(INTERVAL_NAMES), .allowed = TEXT_OF(INTERVAL_NAMES),
     .standard = "stratified",
     .what = "policy of the interval between ticks"},
    [CONFIG_SPREAD] = {WORD(spread, thousandths), .high = 2000, .allowed = "0.0 to 2.0, three decimals at most",
     .standard = "2.0", .what = "interval=random: full width over the mean"},
    [CONFIG_SEED] = {WORD(seed, number), .choice = {"auto"}, .low = 1, .high = SEED_MAX,
                     .allowed = "auto, or 1 to 9223372036854775807",
     .standard = "auto", .what = "seed of the generator: 63 bits, all of them chacha8's key"},
    [CONFIG_RNG] = {WORD(rng, choice), TWO("carta", "chacha8"), .standard = "carta",
     .what = "generator of the intervals; seed=auto without rng= selects chacha8"},
    [CONFIG_ARM] = {WORD(arm, choice), TWO("absolute", "relative"), .standard = "absolute",
     .what = "absolute fixes the points of the schedule in clock time; relative begins each interval in the handler, "
             "as the papers do"},
    [CONFIG_DELIVERY] = {WORD(delivery, choice), TWO("irq", "nmi"), .standard = "irq",
     .what = "how the tick reaches the processor; nmi, which nothing masks, is for tick=pit, slu and slu-timeout"},
    [CONFIG_COST] = {WORD(cost, choice), TWO("limit", "any"), .standard = "limit",
     .what = "limit refuses a rate whose ticks would take more than half of the time here; any does not"},
    [CONFIG_CLOCK] = {WORD(clock, number), .choice = {"rtc"}, .low = 10, .high = 1000,
                      .allowed = "10 to 1000, or rtc", .standard = "100",
     .what = "rate of the system clock, Hz; rtc: the RTC at 128 Hz"},
    [CONFIG_NOHZ] = {WORD(nohz, choice), TWO("off", "on"), .standard = "off",
     .what = "monitor=procstat: on stops the ticks of the system clock while the processor is idle"},
    [CONFIG_SCHED] = {WORD(sched, choice), THREE("rr", "decay", "decay-wake"), .standard = "rr",
     .what = "scheduler of the tasks: round robin, or decay-usage that charges by samples; decay-wake: tasks wake at "
             "a kernel priority"},
    [CONFIG_ACCOUNT] = {WORD(account, choice), THREE("on", "off", "log"), .standard = "on",
     .what = "exact times beside the samples; log: also each change of cell, sent at the end of the run"},
    [CONFIG_TASKS] = {WORD(tasks, tasks), .allowed = TASK_SPEC_ALLOWED, .standard = "figure3",
     .what = "workloads, and programs of files that came with the image"},
    [CONFIG_STDIN] = {WORD_OF(struct config, "stdin", standard_input, config_stdin),
     .allowed = FILE_SPEC_ALLOWED, .standard = "none",
     .what = "standard input of the programs of files"},
    [CONFIG_IDENTITY] = {WORD(identity, choice), THREE("name", "image", "task"), .standard = "name",
     .what = "what identifies a row of the table"},
    [CONFIG_MONITOR] = {WORD(monitor, list), .choice = {MONITOR_CHOICE},
                        .standard = "system",
     .allowed = "none, or of " MONITOR_TEXT ", commas between",
     .what = "what is done with a sample, and what is counted beside it"},
    [CONFIG_REGION] = {WORD(region, region), .standard = "none", .allowed = REGION_SPEC_ALLOWED,
     .what = "monitor=region: a range of addresses of a task; may be given up to 8 times"},
    [CONFIG_THIN] = {WORD(thin, choice), TWO("off", "auto"), .standard = "off",
     .what = "monitor=samples, more than the line can carry: off refuses the run, auto sends fewer"},
    [CONFIG_STAMP] = {WORD(stamp, choice), TWO("us", "off"), .standard = "us",
     .what = "monitor=samples: us sends the time of each sample, to the microsecond"},
    [CONFIG_STACK] = {WORD(stack, number), RANGE(0, 15), .standard = "0",
     .what = "monitor=samples: callers of each sample in user mode, by frame pointers, at most so many; "
             "0 looks for none"},
    [CONFIG_EVENTS] = {WORD(events, events), .standard = "usual", .allowed = EVENT_SPEC_ALLOWED,
     .what = "monitor=events: the events to record, by class, task and address"},
    [CONFIG_WHEN] = {WORD(when, rules), .standard = "none", .allowed = RULE_SPEC_ALLOWED,
     .what = "monitor=events: what events do: count, start and stop recording, freeze or write the buffer, "
             "take a snapshot"},
    [CONFIG_CLASSES] = {WORD(classes, classes), .standard = CLASS_SPEC_CELLS, .allowed = CLASS_SPEC_ALLOWED,
     .what = "monitor=states: the tree of classes; cells is that of the exact table's cells"},
    [CONFIG_BUFFER] = {WORD(buffer, choice), FOUR("stream", "stop", "overwrite", "count"), .standard = "stream",
     .what = "monitor=events, states: send them, keep the first ones, keep the last ones, or only count"},
    [CONFIG_RECORDS] = {WORD(records, number), .choice = {"auto"}, .low = 64, .high = 16777216,
                        .allowed = "auto, or 64 to 16777216",
     .standard = "auto", .what = "monitor=events: events that the buffer holds, rounded up to a power of two"},
    [CONFIG_TIMER] = {WORD(timer, number), .choice = {"none"}, .low = 1, .high = 60000,
                      .allowed = "none, or 1 to 60000",
     .standard = "none", .what = "events=timer: an event each so many milliseconds"},
    [CONFIG_ACCT] = {WORD(acct, number), RANGE(1, 3600), .standard = "1",
     .what = "monitor=acct: seconds between two records of the account log"},
    [CONFIG_SECONDS] = {WORD(seconds, number), RANGE(0, 100000000), .standard = "60",
     .what = "length of the run, 0 for ever"},
    [CONFIG_SAMPLES] = {WORD(samples, number), RANGE(0, 4294967295), .standard = "0",
     .what = "samples that end the run, 0 for no bound"},
    [CONFIG_WINDOWS] = {WORD(windows, number), RANGE(1, 100000), .standard = "1",
     .what = "number of runs of that length; each is an epoch with the next seed"},
    [CONFIG_PRECISION] = {WORD(precision, thousandths), .low = 50, .high = 50000, .standard = "0.0",
     .allowed = "0, or 0.05 to 50, three decimals at most",
     .what = "the run ends when no total's interval has a larger half width, points; 0 for no bound"},
    [CONFIG_SERIAL] = {WORD(serial, serial), .standard = "auto",
     .allowed = SERIAL_SPEC_ALLOWED, .what = "serial line of the output"},
    [CONFIG_SLU] = {WORD(slu, slu), .standard = "auto", .allowed = SLU_SPEC_ALLOWED,
     .what = "tick=slu, slu-timeout: the UART; its rate is that of serial= unless given"},
    [CONFIG_SCREEN] = {WORD(screen, choice), THREE("auto", "on", "off"), .standard = "auto",
     .what = "the text of the run on the screen: auto where no UART answers; errors go to it in any case"},
    [CONFIG_OUTPUT] = {WORD(output, choice), TWO("text", "frames"), .standard = "text",
     .what = "tables as text, or frames for the host tool"},
    [CONFIG_SHELL] = {WORD(shell, choice), THREE("auto", "on", "off"),
     .standard = "auto", .what = "output=text: auto opens the shell when Enter is typed, on at the start, off never"},
    [CONFIG_HEALTH] = {WORD(health, choice), THREE("auto", "on", "off"), .standard = "auto",
     .what = "auto and on measure all free tick sources at the start, and on prints them; off measures only the "
             "one in use"},
    [CONFIG_WATCHDOG] = {WORD(watchdog, choice), TWO("leave", "stop"), .standard = "leave",
     .what = "a watchdog of the chipset that runs at the start: leave tells of it, stop stops it"},
    [CONFIG_EXIT] = {WORD(exit, choice), FOUR("halt", "reboot", "qemu", "bochs"), .standard = "halt",
     .what = "what happens at the end of the run"},
    [CONFIG_NOTE] = {WORD(note, note), .standard = "none",
                     .allowed = "none, or 1 to 63 printable characters in double quotes",
     .what = "a text that goes with the run: who measures what, and why"},
};
