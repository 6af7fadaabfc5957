/* SPDX-License-Identifier: MIT */
/*
 * A hash table from keys to places in an array of the caller's.  What it holds comes
 * from files: its seed is drawn in each process, so that nobody can choose keys that
 * fall together.
 */
#ifndef TOOLS_BASE_HASH_INDEX_H
#define TOOLS_BASE_HASH_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct index { /* all zeros: empty */
    struct index_slot {
        uint64_t key;
        uint32_t place; /* and 1; 0: the slot is free */
    } *slot;
    size_t room, count; /* `room` a power of two, twice `count` at least */
};

#define INDEX_NONE SIZE_MAX

/* The place that was put under this key, INDEX_NONE: none was. */
size_t index_find(const struct index *ix, uint64_t key);

/* Put a place, below 2^32 - 1, under a key that has none. */
void index_put(struct index *ix, uint64_t key, size_t place);

void index_free(struct index *ix);

/* What hashes of numbers from files are drawn with: odd, and of this process only. */
uint64_t index_seed(void);

/* A key for bytes, of this process only.  Two texts share one once in 2^64 pairs. */
uint64_t index_key(const void *bytes, size_t length);

#endif
