/* SPDX-License-Identifier: MIT */
/* The entropy of numbers that are kept, all of them: what the product's tallies are held against. */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "probe/stream/wire.h"
#include "tools/base/alloc.h"

/* Each as a zigzag LEB128 number: compact, for a stream can have millions. */
struct steps { /* all zeros: none */
    uint8_t *bytes;
    size_t length, room, count;
};

static inline void steps_add(struct steps *to, const int64_t *step, size_t count)
{
    const size_t most = count * LEB128_MOST;

    if (to->room - to->length < most) {
        to->room = 2 * to->room + most;
        to->bytes = xrealloc_array(to->bytes, to->room, 1);
    }
    for (size_t i = 0; i < count; i++)
        to->length += leb128_put(to->bytes + to->length, wire_zigzag(step[i]));
    to->count += count;
}

static inline int steps_by_value(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;

    return one < other ? -1 : one > other;
}

/* Bits per value; sorts the values. */
static inline double entropy_of_values(int64_t *value, size_t count)
{
    double bits = 0;

    qsort(value, count, sizeof(*value), steps_by_value);
    for (size_t i = 0, run; i < count; i += run) {
        for (run = 1; i + run < count && value[i + run] == value[i]; run++)
            ;
        bits += (double)run / (double)count * log2((double)count / (double)run);
    }
    return bits;
}

/* The codes of equal steps are equal, so the codes need not be decoded to steps. */
static inline double entropy_of_steps(const struct steps *steps)
{
    int64_t *value = xrealloc_array(NULL, steps->count + 1, sizeof(*value));
    const uint8_t *at = steps->bytes;
    double bits;

    for (size_t i = 0; i < steps->count; i++) {
        uint64_t n = 0;

        for (unsigned shift = 0;; shift += 7) {
            n |= (uint64_t)(*at & 0x7f) << shift;
            if (!(*at++ & 0x80))
                break;
        }
        value[i] = (int64_t)n;
    }
    bits = entropy_of_values(value, steps->count);
    free(value);
    return bits;
}
