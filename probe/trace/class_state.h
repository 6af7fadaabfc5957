/* SPDX-License-Identifier: MIT */
/* The class of a state of the machine (probe/trace/machine_state.h) in a tree.  Any context, host. */
#pragma once

#include <stdint.h>

#include "probe/trace/class_tree.h"
#include "probe/trace/machine_state.h"

/* What has to be known of a state for its class and its attribute in this tree: enum state_known. */
unsigned class_state_needs(const struct class_tree *tree);

/*
 * The leaves that a state leaves open.  `task` is what class_tree_task() gives for the name of its task.  The
 * tick's handler belongs to no task, and masks interrupts.
 */
uint64_t class_state_open(const struct class_tree *tree, const struct machine_state *state, unsigned task);

/*
 * What is recorded beside the class: row id, number of the call (CLASS_NONE: none), value of the user event; else 0.
 */
uint64_t class_state_attribute(const struct class_leaf *leaf, const struct machine_state *state);
