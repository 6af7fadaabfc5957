/* SPDX-License-Identifier: MIT */
/* Makes a model from a recorded stream: from the bytes of a file to its epochs. */
#pragma once

#include <stdbool.h>

#include "tools/model/stream_model.h"
#include "tools/stream/frame_decoder.h"

/*
 * Decode the file at `path` ("-": standard input) into `m`, which the caller has initialised and frees.  False, with
 * a sentence on standard error, where it cannot be read; what came before that is in the model.
 */
bool model_read(const char *path, struct frame_decoder *s, struct model *m);

/* model_choose(); NULL, with a message, if there is no such epoch. */
struct epoch *model_find_epoch(const char *path, struct model *m, unsigned long wanted);
