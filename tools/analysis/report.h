/* SPDX-License-Identifier: MIT */
/*
 * What every report needs: reading a file, making the report, its exit code; the options of the
 * table, from the words and the measurements of an epoch; the check of a stream for damage, with
 * its messages.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>

#include "probe/stats/alias.h"
#include "probe/stats/table.h"
#include "tools/base/cli.h"
#include "tools/base/option_rows.h"
#include "tools/model/stream_model.h"
#include "tools/stream/frame_decoder.h"

struct epoch_pass;

/* Prints one report; `arguments` begins with a `const char *path`, as stream_argument sets it. */
typedef int report_maker(void *arguments, const struct frame_decoder *stream, struct model *model);

/*
 * Read the file at `*(const char **)arguments` and make its report: the exit code of the command.
 * EXIT_NO_DATA, with a message, if the file holds no stream; if strict, EXIT_CHECK_FAILED instead
 * of EXIT_DAMAGED.
 */
int report_file(void *arguments, bool strict, report_maker *make);

/* What most reports are asked; a command with options of its own begins its arguments with it. */
struct report_arguments {
    const char *path;
    unsigned long epoch; /* --epoch; 0: not given, which is the last complete one */
    bool json, strict;
    enum samples_depth samples; /* what is to be made of raw samples */
};

/*
 * FILE and --epoch, the second with --json too, for the `shared` of a command:
 * the input is a struct report_arguments.
 */
extern const struct option_set report_text_options, report_json_options;

/* The row of an option --epoch. */
#define REPORT_EPOCH(name, member, what) \
    {name, 0, "N", what, SET_NUMBER(member, 1, ULONG_MAX), .refusal = "an epoch is a number from 1, not '%s'"}
#define REPORT_EPOCH_WHAT "epoch N of the stream, from 1"

/* The `through` of a command that begins its arguments so: its report, by all of them. */
int report_command(const struct subcommand *c, void *arguments);

/* model_find_epoch(), with its rows named. */
struct epoch *report_epoch(const char *path, struct model *m, unsigned long wanted);

/*
 * Whether an epoch has what a report is about, and a rate of its clock;
 * else a message names the word that records it.
 */
bool report_holds(const char *path, const struct epoch *e, bool held, const char *what, const char *word);

/* The options of the table for an epoch: the estimator that its policy allows. */
struct table_options report_options(const struct epoch *e);

/*
 * Report on standard error what is damaged, missing or unfinished in a stream and in the reported
 * epoch.  EXIT_OK if there is nothing to report, else EXIT_DAMAGED.
 */
enum exit_code report_verdict(const char *path, const struct frame_decoder *s,
                              const struct model *m, const struct epoch *e);

/* A report of one epoch that needs its samples, states or events one by one. */

/* Prints one report from a stream that is open; returns the exit code. */
typedef int pass_report_maker(void *arguments, struct epoch_pass *p);

/*
 * Open the stream at `path` and make the report of its epoch (0: the last complete one): the exit code of the
 * command.  EXIT_NO_DATA, with a message, if the file holds no stream or has no such epoch.
 */
int report_pass(const char *path, unsigned long epoch, void *arguments, pass_report_maker *make);

/* As report_command(). */
int pass_command(const struct subcommand *c, void *arguments);

/*
 * Checks what an epoch tells of its ticks against itself, without its schedule: counts that add up, arrivals near
 * their points, a rate that is the words', a plausible threshold of lateness.  `stat` and the other readers tell what
 * fails; `audit` does more.
 */

#define PLAUSIBLE_SENTENCE 200

/* Takes a sentence of what cannot be. */
typedef void plausible_sink(void *context, const char *sentence);

/* One snapshot of the epoch. */
void plausible_head(const struct epoch *e, const struct wire_snapshot *head, plausible_sink *say, void *context);

/* What HELLO and the last complete snapshot tell, without plausible_head(). */
void plausible_epoch(const struct epoch *e, plausible_sink *say, void *context);

/* Both, of the last snapshot: all that a reader of the table should know. */
void plausible_table(const struct epoch *e, plausible_sink *say, void *context);

/*
 * Whether arrivals of ticks in time, clock units after their points, can be; `whose` and `serial` begin the sentence.
 */
void plausible_arrivals(const struct epoch *e, const char *whose, uint64_t serial, int64_t earliest, int64_t latest,
                        plausible_sink *say, void *context);

/*
 * How far before its point a tick may come, clock units: the clock may be off over a one-shot by what makes a tick
 * late, at most.
 */
int64_t plausible_before(const struct epoch *e);

/*
 * How far behind its point a tick in time may come, clock units;
 * INT64_MAX: an NMI that HLT delayed is in time, however late it is.
 */
int64_t plausible_behind(const struct epoch *e);

/* ---- the two sources of an epoch (probe/stats/alias.h) ---- */
struct alias_compare {
    struct table_options options[2];
    struct alias_side side[2];
    struct alias alias;
};

/* False without two tables: there is one source only, or no complete snapshot of one arrived. */
bool alias_compare_make(struct alias_compare *b, const struct epoch *e);

/*
 * One number of a run, by its name: the share of a task, of a mode, of a row of the table, or
 * what was late, missed or lost; in percent.  The axes of pictures that compare runs.  Host only.
 */

/* 0 to 100; low and high are the limits of 95 %.  NaN: not known. */
struct run_quantity {
    double percent, low, high;
};

enum quantity_found {
    QUANTITY_FOUND,
    QUANTITY_NO_ROW,  /* a task that has no row in this run; the value is 0 */
    QUANTITY_UNKNOWN, /* nothing has this name */
};

/*
 * The quantity `name` of an epoch that has a snapshot, whose rows are named: "user", "supervisor",
 * "kernel", "interrupt" (the mode over all rows), "busy" (100 less IDLE), "late" (of the samples),
 * "missed" (of the ticks that were due), "lost" (of the samples), "monitor" (of the window), else
 * the name of a row, as it stands or in capitals, with ":MODE" of that mode alone.  `exact`: from
 * the exact table, which has no limits.
 */
enum quantity_found run_quantity(const struct epoch *e, const char *name, bool exact, struct run_quantity *to);
