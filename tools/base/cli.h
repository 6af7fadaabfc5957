/* SPDX-License-Identifier: MIT */
/*
 * What the commands of the host tool share: their exit codes (docs/ACCOUNTING.md,
 * "Numbers and codes"), error messages, and standard streams.
 */
#pragma once

#include "tools/base/alloc.h"
#include "tools/base/exit_code.h"

/*
 * Call this first.  Descriptors 0 to 2 are open afterwards.  At any exit the status is
 * EXIT_NO_DATA, with a message, if standard output could not be written.
 */
void cli_begin(void);

/* Seconds of CLOCK_MONOTONIC. */
double monotonic_seconds(void);

/* Print a message on standard error after the tool's name; control characters become '?'. */
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
