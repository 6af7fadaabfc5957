/* SPDX-License-Identifier: MIT */
/* Memory, or the end of the program; what is found in it again by a key or by an address. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* End the program with a message. */
_Noreturn void out_of_memory(void);

/* Resize to `count` elements of `size` bytes; ends the program if there is no memory. */
void *xrealloc_array(void *old, size_t count, size_t size);

/* `count` new elements of `size` bytes, all zeros; the same. */
void *xcalloc(size_t count, size_t size);

/* Make room for one more element after `count`.  The size doubles, so that the total cost of growing is linear. */
void *xgrow(void *old, size_t count, size_t size);
#define GROW(array, count) ((array) = xgrow((array), (count), sizeof(*(array))))

/* The same, with a value at the end. */
#define APPEND(array, count, ...) (GROW(array, count), (array)[(count)++] = (__VA_ARGS__))

/* asprintf(3): the text, for the caller to free. */
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * A hash table from keys to indexes of a caller's array.  Keys come from files: each process draws
 * its own seed, so that a file cannot be made to cause collisions.
 */

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

/* Texts that are kept once each, numbered from 0 in the order in which they first came. */
struct text_set { /* all zeros: empty */
    char **text;  /* by number; they live as long as the set */
    size_t count;
    struct index number_of;
};

/* The number of a text, of which a copy is added if it is new: printable(), as it comes from files. */
uint32_t text_set_number(struct text_set *set, const char *text);

void text_set_free(struct text_set *set);

/*
 * Ranges of addresses that may lie within one another, flattened once so that
 * each look-up is one binary search: functions, lines, inlined functions.
 */

struct range {
    uint64_t start, end; /* [start, end); empty ones are left out */
    size_t what;         /* the caller's number of the range, not RANGE_NONE */
};

#define RANGE_NONE SIZE_MAX

/* Each part ends where the next one begins. */
struct range_map {
    struct range_part {
        uint64_t start;
        size_t what; /* or RANGE_NONE */
    } *part;
    size_t parts;
};

/*
 * Make the map of `count` ranges; sorts them.  Where ranges overlap, the map gives the range that
 * begins last; of several, the shortest; of several, the one with the highest `what`.
 */
void range_map_build(struct range_map *m, struct range *range, size_t count);
void range_map_free(struct range_map *m);

/* The range at `address`, or RANGE_NONE; *end, if not NULL: the address up to which the answer is the same. */
size_t range_map_find(const struct range_map *m, uint64_t address, uint64_t *end);
