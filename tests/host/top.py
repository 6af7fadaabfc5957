#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""`cpuprobe top` of recorded streams, at a terminal as a person drives it and without one;
the python is Debian's, which has pyte."""

import json
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import sys
import tarfile
import time
from random import Random

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))

import lib  # noqa: E402
from screen import LEAVES, Screen  # noqa: E402

TOOL = os.environ.get("CPUPROBE", lib.ROOT / "build/cpuprobe")
STREAM = "health"       # of the golden streams: the one with most rows
ROW = re.compile(r"^(\S+) +([\d.]+|n\.a\.) +(?:[\d.]+-[\d.]+|n\.a\.)? +([\d.]+)(?: +([\d.]+)-([\d.]+))?")
MEMORY = 32 << 10     # KB that a stream of any length may take beside what an empty one takes
NOISE_TURNS = 60
LONG = 40             # MB of a long stream
HOME, DOWN = "\x1b[1~", "\x1bOB"  # as this terminal sends them


def rows(text):
    """The rows of the table: name, share of the last interval, since the start, and its limits."""
    found = [ROW.match(line) for line in text.splitlines()]
    return {m[1]: m for m in found if m}


def order(text):
    return list(rows(text))


def differences(text, table):
    """Where shares and limits since the start are not those of stat --json."""
    shown, found = rows(text), []
    for task in table["tasks"]:
        total, row = task["total"], shown.get(task["name"])
        if not row:
            continue
        if row[3] != f"{total['percent']:.{2 if row[4] else 1}f}":
            found.append(f"{task['name']}: {row[3]} is {total['percent']:.3f} %")
        if row[4] and total.get("low") is not None and \
                max(abs(float(row[4]) - total["low"]), abs(float(row[5]) - total["high"])) >= 0.0051:
            found.append(f"{task['name']}: {row[4]}-{row[5]} is {total['low']:.4f}-{total['high']:.4f}")
    named = {t["name"] for t in table["tasks"]}
    return found + ([] if shown and set(shown) <= named else [f"{sorted(set(shown) - named)} are not of stat"])


def sorted_by(table, mode):
    tasks = [t for t in table["tasks"] if t["name"] not in (*lib.NOT_TASKS, "IDLE", "ENDED")]
    return [t["name"] for t in sorted(tasks, key=lambda t: (-t[mode]["hits"], t["name"].encode()))]


def check_plain(checks, dump, table):
    """Not a terminal: one table of a file, sorted as asked."""
    for key, mode in (("total", "total"), ("user", "user"), ("kernel", "kernel")):
        text = lib.host("top", "--since-start", "--sort", key, dump)[0]
        wanted = sorted_by(table, mode)
        checks.check(order(text)[:len(wanted)] == wanted, f"--sort {key}: {order(text)[:4]} is {wanted[:4]}")
    checks.check(not differences(text, table), f"numbers are those of stat {differences(text, table)}")
    few = lib.host("top", "--top", "2", dump)[0]
    checks.check(len(order(few)) == 2 and "\x1b" not in few, "--top 2: two rows, and no escape sequence")
    checks.check(re.search(rf"^busy .*; {len(wanted) - 2} more tasks$", few, re.M),
                 "and how many tasks there are besides")
    none = subprocess.run([TOOL, "top", "--sort", "size", dump], capture_output=True, text=True)
    checks.check(none.returncode == 2 and "'size' is not a choice: name, total" in none.stderr,
                 "another order is refused")
    with open(dump, "rb") as stream:
        piped = subprocess.run([TOOL, "top", "--since-start", "--sort", "kernel", "-"], stdin=stream,
                               capture_output=True, text=True)
    checks.check(order(piped.stdout) == order(text), "the same through a pipe")


