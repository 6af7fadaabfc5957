/* SPDX-License-Identifier: MIT */
/*
 * The guest as hwmon follows it: instructions executed and virtual time, the running task, its
 * ring, and what is charged with the time.  Called from QEMU's callbacks, in the order of execution.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "probe/core/mode.h"
#include "probe/core/samples.h"
#include "probe/core/system_monitor.h"
#include "probe/schedule/schedule.h"
#include "probe/stats/snapshot.h"
#include "probe/stream/event_encode.h"
#include "probe/stream/sample_encode.h"
#include "probe/stream/wire.h"
#include "tools/hwmon/event_monitor.h"
#include "tools/hwmon/guest.h"

/*
 * Samples at moments of virtual time: the schedule of the image's own tick, without a tick.
 * Equidistant is interval=fixed; the other policies are stochastic.
 */

/* What a snapshot tells of the samples so far. */
struct sampler_state {
    struct system_monitor hits;
    uint64_t ticks;
    uint64_t first;     /* time of the first sample, ns; 0: none */
    uint64_t generator; /* after the interval to the last sample */
    uint64_t intervals; /* their sum, ns */
};

struct sampler {
    struct schedule_request request;
    struct schedule schedule;
    struct sampler_state state;
    uint64_t due;               /* of the next sample, in the caller's time */
    struct sample_record *kept; /* since the last close */
    size_t count;
};

/* NULL, or the sentence that says why the schedule cannot be kept. */
const char *sampler_init(struct sampler *s, const struct schedule_request *request);

/* Begin at this time with the schedule's first interval; what was kept is dropped. */
void sampler_begin(struct sampler *s, uint64_t time);

/* Take the sample that is due, and fix the time of the next; `sample.time` is what the stream tells. */
void sampler_take(struct sampler *s, const struct sample *sample);

/* The samples as lines of text, each with its opcode and the address of its data. */

struct sample_list {
    FILE *file; /* NULL: no list is wanted */
};

/* False, with a message, if the file cannot be written. */
bool sample_list_open(struct sample_list *list, const char *path);

/* One sample; `accessed`: the instruction has read or written memory in this execution. */
void sample_list_add(struct sample_list *list, const struct sample *s, const char *task,
                     const struct insn *insn, bool accessed);

/*
 * What hwmon found, as an epoch of the stream (docs/PROTOCOL.md): HELLO, raw samples, snapshots
 * with sampled and exact rows, HEALTH, END.  Times are nanoseconds of virtual time.
 */

/* The exact half of a window, ns. */
struct window {
    uint64_t begin, end;
    uint64_t monitor;  /* of the handlers that are nobody's */
    uint64_t halted;   /* in HLT, of any task */
    uint64_t halts;    /* how often */
    uint64_t changes;  /* of task, ring or handler */
    uint64_t executed; /* instructions */
};

struct epoch_writer {
    struct stream *stream;
    const char *build;    /* of the guest, hexadecimal; may be empty */
    const struct options *options;
    const char *missing;  /* what could not be done, for people; may be empty */
    uint64_t id;          /* of the epoch */
    bool begun;           /* HELLO was sent */
    uint64_t unit;        /* of the times of events, ns */
    struct sample_encoder encoder;
    struct event_encoder event_encoder;
    uint64_t changes;     /* sent so far */
    uint64_t running;     /* row id of the task that ran when the window began */
    struct snapshot snapshot; /* the last one */
    struct window window;     /* and its window */
};

/* What was recorded since the last close: it is sent, and empty afterwards. */
struct recorded {
    const struct task_table *tasks;
    struct sampler *sampler;
    struct change_log *log;
    struct event_monitor *events;
};

/*
 * A window was closed: send what was recorded since the last one, and a snapshot.  The first call of
 * an epoch sends HELLO.
 */
void epoch_close(struct epoch_writer *e, const struct window *w, const struct recorded *from);

/* The epoch is over: the last snapshot again, as the final one, and END; nothing if none was sent. */
void epoch_end(struct epoch_writer *e, const struct recorded *from);

/* The stream's file: frames in order, numbered. */

struct stream {
    FILE *file;
    const char *path;
    struct wire_sent sent; /* of the epoch in force */
    bool failed; /* a write did, and was told */
};

/* False, with a message, if the file cannot be written. */
bool stream_open(struct stream *s, const char *path);

/* Send a frame; one that is too long is a mistake of ours and ends QEMU. */
void stream_send(struct stream *s, struct wire_writer *frame);
void stream_send_head(struct stream *s, enum wire_type type, const void *head);

/* Send how many frames the epoch has so far. */
void stream_send_counts(struct stream *s, uint64_t epoch);

/* Flags of a block. */
#define BLOCK_INTERRUPT 1u /* its first instruction is the entry of an interrupt handler */
#define BLOCK_MONITOR   2u /* the same of a handler whose time is nobody's */
#define BLOCK_RETURNS   4u /* its last instruction is IRET */
#define BLOCK_HALTS     8u /* its last instruction is HLT */

/* What of each state, enum state_known; with ranges KNOWN_USER too. */
#define MACHINE_KNOWN (KNOWN_TASK | KNOWN_MODE | KNOWN_NESTING)

struct task_state {
    uint64_t address;   /* what the word of the running task held */
    struct task *task;
    bool interrupted;   /* in a handler, from its entry to IRET */
    unsigned range;     /* that its code was in last, as of a block */
    unsigned vector;    /* of that handler, plus 1; 0: not known */
};

struct machine {
    uint64_t executed; /* instructions; the translated code adds */
    struct qemu qemu;
    const struct block *block;               /* the last one begun; NULL: none yet */
    uint64_t block_executed, block_time;     /* when it began */
    uint64_t due;                            /* when the next sample is, virtual time; UINT64_MAX: none */
    uint64_t last;                           /* up to here time is charged */
    struct task_table tasks;
    struct task_state *state;                /* of the tasks seen, by address */
    size_t states;
    struct task_state *running, *next;       /* next: from the switch on */
    bool no_tasks;                           /* none is ever told: HLT is row IDLE, all else one row */
    unsigned ring;
    unsigned range;     /* of the code that is executed, as of a block; UINT_MAX: not told yet */
    bool in_monitor, open, ranges; /* ranges: there are some */
    uint64_t monitored;                      /* time of `monitor` since the start */
    struct window window;
    struct sampler sampler;
    struct sample_list list;
    struct change_log log;
    struct class_time classes;   /* where it is on */
    struct event_monitor events; /* where it is not on, no event is recorded */
    uint64_t alarm;                          /* virtual time of the next call of `ring_alarm`; UINT64_MAX: none */
    void (*ring_alarm)(void *context);
    void *context;
};

void machine_init(struct machine *m);

/* A block begins.  Cheap where nothing changes. */
void machine_block(struct machine *m, const struct block *b);

/* The word of the running task holds `address` now, the name of that task is `name`. */
void machine_next_task(struct machine *m, uint64_t address, const char *name);

/* The task stored last runs from here on. */
void machine_switch(struct machine *m);

/* A window begins here: all counts are 0. */
void machine_open(struct machine *m);

/* An event point is reached, its value is `value`. */
void machine_event(struct machine *m, struct event_point *point, uint64_t value);

/* Charge the time up to here, so that window, tasks and log can be read. */
void machine_settle(struct machine *m);
