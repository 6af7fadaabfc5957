/* SPDX-License-Identifier: MIT */
/* The source of a stream and the destination of commands: a serial line, a pty, a unix socket, a pipe. */
#pragma once

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Option --baud, as a child of a command's argp: its input is the unsigned long for port_open(). */
extern const struct argp port_argp;

enum port_use {
    PORT_READ,
    PORT_TALK,  /* write too */
    PORT_WATCH, /* the same without waiting: a socket may still be in its server's queue */
};

/*
 * Open it ("-": standard input, to be read); a terminal line is set to `baud`, 8 bits, no parity,
 * no flow control.  A line has one user at a time.  For PORT_TALK it must be a terminal or a
 * socket.  -1, with a message, on failure.
 */
int port_open(const char *name, unsigned long baud, enum port_use use);

/* The same without a message, errno tells why: for a port that may come later.  A file counts as a line. */
int port_try(const char *name, unsigned long baud, enum port_use use);

#define PORT_WHY 160

/*
 * Wait for bytes, `ms` at most.  Returns how many came, 0: none yet; -1 if the line has ended, with
 * the reason as part of a message in `why` (PORT_WHY bytes).
 */
int port_read(int port, uint8_t *bytes, int room, int ms, char *why);

/* Write all of it to a port or a file; on failure false, with the reason in `why`. */
bool port_write(int port, const uint8_t *bytes, size_t length, char *why);
