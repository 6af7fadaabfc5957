#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots the flash image on each machine without a BIOS, and sets the words in it."""

import os
import shutil
import subprocess

import door
import lib

MACHINES = ("pc", "q35", "microvm")
MEMORIES = (16, 3000)  # MiB; the image looks for its end by itself
KIB = 1024


def rom_config(image, *words, **environment):
    done = subprocess.run([lib.ROOT / "tools/rom-config", image, *words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}, check=False)
    return done.returncode, done.stdout.strip(), done.stderr


def check_image(checks):
    size = (lib.ROOT / "build/cpuprobe.rom").stat().st_size
    checks.check(size >= 64 * KIB and size & (size - 1) == 0, f"the image has the size of a chip, {size // KIB} KiB")


def check_words(checks):
    image, fresh = lib.folder() / "words.rom", lib.ROOT / "build/cpuprobe.rom"
    shutil.copy(fresh, image)
    checks.check(rom_config(image)[1] == "", "a fresh image has no words")
    rom_config(image, "rate=1000", "seconds=5 seed=1")
    checks.check(rom_config(image)[1] == "rate=1000 seconds=5 seed=1", "the words that were set are shown")
    before = image.read_bytes()
    for name, words in (("too long", ["x" * 500]), ("not plain", ["rate=1000\n"]), ("not plain", ["rate=½"])):
        status, _, said = rom_config(image, *words)
        checks.check(status == 2 and said and image.read_bytes() == before,
                     f"words that are {name} are refused: {said.strip()}")
    longest = "x" * 495
    checks.check(rom_config(image, longest)[0] == 0 and rom_config(image)[1] == longest, "495 characters fit")
    rom_config(image, "")
    checks.check(image.read_bytes() == fresh.read_bytes(), "without words the image is the one that was made")
    checks.check(rom_config(lib.ROOT / "build/core.bin")[0] == 1, "a file that is no such image is refused")


def check_files(checks):
    """They go into a larger chip, replace each other, leave the words alone, and come out again."""
    image, fresh = lib.folder() / "files.rom", (lib.ROOT / "build/cpuprobe.rom").read_bytes()
    image.write_bytes(fresh)
    odd, large = lib.folder() / "odd", lib.folder() / "large"
    odd.write_bytes(b"cpuprobe-files: cpuprobe-words: ")  # what the image is searched for
    large.write_bytes(bytes(len(fresh) + 1))
    rom_config(image, "--files", odd, large)
    rom_config(image, "rate=1000")
    both = image.read_bytes()
    checks.check(len(both) == 4 * len(fresh) and rom_config(image)[1] == "rate=1000",
                 f"two files: a chip of {len(both) // KIB} KiB")
    many = [odd] * 17
    largest = lib.folder() / "largest"
    with largest.open("wb") as file:
        file.truncate(16 * KIB * KIB)
    for name, files in (("too many", many), ("too large", [largest]), ("absent", [lib.folder() / "none"])):
        status, _, said = rom_config(image, "--files", *files)
        checks.check(status == 2 and said and image.read_bytes() == both,
                     f"files that are {name} are refused: {said.strip()}")
    temporary = {"TMPDIR": str(lib.folder() / "t,m 'p\"")}
    os.mkdir(temporary["TMPDIR"])
    subprocess.run(["sh", "-c", 'exec "$0" -d $$', lib.ROOT / "build/supervise"], env={**os.environ, **temporary},
                   stdout=subprocess.DEVNULL, check=True)  # left by who has ended
    rom_config(image, "--files", odd, **temporary)
    checks.check(not os.listdir(temporary["TMPDIR"]), "no temporary file stays, nor what one that ended has left")
    checks.check(len(image.read_bytes()) == 2 * len(fresh), "a smaller chip holds one of them")
    rom_config(image, "--files")
    rom_config(image, "")
    checks.check(image.read_bytes() == fresh, "without files and words the image is the one that was made")


def main():
    checks = lib.Checks()
    check_image(checks)
    check_words(checks)
    check_files(checks)
    boots = [door.Boot(f"rom-{m}", "rom", ("--door", "rom", "--machine", m)) for m in MACHINES]
    tables = {"multiboot-pc": door.boot(checks, door.Boot("multiboot-pc", "multiboot", ("--door", "multiboot")))}
    for b in boots:
        tables[b.name] = door.boot(checks, b)
    door.agree(checks, tables)
    door.boot(checks, door.Boot("again", "rom", boots[0].options))
    dumps = [(lib.folder() / f"{name}.dump").read_bytes() for name in (boots[0].name, "again")]
    checks.check(dumps[0] == dumps[1], f"two boots give the same {len(dumps[0])} bytes")
    for mib in MEMORIES:
        run = lib.boot(f"memory-{mib}", "seconds=1", options=("--door", "rom", "--qemu-arg", "-m", "--qemu-arg",
                                                              str(mib)))
        checks.check(run.status == lib.COMPLETE, f"{mib} MiB of memory: {run.status} {run.said.strip()}")
    door.refused(checks, "old-cpu", "", ("--door", "rom", "--cpu", "pentium3"), "no 64-bit mode")
    door.refused(checks, "wrong-word", "colour=red", ("--door", "rom"), "unknown word 'colour'")
    checks.finish()


if __name__ == "__main__":
    main()
