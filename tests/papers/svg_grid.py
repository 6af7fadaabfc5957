# SPDX-License-Identifier: MIT
"""Draws a grid of readings: what each method says of each workload, in colours of how far that is from the truth."""

import svg

NAME, CELL, ROW, HEAD = 268, 58, 22, 152  # px: the column of names, a cell's width, a row's height, what is above the rows
LEVELS = ((1, "#ffffff", "within 1 point"), (5, "#f7dfa5", "1 to 5"), (20, "#d9822b", "5 to 20"), (101, "#6b1d3a", "more than 20"))
NONE = "#e4e4e4"
PALE = "#ffffff"


def ink_of(off):
    """The colour of a distance from the truth, in points."""
    return NONE if off is None else next(ink for limit, ink, _ in LEVELS if abs(off) <= limit)


def cell(sheet, x, y, value, off):
    """A reading; '-' where the method tells none.  On the darkest ink its number is pale."""
    ink = ink_of(off)
    sheet.box(x, y, CELL, ROW, ink)
    sheet.text(x + CELL - 8, y + 15, "-" if value is None else f"{value:.1f}", anchor="end", ink=PALE if ink == LEVELS[-1][1] else svg.INK)


def key(sheet):
    x = svg.LEFT // 4
    sheet.text(x, 42, "Each number is what the method says, in % of the time. Its colour is the distance from the truth, in points:")
    for ink, words in [(ink, words) for _, ink, words in LEVELS] + [(NONE, "it does not tell")]:
        sheet.box(x, 52, 14, 14, ink)
        sheet.text(x + 20, 64, words)
        x += 44 + svg.text_width(words)


def heads(sheet, columns):
    """columns: (workload, guilty, true busy share, true share of the guilty)."""
    for number, (load, guilty, busy, share) in enumerate(columns):
        x = NAME + 2 * CELL * number
        sheet.text(x + CELL, 98, load, anchor="middle", weight="bold")
        for place, (words, value) in enumerate((("busy", busy), (guilty, share))):
            sheet.text(x + CELL * (place + 0.5), 116, words, anchor="middle", size=11)
            sheet.text(x + CELL * (place + 1) - 8, 140, f"{value:.1f}", anchor="end", weight="bold")
    sheet.text(svg.LEFT // 4, 140, "the truth", weight="bold")


def grid(path, title, columns, rows):
    """rows: (method, [(value, off)] by column, busy and guilty in turn; None for what it does not tell)."""
    width, height = NAME + 2 * CELL * len(columns) + svg.RIGHT, HEAD + ROW * len(rows) + svg.RIGHT
    sheet = svg.Sheet(title, (0, 1), (0, 1), size=(width, height), left=svg.LEFT // 4)
    key(sheet)
    heads(sheet, columns)
    for number, (name, cells) in enumerate(rows):
        y = HEAD + ROW * number
        sheet.text(svg.LEFT // 4, y + 15, name)
        for place, (value, off) in enumerate(cells):
            cell(sheet, NAME + CELL * place, y, value, off)
    for number in range(len(columns) + 1):
        x = NAME + 2 * CELL * number
        sheet.line(x, 84, x, HEAD + ROW * len(rows), width=1.6)
    sheet.write(path)
