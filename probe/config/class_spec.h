/* SPDX-License-Identifier: MIT */
/*
 * The value of classes=: the tree of monitor=states (probe/trace/class_compiler.h), without blanks, or a name.  Only
 * its characters are checked here: a compiled tree is too large for the stack of a reader of words.  Any context.
 */
#pragma once

#include <stdbool.h>

#include "probe/text/text_buf.h"
#include "probe/text/text_span.h"

#define CLASS_VALUE_SIZE 320 /* longest value, its end included: a line of 511 characters has room for it */
#define CLASS_SPEC_CELLS "cells" /* the tree of the cells of the exact table, class_tree_default */
#define CLASS_SPEC_ALLOWED \
    "cells, or a tree of at most 319 characters: [CLASS=][PARENT.]NAME:CONDITION[@ATTRIBUTE], commas between"

struct class_spec {
    char text[CLASS_VALUE_SIZE]; /* as given; zeros behind it */
};

/* Read a value; *s changes only if it can be one. */
bool class_spec_parse(struct class_spec *s, struct span value);

/* Append it in the form that is read. */
void class_spec_put(struct text_buf *out, const struct class_spec *s);

/* The text of the tree. */
const char *class_spec_tree(const struct class_spec *s);
