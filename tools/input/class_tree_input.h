/* SPDX-License-Identifier: MIT */
/* Reads the tree of an option --classes, a text or @FILE, or that of the image. */
#pragma once

#include <stdbool.h>

#include "tools/model/stream_model.h"
#include "tools/trace/class_sequence.h"

/* False, with a message, where it cannot be read or is no tree. */
bool class_tree_input(struct class_tree *tree, const char *option);

/* The tree of the classes that the image recorded.  False, with a message, where no HELLO arrived with it. */
bool class_tree_of_image(struct class_tree *tree, const char *path, const struct epoch *e);

/* Say on standard error which states fall to REST, if any do. */
void class_tree_warn_hole(const struct class_tree *tree);

/* Whether all that the tree asks for was known; else say of how many states it was not. */
bool class_tree_was_known(const char *path, const struct class_sequence *s);