def check_keys(checks, dump, table):
    """Sort, filter, pause, select, code, help, a window of 40 by 10, and the way out."""
    by_total, by_name = sorted_by(table, "total"), sorted(sorted_by(table, "total"))
    with Screen([TOOL, "top", dump], rows=40, columns=100) as at:
        at.until(lambda text: by_total[0] in text)
        at.type("w")
        checks.check(at.until(lambda text: order(text)[:5] == by_total[:5]), "w: sorted by shares since the start")
        at.until(lambda text: not differences(text, table))  # the order may stand before the numbers do
        checks.check(not differences(at.text(), table), f"numbers are those of stat {differences(at.text(), table)}")
        at.type("n")
        checks.check(at.until(lambda text: order(text)[:5] == by_name[:5]), f"n: by name: {by_name[:3]}")
        at.type("u")
        by_user = sorted_by(table, "user")
        checks.check(at.until(lambda text: order(text)[:5] == by_user[:5]), f"u: by user mode: {by_user[:3]}")
        part = by_total[0][:2].lower()
        at.type("/" + part)
        wanted = {name for name in by_total if part in name.lower()}
        checks.check(at.until(lambda text: wanted <= set(order(text)) and by_user[-1] not in order(text)),
                     f"/{part}: {sorted(wanted)}")
        at.type("\x1b")
        checks.check(at.until(lambda text: by_user[0] in text and "filter:" not in text), "Escape: all of them again")
        at.type(" ")
        checks.check(at.until(lambda text: "PAUSED" in text), "space: paused")
        at.type(" n" + HOME + DOWN + "\r")
        checks.check(at.until(lambda text: "PAUSED" not in text and
                              re.search(rf"^{re.escape(by_name[1])}$", text, re.M)),
                     f"down, Enter: the modes of {by_name[1]}")
        checks.check(at.until(lambda text: "  kernel " in text and "  interrupt " in text), "all four of them")
        at.type("z")
        checks.check(at.until(lambda text: "a file takes no commands" in text), "z: a file cannot be asked")
        at.resize(10, 40)
        checks.check(at.until(lambda text: "late" in text and "Last %" in text), "40 by 10: losses and a table")
        at.settle()
        checks.check(len(at.rows()) == 10 and max(map(len, at.rows())) <= 40, "and nothing beyond")
        at.type("\r")
        checks.check(at.until(lambda text: len(order(text)) >= 4 or text.count("|") >= 3), "with rows")
        at.resize(5, 20)
        at.settle()
        at.resize(40, 100)
        checks.check(at.until(lambda text: len(order(text)) > 10), "20 by 5, and back")
        at.type("h")
        checks.check(at.until(lambda text: "any key goes back" in text and "sort by" in text), "h: the keys")
        at.type("qq")
        checks.check(at.ended() == 0 and at.is_restored(), "q: the terminal is as it was")


def check_code(checks):
    """Enter, of a run with raw samples: the functions of the task that has most, with the shares of histogram."""
    dump = lib.folder() / "raw.dump"
    dump.write_bytes(subprocess.run([lib.ROOT / "build/host/make_dump", "raw"], stdout=subprocess.PIPE,
                                    check=True).stdout)
    row = max((row for row in lib.stat(dump)["tasks"] if row["task"]), key=lambda row: row["total"]["hits"])
    mode = max(("user", "supervisor", "kernel", "interrupt"), key=lambda name: row[name]["hits"])
    profile = json.loads(lib.host("histogram", "--json", "--by", "function", "--task", row["name"], "--mode", mode,
                                  dump)[0])
    wanted = [rf"^  {re.escape(each['name'])} +{each['percent']:.1f} %  " for each in profile["rows"][:5]]
    with Screen([TOOL, "top", "--since-start", dump], rows=50, columns=100) as at:
        at.until(lambda text: row["name"] in text)
        at.type(HOME + "\r")
        checks.check(at.until(lambda text: f"{mode} mode, of all" in text),
                     f"Enter: the code of {row['name']} by its raw samples")
        checks.check(wanted and at.until(lambda text: all(re.search(line, text, re.M) for line in wanted)),
                     f"functions with the shares of histogram: {wanted} {at.text()}")
        at.type("q")
        checks.check(at.ended() == 0, "and it ends")


def check_colours(checks, dump):
    with Screen([TOOL, "top", dump]) as at:
        at.until(lambda text: "IDLE" in text or "%" in text)
        at.settle()
        checks.check(at.until(lambda _: any(back != "default" for _, back in at.colours())), "bars have colours")
        at.type("q")
        at.ended()
    with Screen([TOOL, "top", dump], environment={"NO_COLOR": "1"}) as at:
        at.until(lambda text: "%" in text)
        at.settle()
        checks.check(at.colours() == {("default", "default")}, f"NO_COLOR: none: {at.colours()}")
        at.type("q")
        at.ended()
    done = subprocess.run(["script", "-qec", f"TERM=none {TOOL} top {dump}", "/dev/null"], stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60)
    checks.check(done.returncode == 1 and b"cannot be drawn on" in done.stdout, "an unknown terminal is told")


def lines_at(dump, rows_, columns):
    with Screen([TOOL, "top", dump], rows=rows_, columns=columns) as at:
        at.until(lambda text: "busy " in text)
        at.settle()
        lines = [line.rstrip() for line in at.text().splitlines()]
        at.type("q")
        at.ended()
    return lines


