# SPDX-License-Identifier: MIT
"""Draws the figures of docs/REPRODUCTION.md as SVG: bars and curves, 700 x 400, in inks that differ in grey too."""

import html
import math

WIDTH, HEIGHT = 700, 400
LEFT, RIGHT, TOP, BOTTOM = 62, 16, 62, 46
INK = "#222222"  # of text and lines
INKS = ("#1b2a41", "#d9822b", "#a9c4e0")
PENS = ("#1b2a41", "#d9822b", "#5b86b3", "#6b8f3d", "#8c2d5a")
DASHES = ("", "", "7 3", "2 3", "9 3 2 3")
SEEN = 1.5  # px: a bar that is lower has its value written above it
FONT = 'font-family="sans-serif"'


def text_width(words):
    """Of words at the legend's size, px, by the letters of a common sans serif: no reader's font is known here."""
    return sum(3.9 if c in "fijlrt,.()'|/ -" else 9.6 if c in "mwMW%" else 7.3 for c in words)


LICENCE = "<!-- SPDX-License-Identifier: MIT; made by make papers -->"


def licence(path):
    """Put the line of the licence into a drawing that a command made, behind its first line."""
    head, rest = path.read_text().split("\n", 1)
    path.write_text(f"{head}\n{LICENCE}\n{rest}")


class Sheet:
    """A drawing with one linear scale a side."""

    def __init__(self, title, x_range, y_range, *, size=(WIDTH, HEIGHT), left=LEFT):
        self.x_range, self.y_range = x_range, y_range
        width, height = size
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                      f'viewBox="0 0 {width} {height}" {FONT} font-size="12">',
                      LICENCE,
                      f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
        self.text(left, 20, title, size=15, weight="bold")

    def x(self, value):
        low, high = self.x_range
        return LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        low, high = self.y_range
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    def text(self, x, y, words, *, anchor="start", size=12, weight="normal", turn=None, ink=INK):
        turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn is not None else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
                          f'font-weight="{weight}" fill="{ink}"{turned}>{html.escape(words)}</text>')

    def line(self, x1, y1, x2, y2, ink=INK, width=1.0):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{ink}" '
                          f'stroke-width="{width}"/>')

    def box(self, x, y, width, height, ink):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{max(height, 0):.1f}" '
                          f'fill="{ink}" stroke="{INK}" stroke-width="0.6"/>')

    def path(self, points, number):
        where = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        dash = f' stroke-dasharray="{DASHES[number]}"' if DASHES[number] else ""
        self.parts.append(f'<polyline points="{where}" fill="none" stroke="{PENS[number]}" '
                          f'stroke-width="{2.4 if number == 1 else 1.6}"{dash}/>')

    def mark(self, x, y, words):
        self.parts.append(f'<circle cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="5" fill="{PENS[-1]}"/>')
        self.text(self.x(x) - 9, self.y(y) + 4, words, anchor="end")

    def y_axis(self, label):
        for value in ticks(*self.y_range):
            self.line(LEFT, self.y(value), WIDTH - RIGHT, self.y(value), "#dddddd")
            self.text(LEFT - 6, self.y(value) + 4, f"{value:g}", anchor="end")
        self.y_name(label)

    def x_axis(self, label):
        for value in ticks(*self.x_range):
            self.line(self.x(value), HEIGHT - BOTTOM, self.x(value), HEIGHT - BOTTOM + 4)
            self.text(self.x(value), HEIGHT - BOTTOM + 17, f"{value:g}", anchor="middle")
        self.x_name(label)

    def x_name(self, label):
        self.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, label, anchor="middle")

    def y_name(self, label):
        self.text(16, (TOP + HEIGHT - BOTTOM) / 2, label, anchor="middle", turn=-90)

    def base(self):
        self.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM)
        self.line(LEFT, TOP, LEFT, HEIGHT - BOTTOM)

    def legend(self, names, *, curves):
        x = LEFT
        for number, name in enumerate(names):
            if curves:
                dash = f' stroke-dasharray="{DASHES[number]}"' if DASHES[number] else ""
                self.parts.append(f'<line x1="{x}" y1="41" x2="{x + 26}" y2="41" stroke="{PENS[number]}" '
                                  f'stroke-width="2.4"{dash}/>')
            else:
                self.box(x, 35, 12, 12, INKS[number])
            indent = 31 if curves else 17
            self.text(x + indent, 45, name)
            x += indent + 16 + text_width(name)

    def write(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join([*self.parts, "</svg>"]) + "\n")


