# SPDX-License-Identifier: MIT
"""Charts of values, each a number or an Estimate, which gets an error bar: bars, curves,
panels one above the other, stretches of time.

Every chart takes `note`, what a reader must know of its intervals beside that they are of 95 %.
"""

import math

import svg
from estimates import Estimate, highest, value_of

SEEN = 1.5   # px: a bar that is lower has its value written above it
MANY = 8     # places from which on a zero has no number, and names are short of room
DODGE = 2    # px between the error bars of two curves at one place
PANEL, GAP = 100, 26  # px: the height of a panel, and what is between two
LANE = 64    # px: room left of a lane for its name


def thinned(points, most=600):
    """Fewer points, but all that have an interval, and the last."""
    step = max(1, len(points) // most)
    return [p for i, p in enumerate(points) if i % step == 0 or isinstance(p[1], Estimate) or i == len(points) - 1]


def plain(points):
    return [(x, value_of(y)) for x, y in points]


def draw_curves(sheet, series, bold=()):
    """The lines first, then the error bars, so that none is covered; those of two curves stand side by side."""
    for number, (name, points) in enumerate(series.items()):
        sheet.path(plain(thinned(points)), number, bold=name in bold)
    estimated = [number for number, points in enumerate(series.values())
                 if any(isinstance(y, Estimate) for _, y in points)]
    for place, number in enumerate(estimated):
        for x, y in list(series.values())[number]:
            if isinstance(y, Estimate):
                at = sheet.x(x) + DODGE * (2 * place + 1 - len(estimated))
                sheet.whisker(at, y, svg.PENS[number])
                sheet.dot(at, sheet.y(y.value), svg.PENS[number])


def room_for_ends(sheet, names):
    left, top, right, bottom = sheet.plot
    sheet.plot = (left, top - 20, right - max(map(svg.text_width, names)) * 1.1, bottom)


def name_curves(sheet, series, bold, ends):
    """At their ends, or in a legend."""
    if ends:
        sheet.ends({name: plain(points) for name, points in series.items()})
    else:
        sheet.legend(series, curves=True, bold=bold)


def curves(path, title, labels, series, *, note, marks=(), bold=(), ends=False):
    """series: name: [(x, y)]; labels: of the axes x and y; marks: (x, y, words), each a point of its own; bold:
    series that stand out; ends: their names stand at the ends of the curves."""
    every = [p for points in series.values() for p in points] + [m[:2] for m in marks]
    low = min(value_of(y) for _, y in every)
    sheet = svg.Sheet(title, (0, max(x for x, _ in every)),
                      (-svg.top([-low]) if low < 0 else 0, svg.top([highest(y) for _, y in every])), note=note)
    if ends:
        room_for_ends(sheet, series)
    sheet.y_axis(labels[1])
    sheet.x_axis(labels[0])
    draw_curves(sheet, series, bold)
    for x, y, words in marks:
        sheet.mark(x, y, words)
    sheet.base()
    if low < 0:
        sheet.line(sheet.plot[0], sheet.y(0), sheet.plot[2], sheet.y(0), width=2)
    name_curves(sheet, series, bold, ends)
    sheet.write(path)


def panels(path, title, labels, groups, *, note):
    """groups: name: series; each group in a panel of its own, one above the other, on the same scales."""
    every = [p for series in groups.values() for points in series.values() for p in points]
    size = (svg.WIDTH, svg.TOP - 18 + len(groups) * (PANEL + GAP) - GAP + svg.BOTTOM)
    sheet = svg.Sheet(title, (0, max(x for x, _ in every)), (0, svg.top([highest(y) for _, y in every])), note=note,
                      size=size)
    for number, (name, series) in enumerate(groups.items()):
        upper = svg.TOP - 18 + number * (PANEL + GAP)
        sheet.plot = (svg.LEFT, upper, svg.WIDTH - svg.RIGHT, upper + PANEL)
        sheet.y_axis(labels[1], most=4)
        sheet.text(svg.LEFT + 4, upper - 5, name, weight="bold")
        draw_curves(sheet, series)
        sheet.base()
    sheet.x_axis(labels[0])
    sheet.write(path)


# ---- logarithmic ----

def decades(low, high):
    """Powers of ten between two powers; 2 and 5 times them as well where there are few."""
    steps = (1, 2, 5) if high - low < 2.5 else (1,)
    return [n * 10.0 ** p for p in range(math.floor(low), math.ceil(high) + 1) for n in steps
            if low - 1e-9 <= math.log10(n * 10.0 ** p) <= high + 1e-9]


def logarithm(number, least):
    """Of a number or an Estimate above 0; a limit that is not is far below the scale."""
    if not isinstance(number, Estimate):
        return math.log10(number)
    return Estimate(*(math.log10(v) if v > 0 else least for v in number))


def log_curves(path, title, labels, series, *, note, bold=(), ends=False):
    """As curves(), all values above 0, both scales logarithmic."""
    shown = [(math.log10(x), math.log10(value_of(y))) for points in series.values() for x, y in points]
    tops = [math.log10(highest(y)) for points in series.values() for _, y in points]
    low, high = math.floor(min(y for _, y in shown)), math.ceil(max(tops))
    sheet = svg.Sheet(title, (min(x for x, _ in shown) - 0.1, max(x for x, _ in shown) + 0.1), (low, high), note=note)
    if ends:
        room_for_ends(sheet, series)
    for value in decades(*sheet.y_range):
        sheet.y_tick(math.log10(value), f"{value:g}")
    for value in decades(*sheet.x_range):
        sheet.x_tick(math.log10(value), f"{value:.0f}")
    sheet.x_name(labels[0])
    sheet.y_name(labels[1])
    drawn = {name: [(math.log10(x), logarithm(y, low - 1)) for x, y in points] for name, points in series.items()}
    draw_curves(sheet, drawn, bold)
    sheet.base()
    name_curves(sheet, drawn, bold, ends)
    sheet.write(path)


# ---- bars ----

def name_places(sheet, names, slot, marked):
    bottom = sheet.plot[3]
    for place, name in enumerate(names):
        middle, weight = sheet.x(place) + slot / 2, "bold" if name in marked else "normal"
        if slot < 45:
            sheet.text(middle + 4, bottom + 12, name, anchor="end", size=9, turn=-45, weight=weight)
        else:
            sheet.text(middle, bottom + 16, name, anchor="middle", size=11, weight=weight)


def bar(sheet, at, wide, number, value, many):
    height = sheet.plot[3] - sheet.y(value_of(value))
    sheet.box(at, sheet.y(value_of(value)), wide, height, svg.INKS[number])
    sheet.whisker(at + wide / 2, value)
    if height < SEEN and not isinstance(value, Estimate) and (value or not many):
        sheet.text(at + wide / 2, sheet.y(value) - 3, f"{value:.2g}", anchor="middle", size=9)


def bars(path, title, label, names, series, *, note, most=None, marked=None):
    """series: name: a value for each of `names`; most: where the scale ends; marked: name: words for a place that
    must not be missed."""
    marked = marked or {}
    sheet = svg.Sheet(title, (0, len(names)),
                      (0, most or svg.top([highest(v) for values in series.values() for v in values])), note=note)
    slot = sheet.x(1) - sheet.x(0)
    for name, words in marked.items():
        sheet.flag(sheet.x(list(names).index(name)), slot, words)
    sheet.y_axis(label)
    wide = 0.8 * slot / len(series)
    for number, values in enumerate(series.values()):
        for place, value in enumerate(values):
            bar(sheet, sheet.x(place) + 0.1 * slot + number * wide, wide, number, value, len(names) > MANY)
    name_places(sheet, names, slot, marked)
    sheet.base()
    sheet.legend(series, curves=False)
    sheet.write(path)


# ---- stretches ----

def lanes(path, title, label, span, rows, *, note):
    """rows: name: [(begin, end)] in which something is so; one below the other, on one time axis of `span`."""
    height = svg.TOP - 30 + svg.BOTTOM + len(rows) * LANE
    sheet = svg.Sheet(title, span, (0, len(rows)), note=note, size=(svg.WIDTH, height))
    sheet.plot = (svg.LEFT + LANE, svg.TOP - 30, svg.WIDTH - svg.RIGHT, height - svg.BOTTOM)
    for level, (name, stretches) in enumerate(rows.items()):
        upper, lower = sheet.y(len(rows) - level - 0.2), sheet.y(len(rows) - level - 1)
        sheet.text(sheet.plot[0] - 8, (upper + lower) / 2 + 4, name, anchor="end")
        for begin, end in stretches:
            sheet.box(sheet.x(begin), upper, sheet.x(end) - sheet.x(begin), lower - upper,
                      svg.INKS[level % len(svg.INKS)])
        sheet.line(sheet.plot[0], lower, sheet.plot[2], lower)
    sheet.x_axis(label)
    sheet.write(path)
