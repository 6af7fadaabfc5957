/* SPDX-License-Identifier: MIT */
/* Allocates memory, or ends the program. */
#pragma once

#include <stddef.h>

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
