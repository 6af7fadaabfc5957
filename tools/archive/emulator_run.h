/* SPDX-License-Identifier: MIT */
/*
 * Runs an emulator for as long as a recording lasts: QEMU, with the image that was built or installed with this
 * program and the stream's line as a unix socket.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct emulator_run {
    char *folder, *line; /* temporary, and the socket in it */
    pid_t pid;           /* of QEMU; 0: none */
};

/*
 * Whether the image takes these configuration words, up to the first that begins with '-'; otherwise a message says
 * what it refuses, and the nearest.
 */
bool emulator_words(const char *arguments);

/*
 * Start it.  `arguments` are configuration words, and from the first that begins with '-' on arguments of QEMU;
 * double quotes keep some together.  seed=1 and output=frames are added unless the words have others.  False, with a
 * message, if it cannot be started or ends before its line is there.
 */
bool emulator_start(struct emulator_run *e, const char *arguments);

/*
 * Wait for its end, for some seconds if `ended`, else end it.  0: the run was complete;
 * else its exit status, never 0.
 */
int emulator_finish(struct emulator_run *e, bool ended);
