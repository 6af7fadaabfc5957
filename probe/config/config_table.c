/* SPDX-License-Identifier: MIT */
/*
 * The table of the configuration words (docs/ACCOUNTING.md, "Numbers and
 * codes"): each with its values, its default and its help, a row a word.
 */
#include "probe/config/config_table.h"

#include "probe/config/config.h"

#define SEED_MAX INT64_MAX

#define WORD(name, type) .key = #name, .kind = WORD_##type, .offset = offsetof(struct config, name)
#define TWO(a, b)        .choice = {a, b}, .allowed = a " " b
#define THREE(a, b, c)   .choice = {a, b, c}, .allowed = a " " b " " c
#define FOUR(a, b, c, d) .choice = {a, b, c, d}, .allowed = a " " b " " c " " d
#define RANGE(from, to)  .low = from, .high = to, .allowed = #from " to " #to

const struct config_word config_table[] = {
    {WORD(tick, TICK), .choice = {"auto", "pit", "lapic", "rtc", "pit-periodic", "clock", "slu",
                                    "slu-timeout", "none"},
     .allowed = "auto pit lapic rtc pit-periodic clock slu slu-timeout none, or two: A,B",
     .standard = "auto", .what = "source of the sampling tick, or two side by side"},
    {WORD(rate, NUMBER), RANGE(1, 500000), .standard = "120",
     .what = "mean rate of the tick, Hz"},
    {WORD(interval, CHOICE), .choice = {"stratified", "random", "exponential", "narrow", "fixed"},
     .allowed = "stratified random exponential narrow fixed", .standard = "stratified",
     .what = "policy of the interval between ticks"},
    {WORD(spread, THOUSANDTHS), .high = 2000, .allowed = "0.0 to 2.0, three decimals at most",
     .standard = "2.0", .what = "interval=random: full width over the mean"},
    {WORD(seed, SEED), .low = 1, .high = SEED_MAX, .allowed = "auto, or 1 to 9223372036854775807",
     .standard = "auto", .what = "seed of the generator: 63 bits, all of them chacha8's key"},
    {WORD(rng, CHOICE), TWO("carta", "chacha8"), .standard = "carta",
     .what = "generator of the intervals; with seed=auto chacha8, unless it is given"},
    {WORD(delivery, CHOICE), TWO("irq", "nmi"), .standard = "irq",
     .what = "how the tick reaches the processor; nmi: tick=pit, slu or slu-timeout, nothing masks it"},
    {WORD(clock, CLOCK), .low = 10, .high = 1000, .allowed = "10 to 1000, or rtc", .standard = "100",
     .what = "rate of the system clock, Hz; rtc: by the RTC, at 128"},
    {WORD(sched, CHOICE), TWO("rr", "decay"), .standard = "rr",
     .what = "scheduler of the tasks: round robin, or decay-usage that charges by samples"},
    {WORD(account, CHOICE), THREE("on", "off", "log"), .standard = "on",
     .what = "exact time beside the samples; log: each change of cell too, sent at the end"},
    {WORD(tasks, TASKS), .allowed = "1 to 63 of a-z 0-9 , -", .standard = "figure3",
     .what = "workload"},
    {WORD(identity, CHOICE), THREE("name", "image", "task"), .standard = "name",
     .what = "what makes a row of the table"},
    {WORD(monitor, LIST), .choice = {"system", "region", "samples"},
     .allowed = "none, or of system region samples, commas between", .standard = "system",
     .what = "what is done with a sample"},
    {WORD(region, REGION), .standard = "none", .allowed = REGION_SPEC_ALLOWED,
     .what = "monitor=region: one task's code by address; repeat for more, 8 at most"},
    {WORD(thin, CHOICE), TWO("off", "auto"), .standard = "off",
     .what = "monitor=samples: refuse or thin what the line cannot carry"},
    {WORD(stamp, CHOICE), TWO("us", "off"), .standard = "us",
     .what = "monitor=samples: each sample's time, to the microsecond"},
    {WORD(seconds, NUMBER), RANGE(0, 100000000), .standard = "60",
     .what = "length of the run, 0 for ever"},
    {WORD(samples, NUMBER), RANGE(0, 4294967295), .standard = "0",
     .what = "samples that end the run, 0 for no bound"},
    {WORD(windows, NUMBER), RANGE(1, 100000), .standard = "1",
     .what = "runs of that length one behind the other, each an epoch with the next seed"},
    {WORD(precision, THOUSANDTHS), .low = 50, .high = 50000, .standard = "0.0",
     .allowed = "0, or 0.05 to 50, three decimals at most",
     .what = "half width of the widest total's interval that ends the run, points; 0 for no bound"},
    {.key = "serial", .kind = WORD_SERIAL, .offset = offsetof(struct config, line), .standard = "com1,115200",
     .allowed = SERIAL_SPEC_ALLOWED, .what = "line of the output"},
    {WORD(slu, SLU), .standard = "auto", .allowed = SLU_SPEC_ALLOWED,
     .what = "tick=slu, slu-timeout: the UART; its rate is that of serial= unless given"},
    {WORD(output, CHOICE), TWO("text", "frames"), .standard = "text",
     .what = "tables to read, or frames for the host"},
    {WORD(shell, CHOICE), THREE("auto", "on", "off"),
     .standard = "auto", .what = "output=text: a prompt at once, as soon as Enter is typed, or never"},
    {WORD(health, CHOICE), THREE("auto", "on", "off"), .standard = "auto",
     .what = "each free tick source is measured at the start; on: output=text tells it; off: the one in use alone"},
    {WORD(exit, CHOICE), FOUR("halt", "reboot", "qemu", "bochs"), .standard = "halt",
     .what = "what happens at the end of the run"},
    {.key = NULL},
};
