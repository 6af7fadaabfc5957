#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots a task that goes from ring 3 to 1 to 0 and back, and one that ends of itself: each mode has its time."""

import lib

USER, SUPERVISOR = 10, 15  # percent of the CPU, kernel/workload/workload_kernel.c
SHORT_MOST = 0.1           # percent: it sleeps once and ends


def main():
    checks = lib.Checks()
    table = lib.boot_table(checks, "rings", "tasks=rings rate=1000 seconds=10 seed=1")
    row = lib.row(table, "RINGS")
    for mode, share in (("user", USER), ("supervisor", SUPERVISOR)):
        exact = row[mode]["exact"]
        checks.check(abs(exact - share) < share / 20, f"{mode}: {exact:.3f} % of {share}")
    kernel, supervisor = row["kernel"]["exact"], row["supervisor"]["exact"]
    checks.check(abs(kernel - supervisor) < supervisor / 20,
                 f"the service's system calls: {kernel:.3f} % in kernel mode, as much as the {supervisor:.3f} % "
                 "around them")
    for mode in ("user", "supervisor", "kernel"):
        cell = row[mode]
        checks.check(not lib.beyond(cell), f"{mode}: {cell['low999']:.2f} to {cell['high999']:.2f} holds the truth")
    short = lib.row(table, "SHORT")["total"]["exact"]
    checks.check(0 < short < SHORT_MOST, f"SHORT ran for {short:.4f} % and ended")
    checks.check(not table["faults"], "and nobody was ended by a fault")
    checks.finish()


if __name__ == "__main__":
    main()
