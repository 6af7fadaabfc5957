/* SPDX-License-Identifier: MIT */
/*
 * Adds up the time in each class of a tree of states outside of the machine (probe/trace/class_tree.h), and how
 * often it was entered.  Nothing is recorded of the single change.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "probe/trace/class_tree.h"
#include "probe/trace/machine_state.h"

struct class_sums {
    uint64_t time[CLASS_CODES];    /* ns */
    uint64_t entered[CLASS_CODES];
};

struct class_time {
    bool on;
    struct class_tree tree;
    unsigned code; /* of the state; CLASS_CODES: none yet */
    bool paused;
    struct class_sums now, closed; /* since the window began; when it was closed last */
};

/*
 * Take a tree, as text or as @FILE; `known` is what is known of each state, enum state_known.  False, with what is
 * wrong in `why` of `size` bytes.
 */
bool class_time_begin(struct class_time *c, const char *text, unsigned known, char *why, size_t size);

/* The machine was in this state for so long, its task has this name. */
void class_time_add(struct class_time *c, const struct machine_state *state, const char *task, uint64_t time);

/* A window begins; it is closed. */
void class_time_open(struct class_time *c);
void class_time_close(struct class_time *c);

/* Write a line for each class that occurred: class LETTER NAME NS TIMES */
void class_time_report(FILE *file, const struct class_time *c);
