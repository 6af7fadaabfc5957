#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Memory that a program asks for: tests/qemu/linux/mappings.c makes random calls and holds what each page should be,
here, which proves what it holds, and in the image, several at a time.  Each ends by a fault that must come.

mappings.py CALLS [SEED]: so many of all programs of a boot together; a boot.
"""

import signal
import struct
import subprocess
import sys

import lib
import linux_programs

PAGE = 4096
WORD = 8
FIRST = 0xf11e000000000000  # word of the file
FILE_PAGES = 12.5
LOW = 0x600000000000
# How a program ends, and the error code of the page fault: 1 the page is there, 2 write, 4 user, 16 code.
ENDS = {"a write to a page that is read-only now": 7, "a read of one without rights": 5, "a read of one unmapped": 4,
        "a read of one moved away": 4, "code in a page without": 21}
SHIFT = 3
A_CALL = 0.01  # seconds of wall time that a boot may take for a call, so that no test hangs


def make_pages(path):
    """The file that programs map: the first and the last word of each page have a number of their own."""
    all_pages = b"".join(struct.pack(f"<Q{PAGE - 2 * WORD}xQ", FIRST + 2 * page, FIRST + 2 * page + 1)
                         for page in range(int(FILE_PAGES) + 1))
    path.write_bytes(all_pages[:int(FILE_PAGES * PAGE)])


def runs(calls, seed):
    """Seed, calls and end of each program."""
    return [(seed + end, calls // len(ENDS), end) for end in range(len(ENDS))]


def said(run):
    return f"mappings: seed {run[0]}: {run[1]} calls ok"


def check_here(checks, program, calls, seed):
    for run in runs(calls, seed):
        done = subprocess.run([program.resolve(), *map(str, run)], cwd=lib.folder(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True, check=False)
        checks.check(done.stdout == said(run) + "\n" and done.returncode == -signal.SIGSEGV,
                     f"here: {done.stdout.strip()}; {list(ENDS)[run[2]]} ends it ({done.returncode})")


def check_image(checks, program, calls, seed):
    all_runs = runs(calls, seed)
    tasks = ",".join("file:mappings {} {} {}".format(*run) for run in all_runs)
    files = [word for file in (program, lib.folder() / "pages") for word in ("--file", str(file))]
    run = lib.boot("mappings", f'output=frames tasks="{tasks}" seconds=0 seed=1', shift=SHIFT,
                   timeout=lib.GUARD + int(calls * A_CALL), options=("--door", "multiboot", *files))
    checks.check(run.status == lib.COMPLETE, f"the run ends well {run.said.strip()}")
    text, _ = lib.host("output", "--task", "mappings", run.dump)
    for each in all_runs:
        line = next((line for line in text.splitlines() if f"seed {each[0]}:" in line), text.strip()[:200])
        checks.check(line == said(each), f"in the image: {line}")
    faults = [(head["error"], head["address"]) for head, _ in lib.records(run.dump, "FAULT")]
    checks.check(sorted(faults) == sorted((error, LOW) for error in ENDS.values()),
                 f"each ended by its fault: {faults}")


def main():
    checks = lib.Checks()
    calls, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    make_pages(lib.folder() / "pages")
    program = linux_programs.compiled("mappings", "mappings.c", "-static")
    check_here(checks, program, calls, seed)
    check_image(checks, program, calls, seed)
    checks.finish()


if __name__ == "__main__":
    main()
