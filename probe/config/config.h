/* SPDX-License-Identifier: MIT */
/*
 * The configuration: one line of key=value words, the same from every door, on the wire and on the host.
 * One table (config_table.c) has a row for each word.  All functions: any context, host too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/config/class_spec.h"
#include "probe/config/event_spec.h"
#include "probe/config/region_spec.h"
#include "probe/config/rule_spec.h"
#include "probe/config/serial_spec.h"
#include "probe/config/task_spec.h"
#include "probe/core/region.h"
#include "probe/schedule/schedule.h"
#include "probe/text/refusal.h"
#include "probe/text/text_span.h"

#define CONFIG_LINE       1536 /* longest line of words, its end included */
#define CONFIG_TASKS_SIZE 256  /* longest value of tasks=, its end included */
#define CONFIG_STDIN_SIZE (sizeof TASK_SPEC_FILE - 1 + FILE_NAME_SIZE)
#define CONFIG_STACK_MAX  15   /* most callers of a sample, stack= */
#define CONFIG_NOTE_SIZE  64   /* longest text of note=, its end included */

#define CLOCK_RTC    0    /* the value of clock=rtc */
#define CLOCK_RTC_HZ 128u /* the rate of the system clock then */

/* The words, in the order of the table. */
enum config_key {
    CONFIG_TICK, CONFIG_RATE, CONFIG_INTERVAL, CONFIG_SPREAD, CONFIG_SEED, CONFIG_RNG, CONFIG_ARM, CONFIG_DELIVERY,
    CONFIG_COST, CONFIG_CLOCK, CONFIG_NOHZ, CONFIG_SCHED, CONFIG_ACCOUNT, CONFIG_TASKS, CONFIG_STDIN, CONFIG_IDENTITY,
    CONFIG_MONITOR, CONFIG_REGION, CONFIG_THIN, CONFIG_STAMP, CONFIG_STACK, CONFIG_EVENTS, CONFIG_WHEN,
    CONFIG_CLASSES, CONFIG_BUFFER, CONFIG_RECORDS, CONFIG_TIMER, CONFIG_ACCT, CONFIG_SECONDS, CONFIG_SAMPLES,
    CONFIG_WINDOWS, CONFIG_PRECISION, CONFIG_SERIAL,
    CONFIG_SLU, CONFIG_SCREEN, CONFIG_OUTPUT, CONFIG_SHELL, CONFIG_HEALTH, CONFIG_WATCHDOG, CONFIG_EXIT, CONFIG_NOTE,
    CONFIG_KEYS
};

enum config_tick {
    TICK_AUTO, TICK_PIT, TICK_HPET, TICK_LAPIC, TICK_RTC, TICK_PIT_PERIODIC, TICK_CLOCK,
    TICK_SLU, TICK_SLU_TIMEOUT, TICK_NONE
};
enum config_arm { ARM_ABSOLUTE, ARM_RELATIVE };
enum config_delivery { DELIVERY_IRQ, DELIVERY_NMI };
enum config_cost { COST_LIMIT, COST_ANY };
enum config_nohz { NOHZ_OFF, NOHZ_ON };
enum config_sched { SCHED_RR, SCHED_DECAY, SCHED_DECAY_WAKE };
enum config_identity { IDENTITY_NAME, IDENTITY_IMAGE, IDENTITY_TASK };

/*
 * The names of monitor= in the order of their bits, those of a tick's sample first, as enum probe_monitor has them:
 * NAME, name, whether it counts by the account's clock.  counter: it counts by windows beside the probe, as
 * kernel/monitor/software_monitors.h says.
 */
#define CONFIG_MONITORS(first, next, counter) \
    first(SYSTEM, system, false) next(REGION, region, false) next(SAMPLES, samples, false) \
    counter(IDLE, idle, false) next(EVENTS, events, false) counter(INTERCEPT, intercept, true) \
    counter(ACCT, acct, true) next(STATES, states, false) counter(CALLERS, callers, true) \
    counter(PROCSTAT, procstat, false) counter(IDLETASK, idletask, false) counter(PERFCALL, perfcall, true) \
    counter(PROCTABLE, proctable, false) counter(PROFIL, profil, false)
