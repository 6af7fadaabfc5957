/* SPDX-License-Identifier: MIT */
/* Zero-order entropy: the smallest number of bits that the samples of a stream could take. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Time steps from one sample to the next, each as a zigzag LEB128 number: compact, for a stream can have millions. */
struct steps { /* all zeros: none */
    uint8_t *bytes;
    size_t length, room, count;
};

void steps_add(struct steps *to, const int64_t *step, size_t count);

/* Bits per step. */
double entropy_of_steps(const struct steps *steps);

/* Samples of one kind. */
struct entropy_kind {
    int64_t what;
    uint64_t count;
};

/* Bits per sample, of `all` samples by kind; a kind may be listed more than once.  Sorts the list. */
double entropy_of_kinds(struct entropy_kind *kind, size_t kinds, size_t all);
