/* SPDX-License-Identifier: MIT */
/* What a port of the core gave of what it can give (docs/PORTING.md), as its HELLO tells. */
#pragma once

#include <stdbool.h>

#include "probe/port/port_given.h"
#include "tools/model/stream_model.h"

struct port_given {
    bool is_port; /* else it is the image, and the rest is false */
    bool gives[PORT_OPTIONALS];
};

struct port_given port_given(const struct epoch *e);

/* The field's name. */
const char *port_optional_name(enum port_optional field);
