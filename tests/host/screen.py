# SPDX-License-Identifier: MIT
"""A program at a terminal of some size, whose screen is what a VT100's would show (pyte): keys go in,
rows come out."""

import fcntl
import os
import select
import struct
import subprocess
import termios
import time

import pyte

GUARD = 20    # seconds of wall time for what is to come soon
ENTERS, LEAVES = b"\x1b[?1049h", b"\x1b[?1049l"  # the other screen
SETTLE = 0.3  # seconds without output, after which a screen is complete


class Screen:
    def __init__(self, command, *, rows=24, columns=80, environment=None, stdin=None):
        self.near, far = os.openpty()
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.bytes = b""  # all that was drawn
        self.far = os.dup(far)
        self.resize(rows, columns, tell=False)
        self.before = termios.tcgetattr(far)
        self.errors = b""
        # whoever runs the tests may want none
        coloured = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.process = subprocess.Popen(command, stdin=far if stdin is None else stdin,
                                        stdout=far, stderr=far, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0),
                                        env={**coloured, "TERM": "screen-256color", **(environment or {})})
        os.close(far)

    def resize(self, rows, columns, tell=True):
        fcntl.ioctl(self.near, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))
        if tell:
            self.screen.resize(rows, columns)

    def pump(self, seconds):
        """Take what is drawn meanwhile; whether anything was."""
        ready, _, _ = select.select([self.near], [], [], seconds)
        try:
            got = os.read(self.near, 1 << 16) if ready else b""
        except OSError:  # the program has ended
            return False
        self.bytes += got
        self.stream.feed(got)
        return bool(got)

    def settle(self):
        """The rows after what is being drawn was drawn: nothing came for SETTLE seconds."""
        until = time.monotonic() + GUARD
        while self.pump(SETTLE) and time.monotonic() < until:
            pass
        return self.rows()

    def rows(self):
        return [row.rstrip() for row in self.screen.display]

    def text(self):
        return "\n".join(self.rows())

    def until(self, holds, patience=GUARD):
        """Whether the text of the screen comes to be as is asked."""
        end = time.monotonic() + patience
        while not holds(self.text()):
            if time.monotonic() > end:
                return False
            self.pump(0.1)
        return True

    def type(self, keys):
        os.write(self.near, keys.encode() if isinstance(keys, str) else keys)

    def ended(self, patience=GUARD):
        """The exit status; None if it does not end."""
        end = time.monotonic() + patience
        while self.process.poll() is None and time.monotonic() < end:
            self.pump(0.05)
        while self.pump(0.05):
            pass
        return self.process.poll()

    def is_restored(self):
        """The terminal's modes are those from before, the screen is the normal one, and the cursor is seen."""
        return (termios.tcgetattr(self.far) == self.before and self.bytes.rfind(LEAVES) > self.bytes.rfind(ENTERS) and
                not self.screen.cursor.hidden)

    def colours(self):
        """The colours of the characters on the screen."""
        return {(cell.fg, cell.bg) for row in self.screen.buffer.values() for cell in row.values()}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.near)
        os.close(self.far)
