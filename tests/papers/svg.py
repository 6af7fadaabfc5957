# SPDX-License-Identifier: MIT
"""Writes SVG: a sheet with a title, a note, a legend and linear scales, in inks that differ in grey too;
error bars and marks."""

import html
import math

from estimates import Estimate

WIDTH, HEIGHT = 700, 424
LEFT, RIGHT, TOP, BOTTOM = 62, 24, 86, 46
INK, PALE, GRID = "#222222", "#57606a", "#dddddd"  # of text and lines, of notes, of the scales' lines
INKS = ("#1b2a41", "#d9822b", "#a9c4e0")
PENS = ("#1b2a41", "#d9822b", "#5b86b3", "#6b8f3d", "#8c2d5a")
DASHES = ("", "", "7 3", "2 3", "9 3 2 3")
BAND, ALARM = "#fff0b8", "#8c2d5a"  # behind what is marked, and of the words above it
# Each ink where the reader's colours are dark.
DARK = {"#ffffff": "#0d1117", INK: "#e6edf3", PALE: "#9aa4ae", GRID: "#3d444d", INKS[0]: "#b9cbe8",
        INKS[1]: "#e8964a", INKS[2]: "#47719f", PENS[2]: "#7fb2e5", PENS[3]: "#9cc665", PENS[4]: "#e58bb4",
        BAND: "#4a3d00"}
CAP = 3.5  # px: half of the caps of an error bar
FONT = 'font-family="sans-serif"'
EXACT = "All values are exact"
WHISKERS = "Error bars: 95 % intervals"


def text_width(words, size=12):
    """Of words, px, by the letters of a common sans serif: no reader's font is known here."""
    return size / 12 * sum(3.9 if c in "fijlrt,.()'|/ -" else 9.6 if c in "mwMW%" else 7.3 for c in words)


def style(dark):
    """The style sheet by which a drawing follows the reader's colour scheme."""
    rules = "".join(f'[fill="{light}"]{{fill:{ink}}}[stroke="{light}"]{{stroke:{ink}}}'
                    for light, ink in dark.items())
    return f"<style>@media (prefers-color-scheme:dark){{{rules}}}</style>"


LICENCE = "<!-- SPDX-License-Identifier: MIT; made by make papers -->"


def licence(path):
    """Put the line of the licence into a drawing that a command made, behind its first line."""
    head, rest = path.read_text().split("\n", 1)
    path.write_text(f"{head}\n{LICENCE}\n{rest}")


