/* SPDX-License-Identifier: MIT */
/* Makes a model from a recorded stream: from the bytes of a file to its epochs. */
#pragma once

#include <stdbool.h>

#include "probe/port/port_given.h"
#include "tools/model/stream_model.h"
#include "tools/stream/frame_decoder.h"

/*
 * Decode the file at `path` ("-": standard input) into `m`, which the caller has initialised and frees.  False, with
 * a sentence on standard error, where it cannot be read; what came before that is in the model.
 */
bool model_read(const char *path, struct frame_decoder *s, struct model *m);

/* model_choose(); NULL, with a message, if there is no such epoch. */
struct epoch *model_find_epoch(const char *path, struct model *m, unsigned long wanted);

/* What a port of the core gave of what it can give (docs/PORTING.md), as its HELLO tells. */

struct port_given {
    bool is_port; /* else it is the image, and the rest is false */
    bool gives[PORT_OPTIONALS];
};

struct port_given port_given(const struct epoch *e);

/* The field's name. */
const char *port_optional_name(enum port_optional field);
