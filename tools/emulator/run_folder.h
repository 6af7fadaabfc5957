/* SPDX-License-Identifier: MIT */
/*
 * Makes the temporary folders of the scripts, and removes those whose owner has ended.  The name says who that is, so
 * that there is none without an owner: cpuprobe-NAMESPACE-PID-START-XXXXXX, START in clock ticks since the system
 * began, NAMESPACE that of the pid: folders of another container stay.  Host, Linux.
 */
#pragma once

#include <sys/types.h>

/* Make a folder of this process in $TMPDIR, else /tmp.  Its absolute path, static; NULL, with errno. */
const char *run_folder_make(pid_t owner);

/* Remove the folders there, of our user, whose owner has ended, whatever ended it. */
void run_folder_sweep(void);
