/* SPDX-License-Identifier: MIT */
/*
 * Reads one run as `diff` and `time` do: a stream, the selected epoch, the profile of one task in it, and its
 * names.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tools/analysis/breakdown.h"
#include "tools/analysis/profile.h"
#include "tools/base/option_rows.h"
#include "tools/model/stream_model.h"
#include "tools/stream/frame_decoder.h"
#include "tools/symbols/symbol_resolver.h"

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
