#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Streams that images sent once: what the host tool makes of them.

No emulator runs.  tests/golden/streams.tar, protocol 1.0: two sources side by side and their alarm, late ticks by
length, a log of every change, the machine's health.  tests/golden/versions.tar: a run of each version of the protocol
that the table in docs/PROTOCOL.md names, sent by an image of that time, with records that were new then.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))

import lib  # noqa: E402

TOOL = os.environ.get("CPUPROBE", lib.ROOT / "build/cpuprobe")
COMMANDS = ("stat --exact --cells", "stat --json", "info", "script", "audit", "transitions", "samples", "histogram")
SAID = {  # stream, command: what its text has, and its exit status
    ("two-sources", "stat --exact --cells"): (("ALIAS    pit and clock differ in 3 of 4 cells", "wrong    clock"), 0),
    ("two-sources", "audit"): (("source     pit", "source     clock", "ticks      4989", "ticks      502"), 0),
    ("stolen", "stat --exact --cells"): (("STOLEN", "MASKED", "late, us left"), 0),
    ("stolen", "audit"): (("980 late (rows MASKED and STOLEN)", "131.1 to      262.1 us      130"), 0),
    ("log", "stat --exact --cells"): (("n.a.: no schedule", "POLL6"), 0),
    ("log", "audit"): (("the words make no schedule", "verdict    none"), 3),
    ("health", "info"): (("  version  not told, protocol 1.0, build ", "  health   ", "complete"), 0),
    ("health", "transitions"): (("holds no log of changes",), 1),
    ("health", "script"): (("HEALTH ", "HELLO "), 0),
}


VERSIONS = {  # stream: minor, version of the image, records that were new, and of the last of a kind
    "minor-0": (0, None, ("HEALTH",)),
    "minor-1": (1, "0.2", ("SAMPLES", "PLACES", "EVENTS", "EVENT_KEYS", "EVENT_COUNTS")),
    "minor-2": (2, "0.3", ("SAMPLES", "STATES")),
    "minor-3": (3, "0.4", ("CALL_STACKS", "PROCSTAT")),
    "minor-4": (4, "0.5", ("PROCREADS",)),
    "minor-5": (5, "0.7", ("SAMPLES", "STACK_WALKS")),
    "minor-6": (6, "0.8", ("DELTA",)),
    "minor-7-first": (7, "0.9", ("PACKED_SAMPLES", "PACKED_PLACES", "EVENTS")),
    "minor-7": (7, "0.9", ("PACKED_SAMPLES", "PACKED_EVENTS")),
    "minor-8": (8, "0.12", ("PACKED_SAMPLES", "PACKED_EVENTS", "SENT")),
    "minor-9": (9, "0.14", ("PACKED_SAMPLES", "PACKED_EVENTS", "PROGRAMS", "SENT")),
}


def run(name, command):
    words = command.split()
    return subprocess.run([TOOL, *words, lib.folder() / f"{name}.dump"], capture_output=True, text=True, timeout=120)


def check_sums(checks, name, table):
    """A table's rows are its samples, and their exact shares are a whole: row MASKED has all masked time."""
    hits = sum(row["total"]["hits"] for row in table["tasks"])
    checks.check(hits == table["samples"], f"{name}: {hits} hits of {table['samples']} samples")
    exact = sum(row["total"]["exact"] or 0 for row in table["tasks"])
    checks.check(abs(exact - 100) < 0.01, f"{name}: the exact shares add up to {exact:.3f}")


def check_alarm(checks, table):
    alarm = table["alias"]
    checks.check(alarm["wrong"] == ["clock"] and alarm["measured"], "the exact table blames the clock")
    checks.check(all(abs(cell["z"]) > alarm["limit"] for cell in alarm["cells"]),
                 "each cell named is beyond the limit")
    check_sums(checks, "the second source", table["beside"])


def check_log(checks, table):
    """The log is the exact table, task by task."""
    lengths = collections.Counter()
    for line in run("log", "transitions").stdout.splitlines()[1:]:
        _, _, seconds, name, *_, masked = line.split()
        if name != "MONITOR":
            lengths["MASKED" if masked == "1" else name] += float(seconds)
    for row in table["tasks"]:
        share = 100 * lengths[row["name"]] / lengths.total()
        checks.check(abs(share - row["total"]["exact"]) < 0.01, f"{row['name']}: {share:.3f} % by the log")


def documented():
    """By minor version the last type that it may have, and the numbers of types by name: docs/PROTOCOL.md."""
    text = (lib.ROOT / "docs/PROTOCOL.md").read_text()
    last = {int(minor): int(most) for minor, most in re.findall(r"^\| (\d+) \| 0\.[^|]*\| (\d+) \|", text, re.M)}
    return last, {name: int(number) for name, number in re.findall(r"^\| ([A-Z_]+) \| (\d+) \|", text, re.M)}


def check_version(checks, name, last, types):
    """A stream of an older sender is complete, and has nothing that its version does not have."""
    minor, version, records = VERSIONS[name]
    told = json.loads(run(name, "info --json").stdout)
    epoch, = told["epochs"]
    hello = epoch["hello"]
    checks.check(hello["protocol"] == [1, minor] and hello["version"] == version,
                 f"{name}: {hello['protocol']} {hello['version']}")
    checks.check(epoch["complete"] and not told["stream"]["unknown"], f"{name}: complete")
    checks.check(set(records) <= set(told["stream"]["records"]), f"{name}: has {records}")
    most = max(types[record] for record in told["stream"]["records"])
    checks.check(most <= last[minor], f"{name}: type {most}, at most {last[minor]}")
    for command in ("stat", "info", "script"):
        done = run(name, command)
        checks.check(done.returncode == 0, f"{name}: {command} ends with {done.returncode}: {done.stderr.strip()}")
    for record, command in (("EVENTS", "trace"), ("PACKED_EVENTS", "trace"), ("SAMPLES", "samples"),
                            ("PACKED_SAMPLES", "samples"), ("STATES", "states")):
        if record in records:
            done = run(name, command)
            checks.check(done.returncode == 0 and done.stdout.count("\n") > 10,
                         f"{name}: {command} ends with {done.returncode}")


def check_versions(checks):
    last, types = documented()
    checks.check(last[max(last)] == max(types.values()),
                 f"the last minor version has all types: {last[max(last)]}, {max(types.values())}")
    checks.check(sorted(last) == list(range(max(last) + 1)), f"PROTOCOL names each minor version: {sorted(last)}")
    checks.check({minor for minor, _, _ in VERSIONS.values()} == set(last) - {max(last)},
                 "each but the last has a stream")
    for name in VERSIONS:
        check_version(checks, name, last, types)


def main():
    checks = lib.Checks()
    for archive in ("streams", "versions"):
        with tarfile.open(lib.ROOT / f"tests/golden/{archive}.tar") as streams:
            streams.extractall(lib.folder())
    check_versions(checks)
    for path in sorted(lib.folder().glob("*.dump")):
        for command in COMMANDS:
            done = run(path.stem, command)
            said, status = SAID.get((path.stem, command), ((), None))
            checks.check(done.returncode in (range(5) if status is None else [status]),
                         f"{path.stem}: {command} ends with {done.returncode}")
            for text in said:
                checks.check(text in done.stdout + done.stderr, f"{path.stem}: {command} says {text!r}")
    tables = {name: json.loads(run(name, "stat --json").stdout)
              for name in ("two-sources", "stolen", "log", "health")}
    for name, table in tables.items():
        check_sums(checks, name, table)
    check_alarm(checks, tables["two-sources"])
    check_log(checks, tables["log"])
    checks.finish()


main()
