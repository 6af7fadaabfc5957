#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Classes of states: `recorded` by the image (monitor=states); else by the host: those of account=log are the exact
table's cells; a rare fault of a protocol is found by an expression, and not by samples."""

import collections
import json
import subprocess
import sys

import lib
from transitions import exact

PROTOCOL = "0=idle:event=none/0,busy:else,5=busy.start:event=5,1=busy.transfer:event=1@value,9=busy.end:event=9"
MESSAGES = "monitor=system,events events=user:SENDER buffer=stop rate=1000 seconds=7 seed=1"


def states(dump, *arguments):
    """The hits and the summary that `states --json` prints, and the exit status."""
    text, status = lib.host("states", dump, "--json", *arguments)
    *hits, summary = map(json.loads, text.splitlines())
    return hits, summary, status


def check_cells(checks, name, words):
    """The default tree: each class has the exact table's sum over the tasks, to the clock unit."""
    lib.boot_table(checks, name, f"account=log rate=1000 seconds=2 seed=1 {words}")
    dump = lib.folder() / f"{name}.dump"
    hz = list(lib.records(dump, "HELLO"))[-1][0]["clock_hz"]
    truth, head = exact(dump)
    _, summary, status = states(dump)
    found = {c["class"]: round(c["seconds"] * hz) for c in summary["classes"]}
    cells = {str(2 * mode + masked): sum(t for (_, m, off), t in truth.items() if (m, off) == (mode, masked))
             for mode in range(4) for masked in range(2)}
    cells["8"] = head["monitor"]
    differ = {c: (found.get(c, 0), cells[c]) for c in cells if found.get(c, 0) != cells[c]}
    checks.check(status == 0 and not differ and set(found) <= set(cells),
                 f"{name}: {len(found)} classes of {summary['changes']} changes are the exact table, to the clock "
                 f"unit: {differ}")


def reported(dump, hz):
    """When the sender left an end out, as it says itself, seconds since start."""
    return [head["value"] / hz for head, _ in lib.records(dump, "REPORT")]


def check_drawn(checks, name, dump, *tree):
    """gantt has a row for each class that is not empty, with its share of the run."""
    text, status = lib.host("gantt", *tree, "--rows", "0", "--ascii", "--width", "100", dump)
    rows = [line.split() for line in text.splitlines() if line.endswith("%") and line[1:2] == " "]
    _, whole, _ = states(dump, *tree)
    span = sum(c["seconds"] for c in whole["classes"])
    apart = [row[:2] for row in rows
             if abs(float(row[-1][:-1])
                    - 100 * next(c["seconds"] for c in whole["classes"] if c["class"] == row[0]) / span) > 0.02]
    drawn = sum(c["count"] > 0 for c in whole["classes"])
    checks.check(status == 0 and len(rows) == drawn > 2 and not apart,
                 f"{name}: gantt draws {len(rows)} classes, each with its share {apart}")


def check_faults(checks):
    """One transfer in 1000 lacks its end: each is found, at its time, and nothing else."""
    lib.boot_table(checks, "messages", f"tasks=messages {MESSAGES}", shift=3)
    dump = lib.folder() / "messages.dump"
    truth = reported(dump, list(lib.records(dump, "HELLO"))[-1][0]["clock_hz"])
    of = ("--classes", PROTOCOL, "--of", "SENDER")
    hits, summary, status = states(dump, *of, "--hits", "--match", "5 [1]+ 0")
    _, whole, _ = states(dump, *of, "--match", "5 [1]+9")
    started = next(c["count"] for c in summary["classes"] if c["class"] == "5")
    checks.check(len(truth) >= 2 and len(hits) == len(truth),
                 f"messages: {len(hits)} transfers without an end of {len(truth)} that the task tells")
    missed = [(t, h["at"], h["length"]) for t, h in zip(truth, hits) if not h["at"] <= t <= h["at"] + h["length"]]
    checks.check(not missed, f"messages: each at the time that the task tells {missed}")
    check_drawn(checks, "messages", dump, "--classes", PROTOCOL)
    _, steps, _ = states(dump, *of, "--match", "5 [1]+9", "--linear", "0.0005")
    histograms = [w["match"]["histogram"] for w in (whole, steps)]
    checks.check(len({sum(b["hits"] for b in h) for h in histograms}) == 1 and
                 all(round(b["from"] / 0.0005, 3) % 1 == 0 for b in histograms[1]),
                 f"messages: the transfers in {len(histograms[0])} powers of two, and in {len(histograms[1])} "
                 "steps of 500 us")
    rest = started - whole["match"]["count"] - len(hits)
    checks.check(status == 0 and 0 <= rest <= 1, f"messages: {started} transfers began, {whole['match']['count']} "
                                                 f"are whole, {rest} was under way ({status})")


