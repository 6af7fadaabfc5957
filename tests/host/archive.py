#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recordings as an archive keeps them: any rate of a line, a port that goes and comes back, files in turn, times of
arrival beside them with the drift of the board's clock.

Run from the project's root after `make all tests`.  Prints a line for each failed check.
"""
import json
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import threading
import time
import tty

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import frames
import lib
import schema

TOOL = lib.ROOT / "build/cpuprobe"
MAKE_DUMP = lib.ROOT / "build/host/make_dump"
OLD, OLD_DATE = -2040000000, "1905-05-10T21:20:00Z"  # of a file
TCGETS2 = 0x802C542A  # ioctl_tty(2): struct termios2 has the rates in its last two words
checks = lib.Checks()


def dump(kind):
    return subprocess.run([MAKE_DUMP, kind], stdout=subprocess.PIPE, check=True).stdout


def record(port, name, *options):
    """Start a recorder; its output file is `name`."""
    out = lib.folder() / name
    return subprocess.Popen([TOOL, "record", port, "-o", out, *options], stderr=subprocess.PIPE, text=True), out


def tool(*arguments):
    done = subprocess.run([TOOL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def finish(recorder):
    said = recorder.communicate(timeout=60)[1]
    return recorder.returncode, said


def rate_of(terminal):
    import fcntl
    return struct.unpack("=2I", fcntl.ioctl(terminal, TCGETS2, bytes(44))[-8:])


def rates(run):
    """A rate without a name reaches the line; the recording is whole."""
    for baud in (74880, 1500000, 115200):
        host, board = os.openpty()
        tty.setraw(board)
        recorder, out = record(os.ttyname(board), f"rate-{baud}", "--baud", str(baud))
        end = time.monotonic() + 60
        while not (rate_of(board) == (baud, baud) and lib.waits(recorder.pid)) and time.monotonic() < end:
            time.sleep(0.01)
        checks.check(rate_of(board) == (baud, baud), f"the line has {rate_of(board)} bits a second, not {baud}")
        os.write(host, run)
        status, said = finish(recorder)
        checks.check(status == 0 and out.read_bytes() == run, f"recorded at {baud}: {status} {said}")
        os.close(host)
        os.close(board)


class Server(threading.Thread):
    """A unix socket that serves each of `pieces` to one client after another, and is away in between."""

    def __init__(self, path, pieces, away):
        super().__init__()
        self.path, self.pieces, self.away = path, pieces, away
        self.start()

    def run(self):
        for piece in self.pieces:
            time.sleep(self.away)
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(str(self.path))
                listener.listen(1)
                connection, _ = listener.accept()
                self.path.unlink()
            connection.sendall(piece)
            time.sleep(0.3)
            connection.close()


def with_counts(run):
    """The stream with SENT before its END, as images have it since protocol 1.8."""
    blocks = [block for block in run.split(b"\0") if block]
    end = frames.intact(blocks[-1])
    count = len(blocks) - 1
    epoch = end[3:3 + next(i for i in range(len(end)) if end[3 + i] < 128) + 1]
    sent = epoch + b"".join(frames.number(n) for n in (count, 0, 0, 0, 0))
    return (b"".join(b"\0" + block + b"\0" for block in blocks[:-1])
            + frames.frame(lib.wire_type("SENT"), sent, count) + frames.frame(end[0], end[3:], count + 1))


def comes_back(run):
    """A port that is not there yet, and goes twice: what arrived is kept to the byte, the gaps are told."""
    path = lib.folder() / "line"
    counted = with_counts(run)
    cut = [counted[:len(run) // 3], counted[len(run) // 3:2 * len(run) // 3], counted[2 * len(run) // 3:]]
    server = Server(path, cut, 0.7)
    recorder, out = record(path, "back", "--reopen", "20", "--times")
    status, said = finish(recorder)
    server.join()
    checks.check(status == 0 and out.read_bytes() == counted, f"kept of a port that goes: {status}, {said}")
    checks.check(said.count("waiting for it 20 s") == 2 and "away 2 times" in said, f"the gaps are told: {said}")
    lines = pathlib.Path(f"{out}.times").read_text().splitlines()
    gaps = [[int(n) for n in line.split()[1:]] for line in lines if line.startswith("gap")]
    checks.check([g[0] for g in gaps] == [len(cut[0]), len(cut[0]) + len(cut[1])],
                 f"the gaps are where the port went: {gaps}")
    checks.check(all(6e8 < g[2] - g[1] < 1e10 for g in gaps), f"and as long: {gaps}")
    _, info, _ = tool("info", out)
    checks.check("the port was away 2 times" in info, f"info tells gaps: {info[:600]}")
    status, _, said = tool("stat", out)
    checks.check(status == 0, f"stat of it, whose SENT says that nothing is missing: {status} {said}")
    server = Server(path, [run[:1000], run[1000:]], 0.3)
    recorder, out = record(path, "uncounted", "--reopen", "20", "--times")
    status, said = finish(recorder)
    server.join()
    checks.check(status == 3 and "an unknown number of frames is missing at 1 places" in said,
                 f"a port that went, no SENT: {status} {said}")
    for command in ("stat", "info", "script", "trace", "output"):
        status, _, said = tool(command, out)
        checks.check(status == 3 and "an unknown number" in said, f"{command} of it: {status} {said}")
    silent = lib.folder() / "silent"
    silent.write_bytes(run)
    for seconds, status in ((59, 0), (61, 3)):
        pathlib.Path(f"{silent}.times").write_text("cpuprobe arrival times 1\n"
                                                   f"start 1\nat 1000 5000000000\nat 1100 {5 + seconds}000000000\n"
                                                   f"at {len(run)} {6 + seconds}000000000\n")
        got, _, said = tool("stat", silent)
        checks.check(got == status, f"a stream that was silent for {seconds} s: {got} {said}")
    recorder, out = record(path, "never", "--reopen", "1")
    status, said = finish(recorder)
    checks.check(status == 1 and "did not come within 1 seconds" in said, f"a port that never comes: {status} {said}")


def rotates():
    """Files in turn: together all that came, each alone without a gap, with the names and the meaning of samples."""
    whole = lib.boot("whole", 'seconds=40 output=frames monitor=system,samples rate=500 note="in turn"').dump
    path = lib.folder() / "rotated"
    server = Server(path, [whole.read_bytes()], 0.0)
    recorder, out = record(path, "run.dump", "--rotate", "20k", "--times", "--reopen", "9")
    status, said = finish(recorder)
    server.join()
    parts = sorted(out.parent.glob("run-*.dump"))
    checks.check(status == 0 and len(parts) >= 3 and not out.exists(),
                 f"files: {status} {said} {[p.name for p in parts]}")
    joined = 0
    for part in parts:
        _, info, said = tool("info", part)
        checks.check("missing    0 frames" in info and " 0 damaged" in info and "note     in turn" in info,
                     f"{part.name} alone: {info[:900]}")
        checks.check("unfinished" not in said and ", 0 unresolved" in info,
                     f"{part.name} cuts nothing: {said} {info}")
        joined += sum(head["count"] for head, _ in lib.records(part, "SAMPLES", coming=True))
    samples = sum(head["count"] for head, _ in lib.records(whole, "SAMPLES"))
    checks.check(joined == samples, f"samples in all files: {joined} of {samples}")
    status, last, said = tool("stat", "--strict", parts[-1])
    checks.check(status == 0 and last == tool("stat", whole)[1], f"the last has the whole table: {status} {said}")


def drifts():
    """A board whose clock runs 300 ppm fast, by HELLOs with delays: info has it in its interval."""
    board, offset, lines = lib.folder() / "drift", 0, ["cpuprobe arrival times 1", "start 1790000000000000000"]
    frames = dump("hellos")
    for second, frame in enumerate(frames.split(b"\0")[1::2]):
        offset += len(frame) + 2
        lines.append(f"at {offset} "
                     f"{int(1e9 * second + 2e6 + 3e5 * (second * 7 % 10) + (2e8 if second % 9 == 4 else 0))}")
    board.write_bytes(frames)
    times = pathlib.Path(f"{board}.times")
    times.write_text("\n".join(lines) + "\n")
    _, info, _ = tool("info", board)
    found = re.search(r"95 % \+([0-9.]+) to \+([0-9.]+)", info)
    low, high = (float(n) for n in found.groups()) if found else (0.0, 0.0)
    checks.check(low < 300 < high and high - low < 60, f"300 ppm: {low} to {high}")
    checks.check("arrived    2026-09-21T" in info, f"the date: {info[:300]}")
    for damage in (b"at 5 4 3\nat -1 2\nat 99999999999999999999 1\n" + b"x" * 1000 + b"\ngap 1 2\n\0\n", b""):
        times.write_bytes("\n".join(lines[:40]).encode() + b"\n" + damage)
        status, info, said = tool("info", board)
        checks.check("arrived" in info and ("cannot be used" in info) == bool(damage),
                     f"damaged times: {status} {info[:400]} {said}")
    times.write_bytes(os.urandom(5000))
    checks.check("arrived" not in tool("info", board)[1], "a file of other bytes is no file of times")


def lists():
    """A folder as a table: runs with note, samples and state; damaged,
    foreign and strange files are rows that say so."""
    folder = lib.folder() / "listed"
    folder.mkdir()
    whole = lib.folder() / "whole.dump"
    run = dump("run")
    files = {"run": run, "cut": run[:run.rfind(b"\0\0") + 1], "empty": b"", "text.svg": b"<svg/>",
             "\x1b[2Jname": run, "two\nlines": run, "refused": dump("refusal"),
             "bent": run[:900] + bytes([run[900] ^ 1]) + run[901:], "large": whole.read_bytes() * 40}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    os.utime(folder / "cut", (OLD, OLD))
    os.mkfifo(folder / "pipe")
    os.mkfifo(folder / "run.times")
    (folder / "loop").symlink_to("loop")
    (folder / "within").mkdir()
    begun = time.monotonic()
    status, text, said = tool("list", folder, "--sort", "samples")
    checks.check(status == 0 and time.monotonic() - begun < 5 and "\x1b" not in text,
                 f"a folder is listed: {status} {said} {text}")
    rows = {r["file"]: r for r in json.loads(tool("list", folder, "--json")[1])["recordings"]}
    checks.check(set(rows) == set(files) | {"pipe", "loop"}, f"what is listed: {sorted(rows)}")
    states = {name: rows[name]["state"].split(":")[0] for name in rows}
    checks.check(states == {"run": "complete", "cut": "no end record", "empty": "no frame", "text.svg": "no frame",
                            "refused": "the image reported failure", "\x1b[2Jname": "complete",
                            "two\nlines": "complete", "bent": "damaged", "large": "complete", "pipe": "not read",
                            "loop": "not read"}, f"their states: {states}")
    checks.check(rows["cut"]["date"] == OLD_DATE and f"\n{OLD_DATE} " in tool("list", folder)[1],
                 f"a file of before 1970: {rows['cut']['date']}")
    table = lib.stat(whole)
    row = rows["large"]
    checks.check(not row["whole"] and row["note"] == "in turn" and row["samples"] == table["samples"] and
                 row["build"] == next(head for head, _ in lib.records(whole, "HELLO"))["build"] and
                 "rate=500" in row["words"], f"a large one by head and tail: {row}")
    wrong = [schema.fault("list", found) for found in schema.objects("list", tool("list", folder, "--json")[1])]
    checks.check(wrong == [""], f"as its schema says: {wrong}")
    first = [line.split()[-1] for line in text.splitlines()[1:3]]
    checks.check(len(text.splitlines()) == len(rows) + 1 and "large" in text.splitlines()[1],
                 f"the most samples first: {first}")
    head, most = text.splitlines()[:2]
    checks.check(head.index("Note") == most.index('"in turn"') and head.index("State") == most.index("complete"),
                 f"columns are below their heads: {head} {most}")
    checks.check(tool("list", folder / "none")[0] == 1 and tool("list", "--sort", "size")[0] == 2,
                 "a folder, and an order, that there is not")


def main():
    run = dump("run")
    rates(run)
    comes_back(run)
    drifts()
    rotates()
    lists()
    checks.finish()


if __name__ == "__main__":
    main()
