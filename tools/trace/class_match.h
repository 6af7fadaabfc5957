/* SPDX-License-Identifier: MIT */
/*
 * Searches a sequence of classes for a regular expression (PCRE2), as Thurner (3.2, figure 6) does with "5
 * [1]+9".  Each run is one letter, so that `[1]+` is one or more changes into 1 and {n} counts changes. Blanks
 * mean nothing.  Constant memory: a window of the sequence.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tools/trace/class_sequence.h"

#define CLASS_SPAN 65536u /* changes that a match spans at most */

/* A place where the expression matches. */
struct class_hit {
    const struct class_run *run; /* its runs, in order; valid during the call */
    size_t runs;
};

struct class_match;

/* Compile an expression.  NULL, with a sentence in `why`, which has `size` bytes, where it is none. */
struct class_match *class_match_new(const char *expression, void (*hit)(void *context, const struct class_hit *hit),
                                    void *context, char *why, size_t size);
void class_match_free(struct class_match *m);

/* The sequence: these are for a struct class_receiver, whose context is the match. */
void class_match_run(void *match, const struct class_run *run);
void class_match_cut(void *match);

/* The sequence ends. */
void class_match_end(struct class_match *m);

/*
 * NULL; or why the search was given up: a match that is too long or too much work.
 * From number `at` on nothing was searched.
 */
const char *class_match_given_up(const struct class_match *m, uint64_t *at);