class Sheet:
    """A drawing.  `plot` is the box (left, top, right, bottom) that the scales fill;
    a sheet with several sets it for each.

    `note` tells what the intervals are, or that there are none: a sheet says one of the two by itself, `estimates` is
    how many values with an interval it was given.
    """

    def __init__(self, title, x_range, y_range, *, note="", size=(WIDTH, HEIGHT), left=LEFT):
        self.x_range, self.y_range = x_range, y_range
        self.size, self.left = size, left
        self.plot = (LEFT, TOP, size[0] - RIGHT, size[1] - BOTTOM)
        self.note, self.estimates, self.parts, self.dark = note, 0, [], DARK
        if 1.1 * text_width(title, 15) > size[0] - left:
            raise ValueError(f"the title is too long for its picture: {title}")
        self.text(left, 20, title, size=15, weight="bold")

    def x(self, value):
        low, high = self.x_range
        return self.plot[0] + (value - low) / (high - low) * (self.plot[2] - self.plot[0])

    def y(self, value):
        low, high = self.y_range
        return self.plot[3] - (value - low) / (high - low) * (self.plot[3] - self.plot[1])

    # ---- shapes, px ----

    def text(self, x, y, words, *, anchor="start", size=12, weight="normal", turn=None, ink=INK):
        turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn is not None else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
                          f'font-weight="{weight}" fill="{ink}"{turned}>{html.escape(words)}</text>')

    def line(self, x1, y1, x2, y2, ink=INK, width=1.0):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{ink}" '
                          f'stroke-width="{width}"/>')

    def box(self, x, y, width, height, ink, edge=INK):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{max(height, 0):.1f}" '
                          f'fill="{ink}" stroke="{edge}" stroke-width="0.6"/>')

    # ---- on the scales ----

    def path(self, points, number, *, bold=False):
        where = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        dash = f' stroke-dasharray="{DASHES[number]}"' if DASHES[number] else ""
        self.parts.append(f'<polyline points="{where}" fill="none" stroke="{PENS[number]}" '
                          f'stroke-width="{3 if bold else 1.6}"{dash}/>')

    def whisker(self, x, number, ink=INK):
        """The error bar of an Estimate at x px, in a pale border that shows it on a dark bar.  A limit beyond the
        scale has no cap."""
        if not isinstance(number, Estimate):
            return
        low, high = (min(max(v, self.y_range[0]), self.y_range[1]) for v in number[1:])
        stem = f"M{x:.1f} {self.y(low):.1f}V{self.y(high):.1f}"
        caps = "".join(f"M{x - CAP:.1f} {self.y(v):.1f}h{2 * CAP:g}"
                       for v, real in ((low, number.low), (high, number.high)) if v == real)
        self.parts.append(f'<path d="{stem}{caps}" stroke="#ffffff" stroke-width="3.4" fill="none"/>'
                          f'<path class="whisker" d="{stem}{caps}" stroke="{ink}" stroke-width="1.4" fill="none"/>')
        self.estimates += 1

    def dot(self, x, y, ink):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{ink}"/>')

    def mark(self, x, y, words):
        self.parts.append(f'<circle cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="5" fill="{PENS[-1]}"/>')
        self.text(self.x(x) - 9, self.y(y) + 4, words, anchor="end")

    def flag(self, x, width, words):
        """Make a stretch of the plot stand out, in px: a pale band from top to bottom,
        words above it and an arrow down to it."""
        _, top, right, bottom = self.plot
        self.box(x, top, width, bottom - top, BAND, edge=BAND)
        tip = x + width / 2
        self.parts.append(f'<path class="flag" d="M{tip - 4:.1f} {top - 6:.1f}h8l-4 6z" fill="{ALARM}"/>')
        half = text_width(words, 13) / 2
        at = min(max(tip, self.left + half), right + RIGHT / 2 - half)
        self.text(at, top - 9, words, anchor="middle", weight="bold", ink=ALARM)

    # ---- axes, names ----

    def y_axis(self, label, most=6):
        for value in ticks(*self.y_range, most):
            self.y_tick(value, f"{value:g}")
        self.y_name(label)

    def x_axis(self, label):
        for value in ticks(*self.x_range):
            self.x_tick(value, f"{value:g}")
        self.x_name(label)

    def y_tick(self, value, words):
        left, _, right, _ = self.plot
        self.line(left, self.y(value), right, self.y(value), GRID)
        self.text(left - 6, self.y(value) + 4, words, anchor="end")

    def x_tick(self, value, words):
        bottom = self.plot[3]
        self.line(self.x(value), bottom, self.x(value), bottom + 4)
        self.text(self.x(value), bottom + 17, words, anchor="middle")

    def x_name(self, label):
        self.text((self.plot[0] + self.plot[2]) / 2, self.size[1] - 8, label, anchor="middle")

    def y_name(self, label):
        self.text(16, (self.plot[1] + self.plot[3]) / 2, label, anchor="middle", turn=-90)

    def base(self):
        left, top, right, bottom = self.plot
        self.line(left, bottom, right, bottom)
        self.line(left, top, left, bottom)

    def ends(self, series):
        """The name of each curve at its end, each as far from the others as they are high."""
        places, lowest = [], self.plot[1] - 6
        last = [(number, name, max(points)[1]) for number, (name, points) in enumerate(series.items())]
        for number, name, value in sorted(last, key=lambda row: -row[2]):
            lowest = max(self.y(value) + 4, lowest + 13)
            places.append((lowest, number, name))
        for y, number, name in places:
            self.text(self.plot[2] + 6, y, name, ink=PENS[number], weight="bold")

    def legend(self, names, *, curves, bold=()):
        x = self.left
        for number, name in enumerate(names):
            if curves:
                dash = f' stroke-dasharray="{DASHES[number]}"' if DASHES[number] else ""
                self.parts.append(f'<line x1="{x}" y1="53" x2="{x + 26}" y2="53" stroke="{PENS[number]}" '
                                  f'stroke-width="{3 if name in bold else 2}"{dash}/>')
            else:
                self.box(x, 47, 12, 12, INKS[number])
            indent = 31 if curves else 17
            self.text(x + indent, 57, name, weight="bold" if name in bold else "normal")
            x += indent + 16 + text_width(name) * (1.1 if name in bold else 1)

    def told(self):
        """The note below the title: what is known of the intervals comes first."""
        words = WHISKERS if self.estimates else EXACT if not self.note.startswith("No interval") else ""
        note = "; ".join(w for w in (words, self.note) if w) + "."
        if text_width(note, 11) > self.size[0] - self.left:
            raise ValueError(f"the note is too long for its picture: {note}")
        return note

    def write(self, path):
        width, height = self.size
        self.text(self.left, 37, self.told(), size=11, ink=PALE)
        head = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                f'viewBox="0 0 {width} {height}" data-intervals="{self.estimates}" {FONT} font-size="12">', LICENCE,
                style(self.dark),
                f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join([*head, *self.parts, "</svg>"]) + "\n")


def ticks(low, high, most=6):
    """Some round numbers from low to high, most + 1 at most."""
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(m for m in (1, 2, 2.5, 5, 10) if (high - low) / (m * step) <= most)
    first = math.ceil(low / step - 1e-9)
    return [round(n * step, 9) for n in range(first, math.floor(high / step + 1e-9) + 1)]


def top(values):
    """A round number that all values stay below."""
    most = max(values) * 1.05
    step = 10 ** math.floor(math.log10(most)) / 2
    return math.ceil(most / step) * step
