/* SPDX-License-Identifier: MIT */
/*
 * Why something was refused, as a value: a reason and what it is about.  It becomes text where it is printed,
 * so that nobody keeps a buffer for it.  It points into the line that was refused.  Any context.
 */
#pragma once

#include "probe/text/text_span.h"

#define REFUSAL_TEXT 640 /* bytes of the longest text of one, its end included */
#define REFUSAL_ARGS 6

struct refusal;

/* Text that `put` appends; else another refusal; else a number. */
struct refusal_arg {
    void (*put)(struct text_buf *out, struct span text);
    struct span text;
    const struct refusal *inner;
    uint64_t number;
    unsigned decimals; /* digits of the number behind the point */
};

struct refusal {
    const char *reason; /* without a full stop; %1 to %6 stand for the arguments */
    struct refusal_arg arg[REFUSAL_ARGS];
};

#define REFUSAL_NUMBER(n)    { .number = (n) }
#define REFUSAL_MILLI(n)     { .number = (n), .decimals = 3 } /* n thousandths */
#define REFUSAL_STRING(s)    { .put = buf_span, .text = span_text(s) }
#define REFUSAL_QUOTED(span) { .put = buf_quoted, .text = (span) } /* what came from outside */
#define REFUSAL_INNER(why)   { .inner = (why) } /* not copied: it lives as long as this one */

/* Set *why; false, so that it can end a function that refuses. */
static inline bool refusal_set(struct refusal *why, const struct refusal *value)
{
    *why = *value;
    return false;
}

#define REFUSE(why, text)           refusal_set(why, &(struct refusal){ .reason = (text) })
#define REFUSE_WITH(why, text, ...) refusal_set(why, &(struct refusal){ .reason = (text), .arg = { __VA_ARGS__ } })

/* Append the text of a refusal. */
void refusal_put(struct text_buf *out, const struct refusal *why);

/* The text of a refusal in a buffer of REFUSAL_TEXT bytes, which is returned. */
const char *refusal_text(const struct refusal *why, char text[REFUSAL_TEXT]);