def ticks(low, high):
    """Some five round numbers from low to high."""
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(m for m in (1, 2, 2.5, 5, 10) if (high - low) / (m * step) <= 6)
    first = math.ceil(low / step - 1e-9)
    return [round(n * step, 9) for n in range(first, math.floor(high / step + 1e-9) + 1)]


def top(values):
    """A round number that all values stay below."""
    most = max(values) * 1.05
    step = 10 ** math.floor(math.log10(most)) / 2
    return math.ceil(most / step) * step


def thinned(points, most=600):
    step = max(1, len(points) // most)
    return [*points[::step], points[-1]]


def curves(path, title, labels, series, marks=()):
    """series: name: [(x, y)]; labels: of the axes x and y; marks: (x, y, words), each a point of its own."""
    every = [p for points in series.values() for p in points] + [m[:2] for m in marks]
    sheet = Sheet(title, (0, max(x for x, _ in every)), (0, top([y for _, y in every])))
    sheet.y_axis(labels[1])
    sheet.x_axis(labels[0])
    for number, points in enumerate(series.values()):
        sheet.path(thinned(points), number)
    for x, y, words in marks:
        sheet.mark(x, y, words)
    sheet.base()
    sheet.legend(series, curves=True)
    sheet.write(path)


def decades(sheet):
    """Both axes logarithmic: a line and a number at each power of ten."""
    for power in range(math.ceil(sheet.y_range[0] - 1e-9), math.floor(sheet.y_range[1] + 1e-9) + 1):
        sheet.line(LEFT, sheet.y(power), WIDTH - RIGHT, sheet.y(power), "#dddddd")
        sheet.text(LEFT - 6, sheet.y(power) + 4, f"{10.0 ** power:g}", anchor="end")
    for power in range(math.ceil(sheet.x_range[0] - 1e-9), math.floor(sheet.x_range[1] + 1e-9) + 1):
        sheet.line(sheet.x(power), HEIGHT - BOTTOM, sheet.x(power), HEIGHT - BOTTOM + 4)
        sheet.text(sheet.x(power), HEIGHT - BOTTOM + 17, f"{10 ** power}", anchor="middle")


def log_curves(path, title, labels, series):
    """As curves(), all values above 0, both scales logarithmic."""
    logs = {name: [(math.log10(x), math.log10(y)) for x, y in points] for name, points in series.items()}
    every = [p for points in logs.values() for p in points]
    sheet = Sheet(title, (min(x for x, _ in every) - 0.1, max(x for x, _ in every) + 0.1),
                  (math.floor(min(y for _, y in every)), math.ceil(max(y for _, y in every))))
    decades(sheet)
    sheet.x_name(labels[0])
    sheet.y_name(labels[1])
    for number, points in enumerate(logs.values()):
        sheet.path(points, number)
    sheet.base()
    sheet.legend(series, curves=True)
    sheet.write(path)


def bars(path, title, label, names, series, most=None):
    """series: name: a value for each of `names`; most: where the scale ends."""
    sheet = Sheet(title, (0, len(names)), (0, most or top([v for values in series.values() for v in values])))
    sheet.y_axis(label)
    slot = sheet.x(1) - sheet.x(0)
    wide = 0.8 * slot / len(series)
    for number, values in enumerate(series.values()):
        for place, value in enumerate(values):
            at = sheet.x(place) + 0.1 * slot + number * wide
            height = HEIGHT - BOTTOM - sheet.y(value)
            sheet.box(at, sheet.y(value), wide, height, INKS[number])
            if height < SEEN:
                sheet.text(at + wide / 2, sheet.y(value) - 3, f"{value:.2g}", anchor="middle", size=9)
    for place, name in enumerate(names):
        middle = sheet.x(place) + slot / 2
        if slot < 45:
            sheet.text(middle + 4, HEIGHT - BOTTOM + 12, name, anchor="end", size=9, turn=-45)
        else:
            sheet.text(middle, HEIGHT - BOTTOM + 16, name, anchor="middle", size=11)
    sheet.base()
    sheet.legend(series, curves=False)
    sheet.write(path)
