#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""What is promised against a task that would know of the ticks to come (docs/ACCOUNTING.md,
"Who foresees the tick")."""

import lib

# As many ticks a second as the task counts on (kernel/workload/workload_hostile.c), no interval so long that it has
# pieces, no multiple of the system clock's rate, with which points in clock time would keep step, and the generator
# that nobody foretells.
FORESEE = "tasks=foresee rate=997 rng=chacha8 seconds=20 seed=1"
SNOOP = "tasks=snoop rate=2000 rng=chacha8 seconds=6 seed=1"
WORKS = 15.0     # percent that the task gets done at the least where it may
HIDES = 5        # its share is this many times what is read of it
REPORTS = 3


def worked(checks, name, words):
    """The cell in which the task works, and nothing else does."""
    cell = lib.row(lib.boot_table(checks, name, f"{FORESEE} {words}"), "FORSEE")["supervisor"]
    print(f"{name}: reads {cell['percent']:.2f} ({cell['low999']:.2f} to {cell['high999']:.2f}) for "
          f"{cell['exact']:.2f}")
    checks.check(cell["exact"] > WORKS, f"{name}: it works {cell['exact']:.2f} % of the time")
    return cell


def check_alarm(checks):
    """A second source, whose ticks the task neither knows nor takes for the first one's, is not deceived:
    the alarm tells."""
    cell = lib.boot_table(checks, "alarm", f"{FORESEE} interval=stratified tick=pit,clock")["alias"]
    named = [(c["name"], c["mode"]) for c in cell["cells"]]
    checks.check(("FORSEE", "supervisor") in named and len(cell["wrong"]) == 1 and cell["wrong"][0].startswith("pit"),
                 f"alarm: {named} differ, wrong is {cell['wrong']}")


def main():
    checks = lib.Checks()
    cell = worked(checks, "stratified", "interval=stratified")
    checks.check(HIDES * cell["percent"] < cell["exact"] and lib.outside(cell),
                 f"stratified: it foresees the ticks, and reads {cell['percent']:.2f} for {cell['exact']:.2f} %")
    cell = worked(checks, "exponential", "interval=exponential")
    checks.check(not lib.beyond(cell), f"exponential: it does not: {cell['low999']:.2f} to "
                 f"{cell['high999']:.2f} holds {cell['exact']:.2f} %")
    check_alarm(checks)
    table = lib.boot_table(checks, "snoop", SNOOP)
    reports = [r["value"] for r in table["reports"]]
    checks.check(len(reports) >= REPORTS and not any(reports),
                 f"snoop: {reports} looks found what is not the task's own")
    checks.finish()


if __name__ == "__main__":
    main()
