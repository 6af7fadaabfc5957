#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""U-Boot of Debian starts the image by its command zboot: the 32-bit entry of the Linux door,
on machines without another firmware.

Only its build for 32 bits does: that for 64 bits has its stack at 1 MiB and overwrites it with whatever kernel it
puts there.
"""

import os
import select
import subprocess
import time

import client
import lib
import linux_loader

PACKAGE = "u-boot-qemu"
ROM = "usr/lib/u-boot/qemu-x86/u-boot.rom"
MACHINES = ("pc", "q35")
PROMPT = b"=> "
KERNEL, DISK = "0x4000000", "0x8000000"  # where qfw puts what QEMU was given, above all that zboot writes
GUARD = 120  # seconds of wall time, for a machine


class Line:
    """What comes and goes on the serial line."""

    def __init__(self, process):
        self.process, self.came, self.end = process, b"", time.monotonic() + GUARD

    def read(self):
        """False: the machine has ended, or its time is over."""
        if not select.select([self.process.stdout], [], [], max(0, self.end - time.monotonic()))[0]:
            return False
        piece = os.read(self.process.stdout.fileno(), 65536)
        self.came += piece
        return bool(piece)

    def await_text(self, text):
        while text not in self.came:
            if not self.read():
                return False
        self.came = self.came.split(text, 1)[1]
        return True

    def type(self, words):
        os.write(self.process.stdin.fileno(), words.encode() + b"\n")


def start(rom, machine, dump):
    """U-Boot's environment takes the command line as it is; the stream begins behind what U-Boot writes."""
    process = subprocess.Popen(
        lib.supervised("qemu-system-x86_64", "-M", machine, "-cpu", "max,-la57", "-m", "512", "-bios", rom, "-kernel",
                       lib.ROOT / "build/cpuprobe.bz", "-append", linux_loader.WORDS, "-display", "none",
                       "-nodefaults", "-serial", "stdio", *linux_loader.EXIT),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    line = Line(process)
    with process:
        try:
            there = line.await_text(b"Hit any key")
            line.type("")
            for command in (f"qfw load {KERNEL} {DISK}", f"zboot {KERNEL}"):
                there = there and line.await_text(PROMPT)
                line.type(command)
            while line.read():
                pass
        except BrokenPipeError:
            there = False
        finally:
            process.kill()
    dump.write_bytes(line.came)
    return there, process.returncode


def main():
    client.need("qemu-system-x86_64", "apt-get", "dpkg-deb")
    checks = lib.Checks()
    rom = linux_loader.unpacked("uboot", lambda: PACKAGE, ROM)
    for machine in MACHINES:
        dump = lib.folder() / f"{machine}.dump"
        there, status = start(rom, machine, dump)
        checks.check(there, f"{machine}: U-Boot's prompt {'came' if there else 'did not come'}")
        linux_loader.judge(checks, machine, status, dump)
    checks.finish()


if __name__ == "__main__":
    main()
