/* SPDX-License-Identifier: MIT */
/* Reads a choice on the command line, and tells which one was meant by what is none. */
#pragma once

#include <argp.h>

/* The index of `text` among `choices`, "a|b|c"; otherwise argp_error() names them, and the nearest.  Host. */
unsigned suggest_choice(const char *text, const char *choices, const struct argp_state *state);
