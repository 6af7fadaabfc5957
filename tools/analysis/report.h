/* SPDX-License-Identifier: MIT */
/*
 * What every report needs: the way from a file to a report and its exit code, the
 * options of the table from the words and the measures of an epoch, and the verdict
 * on a stream with its sentences.
 */
#ifndef TOOLS_ANALYSIS_REPORT_H
#define TOOLS_ANALYSIS_REPORT_H

#include <argp.h>
#include <stdbool.h>

#include "probe/stats/table.h"
#include "tools/base/cli.h"
#include "tools/model/stream_model.h"
#include "tools/stream/frame_decoder.h"

/* Prints one report; `arguments` begins with its `const char *path`, as parse_file_argument() has it. */
typedef int report_maker(void *arguments, const struct frame_decoder *stream, struct model *model);

/*
 * Read the file at `*(const char **)arguments` and make its report: the exit code of
 * the command.  EXIT_NO_DATA, with a sentence, where the file holds no stream;
 * strictly, EXIT_CHECK_FAILED instead of EXIT_DAMAGED.
 */
int report_file(void *arguments, bool strict, report_maker *make);

/* What report_command() gives to its maker. */
struct report_arguments {
    const char *path;
    unsigned long epoch; /* --epoch; 0: not said */
};

/* A command whose one argument is FILE and whose one option is --epoch: parse, and report_file(). */
int report_command(int argc, char **argv, const char *doc, report_maker *make);

/* The N of an option --epoch, from 1; else the end, by argp_error(). */
unsigned long report_parse_epoch(const char *text, struct argp_state *state);

/* model_choose(); NULL, with a sentence: there is none. */
struct epoch *report_choose(const char *path, struct model *m, unsigned long wanted);

/* The same, with its rows named. */
struct epoch *report_epoch(const char *path, struct model *m, unsigned long wanted);

/* The options of the table for an epoch: the estimator that its policy allows. */
struct table_options report_options(const struct epoch *e);

/*
 * Say on standard error all that is damaged, missing or unfinished in a stream
 * and in the epoch reported; EXIT_OK where there is nothing to say, else
 * EXIT_DAMAGED.
 */
enum exit_code report_verdict(const char *path, const struct frame_decoder *s,
                              const struct model *m, const struct epoch *e);

#endif
