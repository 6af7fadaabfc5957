/* SPDX-License-Identifier: MIT */
/*
 * The framebuffer: descriptions that cannot be true are refused, and a letter stays in its cell,
 * at each width of a pixel.
 */
#include "drivers/font.c"
#include "drivers/framebuffer.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FILL 0x5a /* what lies beyond a line's pixels, and must stay */

static struct framebuffer_layout layout(uint32_t width, uint32_t height, uint32_t bits)
{
    struct framebuffer_layout l = {
        .base = 0xfd000000, .width = width, .height = height, .pitch = width * bits / 8 + 16, .bits = bits,
        .red = {16, 8}, .green = {8, 8}, .blue = {0, 8},
    };

    if (bits == 16) {
        l.red = (struct framebuffer_colour){11, 5};
        l.green = (struct framebuffer_colour){5, 6};
        l.blue = (struct framebuffer_colour){0, 5};
    }
    return l;
}

static void test_sound(void **state)
{
    static const uint32_t bits[] = {16, 24, 32};

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct framebuffer_layout l = layout(1024, 768, bits[i]);

        assert_null(framebuffer_check(&l));
        assert_int_equal(l.height, 768);
    }
}

/* Each has one thing wrong. */
static void test_refused(void **state)
{
    struct framebuffer_layout wrong[] = {
        layout(1024, 768, 32), layout(1024, 768, 32), layout(1024, 768, 32), layout(1024, 768, 32),
        layout(1024, 768, 32), layout(1024, 768, 32), layout(1024, 768, 32), layout(1024, 768, 32),
        layout(1024, 768, 32), layout(1024, 768, 32),
        layout(1024, 768, 32), layout(1024, 768, 32), layout(1024, 768, 16), layout(1024, 768, 32),
    };

    (void)state;
    wrong[0].width = 7;
    wrong[1].height = 0;
    wrong[2].width = 1u << 31;
    wrong[3].height = UINT32_MAX;
    wrong[4].pitch = 1024 * 4 - 4;
    wrong[5].pitch = 0;
    wrong[6].bits = 8;
    wrong[7].base = 0;
    wrong[8].base = UINT64_MAX - 4095;
    wrong[9].bytes = 15 * (1024 * 4 + 16);
    wrong[10].red.shift = 8;
    wrong[11].blue.bits = 0;
    wrong[12].red = (struct framebuffer_colour){16, 5};
    wrong[13].base += 2;
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_non_null(framebuffer_check(&wrong[i]));
}

/* The lines that its memory does not hold are cut off; a pitch may be any, and nothing overflows. */
static void test_cut(void **state)
{
    struct framebuffer_layout l = layout(1024, 768, 32);

    (void)state;
    l.bytes = 700ull * l.pitch + 5;
    assert_null(framebuffer_check(&l));
    assert_int_equal(l.height, 700);
    l = layout(1024, 768, 32);
    l.pitch = 1u << 24;
    assert_null(framebuffer_check(&l));
    assert_int_equal(l.height, 32);
    l = layout(1024, 768, 32);
    l.pitch = 0xfffffffc;
    assert_non_null(framebuffer_check(&l));
}

static void test_scale(void **state)
{
    static const struct { uint32_t width, height; unsigned scale; } sizes[] = {
        {320, 200, 1}, {640, 400, 1}, {1024, 768, 1}, {1280, 800, 1}, {1920, 1080, 1}, {2111, 1200, 1},
        {2112, 800, 2}, {2112, 799, 1}, {2560, 1440, 2}, {3840, 2160, 3}, {5120, 1440, 3},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const struct framebuffer_layout l = layout(sizes[i].width, sizes[i].height, 32);

        assert_int_equal(framebuffer_scale(&l), sizes[i].scale);
    }
}

/* A pixel as its bytes have it. */
static uint32_t pixel_at(const struct framebuffer *f, unsigned x, unsigned y)
{
    uint32_t pixel = 0;

    for (unsigned i = 0; i < f->layout.bits / 8; i++)
        pixel |= (uint32_t)f->pixels[(size_t)y * f->layout.pitch + x * f->layout.bits / 8 + i] << 8 * i;
    return pixel;
}

static void check_letter(uint32_t bits, unsigned scale)
{
    struct framebuffer f = {.layout = layout(100, 80, bits), .scale = scale};
    const size_t bytes = framebuffer_span(&f.layout);
    uint8_t *const memory = malloc(bytes);
    const unsigned wide = FONT_WIDTH * scale, high = FONT_HEIGHT * scale;

    assert_non_null(memory);
    memset(memory, FILL, bytes);
    f.pixels = memory;
    framebuffer_clear(&f);
    framebuffer_put(&f, 1, 1, 'g', 0xffffff, 0x0000ff);
    for (unsigned y = 0; y < f.layout.height; y++) {
        for (unsigned x = 0; x < f.layout.width; x++) {
            const bool in = x / wide == 1 && y / high == 1;
            const bool lit = in && font_row('g', y % high / scale) >> (7 - x % wide / scale) & 1;

            assert_int_equal(pixel_at(&f, x, y), !in ? 0 : pixel_of(&f.layout, lit ? 0xffffff : 0x0000ff));
        }
        for (unsigned i = f.layout.width * bits / 8; i < f.layout.pitch; i++)
            assert_int_equal(memory[(size_t)y * f.layout.pitch + i], FILL);
    }
    /* The last whole cell ends in the memory: the sanitizer sees what does not. */
    framebuffer_put(&f, framebuffer_columns(&f) - 1, framebuffer_rows(&f) - 1, FONT_FULL, 0xffffff, 0);
    free(memory);
}

/* An area, at each width of a pixel, and nothing beside it. */
static void test_fill(void **state)
{
    (void)state;
    for (uint32_t bits = 16; bits <= 32; bits += 8) {
        struct framebuffer f = {.layout = layout(100, 80, bits), .scale = 1};
        uint8_t *const memory = calloc(framebuffer_span(&f.layout), 1);

        assert_non_null(memory);
        f.pixels = memory;
        framebuffer_fill(&f, &(struct framebuffer_area){97, 70, 3, 10}, 0xffffff);
        for (unsigned y = 0; y < 80; y++)
            for (unsigned x = 0; x < 100; x++)
                assert_int_equal(pixel_at(&f, x, y), x >= 97 && y >= 70 ? pixel_of(&f.layout, 0xffffff) : 0);
        free(memory);
    }
}

static void test_letters(void **state)
{
    (void)state;
    for (uint32_t bits = 16; bits <= 32; bits += 8)
        for (unsigned scale = 1; scale <= 2; scale++)
            check_letter(bits, scale);
}

/* No two letters look the same, and each but the blank is seen. */
static void test_font(void **state)
{
    (void)state;
    for (unsigned a = 0x21; a < 0x7f; a++) {
        bool seen = false;

        for (unsigned row = 0; row < FONT_HEIGHT; row++)
            seen |= font_row((uint8_t)a, row) != 0;
        assert_true(seen);
        for (unsigned b = a + 1; b < 0x7f; b++) {
            bool differ = false;

            for (unsigned row = 0; row < FONT_HEIGHT; row++)
                differ |= font_row((uint8_t)a, row) != font_row((uint8_t)b, row);
            assert_true(differ);
        }
    }
    assert_int_equal(font_row('\n', 3) | font_row(0xff, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound), cmocka_unit_test(test_refused), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_scale), cmocka_unit_test(test_fill), cmocka_unit_test(test_letters),
        cmocka_unit_test(test_font),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
