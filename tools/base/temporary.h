/* SPDX-License-Identifier: MIT */
/*
 * Makes temporary folders and files.  A folder's name says whose it is, so that whoever comes later removes what a
 * process that was killed has left: cpuprobe-NAMESPACE-PID-START-XXXXXX, START in clock ticks since the system began,
 * NAMESPACE that of the pid: folders of another container stay.  Host, Linux.
 */
#pragma once

#include <stdio.h>
#include <sys/types.h>

/*
 * Make a folder of process `owner` in the folder `in`; NULL: in $TMPDIR, else /tmp.  Its absolute path, for the
 * caller to free; NULL, with errno.
 */
char *temporary_folder(const char *in, pid_t owner);

/* Remove a folder with all that is in it, but for what is mounted there. */
void temporary_remove(const char *path);

/* Remove the folders there, of our user, whose owner has ended, whatever ended it. */
void temporary_sweep(const char *in);

/* A file in $TMPDIR, else /tmp, without a name: it goes with its last descriptor.  NULL, with errno. */
FILE *temporary_file(void);
