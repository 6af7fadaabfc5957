#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots a task that keeps interrupts off: its ticks are late, known one by one, and have a row;
and no point is hidden by it."""

import lib

WORDS = "tasks=masked seconds=5 seed=1"
STRATA = 2  # a window begins and ends within a stratum, whose point may be before or behind

# Intervals of more than the 8254 counts to, 55 ms, in parts: a part may end where interrupts are off, too.
LONG = (("long-random", "rate=20 interval=random"), ("long-stratified", "rate=30 interval=stratified"),
        ("long-nmi", "rate=20 interval=random delivery=nmi"), ("long-storm", "rate=20 interval=random tasks=storm"))
LONG_WORDS = "tasks=masked monitor=samples seconds=20 seed=1"


def check_long(checks):
    """A section at the end of a part delays no tick that is not late: the audit finds the generator's intervals."""
    for name, words in LONG:
        run = lib.boot(name, f"output=frames {LONG_WORDS} {words}")
        said, status = lib.host("audit", run.dump)
        checks.check(run.status == lib.COMPLETE and status == 0,
                     f"{name}: {run.status}, audit {status}: {said.strip().splitlines()[-1:]}")


def check_rows(checks, name, words, shift=5):
    """The row has its share, and each late tick is its own."""
    table = lib.boot_table(checks, name, f"{WORDS} {words}", shift=shift)
    masked = lib.row(table, "MASKED")["total"]
    checks.check(not lib.beyond(masked), f"{name}: MASKED {masked['percent']:.3f} % with truth "
                 f"{masked['exact']:.3f} in {masked['low999']:.3f} to {masked['high999']:.3f}")
    checks.check(table["late"] == masked["hits"] > 0, f"{name}: {masked['hits']} late ticks are the row's")
    missed = table["missed"]
    checks.check(missed["overrun"] == missed["source"] == 0, f"{name}: none missed for another cause")
    owner = lib.row(table, "MASKER")["total"]
    checks.check(owner["masked"] > masked["exact"] / 2, f"{name}: MASKER masked {owner['masked']:.3f} % itself")
    return table


def check_points(checks, name, rate, words, shift=5):
    """Points are fixed in time: a section moves none and hides none, however many pass in it; each is counted,
    so no tick is missed."""
    table = check_rows(checks, name, f"rate={rate} {words}", shift)
    checks.check(table["missed"]["masked"] == 0, f"{name}: {table['missed']['masked']:.2f} ticks missed")
    head = list(lib.records(lib.folder() / f"{name}.dump", "SNAPSHOT"))[-1][0]
    checks.check(head["points"] == head["ticks"] + head["in_handler"],
                 f"{name}: {head['points']} points are {head['ticks']} samples and {head['in_handler']} in handlers")
    if "stratified" in words:
        due = rate * table["window"]["seconds"]
        checks.check(abs(head["points"] - due) <= STRATA,
                     f"{name}: {head['points']} points of {due:.2f} that the rate makes")


def check_relative(checks):
    """Where the schedule stands still while a tick waits: for half a section in the mean, far less than an interval,
    and more than nothing."""
    for policy in ("stratified", "random"):
        table = check_rows(checks, f"relative-{policy}", f"rate=1000 interval={policy} arm=relative")
        missed = table["missed"]["masked"]
        checks.check(0 < missed < table["late"], f"relative-{policy}: {missed:.2f} ticks missed")


def main():
    checks = lib.Checks()
    check_long(checks)
    for policy in ("stratified", "random"):
        check_points(checks, policy, 1000, f"interval={policy}")
    # Two points in a section in the mean.  Of exponential intervals handlers drop as many points as their part of the
    # time is; of others they drop fewer, and no handler is in a section,
    # so that the row has less than its share by a part of theirs.
    check_points(checks, "several", 20000, "interval=exponential", shift=3)
    check_relative(checks)
    checks.finish()


if __name__ == "__main__":
    main()
