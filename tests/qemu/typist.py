# SPDX-License-Identifier: MIT
"""A person who types at the same instruction in every run: the same keys give the same bytes, to the last sample.

Keys that come while the machine runs come at some time of the host's, and no two runs are alike.  So a debugger's
connection (QEMU's gdb stub) stops the machine each time the shell is about to wait for a key, and the key is put into
the UART while the machine stands still.
"""

import os
import socket
import subprocess
import time

import lib
import session

WAITS = "console_key"  # the function in which the shell waits for a key
LINE_STATUS = 0x3fd    # of COM1; bit 0: a byte has come in


def address_of(function):
    text = subprocess.run(["nm", lib.ROOT / "build/cpuprobe.elf"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    return next(line.split()[0] for line in text.splitlines() if line.lower().endswith(f" t {function}"))


class Debugger:
    """The few requests of the GDB remote protocol that stop and go need."""

    def __init__(self, path, deadline):
        self.socket = socket.socket(socket.AF_UNIX)
        self.kept = b""
        while True:
            try:
                return self.socket.connect(str(path))
            except (FileNotFoundError, ConnectionRefusedError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def ask(self, request):
        """A request, and its answer; "" where the machine has ended."""
        self.socket.sendall(b"$%s#%02x" % (request.encode(), sum(request.encode()) % 256))
        return self.answer()

    def answer(self):
        while b"#" not in self.kept or len(self.kept) < self.kept.index(b"#") + 3:
            more = self.socket.recv(4096)
            if not more:
                return ""
            self.kept += more
        packet, self.kept = self.kept.split(b"#", 1)
        self.kept = self.kept[2:]
        self.socket.sendall(b"+")
        return packet.split(b"$", 1)[1].decode()

    def monitor(self, command):
        """A command of QEMU's monitor; what it prints."""
        said, answer = "", self.ask("qRcmd," + command.encode().hex())
        while answer.startswith("O") and answer != "OK":
            said += bytes.fromhex(answer[1:]).decode()
            answer = self.answer()
        return said


class Typist(session.Session):
    """A session that stands still at each key.  The words must have shell=on."""

    def __init__(self, name, words, *, options=(), **how):
        path = lib.folder() / f"{name}.gdb"
        path.unlink(missing_ok=True)
        stop = ("-S", "-gdb", f"unix:{path},server=on,wait=off")
        super().__init__(name, words, options=(*options, *(a for o in stop for a in ("--qemu-arg", o))), **how)
        self.debugger = Debugger(path, self.deadline)
        self.debugger.socket.settimeout(how.get("timeout", lib.GUARD))
        self.point = f"1,{address_of(WAITS)},1"
        self.debugger.ask("Z" + self.point)
        self.go()

    def go(self):
        """Until the shell waits for a key again, or the machine has ended."""
        self.debugger.ask("c")

    def leave(self):
        """Let it run: it stands still at no key any more, and nothing can be typed."""
        self.debugger.ask("D")

    def type(self, keys):
        for key in keys.encode("latin-1"):
            os.write(self.keys, bytes([key]))
            while int(self.debugger.monitor(f"i /b {LINE_STATUS:#x}").split("=")[1], 16) & 1 == 0:
                if time.monotonic() > self.deadline:
                    raise TimeoutError("a key did not arrive")
            self.debugger.ask("z" + self.point)  # or it would stop where it is
            self.debugger.ask("s")
            self.debugger.ask("Z" + self.point)
            self.go()
