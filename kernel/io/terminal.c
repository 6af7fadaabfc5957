/* SPDX-License-Identifier: MIT */
/* A terminal in memory: the cells, their scrolling, escape sequences. */
#include "kernel/io/screen.h"

#include "probe/schedule/arithmetic.h"

#define ESC      0x1b
#define BLANK    ' '
#define NUMBER_MOST 999u
#define TAB_WIDE 8u

static uint16_t *cell_at(struct terminal *t, unsigned row, unsigned column)
{
    return &t->cell[row * t->columns + column];
}

static void blank(struct terminal *t, unsigned row, unsigned from, unsigned to)
{
    for (unsigned column = from; column < to; column++)
        *cell_at(t, row, column) = TERMINAL_GREY << 8 | BLANK;
}

static void copy_row(struct terminal *t, unsigned to, unsigned from)
{
    for (unsigned column = 0; column < t->columns; column++)
        *cell_at(t, to, column) = *cell_at(t, from, column);
}

void terminal_init(struct terminal *t, unsigned columns, unsigned rows)
{
    *t = (struct terminal){
        .columns = least_of(columns, TERMINAL_COLUMNS), .rows = least_of(rows, TERMINAL_ROWS),
        .colours = TERMINAL_GREY, .width = least_of(columns, TERMINAL_COLUMNS),
    };
    for (unsigned row = 0; row < t->rows; row++)
        blank(t, row, 0, t->columns);
}

static void next_row(struct terminal *t)
{
    if (t->row + 1 < t->rows) {
        t->row++;
        return;
    }
    for (unsigned row = t->top; row + 1 < t->rows; row++)
        copy_row(t, row, row + 1);
    blank(t, t->rows - 1, 0, t->columns);
}

static void put(struct terminal *t, uint8_t letter)
{
    if (t->column >= t->width) {
        t->column = 0;
        next_row(t);
    }
    *cell_at(t, t->row, t->column) = (uint16_t)(t->colours << 8 | letter);
    t->column++;
}

/* ---- escape sequences ---- */

static unsigned count_of(const struct terminal *t)
{
    return t->number[0] != 0 ? t->number[0] : 1;
}

static void move_to(struct terminal *t, unsigned row, unsigned column)
{
    t->row = least_of(row, t->rows - 1);
    t->column = least_of(column, t->columns - 1);
    if (t->row < t->top)
        t->row = t->top;
}

/* Rows count from 1, the rows that stand still not among them. */
static void move_home(struct terminal *t)
{
    const unsigned row = count_of(t), column = t->numbers > 0 && t->number[1] != 0 ? t->number[1] : 1;

    move_to(t, t->top + row - 1, column - 1);
}

static void erase_screen(struct terminal *t)
{
    const bool all = t->number[0] == 2;
    const unsigned first = all ? t->top : t->row + 1;

    if (!all)
        blank(t, t->row, least_of(t->column, t->columns), t->columns);
    for (unsigned row = first; row < t->rows; row++)
        blank(t, row, 0, t->columns);
}

static void end_sequence(struct terminal *t, char final)
{
    switch (final) {
    case 'A':
        move_to(t, t->row - least_of(count_of(t), t->row), t->column);
        break;
    case 'B':
        move_to(t, t->row + count_of(t), t->column);
        break;
    case 'C':
        move_to(t, t->row, t->column + count_of(t));
        break;
    case 'D':
        move_to(t, t->row, t->column - least_of(count_of(t), t->column));
        break;
    case 'H':
        move_home(t);
        break;
    case 'J':
        erase_screen(t);
        break;
    case 'K':
        blank(t, t->row, t->number[0] == 2 ? 0 : least_of(t->column, t->columns), t->columns);
        break;
    default:
        break;
    }
}

static void take_csi(struct terminal *t, char c)
{
    if (c >= '0' && c <= '9') {
        t->number[t->numbers] = least_of(t->number[t->numbers] * 10 + (unsigned)(c - '0'), NUMBER_MOST);
        return;
    }
    if (c == ';') {
        t->numbers = 1;
        t->number[1] = 0;
        return;
    }
    if (c < 0x40) /* '?' and such: of a sequence that is left out at its end */
        return;
    end_sequence(t, c);
    t->escape = ESCAPE_NONE;
}

static void take_escape(struct terminal *t, char c)
{
    if (t->escape == ESCAPE_CSI) {
        take_csi(t, c);
        return;
    }
    t->escape = c == '[' ? ESCAPE_CSI : ESCAPE_NONE;
    t->numbers = t->number[0] = t->number[1] = 0;
}

/* ---- text ---- */

static void take_control(struct terminal *t, char c)
{
    switch (c) {
    case '\n':
        next_row(t);
        break;
    case '\r':
        t->column = 0;
        break;
    case '\b':
        t->column -= t->column != 0;
        break;
    case '\t':
        t->column = least_of((t->column / TAB_WIDE + 1) * TAB_WIDE, t->columns - 1);
        break;
    case ESC:
        t->escape = ESCAPE_BEGUN;
        break;
    default:
        break;
    }
}

void terminal_write(struct terminal *t, const char *text, unsigned length)
{
    for (unsigned i = 0; i < length && t->rows != 0 && t->columns != 0; i++) {
        if (t->escape != ESCAPE_NONE)
            take_escape(t, text[i]);
        else if ((uint8_t)text[i] < ' ')
            take_control(t, text[i]);
        else
            put(t, (uint8_t)text[i]);
    }
}

/* ---- rows that stand still ---- */

/* Move the rows from `from` on to `to`, in an order in which none is overwritten before it was moved. */
static void move_rows(struct terminal *t, unsigned to, unsigned from, unsigned count)
{
    for (unsigned i = 0; i < count && to < from; i++)
        copy_row(t, to + i, from + i);
    for (unsigned i = count; i-- > 0 && to > from;)
        copy_row(t, to + i, from + i);
}

void terminal_set_top(struct terminal *t, unsigned top)
{
    unsigned kept = t->row + 1 - t->top;

    if (top >= t->rows)
        top = t->rows - 1;
    if (top == t->top)
        return;
    kept = least_of(kept, t->rows - top);
    move_rows(t, top, t->row + 1 - kept, kept);
    t->row = top + kept - 1;
    t->top = top;
    for (unsigned row = 0; row < top; row++)
        blank(t, row, 0, t->columns);
    for (unsigned row = t->row + 1; row < t->rows; row++)
        blank(t, row, 0, t->columns);
}

void terminal_put_row(struct terminal *t, unsigned row, const char *text, uint8_t colours)
{
    unsigned column = 0;

    if (row >= t->top)
        return;
    for (; column < t->columns && text[column] != '\0'; column++)
        *cell_at(t, row, column) = (uint16_t)(colours << 8 | (uint8_t)text[column]);
    blank(t, row, column, t->columns);
}
