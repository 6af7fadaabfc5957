#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cpuprobe serve: 64 lines at the pace of 115200 bits a second, every byte of them, in few instructions; boards that
reset, hang up or send anything; several clients on one line.

Run from the project's root after `make all tests`.  Prints a line for each failed check.
"""
import contextlib
import json
import os
import pathlib
import random
import re
import select
import socket
import subprocess
import sys
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / folder) for folder in ("qemu", "bench")]
import frames
import instructions
import lib
import schema
from byte_noise import RATES, noisy
from serving import CORES, FAST, FAST_LINES, GUARD, LINES, PACE, PIECE, Serve, at_pace, await_read, in_bursts, ptys

TOOL = lib.ROOT / "build/cpuprobe"
SECONDS = 5
# what a server does each second is more in bytes that a busy machine takes longer for, and nothing makes it less
TRIES = 3
INSTRUCTIONS = CORES * 2e9 / (LINES * PACE)  # a byte: those of a processor of 2 GHz that does one a cycle
# seconds after which a command without an answer lets the next one pass (ANSWER_S of tools/serve/line_mux.c)
GIVEN_UP = 2
READERS = 200
FAST_CORES = 0.2  # of a processor, at most
KEPT = 512 << 10  # bytes of a line that a page is made of (HISTORY_LEAST of tools/serve/line_history.h)
checks = lib.Checks()


def dump(kind):
    return subprocess.run([lib.ROOT / "build/host/make_dump", kind], stdout=subprocess.PIPE, check=True).stdout


def many(run):
    """64 ptys at their real pace."""
    stream = (run * (SECONDS * PACE // len(run) + 1))[:SECONDS * PACE]
    with ptys() as pairs:
        server = Serve(*(os.ttyname(board) for _, board in pairs))
        server.opened(pairs)
        at_pace(pairs, stream)
        for _, board in pairs:
            server.wait("line_received_bytes_total", os.path.basename(os.ttyname(board)), len(stream))
        came = server.values("line_received_bytes_total")
        checks.check(len(came) == LINES and set(came.values()) == {float(len(stream))},
                     f"{len(stream)} bytes came of each: {sorted(set(came.values()))}")
        checks.check(set(server.values("line_damaged_total").values()) == {0.0}, "and nothing is damaged")
        text = server.get()[1]
        checks.check(text.endswith("# EOF\n") and text.count("# TYPE cpuprobe_samples counter") == 1 and
                     len(set(re.findall(r'cpuprobe_samples_total{line="([^"]+)"', text))) == LINES,
                     "each has its table, each family stands once")
        said, status = server.end()
        checks.check(status == 0 and not said, f"it ends by a signal: {status} {said}")


def counted(stream):
    """Instructions of a server that reads so much of each of 64 lines, whenever it comes to them."""
    with ptys() as pairs:
        server = Serve(*(os.ttyname(board) for _, board in pairs), under=instructions.command())
        server.opened(pairs)
        for at in range(0, len(stream), PIECE):
            for host, _ in pairs:
                os.write(host, stream[at:at + PIECE])
        await_read(pairs)
        end = time.monotonic() + GUARD  # what was written may be on its way to the board's end
        while time.monotonic() < end and set(server.values("line_received_bytes_total").values()) != {len(stream)}:
            time.sleep(1)
        said, status = server.end()
    checks.check(status == 0, f"it ends well under valgrind: {status} {said[-300:]}")
    return instructions.told(said)


def few_instructions(run):
    """A byte of 64 lines takes as few as leave the most of a slow processor to others,
    beside what the start takes."""
    stream = run * (2 * PACE // len(run) + 1)
    less = len(stream) // 2
    for _ in range(TRIES):
        each = (counted(stream) - counted(stream[:less])) / (LINES * (len(stream) - less))
        if each <= INSTRUCTIONS:
            break
    checks.check(each <= INSTRUCTIONS,
                 f"a byte of {LINES} lines takes {each:.1f} instructions, at most {INSTRUCTIONS:.1f}")


class Board:
    """The other end of a line that is a unix socket."""

    def __init__(self, name):
        self.path = lib.folder() / name
        self.path.unlink(missing_ok=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.listener.listen(1)
        self.line = None

    def connected(self):
        self.listener.settimeout(GUARD)
        self.line = self.listener.accept()[0]
        return self

    def send(self, data):
        self.line.sendall(data)


def unruly(run):
    """What boards do is a metric, under sanitizers too."""
    boards = [Board(name) for name in ("resets", "hangs", "babbles", "noisy", "good")]
    server = Serve(*(b.path for b in boards), tool=lib.SANITIZED)
    resets, hangs, babbles, damaged, good = (b.connected() for b in boards)
    good.send(run)
    resets.send(run[:len(run) // 2] + dump("run"))
    hangs.send(run[:1000])
    hangs.line.close()
    for rate in RATES:
        damaged.send(noisy(run, rate, 9))
    babbles.send(random.Random(5).randbytes(300000) + b"\0")
    hangs.connected()
    hangs.send(run)
    checks.check(server.wait("line_hangups_total", "hangs", 1) == 1, "a line that hung up is told")
    checks.check(server.wait("line_ends_total", "hangs", 1) == 1, "and is there again")
    unsure = server.values("line_unsure_places")
    checks.check(unsure["hangs"] == 1 and unsure["good"] == 0, f"and what came meanwhile is not known: {unsure}")
    checks.check(server.wait("line_ends_total", "resets", 1) == 1, "a reset board's run ends")
    checks.check(server.wait("line_noise_bytes_total", "babbles", 290000) >= 290000, "nonsense is noise")
    checks.check(server.wait("line_damaged_total", "noisy", 1) >= 1 and
                 server.wait("line_received_bytes_total", "noisy", len(RATES) * len(run)),
                 "noise of every rate is damage or noise, and ends nothing")
    checks.check(server.wait("line_ends_total", "good", 1) == 1 and server.values("line_up")["good"] == 1,
                 "and the others go on")
    for path, status in (("/none", 404), ("/../etc/passwd", 404), ("/", 200)):
        checks.check(server.get(path)[0] == status, f"{path} gives {server.get(path)[0]}")
    checks.check(server.get(method="POST")[0] == 405, "POST is refused")
    with socket.create_connection(("127.0.0.1", server.port)) as rude:
        rude.sendall(random.Random(6).randbytes(5000))
        checks.check(server.get()[0] == 200, "no HTTP at all stops nobody")
    said, status = server.end()
    checks.check(status == 0 and "runtime error" not in said, f"it ends well: {status} {said[-300:]}")


def asked(server, text):
    """What the server sends until it closes, at a connection of its own."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=GUARD) as client:
        client.sendall(text)
        got = b""
        while some := client.recv(1 << 16):
            got += some
    return got


