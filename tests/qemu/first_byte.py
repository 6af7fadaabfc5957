#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The first byte on the line, or the first words on the screen, come within a second of the hand-over,
by each door on pc and q35.

The time is the emulated machine's, as tools/build/bench-doors measures it, at 125 million instructions a second.  The
hand-over is the core's first instruction by multiboot.  For Linux's protocol and the disk, whose first instructions
are in real mode, the time from reset is taken, the firmware's included; for UEFI, where nobody tells the
application's place before, that from the kernel's first instruction on.
"""

import importlib.machinery
import importlib.util
import re
import subprocess

import lib

MOST = 1000  # ms
SCREEN = ("serial=com3",)  # none of the machine's: the text goes to the screen alone
LINKED = 0xffffffff80000000  # linker.ld
FROM_RESET = ("linux", "disk")


def tool(name):
    """A tool of ours as a module."""
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(lib.ROOT / "tools/build" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def entry_of_multiboot():
    symbols = subprocess.run(["nm", lib.ROOT / "build/cpuprobe.elf"], stdout=subprocess.PIPE, text=True,
                             check=True).stdout
    return int(re.search(r"^(\w+) \w multiboot_entry$", symbols, re.M)[1], 16) - LINKED


def main():
    checks = lib.Checks()
    doors = tool("bench-doors")
    handover = {"multiboot": entry_of_multiboot(), "linux": None, "disk": None, "uefi": None}
    for machine in ("pc", "q35"):
        for door, at in handover.items():
            begin, byte = doors.measure(("--door", door, "--machine", machine), at)
            since = "reset" if door in FROM_RESET else "the hand-over"
            took = (byte - (0 if door in FROM_RESET else begin)) / 1e6
            checks.check(begin < byte and took <= MOST,
                         f"{door}, {machine}: the first byte {took:.1f} ms after {since}")
        begin, letter = doors.measure(("--door", "multiboot", "--machine", machine, "--qemu-arg", "-device",
                                       "--qemu-arg", "VGA"),
                                      handover["multiboot"], doors.first_letter, SCREEN)
        took = (letter - begin) / 1e6
        checks.check(0 < took <= MOST, f"screen, {machine}: the first words {took:.1f} ms after the hand-over")
    checks.finish()


main()
