/* SPDX-License-Identifier: MIT */
/* The source of a stream and the destination of commands: a serial line, a pty, a unix socket, a pipe. */
#pragma once

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/base/option_rows.h"
#include "tools/stream/frame_decoder.h"

/*
 * Rates of a serial line that have no name in termios(3): Linux takes any number of bits per second
 * (ioctl_tty(2), TCSETS2 with BOTHER).  The header that has it cannot stand beside <termios.h>.
 */

#define LINE_RATE_LEAST 50
#define LINE_RATE_MOST  16000000

/* The rate at which an open line sends, bits per second; 0: it has none, or is no line. */
unsigned long line_rate(int line);

/*
 * Set the rate of an open line, both ways.  False, with errno set, if it cannot be set or is not
 * within 2.5 % of what was asked, which is where a frame of ten bits begins to fail.
 */
bool line_rate_set(int line, unsigned long baud);

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

/*
 * Tells the boots of a board apart, which no field of HELLO names: one whose clock began anew, or that followed the
 * first message of a boot.  Both are needed: a board that is reset within its first second may have told no later
 * time than its next first HELLO does, and a first message may be damaged.  Host.
 */

/* All zeros at first. */
struct boot_watch {
    uint64_t epoch; /* of the last HELLO; 0: none came */
    uint64_t now;   /* the latest time that the board told, clock units since its start */
    /* a message of no epoch came behind the last HELLO: only a boot before its first HELLO sends one */
    bool greeted;
};

/* Take the decoder's next event; whether it is the first HELLO of a boot. */
bool boot_watch_event(struct boot_watch *b, const struct stream_event *event);

/*
 * Why an image gives up before its run: the sentence "cpuprobe: error: ...", plain
 * text or a TEXT record, that comes before any HELLO.  An image that refuses a
 * configuration word ends so, whatever form of output was asked for, and then says
 * nothing more.  Each message is printed on standard error at once.
 */

#define REFUSAL_SENTENCE 512 /* kernel/io/log.h cuts at 440 characters */

struct image_refusal {
    bool has_hello;       /* a HELLO came: later messages belong to a run */
    unsigned sentences; /* how many came */

    /* the rest is private to boot_watch.c */
    unsigned matched; /* characters of the opening */
    uint64_t column;  /* bytes since the line began */
    bool after_zero;  /* a zero came before the line, so it may be a frame */
    char line[REFUSAL_SENTENCE];
    size_t length;
};

/* Take received bytes; the struct is all zeros at first. */
void refusal_add_bytes(struct image_refusal *r, const uint8_t *bytes, size_t length);

/* Take the decoder's event for the same bytes. */
void refusal_add_event(struct image_refusal *r, const struct stream_event *event);

/* The line has ended, perhaps within a message. */
void refusal_finish(struct image_refusal *r);

/* Whether the image printed an error message and has not begun a run since. */
bool refusal_is_given(const struct image_refusal *r);
