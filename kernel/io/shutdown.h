/* SPDX-License-Identifier: MIT */
/* The end of the image, in the way that exit= says. */
#pragma once

#include <stdbool.h>

#include "kernel/io/log.h"
#include "probe/text/refusal.h"

/*
 * Send what is left of the stream; then halt, reset the board, or end the emulator, QEMU
 * with this status.  Any context.
 */
_Noreturn void shutdown(bool success);

/* Log an error, of parts as log_line() takes them, and end the image.  During the start. */
#define fatal(...) (log_line(LOG_ERROR, __VA_ARGS__), shutdown(false))

/* The same with the text of a refusal. */
_Noreturn void fatal_refusal(const struct refusal *why);
