/* SPDX-License-Identifier: MIT */
/*
 * A stream as the reports over time read it (`gantt`, `load`, `trace`, `waits`): the options that
 * they share, the stretch of the run that is shown, and what is told of gaps at the end.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/base/subcommand.h"
#include "tools/stream/stream_reader.h"
#include "tools/timeline/timeline.h"
#include "tools/trace/class_sequence.h"
#include "tools/trace/clock_fit.h"

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

/*
 * Two streams of one run, each by a clock of its own, on one time line: that of the first.  Their events
 * `sync` of equal numbers are the same moments.  Memory does not grow with their length.
 */
struct joined_input {
    struct timeline_input *in[2];
    double hz;              /* of the second stream's clock */
    struct clock_fit clocks;
    struct timeline_item item[2];
    bool has[2];
};

/*
 * Both are open.  Reads both to find out how their clocks run, and begins again; from then on items of the
 * second have times of the first.  False, with a message, where they have no `sync` in common.
 */
bool joined_input_begin(struct joined_input *j, struct timeline_input *first, struct timeline_input *second);

/* The next item of both and the stream that it is from, 0 or 1; below 0 at the end. */
int joined_input_next(struct joined_input *j, struct timeline_item *to);

/* How the clocks run, as a comment. */
void joined_input_print(const struct joined_input *j, FILE *out);

/* The tree of an option --classes: a text, or @FILE. */

/* False, with a message, where it cannot be read or is no tree. */
bool class_tree_input(struct class_tree *tree, const char *option);

/* The tree of the classes that the image recorded.  False, with a message, where no HELLO arrived with it. */
bool class_tree_of_image(struct class_tree *tree, const char *path, const struct epoch *e);

/* Say on standard error which states fall to REST, if any do. */
void class_tree_warn_hole(const struct class_tree *tree);

/* Whether all that the tree asks for was known; else say of how many states it was not. */
bool class_tree_was_known(const char *path, const struct class_sequence *s);
