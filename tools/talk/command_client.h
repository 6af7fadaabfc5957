/* SPDX-License-Identifier: MIT */
/*
 * Sends commands to a running image and receives their answers, each at most once (docs/PROTOCOL.md, "Commands").
 * The callback `take` gets the stream.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/command/rx_demux.h"
#include "tools/stream/frame_decoder.h"
#include "tools/stream/image_refusal.h"
#include "tools/stream/port.h"
#include "tools/stream/stream_file.h"

enum client_result {
    CLIENT_ANSWERED,
    CLIENT_RESET,  /* the board was reset since the session began: this boot did not run the command */
    CLIENT_SILENT, /* no answer came in time */
    CLIENT_CLOSED, /* the line ended, or cannot be written: `why` */
    CLIENT_ENDED,  /* the run ended before an answer came */
    CLIENT_REFUSED, /* the image gave up before its run and printed the reason */
};

struct command_client {
    const char *port;
    unsigned long baud;
    double timeout;  /* seconds that an answer may take */
    const char *keep; /* file for the bytes of the stream; NULL: none */
    bool force;       /* replace what it holds */
    void (*take)(void *context, const struct stream_event *event); /* gets the events of the stream; may be NULL */
    void *context;

    /* the rest is private to command_client.c */
    int line;
    struct stream_file out;
    struct frame_decoder stream;
    struct image_refusal refusal;
    uint64_t session, boot, id;
    uint16_t sequence;
    bool waiting, answered, ended;
    char asked[COMMAND_LINE];     /* the command that waits for its answer */
    const char *otherwise;        /* typed before it is sent again; NULL: nothing */
    bool typed;
    double again, give_up;        /* when it is sent again, and until when it is */
    uint64_t parts_seen;
    uint64_t inconsistent;         /* frames of an answer that contradict its first frame */
    struct wire_answer answer; /* the first received frame of the answer; its text is not valid */
    char *text[64];            /* its parts */
    uint64_t retransmissions;          /* COMMAND frames that had to be sent again */
    double last_byte;              /* wall clock of the last byte, s */
    char why[PORT_WHY];
};

/* Options --force, --output, --timeout and --baud; the input is the client. */
extern const struct option_set client_options;

/*
 * Open the port and the file; the caller sets the first members, all others are zero.  False, with
 * a message.
 */
bool client_open(struct command_client *t);

/*
 * Begin a session: find out which boot listens.  After some silence `otherwise`, if
 * not NULL, is sent as typed text; *typed says whether it was.
 */
enum client_result client_attach(struct command_client *t, const char *otherwise, bool *typed);

/*
 * Have the image run one command, a line of at most 255 characters.  After CLIENT_ANSWERED
 * t->answer has the status, and *text all lines, printable, separated by line feeds, for the caller
 * to free.
 */
enum client_result client_command(struct command_client *t, const char *line, char **text);

/*
 * The same two for a caller that has other work to do meanwhile: begin one, then call client_serve() until it
 * returns true, with the result in *end; client_text() is then what client_command() gives as *text, to be freed.
 * client_serve() reads for `ms` milliseconds at most, whether or not a command waits; once the line has ended
 * (`why`) it returns at once.
 */
void client_begin_attach(struct command_client *t, const char *otherwise);
void client_begin_command(struct command_client *t, const char *line);
bool client_serve(struct command_client *t, int ms, enum client_result *end);
char *client_text(const struct command_client *t);

/* Open a line that has ended again; false, with a message, where that cannot be done yet. */
bool client_reopen(struct command_client *t);

/* Read for that long, or until `done` returns true; false if the line or the run has ended. */
bool client_read(struct command_client *t, double seconds, bool (*done)(void *context));

/* Print the reason for any result except CLIENT_ANSWERED. */
void client_print_error(const struct command_client *t, enum client_result end);

/* The exit status for a command without an answer. */
int client_exit_code(enum client_result end);

/* False, with a message, if the file could not be saved. */
bool client_close(struct command_client *t);
