#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""account=log: every change of cell arrives and adds up to the exact table to the clock;
what found no room is counted."""

import collections

import lib

LOADS = {"hog1": "tasks=hog1", "calls": "tasks=calls clock=1000 seconds=1", "figure3": "",
         "slowly": "tasks=pollers rate=10 interval=exponential",
         "nothing": "tasks=pollers tick=none", "apic": "tasks=pollers tick=lapic clock=rtc"}
SECONDS = 4
OVERFULL = "tasks=calls clock=1000 rate=2000 seconds=3"  # more changes than 64 MiB leave room for
PARTS = ("user", "supervisor", "kernel", "interrupt")


def lines(dump):
    """(number, seconds, length, task, mode, masked) of each change, and the exit status."""
    text, status = lib.host("transitions", dump)
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return [(int(n), float(s), float(l), task, mode, masked) for n, s, l, task, mode, masked in rows], status


def by_cell(dump):
    """Clock units of each cell as the frames tell them: {code: sum}, {task number: id}, changes."""
    cells, count = collections.Counter(), 0
    for _, rows in lib.records(dump, "TRANSITIONS"):
        for row in rows:
            cells[row["cell"]] += row["time"] >> 1 ^ -(row["time"] & 1)
            count += 1
    logged = list(lib.records(dump, "LOGGED"))[-1]
    return cells, {row["task"]: row["id"] for row in logged[1]}, count, logged[0]


def exact(dump):
    """Clock units of each cell of the last snapshot: {(id, mode, masked): sum}, and of MONITOR."""
    head = list(lib.records(dump, "SNAPSHOT"))[-1][0]
    found = collections.Counter()
    for part, rows in lib.records(dump, "EXACT"):
        if part["serial"] != head["serial"]:
            continue
        for row in rows:
            for mode, name in enumerate(PARTS):
                found[row["id"], mode, 0] += row[name]
                found[row["id"], mode, 1] += row[f"masked_{name}"]
    return found, head


def check_sums(checks, name, words, **how):
    table = lib.boot_table(checks, name, f"account=log rate=1000 seconds={SECONDS} seed=1 {words}", **how)
    dump = lib.folder() / f"{name}.dump"
    cells, ids, count, logged = by_cell(dump)
    truth, head = exact(dump)
    logs = collections.Counter()
    for code, time in cells.items():
        if code:
            logs[ids[(code - 1) // 8], (code - 1) % 8 // 2, (code - 1) % 2] += time
    checks.check(count == head["transitions"] == logged["transitions"] and logged["lost"] == 0,
                 f"{name}: all of {head['transitions']} changes are in the log")
    differ = {cell: (logs[cell], truth[cell]) for cell in logs.keys() | truth.keys() if logs[cell] != truth[cell]}
    checks.check(not differ, f"{name}: {len(logs)} cells add up to the exact table, to the clock unit: {differ}")
    checks.check(cells[0] == head["monitor"], f"{name}: MONITOR has {cells[0]} of {head['monitor']} clock units")
    return table


def check_lines(checks):
    """The command's lines follow one another, and say what the table says."""
    dump = lib.folder() / "hog1.dump"
    found, status = lines(dump)
    gaps = [n for (n, at, long, *_), (_, after, *_) in zip(found, found[1:]) if abs(at + long - after) > 2e-9]
    checks.check(status == 0 and not gaps and [f[0] for f in found] == list(range(len(found))),
                 f"hog1: {len(found)} lines without a gap (status {status}) {gaps[:3]}")
    tau = sum(l for _, _, l, task, *_ in found if task != "MONITOR")
    share = 100 * sum(l for _, _, l, task, mode, masked in found
                      if (task, mode, masked) == ("HOG", "user", "0")) / tau
    truth = lib.row(lib.stat(dump), "HOG")["user"]["exact"]
    checks.check(abs(share - truth) < 1e-4,
                 f"hog1: HOG.user has {share:.5f} % of the lines, {truth:.5f} % by the table")


def check_loss(checks):
    """The oldest changes go first; their number is told, and the rest stands."""
    run = lib.boot("overfull", f"output=frames account=log seed=1 {OVERFULL}")
    checks.check(run.status == lib.COMPLETE, f"overfull: the run ends well {run.said}")
    _, _, count, logged = by_cell(run.dump)
    found, status = lines(run.dump)
    checks.check(logged["lost"] > 0 and logged["lost"] + count == logged["transitions"] and
                 found[0][0] == logged["lost"], f"overfull: {logged['lost']} of {logged['transitions']} changes "
                                                f"lost, the first ones, and {count} told")
    checks.check(status == 3, f"overfull: the command says so ({status})")


def check_windows(checks):
    """windows=: as many epochs, each complete, with the next seed and a log of its own."""
    run = lib.boot("windows", "output=frames account=log windows=3 seconds=1 seed=5 rate=1000 tasks=pollers")
    heads = [h for h, _ in lib.records(run.dump, "LOGGED")]
    ends = [h for h, _ in lib.records(run.dump, "END")]
    seeds = {h["epoch"]: h["seed"] for h, _ in lib.records(run.dump, "HELLO")}
    checks.check(run.status == lib.COMPLETE and len(ends) == len({h["epoch"] for h in heads}) == 3 and
                 list(seeds.values()) == [5, 6, 7], f"windows: three epochs {seeds} {run.said}")
    count = collections.Counter(h["epoch"] for h, rows in lib.records(run.dump, "TRANSITIONS") for _ in rows)
    checks.check(all(count[h["epoch"]] == h["transitions"] for h in heads),
                 f"windows: each with its whole log {dict(count)}")
    _, status = lib.host("audit", run.dump)
    checks.check(status == 0, f"windows: the audit holds ({status})")


def main():
    checks = lib.Checks()
    for name, words in LOADS.items():
        check_sums(checks, name, words)
    check_lines(checks)
    check_loss(checks)
    check_windows(checks)
    checks.finish()


if __name__ == "__main__":
    main()
