/* SPDX-License-Identifier: MIT */
/*
 * The contents of a stream by epoch, made from the decoder's events;
 * all reports read it (docs/PROTOCOL.md, "Epochs" and "Snapshots").
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "probe/config/config.h"
#include "probe/port/port_given.h"
#include "probe/schedule/schedule.h"
#include "probe/stats/snapshot.h"
#include "probe/stats/snapshot_delta.h"
#include "probe/stream/event_decode.h"
#include "probe/stream/wire.h"
#include "probe/survey/survey.h"
#include "tools/base/hash_index.h"
#include "tools/records/changed_code.h"
#include "tools/records/record_store.h"
#include "tools/records/transitions.h"
#include "tools/records/violations.h"
#include "tools/samples/samples.h"
#include "tools/stream/frame_decoder.h"

/* Texts inside the records kept here are copies, printable, ended by a zero. */

struct epoch_name {
    uint32_t id;
    char name[NAME_SIZE];
    uint64_t program; /* number of its program; 0: none, it is part of the image */
};

/* What an epoch tells of its classes of states (monitor=states) besides these, which tools/timeline/ reads. */
struct epoch_states {
    uint64_t frames, runs, bytes; /* that arrived; on the line, with their zeros */
    uint64_t lost, lost_time;     /* by the last of them */
    bool told;                    /* the last frame arrived, which tells how many there were */
};

struct epoch {
    uint64_t id;    /* 0: frames without identifier, before any HELLO */
    struct epoch *second_source; /* the records of its second source, NULL: none; with a HELLO, words and
                             tables of its own, and the END of this one */
    bool second;    /* it is the epoch of a second source */
    unsigned long number; /* in its model, from 1; 0: it is a second source's */
    uint64_t records; /* that arrived, with those of its second source */
    uint64_t first_byte, last_byte; /* where the first and the last of these begin in the stream */
    bool has_hello;   /* its HELLO arrived: `hello` and what follows is known */
    struct wire_hello hello; /* the last one */
    uint64_t hellos;
    bool words_known;        /* the words could be read */
    struct config words;
    struct snapshot *snapshot; /* the last complete one, NULL: none yet; memory for its regions only */
    struct snapshot *whole;    /* the last that arrived whole, the base of deltas, NULL: none yet */
    uint64_t deltas;           /* complete snapshots that arrived as deltas */
    uint64_t baseless;         /* deltas whose base did not arrive: what differs from it is not known */
    bool newest_baseless;      /* the newest snapshot is one of these */
    struct wire_snapshot first_head, last_head; /* of the snapshots that arrived, whole or not */
    uint64_t head_count;       /* how many these are */
    uint64_t serial_most;      /* their highest serial, from 1 */
    uint64_t serials_rising;   /* of these, those with a higher serial than all before */
    uint64_t snapshots;        /* complete ones */
    uint64_t unfinished;       /* snapshots of which parts are missing */
    bool newest_unfinished;    /* the newest snapshot is one of these */
    bool adds_up;              /* the rows of `snapshot` add up to its samples */
    struct violations *violations; /* of the protocol, NULL: none; whole after model_finish() */
    uint64_t heard;            /* the latest time in any record, clock units */
    bool ended;                /* its END arrived */
    uint64_t status;
    char *reason; /* of END */
    struct epoch_name *names;
    struct wire_programs_row *programs;
    size_t name_count, program_count;
    struct index name_of, program_of; /* indexes in names[], programs[] by id, number */
    struct transitions *transitions; /* account=log, NULL: none; the changes themselves are not kept */
    bool events; /* frames of them arrived; the events themselves are not kept */
    uint64_t events_end; /* the highest number behind the last event of a frame */
    struct epoch_states states;  /* monitor=states; the classes themselves are not kept */
    struct changed_code code; /* of tasks that run files */
    struct record_stores kept; /* records that are kept by the roles of their fields */
    struct samples *samples; /* raw ones, NULL: none; whole after model_finish() */
};

/* A snapshot that is being put together from its frames. */
struct assembly {
    bool open, headed;
    bool overflow; /* too many rows or parts for a snapshot, or invalid parts */
    uint64_t serial;
    uint64_t cells, exacts, regions;  /* parts that the head announced */
    uint64_t cells_seen, exacts_seen; /* bit n: part n arrived */
    uint64_t buckets, buckets_seen;   /* rows of its LATENESS frame */
    uint64_t region_parts[REGIONS_MAX]; /* of each region: bit n: part n arrived */
    uint64_t region_whole;              /* bit n: all of region n's parts arrived */
    struct wire_region region_head[REGIONS_MAX]; /* of its first part */
    bool is_delta;
    struct delta_reader delta; /* of a delta, which is written to `snapshot` */
    bool cells_of[SNAPSHOT_ROWS], exact_of[SNAPSHOT_ROWS]; /* the row was in such a frame */
    struct snapshot snapshot; /* rows and regions are cleared when first used */
};

/*
 * Memory limits, in bytes: records whose number grows with the length of a run are kept up to the first, which is
 * some hours of every monitor at one reading a second; epochs and snapshots up to the second.
 * A report holds two models at most.
 */
#define MODEL_RECORDS ((uint64_t)16 << 20)
#define MODEL_KEPT    ((uint64_t)18 << 20)

/* The same of records with the JSON that is made of all of them: 30000 faults of tasks, or 22000 functions. */
#define MODEL_REPORTED ((uint64_t)51 << 20)

