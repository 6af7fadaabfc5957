/* SPDX-License-Identifier: MIT */
/*
 * Declares a hash table from keys to indexes of a caller's array.  Keys come from files: each process draws its
 * own seed, so that a file cannot be made to cause collisions.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct index { /* all zeros: empty */
    struct index_slot {
        uint64_t key;
        uint32_t place; /* index + 1; 0: the slot is free */
    } *slot;
    size_t room, count; /* `room` is a power of two, at least twice `count` */
};

#define INDEX_NONE SIZE_MAX

/* The index stored under this key, or INDEX_NONE. */
size_t index_find(const struct index *ix, uint64_t key);

/* Bytes of a slot, at most, while the table grows: for those who count their memory. */
#define INDEX_BYTES (4 * sizeof(struct index_slot))

/* Store an index below 2^32 - 1 under this key, in place of one that was. */
void index_put(struct index *ix, uint64_t key, size_t place);

/*
 * The element of an array under this key; a new one at its end has the bytes of `fresh`, NULL: zeros.  The array and
 * its count grow, and the pointer is valid until they do again.
 */
#define INDEX_ROW(ix, key, array, count, fresh) index_row(ix, key, &(array), &(count), sizeof(*(array)), fresh)
void *index_row(struct index *ix, uint64_t key, void *array, size_t *count, size_t size, const void *fresh);

/* It is empty then, and may be used again. */
void index_free(struct index *ix);

/* The seed for hashes of numbers from files: odd, different in each process. */
uint64_t index_seed(void);

/* A key for bytes, valid in this process only.  Two texts get the same key with probability 2^-64. */
uint64_t index_key(const void *bytes, size_t length);
