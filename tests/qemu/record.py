#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""`cpuprobe record --qemu` from the layout of an installation: the run of tools/boot, and what is missing is told."""

import os
import re
import shutil
import subprocess
import sys

import lib

WORDS = "tasks=figure3 seconds=2 rate=500"
GUARD = 120  # seconds of wall time


def install(*files):
    """bin/cpuprobe, and these files under lib/cpuprobe/build."""
    root = lib.folder().resolve() / f"installed,{len(files)}"
    for folder in ("bin", "lib/cpuprobe/build"):
        (root / folder).mkdir(parents=True)
    shutil.copy(lib.ROOT / "build/cpuprobe", root / "bin")
    for name in files:
        shutil.copy(lib.ROOT / "build" / name, root / "lib/cpuprobe/build")
    return root / "bin/cpuprobe"


def record(tool, arguments, name, **environment):
    done = subprocess.run([tool, "record", "--qemu", arguments, "-o", lib.folder() / name], capture_output=True,
                          text=True, timeout=GUARD, check=False, **environment)
    return done.returncode, done.stderr


def main():
    checks = lib.Checks()
    temporary = lib.folder().resolve() / ("t," + 120 * "m")  # a comma begins an option, an address ends
    temporary.mkdir()
    os.environ["TMPDIR"] = str(temporary)
    subprocess.run(["sh", "-c", 'exec "$0" -d $$', lib.ROOT / "build/supervise"],
                   stdout=subprocess.DEVNULL, check=True)  # left by who has ended
    tool = install("cpuprobe.elf", "hlt_sync.so")
    status, said = record(tool, WORDS, "recorded")
    checks.check(status == 0, f"a run is recorded: {status} {said}")
    subprocess.run([lib.ROOT / "tools/boot", "-o", lib.folder() / "booted", "--", *WORDS.split(), "output=frames"],
                   check=True, timeout=GUARD)
    # Not the same bytes: when a socket takes a byte moves the transmit interrupt by some instructions.
    own, boots = (lib.stat(lib.folder() / name) for name in ("recorded", "booted"))
    exact = {row["name"]: row["total"]["exact"] for row in boots["tasks"]}
    away = max((abs(row["total"]["exact"] - exact.get(row["name"], 100)) for row in own["tasks"]), default=100)
    checks.check(own["samples"] == boots["samples"] and away < 0.1,
                 f"its run is that of tools/boot with the same words: {own['samples']} samples of "
                 f"{boots['samples']}, {away:.4f} points apart")
    status, said = record(tool, 'seconds=1 note="with a note" -m 96 -name "a machine"', "with-arguments")
    told = lib.host("info", lib.folder() / "with-arguments")[0]
    memory = re.search(r"memory: (\d+) MiB", told)  # what the image leaves of it
    checks.check(status == 0 and "note     with a note" in told and memory and 80 < int(memory.group(1)) < 96,
                 f"words, then arguments of QEMU: {status} {said}")
    status, said = record(tool, "secnds=1", "refused")
    checks.check(status == 2 and "did you mean 'seconds'?" in said, f"a wrong word, before a boot: {status} {said}")
    status, said = record(tool, "seconds=1 -bogus", "wrong-argument")
    checks.check(status == 1 and "ended before the image could start" in said,
                 f"a wrong argument of QEMU: {status} {said}")
    status, said = record(tool, "seconds=1", "no-qemu", env={"PATH": "/nowhere"})
    checks.check(status == 1 and "there is no qemu-system-x86_64" in said, f"without QEMU: {status} {said}")
    status, said = record(install("hlt_sync.so"), "seconds=1", "no-image")
    checks.check(status == 1 and "cpuprobe.elf is not beside this program" in said,
                 f"without an image: {status} {said}")
    checks.check(not list(temporary.iterdir()), f"nothing is left behind: {list(temporary.iterdir())}")
    checks.finish()


if __name__ == "__main__":
    sys.exit(main())
