#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""monitor=events: `sums` of events agree with the exact table to the clock unit; `full`:
a storm loses nothing silently."""

import collections
import re
import subprocess
import sys

import lib
from transitions import exact

BOUND = 4.0  # bytes an event on the paper's system at the clock's unit, framing included
LOADS = {"figure3": "", "calls": "tasks=calls clock=1000 samples=40", "rings": "tasks=rings seconds=2",
         "storm": "tasks=openstorm seconds=2", "untouched": "tasks=pollers tick=none seconds=2",
         "both": "account=log seconds=2", "touched": "monitor=system,events,profil tasks=profilwild seconds=1",
         "intercepted": "monitor=system,events,intercept seconds=2",
         "intercepted-storm": "monitor=system,events,intercept tasks=openstorm seconds=2",
         "ruled": "when=syscall/add:0,irq/add:1,switch/add:2,wake:ROGUE/add:3 seconds=2"}
SECONDS = 4
STORM = 400000  # events a second that the storm makes at least
MONITOR = 8


def sums(dump, *end):
    """What tests/host/sum_events.c finds: {name: number}, {class: count}, {(row, cell): clock units}."""
    done = subprocess.run([lib.ROOT / "build/host/sum_events", dump, *map(str, end)], stdout=subprocess.PIPE,
                          text=True, check=False)
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


def check_sums(checks, name, words, **how):
    lib.boot_table(checks, name, f"monitor=system,events events=all buffer=stop rate=1000 seconds={SECONDS} "
                                 f"seed=1 {words}", shift=3, **how)
    return hold_sums(checks, name, lib.folder() / f"{name}.dump")


def check_changed(checks, name, words):
    """Events are switched on while it runs, when tasks sleep in calls that they entered without."""
    line = lib.folder() / f"{name}.typed"
    line.write_text("\n monitor=system,events events=all buffer=stop seconds=2\n")
    dump = boot(checks, name, f"{words} seconds=3", options=("--door", "rom", "--typed", line))
    hold_sums(checks, name, dump)


def hold_sums(checks, name, dump):
    truth, head = exact(dump)
    facts, _, cells = sums(dump, head["end"])
    monitor = sum(time for (_, cell), time in cells.items() if cell == MONITOR)
    found = collections.Counter({(row, cell // 2, cell % 2): time for (row, cell), time in cells.items()
                                 if cell != MONITOR})
    differ = {cell: (found[cell], truth[cell]) for cell in found.keys() | truth.keys() if found[cell] != truth[cell]}
    checks.check(not differ and facts["lost"] == 0,
                 f"{name}: {facts['events']} events, {len(found)} cells add up to the exact table, to the clock "
                 f"unit: {differ}")
    checks.check(monitor == head["monitor"], f"{name}: MONITOR has {monitor} of {head['monitor']} clock units")
    checks.check(facts["disordered"] == 0, f"{name}: no event stands before an earlier one ({facts['disordered']})")
    return facts


def check_counts(checks, name, dump):
    """What was counted is what was recorded and what was lost; events of class lost are recorded only."""
    facts, classes, _ = sums(dump)
    head, counts = told(dump)
    gaps = classes.get("lost", 0)
    checks.check(sum(counts.values()) + gaps == facts["events"] + facts["lost"] and facts["untold"] == 0,
                 f"{name}: {sum(counts.values())} events counted, {facts['events'] - gaps} recorded, {facts['lost']} "
                 "lost and told")
    return facts, head


def boot(checks, name, words, *, shift=3, **how):
    run = lib.boot(name, f"output=frames rate=1000 seed=1 {words}", shift=shift, **how)
    checks.check(run.status == lib.COMPLETE, f"{name}: the run ends well ({run.status}) {run.said.strip()}")
    return run.dump


def check_bytes(checks):
    """The usual events of the paper's system, streamed: at most so many bytes each, and the same bytes each time."""
    words = "monitor=system,events thin=auto seconds=6"
    dump = boot(checks, "bytes", words)
    facts, head = check_counts(checks, "bytes", dump)
    each = facts["bytes"] / facts["events"]
    checks.check(each <= BOUND and facts["lost"] == 0,
                 f"bytes: {facts['events']} events of figure3, {each:.3f} bytes each, none lost")
    checks.check(head["recorded"] == facts["events"], f"bytes: {head['recorded']} were recorded")
    again = boot(checks, "again", words)
    checks.check(dump.read_bytes() == again.read_bytes(), "bytes: the same words make the same bytes")


