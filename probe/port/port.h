/* SPDX-License-Identifier: MIT */
/* What a struct cpuprobe holds, for the files of this room. */
#pragma once

#include "probe/core/one_shot_way.h"
#include "probe/core/probe.h"
#include "probe/port/cpuprobe.h"
#include "probe/stats/snapshot_frames.h"
#include "probe/stream/wire.h"

#define PORT_RATE 500u /* Hz, where the options say none */

enum port_phase {
    PORT_IDLE,  /* no tick is expected */
    PORT_SHOT,  /* a one-shot of the calibration */
    PORT_TRIAL, /* ticks of the calibration */
    PORT_RUNS,
    PORT_ENDED  /* END was sent */
};

/* What cannot be where port and kernel are right, as ticks find it. */
#define PORT_DOUBTS(D)                                                                                        \
    D(CLOCK_BACK, "port.clock went back: where it begins again after 2^32, port.clock_bits is 32")            \
    D(TICK_AGAIN, "cpuprobe_tick() is called right after a tick, of which the source is no cause: is it "     \
                  "called twice for one interrupt?")                                                          \
    D(TICK_EARLY, "ticks come before half of their one-shot is over: port.clock stands still meanwhile (in "  \
                  "a halt?), or another armed the source")                                                    \
    D(ACCOUNT_FULL, "options.account has too few rows: the time of tasks without one is in ENDED")            \
    D(SOURCE_SHARED, "most switches of tasks come right behind a tick: its source drives the kernel too, "    \
                     "and shares are off by points; port.shared, or options.policy exponential, cures it")
enum port_doubt {
#define PORT_DOUBT(name, sentence) PORT_##name,
    PORT_DOUBTS(PORT_DOUBT)
#undef PORT_DOUBT
    PORT_DOUBT_KINDS
};

/* The last name of the task in the record of the same number. */
struct port_name {
    uint32_t id;
    char text[NAME_SIZE];
};

/* What cpuprobe_begin() measures, clock units; and what the words say. */
struct port_facts {
    uint64_t clock_hz, per_65536; /* clock units in 65536 counts */
    uint64_t counts_q32;          /* counts in a clock unit, 32.32 */
    struct one_shot_way to;
    uint64_t handler, lead;       /* as in HELLO */
    uint64_t exit;                /* from the reading of the clock before the arming to the return, clock units */
    uint64_t mean;                /* counts, 48.16 */
    uint64_t seed;
    uint64_t stamp;               /* clock units in a unit of the times of raw samples; 0: there are none */
    uint32_t minimum, rate;       /* counts; Hz */
    enum interval_policy policy;
};

struct port_account;
struct port_commands;
struct port_samples;
struct port_events;

/* What the tasks of the known load have done in this epoch. */
struct port_load {
    uint32_t loops;              /* in a unit of work; 0: not measured */
    uint64_t time;               /* clock units that the units of CPUPROBE_OFF took */
    struct port_load_task {
        uint32_t task, mode, units;
    } of[CPUPROBE_PARTS]; /* units 0: it was not called */
};

struct cpuprobe {
    struct probe probe; /* first: copy_exact_rows() finds the rest by it */
    struct cpuprobe_port port;
    struct cpuprobe_options options;
    struct port_facts facts;
    volatile uint32_t phase; /* enum port_phase */

    /* The tick's. */
    uint64_t due;              /* clock units */
    uint64_t target;           /* clock units: when the tick is due, of which a piece is armed; 0: none is */
    uint64_t armed, seen;      /* clock units: the length of that one-shot; the end of the last tick's handler */
    uint64_t soon;             /* clock units behind a tick in which a switch is its doing */
    volatile uint32_t doubt[PORT_DOUBT_KINDS]; /* ticks that found it so */
    uint32_t switches, behind; /* of tasks: all that are told; those of them soon after a tick */
    uint64_t last;             /* a source without arm(): its last tick */
    volatile uint64_t fired;   /* a one-shot, or a tick of the source's own: the clock at its handler; 0: not yet */
    volatile uint32_t trials;  /* ticks of the calibration so far */
    uint64_t handler, lead, exit; /* the sums of theirs */

    /* The task's. */
    uint64_t start, shown, asked; /* clock units: time 0; last snapshot; when a tick was asked to close the window */
    uint64_t epoch, serial;
    uint32_t dropped;          /* frames that write() had no room for */
    struct wire_sent sent;     /* frames of the epoch */
    bool waits, ending;        /* for a tick that closes; for the end */
    bool doubted[PORT_DOUBT_KINDS]; /* told */
    bool changing;             /* a command was accepted that begins another epoch */
    struct port_account *account;   /* NULL: none */
    struct port_commands *commands; /* NULL: none, as the next two */
    struct port_samples *samples;
    struct port_events *events;
    struct port_name name[SYSTEM_RECORDS];
    struct port_load load;
    struct snapshot_row row;   /* the one that is being sent */
    struct wire_writer frame;
    uint8_t encoded[WIRE_FRAME_MAX];
};

