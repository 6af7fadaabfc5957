# SPDX-License-Identifier: MIT
"""A person at the terminal: a boot whose serial line is typed on and read while it runs."""

import os
import re
import subprocess
import time

import lib

PROMPT = "cpuprobe> "
AGAIN = 5  # seconds of wall time after which a line is typed again that was not answered
CTRL_C, ESC = "\x03", "\x1b"
UP, DOWN, RIGHT, LEFT = (f"{ESC}[{letter}" for letter in "ABCD")
ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\a")


def plain(text):
    """What is left on paper: no escape sequences, and of a row that was drawn anew its last state."""
    rows = ESCAPES.sub("", text.replace("\r\x1b[K", "\x00").replace("\r\n", "\n"))
    return "\n".join(re.sub(r".*[\r\x00]", "", row) for row in rows.split("\n"))


def search(pattern, text):
    """As re.search, and what was said instead where it is not there."""
    match = re.search(pattern, text)
    if not match:
        raise LookupError(f"no {pattern!r} in {text!r}")
    return match


class Session:
    """A boot with output=text.  Under icount the machine waits for nobody: what a person does between two commands
    takes as much of its time as it has computed meanwhile."""

    def __init__(self, name, words="", *, shift=5, timeout=lib.GUARD, options=()):
        self.out = lib.folder() / f"{name}.text"
        self.out.write_bytes(b"")
        typed = lib.folder() / f"{name}.typed"
        typed.unlink(missing_ok=True)
        os.mkfifo(typed)
        self.keys = os.open(typed, os.O_RDWR)
        self.said = ""
        self.coming = self.out.open("rb")
        self.deadline = time.monotonic() + timeout
        self.seen = 0  # characters of the output that have been looked at
        self.lines = 0  # that were typed to settle
        self.process = subprocess.Popen(
            lib.supervised(lib.ROOT / "tools/boot", "--shift", str(shift), "--timeout", str(timeout), "--door", "rom",
             "--typed", typed, *options, "-o", self.out, "--", *words.split()),
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")

    def text(self):
        """All that was said so far, byte for byte as characters."""
        self.said += self.coming.read().decode("latin-1")
        return self.said

    def type(self, keys):
        os.write(self.keys, keys.encode("latin-1"))

    def find(self, wanted, until):
        """Wait for one of these texts after what has been looked at; what was said up to its end,
        None if none comes."""
        while True:
            over = self.process.poll() is not None or time.monotonic() > until
            text = self.text()
            found = [text.find(w, self.seen) + len(w) for w in wanted if text.find(w, self.seen) >= 0]
            if found:
                begin, self.seen = self.seen, min(found)
                return text[begin:self.seen]
            if over:
                return None
            time.sleep(0.01)

    def expect(self, *wanted):
        """The same, and an error if none comes."""
        said = self.find(wanted, self.deadline)
        if said is None:
            raise TimeoutError(f"{wanted} did not come after {self.text()[self.seen:][-500:]!r}")
        return said

    def settle(self, first=""):
        """Wait until all that was typed is done and its answers have been looked at: a line that is no command is
        refused by name, and what was typed before it has been answered by then.  `first` is typed before the line.

        A line may be lost where more was typed than the image keeps: another one follows, by another name.
        """
        while True:
            self.lines += 1
            self.type(f"{first}line{self.lines}\r")
            until = time.monotonic() + AGAIN
            if self.find((f"unknown command 'line{self.lines}'",), min(until, self.deadline)) is not None:
                break
            if until > self.deadline or self.process.poll() is not None:
                raise TimeoutError(f"nothing is answered after {self.text()[self.seen:][-500:]!r}")
        self.expect("\r" + PROMPT)

    def call(self):
        """Type Enter until the shell is there (the first ones may come while the line is set up)."""
        while self.find((PROMPT,), time.monotonic() + 0.2) is None:
            self.type("\r")
            if time.monotonic() > self.deadline or self.process.poll() is not None:
                raise TimeoutError(f"no prompt after {self.text()[-500:]!r}")
        self.settle()

    def enter(self, line):
        """Type a line, and wait for its echo.  What a task reports meanwhile comes first,
        and the row anew below it."""
        self.type(line + "\r")
        row = PROMPT + self.expect("\r\n")
        while not plain(row).split("\n")[-2].startswith(PROMPT):
            row = self.expect("\r\n")

    def command(self, line):
        """Type a line; the answer, plain, up to the next prompt."""
        self.enter(line)
        return plain(self.expect("\r" + PROMPT))[:-len(PROMPT)].rstrip("\n")

    def end(self):
        """Type `end`; the rest of what is said, and the status of tools/boot."""
        self.type("end\r")
        return plain(self.rest()), self.process.returncode

    def rest(self):
        """Wait for the end of the run; what was said and has not been looked at."""
        self.process.wait(timeout=max(0, self.deadline - time.monotonic()))
        return self.text()[self.seen:]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        lib.end(self.process)
        self.coming.close()
        os.close(self.keys)
