# SPDX-License-Identifier: MIT
"""A boot in Bochs whose serial line is a terminal: lines can be sent, and what comes is kept."""

import os
import pathlib
import select
import subprocess
import sys
import time
import tty

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))

import lib

DEADLINE = 120  # seconds of wall time for a boot
SHIFT = 5


class Terminal:
    """The boot; its run has no end of itself."""

    def __init__(self, name, words, shift=SHIFT):
        self.dump = lib.folder() / f"{name}.dump"
        self.dump.write_bytes(b"")
        # the line's own end stays open: what was not read would be lost with Bochs
        self.end, self.line = os.openpty()
        tty.setraw(self.line)
        self.boot = subprocess.Popen(
            lib.supervised(lib.ROOT / "tools/boot", "--emulator", "bochs", "--door", "rom", "--shift", str(shift),
                           "--timeout", str(DEADLINE), "--terminal", os.ttyname(self.line), "-o", self.dump, "--",
                           "output=frames", "seconds=0", *words.split()),
            stdin=subprocess.DEVNULL)

    def keep(self, enough):
        """Keep what comes: so many bytes more that are no filler, or all till the end."""
        until = time.monotonic() + DEADLINE
        while enough > 0 and time.monotonic() < until:
            ended = self.boot.poll() is not None
            if select.select([self.end], [], [], 0.05)[0]:
                came = os.read(self.end, 1 << 16)
                enough -= len(came) - came.count(0)
                with self.dump.open("ab") as to:
                    to.write(came)
            elif ended:
                break

    def send(self, line):
        os.write(self.end, f"{line}\n".encode())

    def finish(self):
        """The exit status, all that came kept."""
        self.send("seconds=1")
        self.keep(1 << 30)
        status = self.boot.wait()
        os.close(self.end)
        os.close(self.line)
        return status
