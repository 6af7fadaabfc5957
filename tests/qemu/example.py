#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The worked example: it says what its page says, its page is the script's,
and the same keys give the same bytes and pictures."""

import re

import lib
import made_from
import worked

BAR = re.compile(r"\s[KUSI*]*-*\|-*$")  # of a row, the estimate with the interval around it
DOCS = lib.ROOT / "docs"
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def prose(text):
    """The page without its numbers, without the image that they are of and without what was answered;
    what was typed stays."""
    lines, inside = [], False
    for line in made_from.LINE.sub("", text).splitlines():
        if line.startswith("```"):
            inside = not inside
        elif line.startswith(("$ ", "cpuprobe> ")):
            lines.append(line)
        elif not inside:
            lines.append(NUMBER.sub("#", re.sub(r"the next task, \S+", "#", line)))
    return lines


def check_page(checks, runs):
    """The page in the repository has the script's words and what was typed;
    of the same image also the same answers."""
    ours = lib.folder() / "docs"
    worked.write(ours, runs)
    kept = (DOCS / "EXAMPLE.md").read_text()
    checks.check(prose(kept) == prose((ours / "EXAMPLE.md").read_text()),
                 "docs/EXAMPLE.md is the script's but for its numbers")
    if made_from.is_of_this_image(DOCS / "EXAMPLE.md"):
        for line in (worked.PLT, worked.MPS):
            checks.check(worked.typed(line, runs.answers[line]) in kept, f"docs/EXAMPLE.md has the answer to {line}")
        checks.check((DOCS / "pictures/shell.svg").read_bytes() == (ours / "pictures/shell.svg").read_bytes(),
                     "shell.svg is the same")


def check_again(checks, runs):
    """What was typed first, once more: the same bytes up to there, the same picture."""
    answers, screens = worked.sit_down(checks, "again", "", (worked.PAT,))
    checks.check(answers[worked.PAT] == runs.answers[worked.PAT],
                 "the same keys give the same answer, to the last digit")
    checks.check(screens[worked.PAT] == runs.screens[worked.PAT], f"and the same {len(screens[worked.PAT])} bytes")
    pictures = [lib.folder() / f"{n}.svg" for n in (1, 2)]
    for path, screen in zip(pictures, (screens, runs.screens)):
        worked.draw(path, screen[worked.PAT], "of a test")
    checks.check(pictures[0].read_bytes() == pictures[1].read_bytes(), "and the same picture")


def check_picture(checks, runs):
    """Each row of a screen is in its picture, and no row is longer than the paper."""
    for name, screen in worked.pictures(runs).items():
        path = lib.folder() / f"docs/pictures/{name}.svg"
        text = path.read_text()
        width = float(re.search(r'<svg [^>]*width="(\d+)"', text)[1])
        ends = [float(x) + float(length) for x, length in re.findall(r'<text x="([\d.]+)" [^>]*textLength="([\d.]+)"',
                                                                     text)]
        rows = len({y for y in re.findall(r'<text x="[\d.]+" y="([\d.]+)"', text)})
        wanted = sum(bool(line.strip()) for line in screen.replace("\r", "").splitlines())
        checks.check(len(re.findall('class="marked"', text)) == 1, f"{name}.svg: one row is marked")
        drawn = len(re.findall(r'class="whisker"', text)) // 2
        bars = sum(bool(BAR.search(line)) for line in screen.replace("\r", "").splitlines())
        checks.check(drawn == bars, f"{name}.svg: {drawn} error bars of {bars} rows with an interval's signs")
        checks.check(ends and max(ends) <= width and rows == wanted,
                     f"{name}.svg has the {wanted} rows of its screen, each within it")


def main():
    checks = lib.Checks()
    runs = worked.run(checks)
    worked.check(checks, runs)
    check_page(checks, runs)
    check_picture(checks, runs)
    check_again(checks, runs)
    checks.finish()


if __name__ == "__main__":
    main()