def status_for(server, host):
    return asked(server, b"GET /metrics HTTP/1.1\r\nConnection: close\r\nHost: %s\r\n\r\n" % host)[9:12]


def named():
    """Only requests that name the server as its own page does are answered; refusals fill no disk."""
    board = Board("named<b>")
    server = Serve(board.path)
    board.connected()
    status, page = server.get("/")
    checks.check(status == 200 and "<title>" in page and '<a href="/lines/0">named&#60;b&#62;</a>' in page and
                 '<a href="/metrics">' in page, f"/ is a page with links: {page[:200]}")
    checks.check(server.get("/favicon.ico")[1].startswith("<svg"), "it has an icon")
    built = lib.ROOT / "build/viewer.html"
    status, text = server.get("/viewer")
    checks.check((status, text) == (200, built.read_text()) if built.exists() else status == 404 and "viewer" in text,
                 f"/viewer gives {status}, {len(text)} letters")
    state = re.compile(r'^cpuprobe_line_state{line="named<b>",cpuprobe_line_state="(\w+)"} 1$', re.M)
    checks.check(state.findall(server.get()[1]) == ["unheard"], "a line of which nothing came is told as that")
    board.send(b"no frame\r\n")
    server.wait("line_received_bytes_total", "named<b>", 10)
    checks.check(state.findall(server.get()[1]) == ["noise"], "and one that babbles")
    for host in (b"127.0.0.1", b"127.0.0.1:80", b"[::1]:9467", b"10.1.2.3", b"localhost", b"LOCALHOST:1"):
        checks.check(status_for(server, host) == b"200", f"{host} is answered")
    for host in (b"rebound.example", b"localhost.example:80", b"127.0.0.1.example", b"", b"1.2.3"):
        checks.check(status_for(server, host) in (b"421", b"400"), f"{host} is refused")
    for _ in range(100):
        status_for(server, b"again.example")
    said, status = server.end()
    checks.check(status == 0 and said.count("again.example") < 20 and re.search(r"\d\d more were refused", said),
                 f"who asks again is not told each time: {status} {said[-300:]}")
    server = Serve(board.path, listen="localhost:0")
    checks.check(status_for(server, b"localhost") == b"200", "a name can be listened at")
    server.end()


