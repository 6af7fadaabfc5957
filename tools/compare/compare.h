/* SPDX-License-Identifier: MIT */
/* Declares the comparison of the monitors of one workload: what each says, costs and answers, and how it is shown. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/base/hash_index.h"
#include "tools/base/report_object.h"
#include "tools/model/stream_model.h"
#include "tools/stream/frame_decoder.h"

/*
 * Every monitor of one workload, from one stream or several: what each says of tasks and modes, how
 * finely it sees, how far it is from the truth, what it costs (Thurner, "Performance Measurement
 * Using System Monitors", 2.5).
 */

#define COMPARE_STREAMS 8
#define COMPARE_ROWS    1024       /* of a monitor at most; the last of so many is that of all later tasks, */
#define COMPARE_OTHERS  "(others)" /* and has this name */

enum compare_kind { COMPARE_SAMPLING, COMPARE_ACCOUNT, COMPARE_LOG, COMPARE_EVENTS, COMPARE_IDLE, COMPARE_KINDS };

struct compare_stream {
    const char *path;
    struct frame_decoder stream;
    struct model model;
    struct epoch *epoch;
    uint64_t bytes_of[256]; /* on the line, by type of record */
    bool modelled;
};

/* A task's share, percent of the window without the monitor. */
struct compare_row {
    char name[NAME_SIZE];
    double percent[MODES]; /* NaN where the monitor tells no modes */
    double total;
};

struct compare_monitor {
    const struct compare_stream *from;
    enum compare_kind kind;
    bool hardware;      /* outside of the machine: hwmon */
    bool modes;         /* it tells modes */
    bool tasks;         /* it tells all tasks; else IDLE alone */
    bool sequence;      /* it tells each change, in order */
    char name[48];      /* "sampling, stratified" and so on */
    struct compare_row *row;
    size_t rows;
    struct index row_of; /* by index_key() of the name */
    double step;        /* s: between two samples, between two readings of counters; else a unit of its times */
    double points;      /* half of its widest 95 % interval, or the printed resolution; NaN: not known */
    /* distance of its cells from the truth, points: the greatest, the mean; NaN: it is the truth */
    double off, mean;
    char worst[NAME_SIZE + 16]; /* the cell of the greatest */
    double bytes;       /* a second, on the line or in the file */
    double handler;     /* percent of the window that its handler takes; NaN: not told */
    double records;     /* samples, changes, events, readings: what it took, recorded or lost */
    /* of one, bytes: of what it is and of the time to the one before, zero order; NaN: not known */
    double entropy;
    double each;        /* s that one of them takes; NaN: not known */
    double slows;       /* percent by which the stream's monitors together slow the busiest task; NaN: not known */
};

struct compare {
    struct compare_stream stream[COMPARE_STREAMS];
    unsigned streams;
    struct compare_monitor *monitor;
    size_t monitors;
    double instruction; /* s that one takes, as hwmon measured it; NaN: no stream of hwmon */
    struct compare_stream alone; /* of the same workload without monitors; .epoch is NULL: not given */
    const struct compare_monitor *truth; /* the exact account of hwmon, else the first exact account; NULL: none */
};

/* Read a stream and add its monitors.  False, with a message, if it has no table. */
bool compare_add(struct compare *c, const char *path, unsigned long epoch);

/*
 * Read a stream of the same workload without the monitors, or with hardly a tick.  False, with a message, if it has
 * no exact times.
 */
bool compare_add_alone(struct compare *c, const char *path);

/* After the last stream: find the truth and the distances. */
void compare_finish(struct compare *c);
void compare_free(struct compare *c);

/* The row of a name; NULL: none. */
const struct compare_row *compare_row(const struct compare_monitor *m, const char *name);

/* The share of a mode over all rows, percent; NaN where the monitor tells no modes. */
double compare_mode(const struct compare_monitor *m, enum mode mode);

/* What the files of the comparison of monitors share. */

/* monitor_rows.c: the row of this name, found or made. */
struct compare_row *compare_row_make(struct compare_monitor *m, const char *name);

/* Add to a row; after all of them, make percent of `whole` of the times, and no modes where they are not told. */
void compare_add_time(struct compare_monitor *m, const char *name, enum mode mode, double time);
void compare_make_percent(struct compare_monitor *m, double whole);

/* monitor_kinds.c: add each monitor that the stream has; `epoch` from 1, 0: the last complete one. */
void compare_add_kinds(struct compare *c, const struct compare_stream *from, unsigned long epoch);

/*
 * monitor_cost.c: by how much the monitors slow the workload, and what each of their records takes.
 * After the last stream.
 */
void compare_measure_cost(struct compare *c);

/* monitor_cost.c: part of the window that the tick's handlers take, percent; NaN: not known. */
double compare_handler(const struct epoch *e);

/* What `compare` shows: tables, JSON, the map of monitors. */
struct compare_settings {
    double line;   /* bit/s, ten to a byte */
    double memory; /* bytes */
    unsigned rows; /* tasks that are shown */
};

/* The usages of the paper's Table 1 as tasks, and how far off a monitor's answer is. */
enum compare_usage { USAGE_DEBUGGING, USAGE_LOAD, USAGE_BOTTLENECK, USAGE_MODEL, USAGES };

struct compare_answer {
    bool solved;
    double error; /* points, or s of USAGE_DEBUGGING; NaN: not known */
};

const char *compare_usage_name(enum compare_usage usage);
const char *compare_usage_task(enum compare_usage usage);
struct compare_answer compare_answer(const struct compare *c, const struct compare_monitor *m,
                                     enum compare_usage usage);

void compare_print(const struct compare *c, const struct compare_settings *how);
void compare_print_json(const struct compare *c, const struct compare_settings *how);
extern const struct report_object compare_object;

/* Thurner's Figure 1 with these monitors, for output_to_file(). */
struct compare_picture {
    const struct compare *c;
    const struct compare_settings *how;
};
bool compare_draw(const void *picture, FILE *out);
