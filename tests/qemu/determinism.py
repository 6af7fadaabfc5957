#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots twice with the same words and wants the same bytes, of a machine that idles too; with another seed,
other ticks.

determinism.py [busy]   busy: 40 boots of a machine that idles,
beside ten processes that compute and write to the disk.
"""

import contextlib
import os
import shutil
import subprocess
import sys

import lib

WORDS = "rate=1000 seconds=5"
SHIFTS = (3, 5)
SEEDS = (1, 2)
IDLES = "tasks=figure3-fixed"  # more than a third of its time
IDLE_BOOTS = {"": 3, "busy": 40}  # by argument
BUSY = 10
WRITES = """
import hashlib, os, sys
block = bytes(1 << 20)
with open(sys.argv[1], "wb", 0) as file:
    while True:
        file.seek(0)
        for _ in range(4):
            file.write(block)
            block = hashlib.sha256(block).digest() * (1 << 15)
        os.fsync(file)
"""


def boot(checks, output, shift, seed, turn, words=""):
    name = f"{output}-shift{shift}-seed{seed}-{turn}"
    run = lib.boot(name, f"{WORDS} output={output} seed={seed} {words}", shift=shift)
    checks.check(run.status == lib.COMPLETE, f"{name}: the run ends well ({run.status}) {run.said.strip()}")
    return run.dump


def hits(table):
    return [r["total"]["hits"] for r in table["tasks"]]


def check_output(checks, output, shift):
    first, again, other = (boot(checks, output, shift, *which)
                           for which in ((SEEDS[0], "first"), (SEEDS[0], "again"), (SEEDS[1], "first")))
    size = first.stat().st_size
    checks.check(size > 0 and first.read_bytes() == again.read_bytes(),
                 f"{output}, shift {shift}: two boots give the same {size} bytes")
    checks.check(first.read_bytes() != other.read_bytes(), f"{output}, shift {shift}: another seed, other bytes")
    if output == "frames":
        check_ticks(checks, shift, lib.stat(first), lib.stat(other))


@contextlib.contextmanager
def busy():
    """Processes that compute and write to the disk, more than there are processors."""
    files = [lib.folder() / f"busy{number}" for number in range(BUSY)]
    writers = [subprocess.Popen(lib.supervised(sys.executable, "-c", WRITES, file)) for file in files]
    try:
        yield
    finally:
        for writer, file in zip(writers, files):
            writer.terminate()
            writer.wait()
            file.unlink(missing_ok=True)


def check_idle(checks, boots):
    with busy():
        dumps = {boot(checks, "frames", max(SHIFTS), SEEDS[0], f"idle{turn}", IDLES).read_bytes()
                 for turn in range(boots)}
    checks.check(len(dumps) == 1, f"{IDLES}: {boots} boots beside {BUSY} busy processes give {len(dumps)} "
                                  f"dumps, one of {len(dumps.pop())} bytes")


def check_without_plugin(checks):
    """A QEMU that takes no plugin runs the image all the same, and this is said."""
    emulator = "qemu-system-x86_64"
    fake = lib.folder() / "bin" / emulator
    fake.parent.mkdir(exist_ok=True)
    fake.write_text('#!/bin/sh\nfor arg; do [ "$arg" != -plugin ] || exit 1; done\n'
                    f'exec {shutil.which(emulator)} "$@"\n')
    fake.chmod(0o755)
    path = os.environ["PATH"]
    os.environ["PATH"] = f"{fake.parent}:{path}"
    run = lib.boot("without-plugin", "seconds=1")
    os.environ["PATH"] = path
    checks.check(run.status == lib.COMPLETE and "takes no plugin" in run.said,
                 f"a QEMU without plugins: {run.said.strip()}")


def check_folder(checks):
    """A multiboot loader puts the name of the image before the words: where it stands must make no difference."""
    folder = lib.folder() / "a folder with a longer name than that of the other"
    folder.mkdir(exist_ok=True)
    copy = shutil.copy(lib.ROOT / "build/cpuprobe.elf", folder / "image.elf")
    words = "seconds=2 output=frames rate=1000"
    dumps = {lib.boot(f"folder{turn}", words, options=("--image", str(image))).dump.read_bytes()
             for turn, image in enumerate((lib.ROOT / "build/cpuprobe.elf", copy))}
    checks.check(len(dumps) == 1 and dumps.pop(), "the same image in another folder gives the same bytes")


def check_ticks(checks, shift, one, other):
    checks.check(one["generator"] != other["generator"],
                 f"shift {shift}: another seed, another state of the generator")
    checks.check(one["intervals"] != other["intervals"] and hits(one) != hits(other),
                 f"shift {shift}: another seed, other ticks and other hits")
    checks.check(one["epoch"]["id"] != other["epoch"]["id"], f"shift {shift}: other words, another epoch")


def main():
    checks = lib.Checks()
    which = "".join(sys.argv[1:])
    if not which:
        for shift in SHIFTS:
            for output in ("text", "frames"):
                check_output(checks, output, shift)
        check_without_plugin(checks)
        check_folder(checks)
    check_idle(checks, IDLE_BOOTS[which])
    checks.finish()


if __name__ == "__main__":
    main()
