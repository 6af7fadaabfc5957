/* SPDX-License-Identifier: MIT */
/*
 * A stream as the reports over time read it (`gantt`, `load`, `trace`, `waits`): the options that
 * they share, the stretch of the run that is shown, and what is told of gaps at the end.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/analysis/profile.h"
#include "tools/base/option_rows.h"
#include "tools/model/stream_model.h"
#include "tools/stream/frame_decoder.h"
#include "tools/stream/stream_reader.h"
#include "tools/symbols/symbol_resolver.h"
#include "tools/timeline/timeline.h"
#include "tools/trace/class_sequence.h"
#include "tools/trace/item_filter.h"

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

/*
 * One run as `diff` and `time` read it: a stream, the selected epoch, the profile of one task in
 * it, and its names.
 */

/* The part of a run that is reported: the options that `histogram` has too. */
struct run_selection {
    const char *task; /* NULL: choose */
    enum mode mode;   /* MODES: choose */
    bool all_modes;
    uint64_t low, high; /* [low, high); both 0: all addresses */
    bool strict;
};

/* These options; the input is a struct run_selection. */
extern const struct option_set run_selection_options;

/* Resolve the selection in an epoch; false, with a message, if there is no such task. */
bool run_selection_resolve(const struct epoch *e, const struct run_selection *q, struct profile_request *to);

/* False, with a message, if addresses were requested and all hits are elsewhere. */
bool run_input_has_hits(const char *path, const struct profile *p);

struct run_input {
    const char *path;
    unsigned long wanted; /* epoch; 0: the last complete one */
    struct symbol_resolver naming; /* begun by the caller, who adds what the user named */
    struct frame_decoder stream;
    struct model model;
    struct epoch *epoch;
    struct profile profile;
    struct breakdown rows;
    bool named_well, profiled, broken_down;
};

/* Read, profile and break down by `by`.  False, with a message, if that is impossible: EXIT_NO_DATA. */
bool run_input_open(struct run_input *s, const struct run_selection *q, enum breakdown_by by);
void run_input_free(struct run_input *s);

/* Task and mode, as "task ROGUE, user mode".  Valid until the next call. */
const char *run_input_label(const struct run_input *s);

/* Warn if no file names the profiled code. */
void run_input_warn_unnamed(const struct run_input *s);

/*
 * Report what is damaged or incomplete: EXIT_OK, EXIT_DAMAGED or, if strict, EXIT_CHECK_FAILED,
 * which also results from a named file that is not what ran.
 */
int run_input_verdict(const struct run_input *s, bool strict);
