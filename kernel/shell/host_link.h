/* SPDX-License-Identifier: MIT */
/*
 * Who is spoken to over the serial line while no shell is open: lines of a person and
 * COMMAND frames of the host come in here, are carried out by kernel/shell/commands.c, and
 * are answered at once.
 */
#ifndef KERNEL_SHELL_HOST_LINK_H
#define KERNEL_SHELL_HOST_LINK_H

#include <stdbool.h>

/* The boot is told by the epoch in force now.  Once, task PROBE. */
void host_link_init(void);

/*
 * Take what has come in, up to the end of a line or a command: carry it out and answer
 * it.  One at a time, for PROBE has other duties.  The run may end here, or go on in
 * another epoch.  Task PROBE.
 */
void host_link_poll(void);

/*
 * The line by which somebody at a terminal calls the shell (shell=auto): an empty
 * one, or one of commands; NULL: nobody does.  It stands until it is answered.
 */
const char *host_link_shell_call(void);
void host_link_call_taken(void);

#endif
