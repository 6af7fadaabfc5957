#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Runs that precision= ends: as soon as the widest total is known so well, and by seconds= where it never is."""

import re

import lib

LEAST = 1000  # samples, whatever the precision
SECONDS = 120
HURRY = 8     # too few for half a point at 120 Hz
RATE = 1000


def ended(dump):
    return next(lib.records(dump, "END"))[0]


def widest(table):
    """The widest half width of the totals of tasks: points, and whose."""
    totals = [(row["total"], row["name"]) for row in table["tasks"] if row["name"] not in lib.NOT_TASKS]
    return max(((total["high"] - total["low"]) / 2, name) for total, name in totals)


def length(table, dump):
    """Of the window, seconds."""
    head = list(lib.records(dump, "SNAPSHOT"))[-1][0]
    return (head["end"] - head["begin"]) / next(lib.records(dump, "HELLO"))[0]["clock_hz"]


def check_reached(checks, name, words, points):
    table = lib.boot_table(checks, name, f"precision={points} seconds={SECONDS} seed=1 {words}")
    dump = lib.folder() / f"{name}.dump"
    half, who = widest(table)
    took = length(table, dump)
    reason = ended(dump)["reason"]
    checks.check(half <= points, f"{name}: {who} is known to {half:.4f} of {points} points")
    checks.check(table["samples"] >= LEAST, f"{name}: {table['samples']} samples")
    checks.check(took < SECONDS / 2, f"{name}: it ends after {took:.1f} s")
    checks.check(reason == f"precision reached: {who} to {half:.2f} points", f"{name}: END says '{reason}'")


def check_not_reached(checks):
    table = lib.boot_table(checks, "fine", f"precision=0.5 seconds={HURRY} seed=1")
    dump = lib.folder() / "fine.dump"
    half, who = widest(table)
    reason = ended(dump)["reason"]
    took = length(table, dump)
    checks.check(abs(took - HURRY) < 0.1, f"too fine: seconds= ends it after {took:.2f} s")
    checks.check(reason == f"complete, precision not reached: {who} to {half:.2f} points", f"too fine: '{reason}'")


def check_least(checks):
    """However coarse, no run is shorter than its least number of samples."""
    table = lib.boot_table(checks, "coarse", f"precision=50 seconds={SECONDS} seed=1 tasks=twins rate={RATE // 4}")
    checks.check(LEAST <= table["samples"] <= LEAST + RATE // 2, f"precision=50 takes {table['samples']} samples")


def check_text(checks):
    run = lib.boot("text", f"precision=2 seconds={SECONDS} seed=1 rate={RATE} output=text")
    said = run.dump.read_bytes().decode("latin-1")
    checks.check(run.status == lib.COMPLETE and re.search(r"cpuprobe: precision reached: \S+ to [12]\.\d\d points",
                                                          said),
                 "as text it is a note")


def main():
    checks = lib.Checks()
    check_reached(checks, "stratified", f"rate={RATE}", 1.0)
    check_reached(checks, "random", f"rate={RATE} interval=random", 1.5)
    check_reached(checks, "nmi", f"rate={RATE} delivery=nmi", 1.5)
    check_reached(checks, "raw", f"rate={RATE} monitor=system,samples", 1.5)
    check_not_reached(checks)
    check_least(checks)
    check_text(checks)
    checks.finish()


if __name__ == "__main__":
    main()
