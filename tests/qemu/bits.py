#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Crowe's second case: a task that takes 25 % in loops over bits is found by probing,
and mended in two steps to 1 %."""

import lib

WORDS = "monitor=system,samples rate=1000 seconds=6 seed=1"
STEPS = {  # workload: the share of the CPU that it leaves, percent, and the function that has most of it
    "bits": (24.0, 26.0, "scan_bits"),    # a quarter
    "bits-checked": (4.5, 5.8, "scan_bits"),  # a fifth of that
    "bits-fixed": (0.0, 1.0, "scan_words"),   # the paper: down to 1 %
}


def main():
    checks = lib.Checks()
    for load, (low, high, function) in STEPS.items():
        table = lib.boot_table(checks, load, f"tasks={load} {WORDS}", shift=5)
        cell = lib.row(table, "BITS")["total"]
        checks.check(low <= cell["exact"] <= high,
                     f"{load}: BITS takes {cell['exact']:.2f} %, {cell['percent']:.2f} by samples")
        checks.check(not lib.beyond(cell), f"{load}: the samples agree")
        text, _ = lib.host("histogram", "--by", "function", "--task", "BITS", lib.folder() / f"{load}.dump")
        first = next((line for line in text.splitlines() if line.startswith("scan_")), "")
        if load != "bits-fixed":  # where what remains is mostly the passes that were timed
            checks.check(first.startswith(function), f"{load}: probing names {first.split(' ')[0]}()")
    checks.finish()


if __name__ == "__main__":
    main()
