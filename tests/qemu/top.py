#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""`cpuprobe top` on a running image: rate and policy changed, a zoom and back, any command;
the python is Debian's, which has pyte."""

import os
import re
import sys

import lib

sys.path.insert(0, str(lib.ROOT / "tests/host"))

from link import Link  # noqa: E402
from screen import Screen  # noqa: E402

TOOL = os.environ.get("CPUPROBE", lib.ROOT / "build/cpuprobe")
WORDS = "tasks=figure3 seconds=0 seed=1 rate=1000 monitor=system,region region=CP:user:0-0200000"
STEPS = 3  # of the zoom
TRIES = 8  # a second each: snapshots come once a second
NOT_YET = ("no hit there yet", "has not come yet")
RESETS = ("--qemu-arg", "-action", "--qemu-arg", "reboot=reset")  # or QEMU ends


def epoch(text):
    found = re.search(r"epoch (\d+)", text)
    return int(found[1]) if found else 0


def zoomed(at, wanted):
    """Type z, and again where the step before has no hits yet, until the next step's epoch has code."""
    for _ in range(TRIES):
        at.type("z")
        at.until(lambda text: epoch(text) == wanted or any(why in at.rows()[-1] for why in NOT_YET))
        if epoch(at.text()) == wanted:
            return at.until(lambda text: "functions, " in text)
        at.until(lambda text: not any(why in at.rows()[-1] for why in NOT_YET), 1)
    return False


def check_board(checks, link):
    with Screen([TOOL, "top", link.path], rows=30, columns=130) as at:
        checks.check(at.until(lambda text: ": live; " in text and re.search(r"^ROGUE ", text, re.M)), "a live table")
        checks.check(at.until(lambda text: re.search(r"samples \d+ \(\+99\d in 1\.00 s\)", text)),
                     "of a last interval of a second")
        at.type("r500\r")
        checks.check(at.until(lambda text: "asked for 500.0 Hz" in text and epoch(text) == 2),
                     "r: 500 Hz, a new epoch")
        at.type("prandom\r")
        checks.check(at.until(lambda text: ", random; " in text and epoch(text) == 3), "p: another policy")
        at.type("r999999999\r")
        checks.check(at.until(lambda text: "refused: " in text), f"an impossible rate is refused: {at.rows()[-1]}")
        at.type("z")
        checks.check(at.until(lambda text: "functions, " in text and " region 0x" in text and
                              "Statistics starting at" in text and epoch(text) == 4),
                     "z: the code of the busiest task")
        for step in range(STEPS):
            checks.check(zoomed(at, 5 + step), f"z: step {step + 2}: {at.rows()[-1]}")
        at.type(":set\r")
        checks.check(at.until(lambda text: "region=ROGUE:" in at.rows()[-1] or "tick=" in at.rows()[-1]),
                     f"a command: {at.rows()[-1]}")
        at.type("q")
        checks.check(at.ended() == 0 and at.is_restored(), "q: the way out")
    said = link.control("regions")[0]
    checks.check("CP:user:" in said and "ROGUE" not in said, f"the regions are those from before: {said.strip()}")


def check_changes(checks, link):
    """Another source of ticks, and a board that is reset meanwhile: the view goes on with what comes."""
    with Screen([TOOL, "top", link.path], rows=30, columns=130) as at:
        checks.check(at.until(lambda text: ": live; " in text and "tick pit," in text), "live, with ticks of the PIT")
        at.type("Spit-periodic\r")
        checks.check(at.until(lambda text: "tick pit-periodic," in text and epoch(text) == 2),
                     f"S: another source: {at.rows()[:2]} {at.rows()[-1]}")
        at.type(":reboot\r")
        checks.check(at.until(lambda text: "tick pit," in text and ": live; " in text and epoch(text) == 3, 60),
                     f"the board is reset: {at.rows()[:2]}")
        checks.check(at.until(lambda text: re.search(r"^ROGUE ", text, re.M)), "and its table is there")
        at.type("r500\r")
        checks.check(at.until(lambda text: "the board was reset" in text),
                     f"what is sent to the boot before is told: {at.rows()[-1]}")
        at.type("r500\r")
        checks.check(at.until(lambda text: "asked for 500.0 Hz" in text),
                     f"and it takes commands again: {at.rows()[:2]} {at.rows()[-1]}")
        at.type("q")
        checks.check(at.ended() == 0 and at.is_restored(), "q: the way out")


def main():
    checks = lib.Checks()
    with Link("top", WORDS) as link:
        check_board(checks, link)
    with Link("top-reset", WORDS, options=RESETS) as link:
        check_changes(checks, link)
    checks.finish()


if __name__ == "__main__":
    main()
