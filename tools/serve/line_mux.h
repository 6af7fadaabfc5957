/* SPDX-License-Identifier: MIT */
/*
 * Lets several programs use one line at a time, through a unix socket: record, control, zoom and top take it as
 * their PORT.  What the board sends goes to all of them; who comes later gets first what names and indexes mean.
 * What they send reaches the board whole, and one COMMAND is under way at a time: the next one waits for its
 * ANSWER, or ANSWER_S seconds, and is that of another client who has one.  A client that does not read, or sends
 * what is neither frames nor lines, is dropped with a sentence.  Host, never waits.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/serve/line_watch.h"
#include "tools/serve/refusal_log.h"
#include "tools/stream/frame_decoder.h"

#define MUX_CLIENTS 16
#define MUX_UNREAD  (1u << 20) /* bytes that a client may leave unread: 90 s at 115200 bits a second */
#define MUX_REQUEST 4096       /* bytes of a frame or a line of a client, more than any has */

struct mux_client {
    int socket;
    uint8_t *unread;  /* what it did not take yet */
    size_t length;
    bool begun;       /* it gets what comes: from the next frame on */
    uint8_t request[MUX_REQUEST]; /* what came of frames or lines, and was not passed on */
    size_t got;
};

struct line_mux {
    struct line_watch *line; /* the caller's */
    struct refusal_log *refusals; /* the same */
    char *path;
    int listener;
    struct mux_client *client[MUX_CLIENTS]; /* whose turn it is first */
    size_t clients;
    uint64_t session, id; /* of the COMMAND under way; session 0: none */
    double until;         /* when it is given up, monotonic_seconds() */
    uint64_t dropped;     /* clients that were dropped */
    bool within;          /* the line is within a frame */
};

/* Listen at `folder`/NAME, NAME that of the line, a socket of this mode.  False, with a message. */
bool line_mux_begin(struct line_mux *m, struct line_watch *line, struct refusal_log *refusals, const char *folder,
                    unsigned mode);

/* What the line's callbacks of the same names pass on. */
void line_mux_bytes(struct line_mux *m, const uint8_t *bytes, size_t length);
void line_mux_event(struct line_mux *m, const struct stream_event *event);

/* Take who comes and what the clients send, and hand over what they did not take yet. */
void line_mux_serve(struct line_mux *m);

void line_mux_end(struct line_mux *m);
