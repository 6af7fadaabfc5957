/* SPDX-License-Identifier: MIT */
/*
 * The answers to commands of hosts.  A command whose answer was lost is sent again by the host; it is answered
 * from here and not executed twice.  The last answer of a few sessions is kept: a host has one command under way
 * at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/wire.h"

#define REPLY_SESSIONS 4u
#ifndef REPLY_ROOM
#define REPLY_ROOM     4096u /* bytes of a text, its end included; lines that do not fit are counted */
#endif

/* The field `status` of ANSWER. */
enum answer_status { ANSWER_DONE, ANSWER_REFUSED, ANSWER_OTHER_BOOT, ANSWER_OLD };

struct reply {
    uint64_t session, id; /* session 0: free */
    enum answer_status status;
    uint32_t length;
    uint32_t left_out; /* lines that did not fit */
    char text[REPLY_ROOM];
};

/* Zeroed memory remembers nothing. */
struct reply_cache {
    uint32_t oldest; /* which one the next session takes */
    struct reply answer[REPLY_SESSIONS];
};

/* What is to be done with a command. */
enum reply_verdict {
    REPLY_NEW,        /* execute it; its text goes into `answer`, which is empty */
    REPLY_REPEAT,     /* send `answer` again */
    REPLY_OTHER_BOOT, /* it is for another boot; there is no `answer` */
    REPLY_STALE       /* a later one of its session was answered; there is no `answer` */
};

/* What to do with a command; `boot` identifies this boot.  Any context, host too. */
enum reply_verdict reply_cache_check(struct reply_cache *a, uint64_t boot, const struct wire_command *c,
                                     struct reply **answer);

/* Append a line to the text of an answer, which always ends with a zero.  Any context, host too. */
void reply_line(struct reply *a, const char *line);

/* No line follows: append how many did not fit. */
void reply_end(struct reply *a);

/* The answer to a command of a host, in as many ANSWER frames as its text needs (docs/PROTOCOL.md, "Commands"). */

#ifndef ANSWER_PART
#define ANSWER_PART 1200u /* bytes of a text in one frame */
#endif

/*
 * Send `text` to whoever sent `to`: part(context, head) for each frame, with all fields of `head` set but `took`.
 * The caller sets its boot, status and whether it is repeated.  Task context.
 */
void answer_send(const struct wire_command *to, struct wire_answer *head, const char *text, uint64_t length,
                 void (*part)(void *context, struct wire_answer *head), void *context);
