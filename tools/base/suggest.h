/* SPDX-License-Identifier: MIT */
/* A choice on the command line, and which one was meant by what is none. */
#pragma once

#include <argp.h>

#include "probe/text/nearest.h"

/* The index of `text` among `choices`, "a|b|c"; otherwise argp_error() names them, and the nearest.  Host. */
unsigned suggest_choice(const char *text, const char *choices, const struct argp_state *state);
