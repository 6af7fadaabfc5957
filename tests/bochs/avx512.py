#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Programs that fill the registers of AVX-512 beside each other, on Bochs's processor, which has them."""

import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))

import lib
import linux_programs

SKIPPED = 77
NAMES = ("reg1", "reg2")


def main():
    if not shutil.which("bochs"):
        print("no Bochs: tools/setup check installs it")
        sys.exit(SKIPPED)
    checks = lib.Checks()
    files = [linux_programs.compiled(name, "registers.c", *linux_programs.NO_LIBRARY) for name in NAMES]
    brought = [word for path in files for word in ("--file", str(path))]
    tasks = ",".join(f"file:{name}" for name in NAMES)
    run = lib.boot("avx512", f"tasks=sleepers,{tasks} clock=1000 output=text seed=1 seconds=4",
                   options=("--emulator", "bochs", "--door", "disk", *brought))
    text = run.dump.read_text(errors="replace")
    for name in NAMES:
        checks.check(f"task {name} exited with status 0" in text, f"{name} found initial registers, and kept its own")
    checks.check(text.count("avx512\n") == len(NAMES), "each had those of AVX-512")
    checks.finish()


if __name__ == "__main__":
    main()