def check_sizes(checks, dump, table):
    """What is at every size: how busy it is, and how many tasks there are besides; no word is cut."""
    whole = lines_at(dump, 90, 300)
    for rows_, columns in ((8, 60), (16, 72), (24, 80), (60, 200)):
        lines, tasks = lines_at(dump, rows_, columns), set(sorted_by(table, "total"))
        rest = re.search(r"^busy [\d.]+ %, idle [\d.]+, masked [\d.]+(?:; (\d+) more tasks?)?$", "\n".join(lines),
                         re.M)
        shown = len(tasks & set(order("\n".join(lines))))
        checks.check(rest and shown + int(rest[1] or 0) == len(tasks),
                     f"{columns}x{rows_}: {rest and rest[0]}, beside {shown} of {len(tasks)}")
        heads = lines[:next(i for i, line in enumerate(lines) if line.startswith("Task "))]
        cut = [line for line in heads if not any(full == line or re.match(re.escape(line) + "[ ,;:]", full)
                                                 for full in whole)]
        checks.check(not cut, f"{columns}x{rows_}: no word is cut {cut}")
        checks.check(rows_ < 16 or table["verdict"].split(";")[0] in "\n".join(lines), f"{table['verdict']} is there")


def check_dumb(checks, dump):
    """A terminal whose cursor does not move gets the tables of a pipe."""
    piped = lib.host("top", dump)[0]
    for term in ("TERM=dumb", "TERM=", "-u TERM"):
        done = subprocess.run(["script", "-qec", f"env {term} {TOOL} top {dump}", "/dev/null"],
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        shown = done.stdout.decode().replace("\r", "")
        checks.check(done.returncode == 0 and shown == piped and "\x1b" not in shown,
                     f"{term}: tables, without cursor movement ({done.returncode})")


def check_signals(checks, dump):
    """Whatever ends it, the terminal is put back; stopped and continued it is drawn again."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        with Screen([TOOL, "top", dump]) as at:
            at.until(lambda text: "Last %" in text)
            at.process.send_signal(number)
            checks.check(at.ended() is not None and at.is_restored(), f"signal {number}: the terminal is as it was")
    with Screen(["bash", "-mc", f"{TOOL} top {dump}; read -r; fg >/dev/null; :"]) as at:
        at.until(lambda text: "Last %" in text)
        at.type("\x1a")
        checks.check(at.until(lambda _: at.bytes.count(LEAVES)), "Ctrl-Z: the terminal is left")
        at.screen.reset()
        at.type("\n")
        checks.check(at.until(lambda text: "Last %" in text), "fg: it is drawn again")
        at.type("q")
        checks.check(at.ended() == 0, "and goes on")


def check_growing(checks, dump):
    """A file that grows is followed, with a stretch of noise in it; the other end of a pipe may end."""
    whole, path = dump.read_bytes(), lib.folder() / "growing.dump"
    path.write_bytes(whole[:len(whole) // 2])
    with Screen([TOOL, "top", path], columns=160) as at:
        checks.check(at.until(lambda text: "no end yet" in text and "Last %" in text), "half of a run: no end yet")
        with path.open("ab") as to:
            to.write(b"\0noise\0" + bytes(range(256)) * 4 + b"\0" + whole[len(whole) // 2:])
        checks.check(at.until(lambda text: "ended: complete" in text and "0 damaged" not in text),
                     "the rest, and the damage is told")
        at.type("q")
        at.ended()
    followed = subprocess.run([TOOL, "top", "--follow", dump], capture_output=True, text=True, timeout=60)
    checks.check(followed.returncode == 0 and followed.stdout, "--follow ends with the run")


def welcome(server, data):
    """A connection that takes these bytes: one that waited for longer than a free line needs was given up."""
    while True:
        line, _ = server.accept()
        try:
            line.sendall(data)
            return line
        except BrokenPipeError:
            line.close()


def check_line(checks, dump):
    """A line whose other end speaks nonsense, hangs up and comes back: told, and not an end."""
    path = pathlib.Path(f"/tmp/top-{os.getpid()}")
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen(1)
    try:
        with Screen([TOOL, "top", path], columns=120) as at:
            board, _ = server.accept()
            checks.check(at.until(lambda text: "nothing heard yet" in text), "a silent line")
            board.sendall(b"Booting...\r\n\xff\x1b[31mHello\x07" + os.urandom(3000).replace(b"\0", b"x"))
            checks.check(at.until(lambda text: "no frames" in text), "nonsense is told")
            board.sendall(b"\0" + dump.read_bytes())
            checks.check(at.until(lambda text: "ended: complete" in text and len(order(text)) > 5), "then a run")
            at.type("r100\r")
            board.close()
            checks.check(at.until(lambda text: "opened again each second" in text), "hung up: told")
            again = welcome(server, dump.read_bytes()[:-40])
            checks.check(at.until(lambda text: "opened again 1 times" in text), "and it is back")
            checks.check(at.process.poll() is None, "it runs on")
            at.type("q")
            checks.check(at.ended() == 0 and at.is_restored(), "q: the way out")
            again.close()
    finally:
        server.close()
        path.unlink()


def check_two_sources(checks):
    """tick=A,B: the second source's samples, and the row that differs most."""
    with tarfile.open(lib.ROOT / "tests/golden/streams.tar") as archive:
        archive.extract("two-sources.dump", lib.folder())
    dump = lib.folder() / "two-sources.dump"
    first = json.loads(lib.host("stat", "--json", dump, coming=True)[0])
    other = first["beside"]
    theirs = {row["name"]: row["total"]["percent"] for row in other["tasks"]}
    most = max((theirs.get(row["name"], 0.0) - row["total"]["percent"] for row in first["tasks"]), key=abs)
    wanted = f"{other['policy']['source']} beside it took {other['samples']}, of row "
    with Screen([TOOL, "top", dump], columns=200) as at:
        checks.check(at.until(lambda text: wanted in text and f"{most:+.2f} points" in text),
                     f"{wanted}... {most:+.2f} points: {at.rows()[:4]}")
        at.type("q")
        checks.check(at.ended() == 0, "two sources: q")


def check_noise(checks, dump):
    """Any keys, any sizes and damaged runs at once: it lives, and the terminal is put back."""
    random, whole, path = Random(5), dump.read_bytes(), pathlib.Path(f"/tmp/top-noise-{os.getpid()}")
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen(1)
    keys = "tuKnesw/ jkzxrSp:oc[]dh\r\x1b\x7f\t0aZ" + HOME + DOWN
    try:
        with Screen([lib.SANITIZED, "top", path], columns=120) as at:
            board, _ = server.accept()
            board.setblocking(False)
            for turn in range(NOISE_TURNS):
                some = bytearray(whole)
                for _ in range(int(len(some) * 8 * 10 ** random.uniform(-6, -2))):
                    some[random.randrange(len(some))] ^= 1 << random.randrange(8)
                begin = random.randrange(len(some))
                try:
                    board.send(some[begin:begin + 20000] if turn % 3 else some[:60000])
                    board.recv(1 << 16)
                except BlockingIOError:
                    pass
                at.type("".join(random.choice(keys) for _ in range(random.randrange(12))))
                at.resize(random.randrange(1, 60), random.randrange(1, 200))
                at.pump(0.05)
            checks.check(at.process.poll() is None, f"noise: it lives: {at.process.returncode}")
            at.resize(30, 120)
            at.type("\x1b\x1b \x1b\x1bq")
            checks.check(at.ended() == 0 and at.is_restored(), "noise: q, and the terminal is as it was")
            board.close()
    finally:
        server.close()
        path.unlink()


def peak(path):
    with open(path, "rb") as stream, subprocess.Popen([TOOL, "top", "-"], stdin=stream, stdout=subprocess.DEVNULL,
                                                      stderr=subprocess.DEVNULL) as process:
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    return usage.ru_maxrss


def check_memory(checks, dump):
    """A run that is LONG has no more in memory than a short one."""
    path = lib.folder() / "long.dump"
    whole = dump.read_bytes()
    with path.open("wb") as to:
        for _ in range((LONG << 20) // len(whole)):
            to.write(whole)
    few, many = peak(dump), peak(path)
    path.unlink()
    checks.check(many <= few + MEMORY, f"{few} KB for {len(whole)} bytes, {many} KB for {LONG} MB")


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    checks = lib.Checks()
    with tarfile.open(lib.ROOT / "tests/golden/streams.tar") as archive:
        archive.extract(f"{STREAM}.dump", lib.folder())
    dump = lib.folder() / f"{STREAM}.dump"
    table = json.loads(lib.host("stat", "--json", dump)[0])
    began = time.monotonic()
    check_plain(checks, dump, table)
    check_keys(checks, dump, table)
    check_code(checks)
    check_colours(checks, dump)
    check_sizes(checks, dump, table)
    check_dumb(checks, dump)
    check_signals(checks, dump)
    check_growing(checks, dump)
    check_line(checks, dump)
    check_two_sources(checks)
    check_noise(checks, dump)
    check_memory(checks, dump)
    print(f"{time.monotonic() - began:.1f} s")
    checks.finish()


if __name__ == "__main__":
    main()
