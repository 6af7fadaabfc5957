/* SPDX-License-Identifier: MIT */
/* The file of an option --svg. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Have `draw` write to the file at `path`, "-": standard output.  False, with a message, if that failed. */
bool svg_output(const char *path, bool (*draw)(const void *what, FILE *out), const void *what);