def modes():
    """Sockets are their owner's, or as told."""
    folder = lib.folder() / "modes"
    folder.mkdir(exist_ok=True)
    board = Board("mine")
    for words, mode in (((), 0o600), (("--mode", "660"), 0o660)):
        server = Serve("--sockets", folder, *words, board.path)
        checks.check((folder / "mine").stat().st_mode & 0o777 == mode, f"{words}: mode {mode:o}")
        server.end()


def half_open():
    """A scraper is answered whoever else is connected; who is slow to ask or to take is dropped."""
    board = Board("open")
    server = Serve(board.path)
    board.connected()
    with contextlib.ExitStack() as stack:
        def connect(text):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=GUARD))
            client.sendall(text)
            return client

        for _ in range(100):
            for text in (b"", b"GET /metrics HTTP/1.1\r\nHost:", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
                         b"GET /lines/0/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"):
                connect(text)
        checks.check(status_for(server, b"127.0.0.1") == b"200", "a scrape beside 400 others")
        drips, sent = connect(b"GET / HTTP/1.1\r\n"), 0
        end = time.monotonic() + GUARD / 2
        with contextlib.suppress(OSError):
            while time.monotonic() < end and not select.select([drips], [], [], 0.5)[0]:
                drips.sendall(b"X")
                sent += 1
        checks.check(time.monotonic() < end and sent > 1, f"who sends a byte at a time is dropped: {sent}")
    said, status = server.end()
    checks.check(status == 0, f"it ends well: {status} {said[-300:]}")


def few_files():
    """The limit of open files is raised as far as it may be; where that is too little, it is told."""
    board = Board("files")
    for words, told in (("ulimit -Sn 64", False), ("ulimit -n 200", True)):
        server = Serve(board.path, under=("bash", "-c", words + '; exec "$0" "$@"'))
        with contextlib.ExitStack() as stack:
            for _ in range(100):
                stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=GUARD))
            checks.check(status_for(server, b"127.0.0.1") == b"200", f"{words}: a scrape beside 100 others")
        said, status = server.end()
        checks.check(status == 0 and bool(re.search(r"^cpuprobe: 200 open files are allowed", said)) == told,
                     f"{words}: {status} {said}")


def ask(server, readers):
    """Readers of a page: most follow it, every tenth will not read, and one asks for many pages."""
    clients = [server.follow(0) for _ in range(readers)]
    if readers > 1:
        clients[1].close()
        clients[1] = socket.create_connection(("127.0.0.1", server.port))
        clients[1].sendall(b"GET /lines/0 HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n" * 100)
        clients[1].setblocking(False)
    return clients


