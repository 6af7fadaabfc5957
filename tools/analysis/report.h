/* SPDX-License-Identifier: MIT */
/*
 * Declares what every report needs: reading a file, making the report, its exit code; the options of the table,
 * from the words and the measurements of an epoch; the check of a stream for damage, with its messages.
 */
#pragma once

#include <stdbool.h>

#include "probe/stats/table.h"
#include "tools/base/cli.h"
#include "tools/base/option_rows.h"
#include "tools/base/subcommand.h"
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

/* The row of an option --strict. */
#define REPORT_STRICT(member) {"strict", 0, NULL, "exit 4 where damage gives 3", SET_FLAG(member)}

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
