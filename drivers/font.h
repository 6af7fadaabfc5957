/* SPDX-License-Identifier: MIT */
/* The letters of the screen as pixels, of ASCII and of two blocks for bars. */
#pragma once

#include <stdint.h>

#define FONT_WIDTH  8u /* pixels */
#define FONT_HEIGHT 16u

/* Letters beyond ASCII, at their places in a VGA's own font (code page 437). */
#define FONT_SHADE 0xb1u /* every other pixel */
#define FONT_FULL  0xdbu /* every pixel */

/*
 * A row of a letter, 0 .. FONT_HEIGHT - 1 from above: the leftmost pixel is the highest bit.  Blank where there is no
 * such letter.  Any context.
 */
uint8_t font_row(uint8_t letter, unsigned row);
