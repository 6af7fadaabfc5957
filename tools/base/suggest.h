/* SPDX-License-Identifier: MIT */
/* Which of several names was meant by one that is none of them. */
#pragma once

#include <argp.h>
#include <stddef.h>

#define SUGGEST_LONGEST 64 /* bytes of a name; longer ones are not compared */

/* All zeros and `typed` at first. */
struct suggestion {
    const char *typed;
    size_t length;         /* of `typed`; 0: up to its end */
    char best[SUGGEST_LONGEST + 1]; /* the nearest name so far; "": none is near */
    unsigned distance;     /* of it */
};

/* Changes of a letter, insertions, deletions and exchanges of two neighbours that make one text of the other. */
unsigned suggest_distance(const char *a, size_t a_length, const char *b, size_t b_length);

/* Offer a name.  It is near if at most a third of the longer of both has to change. */
void suggest_offer(struct suggestion *s, const char *name, size_t length);

/* The same for each of "a|b|c". */
void suggest_offer_each(struct suggestion *s, const char *names);

/* The index of `text` among `choices`, "a|b|c"; otherwise argp_error() names them, and the nearest.  Host. */
unsigned suggest_choice(const char *text, const char *choices, const struct argp_state *state);
