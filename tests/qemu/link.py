# SPDX-License-Identifier: MIT
"""The host at the other end of a running image's line: a boot on a unix socket, commands by `cpuprobe control`, bytes by hand."""

import fcntl
import json
import select
import socket
import struct
import subprocess
import tempfile
import termios
import time

import lib


class Link:
    """A boot whose line is a socket.  It begins once somebody connects; each use connects anew."""

    def __init__(self, name, words, *, shift=5, timeout=120, options=()):
        self.name = name
        self.uses = 0
        self.folder = tempfile.TemporaryDirectory()  # a socket's path is short
        self.path = f"{self.folder.name}/line"
        self.errors = open(lib.folder() / f"{name}.errors", "w", encoding="utf-8")
        self.process = subprocess.Popen(
            [lib.ROOT / "tools/boot", "--shift", str(shift), "--timeout", str(timeout), "--door", "rom",
             "--socket", self.path, "-o", "/dev/null", *options, "--", "output=frames", *words.split()],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.errors)
        until = time.monotonic() + 20
        while "waiting for connection" not in (lib.folder() / f"{name}.errors").read_text():
            if time.monotonic() > until or self.process.poll() is not None:
                raise TimeoutError(f"{name}: there is no line")
            time.sleep(0.02)

    def kept(self):
        """The file for what streams during the next use."""
        self.uses += 1
        return lib.folder() / f"{self.name}-{self.uses}.dump"

    def control(self, *words, options=(), lines=None):
        """cpuprobe control: standard output, standard error, exit status, and the dump of what was streamed meanwhile."""
        dump = self.kept()
        done = subprocess.run([lib.ROOT / "build/cpuprobe", "control", "-o", dump, *options, self.path, *words],
                              input=lines, stdin=None if lines is not None else subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", check=False)
        return done.stdout, done.stderr, done.returncode, dump

    def connect(self):
        """The line by hand."""
        line = socket.socket(socket.AF_UNIX)
        line.connect(self.path)
        line.settimeout(0.05)
        return Hand(line, self.kept())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()
        self.errors.close()
        self.folder.cleanup()


class Hand:
    """Bytes to the line, and what comes kept in a file."""

    def __init__(self, line, dump):
        self.line, self.dump = line, dump
        dump.write_bytes(b"")

    def send(self, data):
        """All of it, reading meanwhile: neither side may wait for the other for ever."""
        while data:
            readable, writable, _ = select.select([self.line], [self.line], [])
            if readable and not self.read():
                raise ConnectionError(f"{self.dump}: the machine ended with {len(data)} bytes to go")
            if writable:
                data = data[self.line.send(data[:4096]):]

    def read(self):
        try:
            got = self.line.recv(1 << 16)
        except TimeoutError:
            return False
        with self.dump.open("ab") as to:
            to.write(got)
        return bool(got)

    def await_records(self, kind, holds=lambda found: found, seconds=20):
        """Read until the records of this kind are as is asked; they, or what there was."""
        until = time.monotonic() + seconds
        while True:
            while self.read():
                pass
            found = [head for head, _ in lib.records(self.dump, kind)]
            if holds(found) or time.monotonic() > until:
                return found

    def await_seconds(self, seconds, wall=100):
        """Read until the last snapshot is of so many seconds of the machine."""
        until = time.monotonic() + wall
        while time.monotonic() < until:
            self.read()
            if self.line_busy() and time.monotonic() < until:
                continue
            table = json.loads(lib.host("stat", "--json", self.dump)[0] or "{}")
            if table and table["window"]["seconds"] >= seconds:
                return
        raise TimeoutError(f"{self.dump}: not {seconds} s of the machine in {wall} s")

    def await_taken(self, seconds=20):
        """Until QEMU has taken all that was sent out of the socket."""
        until = time.monotonic() + seconds
        while struct.unpack("i", fcntl.ioctl(self.line, termios.TIOCOUTQ, bytes(4)))[0]:
            if time.monotonic() > until:
                raise TimeoutError(f"{self.dump}: what was sent is not taken")
            time.sleep(0.01)

    def line_busy(self):
        """Whether bytes wait to be read now."""
        return bool(select.select([self.line], [], [], 0)[0])

    def await_end(self, seconds=100):
        """Read until the machine ends."""
        until = time.monotonic() + seconds
        self.line.settimeout(1)
        while time.monotonic() < until:
            try:
                got = self.line.recv(1 << 16)
            except TimeoutError:
                continue
            if not got:
                return
            with self.dump.open("ab") as to:
                to.write(got)
        raise TimeoutError(f"{self.dump}: no end after {seconds} s")

    def close(self):
        self.line.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