#define MONITOR_NUMBER(NAME, name, accounted) MONITOR_NUMBER_##NAME,
#define MONITOR_BIT(NAME, name, accounted)    MONITOR_##NAME = 1 << MONITOR_NUMBER_##NAME,
enum { CONFIG_MONITORS(MONITOR_NUMBER, MONITOR_NUMBER, MONITOR_NUMBER) };
enum config_monitor { CONFIG_MONITORS(MONITOR_BIT, MONITOR_BIT, MONITOR_BIT) };
#undef MONITOR_NUMBER
#undef MONITOR_BIT
#define MONITOR_TRACED  (MONITOR_EVENTS | MONITOR_STATES) /* what events are recorded for */
#define MONITOR_STACK   (1ull << 32) /* stack= is not 0: of config_monitors() alone, no name of monitor= */
/* that look at each sample, and are not the probe's own */
#define MONITOR_WATCHED (MONITOR_CALLERS | MONITOR_PROFIL | MONITOR_STACK)
#define MONITOR_SAMPLED (MONITOR_SYSTEM | MONITOR_REGION | MONITOR_SAMPLES)
enum config_thin { THIN_OFF, THIN_AUTO };
enum config_stamp { STAMP_US, STAMP_OFF };
enum config_buffer { BUFFER_STREAM, BUFFER_STOP, BUFFER_OVERWRITE, BUFFER_COUNT };
enum config_screen { CONFIG_SCREEN_AUTO, CONFIG_SCREEN_ON, CONFIG_SCREEN_OFF };
enum config_output { OUTPUT_TEXT, OUTPUT_FRAMES };
enum config_shell { SHELL_AUTO, SHELL_ON, SHELL_OFF };
enum config_exit { EXIT_HALT, EXIT_REBOOT, EXIT_QEMU, EXIT_BOCHS };
enum config_health { HEALTH_AUTO, HEALTH_ON, HEALTH_OFF };
enum config_watchdog { WATCHDOG_LEAVE, WATCHDOG_STOP };
enum config_account { CONFIG_ACCOUNT_ON, CONFIG_ACCOUNT_OFF, CONFIG_ACCOUNT_LOG };

/* The value of each word; tick= has two. */
struct config {
    uint64_t tick;        /* enum config_tick */
    uint64_t second_tick; /* of tick=A,B that which comes later in enum config_tick; TICK_AUTO: one source */
    uint64_t rate;        /* Hz, 1 .. 500000 */
    uint64_t interval;    /* enum interval_policy */
    uint64_t spread;      /* full width over T, thousandths, 0 .. 2000 */
    uint64_t seed;        /* 0: auto, else 1 .. 2^63-1 */
    uint64_t rng;         /* enum rng */
    uint64_t arm;         /* enum config_arm */
    uint64_t delivery;
    uint64_t cost;  /* enum config_cost */
    uint64_t clock; /* Hz, 10 .. 1000, or CLOCK_RTC */
    uint64_t nohz; /* enum config_nohz */
    uint64_t sched;
    uint64_t account; /* enum config_account */
    uint64_t identity;
    uint64_t monitor; /* enum config_monitor, or-ed; 0: none */
    uint64_t thin, stamp;
    uint64_t stack;   /* callers of a raw sample in user mode, 0 .. CONFIG_STACK_MAX; 0: none are looked for */
    struct event_specs events;
    struct rule_specs when;
    struct class_spec classes;
    uint64_t buffer;  /* enum config_buffer */
    uint64_t records; /* that the buffer of events holds; 0: what memory allows */
    uint64_t timer;   /* of events=timer, milliseconds; 0: there is none */
    uint64_t acct;      /* seconds between records of the account log, 1 .. 3600 */
    uint64_t seconds;   /* 0: for ever */
    uint64_t samples;   /* 0: no bound */
    uint64_t windows;   /* 1 .. 100000 */
    uint64_t precision; /* thousandths of a point, 50 .. 50000; 0: no bound */
    struct serial_spec serial;
    struct slu_spec slu;
    uint64_t screen; /* enum config_screen */
    uint64_t output;
    uint64_t shell;  /* enum config_shell */
    uint64_t health; /* enum config_health */
    uint64_t watchdog; /* enum config_watchdog */
    uint64_t exit;
    char tasks[CONFIG_TASKS_SIZE]; /* a list of probe/config/task_spec.h; zeros behind it */
    char standard_input[CONFIG_STDIN_SIZE]; /* of stdin=, file:NAME; "": none; zeros behind it */
    char note[CONFIG_NOTE_SIZE];   /* printable, without double quotes; "": none; zeros behind it */
    uint64_t regions;
    struct region_spec region[REGIONS_MAX];
    bool regions_cleared; /* region=none was read: config_merge() forgets the regions of before */
    uint64_t given;       /* config_bit() of each word that was in a line that was read */
};

