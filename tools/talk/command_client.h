/* SPDX-License-Identifier: MIT */
/*
 * Talking with a running image: a command out, its answer back, each at most once
 * (docs/PROTOCOL.md, "Commands").  The stream goes on to the callback `take`.
 */
#ifndef TOOLS_TALK_COMMAND_CLIENT_H
#define TOOLS_TALK_COMMAND_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/command/reply_cache.h"
#include "tools/stream/frame_decoder.h"
#include "tools/stream/image_refusal.h"
#include "tools/stream/port.h"
#include "tools/stream/stream_file.h"

enum client_result {
    CLIENT_ANSWERED,
    CLIENT_RESET,  /* the board was reset since the session began: this boot has done nothing of it */
    CLIENT_SILENT, /* no answer came in time */
    CLIENT_CLOSED, /* the line ended, or cannot be written: `why` */
    CLIENT_ENDED,  /* the run ended before an answer came */
    CLIENT_REFUSED, /* the image gave up before its run, and said why */
};

struct command_client {
    const char *port;
    unsigned long baud;
    double timeout;  /* seconds that an answer may take */
    const char *keep; /* file for the bytes of the stream; NULL: none */
    bool force;       /* replace what it holds */
    void (*take)(void *context, const struct stream_event *event); /* gets the events of the stream; may be NULL */
    void *context;

    /* the rest is talk.c's */
    int line;
    struct stream_file out;
    struct frame_decoder stream;
    struct image_refusal refusal;
    uint64_t session, boot, id;
    uint16_t sequence;
    bool waiting, answered, ended;
    uint64_t parts_seen;
    uint64_t inconsistent;         /* frames of an answer that are not as its first one says */
    struct wire_answer answer; /* the first frame of it that came; its text is void */
    char *text[64];            /* its parts */
    uint64_t retransmissions;          /* COMMAND frames that had to be sent again */
    double last_byte;              /* wall clock of the last byte, s */
    char why[PORT_WHY];
};

/* Options --force, --output, --timeout and --baud, as a child of a command's argp: its input is the client. */
extern const struct argp client_argp;

/*
 * Open the port and the file; the caller has filled in the first members, all else
 * is zero.  False, with a sentence.
 */
bool client_open(struct command_client *t);

/*
 * Begin a session: find out which boot listens.  After some silence `otherwise`, if
 * not NULL, is sent as typed text; *typed says whether it was.
 */
enum client_result client_attach(struct command_client *t, const char *otherwise, bool *typed);

/*
 * Have one command done, a line of at most 255 characters.  Of CLIENT_ANSWERED
 * t->answer has the status, and *text all lines, printable, to be freed; line feeds part them.
 */
enum client_result client_command(struct command_client *t, const char *line, char **text);

/* Read for so long, or until `done` says so; false where the line or the run has ended. */
bool client_read(struct command_client *t, double seconds, bool (*done)(void *context));

/* Print the reason, for any result but CLIENT_ANSWERED. */
void client_print_error(const struct command_client *t, enum client_result end);

/* The exit status of a command that did not get its answer. */
int client_exit_code(enum client_result end);

/* False, with a sentence, where the file could not be kept. */
bool client_close(struct command_client *t);

#endif
