#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""tools/shell at a terminal: it says how to leave, sees another size, a reboot begins anew,
and the terminal is left as it was."""

import fcntl
import os
import re
import select
import struct
import termios
import time

import lib

PATIENCE = 100  # seconds of wall time for what is to come soon
OPENED = b"help lists the commands"
ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")
CTRL_RIGHT_BRACKET = b"\x1d"


class Terminal:
    """tools/shell at a pty of its own, and all that it prints."""

    def __init__(self, rows):
        self.heard = b""
        self.master, self.slave = os.openpty()
        self.resize(rows)
        self.before = termios.tcgetattr(self.slave)
        self.pid = os.fork()
        if self.pid == 0:
            os.login_tty(self.slave)
            os.chdir(lib.ROOT)
            os.execv("tools/shell", ["tools/shell", "tasks=hog1"])

    def resize(self, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))

    def count(self, text):
        """How often it is there; a line that a message interrupts is drawn anew, in the midst of a word."""
        return ESCAPES.sub(b"", self.heard).count(text)

    def hears(self, text, times=1):
        until = time.monotonic() + PATIENCE
        while self.count(text) < times and time.monotonic() < until:
            if select.select([self.master], [], [], 0.2)[0]:
                self.heard += os.read(self.master, 4096)
        return self.count(text) >= times

    def type(self, text):
        os.write(self.master, text)

    def end(self):
        """The exit status, and whether the terminal is as it was."""
        until = time.monotonic() + PATIENCE
        pid = 0
        while not pid and time.monotonic() < until:
            if select.select([self.master], [], [], 0.1)[0]:
                self.heard += os.read(self.master, 4096)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
        return pid and os.waitstatus_to_exitcode(status), termios.tcgetattr(self.slave) == self.before


def main():
    checks = lib.Checks()
    terminal = Terminal(40)
    checks.check(terminal.hears(b"Ctrl-] leaves"), "it says how to leave")
    checks.check(terminal.hears(OPENED), "the shell opens")
    terminal.type(b"tasks\r")
    checks.check(terminal.hears(b"page 40"), "40 rows: the shell has as many")
    checks.check(terminal.hears(b"HOG"), "and the command is done")
    terminal.resize(50)
    terminal.type(b"tasks\r")
    checks.check(terminal.hears(b"page 50"), "the terminal has another size: so has the shell")
    boots = terminal.count(b"entered by")
    terminal.type(b"reboot\r")
    checks.check(terminal.hears(b"entered by", boots + 1), "reboot begins anew")
    checks.check(terminal.hears(OPENED, 2), "and the shell opens again")
    terminal.type(CTRL_RIGHT_BRACKET)
    status, restored = terminal.end()
    print(terminal.heard.decode(errors="replace"))
    checks.check(status == 0, f"Ctrl-] leaves ({status})")
    checks.check(restored, "the terminal is as it was before")
    checks.check(b"without a report" not in terminal.heard, "nothing is said of a reset")
    checks.finish()


if __name__ == "__main__":
    main()
