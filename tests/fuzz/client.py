#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Clients that misbehave, at a `cpuprobe serve` under sanitizers: tests/fuzz/client.py [SECONDS].

They come to HTTP and to the socket of a line: half requests, headers without end, many requests at once, resets,
methods that there are not, bytes that are no HTTP, sockets that nobody reads, hundreds of connections.  The server
must live, lose no byte of its line, answer who behaves, and let go of all descriptors.
ROUNDS rounds, the same ones each time; with SECONDS others, from the time of day on, until they are over.
"""

import contextlib
import os
import pathlib
import random
import socket
import struct
import subprocess
import sys
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / folder) for folder in ("qemu", "host")]

import frames
import lib
from serving import GUARD, Serve

ROUNDS = 12
CLIENTS = 40       # of a round
CROWD = 700        # connections of one round in CROWDED: more than the server takes
CROWDED = 6
STREAMS = ("monitors", "audit", "raw", "calls", "run", "survey")
METHODS = (b"GET", b"HEAD", b"POST", b"PUT", b"DELETE", b"OPTIONS", b"TRACE", b"CONNECT", b"BREW", b"get", b"",
           b"G" * 9000)
PATHS = (b"/metrics", b"/", b"/favicon.ico", b"/lines/0", b"/lines/0/events", b"/lines/1", b"/lines/-1",
         b"/lines/18446744073709551616", b"/lines/0x0", b"/lines/0/events/", b"//lines//0", b"/%00", b"/%2e%2e/%",
         b"/lines/0?" + b"a=b&" * 3000, b"*", b"http://127.0.0.1/metrics", b"/\xff\xfe", b"")
HEADERS = (b"Host: 127.0.0.1", b"Host: localhost", b"Host: evil.example", b"Host:",
           b"host: 127.0.0.1\r\nHost: localhost", b"Connection: close", b"Connection: upgrade",
           b"Content-Length: 5", b"Content-Length: -1",
           b"Content-Length: 99999999999999999999", b"Transfer-Encoding: chunked", b"Expect: 100-continue",
           b"Range: bytes=0-0,5-1", b"Accept-Encoding: gzip;q=nan", b"X: " + b"y" * 20000, b": nothing", b"no colon",
           b" folded", b"A\0B: c", b"Last-Event-ID: 7", b"Cookie: " + b"a=b; " * 500)
BODIES = (b"", b"", b"", b"hello", b"5\r\nhello\r\n0\r\n\r\n", b"ffffffffffffffff\r\nx", b"\0" * 3000)
checks = lib.Checks()


def request(chance):
    """One that may be whole."""
    lines = [b" ".join((chance.choice(METHODS[:2] if chance.random() < 0.7 else METHODS), chance.choice(PATHS),
                        chance.choice((b"HTTP/1.1", b"HTTP/1.1", b"HTTP/1.0", b"HTTP/9.9", b"HTTP/", b""))))]
    lines += [b"Host: 127.0.0.1"] if chance.random() < 0.7 else []
    lines += chance.choices(HEADERS, k=chance.choice((0, 1, 2, 5, 200)))
    return chance.choice((b"\r\n", b"\r\n", b"\r\n", b"\n")).join(lines) + b"\r\n\r\n" + chance.choice(BODIES)


def rude(chance):
    """What a client of HTTP sends."""
    text = request(chance)
    kind = chance.randrange(6)
    if kind == 0:
        return text[:chance.randrange(len(text) + 1)]
    if kind == 1:
        return text * chance.randrange(1, 300)
    if kind == 2:
        return chance.randbytes(chance.randrange(1, 5000))
    if kind == 3:
        text = bytearray(text)
        for _ in range(chance.randrange(1, 8)):
            text[chance.randrange(len(text))] = chance.randrange(256)
        return bytes(text)
    if kind == 4:
        return b"".join(request(chance) for _ in range(chance.randrange(2, 20)))
    return text


def babble(chance, stream):
    """What a client of a line sends: frames of any type, damaged ones, lines, and none of these."""
    kind = chance.randrange(5)
    if kind == 0:
        return chance.randbytes(chance.randrange(1, 30000))
    if kind == 1:
        return frames.frame(chance.randrange(256), chance.randbytes(chance.randrange(0, 1500)))
    if kind == 2:
        numbers = (chance.choice((0, 1, 2**63, 2**64 - 1)) for _ in range(3))
        return frames.frame(frames.COMMAND, b"".join(map(frames.number, numbers)) +
                            frames.text(chance.randbytes(chance.randrange(300)))) * chance.randrange(1, 50)
    if kind == 3:
        return b"\r\n".join(chance.randbytes(chance.randrange(400)) for _ in range(chance.randrange(1, 60)))
    return stream[chance.randrange(len(stream)):][:4000]


def part(chance, client):
    """A client's end: with a reset, without a word, half, or after it has read some."""
    with contextlib.suppress(OSError):
        how = chance.randrange(4)
        if how == 0:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif how == 1:
            client.shutdown(socket.SHUT_WR)
            client.recv(100)
        elif how == 2:
            client.settimeout(0.2)
            client.recv(1 << 16)
    client.close()


