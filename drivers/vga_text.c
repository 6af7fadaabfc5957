/* SPDX-License-Identifier: MIT */
/*
 * The 80x25 text screen of a VGA.  IBM VGA, mode 3; Ferraro, Programmer's Guide to the EGA and VGA, chapters 4 and 7.
 */
#include "drivers/vga_text.h"

#include "drivers/io.h"

#define TEXT_ADDRESS 0xb8000u
#define CELLS        (VGA_TEXT_COLUMNS * VGA_TEXT_ROWS)

#define GRAPHICS_INDEX 0x3ceu
#define GRAPHICS_DATA  0x3cfu
#define GRAPHICS_MISC  0x06u
#define MISC_GRAPHICS  0x01u /* else text */
#define MISC_MAP       0x0cu /* where its memory is: */
#define MISC_MAP_TEXT  0x0cu /* 32 KiB at 0xb8000 */

#define CRT_INDEX        0x3d4u
#define CRT_DATA         0x3d5u
#define CRT_CURSOR_START 0x0au
#define CURSOR_OFF       0x20u

static volatile uint16_t *cell(uint64_t direct_map, unsigned number)
{
    return (volatile uint16_t *)(uintptr_t)(direct_map + TEXT_ADDRESS) + number;
}

/* Without a VGA the port reads as 0xff, which is no text mode. */
static bool is_text_mode(void)
{
    outb(GRAPHICS_INDEX, GRAPHICS_MISC);
    return (inb(GRAPHICS_DATA) & (MISC_GRAPHICS | MISC_MAP)) == MISC_MAP_TEXT;
}

static bool keeps(volatile uint16_t *at, uint16_t value)
{
    *at = value;
    return *at == value;
}

bool vga_text_detect(uint64_t direct_map)
{
    volatile uint16_t *const last = cell(direct_map, CELLS - 1);

    if (!is_text_mode() || !keeps(last, 0x0755) || !keeps(last, 0x07aa))
        return false;
    outb(CRT_INDEX, CRT_CURSOR_START);
    outb(CRT_DATA, CURSOR_OFF);
    return true;
}

void vga_text_put(uint64_t direct_map, unsigned column, unsigned row, uint8_t letter, uint8_t colours)
{
    *cell(direct_map, row * VGA_TEXT_COLUMNS + column) = (uint16_t)(colours << 8 | letter);
}
