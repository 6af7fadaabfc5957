/* SPDX-License-Identifier: MIT */
/* Which of several names was meant by one that is none of them.  Any context, host too. */
#pragma once

#include "probe/text/text_span.h"

#define NEAREST_LONGEST 64 /* bytes of a name; longer ones are near to nothing */

/* All zeros and `typed` at first. */
struct nearest {
    struct span typed;
    struct span name;  /* the nearest of those that were offered; empty: none is near */
    unsigned distance; /* of it */
};

/*
 * Changes of a letter, insertions, deletions and exchanges of two neighbours that make one text of the other
 * (Damerau and Levenshtein in the simple form: no part of a text is changed twice).  More than NEAREST_LONGEST
 * where one is longer than that.
 */
unsigned nearest_distance(struct span a, struct span b);

/* Offer a name, which stays where it is.  It is near if at most a third of the longer of both has to change. */
void nearest_offer(struct nearest *n, struct span name);

/* Append ", did you mean 'NAME'?"; nothing for an empty name. */
void nearest_put(struct text_buf *out, struct span name);
