#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Reserved memory is as it was: what a map of memory does not call free has a pattern before the run, and after it.

The maps are random, unordered, and contradict themselves; a stage before the image (tests/qemu/reserved.asm) hands
them over and writes the pattern.  The machine's memory is a file, which is looked at afterwards.  Another file is the
flash chip that the firmware stands in: no byte of it changes either.
"""

import os
import random
import re
import shutil
import struct
import subprocess

import lib

MIB, FRAME = 1 << 20, 4096
MEMORY = 128 * MIB
STAGE = (15 * MIB, 24 * MIB)  # where nothing may be filled: the stage with its modules
SECOND, THIRD = 32 * MIB, 90 * MIB + 5  # where free entries begin, beside 1 MiB
FREE, RESERVED = 1, 2
PATTERN = 0x5aa5c33c  # reserved.asm
HEAD = struct.Struct("<QIII")  # kernel/boot_info.h, struct core_head
HEAD_AT = 0x40
SEEDS = 3
PIECES = 12
HOSTILE = (  # entries that no rule allows
    (40 * MIB, 0, RESERVED), (2 * MIB, 0, FREE), (8 * MIB, 2 ** 64 - MIB, FREE),
    (2 ** 64 - FRAME, 2 * FRAME, RESERVED), (MEMORY, 2 ** 64 - 1, RESERVED), (0, 0x9fc00, FREE),
    (0xf0000, 0x10000, RESERVED),
)
WORDS = "output=frames rate=1000 seconds=1 seed=1 tasks=figure3 account=log health=on"


def make_map(seed, core_end):
    """Regions: base, length, type.  Many are reserved where an image that does not look would take its first
    pages."""
    draw = random.Random(seed)
    free = [(MIB, 63 * MIB, FREE), (SECOND, 64 * MIB, FREE), (THIRD, MEMORY - THIRD, FREE)]  # they overlap
    reserved = []
    taken_first = [(first, first + MIB) for first in (core_end, SECOND, THIRD + -THIRD % FRAME)]
    for low, high in (*taken_first, (core_end, STAGE[0]), (STAGE[1], MEMORY)):
        for _ in range(PIECES):
            length = draw.randrange(4, 16 * FRAME, 4)
            reserved.append((draw.randrange(low, high - length, 4), length, draw.choice((RESERVED, 3, 4, 5, 0))))
    reserved.append((80 * MIB, 4 * MIB, RESERVED))
    entries = [*free, *reserved, *HOSTILE]
    draw.shuffle(entries)
    return entries, reserved


def free_pages(entries, core_memory):
    """By an array of pages, what the image may take."""
    pages = [0] * (MEMORY // FRAME)
    for kind in (FREE, RESERVED):
        for base, length, is_kind in entries:
            if kind == FREE and is_kind == FREE and base + length <= 2 ** 64:
                for page in range(-(-base // FRAME), min(base + length, MEMORY) // FRAME):
                    pages[page] = page * FRAME >= MIB
            elif kind != FREE and is_kind != FREE and length:
                for page in range(min(base // FRAME, len(pages)), min(-(-(base + length) // FRAME), len(pages))):
                    pages[page] = False
    for page in range(MIB // FRAME, -(-(MIB + core_memory) // FRAME)):
        pages[page] = False
    return sum(map(bool, pages))


def touched(memory, reserved):
    """The first places in reserved memory that have not what was written there;
    the last of two that overlap wrote the same."""
    for base, length, _ in reserved:
        words = struct.unpack_from(f"<{length // 4}I", memory, base)
        for i, word in enumerate(words):
            if word != (base + 4 * i) ^ PATTERN:
                yield hex(base + 4 * i)
                break


def boot(checks, core, seed):
    core_memory = HEAD.unpack_from((lib.ROOT / core).read_bytes(), HEAD_AT)[3]
    entries, reserved = make_map(seed, MIB + core_memory + -core_memory % FRAME)
    name = f"map-{seed}"
    place, memory = lib.folder() / f"{name}.map", lib.folder() / f"{name}.memory"
    place.write_bytes(b"".join(struct.pack("<IQQI", 20, *entry) for entry in entries))
    options = ["--image", "build/qemu/reserved.bin"]
    for argument in ("-initrd", f"{core},{place}", "-m", str(MEMORY // MIB), "-machine", "memory-backend=ram",
                     "-object", f"memory-backend-file,id=ram,size={MEMORY},mem-path={memory},share=on"):
        options += ["--qemu-arg", argument]
    memory.unlink(missing_ok=True)
    run = lib.boot(name, WORDS, options=options)
    table = lib.run_table(checks, name, run) if run.status == lib.COMPLETE else {}
    checks.check(table.get("complete"), f"{name}: the run ends well {run.said.strip()}".rstrip())
    wrong = list(touched(memory.read_bytes(), reserved))
    checks.check(not wrong,
                 f"{name}: {len(reserved)} pieces of reserved memory are as they were {wrong[:3] or ''}".rstrip())
    memory.unlink()
    if table:
        told, due = lib.health(run.dump)["memory"], free_pages(entries, core_memory) * FRAME // MIB
        checks.check(int(re.match(r"\d+", told)[0]) == due, f"{name}: {told}, {due} MiB are due")


def flash(checks):
    """The chip that the processor's firmware is in can be written, and is not."""
    chip = lib.folder() / "flash"
    shutil.copyfile(lib.ROOT / "build/cpuprobe.rom", chip)
    subprocess.run([lib.ROOT / "tools/rom-config", chip, "output=frames", "rate=1000", "seconds=1", "seed=1",
                    "exit=qemu"], check=True)
    code = chip.read_bytes()
    options = ("--machine", "q35", "--door", "multiboot", "--qemu-arg", "-drive", "--qemu-arg",
               f"if=pflash,format=raw,unit=0,file={chip}")
    run = lib.boot("flash", "", options=options)
    door = lib.run_table(checks, "flash", run)["epoch"]["door"]
    checks.check(door == "rom", f"the processor starts from that chip (door {door})")
    checks.check(chip.read_bytes() == code,
                 "no byte of a flash chip that can be written is another one after the run")


def main():
    os.chdir(lib.ROOT)
    checks = lib.Checks()
    for seed in range(SEEDS):
        boot(checks, "build/core.bin", seed)
    flash(checks)
    checks.finish()


main()
