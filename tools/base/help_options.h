/* SPDX-License-Identifier: MIT */
/* The options of every command line: its help, its usage, the version.  argp's own help has no letter h. */
#pragma once

#include <argp.h>

/* A child of an argp that is parsed with ARGP_NO_HELP; each of its options ends the program. */
extern const struct argp help_options_argp;
