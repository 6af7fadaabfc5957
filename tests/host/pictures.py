#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The charts of the papers' pages: every value with an interval has an error bar."""

import pathlib
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/papers"), str(ROOT / "tests/qemu")]

import charts  # noqa: E402  (from the paths above)
import lib  # noqa: E402
import svg_grid  # noqa: E402
from estimates import Estimate, percent, printed, wilson  # noqa: E402

VALUES = [3, Estimate(5, 4, 6), Estimate(0, 0, 0), Estimate(9, -4, 40)]  # two limits beyond the scale, an interval without length


def whiskers(path):
    return sum("whisker" in e.get("class", "").split() for e in xml.etree.ElementTree.parse(path).iter())


def drawn(folder):
    """name: (path, how many of its values have an interval)."""
    names, points = list("abcd"), list(zip((1, 2, 3, 4), VALUES))
    tall = [(x, Estimate(5, -1, 7)) for x in range(1, 2000)]
    out = {name: folder / f"{name}.svg" for name in ("bars", "curves", "many", "panels", "logarithms", "grid", "lanes")}
    charts.bars(out["bars"], "bars", "%", names, {"one": VALUES, "two": VALUES[::-1]}, note="", most=10, marked={"b": "guilty"})
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
        checks.check(found == count == int(told), f"{name}: {found} error bars of {count} values with an interval, {told} told")
    text = drawn(lib.folder())["bars"][0].read_text()
    checks.check('class="flag"' in text and ">guilty<" in text, "a marked place has an arrow and words")


def check_estimates(checks):
    """Wilson's interval of 10 of 100 is 5.52 to 17.44 % (Newcombe 1998, Statistics in Medicine 17, method 3)."""
    found = percent(10, 100)
    checks.check(abs(found.low - 5.52) < 0.01 and abs(found.high - 17.44) < 0.01, f"10 of 100: {found.low:.2f} to {found.high:.2f} %")
    checks.check(wilson(0, 50).low == 0.0 and wilson(50, 50).high == 1.0, "none and all keep within 0 and 1")
    wide, narrow = percent(10, 100, 4.0), percent(10, 100, 0.25)
    checks.check(wide.low < found.low < narrow.low and narrow.high < found.high < wide.high, "a design effect widens and narrows it")
    checks.check(printed({"percent": 7.0, "low": None, "high": None}) == 7.0, "ticks that promise no interval have none")


def main():
    checks = lib.Checks()
    check_charts(checks)
    check_estimates(checks)
    checks.finish()


if __name__ == "__main__":
    main()
