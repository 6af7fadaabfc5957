/* SPDX-License-Identifier: MIT */
/*
 * The screen: the terminal's cells, painted where they differ from what is shown.  An exception may come in the
 * middle of anything here: its dump finds cells that are at worst not painted yet.
 */
#include "kernel/io/screen.h"

#include "drivers/font.h"
#include "drivers/framebuffer.h"
#include "drivers/vga_text.h"
#include "kernel/lib/string.h"
#include "kernel/mm/free_regions.h"
#include "kernel/mm/paging.h"
#include "probe/schedule/arithmetic.h"
#include "probe/schedule/memory.h"

#define DEVICES_FROM 0xfec00000ull /* I/O APIC, HPET, local APIC: */
#define DEVICES_TO   0xff000000ull
#define UNKNOWN      0xffffu /* what a cell shows that was never painted */
#define PAGE_LEAST   34u     /* columns: those of the table without bars, and a blank */
#define SAID_MOST    4096u
#define SAID_ERROR   '\1'    /* a terminal leaves it out */
#define ALL_BLANK    "\x1b[H\x1b[2J"
#define INVERSE(c)   ((uint16_t)(((c) & 0x0f00u) << 4 | ((c) & 0xf000u) >> 4 | ((c) & 0xffu)))

enum kind { SCREEN_NONE, SCREEN_VGA, SCREEN_FRAMEBUFFER };

static enum kind kind;                  /* set once, as the next */
static struct framebuffer framebuffer;
static struct terminal terminal;        /* the context of the header, as all below */
static uint16_t shown[TERMINAL_ROWS * TERMINAL_COLUMNS];
static bool in_use, later, dirty;
static bool held;                       /* somebody types */
static bool fresh;                      /* nothing was painted yet */
static char said[SAID_MOST];
static unsigned said_bytes;
static struct { unsigned column, row; } code; /* the first cells that it covers; 0: there is none */

/* ---- what there is ---- */

static bool overlaps(const struct framebuffer_layout *l, uint64_t from, uint64_t to)
{
    return l->base < to && from < l->base + framebuffer_span(l);
}

/* What would be painted over. */
static const char *check_place(const struct framebuffer_layout *l, const struct boot_info *boot)
{
    if (overlaps(l, DEVICES_FROM, DEVICES_TO))
        return "it overlaps the interrupt controllers";
    return device_place_check(boot, paging_image_bytes(), l->base, framebuffer_span(l));
}

static const char *take_framebuffer(const struct boot_info *boot)
{
    struct framebuffer_layout layout = boot->framebuffer;
    const char *wrong = framebuffer_check(&layout);

    if (wrong == 0)
        wrong = check_place(&layout, boot);
    if (wrong != 0)
        return wrong;
    framebuffer.layout = layout;
    framebuffer.pixels = paging_map_framebuffer(layout.base, framebuffer_span(&layout));
    framebuffer.scale = framebuffer_scale(&layout);
    kind = SCREEN_FRAMEBUFFER;
    terminal_init(&terminal, framebuffer_columns(&framebuffer), framebuffer_rows(&framebuffer));
    return 0;
}

const char *screen_init(const struct boot_info *boot)
{
    fresh = true;
    if (boot->framebuffer.width != 0)
        return take_framebuffer(boot);
    if (boot->has_vga_text && vga_text_detect(DIRECT_BASE)) {
        kind = SCREEN_VGA;
        terminal_init(&terminal, VGA_TEXT_COLUMNS, VGA_TEXT_ROWS);
    }
    return 0;
}

bool screen_found(void)
{
    return kind != SCREEN_NONE;
}

void screen_put_name(struct text_buf *to)
{
    if (kind == SCREEN_FRAMEBUFFER)
        buf_parts(to, DECIMAL(framebuffer.layout.width), "x", DECIMAL(framebuffer.layout.height), " framebuffer at ",
                  HEX(framebuffer.layout.base), ", ");
    buf_parts(to, kind == SCREEN_VGA ? "VGA text, " : "", DECIMAL(terminal.columns), "x", DECIMAL(terminal.rows),
              " letters");
}

