#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The reports over time need no more memory for a long stream of events than for a short one:
constant.py [EVENTS]."""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402

TOOL = os.environ.get("CPUPROBE", lib.ROOT / "build/cpuprobe")
EVENTS = 20  # of a cycle, in tests/host/event_run.h
SHORT = 100_000
LONG = 3_000_000
SLACK = 1 << 10  # KB: pages that one run touched and another did not
REPORTS = ("trace --filter duration>1s", "trace --json --steps --from 1 --to 1.0001", "gantt --width 100", "waits",
           "load --width 100", "durations", "masked", "model", "states", "export --format chrome -o /dev/null",
           "export --format vcd -o /dev/null")


def peak(checks, report, path):
    """KB of the report's memory, and at least what this script has: a process counts from its fork on."""
    with subprocess.Popen([TOOL, *report.split(), path], stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    checks.check(process.returncode == 0, f"{report}: exit status {process.returncode}")
    return usage.ru_maxrss


def stream(events):
    path = lib.folder() / f"{events}.dump"
    with path.open("wb") as to:
        subprocess.run([lib.ROOT / "build/host/make_events", str(events // EVENTS)], stdout=to, check=True)
    return path


def main():
    checks = lib.Checks()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else LONG
    short, long = stream(SHORT), stream(count)
    for report in REPORTS:
        few, many = peak(checks, report, short), peak(checks, report, long)
        checks.check(many <= few + SLACK, f"{report}: {few} KB for {SHORT} events, {many} KB for {count}")
    long.unlink()
    checks.finish()


main()