def check_samples(checks):
    """The sampled shares of a run with the fault are those of one without."""
    lib.boot_table(checks, "faultless", f"tasks=messages-faultless {MESSAGES}", shift=3)
    one, other = (lib.row(lib.stat(lib.folder() / f"{name}.dump"), "SENDER")["total"]
                  for name in ("messages", "faultless"))
    checks.check(not lib.differ(one, other), f"samples: SENDER has {one['percent']:.3f} % with the fault "
                 f"and {other['percent']:.3f} % without, intervals [{one['low999']:.3f}, {one['high999']:.3f}] and "
                 f"[{other['low999']:.3f}, {other['high999']:.3f}]")


def check_stretches(checks):
    """Thurner's figure 4: an equidistant sampler misses the long stretch and takes the short one for a whole; the
    classes have both."""
    table = lib.boot_table(checks, "stretches", "tasks=stretches clock=1000 tick=clock account=log seconds=2 seed=1",
                           shift=3)
    _, summary, status = states(lib.folder() / "stretches.dump", "--classes",
                                "0=idle:task=IDLE,1=long:task=LONG,2=short:task=SHORT,3=other:else")
    found = {c["class"]: 100 * c["share"] for c in summary["classes"]}
    for name, code, low, high in (("LONG", "1", 0, 0.5), ("SHORT", "2", 16, 18)):
        cell = lib.row(table, name)["total"]
        checks.check(low <= cell["percent"] <= high and status == 0 and abs(found[code] - cell["exact"]) < 0.15,
                     f"stretches: {name} has {cell['percent']:.2f} % of the samples, {cell['exact']:.2f} % of the "
                     f"time, {found[code]:.2f} % by classes")


# ---- monitor=states ----

BOUND = {"": 4.0, "stamp=us": 2.0}  # bytes a change of class on the paper's system, framing included
LOADS = {"figure3": "seconds=4", "calls": "tasks=calls clock=1000 samples=40 seconds=1",
         "rings": "tasks=rings seconds=2", "faults": "tasks=faults seconds=2",
         "unticked": "tasks=pollers tick=none seconds=2"}
NO_ROOM, OVERWRITTEN = 1, 2  # enum class_gap_cause
EXIT_DAMAGED = 3
BY_TASK = ("0=rogue-user:task=ROGUE+mode=user,1=rogue-kernel:task=ROGUE+mode=kernel+call=!5,"
           "2=call5:call=5+mode=kernel@task,3=idle:task=IDLE+mode=kernel+call=!5,4=handler:mode=interrupt/monitor,"
           "rest:else@number")
REFUSED = {"0=a:mode=user,1=b:mode=user/kernel": "line 1, column 17: 'b' overlaps with 'a'",
           "a:mode=usr": "line 1, column 8: 'usr' is no mode: user supervisor kernel interrupt monitor",
           "a.b:mode=user,b.a:mode=user": "line 1, column 3: 'b' does not lead to the root: its parents form a cycle",
           "nothing": "line 1, column 8: ':' and a condition are missing"}


def sums_of(dump):
    """What tests/host/sum_states.c finds: {name: number}, {(class, attribute): clock units},
    {cause of a gap: missing}."""
    done = subprocess.run([lib.ROOT / "build/host/sum_states", dump], stdout=subprocess.PIPE, text=True, check=True)
    first, entropy, *rows = done.stdout.splitlines()
    facts = {key: int(value) for key, value in zip(first.split()[0::2], first.split()[1::2])}
    facts["entropy"] = sum(map(float, entropy.split()[1:])) / 8
    sums, missing = {}, collections.Counter()
    for _, code, attribute, count, time in map(str.split, rows):
        sums[code, attribute] = int(time)
        if code == "?":
            missing[int(attribute) & 3] += (int(attribute) >> 2) * int(count)
    return facts, sums, missing


def recorded(checks, name, words, **how):
    """Boot with monitor=states: the dump, and sums_of() it."""
    lib.boot_table(checks, name, f"seed=1 {words}", shift=3, **how)
    dump = lib.folder() / f"{name}.dump"
    facts, sums, missing = sums_of(dump)
    checks.check(sum(sums.values()) == facts["end"] - facts["begin"] or "stamp=us" in words,
                 f"{name}: {facts['runs']} changes of class cover the run")
    return dump, facts, sums, missing


def check_recorded_cells(checks, name, words, **how):
    """The default tree: each class of each task has the exact table's time, to the clock unit."""
    dump, facts, sums, _ = recorded(checks, f"cells-{name}", f"monitor=system,states buffer=stop {words}", **how)
    check_exact_cells(checks, name, dump, facts, sums)


