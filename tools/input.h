/* SPDX-License-Identifier: MIT */
/*
 * A recorded stream, from a file or from standard input, through the decoder.
 */
#ifndef TOOLS_INPUT_H
#define TOOLS_INPUT_H

#include <argp.h>
#include <stdbool.h>

#include "tools/epochs.h"
#include "tools/stream.h"

/* argp's parser of the one FILE; state->input begins with its `const char *`. */
error_t input_parse(int key, char *text, struct argp_state *state);

/*
 * Decode the file at `path` ("-": standard input) from its start to its end,
 * giving each event to `take`.  False, with a sentence on standard error, where
 * it cannot be read; what came before that has been given.
 */
bool input_decode(const char *path, struct stream *s,
                  void (*take)(void *context, const struct stream_event *event),
                  void *context);

/* The same into a model. */
bool input_model(const char *path, struct stream *s, struct model *m);

/*
 * Say what hinders, where a stream gave no intact frame or speaks another
 * version: true, with a sentence.
 */
bool input_is_void(const char *path, const struct stream *s);

#endif
