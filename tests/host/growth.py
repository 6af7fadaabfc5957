#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Whatever keys a stream chooses, a report's processor time grows with its size and no faster, within 64 MB."""

import re
import subprocess
import sys

import large

SMALL, FACTOR = 1500000, 2  # bytes, and how much larger the other one is
GROWTH = 2.3                # times the processor time, at most,
SLACK = 0.03                # and seconds, of starting
TRIES = 3                   # the least of so many counts,
AGAIN = 12                  # and of so many more where it is too much: a busy neighbour slows some of them, not all
# Of each made stream the reports that look at what it has; of a record alone those that look at all.
MADE = {"idle-tasks": ("stat --json", "idle", "info", "report"), "idle-task": ("stat --json", "report"),
        "moments": ("acct", "acct --json", "load --acct", "report"),
        "tick-tasks": ("procstat", "procstat --json", "stat --json", "report"),
        "process-table": ("ps", "ps --json", "report"), "profils": ("stat --json", "info", "report"),
        "event-tasks": ("compare", "compare --json", "stat --json", "trace", "durations", "model", "waits",
                        "waits --json", "report"),
        "epochs": ("info", "info --json", "list"), "processes": ("info --json", "report"),
        "call-stacks": ("histogram --callers --json", "histogram --callers", "stat --json", "report")}
# Of records that are kept for who joins a stream later, the live view too.
LIVE = ("NAMES", "same:EXACT", "same:REGION")
ANY = ("info --json", "stat --json", "report")
PAGE = large.lib.folder() / "report.html"
WIRE = large.lib.ROOT / "probe/stream/wire.h"
ALONE = {"HELLO", "SNAPSHOT", "END"}  # these make a stream, and are in each


def records():
    """The names of all records that have rows, which a stream may make as many as it wants of."""
    text = WIRE.read_text()
    return [name for name in re.findall(r"^    R\((\w+), ", text, re.M) if name not in ALONE]


def grown(small, whole):
    """Whether the time grew faster than the size."""
    return whole > GROWTH * small + SLACK


def measure(report, paths):
    """Of each path the least of the times in seconds; the most memory in KB; how the runs ended.

    The paths take turns, so that what slows the machine for a while slows both.
    """
    least, memory, codes, tries = [float("inf")] * len(paths), 0, set(), 0
    while tries < TRIES or tries < TRIES + AGAIN and grown(*least):
        for i, path in enumerate(paths):
            code, used, seconds, _ = large.run(f"report -o {PAGE}" if report == "report" else report, path)
            least[i], memory = min(least[i], seconds), max(memory, used)
            codes.add(code)
        tries += 1
    return least, memory, codes


def judge(kind, reports):
    """Prints what grew too fast or took too much; how many reports these are."""
    paths = []
    for bytes_ in (SMALL, FACTOR * SMALL):
        path = large.lib.folder() / f"{kind}.{bytes_}"
        with path.open("wb") as to:
            subprocess.run([large.lib.ROOT / "build/host/make_large", kind, str(bytes_)], stdout=to, check=True)
        paths.append(path)
    bad = 0
    for report in reports:
        (small, whole), memory, codes = measure(report, paths)
        wrong = grown(small, whole) or memory > large.MEMORY or codes - {0, 1, 3, 4}
        bad += bool(wrong)
        if wrong or "-v" in sys.argv:
            print(f"{'FAIL' if wrong else 'ok  '} {kind} {report}: {small:.2f} s, of twice as much {whole:.2f} s, "
                  f"{memory >> 10} MB, status {sorted(codes)}")
    for path in paths:
        path.unlink()
    return bad


def main():
    chosen = [word for word in sys.argv[1:] if word != "-v"]
    kinds = MADE | {name: ANY for name in records()} | {f"same:{name}": ANY for name in records()}
    kinds |= {kind: (*ANY, "top") for kind in LIVE}
    bad = sum(judge(kind, reports) for kind, reports in kinds.items() if not chosen or kind in chosen)
    print(f"{len(kinds)} streams, {bad} reports too slow or too large")
    return bad


if __name__ == "__main__":
    sys.exit(bool(main()))
