/* SPDX-License-Identifier: MIT */
/*
 * What the code under test says on standard error, taken instead of printed.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>

static char *said; /* what went to standard error */
static size_t said_size;

/* From here to listen_no_more() with the result. */
static inline FILE *listen(void)
{
    FILE *before = stderr;

    free(said);
    stderr = open_memstream(&said, &said_size);
    return before;
}

static inline void listen_no_more(FILE *before)
{
    fclose(stderr);
    stderr = before;
}
