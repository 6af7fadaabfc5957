#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The pictures of the papers' pages: every value with an interval has an error bar,
every picture is shown and says what made it."""

import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/papers"), str(ROOT / "tests/qemu")]

import charts  # noqa: E402  (from the paths above)
import lib  # noqa: E402
import svg_grid  # noqa: E402
from estimates import Estimate, percent, printed, wilson  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
SHOWN = re.compile(r"\]\(((?:docs/)?(?:figures|pictures)/[^)]+)\)")
SAMPLED = ("arming", "arming-windows", "deadlock", "figure3", "figure4", "figure5", "growth", "hog", "interference",
           "isochronous-load", "isochronous-time", "methods", "policies",
           "procstat-system", "procstat-user", "replayed", "shadow")  # figures of numbers that have intervals
BY_COMMANDS = ("monitors",)  # figures that the host tool draws
SCREEN = """$ build/cpuprobe top a
Task  Total
====  =====
HOG    99.1  KKKKUU-|-
VAT     0.9  ***|--
CLOCK   0.0  |
IDLE    0.0
----  -----
"""
# two limits beyond the scale, an interval without length
VALUES = [3, Estimate(5, 4, 6), Estimate(0, 0, 0), Estimate(9, -4, 40)]


def whiskers(path):
    return sum("whisker" in e.get("class", "").split() for e in xml.etree.ElementTree.parse(path).iter())


def drawn(folder):
    """name: (path, how many of its values have an interval)."""
    names, points = list("abcd"), list(zip((1, 2, 3, 4), VALUES))
    tall = [(x, Estimate(5, -1, 7)) for x in range(1, 2000)]
    out = {name: folder / f"{name}.svg" for name in ("bars", "curves", "many", "panels", "logarithms", "grid",
                                                     "lanes")}
    charts.bars(out["bars"], "bars", "%", names, {"one": VALUES, "two": VALUES[::-1]}, note="", most=10,
                marked={"b": "guilty"})
    charts.curves(out["curves"], "curves", ("x", "y"), {"one": points, "two": points}, note="")
    charts.curves(out["many"], "many", ("x", "y"), {"one": tall}, note="")
    charts.panels(out["panels"], "panels", ("x", "y"), {"upper": {"one": points}, "lower": {"one": points}}, note="")
    charts.log_curves(out["logarithms"], "logarithms", ("x", "y"), {"one": [p for p in points if p[0] != 3]}, note="")
    svg_grid.grid(out["grid"], "grid", [("load", "guilty", 9.0, 5.0)] * 3,
                  [("sampled", list(zip(VALUES[1:3], (0, 50))) + [(5.0, 0.1)] * 4), ("silent", [(None, None)] * 6)])
    charts.lanes(out["lanes"], "lanes", "ms", (0, 9), {"one": [(1, 2)]}, note="")
    return {name: (path, count) for (name, path), count in zip(out.items(), (6, 6, 1999, 6, 2, 2, 0))}


def check_charts(checks):
    for name, (path, count) in drawn(lib.folder()).items():
        found, told = whiskers(path), xml.etree.ElementTree.parse(path).getroot().get("data-intervals")
        checks.check(found == count == int(told),
                     f"{name}: {found} error bars of {count} values with an interval, {told} told")
    text = drawn(lib.folder())["bars"][0].read_text()
    checks.check('class="flag"' in text and ">guilty<" in text, "a marked place has an arrow and words")


def check_estimates(checks):
    """Wilson's interval of 10 of 100 is 5.52 to 17.44 % (Newcombe 1998, Statistics in Medicine 17, method 3)."""
    found = percent(10, 100)
    checks.check(abs(found.low - 5.52) < 0.01 and abs(found.high - 17.44) < 0.01,
                 f"10 of 100: {found.low:.2f} to {found.high:.2f} %")
    checks.check(wilson(0, 50).low == 0.0 and wilson(50, 50).high == 1.0, "none and all keep within 0 and 1")
    wide, narrow = percent(10, 100, 4.0), percent(10, 100, 0.25)
    checks.check(wide.low < found.low < narrow.low and narrow.high < found.high < wide.high,
                 "a design effect widens and narrows it")
    checks.check(printed({"percent": 7.0, "low": None, "high": None}) == 7.0,
                 "ticks that promise no interval have none")