/* Why the arguments of cpuprobe_init() cannot be used; NULL: they can. [T] */
const char *port_check(const void *memory, size_t size, const struct cpuprobe_port *p,
                       const struct cpuprobe_options *o);

/* The policy that is asked for; INTERVALS: there is no such. [T] */
enum interval_policy port_policy(const struct cpuprobe_port *p, const struct cpuprobe_options *o);

/* Measure; NULL or a sentence. [T] */
const char *port_measure(struct cpuprobe *c);

/* A task as its kernel names it, or the largest id where none can have this one. [A] */
uint32_t port_checked_task(uint32_t task);

/*
 * Arm the source for a time, clock units, or a piece of the way there;
 * or take it that it ticks by itself.  Interrupts off.
 */
void port_arm(struct cpuprobe *c, uint64_t time);

/* Arm the source for so many counts, and note when they are over for a time in counts.  Interrupts off. */
void port_start(struct cpuprobe *c, uint32_t counts);

/* What the options say, for the facts. [T] */
void port_set_facts(struct cpuprobe *c);

/* Another task runs from this time on.  Interrupts off. */
void port_note_switch(struct cpuprobe *c, uint64_t now);

/* What ticks of this window have found that cannot be: the sentence with which it ends; NULL: it goes on. [T] */
const char *port_tell_doubts(struct cpuprobe *c);

/* Begin a window and its epoch, with the facts as they are; NULL, or why the schedule cannot be kept. [T] */
const char *port_begin_epoch(struct cpuprobe *c);

/*
 * A schedule of the facts, by this policy and at this rate, Hz: points in clock time, or the periods of a source that
 * ticks by itself.  NULL, or why it cannot be kept.  The second puts it in force, where no window is open. [T]
 */
const char *port_plan(const struct cpuprobe *c, enum interval_policy policy, uint32_t rate, struct schedule *to);
const char *port_schedule(struct cpuprobe *c, enum interval_policy policy, uint32_t rate);

/* ---- frames [T] ---- */

void port_send(struct cpuprobe *c, enum wire_type type, const void *head);
void port_send_frame(void *probe, struct wire_writer *frame); /* of a struct cpuprobe */
void port_send_text(struct cpuprobe *c, bool warning, struct wire_text text);
void port_send_hello(struct cpuprobe *c);
void port_send_snapshot(struct cpuprobe *c, bool final);
void port_make_room(struct cpuprobe *c);
void port_retire_silent(struct cpuprobe *c); /* before a snapshot is asked for */
void port_send_end(struct cpuprobe *c, bool complete, const char *reason);

/* The known load begins from nothing, but for the length of a unit. */
void port_load_begin(struct cpuprobe *c);
void port_send_load(struct cpuprobe *c); /* nothing where it does not run */

/* ---- the account (port_account.c) ---- */

/* Lay it down in the memory of the options. [T] */
void port_account_init(struct cpuprobe *c);

/* From here on times count; the cell in force stays.  Interrupts off. */
void port_account_begin(struct cpuprobe *c, uint64_t now);

/* Whether its task is the one that runs, as the account was told. [T] */
bool port_account_runs(const struct cpuprobe *c, uint32_t id);

/* Rows of the closed window; id 0 and NULL: the place is empty. [T] */
uint32_t port_account_rows(const struct cpuprobe *c);
const struct account_row *port_account_row(const struct cpuprobe *c, uint32_t number, uint32_t *id);
const struct account_row *port_account_of(const struct cpuprobe *c, uint32_t id);

/* Add the times of a task that ended to those of ENDED.  Interrupts off. */
void port_account_retire(struct cpuprobe *c, uint32_t id);

/* ---- raw samples (port_samples.c) and events (port_events.c): nothing where there is no memory for them [T] ---- */

/* Lay them down in the memory of the options. */
void port_samples_init(struct cpuprobe *c);
void port_events_init(struct cpuprobe *c);

/* A window begins, with the facts and the schedule as they are: before its first tick, and behind it. */
void port_samples_begin(struct cpuprobe *c);
void port_events_begin(struct cpuprobe *c);

/* Send full frames; all that is there; the rest of the window, which is closed. */
void port_samples_poll(struct cpuprobe *c);
void port_events_poll(struct cpuprobe *c);
void port_samples_flush(struct cpuprobe *c);
void port_events_flush(struct cpuprobe *c);
void port_samples_end(struct cpuprobe *c);
void port_events_end(struct cpuprobe *c);

/* ---- commands (port_commands.c) [T] ---- */

void port_commands_init(struct cpuprobe *c);
void port_commands_poll(struct cpuprobe *c);

/*
 * Whether another epoch can begin with what the options say now; and begin it, the window before being closed.
 * NULL, or a sentence. [T]
 */
const char *port_try_restart(struct cpuprobe *c);
const char *port_restart(struct cpuprobe *c);
