# SPDX-License-Identifier: MIT
"""Draws a grid of errors: how far what each method says of each workload is from the truth of its own run,
as a number and as a colour, with error bars."""

import svg
from estimates import Estimate

# px: the column of names, a cell's width, a row's height, what is above the rows
NAME, CELL, ROW, HEAD = 268, 58, 28, 156
SCALE = 10                # points of the time at either side of the truth, for the error bars
BASE = 6                  # px of an error bar above the end of its cell
EDGE = svg.LEFT // 4
LEVELS = ((1, "#ffffff", "within 1 point"), (5, "#f7dfa5", "1 to 5"), (20, "#e08a35", "5 to 20"),
          (101, "#6b1d3a", "more than 20"))
NONE = "#e4e4e4"
PALE = "#fffffe"  # white, which stays so where the reader's colours are dark
DARK = {**svg.DARK, LEVELS[1][1]: "#5c4a10", LEVELS[2][1]: "#9a5410", LEVELS[3][1]: "#a3325f", NONE: "#262c33"}


def shown(off):
    """A distance from the truth as it is printed, by which it gets its colour too."""
    return None if off is None else round(off, 1) + 0.0


def ink_of(off):
    """The colour of a distance from the truth, in points."""
    return NONE if off is None else next(ink for limit, ink, _ in LEVELS if abs(shown(off)) <= limit)


def error_bar(sheet, x, y, limits, ink):
    """limits: (low, high) in points from the truth, which is the short line in the middle; what is farther than the
    scale has no cap."""
    middle, per_point = x + CELL / 2, (CELL / 2 - 3) / SCALE
    low, high = (middle + per_point * min(max(v, -SCALE), SCALE) for v in limits)
    caps = "".join(f"M{at:.1f} {y - 2.5:.1f}v5" for at, real in zip((low, high), limits) if abs(real) <= SCALE)
    sheet.line(middle, y - 4, middle, y + 4, ink, 0.8)
    sheet.parts.append(f'<path class="whisker" d="M{low:.1f} {y:.1f}H{high:.1f}{caps}" stroke="{ink}" '
                       'stroke-width="1.4" fill="none"/>')
    sheet.estimates += 1


def cell(sheet, x, y, number, off):
    """The error of a reading; '-' where the method tells none.  On the darkest ink its number is pale."""
    ground = ink_of(off)
    ink = PALE if ground == LEVELS[-1][1] else svg.INK
    sheet.box(x, y, CELL, ROW, ground)
    words = "-" if off is None else f"{shown(off):+.1f}" if shown(off) else "0.0"
    sheet.text(x + CELL - 8, y + 14, words, anchor="end", ink=ink,
               weight="bold" if off is not None and abs(shown(off)) > LEVELS[1][0] else "normal")
    if isinstance(number, Estimate):
        truth = number.value - off
        error_bar(sheet, x, y + ROW - BASE, (number.low - truth, number.high - truth), ink)


def key(sheet):
    x = EDGE
    sheet.text(x, 56, "Each number is how far the method is from the truth of its run, in points (% of the time). "
                      "Without a colour it is right:")
    for ink, words in [(ink, words) for _, ink, words in LEVELS] + [(NONE, "it does not tell")]:
        sheet.box(x, 64, 14, 14, ink)
        sheet.text(x + 20, 76, words)
        x += 44 + svg.text_width(words)


def heads(sheet, columns):
    """columns: (workload, guilty, true busy share, true share of the guilty)."""
    for number, (load, guilty, busy, share) in enumerate(columns):
        x = NAME + 2 * CELL * number
        sheet.text(x + CELL, 102, load, anchor="middle", weight="bold")
        for place, (words, value) in enumerate((("busy", busy), (guilty, share))):
            sheet.text(x + CELL * (place + 0.5), 120, words, anchor="middle", size=11)
            sheet.text(x + CELL * (place + 1) - 8, 144, f"{value:.1f}", anchor="end", weight="bold")
    sheet.text(EDGE, 144, "the truth, %", weight="bold")


def grid(path, title, columns, rows):
    """rows: (method, [(value, off)] by column, busy and guilty in turn; a value is a number, an Estimate, or None for
    what it does not tell)."""
    width, height = NAME + 2 * CELL * len(columns) + svg.RIGHT, HEAD + ROW * len(rows) + svg.RIGHT
    sheet = svg.Sheet(title, (0, 1), (0, 1), size=(width, height), left=EDGE,
                      note=f"of random samples; the short line is the truth, a cell spans {SCALE} points to "
                           "either side")
    sheet.dark = DARK
    key(sheet)
    heads(sheet, columns)
    for number, (name, cells) in enumerate(rows):
        y = HEAD + ROW * number
        sheet.text(EDGE, y + 18, name)
        for place, (value, off) in enumerate(cells):
            cell(sheet, NAME + CELL * place, y, value, off)
    for number in range(len(columns) + 1):
        x = NAME + 2 * CELL * number
        sheet.line(x, 88, x, HEAD + ROW * len(rows), width=1.6)
    sheet.write(path)
