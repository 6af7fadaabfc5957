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

#define ANSWERS_SESSIONS 4u
#define ANSWERS_ROOM     4096u /* of a text, its end included; the lines past it are counted */

/* The field `status` of ANSWER. */
enum answer_status { ANSWER_DONE, ANSWER_REFUSED, ANSWER_OTHER_BOOT, ANSWER_OLD };

struct answer {
    uint64_t session, id; /* session 0: free */
    enum answer_status status;
    uint32_t length;
    uint32_t left_out; /* lines that found no room */
    char text[ANSWERS_ROOM];
};

/* Zeroed memory remembers nothing. */
struct answers {
    uint32_t oldest; /* which one the next session takes */
    struct answer answer[ANSWERS_SESSIONS];
};

/* What is to be done with a command. */
enum answers_verdict {
    ANSWERS_DO,     /* and its text be put into `answer`, which is empty */
    ANSWERS_AGAIN,  /* `answer` has what was answered */
    ANSWERS_OTHER,  /* it is meant for another boot; there is no `answer` */
    ANSWERS_LATE    /* its session was answered to a later one; there is no `answer` */
};

/* Judge a command that came to the boot of this identifier.  Any context, host too. */
enum answers_verdict answers_judge(struct answers *a, uint64_t boot, const struct wire_command *c,
                                   struct answer **answer);

/* Put a line to the text of an answer, which always ends with a zero.  Any context, host too. */
void answer_line(struct answer *a, const char *line);

/* No line follows: tells how many found no room. */
void answer_end(struct answer *a);

#endif
