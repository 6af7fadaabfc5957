#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Streams that images sent once (tests/golden/streams.tar, protocol 1.0): what the host tool makes of them.

No emulator runs: two sources side by side and their alarm, late ticks by length, a log of every change, the machine's
health.  All of them are older than the field `version` of HELLO, and are read all the same.
"""

import collections
import json
import os
import pathlib
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
    checks.check(all(abs(cell["z"]) > alarm["limit"] for cell in alarm["cells"]), "each cell named is beyond the limit")
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


def main():
    checks = lib.Checks()
    with tarfile.open(lib.ROOT / "tests/golden/streams.tar") as archive:
        archive.extractall(lib.folder())
    for path in sorted(lib.folder().glob("*.dump")):
        for command in COMMANDS:
            done = run(path.stem, command)
            said, status = SAID.get((path.stem, command), ((), None))
            checks.check(done.returncode in (range(5) if status is None else [status]),
                         f"{path.stem}: {command} ends with {done.returncode}")
            for text in said:
                checks.check(text in done.stdout + done.stderr, f"{path.stem}: {command} says {text!r}")
    tables = {name: json.loads(run(name, "stat --json").stdout) for name in ("two-sources", "stolen", "log", "health")}
    for name, table in tables.items():
        check_sums(checks, name, table)
    check_alarm(checks, tables["two-sources"])
    check_log(checks, tables["log"])
    checks.finish()


main()
