/* SPDX-License-Identifier: MIT */
/*
 * A framebuffer, as firmware or a loader hands it over: lines of pixels in memory.  UEFI 2.10, 12.9 (GOP); Multiboot
 * Specification 0.6.96, 3.3.  Letters of drivers/font.h are painted into it, magnified by a whole number.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct framebuffer_colour { /* of a pixel: `bits` bits from bit `shift` on */
    uint8_t shift, bits;
};

struct framebuffer_layout { /* as it was handed over */
    uint64_t base;  /* physical */
    uint64_t bytes; /* 0: not told */
    uint32_t width, height; /* pixels; a width of 0: there is none */
    uint32_t pitch; /* bytes from one line to the next */
    uint32_t bits;  /* of a pixel: 16, 24 or 32 */
    struct framebuffer_colour red, green, blue;
};

#define FRAMEBUFFER_MOST (512u << 20) /* bytes; 8K at 32 bits has 127 MiB */

/*
 * Check what cannot be true of a framebuffer, or cannot be painted: why it is refused; NULL where it is sound.
 * `height` is cut to the lines that its bytes hold.  Any context.
 */
const char *framebuffer_check(struct framebuffer_layout *layout);

/* The bytes that its lines span.  Of one that was checked. */
uint64_t framebuffer_span(const struct framebuffer_layout *layout);

struct framebuffer { /* to be painted */
    struct framebuffer_layout layout;
    volatile uint8_t *pixels; /* where its base is mapped */
    unsigned scale;           /* pixels of a dot of a letter, each way */
};

/* A scale that leaves at least 80 columns and 25 rows, where one does. */
unsigned framebuffer_scale(const struct framebuffer_layout *layout);

/* Columns and rows of letters. */
unsigned framebuffer_columns(const struct framebuffer *f);
unsigned framebuffer_rows(const struct framebuffer *f);

/* Paint an area of its pixels, which lies within it, in one colour, 0xRRGGBB.  Any context. */
struct framebuffer_area {
    uint32_t x, y, width, height;
};
void framebuffer_fill(const struct framebuffer *f, const struct framebuffer_area *area, uint32_t rgb);

/* Paint all of it black.  Any context. */
void framebuffer_clear(const struct framebuffer *f);

/* Paint a letter; the colours are 0xRRGGBB.  `column` and `row` are of those above.  Any context. */
void framebuffer_put(const struct framebuffer *f, unsigned column, unsigned row, uint8_t letter, uint32_t ink,
                     uint32_t paper);
