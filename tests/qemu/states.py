#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Classes of states: those of account=log are the exact table's cells; a rare fault of a protocol is found by an expression, and not by samples."""

import json

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
                 f"{name}: {len(found)} classes of {summary['changes']} changes are the exact table, to the clock unit: {differ}")


def reported(dump, hz):
    """When the sender left an end out, as it says itself, seconds since start."""
    return [head["value"] / hz for head, _ in lib.records(dump, "REPORT")]


def check_drawn(checks, dump, summary):
    """gantt has a row for each class, with its share of the run."""
    text, status = lib.host("gantt", "--classes", PROTOCOL, "--rows", "0", "--ascii", "--width", "100", dump)
    rows = [line.split() for line in text.splitlines() if line.endswith("%") and line[1:2] == " "]
    _, whole, _ = states(dump, "--classes", PROTOCOL)
    span = sum(c["seconds"] for c in whole["classes"])
    apart = [row[:2] for row in rows if abs(float(row[-1][:-1]) - 100 * next(c["seconds"] for c in whole["classes"] if c["class"] == row[0]) / span) > 0.02]
    checks.check(status == 0 and len(rows) == len(whole["classes"]) == len(summary["classes"]) and not apart,
                 f"messages: gantt draws {len(rows)} classes, each with its share {apart}")


def check_faults(checks):
    """One transfer in 1000 lacks its end: each is found, at its time, and nothing else."""
    lib.boot_table(checks, "messages", f"tasks=messages {MESSAGES}", shift=3)
    dump = lib.folder() / "messages.dump"
    truth = reported(dump, list(lib.records(dump, "HELLO"))[-1][0]["clock_hz"])
    of = ("--classes", PROTOCOL, "--of", "SENDER")
    hits, summary, status = states(dump, *of, "--hits", "--match", "5 [1]+ 0")
    _, whole, _ = states(dump, *of, "--match", "5 [1]+9")
    started = next(c["count"] for c in summary["classes"] if c["class"] == "5")
    checks.check(len(truth) >= 2 and len(hits) == len(truth), f"messages: {len(hits)} transfers without an end of {len(truth)} that the task tells")
    missed = [(t, h["at"], h["length"]) for t, h in zip(truth, hits) if not h["at"] <= t <= h["at"] + h["length"]]
    checks.check(not missed, f"messages: each at the time that the task tells {missed}")
    check_drawn(checks, dump, summary)
    _, steps, _ = states(dump, *of, "--match", "5 [1]+9", "--linear", "0.0005")
    histograms = [w["match"]["histogram"] for w in (whole, steps)]
    checks.check(len({sum(b["hits"] for b in h) for h in histograms}) == 1 and all(round(b["from"] / 0.0005, 3) % 1 == 0 for b in histograms[1]),
                 f"messages: the transfers in {len(histograms[0])} powers of two, and in {len(histograms[1])} steps of 500 us")
    rest = started - whole["match"]["count"] - len(hits)
    checks.check(status == 0 and 0 <= rest <= 1, f"messages: {started} transfers began, {whole['match']['count']} are whole, {rest} was under way ({status})")


def check_samples(checks):
    """The sampled shares of a run with the fault are those of one without."""
    lib.boot_table(checks, "faultless", f"tasks=messages-faultless {MESSAGES}", shift=3)
    shares = []
    for name in ("messages", "faultless"):
        cell = lib.row(lib.stat(lib.folder() / f"{name}.dump"), "SENDER")["total"]
        shares.append((cell["low999"], cell["percent"], cell["high999"]))
    (low, share, high), (other_low, other, other_high) = shares
    checks.check(low <= other <= high and other_low <= share <= other_high,
                 f"samples: SENDER has {share:.3f} % with the fault and {other:.3f} % without, intervals [{low:.3f}, {high:.3f}] and [{other_low:.3f}, {other_high:.3f}]")


def check_stretches(checks):
    """Thurner's figure 4: an equidistant sampler misses the long stretch and takes the short one for a whole; the classes have both."""
    table = lib.boot_table(checks, "stretches", "tasks=stretches clock=1000 tick=clock account=log seconds=2 seed=1", shift=3)
    _, summary, status = states(lib.folder() / "stretches.dump", "--classes", "0=idle:task=IDLE,1=long:task=LONG,2=short:task=SHORT,3=other:else")
    found = {c["class"]: 100 * c["share"] for c in summary["classes"]}
    for name, code, low, high in (("LONG", "1", 0, 0.5), ("SHORT", "2", 16, 18)):
        cell = lib.row(table, name)["total"]
        checks.check(low <= cell["percent"] <= high and status == 0 and abs(found[code] - cell["exact"]) < 0.15,
                     f"stretches: {name} has {cell['percent']:.2f} % of the samples, {cell['exact']:.2f} % of the time, {found[code]:.2f} % by classes")


def main():
    checks = lib.Checks()
    check_stretches(checks)
    check_cells(checks, "figure3", "")
    check_cells(checks, "calls", "tasks=calls clock=1000 seconds=1")
    check_faults(checks)
    check_samples(checks)
    checks.finish()


if __name__ == "__main__":
    main()
