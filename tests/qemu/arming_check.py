#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots a load with sections of half a mean interval with interrupts off: points in clock time find its truth, intervals that begin in
the handler do not."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "papers"))

import arming
import lib

WINDOWS = 4


def main():
    checks = lib.Checks()
    load, rate = arming.SEEN
    for rule in arming.RULES:
        dump = arming.boot(load, rule, rate, windows=WINDOWS).run(rule)
        arming.judge(checks.check, load, rule, rate, arming.masked_of(dump, WINDOWS))
    checks.finish()


if __name__ == "__main__":
    main()
