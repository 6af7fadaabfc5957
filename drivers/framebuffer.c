/* SPDX-License-Identifier: MIT */
/* A framebuffer: what it may be, and letters in it.  Its memory is written only: reading it is slow on a board. */
#include "drivers/framebuffer.h"

#include "drivers/font.h"

#define COLUMNS_WANTED 132u
#define ROWS_WANTED    25u
#define SIDE_MOST      16384u /* pixels */
#define ADDRESS_BITS   52u

static uint32_t pixel_bytes(const struct framebuffer_layout *l)
{
    return l->bits / 8;
}

/* ---- what it may be ---- */

static uint64_t mask_of(struct framebuffer_colour c)
{
    return ((1ull << c.bits) - 1) << c.shift;
}

static bool are_colours(const struct framebuffer_layout *l)
{
    const struct framebuffer_colour all[] = { l->red, l->green, l->blue };
    uint64_t used = 0;

    for (unsigned i = 0; i < 3; i++) {
        if (all[i].bits == 0 || all[i].bits > 16 || all[i].shift + all[i].bits > l->bits || used & mask_of(all[i]))
            return false;
        used |= mask_of(all[i]);
    }
    return true;
}

static void cut_height(struct framebuffer_layout *l)
{
    const uint64_t most = l->bytes != 0 && l->bytes < FRAMEBUFFER_MOST ? l->bytes : FRAMEBUFFER_MOST;

    if (l->bytes == 0 && (uint64_t)l->pitch * l->height <= FRAMEBUFFER_MOST)
        return;
    if ((uint64_t)l->pitch * l->height > most)
        l->height = (uint32_t)most / l->pitch;
}

const char *framebuffer_check(struct framebuffer_layout *l)
{
    if (l->bits != 16 && l->bits != 24 && l->bits != 32)
        return "its pixels have not 16, 24 or 32 bits";
    if (l->width < FONT_WIDTH || l->height < FONT_HEIGHT || l->width > SIDE_MOST || l->height > SIDE_MOST)
        return "it is smaller than a letter, or a side has more than 16384 pixels";
    if (l->pitch / pixel_bytes(l) < l->width)
        return "its lines overlap";
    if (l->bits == 32 && (l->base | l->pitch) % 4 != 0)
        return "its pixels are not aligned";
    if (!are_colours(l))
        return "its colours overlap, or lie outside of the pixel";
    cut_height(l);
    if (l->height < FONT_HEIGHT)
        return "its memory is smaller than a letter";
    if (l->base == 0 || l->base >> ADDRESS_BITS != 0 || (l->base + framebuffer_span(l)) >> ADDRESS_BITS != 0)
        return "there is no such address";
    return 0;
}

uint64_t framebuffer_span(const struct framebuffer_layout *l)
{
    return (uint64_t)l->pitch * l->height;
}

unsigned framebuffer_scale(const struct framebuffer_layout *l)
{
    const unsigned across = l->width / (COLUMNS_WANTED * FONT_WIDTH), down = l->height / (ROWS_WANTED * FONT_HEIGHT);
    const unsigned scale = across < down ? across : down;

    return scale != 0 ? scale : 1;
}

unsigned framebuffer_columns(const struct framebuffer *f)
{
    return f->layout.width / (FONT_WIDTH * f->scale);
}

unsigned framebuffer_rows(const struct framebuffer *f)
{
    return f->layout.height / (FONT_HEIGHT * f->scale);
}

/* ---- painting ---- */

static uint32_t part(struct framebuffer_colour c, uint32_t intensity)
{
    return c.bits >= 8 ? intensity << (c.bits - 8) << c.shift : intensity >> (8 - c.bits) << c.shift;
}

static uint32_t pixel_of(const struct framebuffer_layout *l, uint32_t rgb)
{
    return part(l->red, rgb >> 16 & 0xff) | part(l->green, rgb >> 8 & 0xff) | part(l->blue, rgb & 0xff);
}

static volatile uint8_t *put_pixel(volatile uint8_t *at, uint32_t bits, uint32_t pixel)
{
    at[0] = (uint8_t)pixel;
    at[1] = (uint8_t)(pixel >> 8);
    if (bits == 24)
        at[2] = (uint8_t)(pixel >> 16);
    return at + bits / 8;
}

/* So many pixels of one colour; whole words where they have 32 bits, which is nearly everywhere. */
static volatile uint8_t *put_pixels(volatile uint8_t *at, uint32_t bits, uint32_t pixel, unsigned count)
{
    volatile uint32_t *word = (volatile uint32_t *)at;

    if (bits != 32) {
        while (count-- != 0)
            at = put_pixel(at, bits, pixel);
        return at;
    }
    while (count-- != 0)
        *word++ = pixel;
    return (volatile uint8_t *)word;
}

void framebuffer_fill(const struct framebuffer *f, const struct framebuffer_area *a, uint32_t rgb)
{
    const uint32_t pixel = pixel_of(&f->layout, rgb);

    for (uint32_t y = a->y; y < a->y + a->height; y++)
        put_pixels(f->pixels + (uint64_t)y * f->layout.pitch + (uint64_t)a->x * pixel_bytes(&f->layout),
                   f->layout.bits, pixel, a->width);
}

void framebuffer_clear(const struct framebuffer *f)
{
    framebuffer_fill(f, &(struct framebuffer_area){ 0, 0, f->layout.width, f->layout.height }, 0);
}

static void put_dots(const struct framebuffer *f, volatile uint8_t *at, uint8_t dots, const uint32_t pixel[2])
{
    for (unsigned x = 0; x < FONT_WIDTH; x++)
        at = put_pixels(at, f->layout.bits, pixel[dots >> (FONT_WIDTH - 1 - x) & 1], f->scale);
}

void framebuffer_put(const struct framebuffer *f, unsigned column, unsigned row, uint8_t letter, uint32_t ink,
                     uint32_t paper)
{
    const uint32_t pixel[2] = { pixel_of(&f->layout, paper), pixel_of(&f->layout, ink) };
    volatile uint8_t *at = f->pixels + (uint64_t)row * FONT_HEIGHT * f->scale * f->layout.pitch +
                           (uint64_t)column * FONT_WIDTH * f->scale * (f->layout.bits / 8);

    for (unsigned y = 0; y < FONT_HEIGHT * f->scale; y++, at += f->layout.pitch)
        put_dots(f, at, font_row(letter, y / f->scale), pixel);
}
