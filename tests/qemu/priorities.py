#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots tasks of all priorities: each class gets what it asks for before the next, under both schedulers."""

import lib

POINTS = 0.3  # what a paced share may be off by
APART = 2.0   # points between two tasks of one class, which take turns
STARTED = 0.2  # percent of the run that is over before the tasks run, and the switches between them


def share(table, name):
    return lib.row(table, name)["total"]["exact"]


def check_classes(checks, sched):
    table = lib.boot_table(checks, sched, f"tasks=priorities sched={sched} account=on seconds=5 rate=1000 seed=1")
    for name, wanted in (("URGENT", 10), ("USUAL", 30)):
        checks.check(abs(share(table, name) - wanted) <= POINTS,
                     f"{sched}: {name} has {share(table, name):.3f} of {wanted} %")
    back = [share(table, name) for name in ("BACK1", "BACK2")]
    checks.check(abs(back[0] - back[1]) <= APART,
                 f"{sched}: idle priority takes turns: {back[0]:.2f} and {back[1]:.2f} %")
    checks.check(share(table, "IDLE") <= STARTED, f"{sched}: IDLE has {share(table, 'IDLE'):.4f} %")


def check_wakes(checks):
    """A task at idle priority delays no sleeper: it is preempted at once, where round robin lets it end its turn."""
    table = lib.boot_table(checks, "background", "tasks=background account=on seconds=5 rate=1000 seed=1", shift=3)
    alone = lib.boot_table(checks, "alone", "tasks=figure3 account=on seconds=5 rate=1000 seed=1", shift=3)
    worst = max((abs(share(table, r["name"]) - r["total"]["exact"]), r["name"]) for r in alone["tasks"]
                if r["name"] not in (*lib.NOT_TASKS, "IDLE"))
    checks.check(worst[0] <= POINTS,
                 f"background: the tasks of figure3 have their shares, {worst[1]} is {worst[0]:.3f} points off")
    checks.check(share(table, "IDLE") <= STARTED, f"background: IDLE has {share(table, 'IDLE'):.4f} %")


def main():
    checks = lib.Checks()
    for sched in ("rr", "decay"):
        check_classes(checks, sched)
    check_wakes(checks)
    checks.finish()


if __name__ == "__main__":
    main()
