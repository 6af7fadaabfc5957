/* SPDX-License-Identifier: MIT */
/*
 * The monitor's shell: a prompt on the serial line, with output=text.  PROBE runs it, so that the line and the
 * snapshot have one owner.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/command/command.h"

/*
 * Serve the terminal, and execute the line `first` first.  Returns when output=frames; ends the run when the TSC
 * reads *end.  If seconds= was not given, *end becomes UINT64_MAX: the run lasts until `end` is typed.  Task PROBE.
 */
void shell_run(uint64_t *end, const char *first);

/*
 * Execute pat, plt or mps (kernel/shell/shell_measure.c): measure a window with the monitors that it needs, print
 * it, and restore the configuration.  False if it is refused or Ctrl-C ended it.  Task PROBE.
 */
bool shell_measure(const struct command *c, struct refusal *why);