void screen_use(void)
{
    in_use = screen_found();
}

bool screen_in_use(void)
{
    return in_use;
}

unsigned screen_columns(void)
{
    return code.column != 0 && terminal.top > code.row ? code.column - 1 : terminal.columns;
}

unsigned screen_text_columns(void)
{
    return terminal.width;
}

/* ---- painting ---- */

static uint32_t colour(unsigned number)
{
    static const uint32_t colours[16] = {
        [0] = 0x000000, [TERMINAL_GREY] = 0xb8b8b8, [TERMINAL_CYAN] = 0x60d8e8, [TERMINAL_RED] = 0xff7060,
        [TERMINAL_WHITE] = 0xffffff,
    };

    return colours[number & 15];
}

static void paint_cell(unsigned column, unsigned row, uint16_t cell)
{
    const uint8_t letter = (uint8_t)cell, colours = (uint8_t)(cell >> 8);

    if (kind == SCREEN_VGA)
        vga_text_put(DIRECT_BASE, column, row, letter, colours);
    else
        framebuffer_put(&framebuffer, column, row, letter, colour(colours), colour(colours >> 4));
}

static bool is_covered(unsigned column, unsigned row)
{
    return code.column != 0 && column >= code.column && row >= code.row;
}

static void begin_painting(void)
{
    if (kind == SCREEN_FRAMEBUFFER)
        framebuffer_clear(&framebuffer);
    for (unsigned i = 0; i < TERMINAL_ROWS * TERMINAL_COLUMNS; i++)
        shown[i] = UNKNOWN;
    fresh = false;
}

void screen_paint(void)
{
    const unsigned at = terminal.row * terminal.columns + terminal.column;

    if (!dirty || kind == SCREEN_NONE)
        return;
    dirty = false;
    if (fresh)
        begin_painting();
    for (unsigned i = 0, row = 0; row < terminal.rows; row++)
        for (unsigned column = 0; column < terminal.columns; column++, i++) {
            const uint16_t cell = held && i == at ? INVERSE(terminal.cell[i]) : terminal.cell[i];

            if (shown[i] != cell && !is_covered(column, row))
                paint_cell(column, row, cell);
            shown[i] = cell;
        }
    __asm__ volatile("sfence" : : : "memory"); /* what a write-combining buffer holds is seen now */
}

void screen_paint_later(void)
{
    later = true;
}

static void write(const char *text, unsigned length)
{
    terminal_write(&terminal, text, length);
    dirty = true;
}

/* ---- what was written last, for text of another width ---- */

/* The end of all that was written; an error begins with SAID_ERROR. */
static void keep(const char *text, unsigned length)
{
    for (unsigned i = 0; i < length; i++) {
        if (said_bytes == SAID_MOST)
            memmove(said, said + SAID_MOST / 2, said_bytes /= 2);
        said[said_bytes++] = text[i];
    }
}

/* A line in rows that end between words, where one is not longer than a row. */
static void write_words(const char *text, unsigned left)
{
    while (left > terminal.width) {
        unsigned length = terminal.width;

        while (length != 0 && text[length] != ' ')
            length--;
        if (length == 0)
            length = terminal.width;
        write(text, length);
        write("\r\n", 2);
        length += text[length] == ' ';
        text += length;
        left -= length;
    }
    write(text, left);
}

static void write_again(void)
{
    unsigned from = 0;

    write(ALL_BLANK, sizeof ALL_BLANK - 1);
    for (unsigned i = 0; i <= said_bytes; i++) {
        if (i != said_bytes && said[i] != '\n')
            continue;
        terminal.colours = said[from] == SAID_ERROR ? TERMINAL_RED : TERMINAL_GREY;
        write_words(said + from, i - from - (i > from && said[i - 1] == '\r'));
        if (i != said_bytes)
            write("\r\n", 2);
        from = i + 1;
    }
    terminal.colours = TERMINAL_GREY;
}

