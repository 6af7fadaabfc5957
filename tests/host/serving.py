# SPDX-License-Identifier: MIT
"""A `cpuprobe serve` that a test asks over HTTP."""

import contextlib
import fcntl
import os
import pathlib
import re
import socket
import struct
import subprocess
import termios
import time
import urllib.error
import urllib.request

import lib

TOOL = lib.ROOT / "build/cpuprobe"
LINES = 64
PACE = 11520  # bytes a second of a line at 115200 bits a second
CORES = 0.1   # of a processor that they take, at most
TURN = 0.05   # seconds
FAST_LINES, FAST = 4, 150000  # and bytes a second of a line at 1.5 Mbit/s
PIECE = 2048  # bytes that a pty takes at once
BURST = 7500  # bytes that such a line brings in a turn
GUARD = 100   # seconds of wall time for what is to come soon, so that no test hangs


@contextlib.contextmanager
def ptys(lines=LINES):
    """So many of them: the host's end and the board's."""
    pairs = [os.openpty() for _ in range(lines)]
    for _, board in pairs:
        _, _, control, _, *rest = termios.tcgetattr(board)
        termios.tcsetattr(board, termios.TCSANOW, [0, 0, control, 0, *rest])  # every byte as it is
    try:
        yield pairs
    finally:
        for pair in pairs:
            for end in pair:
                os.close(end)


def await_read(pairs):
    """Wait until nothing is left to read on their boards' ends."""
    end = time.monotonic() + GUARD
    while (any(struct.unpack("i", fcntl.ioctl(board, termios.FIONREAD, bytes(4)))[0] for _, board in pairs) and
           time.monotonic() < end):
        time.sleep(TURN)


def at_pace(pairs, stream):
    """The stream on each line, at its real pace; the seconds that this took."""
    begun, sent = time.monotonic(), 0
    while sent < len(stream):
        time.sleep(TURN)
        some = min(int((time.monotonic() - begun) * PACE), len(stream))
        for host, _ in pairs:
            os.write(host, stream[sent:some])
        sent = some
    return time.monotonic() - begun


def in_bursts(pairs, stream, between=lambda: None):
    """The stream on each line, as much as comes in a turn at a time."""
    for at in range(0, len(stream), BURST):
        for begin in range(at, min(at + BURST, len(stream)), PIECE):
            for host, _ in pairs:
                os.write(host, stream[begin:min(begin + PIECE, at + BURST)])
        await_read(pairs)
        between()


class Serve:
    """A server of these ports, with its HTTP port; `under`: a command that runs it."""

    def __init__(self, *words, tool=TOOL, under=(), listen="127.0.0.1:0"):
        self.process = subprocess.Popen([*under, tool, "serve", "--listen", listen, *words],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.port = int(re.search(r"http port (\d+)", self.process.stdout.readline()).group(1))

    def get(self, path="/metrics", method="GET"):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method)
        try:
            with urllib.request.urlopen(request, timeout=GUARD) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def values(self, name):
        """Of a metric of lines: {line: value}."""
        found = re.findall(rf'^cpuprobe_{name}{{line="([^"]+)"}} (\S+)$', self.get()[1], re.M)
        return {line: float(value) for line, value in found}

    def wait(self, name, line, least):
        """Until a metric is so large; its value."""
        end = time.monotonic() + GUARD
        while self.values(name).get(line, -1) < least and time.monotonic() < end:
            time.sleep(0.05)
        return self.values(name).get(line)

    def own_cpu(self):
        """Seconds of processor time so far."""
        return int(pathlib.Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]) * 1e-9

    def cpu(self):
        """The same, of the pages that were made too."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return self.own_cpu() + (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")

    def follow(self, number):
        """A reader of a line's page, as a browser is."""
        client = socket.create_connection(("127.0.0.1", self.port))
        client.sendall(b"GET /lines/%d/events HTTP/1.1\r\nHost: localhost\r\n"
                       b"Accept-Encoding: br, gzip\r\n\r\n" % number)
        client.setblocking(False)
        return client

    @staticmethod
    def drain(client):
        """What has come, without waiting."""
        with contextlib.suppress(BlockingIOError, ConnectionResetError):
            return client.recv(1 << 22)
        return b""

    def opened(self, pairs):
        """Wait until it has opened these ptys and thrown away what was in them; without HTTP,
        which costs instructions."""
        wanted, end = {os.ttyname(board) for _, board in pairs}, time.monotonic() + GUARD
        found = set()
        while not (wanted <= found and lib.waits(self.process.pid)) and time.monotonic() < end:
            time.sleep(TURN)
            with contextlib.suppress(FileNotFoundError):  # closed meanwhile
                found = {os.readlink(fd) for fd in pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir()}

    def end(self):
        self.process.terminate()
        return self.process.communicate(timeout=GUARD)[1], self.process.returncode
