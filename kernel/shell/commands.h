/* SPDX-License-Identifier: MIT */
/*
 * What a command does: the one place that serves the shell and the frames of the
 * host.  pat, plt and mps, which take their time, are the shell's own.
 */
#ifndef KERNEL_SHELL_COMMANDS_H
#define KERNEL_SHELL_COMMANDS_H

#include <stdbool.h>

#include "probe/command/command.h"

/* What is to be done once the answer has been given. */
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
 * Do the rest of what was answered last.  It may not return.  `shown`: a change of words shows
 * the window that it ends; in the shell the table comes when somebody asks.  Task PROBE.
 */
void command_complete(enum command_followup after, bool shown);

#endif
