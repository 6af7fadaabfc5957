/* SPDX-License-Identifier: MIT */
/*
 * Keeps which numbers came, as ranges in bounded memory: records that come in order, or in stretches, are one
 * range each.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_RANGES 1024u /* stretches that are told apart: the last ones */

struct number_set { /* all zeros: empty */
    struct number_range {
        uint64_t begin, end; /* end: the number after the last */
    } *range; /* ascending; between two of them at least one number is missing */
    size_t ranges;
};

/*
 * Add a number below UINT64_MAX.  False: it was there, or it comes too late: more stretches came after it than are
 * told apart.
 */
bool number_set_add(struct number_set *s, uint64_t number);

/* The number after the highest; 0 of none. */
uint64_t number_set_end(const struct number_set *s);
void number_set_free(struct number_set *s);
