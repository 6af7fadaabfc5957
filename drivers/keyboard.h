/* SPDX-License-Identifier: MIT */
/*
 * The keyboard of a PC: its controller, the 8042, or what firmware emulates at its ports (IBM PS/2 Hardware Interface
 * Technical Reference, "Keyboard and Auxiliary Device Controller"), and what its scan codes mean.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Have the keyboard send scan codes of set 1 and no interrupt, and the mouse nothing; false where there is no
 * controller, or one that takes no command.  Each wait is bounded, and all together are.  Interrupts off.
 */
bool i8042_init(void);

/* The next scan code; false where none waits.  Any context, one at a time. */
bool i8042_read(uint8_t *code);

/*
 * Scan codes of set 1 (IBM PC/AT Technical Reference, "Keyboard") to what a terminal with a US keyboard sends for the
 * keys (VT100, ECMA-48): letters, Ctrl with them, and sequences for arrows, Home, End and Delete.
 */
#define SCANCODE_TEXT 5 /* bytes of the longest text, its end included */

struct scancode_keys { /* zero at first */
    bool shift[2], ctrl[2]; /* pressed: left, right */
    bool caps;
    bool extended;          /* the code before was 0xe0 */
    uint8_t skip;           /* codes that follow and mean nothing: of Pause */
};

/* Take a code.  The text that its key sends, "" for none.  Any context, one at a time. */
const char *scancode_take(struct scancode_keys *keys, uint8_t code, char text[SCANCODE_TEXT]);
