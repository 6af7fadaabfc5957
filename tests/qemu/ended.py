#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots a system that starts 1000 tasks of 1000 names: all time and all samples stay in the tables,
in row ENDED at last."""

import lib

NAMES = 1000        # kernel/workload/workload_rows.c
SLOTS = 96          # kernel/sched/task.h
WORK = 0.002        # seconds of each task, in all modes
WORK_OFF = 0.05     # of that: calls, entry and exit
STAYS = {"STAYS1": 10.0, "STAYS2": 10.0}
STAYS_OFF = 0.10    # as for a cell of Figure 3
SECONDS = 7
FEW = 20            # hits by the truth, below which a row is not judged


def check_rows(checks, name, table):
    rows = [r for r in table["tasks"] if r["name"][0] == "N"]
    ended = lib.row(table, "ENDED")
    if not checks.check(ended is not None and not ended["task"], f"{name}: there is a row ENDED, which is no task"):
        return
    # PROBE, MAKER, IDLE, two that stay and ENDED itself have a slot each; others became ENDED's for their record.
    checks.check(SLOTS / 2 < len(rows) <= SLOTS - 6, f"{name}: {len(rows)} tasks have rows of their own to the end")
    last = sorted(f"N{n:03}" for n in range(NAMES - len(rows), NAMES))
    early = set(last) - {r["name"] for r in rows}
    checks.check(len(early) < len(rows) / 2,
                 f"{name}: they are the last ones, but for {len(early)} whose record was needed")
    checks.check(table["lost"]["table"] == 0, f"{name}: no sample is lost for want of a record")
    seconds = table["tau"] / table["clock_hz"]
    exact = ended["total"]["exact"] + ended["total"]["masked"] + sum(r["total"]["exact"] + r["total"]["masked"]
                                                                     for r in rows)
    checks.check(abs(exact / 100 * seconds / (NAMES * WORK) - 1) < WORK_OFF,
                 f"{name}: the time of all {NAMES} tasks is there, {exact / 100 * seconds:.4f} s")


def judged(checks, name, table):
    """The cells whose truth is to be in the interval, by the names of run, task and mode."""
    cells = {(name, *key): cell for key, cell in lib.cells(table) if cell["exact"] / 100 * table["samples"] >= FEW}
    checks.check((name, "ENDED", "user") in cells, f"{name}: ENDED is judged")
    for stays, percent in STAYS.items():
        exact = lib.row(table, stays)["total"]["exact"]
        checks.check(abs(exact - percent) <= STAYS_OFF * percent, f"{name}: {stays} has {exact:.3f} %")
    return cells


def check(checks, name, words):
    words = f"tasks=turnover rate=1000 seconds={SECONDS} {words}"
    table = lib.boot_table(checks, name, words)
    dump = lib.folder() / f"{name}.dump"
    said = [head["text"] for head, _ in lib.records(dump, "TEXT") if "turnover: " in head["text"]]
    checks.check(len(said) == 1 and f"{NAMES} tasks ended by themselves, 0 by a fault, 0 by their parent" in said[0],
                 f"{name}: {said}")
    if name != "two":  # of two sources it knows too little of what one holds the other up, whatever runs
        text, status = lib.host("audit", dump)
        checks.check(status == lib.COMPLETE, f"{name}: the audit passes {text.splitlines()[-1]}")
    check_rows(checks, name, table)
    return judged(checks, name, table)


def main():
    checks = lib.Checks()
    cells = check(checks, "irq", "seed=1")
    cells |= check(checks, "nmi", "seed=2 delivery=nmi")
    cells |= check(checks, "two", "seed=3 tick=pit,lapic clock=rtc")
    wrong = [".".join(key) for key, cell in cells.items() if lib.outside(cell)]
    checks.check(len(wrong) <= lib.most_misses(len(cells)),
                 f"of {len(cells)} truths of the three {len(wrong)} outside {' '.join(wrong)}")
    checks.finish()


if __name__ == "__main__":
    main()
