/* SPDX-License-Identifier: MIT */
/*
 * Rows of PACKED_PLACES: what a row says depends on the rows before it in the same frame, and on no other frame.
 * Indexes often follow one another, tasks come again, and addresses of one kind are near each other.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/wire.h"

#define PLACE_ROWS_BACK 255u /* a task that came so many rows before needs not be said again */
#define PLACE_ROWS_MODE 16u  /* modes and kinds of delay are below it */

/* What the rows of a frame said so far; all zero to begin a frame. */
struct place_rows {
    uint64_t next;                      /* the index after that of the last row */
    uint64_t pc[2];                     /* of the last row not in user mode, in user mode */
    uint32_t rows;
    uint32_t task[PLACE_ROWS_BACK + 1]; /* of row n at n % 256 */
};

/* A definition as a row, after those before it.  It counts as sent after place_rows_sent().  Task context. */
void place_rows_put(const struct place_rows *p, const struct wire_places_row *definition,
                    struct wire_packed_places_row *row);

/* The row of this definition was sent, or received. */
void place_rows_sent(struct place_rows *p, const struct wire_places_row *definition);

/* The next row as a definition; false if its index or its task cannot be.  The mode is not checked.  Any context. */
bool place_rows_take(struct place_rows *p, const struct wire_packed_places_row *row,
                     struct wire_places_row *definition);
