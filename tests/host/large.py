#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""A stream of 5 MB, whatever it tells, is read within 256 MB of memory and 10 seconds of processor time, by every report."""

import os
import pathlib
import resource
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402

TOOL = os.environ.get("CPUPROBE", lib.ROOT / "build/cpuprobe")
MEMORY = 256 << 10  # KB of pages that were touched
SECONDS = 10        # of processor time
REPORTS = {"info": "info", "stat": "stat", "samples": "samples", "audit": "audit", "histogram": "histogram --mode all",
           "diff": "diff", "transitions": "transitions"}
# What each stream asks most of; all of them for the others would take minutes.
KINDS = {"untimed": ("info", "stat", "audit", "histogram"), "turned": ("diff",), "timed": ("info",), "small": ("samples",),
         "places": ("histogram", "info"), "epochs": ("stat",), "log": ("transitions",), "log-turned": ("stat",)}


def run(kind, report):
    """What the report took: memory in KB, seconds; a hostile stream may be read or refused, by one of the tool's codes."""
    path = lib.folder() / f"{kind}.large"
    arguments = [TOOL, *REPORTS[report].split(), path] + ([path] if report == "diff" else [])
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (4 * SECONDS, 4 * SECONDS))  # noqa: E731
    task = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limit)
    said = task.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(task.pid, 0)
    task.returncode = os.waitstatus_to_exitcode(status)
    return task.returncode, usage.ru_maxrss, usage.ru_utime + usage.ru_stime, said.strip()


def main():
    bad = 0
    every = "--all" in sys.argv
    for kind, reports in KINDS.items():
        with (lib.folder() / f"{kind}.large").open("wb") as to:
            subprocess.run([lib.ROOT / "build/host/make_large", kind], stdout=to, check=True)
        for report in REPORTS if every else reports:
            code, memory, seconds, said = run(kind, report)
            fine = code in (0, 1, 3, 4) and memory <= MEMORY and seconds <= SECONDS
            bad += not fine
            print(f"{'ok  ' if fine else 'FAIL'} {kind:10} {report:11} {memory >> 10:4} MB {seconds:6.2f} s, status {code}"
                  f"{'' if fine else ': ' + said[-300:]}")
    return bad


if __name__ == "__main__":
    sys.exit(bool(main()))
