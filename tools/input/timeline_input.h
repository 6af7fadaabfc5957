/* SPDX-License-Identifier: MIT */
/*
 * Declares a stream as the reports over time read it (`gantt`, `load`, `trace`, `waits`): the options that they
 * share, the stretch of the run that is shown, and what is told of gaps at the end.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tools/base/option_rows.h"
#include "tools/base/subcommand.h"
#include "tools/timeline/timeline.h"

struct timeline_input {
    const char *path; /* first: stream_argument sets it */
    unsigned long epoch;
    bool follow;                     /* wait for more: as in struct timeline_request */
    double from_seconds, to_seconds; /* 0: not given */
    struct timeline *timeline;
    double hz;                       /* clock units in a second, above 0 */
    int64_t from, to;                /* the stretch that is shown, clock units since start; from < to */
};

/* FILE, --epoch, --from and --to, for the `shared` of a command: the input is a struct timeline_input. */
extern const struct option_set timeline_options;

/*
 * A command over time: it shares timeline_options, its arguments begin with a struct timeline_input, and its `run` is
 * called with the stream open.
 */
int timeline_command(const struct subcommand *c, void *arguments);

/*
 * Open the stream.  False, with a message, if it tells nothing over time.  `from` and `to` are what
 * was asked for; without a limit INT64_MIN and INT64_MAX.
 */
bool timeline_input_open(struct timeline_input *in);

/*
 * Where --from or --to was not given: read the whole stream once to find out where it begins and
 * ends, and begin again.  False, with a message, if nothing is between.
 */
bool timeline_input_limits(struct timeline_input *in);

/*
 * The same where the begin and the end of what there is are known;
 * false, with a message, if --from and --to leave nothing.
 */
bool timeline_input_within(struct timeline_input *in, int64_t begin, int64_t end);

/* The next item that is whole in the stretch; false at the end. */
bool timeline_input_next(const struct timeline_input *in, struct timeline_item *item);

/* Seconds since the image started. */
double timeline_seconds(const struct timeline_input *in, int64_t time);

/* Report what is damaged or missing: EXIT_OK or EXIT_DAMAGED. */
int timeline_input_report(const struct timeline_input *in);
