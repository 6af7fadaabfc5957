#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""1 GB (or so many: long_stream.py GB) through a pipe takes `stat` no more memory than 64 MB,
and no report more for a longer stream."""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402

TOOL = os.environ.get("CPUPROBE", lib.ROOT / "build/cpuprobe")
MAKE = lib.ROOT / "build/host/make_large"
MEMORY = 64 << 10  # KB of pages that were touched
GB = 10**9
SHORT, LONG = 8 * 10**6, 32 * 10**6  # bytes, for each report; those that read twice copy a pipe to a file
# KB: pages that one run touched and another did not; records are kept up to a bound, which both reach
SLACK = 4 << 10
STATUSES = (0, 1, 3, 4)  # a synthetic stream has less than it tells, and more than is kept
REPORTS = ("stat -", "histogram --mode all -", "info -", "audit -", "diff - {}",
           "export --format folded -o /dev/null -", "report -o {page} -")
PAGE = 2_000_000  # bytes, at most


def through_pipe(kind, size, arguments):
    """The exit status of a report of a generated stream, and the KB that it touched."""
    with subprocess.Popen([MAKE, kind, str(size)], stdout=subprocess.PIPE) as source:
        tool = subprocess.Popen([TOOL, *arguments.split()], stdin=source.stdout, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
        source.stdout.close()
        _, status, usage = os.wait4(tool.pid, 0)
        tool.returncode = os.waitstatus_to_exitcode(status)
    return tool.returncode, usage.ru_maxrss, source.returncode


def main():
    checks = lib.Checks()
    size = int(sys.argv[1]) * GB if len(sys.argv) > 1 else GB
    other, page = lib.folder() / "other.large", lib.folder() / "page.html"
    with other.open("wb") as to:
        subprocess.run([MAKE, "mixed", str(SHORT)], stdout=to, check=True)
    status, memory, sent = through_pipe("untimed", size, "stat -")
    checks.check(status in STATUSES and sent == 0 and memory <= MEMORY,
                 f"stat of {size / GB:.0f} GB: {memory} KB, status {status}, sender {sent}")
    for report in REPORTS:
        few, many = (through_pipe("mixed", bytes_, report.format(other, page=page)) for bytes_ in (SHORT, LONG))
        checks.check(few[0] in STATUSES and many[0] in STATUSES and many[1] <= MEMORY and many[1] <= few[1] + SLACK,
                     f"{report.format('FILE', page='PAGE')}: {few[1]} KB of {SHORT >> 20} MB, {many[1]} KB of "
                     f"{LONG >> 20} MB, status {few[0]}, {many[0]}")
    checks.check(0 < page.stat().st_size <= PAGE, f"the page of {LONG >> 20} MB has {page.stat().st_size} bytes")
    other.unlink()
    checks.finish()


main()
