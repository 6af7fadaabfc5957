/* SPDX-License-Identifier: MIT */
/* The options of every command line: its help, its usage, the version.  argp's own help has no letter h. */
#pragma once

#include "tools/base/option_rows.h"

/* Each of these ends the program. */
extern const struct option_set help_options;