void screen_write(const char *text, unsigned length)
{
    if (!in_use)
        return;
    keep(text, length);
    write(text, length);
    if (!later)
        screen_paint();
}

void screen_write_line(const char *text, bool error)
{
    static const char mark = SAID_ERROR;

    if (kind == SCREEN_NONE || (!in_use && !error))
        return;
    keep(&mark, error);
    keep(text, (unsigned)string_length(text));
    keep("\r\n", 2);
    terminal.colours = error ? TERMINAL_RED : TERMINAL_GREY;
    write_words(text, (unsigned)string_length(text));
    terminal.colours = TERMINAL_GREY;
    write("\r\n", 2);
    if (!later || error)
        screen_paint();
}

/* ---- the page ---- */

unsigned screen_page(unsigned rows)
{
    const unsigned most = terminal.rows - terminal.rows / 4;

    if (rows > most)
        rows = most;
    if (in_use) {
        terminal_set_top(&terminal, rows);
        dirty = true;
    }
    return rows;
}

void screen_page_row(unsigned row, const char *text, uint8_t colours)
{
    terminal_put_row(&terminal, row, text, colours);
    dirty = true;
}

bool screen_has_page(void)
{
    return in_use && !held;
}

void screen_hold_page(bool hold)
{
    held = hold;
    if (hold)
        screen_page(0);
}

/* ---- the code ---- */

unsigned screen_code_room(unsigned pixels)
{
    const unsigned beside = PAGE_LEAST * FONT_WIDTH * framebuffer.scale;
    const struct framebuffer_layout *const l = &framebuffer.layout;
    unsigned modules;

    if (!in_use || kind != SCREEN_FRAMEBUFFER || l->width <= beside)
        return 0;
    modules = least_of(l->width - beside, l->height) / pixels;
    return modules > 2 * QR_QUIET ? modules - 2 * QR_QUIET : 0;
}

/* As large as half the height, or with four pixels a module; less where that is more than half of the width. */
static unsigned code_pixels(unsigned modules)
{
    const struct framebuffer_layout *const l = &framebuffer.layout;
    unsigned pixels = l->height / 2 / modules;

    if (pixels < 4)
        pixels = 4;
    while (pixels > SCREEN_CODE_LEAST && pixels * modules > least_of(l->width / 2, l->height))
        pixels--;
    return pixels;
}

static void paint_code(const struct qr_code *qr, const struct framebuffer_area *a, unsigned pixels)
{
    framebuffer_fill(&framebuffer, a, colour(TERMINAL_WHITE));
    for (unsigned y = 0; y < qr->side; y++)
        for (unsigned x = 0; x < qr->side; x++)
            if (qr_dark(qr, x, y))
                framebuffer_fill(&framebuffer, &(struct framebuffer_area){
                    a->x + (x + QR_QUIET) * pixels, a->y + (y + QR_QUIET) * pixels, pixels, pixels }, 0);
}

void screen_code_show(const struct qr_code *qr)
{
    const unsigned modules = qr->side + 2 * QR_QUIET, pixels = code_pixels(modules), side = modules * pixels;
    const struct framebuffer_layout *const l = &framebuffer.layout;
    const unsigned wide = FONT_WIDTH * framebuffer.scale, high = FONT_HEIGHT * framebuffer.scale;
    struct framebuffer_area area; /* up to the edges: no letter is seen beside it */

    if (fresh)
        begin_painting();
    code.column = (l->width - side) / wide;
    code.row = (l->height - side) / high;
    terminal.width = code.column - 1;
    write_again();
    area = (struct framebuffer_area){ code.column * wide, code.row * high, l->width - code.column * wide,
                                      l->height - code.row * high };
    paint_code(qr, &area, pixels);
    screen_paint();
}
