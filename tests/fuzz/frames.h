/* SPDX-License-Identifier: MIT */
/*
 * The stream target's input as a list of frames, so that a change of a byte is
 * not stopped by the checksum:  FUZZ_FRAMES, then for each frame its type, the
 * length of its fields (two bytes, low first) and the fields.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first byte; the bits above it choose which command reads the stream too. */
#define FUZZ_FRAMES 1

/* Types of no frame: bytes as they are, and a jump of the sequence by their number. */
#define FUZZ_NOISE 0xff
#define FUZZ_JUMP  0xfe

#define FUZZ_ITEM 3 /* bytes before the fields */

struct fuzz_item {
    uint8_t type;
    const uint8_t *at;
    size_t length;
};

/* The next one of [*at, end), cut where the input ends; false: there is none. */
static inline bool fuzz_next(const uint8_t **at, const uint8_t *end, struct fuzz_item *item)
{
    size_t rest = (size_t)(end - *at);

    if (rest < FUZZ_ITEM)
        return false;
    *item = (struct fuzz_item){(*at)[0], *at + FUZZ_ITEM, (size_t)((*at)[1] | (*at)[2] << 8)};
    if (item->length > rest - FUZZ_ITEM)
        item->length = rest - FUZZ_ITEM;
    *at = item->at + item->length;
    return true;
}

/*
 * The frames of a stream, 1 byte behind the begin of `data`, as such a list in its place: at
 * most `most` bytes, the frames that they have room for.  Returns the list's length.
 */
size_t fuzz_list_of(uint8_t *data, size_t size, size_t most); /* tests/fuzz/mutate_stream.c */
