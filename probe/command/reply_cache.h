/* SPDX-License-Identifier: MIT */
/*
 * What was answered to which command of the host, so that a command that comes
 * again, for its answer was lost, is answered again and not done again.  A few
 * sessions are remembered, the last answer of each: a host has one command on its
 * way at a time.
 */
#ifndef PROBE_COMMAND_REPLY_CACHE_H
#define PROBE_COMMAND_REPLY_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/wire.h"

#define REPLY_SESSIONS 4u
#define REPLY_ROOM     4096u /* of a text, its end included; the lines past it are counted */

/* The field `status` of ANSWER. */
enum answer_status { ANSWER_DONE, ANSWER_REFUSED, ANSWER_OTHER_BOOT, ANSWER_OLD };

struct reply {
    uint64_t session, id; /* session 0: free */
    enum answer_status status;
    uint32_t length;
    uint32_t left_out; /* lines that found no room */
    char text[REPLY_ROOM];
};

/* Zeroed memory remembers nothing. */
struct reply_cache {
    uint32_t oldest; /* which one the next session takes */
    struct reply answer[REPLY_SESSIONS];
};

/* What is to be done with a command. */
enum reply_verdict {
    REPLY_NEW,     /* and its text be put into `answer`, which is empty */
    REPLY_REPEAT,  /* `answer` has what was answered */
    REPLY_OTHER_BOOT,  /* it is meant for another boot; there is no `answer` */
    REPLY_STALE    /* its session was answered to a later one; there is no `answer` */
};

/* Judge a command that came to the boot of this identifier.  Any context, host too. */
enum reply_verdict reply_cache_check(struct reply_cache *a, uint64_t boot, const struct wire_command *c,
                                   struct reply **answer);

/* Put a line to the text of an answer, which always ends with a zero.  Any context, host too. */
void reply_line(struct reply *a, const char *line);

/* No line follows: tells how many found no room. */
void reply_end(struct reply *a);

#endif
