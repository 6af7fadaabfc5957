#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""What SENT and the numbers of TEXT, FAULT, REPORT and OUTPUT tell: of the image as it counts,
and of frames that are taken away.

A tenth of a stream's frames is removed, each with the same chance: the tool names how many are missing, and how many
of each of these types.  A long gap is made as a line that was away makes it: the frames behind it, and what SENT
counts, are so many numbers higher.
"""

import json
import random
import subprocess

import frames
import lib

TOOL = lib.ROOT / "build/cpuprobe"
KINDS = {"TEXT": "texts", "FAULT": "faults", "REPORT": "reports", "OUTPUT": "outputs"}
SNAPSHOTS = ("SNAPSHOT", "DELTA")
WRITER = lib.ROOT / "tests/qemu/linux/writer.c"
DAMAGED = 3


class Frame:
    def __init__(self, block):
        body = frames.intact(block)
        self.type, self.sequence, self.fields = body[0], int.from_bytes(body[1:3], "little"), body[3:]


def frames_of(dump):
    return [Frame(block) for block in dump.read_bytes().split(b"\0") if block]


def written(path, some):
    path.write_bytes(b"".join(frames.frame(f.type, f.fields, f.sequence) for f in some))
    return path


def check_counts(checks, name, dump):
    """Each number by its own count: of the whole stream, from its first frame on."""
    text = subprocess.run([TOOL, "script", dump], check=True, capture_output=True, text=True).stdout
    had, wrong, told, since = dict.fromkeys(KINDS, 0), [], 0, 0
    last = None
    for index, line in enumerate(text.splitlines()):
        kind, head = line.split(" ", 1)[0], lib.fields(line.split(" { ")[0])
        if kind in KINDS:
            had[kind] += 1
            wrong += [line] if head["number"] != had[kind] else []
        if kind == "SENT":
            told, since = told + 1, 0
            wrong += ([line] if (head["frames"], *(head[field] for field in KINDS.values())) != (index, *had.values())
                      else [])
        since += kind in SNAPSHOTS
        wrong += [f"before {line}"] if since > 1 or (kind == "END" and last != "SENT") else []
        last = kind
    checks.check(not wrong and told > 2, f"{name}: {told} SENT, {had}, not as counted: {wrong[:3]}")
    return had


def info(path):
    done = subprocess.run([TOOL, "info", "--json", path], capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout)["stream"]


def check_taken(checks, name, dump, chance):
    """The first frame and the last SENT with what is behind it stay: nothing else tells that they were there."""
    all_frames, types = frames_of(dump), {lib.wire_type(kind): field for kind, field in KINDS.items()}
    end = max(i for i, f in enumerate(all_frames) if f.type == lib.wire_type("SENT"))
    gone = {i for i in range(1, end) if chance.random() < 0.1}
    status, told = info(written(lib.folder() / f"{name}-taken",
                                [f for i, f in enumerate(all_frames) if i not in gone]))
    lost = dict.fromkeys(types.values(), 0)
    for i in gone:
        if all_frames[i].type in types:
            lost[types[all_frames[i].type]] += 1
    checks.check((status, told["missing"], told["unsure"], told["missing_of"]) == (DAMAGED, len(gone), 0, lost),
                 f"{name}: {len(gone)} taken away, {lost}: status {status}, {told['missing']}, {told['unsure']}, "
                 f"{told['missing_of']}")



def later(frame, by):
    """The frame with a number that is so much higher, also where it counts."""
    fields, names = frame.fields, ("epoch", "frames", "texts", "faults", "reports", "outputs")
    if frame.type == lib.wire_type("SENT"):
        told = frames.numbers(fields, names)
        told["frames"] += by
        fields = b"".join(frames.number(told[name]) for name in names)
    other = Frame.__new__(Frame)
    other.type, other.sequence, other.fields = frame.type, (frame.sequence + by) % 65536, fields
    return other


def check_gap(checks, name, dump, by, counted):
    """So many frames are missing in the middle; `counted`: SENT knows, else it is as if none was."""
    some, sent = frames_of(dump), lib.wire_type("SENT")
    middle = len(some) // 2
    some = some[:middle] + [later(f, by) if counted or f.type != sent else f for f in some[middle:]]
    status, told = info(written(lib.folder() / f"{name}-{by}", some))
    right = (told["missing"], told["unsure"]) == (by, 0) if counted else told["unsure"] > 0 or told["missing"] > 0
    checks.check(status == DAMAGED and right,
                 f"{name}: {by} in one gap: status {status}, {told['missing']}, unsure {told['unsure']}")


def main():
    checks = lib.Checks()
    chance = random.Random(7)
    writer = lib.folder() / "writer"
    subprocess.run(["gcc", "-O1", "-w", "-static", WRITER, "-o", writer], check=True)
    runs = {
        "sleepers": lib.boot("sleepers", "output=frames tasks=sleepers seconds=4"),
        "faults": lib.boot("faults", "output=frames tasks=faults rate=1000 seconds=3"),
        "writer": lib.boot("writer", "output=frames tasks=figure3,file:writer seconds=2",
                           options=("--door", "multiboot", "--file", str(writer))),
    }
    had = {name: check_counts(checks, name, run.dump) for name, run in runs.items()}
    checks.check(all(any(of[kind] > 4 for of in had.values()) for kind in KINDS if kind != "TEXT"),
                 f"records of each type: {had}")
    for name, run in runs.items():
        check_taken(checks, name, run.dump, chance)
    for by in (1, 65500, 65535, 65536, 65537, 3 * 65536 + 5):
        check_gap(checks, "sleepers", runs["sleepers"].dump, by, True)
    check_gap(checks, "sleepers", runs["sleepers"].dump, 65500, False)
    checks.finish()


main()
