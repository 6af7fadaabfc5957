/* SPDX-License-Identifier: MIT */
/* Every command line that reads a stream, and what must hold of what it prints. */
#pragma once

#include <stddef.h>

/* Lines, the formats of `export` behind them. */
size_t fuzz_lines(void);

/* Its words, "@" for the stream; they hold until the next call. */
const char *fuzz_line_words(size_t line);

/* So many lines before this one stands one whose status must be the same; 0: none. */
unsigned fuzz_line_same(size_t line);

/* Run the line over the stream; NULL, or what is wrong with the status or the output, until the next call. */
const char *fuzz_line_run(size_t line, const char *path, int *status);