def used_by(readers, past, stream):
    """Processor time of servers with so many readers each, whose lines send `stream` at once, behind a past that they
    keep."""
    with ptys(len(readers)) as pairs, contextlib.ExitStack() as stack:
        servers = [Serve(os.ttyname(board)) for _, board in pairs]
        names = [os.path.basename(os.ttyname(board)) for _, board in pairs]
        clients = []
        for server, pair, count in zip(servers, pairs, readers):
            server.opened([pair])
            clients.append(ask(server, count))
            for client in clients[-1]:
                stack.callback(client.close)
        for at in range(0, len(past), PIECE):
            for host, _ in pairs:
                os.write(host, past[at:at + PIECE])
        for server, name in zip(servers, names):
            server.wait("line_received_bytes_total", name, len(past))
        before, begun, sent = [server.cpu() for server in servers], time.monotonic(), 0
        came = [0] * len(servers)
        while sent < len(stream):
            time.sleep(0.05)
            some = min(int((time.monotonic() - begun) * PACE), len(stream))
            for host, _ in pairs:
                os.write(host, stream[sent:some])
            sent = some
            for number, of in enumerate(clients):
                got = [len(Serve.drain(client)) for i, client in enumerate(of) if i % 10 != 2]
                came[number] += got[0]
        used = []
        for server, name, count, at, got in zip(servers, names, readers, before, came):
            server.wait("line_received_bytes_total", name, len(past + stream))
            used.append(server.cpu() - at)
            checks.check(server.values("line_received_bytes_total")[name] == len(past + stream) and
                         server.values("line_damaged_total")[name] == 0, f"no byte is lost beside {count} readers")
            checks.check(got > 1000, f"a reader beside {count} gets events: {got} bytes")
            said, status = server.end()
            checks.check(status == 0, f"it ends well: {status} {said[-300:]}")
    return used


