/* SPDX-License-Identifier: MIT */
/*
 * The receiver of the serial line while no shell is open: takes lines of a person and COMMAND frames of a host,
 * has kernel/shell/commands.c execute them, and answers at once.
 */
#pragma once

#include <stdbool.h>

/* The epoch of now identifies the boot from here on.  Once, task PROBE. */
void host_link_init(void);

/*
 * Take the bytes that have come in, up to one whole line or command, execute and answer it.  One at a time,
 * because PROBE has rings to serve.  It may end the run or begin another epoch.  Task PROBE.
 */
void host_link_poll(void);

/*
 * The line with which a person opens the shell (shell=auto), empty or a command; NULL: there is none.  It stays
 * until host_link_call_taken().
 */
const char *host_link_shell_call(void);
void host_link_call_taken(void);
