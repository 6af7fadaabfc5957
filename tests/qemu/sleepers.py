#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots tasks that time their sleeps: to the microsecond, or rounded to the system clock where they ask for it."""

import statistics

import lib

MICROSECONDS = {"SL100": 100, "SL1000": 1000, "SL22K5": 22500}
TICKS = {"GRID1K": 1, "GRID15": 2}  # of the clock: 1 ms and 15 ms, rounded up
CLOCK_HZ = 100
RESOLUTION = 1.0  # us
OFF_GRID = 0.1    # of a tick: tells one tick from the next


def main():
    checks = lib.Checks()
    table = lib.boot_table(checks, "sleepers", f"tasks=sleepers clock={CLOCK_HZ} rate=1000 seconds=3 seed=1", shift=3)
    slept = {}  # median, us: now and then another task or a tick is in the way
    for name in (*MICROSECONDS, *TICKS):
        values = [r["value"] / table["clock_hz"] * 1e6 for r in table["reports"] if r["name"] == name]
        if checks.check(len(values) > 2, f"{name} reports {len(values)} sleeps"):
            slept[name] = statistics.median(values)
    over = {name: slept[name] - asked for name, asked in MICROSECONDS.items()}
    # The way into the sleep and out of it takes as long for a short one as for a long one.
    checks.check(min(over.values()) > 0, "no sleep is too short")
    checks.check(max(over.values()) - min(over.values()) < RESOLUTION, f"beyond what was asked, us: {over}")
    for name, ticks in TICKS.items():
        whole = ticks * 1e6 / CLOCK_HZ
        # From tick to tick, but for the tasks that the tick woke too.
        checks.check(abs(slept[name] - whole) < OFF_GRID * 1e6 / CLOCK_HZ,
                     f"{name}: {slept[name]:.1f} us for {ticks} ticks")
    checks.finish()


if __name__ == "__main__":
    main()
