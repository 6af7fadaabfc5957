#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots a task that keeps interrupts off: its ticks are late, known one by one, and have a row."""

import lib

WORDS = "tasks=masked rate=1000 seconds=5 seed=1"

# Intervals of more than the 8254 counts to, 55 ms, in parts: a part may end where interrupts are off, too.
LONG = (("long-random", "rate=20 interval=random"), ("long-stratified", "rate=30 interval=stratified"),
        ("long-nmi", "rate=20 interval=random delivery=nmi"), ("long-storm", "rate=20 interval=random tasks=storm"))
LONG_WORDS = "tasks=masked monitor=samples seconds=20 seed=1"


def check_long(checks):
    """A section at the end of a part delays no tick that is not late: the audit finds the generator's intervals."""
    for name, words in LONG:
        run = lib.boot(name, f"output=frames {LONG_WORDS} {words}")
        said, status = lib.host("audit", run.dump)
        checks.check(run.status == lib.COMPLETE and status == 0, f"{name}: {run.status}, audit {status}: {said.strip().splitlines()[-1:]}")


def main():
    checks = lib.Checks()
    check_long(checks)
    for policy in ("stratified", "random"):
        table = lib.boot_table(checks, policy, f"{WORDS} interval={policy}")
        masked = lib.row(table, "MASKED")["total"]
        checks.check(not lib.beyond(masked), f"{policy}: MASKED {masked['percent']:.3f} % with truth "
                     f"{masked['exact']:.3f} in {masked['low999']:.3f} to {masked['high999']:.3f}")
        checks.check(table["late"] == masked["hits"] > 0, f"{policy}: {masked['hits']} late ticks are the row's")
        # A late tick waits for half a section in the mean: far less than an interval, and more than nothing.
        missed = table["missed"]
        checks.check(0 < missed["masked"] < table["late"], f"{policy}: {missed['masked']:.2f} ticks missed")
        checks.check(missed["overrun"] == missed["source"] == 0, f"{policy}: none missed for another cause")
        owner = lib.row(table, "MASKER")["total"]
        checks.check(owner["masked"] > masked["exact"] / 2, f"{policy}: MASKER masked {owner['masked']:.3f} % itself")
    checks.finish()


if __name__ == "__main__":
    main()
