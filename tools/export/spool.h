/* SPDX-License-Identifier: MIT */
/*
 * Declares a spool: columns of values that come side by side and are read one after another, as formats want them
 * that have an array a column.  What memory does not hold, a few KB a column, waits in a temporary file.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct spool { /* all zeros: empty */
    FILE *file;      /* NULL: memory has held all so far */
    uint32_t chunks; /* in the file */
    struct spool_column *column;
    size_t columns;
    bool failed;
};

/* Add a value to a column, behind a comma unless it is the first; a text of at most SPOOL_VALUE bytes. */
#define SPOOL_VALUE 256
void spool_put(struct spool *s, size_t column, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Write a column, which may be empty.  False, after a message, if the file could not be made, written or read. */
bool spool_copy(struct spool *s, size_t column, FILE *out);

void spool_free(struct spool *s);