def send(client, text):
    """As much as it takes at once."""
    with contextlib.suppress(OSError):
        client.setblocking(False)
        client.send(text)
        client.settimeout(1)


def visit(chance, server, path, stream):
    """A client that is connected and has sent something; None: it was not let in."""
    with contextlib.suppress(OSError):
        if chance.random() < 0.25:
            client = socket.socket(socket.AF_UNIX)
            client.settimeout(1)
            client.connect(str(path))
            send(client, babble(chance, stream))
        else:
            client = socket.create_connection(("127.0.0.1", server.port), timeout=1)
            send(client, rude(chance))
        return client
    return None


class Board:
    """The image's end of the line; it counts what it sends."""

    def __init__(self):
        path = lib.folder() / "kept"
        path.unlink(missing_ok=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen(1)
        self.path, self.line, self.sent = path, None, 0

    def connected(self):
        self.listener.settimeout(GUARD)
        self.line = self.listener.accept()[0]

    def send(self, stream):
        """All of it; what commands came meanwhile are thrown away."""
        self.line.settimeout(GUARD)
        self.line.sendall(stream)
        self.sent += len(stream)
        self.line.setblocking(False)
        with contextlib.suppress(OSError):
            while self.line.recv(1 << 16):
                pass


def descriptors(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def one_round(chance, server, board, stream):
    """False: a check failed."""
    path = lib.folder() / "sockets/kept"
    count = CROWD if not chance.randrange(CROWDED) else CLIENTS
    clients = []
    for _ in range(count):
        clients.append(visit(chance, server, path, stream))
        if chance.random() < 0.3:
            leaver = clients.pop(chance.randrange(len(clients)))
            if leaver:
                part(chance, leaver)
    board.send(stream)
    good = server.get()[0] == 200 and server.wait("line_received_bytes_total", "kept", board.sent) == board.sent
    for client in clients:
        if client:
            part(chance, client)
    return good and server.process.poll() is None


def settled(server, before):
    """Whether no more descriptors are open than were, once all clients are gone."""
    end = time.monotonic() + GUARD
    while descriptors(server) > before and time.monotonic() < end:
        time.sleep(0.1)
    return descriptors(server) <= before


def streams():
    return [subprocess.run([lib.ROOT / "build/host/make_dump", name], stdout=subprocess.PIPE, check=True).stdout
            for name in STREAMS]


def main(arguments):
    folder = lib.folder() / "sockets"
    folder.mkdir(exist_ok=True)
    board, recorded = Board(), streams()
    server = Serve("--sockets", folder, board.path, tool=lib.SANITIZED)
    board.connected()
    server.get()
    before, number = descriptors(server), int(time.time()) if arguments else 1
    first, end = number, time.monotonic() + (int(arguments[0]) if arguments else 0)
    while True:
        chance = random.Random(number)
        if not checks.check(one_round(chance, server, board, chance.choice(recorded)),
                            f"round {number}: it lives, has {board.sent} bytes of its line, and answers"):
            break
        number += 1
        if time.monotonic() >= end and number - first >= (1 if arguments else ROUNDS):
            break
    checks.check(settled(server, before), f"after {number - first} rounds no descriptor is left open: {before}")
    said, status = server.end()
    checks.check(status == 0 and "runtime error" not in said and "Sanitizer" not in said,
                 f"it ends well: {status} {said[-2000:]}")
    checks.finish()


if __name__ == "__main__":
    main(sys.argv[1:])
