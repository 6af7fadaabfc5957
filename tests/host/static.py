#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""make static: one file that needs no library of the system gives in an empty root what the host tool gives here,
byte for byte.

Skipped where nobody may change the root of a process.
"""

import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tarfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402

HERE, ALONE = lib.ROOT / "build/cpuprobe", lib.ROOT / "build/cpuprobe-static"
CHROOT = shutil.which("chroot", path="/usr/sbin:/usr/bin:/sbin:/bin")
SKIPPED = 77
FORMATS = ("pprof", "folded", "speedscope", "callgrind", "csv", "openmetrics", "perf", "perfdata", "chrome",
           "perfetto", "firefox", "vcd", "jsonl")
COMMANDS = (  # a stream, and what reads it
    ("before.dump", "stat --exact --cells"),
    ("before.dump", "stat --json"),
    ("before.dump", "info"),
    ("before.dump", "script"),
    ("before.dump", "report -o -"),
    ("before.dump", "histogram --task ROGUE -s program.elf --by function"),
    ("before.dump", "histogram --task ROGUE -s program.elf --by line"),
    ("before.dump", "histogram --task ROGUE -s program.elf --by instruction"),
    ("log.dump", "states --classes 0=one:task=ROGUE,1=two:task=CP --match 0[1]*"),
    ("log.dump", "transitions"),
    ("two-sources.dump", "audit"),
    ("before.dump", "top"),
    *(("before.dump", f"export --format {form} -s program.elf -o -") for form in FORMATS[:6]),
    *(("audit.dump", f"export --format {form} -o -") for form in FORMATS[6:]),
)
SAME_STATUS = (0, 3, 4)
PROGRAM = """
    .file "one.c"
    .file 1 "one.c"
    .globl _start
    .type _ZN3one3twoEv, @function
_start:
_ZN3one3twoEv: .loc 1 7
    .rept 200
    addl $1, %eax
    .endr
    .size _ZN3one3twoEv, . - _ZN3one3twoEv
    .section .note.GNU-stack, "", @progbits
"""


def may_change_root():
    """The words that run a command in another root."""
    for words in ((), ("unshare", "-r")):
        if CHROOT and subprocess.run([*words, CHROOT, "/", "/bin/true"], capture_output=True,
                                     check=False).returncode == 0:
            return [*words, CHROOT]
    print("no root of its own: neither chroot nor unshare -r is allowed here")
    sys.exit(SKIPPED)


def fill(root):
    """The file, what it reads, and a folder for temporary files: nothing else."""
    shutil.rmtree(root, ignore_errors=True)
    (root / "tmp").mkdir(parents=True)
    shutil.copy(ALONE, root / "cpuprobe")
    for kind in ("before", "audit"):
        with (root / f"{kind}.dump").open("wb") as to:
            subprocess.run([lib.ROOT / "build/host/make_dump", kind], stdout=to, check=True)
    with tarfile.open(lib.ROOT / "tests/golden/streams.tar") as streams:
        for name in ("log.dump", "two-sources.dump"):
            (root / name).write_bytes(streams.extractfile(name).read())
    subprocess.run(["gcc", "-nostdlib", "-static", "-no-pie", "-Wl,-Ttext=0x401000,--build-id=0xfeedbee1", "-x",
                    "assembler", "-", "-o", root / "program.elf"], input=PROGRAM, text=True, check=True)


def run(words, where):
    done = subprocess.run(words, cwd=where, stdin=subprocess.DEVNULL, capture_output=True, check=False,
                          env={"LC_ALL": "C.UTF-8", "TERM": "xterm"})
    return done.stdout, done.stderr, done.returncode


def on_terminal(words):
    """What a command says on a terminal, and its exit status."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, env={"TERM": "xterm"}) as process:
        os.close(theirs)
        status = process.wait(60)
        return os.read(ours, 4096).decode(errors="replace"), status


def check_file(checks):
    """By the program headers: no interpreter, and no library in the dynamic section."""
    said = subprocess.run(["readelf", "-W", "-l", "-d", ALONE], capture_output=True, text=True, check=True).stdout
    checks.check(not re.search(r"INTERP|NEEDED", said),
                 f"the file names no interpreter and no library, in {ALONE.stat().st_size >> 10} KiB")


def check_same(checks, root, alone):
    for stream, command in COMMANDS:
        words = [*command.split(), stream]
        here, there = run([HERE, *words], root), run([*alone, *words], root)
        checks.check(here == there and here[0] and here[2] in SAME_STATUS,
                     f"{command} {stream}: the same {len(here[0])} bytes, and status {here[2]}, {there[2]} "
                     f"{there[1].decode()[:200]}".rstrip())


def check_names(checks, root, alone):
    """What the libraries for symbols add is there, and not missing from both."""
    for by, word in (("function", "one::two()"), ("line", "one.c:7"), ("instruction", "add ")):
        shown = run([*alone, "histogram", "--task", "ROGUE", "-s", "program.elf", "--by", by, "before.dump"], root)[0]
        checks.check(word in shown.decode(), f"histogram --by {by} shows {word}")


def check_left_out(checks, root, alone):
    said = run([*alone, "serve", "/dev/ttyS0"], root)
    checks.check(said[2] == 1 and b"no HTTP server" in said[1] and not said[0],
                 f"serve says that it is not there: {said[1].decode().strip()}")
    checks.check(b"no HTTP server" in run([*alone, "--version"], root)[0], "so does --version")
    here = run([HERE, "--version"], root)[0]
    checks.check(here.count(b"\n") == 1, "the other's does not")
    drawn = on_terminal([*alone, "top", "before.dump"])
    checks.check(drawn[1] == 1 and "terminfo" in drawn[0],
                 f"top on a terminal misses the system's terminfo: {drawn[0].strip()}")


def main():
    checks = lib.Checks()
    root = lib.folder().resolve() / "root"
    alone = (*may_change_root(), root, "/cpuprobe")
    fill(root)
    check_file(checks)
    check_same(checks, root, alone)
    check_names(checks, root, alone)
    check_left_out(checks, root, alone)
    checks.finish()


main()
