#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""cpuprobe control over a paced line whose interrupt is not known:
Bochs gives the receiver its bytes at the rate of the line."""

import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import tty

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))

import lib

SKIPPED = 77
GUARD = 120      # seconds of wall time for the boot
SHIFT = 5
PIECE, PAUSE = 20, 0.0005  # bytes, and seconds between: more than a line of 115200 bit/s carries
ENOUGH = 10000   # bytes that a line has brought which was never idle
COMMANDS = (     # each with words that the image tells afterwards
    ("regions", "add", "ROGUE:user:0-0200000"), ("tick", "rate=500", "interval=random", "spread=1.0", "seed=7"),
    ("set", "seconds=0", "tick=pit", "delivery=irq"), ("status",),
)


class Line:
    """Bochs at one end of a terminal; who connects to the socket `path` is at the other."""

    def __init__(self, name, words):
        self.folder = tempfile.TemporaryDirectory()  # a socket's path is short
        self.path = f"{self.folder.name}/line"
        self.dump = lib.folder() / f"{name}.dump"
        self.dump.write_bytes(b"")
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(self.path)
        self.listening.listen()
        self.end, self.terminal = os.openpty()
        tty.setraw(self.terminal)
        self.host = None
        self.writing = threading.Lock()  # a frame goes in one piece
        self.boot = subprocess.Popen(
            lib.supervised(lib.ROOT / "tools/boot", "--emulator", "bochs", "--door", "rom", "--shift", str(SHIFT),
                           "--timeout", str(GUARD), "--terminal", os.ttyname(self.terminal), "-o", self.dump, "--",
                           "output=frames", *words.split()),
            stdin=subprocess.DEVNULL)
        for work in (self.carry_out, self.carry_in):
            threading.Thread(target=work, daemon=True).start()

    def carry_out(self):
        """What the image sends is kept, and goes on to who is connected."""
        with self.dump.open("ab", buffering=0) as to:
            while came := os.read(self.end, 1 << 16):
                to.write(came)
                try:
                    if self.host:
                        self.host.sendall(came)
                except OSError:  # it has left
                    pass

    def write(self, data):
        with self.writing:
            while data:
                data = data[os.write(self.end, data):]

    def carry_in(self):
        while True:
            self.host, _ = self.listening.accept()
            try:
                while data := self.host.recv(1 << 12):
                    self.write(data)
            except OSError:
                pass

    def control(self, *words):
        done = subprocess.run([lib.ROOT / "build/cpuprobe", "control", "-t", "60", self.path, *words],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
        return done.returncode, (done.stdout + done.stderr).strip()


def pump(line, over):
    """Zeros, which are no frames: the line is never idle, so that each time for which the image does not look
    shows."""
    while not over.wait(PAUSE):
        line.write(bytes(PIECE))


def check_line(checks, name, busy):
    line, over = Line(name, "seconds=0 rate=200 serial=0x3f8"), threading.Event()
    pumping = threading.Thread(target=pump, args=(line, over), daemon=True)
    for command in (("status",), *COMMANDS):
        status, said = line.control(*command)
        checks.check(status == 0, f"{name}: {' '.join(command)}: {status} {said.splitlines()[-1:]}")
        if busy and pumping.ident is None:
            pumping.start()
    status, said = line.control("end")
    over.set()
    checks.check(line.boot.wait() == lib.COMPLETE and status == 0, f"{name}: the run ends well: {said}")
    texts = [head["text"].strip() for head, _ in lib.records(line.dump, "TEXT")]
    checks.check(any("no interrupt is known: the system clock serves the line" in text for text in texts),
                 f"{name}: how the line is served is told: {texts}")
    checks.check(not any("safe up to" in text for text in texts), f"{name}: 115200 bit/s are safe")
    received = [head for head, _ in lib.records(line.dump, "RECEIVED")]
    # PROBE reads a line that is never idle when it comes to it
    lost = ("overrun",) if busy else ("overrun", "damaged", "repeated")
    checks.check(not any(r[cause] for r in received for cause in lost),
                 f"{name}: the UART lost no byte: {received[-1]}")
    checks.check(not busy or received[-1]["bytes"] > ENOUGH, f"{name}: {received[-1]['bytes']} bytes came")


def main():
    if not shutil.which("bochs"):
        print("no Bochs: tools/setup check installs it")
        sys.exit(SKIPPED)
    checks = lib.Checks()
    check_line(checks, "control", False)
    check_line(checks, "pumped", True)
    checks.finish()


if __name__ == "__main__":
    main()
