/* SPDX-License-Identifier: MIT */
/* Opens the source of a stream and the destination of commands: a serial line, a pty, a unix socket, a pipe. */
#pragma once

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/base/option_rows.h"
#include "tools/stream/line_rate.h"

/* The row of option --baud, an unsigned long for port_open(). */
#define PORT_BAUD(member)                                                                                   \
    {"baud", 'b', "N", "rate of a serial line, 50 to 16000000 bits per second, 115200 by default",          \
     SET_NUMBER(member, LINE_RATE_LEAST, LINE_RATE_MOST), .otherwise = 115200,                              \
     .refusal = "no serial line here runs at %s baud: %" PRIu64 " to %" PRIu64 "; 115200 is usual"}

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

/* A terminal line or a socket is there. */
bool port_is_line(const char *path);

#define PORT_WHY 160

/*
 * Wait for bytes, `ms` at most.  Returns how many came, 0: none yet; -1 if the line has ended, with
 * the reason as part of a message in `why` (PORT_WHY bytes).
 */
int port_read(int port, uint8_t *bytes, int room, int ms, char *why);

/* Write all of it to a port or a file; on failure false, with the reason in `why`. */
bool port_write(int port, const uint8_t *bytes, size_t length, char *why);
