#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""What stands at the other end of a line may lie, be held by another host, or have given up:
the host tool says so and ends."""

import contextlib
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import cobs  # noqa: E402
import frames  # noqa: E402
import lib  # noqa: E402

TOOL = os.environ.get("CPUPROBE", lib.ROOT / "build/cpuprobe")
GUARD = 60   # seconds of wall time for what ends by itself
LATE = 1     # seconds until a server takes a connection that is not refused for it
DONE, REFUSED = range(2)
ESCAPE = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f"
WORD = "cpuprobe: error: unknown word 'secnds'"


def kind(name):
    """The number of a record's type, as docs/PROTOCOL.md has it."""
    for line in (lib.ROOT / "docs/PROTOCOL.md").read_text().splitlines():
        cells = [c.strip(" `") for c in line.split("|")]
        if cells[1:2] == [name] and cells[2].isdigit():
            return int(cells[2])
    raise LookupError(name)


def made(name):
    """A dump of make_dump's."""
    return subprocess.run([lib.ROOT / "build/host/make_dump", name], stdout=subprocess.PIPE, check=True).stdout


def text(sentence, severity=2, epoch=0):
    return frames.frame(kind("TEXT"),
                        b"".join(map(frames.number, (epoch, severity))) + frames.text(sentence.encode("latin-1")))


def end(reason, status=1, epoch=0x1111):
    return frames.frame(kind("END"),
                        b"".join(map(frames.number, (epoch, status))) + frames.text(reason.encode("latin-1")))


def answer(asked, what="", status=DONE, part=0, parts=1):
    numbers = (77, asked["session"], asked["id"], status, 0, part, parts, 0)
    return frames.frame(frames.ANSWER, b"".join(map(frames.number, numbers)) + frames.text(what.encode("latin-1")))


class Peer:
    """A unix socket; each connection is given to `serve`, which may read commands and write bytes."""

    def __init__(self, serve, after=0.0):
        self.serve, self.after = serve, after
        self.taken = threading.Event()
        self.folder = tempfile.TemporaryDirectory()
        self.path = f"{self.folder.name}/line"
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(self.path)
        self.server.listen(4)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        time.sleep(self.after)
        with contextlib.suppress(OSError), self.server.accept()[0] as line:
            self.taken.set()
            self.serve(line)

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        self.server.close()
        self.folder.cleanup()


def commands(line):
    """Each command that comes, until the other end is gone."""
    got = b""
    while more := line.recv(1 << 12):
        got += more
        *blocks, got = got.split(b"\0")
        for body in map(cobs.decode, filter(None, blocks)):
            if body[:1] == bytes([frames.COMMAND]):
                yield frames.numbers(body[frames.HEAD:], ("boot", "session", "id"))


def silent(line):
    """Read on and say nothing."""
    while line.recv(1 << 12):
        pass


def sends(data, close=False):
    """A server that says this, and then nothing more or closes without having read."""
    def serve(line):
        line.sendall(data)
        if not close:
            silent(line)
    return serve


