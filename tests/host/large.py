#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""A stream of 5 MB, whatever it tells, is read within 64 MB of memory and 10 seconds."""

import os
import pathlib
import resource
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402

TOOL = os.environ.get("CPUPROBE", lib.ROOT / "build/cpuprobe")
MEMORY = 64 << 10  # KB of pages that were touched
SECONDS = 10        # of processor time
REPORTS = {"info": "info", "stat": "stat", "samples": "samples", "audit": "audit",
           "histogram": "histogram --mode all", "diff": "diff", "transitions": "transitions"}
# What each stream asks most of; all of them for the others would take minutes.
KINDS = {"untimed": ("info", "stat", "audit", "histogram"), "turned": ("diff",), "timed": ("info",),
         "small": ("samples",), "places": ("histogram", "info"), "epochs": ("stat",), "log": ("transitions",),
         "log-turned": ("stat",), "records": ("stat", "info"), "processes": ("info",)}


# Units with line tables, DWARF 4: the heads one behind the other, each table up to the end of the section.
UNIT = """.long 2f - 1f
1: .short 4
.long 0
.byte 8
.uleb128 1
.long table{number} - lines
.quad _start, 4096
2:
"""
TABLE = """table{number}: .long over - 1f
1: .short 4
.long program - 1f
1: .byte 1, 1, 1, 0, 1, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0
.asciz "a.c"
.uleb128 0, 0, 0
.byte 0
"""
PROGRAM = """.globl _start
.type _start, @function
_start: .skip 4096, 0x90
.size _start, 4096
.section .debug_abbrev
.uleb128 1, 0x11
.byte 0
.uleb128 0x10, 0x17, 0x11, 1, 0x12, 7, 0, 0
.uleb128 0
.section .debug_info
{units}.section .debug_line
lines:
{tables}program: .byte 0, 9, 2
.quad _start
.fill {rows}, 1, 14
.byte 0, 1, 1
over:
.section .note.GNU-stack,"",@progbits
"""
PROGRAMS = {"few lines": (1, 10000), "dense lines": (1, 4800000), "tables over each other": (100, 250000)}


def run(report, *paths):
    """What the report took: memory in KB, seconds; a hostile stream may be read or refused,
    by one of the tool's codes."""
    arguments = [TOOL, *report.split(), *paths]
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (4 * SECONDS, 4 * SECONDS))  # noqa: E731
    task = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limit)
    said = task.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(task.pid, 0)
    task.returncode = os.waitstatus_to_exitcode(status)
    return task.returncode, usage.ru_maxrss, usage.ru_utime + usage.ru_stime, said.strip()


def program(tables, rows):
    """An ELF file of the build that make_dump's `before` tells, with so many tables of the same rows."""
    source, made = lib.folder() / "lines.s", lib.folder() / "lines.elf"
    source.write_text(PROGRAM.format(units="".join(UNIT.format(number=i) for i in range(tables)),
                                     tables="".join(TABLE.format(number=i) for i in range(tables)), rows=rows))
    subprocess.run(["gcc", "-nostdlib", "-static", "-no-pie", "-Wl,--build-id=0xfeedbee1", source, "-o", made],
                   check=True)
    return made


def judge(kind, report, *paths):
    """Prints what it took; whether it was too much."""
    code, memory, seconds, said = run(report, *paths)
    fine = code in (0, 1, 3, 4) and memory <= MEMORY and seconds <= SECONDS
    print(f"{'ok  ' if fine else 'FAIL'} {kind:10} {report:11} {memory >> 10:4} MB {seconds:6.2f} s, status {code}"
          f"{'' if fine else ': ' + said[-300:]}")
    return not fine


def judge_lines():
    """Line tables are read where they are few, and bounded before libdw makes rows of them."""
    dump = lib.folder() / "before.made"
    with dump.open("wb") as to:
        subprocess.run([lib.ROOT / "build/host/make_dump", "before"], stdout=to, check=True)
    bad = 0
    for kind, (tables, rows) in PROGRAMS.items():
        elf = program(tables, rows)
        bad += judge(kind, "histogram --by line --mode all", "-s", elf, dump)
        if kind == "few lines":
            table = subprocess.run([TOOL, "histogram", "--by", "line", "--mode", "all", "-s", elf, dump],
                                   capture_output=True, check=False)
            bad += b"a.c:1" not in table.stdout
    return bad


def main():
    bad = judge_lines()
    every = "--all" in sys.argv
    for kind, reports in KINDS.items():
        with (lib.folder() / f"{kind}.large").open("wb") as to:
            subprocess.run([lib.ROOT / "build/host/make_large", kind], stdout=to, check=True)
        path = lib.folder() / f"{kind}.large"
        for report in REPORTS if every else reports:
            bad += judge(kind, REPORTS[report], path, *([path] if report == "diff" else []))
    return bad


if __name__ == "__main__":
    sys.exit(bool(main()))
