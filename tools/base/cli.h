/* SPDX-License-Identifier: MIT */
/*
 * What the commands of the host tool share: their exit codes (docs/ACCOUNTING.md,
 * "Numbers and codes"), error messages, and standard streams.
 */
#pragma once

#include <argp.h>
#include <stdint.h>

#include "tools/base/alloc.h"
#include "tools/base/exit_code.h"

/*
 * Call this first.  Descriptors 0 to 2 are open afterwards.  At any exit the status is
 * EXIT_NO_DATA, with a message, if standard output could not be written.
 */
void cli_begin(void);

/*
 * Parse the value of an option: a decimal whole number from `least` to `most`.  Otherwise
 * argp_error() ends the program.
 */
uint64_t cli_number(const char *text, uint64_t least, uint64_t most, const struct argp_state *state);

/* The same for seconds: above 0, at most 10^9, a fraction is allowed. */
double cli_seconds(const char *text, const struct argp_state *state);

/*
 * A parser of argp for a command with one argument, which goes to *to; argp_error() ends the program for another one,
 * `one` ("only one port can be read"), and for none, `missing`.
 */
error_t cli_one_argument(int key, char *text, const struct argp_state *state, const char **to, const char *one, const char *missing);

/* Seconds of CLOCK_MONOTONIC. */
double monotonic_seconds(void);

/* Print a message on standard error after the tool's name; control characters become '?'. */
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
