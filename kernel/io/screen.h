/* SPDX-License-Identifier: MIT */
/*
 * The screen: a VGA's text or a framebuffer, whichever the door has told of.  Errors always go to it; the text of the
 * run does where screen_use() says so.  Painting is done by who writes, never by an interrupt.  Context, unless told:
 * that of log_parts(): the start, task PROBE, the dump of an exception.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/boot_info.h"
#include "kernel/io/qr_code.h"
#include "probe/text/text_buf.h"

/*
 * A terminal in memory: cells that text scrolls through, below rows that are written in their place.  It takes the
 * escape sequences that the shell uses (VT100, ECMA-48): CSI n A B C D, r;c H, n J, n K; any other is left out.
 * Whatever is written, no cell outside is touched.  One context at a time.
 */

#define TERMINAL_COLUMNS 255u /* at most: a line of a table has no more */
#define TERMINAL_ROWS    80u

#define TERMINAL_GREY  0x07u /* colours, as a VGA has them */
#define TERMINAL_CYAN  0x0bu
#define TERMINAL_RED   0x0cu
#define TERMINAL_WHITE 0x0fu

enum terminal_escape { ESCAPE_NONE, ESCAPE_BEGUN, ESCAPE_CSI };

struct terminal {
    uint16_t cell[TERMINAL_ROWS * TERMINAL_COLUMNS]; /* colours << 8 | letter; rows of `columns` */
    unsigned columns, rows;
    unsigned width;       /* columns of text; all, but for whoever sets it */
    unsigned top;         /* rows above it do not scroll */
    unsigned column, row; /* of the next letter; column == width: it goes to the next row */
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

/*
 * Look for a screen.  Once, interrupts off.  NULL, or why a framebuffer that was handed over is not used.  Nothing is
 * written to it before it is needed.
 */
const char *screen_init(const struct boot_info *boot);

/* Whether there is one. */
bool screen_found(void);

/* Append what it is: "1024x768 framebuffer, 128x48 letters". */
void screen_put_name(struct text_buf *to);

/* The text of the run goes to it from now on. */
void screen_use(void);
bool screen_in_use(void);

/*
 * Write text of the run; nothing where it is not in use.  It is painted by screen_paint(), during the start at once.
 */
void screen_write(const char *text, unsigned length);

/* Write a line in its colour, and paint it now; an error also where the screen is not in use. */
void screen_write_line(const char *text, bool error);

/* Writing no longer paints: screen_paint() follows, which run_service_rings() calls. */
void screen_paint_later(void);

/* Paint what has changed. */
void screen_paint(void);

/*
 * The page: rows above the text, which stand still.  Begin it with so many rows, 0: there is none; a quarter of the
 * screen's is left to the text.  Answers how many it has.  Then put each row.
 */
unsigned screen_page(unsigned rows);
void screen_page_row(unsigned row, const char *text, uint8_t colours);

/*
 * It has a page each second, unless that is held: while somebody types, the whole screen is the text's,
 * with a cursor.
 */
bool screen_has_page(void);
void screen_hold_page(bool held);

/* The columns of the page, and those of text, as they are now; 0 where there is no screen. */
unsigned screen_columns(void);
unsigned screen_text_columns(void);

/*
 * The code, in the lower right corner.  screen_code_room(): the modules that a side may have beside its light border,
 * where each has so many pixels; 0: the screen is not in use, or no framebuffer.  screen_code_show(): paint one that
 * has room with SCREEN_CODE_LEAST.  Text goes beside it from now on, what was written last too, and so does a page
 * that is as high: whoever has one draws it again.
 */
#define SCREEN_CODE_LEAST 3u /* pixels of a module */
unsigned screen_code_room(unsigned pixels);
void screen_code_show(const struct qr_code *code);
