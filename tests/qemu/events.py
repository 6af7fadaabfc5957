#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""monitor=events: sums of events agree with the exact table to the clock unit; a storm loses nothing silently."""

import collections
import subprocess
import sys

import lib
from transitions import exact

BOUND = 4.0  # bytes an event on the paper's system at the clock's unit, framing included
LOADS = {"figure3": "", "calls": "tasks=calls clock=1000 samples=40", "rings": "tasks=rings seconds=2",
         "storm": "tasks=openstorm seconds=2", "untouched": "tasks=pollers tick=none seconds=2",
         "both": "account=log seconds=2"}
SECONDS = 4
MONITOR = 8


def sums(dump, *end):
    """What tests/host/sum_events.c finds: {name: number}, {class: count}, {(row, cell): clock units}."""
    done = subprocess.run([lib.ROOT / "build/host/sum_events", dump, *map(str, end)], stdout=subprocess.PIPE, text=True, check=False)
    facts, classes, cells = {}, {}, collections.Counter()
    for line in done.stdout.splitlines():
        kind, *words = line.split()
        if kind == "class":
            classes[words[0]] = int(words[1])
        elif kind == "cell":
            cells[int(words[0]), int(words[1])] = int(words[2])
        elif kind == "events" and "bytes" in words:
            facts = {name: value for name, value in zip([kind, *words[1::2]], words[0::2])}
    if not facts:
        sys.exit(f"{dump}: {done.stdout}")
    return {name: value if name == "digest" else int(value) for name, value in facts.items()}, classes, cells


def told(dump):
    """The last EVENT_COUNTS: head, {class number: count}."""
    head, rows = list(lib.records(dump, "EVENT_COUNTS"))[-1]
    return head, {row["class"]: row["count"] for row in rows}


def check_sums(checks, name, words):
    lib.boot_table(checks, name, f"monitor=system,events events=all buffer=stop rate=1000 seconds={SECONDS} seed=1 {words}", shift=3)
    dump = lib.folder() / f"{name}.dump"
    truth, head = exact(dump)
    facts, _, cells = sums(dump, head["end"])
    monitor = sum(time for (_, cell), time in cells.items() if cell == MONITOR)
    found = collections.Counter({(row, cell // 2, cell % 2): time for (row, cell), time in cells.items() if cell != MONITOR})
    differ = {cell: (found[cell], truth[cell]) for cell in found.keys() | truth.keys() if found[cell] != truth[cell]}
    checks.check(not differ and facts["lost"] == 0,
                 f"{name}: {facts['events']} events, {len(found)} cells add up to the exact table, to the clock unit: {differ}")
    checks.check(monitor == head["monitor"], f"{name}: MONITOR has {monitor} of {head['monitor']} clock units")
    checks.check(facts["disordered"] == 0, f"{name}: no event stands before an earlier one ({facts['disordered']})")
    return facts


def check_counts(checks, name, dump):
    """What was counted is what was recorded and what was lost; events of group `control` are recorded only."""
    facts, classes, _ = sums(dump)
    head, counts = told(dump)
    control = sum(classes.get(c, 0) for c in ("pause", "continue", "trigger", "lost"))
    checks.check(sum(counts.values()) + control == facts["events"] + facts["lost"] and facts["untold"] == 0,
                 f"{name}: {sum(counts.values())} events counted, {facts['events'] - control} recorded, {facts['lost']} lost and told")
    return facts, head


def main():
    checks = lib.Checks()
    for name, words in LOADS.items():
        check_sums(checks, name, words)
    checks.finish()


if __name__ == "__main__":
    main()
