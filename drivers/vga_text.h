/* SPDX-License-Identifier: MIT */
/* The 80x25 text screen of a VGA, for messages when there is no serial line.  IBM VGA, mode 3. */
#pragma once

#include <stdint.h>

/*
 * Write a text to the screen from the next row on, 80 columns a row.  After the last row it
 * continues at the first.  `direct_map` is where physical address 0 is mapped.  Any context.
 */
void vga_text_line(uint64_t direct_map, const char *text);
