/* SPDX-License-Identifier: MIT */
/* The 80x25 text screen of a VGA.  IBM VGA, mode 3. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define VGA_TEXT_COLUMNS 80u
#define VGA_TEXT_ROWS    25u

/*
 * Whether there is a VGA in a text mode, whose memory keeps what is written; switches its cursor off.  `direct_map`
 * is where physical address 0 is mapped, as below.  During the start.
 */
bool vga_text_detect(uint64_t direct_map);

/* Put a letter (code page 437) into a cell, in 16 colours: 7 is grey.  Any context. */
void vga_text_put(uint64_t direct_map, unsigned column, unsigned row, uint8_t letter, uint8_t colours);
