/* SPDX-License-Identifier: MIT */
/*
 * A terminal in memory: cells that text scrolls through, below rows that are written in their place.  It takes the
 * escape sequences that the shell uses (VT100, ECMA-48): CSI n A B C D, r;c H, n J, n K; any other is left out.
 * Whatever is written, no cell outside is touched.  One context at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define TERMINAL_COLUMNS 160u /* at most */
#define TERMINAL_ROWS    64u

#define TERMINAL_GREY  0x07u /* colours, as a VGA has them */
#define TERMINAL_CYAN  0x0bu
#define TERMINAL_RED   0x0cu
#define TERMINAL_WHITE 0x0fu

enum terminal_escape { ESCAPE_NONE, ESCAPE_BEGUN, ESCAPE_CSI };

struct terminal {
    uint16_t cell[TERMINAL_ROWS * TERMINAL_COLUMNS]; /* colours << 8 | letter; rows of `columns` */
    unsigned columns, rows;
    unsigned top;         /* rows above it do not scroll */
    unsigned column, row; /* of the next letter; column == columns: it goes to the next row */
    uint8_t colours;
    enum terminal_escape escape;
    unsigned number[2], numbers; /* of the sequence that has begun */
};

/* Blank, the cursor in its first row.  Sizes beyond the limits are cut. */
void terminal_init(struct terminal *t, unsigned columns, unsigned rows);

/* Write text at the cursor.  LF goes to the next row and its column, CR to the first column. */
void terminal_write(struct terminal *t, const char *text, unsigned length);

/* From now on rows above `top` stand still, and are blank; the text that fits below is kept. */
void terminal_set_top(struct terminal *t, unsigned top);

/* Put text into a row above `top`; the rest of the row is blank. */
void terminal_put_row(struct terminal *t, unsigned row, const char *text, uint8_t colours);
