/* SPDX-License-Identifier: MIT */
/*
 * The monitor's shell: a prompt on the serial line where output=text.  It is what
 * PROBE does while somebody is there: the line and the snapshot have one owner.
 */
#ifndef KERNEL_SHELL_SHELL_H
#define KERNEL_SHELL_SHELL_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/command/command.h"

/*
 * Serve the terminal, beginning with this line; until the run ends, at *end by the
 * clock, or output=frames.  A run whose seconds= was not given goes on until `end`
 * is typed: then *end becomes UINT64_MAX.  Task PROBE.
 */
void shell_run(uint64_t *end, const char *first);

/*
 * Carry out pat, plt or mps (kernel/shell/shell_measure.c): begin a window of its own, wait,
 * show what was counted, and go on with the words as they were.  False where it cannot be had, or Ctrl-C ended
 * it.  Task PROBE.
 */
bool shell_measure(const struct command *c, struct refusal *why);

#endif