def check_storm(checks):
    """More than the line carries: with thin=auto stretches are missing and told; with off it stops;
    full buffers stop too."""
    # at 2^2 ns: at 2^3 it makes just 400 000
    storm = "monitor=system,events events=all tasks=calls clock=1000 seconds=1"
    for name, words in (("thinned", "thin=auto"), ("refused", "thin=off"), ("full", "buffer=stop")):
        dump = boot(checks, name, f"{storm} {words}", shift=2)
        facts, head = check_counts(checks, name, dump)
        rate = (facts["events"] + facts["lost"]) if name != "refused" else 0
        checks.check(rate == 0 or rate > STORM, f"{name}: {rate} events in a second")
        checks.check(facts["lost"] > 0 and facts["first-lost"] == head["lost_time"] > 0 and facts["disordered"] == 0,
                     f"{name}: {facts['lost']} lost, the first at {facts['first-lost']}; none stands before an "
                     "earlier one")
    said = [head["text"] for head, _ in lib.records(lib.folder() / "refused.dump", "TEXT")]
    checks.check(any("events come faster than the line carries them" in text for text in said),
                 "refused: the image says so")


def check_filters(checks):
    """By class, task and address, and counted only: what is left is what was asked for."""
    every, _, _ = sums(boot(checks, "every", "monitor=events seconds=2 buffer=stop"))
    _, rogue, _ = sums(boot(checks, "rogue", "monitor=events seconds=2 buffer=stop events=syscall:ROGUE,wake:ROGUE"))
    checks.check(set(rogue) == {"switch", "resume", "wake", "syscall-enter", "syscall-exit", "continue"},
                 f"rogue: its calls and wakes, with the switches that tell when: {rogue}")
    checks.check(0 < rogue["syscall-enter"] < every["events"] / 10, f"rogue: {rogue['syscall-enter']} calls")
    _, nowhere, _ = sums(boot(checks, "nowhere", "monitor=events seconds=1 buffer=stop events=syscall:*:0x0-0xff"))
    checks.check("syscall-enter" not in nowhere, f"nowhere: no call comes from there: {nowhere}")
    dump = boot(checks, "everywhere", "monitor=events seconds=1 buffer=stop events=syscall:*:0x0-0x7fffffffffff")
    _, everywhere, _ = sums(dump)
    dump = boot(checks, "plain", "monitor=events seconds=1 buffer=stop events=syscall")
    _, plain, _ = sums(dump)
    checks.check(abs(everywhere["syscall-enter"] - plain["syscall-enter"]) <= 2,
                 f"everywhere: {everywhere['syscall-enter']} calls by address, {plain['syscall-enter']} without")
    dump = boot(checks, "counted", "monitor=events seconds=1 buffer=count events=syscall,irq")
    head, counts = told(dump)
    checks.check(head["recorded"] == 0 and set(counts) == {7, 8, 10, 11} and
                 abs(counts[10] - plain["syscall-enter"]) <= 20, f"counted: {counts}, and no record")
    shown = lib.stat(dump)["events"]
    checks.check(shown["recorded"] == 0 and shown["first_lost"] is None and
                 list(shown["classes"].values()) == [counts[c] for c in sorted(counts)]
                 and shown["classes"]["syscall-enter"] == counts[10], f"counted: stat --json shows them: {shown}")


def check_last(checks):
    """buffer=overwrite: the last ones, numbered, and whole to the end of the run."""
    dump = boot(checks, "last", "monitor=events events=all tasks=calls clock=1000 seconds=1 buffer=overwrite")
    facts, _, _ = sums(dump)
    head, counts = told(dump)
    checks.check(head["overwritten"] > 0 and facts["lost"] == 0 and
                 head["recorded"] <= facts["events"] <= head["recorded"] + 9,
                 f"last: {head['recorded']} recorded, the first {head['overwritten']} overwritten")
    checks.check(sum(counts.values()) == head["recorded"], f"last: {sum(counts.values())} were counted")
    run = lib.boot("text", "monitor=events events=irq,switch seconds=1 buffer=overwrite seed=1", shift=3)
    lines = re.findall(r"^cpuprobe: event (\d+) at (\d+): ([a-z-]+) (\w+)", run.dump.read_text(), re.M)
    numbers, times = [int(line[0]) for line in lines], [int(line[1]) for line in lines]
    checks.check(len(lines) == 32 and numbers == list(range(numbers[0], numbers[0] + 32)) and times == sorted(times),
                 f"text: the last 32 events, {numbers[0]} to {numbers[-1]}")
    checks.check({line[2] for line in lines} <= {"irq-enter", "irq-exit", "switch", "resume"} and
                 any(line[2:] == ("switch", "IDLE") for line in lines), "text: by their names, tasks too")


def main():
    checks = lib.Checks()
    if sys.argv[1] == "sums":
        for name, words in LOADS.items():
            check_sums(checks, name, words)
        check_changed(checks, "changed", "")
        check_changed(checks, "changed-rings", "tasks=rings")
        check_bytes(checks)
    else:
        check_storm(checks)
        check_filters(checks)
        check_last(checks)
    checks.finish()


if __name__ == "__main__":
    main()