def tool(*arguments):
    try:
        return subprocess.run([TOOL, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=GUARD,
                              check=False)
    except subprocess.TimeoutExpired as over:
        return subprocess.CompletedProcess(arguments, None, over.stdout or b"", over.stderr or b"")


def record(path, *options):
    """A recording, and what of it was kept."""
    dump = lib.folder() / "recorded"
    dump.unlink(missing_ok=True)
    done = tool("record", *options, path, "-o", dump)
    return done, dump.read_bytes() if dump.exists() else b""


def is_clean(done):
    """Nothing that a terminal would obey."""
    return all(byte == 10 or 32 <= byte <= 126 for byte in done.stdout + done.stderr)


def check_parts(checks):
    """An answer whose number of parts, status or boot changes from frame to frame is none."""
    def first_lies(line):
        for asked in commands(line):
            line.sendall(answer(asked, "c", part=2, parts=3) + answer(asked, "a", part=0, parts=2))

    def status_changes(line):
        for asked in commands(line):
            line.sendall(answer(asked, "a", part=0, parts=2) + answer(asked, "b", REFUSED, part=1, parts=2))

    def too_many(line):
        for asked in commands(line):
            line.sendall(answer(asked, "a", part=1, parts=1) + answer(asked, "a", parts=2**63)
                         + answer(asked, "a", parts=0))

    for serve in (first_lies, status_changes, too_many):
        with Peer(serve) as path:
            done = tool("control", "-t", "1", path, "status")
        checks.check(done.returncode == 1 and b"contradict each other" in done.stderr,
                     f"{serve.__name__}: {done.returncode} {done.stderr.decode()!r}")

    def honest(line):
        for asked in commands(line):
            line.sendall(answer(asked, "b\n", part=1, parts=2) * 2 + answer(asked, "a\n", part=0, parts=2))

    with Peer(honest) as path:
        done = tool("control", "-t", "5", path, "status")
    checks.check((done.returncode, done.stdout) == (0, b"a\nb\n\n"),
                 f"parts in any order, some twice: {done.returncode} {done.stdout}")


def check_escapes(checks):
    """What the image says reaches the terminal as characters, by every way."""
    def says(status):
        def serve(line):
            for number, asked in enumerate(commands(line)):
                line.sendall(answer(asked, ESCAPE + "\n", status if number else DONE))
        return serve

    for status, code in ((DONE, 0), (REFUSED, 4)):
        with Peer(says(status)) as path:
            done = tool("control", path, "status")
        checks.check(done.returncode == code and is_clean(done) and b"owned" in done.stdout + done.stderr,
                     f"an answer: {done}")

    def zoomed(line):
        for number, asked in enumerate(commands(line)):
            line.sendall(made("hello") + answer(asked, ESCAPE, REFUSED if number else DONE) + made("run")[:-40])

    with Peer(zoomed) as path:
        done = tool("zoom", "-t", "10", path)
    checks.check(done.returncode == 3 and is_clean(done) and b"refused" in done.stderr and b"owned" in done.stderr,
                 f"zoom: {done}")
    for name, stream in (("END's reason", made("hello") + end(ESCAPE)), ("an error before a run", text(ESCAPE)),
                         ("an error in text", b"cpuprobe: error: " + ESCAPE.encode("latin-1") + b"\r\n")):
        with Peer(sends(stream, close=True)) as path:
            done, _ = record(path)
        checks.check(is_clean(done) and b"owned" in done.stderr, f"{name}: {done.returncode} {done.stderr!r}")
    dump = lib.folder() / "escapes"
    dump.write_bytes(made("run")[:-40] + text(ESCAPE, 1, 0x1111) + end(ESCAPE))
    for command in ("stat", "info", "script", "audit"):
        done = tool(command, dump)
        checks.check(done.returncode in (3, 4) and is_clean(done), f"{command}: {done.returncode} {done.stderr!r}")
    strange = lib.folder() / "d\u00fcmp \x1b[31m"
    done = tool("stat", strange)
    checks.check(done.stderr.decode().startswith("cpuprobe: ") and "d\u00fcmp ?[31m:" in done.stderr.decode(),
                 f"the user's own names: {done.stderr}")


def check_refused_words(checks):
    """An image that refuses its words says why and no more: this is told at once, and the host ends with 4."""
    line = WORD.encode() + b"\r\n"
    for name, stream in (("text", line), ("behind firmware, within a line", b"SeaBIOS\r\nBooting from ROM.." + line),
                         ("behind a glitch", b"\0\xff\0" + line), ("a frame", text(WORD + "\n")),
                         ("two sentences", line + line)):
        with Peer(sends(stream)) as path:
            done, kept = record(path, "--timeout", "0")
        told = done.stderr.decode().count(WORD)
        checks.check(done.returncode == 4 and told == (2 if name == "two sentences" else 1) and kept == stream,
                     f"record, {name}: {done.returncode}, {told} times: {done.stderr.decode()!r}")
        for command in (("control", path, "status"), ("zoom", path)) if name in ("text", "a frame") else ():
            for close in (False, True):
                with Peer(sends(stream, close)) as path:
                    done = tool(*(path if word.startswith("/") else word for word in command))
                checks.check(done.returncode == 4 and WORD in done.stderr.decode(),
                             f"{command[0]}, {name}{', closed' * close}: {done.returncode} {done.stderr.decode()!r}")


def check_not_refused(checks):
    """An error that a run follows, or that stands in a run, ends nothing."""
    def late(stream):
        def serve(line):
            line.sendall(WORD.encode() + b"\r\n")
            time.sleep(0.5)
            line.sendall(stream)
            silent(line)
        return serve

    with Peer(late(made("run"))) as path:
        done, kept = record(path, "--timeout", "20")
    checks.check(done.returncode == 0 and kept.endswith(made("run")),
                 f"a run came all the same: {done.returncode} {done.stderr!r}")
    def within(line):
        line.sendall(made("hello") + text(WORD, epoch=0x1111))
        time.sleep(2)
        line.sendall(end("it was meant so", 0))
        silent(line)

    with Peer(within) as path:
        done, _ = record(path, "--timeout", "20")
    checks.check(done.returncode != 4 and b"stopped before" not in done.stderr,
                 f"an error within a run: {done.returncode} {done.stderr!r}")


def check_held(checks):
    """A socket whose server speaks with another host: the second is told; who is taken late is not."""
    peer = Peer(silent)
    with peer as path, socket.socket(socket.AF_UNIX) as first:
        first.connect(path)
        peer.taken.wait(GUARD)
        for command in (("control", path, "status"), ("zoom", path), ("record", path, "-o", lib.folder() / "second")):
            begun = time.monotonic()
            done = tool(*command)
            checks.check(done.returncode == 1 and b"the line is in use" in done.stderr and time.monotonic() - begun <
                         GUARD / 2, f"{command[0]}: {done.returncode} {done.stderr.decode()!r}")
    with Peer(sends(made("run")), after=LATE) as path:
        done, kept = record(path)
    checks.check(done.returncode == 0 and kept == made("run"),
                 f"taken after {LATE} s: {done.returncode} {done.stderr!r}")


def check_typed(checks):
    """`output frames` is typed where no answer comes for a while;
    a late answer does not say that the line was done."""
    for name, status, says, code in (("done", DONE, "", 0), ("done by the typed line", REFUSED,
                                                             "they are in force already", 0),
                                     ("refused", REFUSED, "not here", 4)):
        asked = []

        def serve(line, status=status, says=says, asked=asked):
            for number, one in enumerate(commands(line)):
                asked.append(one["id"])
                if number == 0:
                    line.recv(1, socket.MSG_PEEK)  # the host waits no longer, and types
                line.sendall(answer(one, says, status) if one["id"] != asked[0] else answer(one, ""))

        with Peer(serve) as path:
            done = tool("control", "-t", "20", path, "output", "frames")
        checks.check(done.returncode == code and len(set(asked)) == 2,
                     f"typed, {name}: {done.returncode}, {len(set(asked))} commands, {done.stderr.decode()!r}")


def main():
    checks = lib.Checks()
    check_typed(checks)
    check_parts(checks)
    check_escapes(checks)
    check_refused_words(checks)
    check_not_refused(checks)
    check_held(checks)
    checks.finish()


main()
