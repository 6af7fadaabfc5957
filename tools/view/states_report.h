/* SPDX-License-Identifier: MIT */
/* Declares what `cpuprobe states` found, and shows it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/base/report_object.h"
#include "tools/input/timeline_input.h"
#include "tools/samples/entropy.h"
#include "tools/trace/class_sequence.h"
#include "tools/trace/durations.h"

/* Hits that are listed without --hits. */
#define STATES_HITS 10

/* One place where the expression matched. */
struct states_hit {
    uint64_t number;      /* of its first change */
    int64_t begin, end;   /* clock units since start */
    int64_t time;         /* less than end - begin where another task ran between (--of) */
    uint64_t changes;
};

struct states {
    const struct timeline_input *in;
    const struct class_tree *tree;
    struct class_sequence sequence;
    struct duration_histogram of[CLASS_CODES]; /* runs of each class */
    int64_t total;                    /* of all of them, clock units */
    struct class_match *match;        /* NULL: no --match */
    bool own_tree;                    /* --classes gave it; else it is the image's, or the default */
    const char *expression, *task;    /* as given; NULL: not given */
    bool all_hits;                    /* print each hit as it is found */
    bool json;
    struct duration_histogram hits;
    /* of all changes: classes; lengths in clock units and microseconds */
    struct entropy_tally codes, lengths, lengths_us;
    struct states_hit first[STATES_HITS];
    struct class_run *shown;          /* the runs of the hit to be drawn; NULL: none */
    size_t shown_runs;
    uint64_t show;                    /* number of that hit, from 1; 0: none */
};

/* As text or as JSON: a hit when it is found; then shares of the classes, or all hits. */
void states_print_hit(const struct states *s, uint64_t number, const struct states_hit *hit);
void states_print(const struct states *s);
extern const struct report_object states_hit_object, states_object;

/* The tree with its shares (Thurner, figure 7), in the terminal and as SVG. */
void states_print_tree(const struct states *s, bool ascii);
bool states_svg_tree(const void *states, FILE *out);