/* The bit of a word in `given`. */
static inline uint64_t config_bit(enum config_key key)
{
    return 1ull << key;
}

/* Whether the word was in a line that was read; else it has its default. */
static inline bool config_given(const struct config *c, enum config_key key)
{
    return c->given & config_bit(key);
}

/* Whether ticks come as NMI: nothing masks them. */
static inline bool config_via_nmi(const struct config *c)
{
    return c->delivery == DELIVERY_NMI;
}

/* Its monitors: monitor=, and what another word switches on. */
static inline uint64_t config_monitors(const struct config *c)
{
    return c->monitor | (c->stack != 0 ? MONITOR_STACK : 0);
}

/* Set every word to its default. */
void config_default(struct config *c);

/*
 * Read a line of words over `c`; later words win.  Blanks, tabs and line ends separate; `#` begins a comment
 * to the end of its line; double quotes keep a text together, round its value or, as GRUB has it, round the
 * whole word.  False at the first word or value that is unknown or out of range; words before it
 * have been taken.
 */
bool config_parse(struct config *c, const char *line, struct refusal *why);

/* The same of one word, key=value; and of one value. */
bool config_parse_word(struct config *c, struct span word, struct refusal *why);
bool config_set(struct config *c, enum config_key key, struct span value, struct refusal *why);

/* Whether all words together make sense. */
bool config_check(const struct config *c, struct refusal *why);

/*
 * Take over the words that were given in `change`; regions are added to those that are there, unless
 * region=none was given first.  False where these are too many: `c` is then void.
 */
bool config_merge(struct config *c, const struct config *change, struct refusal *why);

/* Whether two have the same value of a word, and of all words.  Which words were given does not count. */
bool config_same(const struct config *a, const struct config *b, enum config_key key);
bool config_equal(const struct config *a, const struct config *b);

/*
 * Write every word with its value, or those of `keys` alone, in that order, the last followed by CONFIG_KEYS;
 * `line` has CONFIG_LINE bytes.
 */
void config_print(const struct config *c, char *line);
void config_print_some(const struct config *c, const enum config_key keys[], char *line);

/* Whether config_print() has room for all words: a tree of classes and eight regions can be too long together. */
bool config_fits(const struct config *c);

/* The name of the value that the word has, e.g. "stratified"; "" where its values have no names. */
const char *config_value_name(const struct config *c, enum config_key key);

/*
 * The first of these words, the last followed by CONFIG_KEYS, that has a value of this name: CONFIG_TICK for
 * lapic.  CONFIG_KEYS: none has.
 */
enum config_key config_key_of_value(const enum config_key keys[], struct span value);

/* The word of this name; CONFIG_KEYS: there is none. */
enum config_key config_key_named(struct span name);

/* The bit (enum config_monitor) of a monitor's name; 0: there is none. */
uint32_t config_monitor_named(struct span name);
