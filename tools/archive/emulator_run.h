/* SPDX-License-Identifier: MIT */
/*
 * An emulator that runs the image for as long as a recording lasts: tools/boot of the source tree in
 * which this program was built, with the stream's line as a unix socket.  Host.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct emulator_run {
    char *folder, *line; /* temporary, and the socket in it */
    pid_t pid;           /* of tools/boot; 0: none */
};

/*
 * Start it.  `words` are arguments of tools/boot, separated by blanks, double quotes keep some
 * together; output=frames is added at the end unless they have output=.  False, with a message, if it cannot be
 * started or ends before its line is there.
 */
bool emulator_start(struct emulator_run *e, const char *words);

/* Wait for its end, for some seconds if `ended`, else end it.  Its exit status: 0 the run was complete. */
int emulator_finish(struct emulator_run *e, bool ended);
