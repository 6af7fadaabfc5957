/* SPDX-License-Identifier: MIT */
/*
 * Where a stream comes from: a serial line, a pty, a unix socket, a pipe.
 */
#ifndef TOOLS_PORT_H
#define TOOLS_PORT_H

#include <stdbool.h>

/* True where `baud` is a rate that a serial line here can have. */
bool port_baud_is_known(unsigned long baud);

/*
 * Open it for reading ("-": standard input); a terminal line is set to `baud`,
 * 8 bits, no parity, no flow control.  -1, with a sentence, where that fails.
 */
int port_open(const char *name, unsigned long baud);

#endif