def check_exact_cells(checks, name, dump, facts, sums):
    truth, head = exact(dump)
    cells = {(str(2 * mode + masked), str(row)): t for (row, mode, masked), t in truth.items() if t}
    cells["8", "-"] = head["monitor"]
    found = {cell: t for cell, t in sums.items() if t}
    differ = {c: (found.get(c, 0), cells.get(c, 0)) for c in found.keys() | cells.keys()
              if found.get(c, 0) != cells.get(c, 0)}
    checks.check(facts["lost"] == 0 and not differ,
                 f"{name}: {len(found)} classes of tasks are the exact table, to the clock unit: {differ}")


def check_recorded_bytes(checks):
    for words, bound in BOUND.items():
        dump, facts, *_ = recorded(checks, f"bytes{words}", f"monitor=system,states thin=auto seconds=6 {words}")
        each = facts["bytes"] / facts["runs"]
        checks.check(each <= bound and facts["lost"] == 0, f"{words or 'clock unit'}: {facts['runs']} changes of "
                     f"figure3, {each:.3f} bytes each of {bound:.0f}, entropy {facts['entropy']:.3f}, none lost")
    check_drawn(checks, "figure3", dump)


def check_recorded_tree(checks):
    """A tree by mode, task and call, with events beside: the image's classes are what the host makes of the
    events."""
    dump, _, sums, _ = recorded(checks, "tree",
                                f"monitor=system,states,events events=all buffer=stop seconds=3 classes={BY_TASK}")
    _, own, status = states(dump)
    truth, head = exact(dump)
    _, made, _ = states(dump, "--classes", BY_TASK, "--to",
                        f"{head['end'] / next(lib.records(dump, 'HELLO'))[0]['clock_hz']:.10f}")
    rogue = row_of(dump, "ROGUE")
    want = sum(t for (row, m, _), t in truth.items() if (row, m) == (rogue, 0))
    checks.check(sums.get(("0", "-"), 0) == want > 0,
                 f"tree: class 0 has the {want} clock units of ROGUE in user mode")
    image, host = [{c["class"]: (c["count"], c["seconds"]) for c in s["classes"]} for s in (own, made)]
    same = all(image[c][0] == host[c][0] and abs(image[c][1] - host[c][1]) < 5e-9 for c in image.keys() & host.keys())
    checks.check(same and image.keys() == host.keys() >= {"0", "1", "4", "5"},
                 f"tree: {image} by the image, {host} by the host ({status})")


def row_of(dump, name):
    return next(row["id"] for _, rows in lib.records(dump, "NAMES") for row in rows if row["name"] == name)


def check_full(checks):
    """Nothing is lost silently: a buffer that is full, a line that is too slow, a buffer that overwrites."""
    calls = "tasks=calls clock=1000 seconds=1 monitor=system,states"
    for name, words in (("stopped", "buffer=stop"), ("thinned", "thin=auto"), ("refused", "thin=off"),
                        ("last", "buffer=overwrite")):
        dump, facts, _, missing = recorded(checks, name, f"{calls} {words}")
        text, status = lib.host("states", dump)
        checks.check(status == EXIT_DAMAGED and "monitor" in text,
                     f"{name}: what is missing is told, what is there is shown ({status})")
        if name == "last":
            checks.check(missing[OVERWRITTEN] > 0 == facts["lost"],
                         f"{name}: {missing[OVERWRITTEN]} events were overwritten")
        else:
            checks.check(missing[NO_ROOM] == facts["lost"] > 0 and facts["begin"] < facts["first-lost"] <
                         facts["end"], f"{name}: {facts['lost']} events found no room, the first at "
                                       f"{facts['first-lost']}; gaps tell {missing[NO_ROOM]}")


def check_refused(checks):
    for tree, why in REFUSED.items():
        run = lib.boot("refused-tree", f"output=frames monitor=states seconds=1 classes={tree}", shift=3)
        said = [head["text"] for head, _ in lib.records(run.dump, "TEXT")] if run.dump.exists() else []
        checks.check(run.status != lib.COMPLETE and
                     any(why in text for text in said + [run.said, run.dump.read_bytes().decode("latin-1")]),
                     f"{tree}: refused: {why}")


def check_recorded(checks):
    for name, words in LOADS.items():
        check_recorded_cells(checks, name, f"rate=1000 {words}")
    check_recorded_bytes(checks)
    check_recorded_tree(checks)
    check_full(checks)
    check_refused(checks)


def main():
    checks = lib.Checks()
    if sys.argv[1:] == ["recorded"]:
        check_recorded(checks)
        checks.finish()
        return
    check_stretches(checks)
    check_cells(checks, "figure3", "")
    check_cells(checks, "calls", "tasks=calls clock=1000 seconds=1")
    check_faults(checks)
    check_samples(checks)
    checks.finish()


if __name__ == "__main__":
    main()
