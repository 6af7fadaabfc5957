/* SPDX-License-Identifier: MIT */
/*
 * Executes commands, for the shell and for a host.  pat, plt and mps, which wait for a window, are the shell's
 * own (kernel/shell/shell_measure.c).
 */
#pragma once

#include <stdbool.h>

#include "probe/command/command.h"

/* What remains to be done after the answer was sent. */
enum command_followup { AFTER_NOTHING, AFTER_CHANGE, AFTER_SNAPSHOT, AFTER_END, AFTER_REBOOT };

struct command_result {
    bool refused;
    struct refusal why; /* where it is refused */
    enum command_followup after;
};

/* Who asks, and what takes the answer: at once, line by line, without line ends. */
struct command_asker {
    void (*line)(void *context, const char *text);
    void *context;
    bool shell; /* it is the shell, which can do more than a host */
};

/* Carry a command out.  Task PROBE. */
struct command_result command_execute(const struct command *c, const struct command_asker *asker);

/*
 * Do what remains of the last command; does not return if it ends the run.  `shown`: a change of the
 * configuration prints the window that it ends; in the shell the user asks for it.  Task PROBE.
 */
void command_complete(enum command_followup after, bool shown);