def check_screen(checks):
    """A picture of a terminal: an error bar for each interval, the columns' names and the marked row bold,
    words as they were."""
    path = lib.folder() / "screen.svg"
    subprocess.run([ROOT / "tools/build/picture", "--mark", "^HOG=guilty", path],
                   input=SCREEN.replace("\n", "\r\n").encode(), check=True)
    text = path.read_text()
    bars, boxes = (len(re.findall('class="whisker"', text)) // 2,
                   len(re.findall('<rect x="[^"]*" y="[^"]*" width="[^"]*" height="[^"]*" fill="#[^"]*"/>', text)))
    checks.check((bars, boxes) == (3, 3), f"a screen: {bars} error bars, {boxes} boxes")
    checks.check(text.count('class="marked"') == 1 and ">guilty<" in text, "its marked row has a band and words")
    bold = re.findall('font-weight="bold"[^>]*>([^<]*)<', text)
    checks.check(any("Task  Total" in b for b in bold) and not any("IDLE" in b for b in bold),
                 f"names of columns are bold: {bold}")
    wrong = subprocess.run([ROOT / "tools/build/picture", "--mark", "HOG", path], input=b"x\r\n",
                           stderr=subprocess.PIPE, check=False)
    checks.check(wrong.returncode == 2 and b"REGEX=WORDS" in wrong.stderr, "a mark without words is refused")


def note_of(root):
    return " ".join(e.text or "" for e in root.iter(f"{SVG}text"))


def check_figure(checks, path):
    root, text = xml.etree.ElementTree.parse(path).getroot(), path.read_text()
    checks.check("made by make papers" in text, f"{path.name} says what made it")
    if path.stem in BY_COMMANDS:
        return
    found, told = whiskers(path), int(root.get("data-intervals", -1))
    checks.check(found == told, f"{path.name}: {found} error bars of {told} values with an interval")
    checks.check((path.stem not in SAMPLED) == (told == 0), f"{path.name}: {told} values have an interval")
    sentence = "Error bars: 95 % intervals" if told else "All values are exact|No interval is drawn"
    checks.check(re.search(sentence, note_of(root)), f"{path.name} tells: {sentence}")


def check_cells(checks, path):
    """The picture of docs/METHODS.md: the colour of a cell is that of the number in it."""
    cells = re.findall(rf'<rect [^>]*width="{svg_grid.CELL}.0" height="{svg_grid.ROW}.0" fill="(#\w+)"[^>]*/>\n'
                       r"<text [^>]*>([^<]*)<", path.read_text())
    wrong = [f"{words} in {fill}" for fill, words in cells
             if fill != svg_grid.ink_of(None if words == "-" else float(words))]
    checks.check(len(cells) > 200 and not wrong, f"{path.name}: {len(cells)} cells, wrong {wrong[:5]}")


def check_schemes(checks):
    """Each drawing that a page shows follows the reader's colours."""
    fixed = [path.name for folder in ("figures", "pictures")
             for path in sorted((ROOT / "docs" / folder).glob("*.svg"))
             if "@media (prefers-color-scheme:dark)" not in path.read_text()]
    checks.check(not fixed, f"drawings with colours of their own alone: {fixed}")


def check_pages(checks):
    shown = set()
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        shown |= {(page.parent / name).resolve() for name in SHOWN.findall(page.read_text())}
    there = {p.resolve() for folder in ("figures", "pictures") for p in (ROOT / "docs" / folder).iterdir()}
    checks.check(not shown - there,
                 f"{len(shown)} pictures are shown, not there: {', '.join(p.name for p in shown - there) or 'none'}")
    checks.check(not there - shown,
                 f"{len(there)} pictures are there, not shown: {', '.join(p.name for p in there - shown) or 'none'}")


def main():
    checks = lib.Checks()
    check_charts(checks)
    check_estimates(checks)
    check_screen(checks)
    check_pages(checks)
    check_schemes(checks)
    check_cells(checks, ROOT / "docs/figures/methods.svg")
    for path in sorted((ROOT / "docs/figures").glob("*.svg")):
        check_figure(checks, path)
    checks.finish()


if __name__ == "__main__":
    main()
