/* SPDX-License-Identifier: MIT */
/*
 * Text of the run that is no message: to the serial line, waiting for room,
 * and to the screen where it is in use.  Task PROBE.
 */
#pragma once

void text_out(const char *text, unsigned length);
