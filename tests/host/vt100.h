/* SPDX-License-Identifier: MIT */
/*
 * A small VT100: 24 rows of 80 columns, printing characters, CR LF BS BEL, and CSI
 * C K H J.  Whatever else comes fails the test: no terminal need know more.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

#define VT100_ROWS    24
#define VT100_COLUMNS 80

struct vt100 {
    char cell[VT100_ROWS][VT100_COLUMNS + 1]; /* each row ended by a zero */
    unsigned row, column, bells, bytes;
    char escape[16];
    unsigned escaped;
};

static inline void vt100_init(struct vt100 *t)
{
    memset(t, 0, sizeof *t);
    for (unsigned r = 0; r < VT100_ROWS; r++)
        memset(t->cell[r], ' ', VT100_COLUMNS);
}

static inline void vt100_feed(struct vt100 *t)
{
    if (++t->row < VT100_ROWS)
        return;
    t->row--;
    memmove(t->cell[0], t->cell[1], sizeof t->cell - sizeof t->cell[0]);
    memset(t->cell[t->row], ' ', VT100_COLUMNS);
}

static inline void vt100_do(struct vt100 *t, char what, unsigned n)
{
    if (what == 'C') {
        t->column += n ? n : 1;
        assert_true(t->column < VT100_COLUMNS);
    } else if (what == 'K' && n == 0) {
        memset(t->cell[t->row] + t->column, ' ', VT100_COLUMNS - t->column);
    } else if (what == 'H' && n == 0) {
        t->row = t->column = 0;
    } else if (what == 'J' && n == 2) {
        for (unsigned r = 0; r < VT100_ROWS; r++)
            memset(t->cell[r], ' ', VT100_COLUMNS);
    } else {
        fail_msg("this terminal has no CSI %u %c", n, what);
    }
}

static inline void vt100_escape(struct vt100 *t, char c)
{
    t->escape[t->escaped++] = c;
    assert_true(t->escaped < sizeof t->escape - 1);
    if (t->escaped == 2)
        assert_int_equal(c, '[');
    if (t->escaped <= 2 || c < '@')
        return;
    t->escape[t->escaped] = '\0';
    vt100_do(t, c, (unsigned)atoi(t->escape + 2));
    t->escaped = 0;
}

static inline void vt100_byte(struct vt100 *t, char c)
{
    t->bytes++;
    if (t->escaped || c == 0x1b)
        vt100_escape(t, c);
    else if (c == '\r')
        t->column = 0;
    else if (c == '\n')
        vt100_feed(t);
    else if (c == '\b')
        t->column -= t->column > 0;
    else if (c == '\a')
        t->bells++;
    else {
        assert_true(c >= ' ' && c <= '~');
        assert_true(t->column < VT100_COLUMNS - 1); /* the last column would wrap on some */
        t->cell[t->row][t->column++] = c;
    }
}

/* The row without the blanks at its end; it lasts until the next call. */
static inline const char *vt100_row(const struct vt100 *t, unsigned row)
{
    static char text[VT100_COLUMNS + 1];
    size_t length = VT100_COLUMNS;

    memcpy(text, t->cell[row], sizeof text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    text[length] = '\0';
    return text;
}
