#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""tools/boot, tools/run and what cannot be written: a full disk is told and ends the run, a reader that leaves is no
failure, and the stream is the same to the byte wherever it goes.
"""

import os
import signal
import subprocess

import lib

WORDS = ("tasks=figure3", "seconds=2", "rate=1000", "output=frames")
LONG = ("tasks=figure3", "seconds=0", "output=frames")  # ends by the failed write alone
FULL = "/dev/full"
WHY = "No space left on device"
EMULATORS = {"qemu": ("--door", "rom"), "bochs": ("--door", "rom", "--emulator", "bochs")}


def boot(options, words, out=subprocess.DEVNULL):
    return subprocess.run(lib.supervised(lib.ROOT / "tools/boot", "--timeout", str(lib.GUARD), *options, *words),
                          stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True, errors="replace",
                          check=False)


def check_full(checks, emulator, options):
    done = boot((*options, "-o", FULL), LONG)
    checks.check(done.returncode == lib.FAILURE and f"cannot write {FULL}: {WHY}" in done.stderr,
                 f"{emulator}: -o {FULL} is status {done.returncode}: {done.stderr[:80]!r}")
    with open(FULL, "wb") as full:
        done = boot(options, LONG, full)
    checks.check(done.returncode == lib.FAILURE and f"cannot write standard output: {WHY}" in done.stderr,
                 f"{emulator}: standard output to {FULL} is status {done.returncode}: {done.stderr[:80]!r}")


def check_same(checks, emulator, options):
    file = lib.folder() / f"{emulator}.dump"
    by_file = boot((*options, "-o", file), WORDS)
    piped = lib.folder() / f"{emulator}.piped"
    with open(piped, "wb") as out, subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=out) as reader:
        by_pipe = boot(options, WORDS, reader.stdin)
        reader.stdin.close()
    checks.check(by_file.returncode == by_pipe.returncode == lib.COMPLETE and
                 file.read_bytes() == piped.read_bytes() != b"",
                 f"{emulator}: {file.stat().st_size} bytes by -o, {piped.stat().st_size} through a pipe, the same")


def check_run(checks):
    """tools/run: a sentence and no traceback; an older stream stays until a new one is whole."""
    program, kept = lib.folder() / "primes", lib.folder() / "kept"
    lib.build_primes(program)
    command = (lib.ROOT / "tools/run", "--top", "1")
    with open(FULL, "wb") as full:
        for name, options, out in (("standard output", (), full), (FULL, ("--stream", FULL), subprocess.DEVNULL)):
            done = subprocess.run(lib.supervised(*command, *options, program), stdin=subprocess.DEVNULL, stdout=out,
                                  stderr=subprocess.PIPE, text=True, check=False)
            checks.check(done.returncode == lib.FAILURE and f"cannot write {name}: {WHY}" in done.stderr and
                         "Traceback" not in done.stderr,
                         f"tools/run, {name}: status {done.returncode}: {done.stderr[-120:]!r}")
    kept.write_text("old")
    done = subprocess.run(lib.supervised(*command, "--stream", kept, program), stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, check=False)
    checks.check(done.returncode == 0 and kept.stat().st_size > 1000 and not list(lib.folder().glob("kept.*")),
                 f"tools/run --stream replaces an older one: status {done.returncode}")


def check_killed(checks):
    """tools/run, killed when all of the stream is copied but for its name: the next one takes away what is left."""
    program, kept, hook = lib.folder() / "primes", lib.folder() / "killed/kept", lib.folder() / "hook"
    for folder in (kept.parent, hook):
        folder.mkdir()
    kept.write_text("old")
    (hook / "sitecustomize.py").write_text("import os, signal\n"
                                           "os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n")
    for more, status in (({"PYTHONPATH": str(hook)}, -signal.SIGKILL), ({}, 0)):
        done = subprocess.run((lib.ROOT / "tools/run", "--top", "1", "--stream", kept, program),
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env={**os.environ, **more},
                              check=False)
        there = sorted(path.name for path in kept.parent.iterdir())
        checks.check(done.returncode == status and "kept" in there and (len(there) == 1) == (status == 0) and
                     (kept.read_text(errors="replace") == "old") == (status != 0),
                     f"tools/run --stream, status {done.returncode}: {there}")


def check_ended(checks):
    """What a command writes when the supervisor is told to end is in the file too."""
    file = lib.folder() / "last"
    subprocess.run([lib.ROOT / "build/supervise", "-o", file, "sh", "-c",
                    "trap 'seq 100000; exit' TERM; kill -TERM $PPID; sleep 60 & wait"], check=False)
    last = file.read_text().split()[-1:]
    checks.check(last == ["100000"], f"the last words of what is ended are in the file: {last}")


def main():
    checks = lib.Checks()
    check_ended(checks)
    check_run(checks)
    check_killed(checks)
    for emulator, options in EMULATORS.items():
        check_full(checks, emulator, options)
        check_same(checks, emulator, options)
    with open(FULL, "wb") as full:
        status = subprocess.run([lib.ROOT / "tools/boot", "--help"], stdout=full, stderr=subprocess.DEVNULL,
                                check=False).returncode
    checks.check(status != lib.COMPLETE, f"--help that cannot be written is status {status}")
    with subprocess.Popen(["head", "-c", "1"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as reader:
        left = boot(EMULATORS["qemu"], WORDS, reader.stdin)
        reader.stdin.close()
    checks.check(left.returncode == lib.COMPLETE, f"a reader that leaves after a byte: status {left.returncode}")
    checks.finish()


main()
