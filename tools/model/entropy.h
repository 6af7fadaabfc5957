/* SPDX-License-Identifier: MIT */
/* Entropy of order zero: how few bits the samples of a stream could take. */
#ifndef TOOLS_MODEL_ENTROPY_H
#define TOOLS_MODEL_ENTROPY_H

#include <stddef.h>
#include <stdint.h>

/* Steps of time from one sample to the next, each as a zigzag LEB128 number: millions of them have room. */
struct steps { /* all zeros: none */
    uint8_t *bytes;
    size_t length, room, count;
};

void steps_add(struct steps *to, const int64_t *step, size_t count);

/* Bits a step. */
double entropy_of_steps(const struct steps *steps);

/* Samples of one kind. */
struct entropy_kind {
    int64_t what;
    uint64_t count;
};

/* Bits a sample, of `all` samples by their kinds, which may stand there more than once; sorts them. */
double entropy_of_kinds(struct entropy_kind *kind, size_t kinds, size_t all);

#endif
