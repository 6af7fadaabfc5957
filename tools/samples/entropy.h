/* SPDX-License-Identifier: MIT */
/* Zero-order entropy: the smallest number of bits that the samples of a stream could take. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tools/base/hash_index.h"

/* Samples of one kind. */
struct entropy_kind {
    int64_t what;
    uint64_t count;
};

/* Bits per sample, of `all` samples by kind; a kind may be listed more than once.  Sorts the list. */
double entropy_of_kinds(struct entropy_kind *kind, size_t kinds, size_t all);

#define ENTROPY_VALUES 65536u /* that are told apart; more make the entropy a lower bound */

/* Values as they come, in bounded memory. */
struct entropy_tally { /* all zeros: none */
    struct index of;
    uint64_t *count; /* by value, at most ENTROPY_VALUES of them */
    size_t values;
    uint64_t all, rest; /* `rest`: of values that have no place; they count as one value */
};

void entropy_tally_add(struct entropy_tally *t, uint64_t value);

/* Bits per value, 0 of none; at least that where `rest` is not 0. */
double entropy_tally_bits(const struct entropy_tally *t);
void entropy_tally_free(struct entropy_tally *t);

#define STEP_NEAR 1024u /* steps that are counted without a search: -512 to 511 */

/* Time steps from one sample to the next. */
struct step_tally {
    uint64_t near[STEP_NEAR]; /* by wire_zigzag() */
    struct entropy_tally far;
    uint64_t all;
};

struct step_tally *step_tally_new(void);
void step_tally_add(struct step_tally *t, int64_t step);

/* Bits per step, 0 of NULL; at least that where `far.rest` is not 0. */
double step_tally_bits(const struct step_tally *t);
void step_tally_free(struct step_tally *t);
