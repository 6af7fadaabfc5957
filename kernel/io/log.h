/* SPDX-License-Identifier: MIT */
/*
 * What the image has to say in plain sentences: a line on the serial port, or a
 * TEXT frame where output=frames; and on the screen, errors always (kernel/io/screen.h).
 */
#pragma once

#include <stdint.h>

#include "probe/text/text_buf.h"

enum log_severity { LOG_NOTE, LOG_WARNING, LOG_ERROR };

#define LOG_LINE_MAX 696 /* longest sentence; the rest is cut. Room for one of REFUSAL_TEXT and its opening */

/* Say the parts, a NULL-ended list of strings, as one line.  Task context. */
void log_parts(enum log_severity severity, ...);
#define log_line(severity, ...) log_parts(severity, __VA_ARGS__, (const char *)0)

/*
 * Text of the run that is no message: to the serial line, waiting for room,
 * and to the screen where it is in use.  Task PROBE.
 */

void text_out(const char *text, unsigned length);