def readers():
    """A page is made once, however many read it, of a line that has sent much and of one that has sent little."""
    stream = dump("audit")
    stream = (stream * (3 * SECONDS * PACE // len(stream) + 1))[:3 * SECONDS * PACE]
    past = (dump("audit") * (KEPT // 1000))[:KEPT // len(dump("audit")) * len(dump("audit"))]
    for kind, before in ("much", past), ("little", b""):
        one, more = used_by((1, READERS), before, stream)
        checks.check(more <= 1.2 * one, f"{READERS} readers of a line that has sent {kind} take {more:.2f} s of "
                                        f"processor time, one {one:.2f} s")


def fast(run):
    """Four lines at 1.5 Mbit/s lose nothing, beside clients of each and readers of their pages."""
    folder = lib.folder() / "sockets"
    folder.mkdir(exist_ok=True)
    stream = run * (1000000 // len(run))
    with ptys(FAST_LINES) as pairs, contextlib.ExitStack() as stack:
        server = Serve("--sockets", folder, *(os.ttyname(board) for _, board in pairs))
        server.opened(pairs)
        readers = [stack.enter_context(server.follow(i % FAST_LINES)) for i in range(8 * FAST_LINES)]
        names = [os.path.basename(os.ttyname(board)) for _, board in pairs]
        clients = [stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in pairs]
        for client, name in zip(clients, names):
            client.connect(str(folder / name))
            client.setblocking(False)
            server.wait("line_clients", name, 1)
        got, before = [bytearray() for _ in pairs], server.cpu()

        def take():
            for client in readers:
                server.drain(client)
            for i, client in enumerate(clients):
                got[i] += server.drain(client)

        in_bursts(pairs, stream, take)
        for name in names:
            server.wait("line_received_bytes_total", name, len(stream))
        each = (server.cpu() - before) / (FAST_LINES * len(stream) / 1e6)
        end = time.monotonic() + GUARD
        while min(map(len, got)) < len(stream) and time.monotonic() < end:
            take()
        checks.check(all(bytes(some) == stream for some in got), f"{FAST_LINES} lines at 1.5 Mbit/s: clients got "
                     f"{[len(some) for some in got]} of {len(stream)}")
        damaged = server.values("line_damaged_total")
        checks.check(set(damaged.values()) == {0.0}, f"and nothing is damaged: {damaged}")
        used = each * FAST_LINES * FAST / 1e6
        checks.check(used <= FAST_CORES, f"and take {used:.3f} processors, at most {FAST_CORES}")
        server.end()


def slow_page():
    """A page that takes long to make keeps no line waiting: another process makes it."""
    board = Board("thinned")
    server = Serve(board.path)
    board.connected()
    with server.follow(0) as reader:
        before = server.own_cpu()
        board.send(dump("thinned"))
        end, got = time.monotonic() + GUARD, b""
        while len(got) < 1000 and time.monotonic() < end:
            got += server.drain(reader)
            time.sleep(0.05)
        own, whole = server.own_cpu() - before, server.cpu()
    checks.check(len(got) >= 1000 and whole > 2 * own, f"a page takes {whole - own:.2f} s, of the server {own:.3f} s")
    server.end()


def events(server, number, count, more):
    """So many server-sent events of a line; before each but the first `more` is called."""
    found, text = [], b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=GUARD) as line:
        line.sendall(b"GET /lines/%d/events HTTP/1.0\r\n\r\n" % number)
        while len(found) < count:
            got = line.recv(1 << 16)
            if not got:
                break
            text += got
            for message in re.findall(rb"data: (.*)\n\n", text)[len(found):]:
                found.append(json.loads(message))
                if len(found) < count:
                    more()
    return text, found


def follows(run):
    """The page of a line is that of report, and events bring it each new table."""
    board = Board("followed")
    server = Serve(board.path)
    board.connected()
    checks.check(server.get("/lines/0")[0] == 503, "no page before there is a table")
    checks.check(server.get("/lines/1")[0] == server.get("/lines/0/none")[0] == server.get("/lines/")[0] == 404,
                 "nor of lines that there are not")
    frames = [m.end() - 1 for m in re.finditer(b"\0\0", run)]
    first = next(at for at in frames if samples_of(run[:at]))
    board.send(run[:first])
    server.wait("snapshot", "followed", 1)
    status, page = server.get("/lines/0")
    checks.check(status == 200 and 'data-live="/lines/0/events"' in page and "connect-src 'self'" in page,
                 f"the page follows: {status}")
    text, found = events(server, 0, 2, lambda: board.send(run[first:]))
    samples = [e["runs"][0]["stat"]["samples"] for e in found]
    checks.check(b"text/event-stream" in text and samples == [samples_of(run[:first]), samples_of(run)],
                 f"two tables: {samples}")
    checks.check([schema.fault("report", e) for e in found] == ["", ""], "each as the schema of report says")
    path = lib.folder() / "followed.dump"
    path.write_bytes(run)
    checks.check(found[-1]["runs"][0]["stat"]["tasks"] == lib.stat(path)["tasks"], "and the last is that of stat")
    checks.check(server.end()[1] == 0, "it ends with a reader")


def samples_of(part):
    """Samples of the last table in a part of a stream; None: it has no table."""
    path = lib.folder() / "part.dump"
    path.write_bytes(part)
    text, _ = lib.host("stat", "--json", path, coming=True)
    return json.loads(text)["samples"] if text else None


def shared(run):
    """Clients of one line: each gets all, who comes late gets the names; who does not read, or babbles,
    is dropped."""
    folder = lib.folder() / "sockets"
    folder.mkdir(exist_ok=True)
    board = Board("board")
    server = Serve("--sockets", folder, board.path)
    board.connected()
    recorders = [subprocess.Popen([TOOL, "record", folder / "board", "-o", lib.folder() / f"kept-{i}"],
                                  stderr=subprocess.PIPE, text=True) for i in range(2)]
    lazy, rude = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    for client in (lazy, rude):
        client.connect(str(folder / "board"))
    checks.check(server.wait("line_clients", "board", 4) == 4, "four clients")
    rude.sendall(b"\0" + b"x" * 20000)
    checks.check(server.wait("line_dropped_clients_total", "board", 1) == 1, "who sends without end is dropped")
    third = run.index(b"\0\0", len(run) // 3) + 1
    board.send(run[:third])
    server.wait("line_received_bytes_total", "board", third)
    late = subprocess.Popen([TOOL, "record", folder / "board", "-o", lib.folder() / "late"], stderr=subprocess.PIPE,
                            text=True)
    server.wait("line_clients", "board", 4)
    board.send(run[third:])
    for i, recorder in enumerate(recorders):
        said = recorder.communicate(timeout=GUARD)[1]
        kept = (lib.folder() / f"kept-{i}").read_bytes()
        checks.check(recorder.returncode == 0 and kept == run,
                     f"recorder {i} has all: {recorder.returncode} {said} {len(kept)} of {len(run)}")
    said = late.communicate(timeout=GUARD)[1]
    checks.check(late.returncode == 0, f"who came late has a run without a gap: {late.returncode} {said}")
    checks.check(lib.stat(lib.folder() / "late")["tasks"] == lib.stat(lib.folder() / "kept-0")["tasks"],
                 "and the same table")
    checks.check(server.wait("line_clients", "board", 1) == 1, "three have left")
    for _ in range(40):
        board.send(run * 30)
    checks.check(server.wait("line_dropped_clients_total", "board", 2) == 2, "who does not read is dropped")
    said, status = server.end()
    checks.check(status == 0 and "does not read" in said and "neither frames nor lines" in said,
                 f"both are told: {status} {said}")
    checks.check(not (folder / "board").exists(), "no socket is left behind")


def sessions(got):
    """Of the commands that came, in their order."""
    bodies = (frames.intact(block) for block in got.split(frames.ZERO) if block)
    return [frames.numbers(body[frames.HEAD:], ("boot", "session"))["session"] for body in bodies
            if body and body[0] == frames.COMMAND]


def requests(run):
    """Two clients' COMMANDs reach the board whole, one at a time,
    and the second waits until the first is given up."""
    folder = lib.folder() / "sockets"
    board = Board("asked")
    server = Serve("--sockets", folder, board.path)
    board.connected()
    board.send(run[:1000])
    server.wait("line_received_bytes_total", "asked", 1000)
    begun = time.monotonic()  # not when the first came: it may be seen late
    talks = [subprocess.Popen([TOOL, "control", "--timeout", str(GUARD), folder / "asked", "status"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    server.wait("line_clients", "asked", 2)
    got, end = b"", time.monotonic() + GUARD
    while len(set(sessions(got))) < 2 and time.monotonic() < end:
        if select.select([board.line], [], [], 0.1)[0]:
            got += board.line.recv(4096)
    waited = time.monotonic() - begun
    checks.check(len(set(sessions(got))) == 2, f"without an answer the other's command follows: {sessions(got)}")
    checks.check(waited >= GIVEN_UP, f"but not before {GIVEN_UP} s: {waited:.1f}")
    for talk in talks:
        talk.kill()
        talk.communicate(timeout=GUARD)
    server.end()


def main():
    run = dump("run")
    unruly(run)
    named()
    modes()
    half_open()
    few_files()
    follows(run)
    readers()
    slow_page()
    fast(run)
    shared(run)
    requests(run)
    many(run)
    few_instructions(run)
    for words in (["--listen", "nowhere", "/dev/null"], ["--listen", "127.0.0.1:99999", "/dev/null"],
                  ["--listen", "no such name:80", "/dev/null"]):
        done = subprocess.run([TOOL, "serve", *words], capture_output=True, text=True, timeout=GUARD, check=False)
        checks.check(done.returncode == 1 and "no address and port" in done.stderr,
                     f"{words}: {done.returncode} {done.stderr}")
    done = subprocess.run([TOOL, "serve", lib.ROOT / "README.md"], capture_output=True, text=True, timeout=GUARD,
                          check=False)
    checks.check(done.returncode == 2 and "is no line" in done.stderr, f"a file: {done.returncode} {done.stderr}")
    checks.finish()


if __name__ == "__main__":
    main()