struct model {
    struct epoch **epoch; /* none moves while the model is there: views keep pointers into them */
    size_t epochs;
    struct assembly assembly[2]; /* of the last epoch, and of its second source */
    uint64_t kept;   /* bytes of epochs, snapshots and records, */
    uint64_t reported; /* and of the JSON of faults, reports, texts and functions */
    bool skips_samples, skips_changes; /* set before the first event: raw samples, changes of cell are not read */
    enum samples_depth samples; /* the same: what is made of raw samples */
    bool full;       /* MODEL_KEPT is reached: further records are ignored */
    uint64_t replayed; /* of SAMPLES_REPLAY; the samples of the epochs hold its address */
};

void model_free(struct model *m);

/* Take one event of the decoder; events other than records change nothing. */
void model_add_event(struct model *m, const struct stream_event *event);

/* The stream has ended: a snapshot that is still incomplete is dropped. */
void model_finish(struct model *m);

/* The records of this type that are kept by the roles of their fields. */
static inline const struct record_store *epoch_kept(const struct epoch *e, enum wire_type type)
{
    return record_store_of(&e->kept, type);
}

/* Of a record whose heads have keys: the first store whose heads are of this row id; NULL: there is none. */
const struct record_store *epoch_kept_of(const struct epoch *e, enum wire_type type, uint32_t id);

/*
 * Whether it is complete: HELLO, a final snapshot with nothing missing, a good END; the same for its second source.
 */
bool epoch_complete(const struct epoch *e);

/*
 * The epoch of a report: number `wanted` (from 1), or, of 0, the
 * last complete one, else the last with a snapshot, else the last; NULL: none.
 */
struct epoch *model_choose(struct model *m, unsigned long wanted);

/* The name of a row: from the NAMES record, else from the id itself (RADIX-50), else #id. */
void epoch_name_of(const struct epoch *e, uint32_t id, char name[NAME_SIZE]);

/* Name and sort the rows of the snapshot, and of the second source's. */
void epoch_name_rows(struct epoch *e);

/* The policy comes from HELLO's words and is never guessed: without it there are no confidence intervals. */
bool epoch_policy_known(const struct epoch *e);

/* The schedule of the image as it was before the first tick; false: not known. */
bool epoch_schedule(const struct epoch *e, struct schedule *s);

/* Clock units in 65536 units of the schedule: of clock time, or counts of the source. */
uint64_t epoch_unit_65536(const struct epoch *e);

/* Mean interval T and the age of the snapshot, clock units; 0 if not known. */
double epoch_mean(const struct epoch *e);

/* Length of the window of its snapshot, which there must be, s. */
double epoch_window_seconds(const struct epoch *e);
uint64_t epoch_age(const struct epoch *e);

/* The build id of the program of a row, or of the image in all modes but user; NULL: not known. */
const char *epoch_build(const struct epoch *e, uint32_t id, enum mode mode);

/* Whether frames or counts of events arrived (monitor=events). */
bool epoch_has_events(const struct epoch *e);

/* The last counts of events; NULL: none arrived.  How many were recorded, as far as anything tells. */
const struct wire_event_counts *epoch_event_counts(const struct epoch *e);
uint64_t epoch_events_recorded(const struct epoch *e);

/* The meaning of an event that was sent; its class is 0 where the key did not arrive. */
struct event_key epoch_event_key(const struct epoch *e, const struct event_sent *sent);

/* A bit, trace_bit(), of each class of which a key was defined. */
uint32_t epoch_event_classes(const struct epoch *e);

/* Whether calls and services were counted (monitor=callers), and not only stacks of user mode (stack=). */
bool epoch_has_calls(const struct epoch *e);

/* Return addresses of a call stack: how many, and one of them. */
static inline unsigned stack_depth(const struct wire_call_stacks_row *r)
{
    return (unsigned)(r->pcs.length / sizeof(uint64_t));
}
uint64_t stack_pc(const struct wire_call_stacks_row *r, unsigned n);

/* How samples found their callers (stack=); NULL: nothing arrived. */
static inline const struct wire_stack_walks *epoch_walks(const struct epoch *e)
{
    return record_last(epoch_kept(e, WIRE_STACK_WALKS));
}

/* The same in words, "12 whole, 1 cut, ...", valid until the next call; "": nothing arrived. */
const char *epoch_walks_text(const struct epoch *e);

/* Whether walks did not reach the outermost caller, or stacks found no record. */
bool epoch_walks_lost(const struct epoch *e);

/* Put the survey of the machine (tasks=survey) together; false: there is none.  Its texts are those of the epoch. */
bool epoch_survey(const struct epoch *e, struct survey *s);

/* What is added to the addresses of a row's program: not 0 for static-pie. */
uint64_t epoch_program_base(const struct epoch *e, uint32_t id);

/* Makes a model from a recorded stream: from the bytes of a file to its epochs. */

/*
 * Decode the file at `path` ("-": standard input) into `m`, which the caller has initialised and frees.  Where it
 * cannot be read, s->failed, what came before that is in the model.
 */
void model_read(const char *path, struct frame_decoder *s, struct model *m);

/* model_choose(); NULL, with a message, if there is no such epoch. */
struct epoch *model_find_epoch(const char *path, struct model *m, unsigned long wanted);

/* What a port of the core gave of what it can give (docs/PORTING.md), as its HELLO tells. */

struct port_given {
    bool is_port; /* else it is the image, and the rest is false */
    bool gives[PORT_OPTIONALS];
};

struct port_given port_given(const struct epoch *e);

/* Whether its HELLO is a port's. */
static inline bool is_of_port(const struct epoch *e)
{
    return e->has_hello && !strcmp(e->hello.door.bytes, "port");
}

/* The field's name. */
const char *port_optional_name(enum port_optional field);
