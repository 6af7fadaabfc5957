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
 * it, and restore the configuration.  Ctrl-C ends the window, and what was counted until then is printed.  False if
 * it is refused.  Task PROBE.
 */
bool shell_measure(const struct command *c, struct refusal *why);

/*
 * Execute top (kernel/shell/shell_top.c): draw the tasks by their share each second, until a key is pressed that is
 * no order, or the run ends.  Nothing is reconfigured.  False if it is refused.  Task PROBE.
 */
bool shell_top(const struct command *c, struct refusal *why);
