# SPDX-License-Identifier: MIT
"""The host at the other end of a running image's line: a boot on a unix socket, commands by `cpuprobe control`,
bytes by hand."""

import contextlib
import fcntl
import json
import socket
import struct
import subprocess
import tempfile
import termios
import threading
import time

import frames
import lib

GUARD = 100  # seconds of wall time for what is to come soon, so that no test hangs
AGAIN = 5    # the same, after which a command is sent again that was not answered
LOOK = 0.05  # seconds between two looks


class Line:
    """A line that is a socket, whoever is at its other end; each use connects anew."""

    def __init__(self, name, path):
        self.name, self.path = name, path
        self.uses = 0

    def kept(self):
        """The file for what streams during the next use."""
        self.uses += 1
        return lib.folder() / f"{self.name}-{self.uses}.dump"

    def control(self, *words, options=(), lines=None):
        """cpuprobe control: standard output, standard error, exit status,
        and the dump of what was streamed meanwhile."""
        dump = self.kept()
        done = subprocess.run([lib.ROOT / "build/cpuprobe", "control", "-t", str(GUARD), "-o", dump, *options,
                               self.path, *words],
                              input=lines, stdin=None if lines is not None else subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", check=False)
        return done.stdout, done.stderr, done.returncode, dump

    def connect(self):
        """The line by hand."""
        line = socket.socket(socket.AF_UNIX)
        line.connect(self.path)
        return Hand(line, self.kept())


class Link(Line):
    """A boot of the image on such a line.  It begins once somebody connects."""

    def __init__(self, name, words, *, shift=5, timeout=lib.GUARD, options=()):
        self.folder = tempfile.TemporaryDirectory()  # a socket's path is short
        super().__init__(name, f"{self.folder.name}/line")
        self.errors = open(lib.folder() / f"{name}.errors", "w", encoding="utf-8")
        self.process = subprocess.Popen(
            lib.supervised(lib.ROOT / "tools/boot", "--shift", str(shift), "--timeout", str(timeout), "--door", "rom",
             "--socket", self.path, "-o", "/dev/null", *options, "--", "output=frames", *words.split()),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.errors)
        until = time.monotonic() + GUARD
        while "waiting for connection" not in (lib.folder() / f"{name}.errors").read_text():
            if time.monotonic() > until or self.process.poll() is not None:
                raise TimeoutError(f"{name}: there is no line")
            time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        lib.end(self.process)
        self.errors.close()
        self.folder.cleanup()


class Hand:
    """Bytes to the line, and what comes kept in a file by a thread of its own: the image waits for no reader."""

    def __init__(self, line, dump):
        self.line, self.dump = line, dump
        dump.write_bytes(b"")
        self.ended = threading.Event()
        self.reader = threading.Thread(target=self.keep)
        self.reader.start()

    def keep(self):
        with self.dump.open("ab", buffering=0) as to:
            try:
                while got := self.line.recv(1 << 16):
                    to.write(got)
            except ConnectionResetError:  # the machine ended with bytes to read
                pass
        self.ended.set()

    def send(self, data):
        self.line.sendall(data)

    def await_taken(self):
        """Wait until QEMU has read all that was sent; some bytes may still be on their way in the UART and the
        image."""
        while struct.unpack("i", fcntl.ioctl(self.line, termios.TIOCOUTQ, bytes(4)))[0] and not self.ended.is_set():
            time.sleep(LOOK)

    def looks(self):
        """Each time that there is more, or the end: until GUARD is over."""
        size, until = -1, time.monotonic() + GUARD
        while time.monotonic() < until:
            ended = self.ended.is_set()
            if self.dump.stat().st_size != size or ended:
                size = self.dump.stat().st_size
                yield
            if ended:
                return
            time.sleep(LOOK)

    def records(self, kind):
        return [head for head, _ in lib.records(self.dump, kind, coming=True)]

    def await_records(self, kind, holds=lambda found: found):
        """The records of this kind once they are as is asked; what there was if that never comes."""
        for _ in self.looks():
            if holds(self.records(kind)):
                break
        return self.records(kind)

    def await_text(self, text):
        """Whether these bytes come, outside of frames."""
        return any(text in self.dump.read_bytes() for _ in self.looks())

    def seconds(self):
        """Seconds of the machine that the last snapshot is of."""
        table = json.loads(lib.host("stat", "--json", self.dump, coming=True)[0] or "{}")
        return table["window"]["seconds"] or 0 if table else 0

    def await_seconds(self, seconds):
        """Wait until the last snapshot is of so many seconds of the machine."""
        if not any(self.seconds() >= seconds for _ in self.looks()):
            raise TimeoutError(f"{self.dump}: not {seconds} s of the machine in {GUARD} s")

    def ask(self, line, session):
        """A command as its session's first, again until its answer or the machine's end comes.

        Between two pieces of a frame the machine may compute for a second: it then throws the frame away.
        """
        due, until = 0, time.monotonic() + GUARD
        while not self.ended.is_set() and not any(a["session"] == session for a in self.records("ANSWER")):
            if time.monotonic() > until:
                raise TimeoutError(f"{self.dump}: {line!r} is not answered in {GUARD} s")
            if time.monotonic() > due:
                due = time.monotonic() + AGAIN
                self.send(b"\0" + frames.command(line, session=session, number_=1))
            time.sleep(LOOK)

    def end(self, session):
        """The command `end`, and the machine's end."""
        self.ask("end", session)
        self.await_end()

    def await_end(self):
        """Wait until the machine ends."""
        if not self.ended.wait(GUARD):
            raise TimeoutError(f"{self.dump}: no end after {GUARD} s")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):  # the machine has ended
            self.line.shutdown(socket.SHUT_RDWR)
        self.reader.join()
        self.line.close()
