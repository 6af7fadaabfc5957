#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots a task that keeps interrupts off: its ticks are late, known one by one, and have a row."""

import lib

WORDS = "tasks=masked rate=1000 seconds=5 seed=1"


def main():
    checks = lib.Checks()
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
