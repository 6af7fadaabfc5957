/* SPDX-License-Identifier: MIT */
/* The 80x25 text screen of a VGA.  IBM VGA, mode 3. */
#include "drivers/vga_text.h"

#define TEXT_ADDRESS 0xb8000
#define COLUMNS      80
#define ROWS         25
#define LIGHT_GREY   0x0700 /* attribute byte, black background */

/* Write one row; returns the rest of the text. */
static const char *put_row(volatile uint16_t *cell, const char *text)
{
    for (int column = 0; column < COLUMNS; column++) {
        const char c = *text != '\0' ? *text++ : ' ';

        cell[column] = (uint16_t)(LIGHT_GREY | (uint8_t)c);
    }
    return text;
}

void vga_text_line(uint64_t direct_map, const char *text)
{
    static unsigned row; /* any context: a race only mixes two lines */

    do {
        text = put_row((volatile uint16_t *)(direct_map + TEXT_ADDRESS) + row * COLUMNS, text);
        row = (row + 1) % ROWS;
    } while (*text != '\0');
}
