#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots twice with the same words and wants the same bytes, of a machine that idles too; with another seed, other ticks."""

import lib

WORDS = "rate=1000 seconds=5"
SHIFTS = (3, 5)
SEEDS = (1, 2)
IDLE_BOOTS = 3
IDLES = "tasks=figure3-fixed"  # more than a third of its time


def boot(checks, output, shift, seed, turn, words=""):
    name = f"{output}-shift{shift}-seed{seed}-{turn}"
    run = lib.boot(name, f"{WORDS} output={output} seed={seed} {words}", shift=shift)
    checks.check(run.status == lib.COMPLETE, f"{name}: the run ends well ({run.status}) {run.said.strip()}")
    return run.dump


def hits(table):
    return [r["total"]["hits"] for r in table["tasks"]]


def check_output(checks, output, shift):
    first, again, other = (boot(checks, output, shift, *which)
                           for which in ((SEEDS[0], "first"), (SEEDS[0], "again"), (SEEDS[1], "first")))
    size = first.stat().st_size
    checks.check(size > 0 and first.read_bytes() == again.read_bytes(),
                 f"{output}, shift {shift}: two boots give the same {size} bytes")
    checks.check(first.read_bytes() != other.read_bytes(), f"{output}, shift {shift}: another seed, other bytes")
    if output == "frames":
        check_ticks(checks, shift, lib.stat(first), lib.stat(other))


def check_idle(checks):
    dumps = [boot(checks, "frames", max(SHIFTS), SEEDS[0], f"idle{turn}", IDLES).read_bytes() for turn in range(IDLE_BOOTS)]
    checks.check(len(set(dumps)) == 1, f"{IDLES}: {IDLE_BOOTS} boots give the same {len(dumps[0])} bytes")


def check_ticks(checks, shift, one, other):
    checks.check(one["generator"] != other["generator"], f"shift {shift}: another seed, another state of the generator")
    checks.check(one["intervals"] != other["intervals"] and hits(one) != hits(other),
                 f"shift {shift}: another seed, other ticks and other hits")
    checks.check(one["epoch"]["id"] != other["epoch"]["id"], f"shift {shift}: other words, another epoch")


def main():
    checks = lib.Checks()
    for shift in SHIFTS:
        for output in ("text", "frames"):
            check_output(checks, output, shift)
    check_idle(checks)
    checks.finish()


if __name__ == "__main__":
    main()
