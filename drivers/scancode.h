/* SPDX-License-Identifier: MIT */
/*
 * Scan codes of set 1 (IBM PC/AT Technical Reference, "Keyboard") to what a terminal with a US keyboard sends for the
 * keys (VT100, ECMA-48): letters, Ctrl with them, and sequences for arrows, Home, End and Delete.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define SCANCODE_TEXT 5 /* bytes of the longest text, its end included */

struct scancode_keys { /* zero at first */
    bool shift[2], ctrl[2]; /* pressed: left, right */
    bool caps;
    bool extended;          /* the code before was 0xe0 */
    uint8_t skip;           /* codes that follow and mean nothing: of Pause */
};

/* Take a code.  The text that its key sends, "" for none.  Any context, one at a time. */
const char *scancode_take(struct scancode_keys *keys, uint8_t code, char text[SCANCODE_TEXT]);
