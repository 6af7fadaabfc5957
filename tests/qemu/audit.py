#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""`cpuprobe audit`: clean on real runs of each policy, and one altered interval, dropped tick or repeated frame is found."""

import re
import subprocess
import zlib

import cobs
import lib

CELL = "monitor=system,samples rate=1000 seconds=8 seed=1"
RUNS = {"stratified": "interval=stratified", "random": "interval=random", "fixed": "interval=fixed", "nmi": "delivery=nmi",
        "masked": "tasks=masked"}
SNAPSHOT, PACKED_SAMPLES, DELTA = 3, lib.wire_type("PACKED_SAMPLES"), lib.wire_type("DELTA")
DELTA_HEAD = ("epoch", "serial", "base", "part", "last", "samples", "end")
DELTA_FIELDS = ("ticks", "made", "monitor", "transitions", "intervals")  # those of its mask's lowest bits
HOLDS, DAMAGED, FAILS = 0, 3, 4


# ---- Frames: 0, COBS(type, sequence, fields, CRC-32), 0

def frames(dump):
    """Type, sequence and fields, without the CRC."""
    return [cobs.decode(f)[:-4] for f in dump.read_bytes().split(b"\0") if f]


def write(path, bodies):
    whole = (b + zlib.crc32(b).to_bytes(4, "little") for b in bodies)
    path.write_bytes(b"".join(b"\0" + cobs.encode(w) + b"\0" for w in whole))
    return path


def numbers(body, count):
    """The first fields of a frame, all numbers, and the rest."""
    found, at = [], 3
    for _ in range(count):
        value = shift = 0
        while True:
            byte = body[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        found.append(value)
    return found, body[at:]


def leb(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def changed(body, fields, name, by):
    """The frame with one of its leading numbers another one; `fields` are their names in order."""
    found, rest = numbers(body, len(fields))
    found[fields.index(name)] += by
    return body[:3] + b"".join(map(leb, found)) + rest


def changed_delta(body, name, by):
    """A DELTA with one of the differences of its head another one; of `ticks` also its samples."""
    found, rest = numbers(body, len(DELTA_HEAD))
    (length, mask), rest = numbers(b"..." + rest, 2)
    said = [f for bit, f in enumerate(DELTA_FIELDS) if mask >> bit & 1]
    changes, rest = numbers(b"..." + rest, len(said))
    changes[said.index(name)] += by
    if name == "ticks":
        found[DELTA_HEAD.index("samples")] += by
    text = leb(mask) + b"".join(map(leb, changes)) + rest
    assert abs(len(text) - length) <= 1  # a number may have another byte
    return body[:3] + b"".join(map(leb, [*found, len(text)])) + text


def fields_of(dump, kind):
    """Names of the leading fields that are numbers."""
    head, _ = next(lib.records(dump, kind))
    names = [n for n in head if n != "seq"]
    return names[:names.index("codes")] if "codes" in names else names


# ---- The audit

def audit(dump):
    done = subprocess.run([lib.ROOT / "build/cpuprobe", "audit", dump], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    return done.returncode, done.stdout


def check_clean(checks, name, words):
    run = lib.boot(name, f"output=frames {CELL} {words}")
    checks.check(run.status == lib.COMPLETE, f"{name}: the run ends well {run.said.strip()}")
    status, text = audit(run.dump)
    checks.check(status == HOLDS and "the ticks are the generator's" in text, f"{name}: clean\n{text}")
    table = lib.stat(run.dump)
    last = list(lib.records(run.dump, "SNAPSHOT"))[-1][0]
    buckets = [rows for head, rows in lib.records(run.dump, "LATENESS") if head["serial"] == last["serial"]]
    checks.check(sum(r["count"] for rows in buckets for r in rows) == table["late"],
                 f"{name}: the histogram of lateness has the {table['late']} late ticks")
    checks.check(last["begin"] < last["first"] < last["end"], f"{name}: first and last tick are in the window")
    checked = int(re.search(r"intervals +(\d+) checked", text)[1])
    checks.check(checked == table["samples"] - 1, f"{name}: each of {checked} intervals is held against the generator's")
    return run.dump


def check_caught(checks, dump, name, bodies, status, sentence):
    got, text = audit(write(dump.with_suffix(f".{name}"), bodies))
    said = [line for line in text.splitlines() if line.startswith("cpuprobe:")]
    checks.check(got == status and any(re.search(sentence, line) for line in said), f"{name}: exit {got}, {said[:3]}")


def edited(bodies, number, body):
    return bodies[:number] + [body] + bodies[number + 1:]


def check_alterations(checks, dump):
    bodies = frames(dump)
    snapshots = [i for i, b in enumerate(bodies) if b[0] == SNAPSHOT]
    told = [i for i, b in enumerate(bodies) if b[0] == PACKED_SAMPLES]
    middle, last = told[len(told) // 2], snapshots[-1]
    heads, times = fields_of(dump, "SNAPSHOT"), fields_of(dump, "PACKED_SAMPLES")
    checks.check(write(dump.with_suffix(".same"), bodies).read_bytes() == b"".join(
        b"\0" + f + b"\0" for f in dump.read_bytes().split(b"\0") if f), "frames are the same when nothing is altered")
    for by in (-100000, 100000):
        check_caught(checks, dump, f"interval{by:+d}", edited(bodies, middle, changed(bodies[middle], times, "time", by)), FAILS,
                     "its interval was altered")
    check_caught(checks, dump, "sum", edited(bodies, last, changed(bodies[last], heads, "intervals", 1)), FAILS,
                 "an interval was altered")
    fewer = changed(changed(bodies[last], heads, "ticks", -1), heads, "samples", -1)
    check_caught(checks, dump, "dropped", edited(bodies, last, fewer), FAILS, "the generator gave 1 more intervals: ticks were dropped")
    check_caught(checks, dump, "generator", edited(bodies, last, changed(bodies[last], heads, "generator", 1)), FAILS,
                 "the ticks are not its own")
    deltas = [i for i, b in enumerate(bodies) if b[0] == DELTA]
    checks.check(len(deltas) >= 3, f"{len(deltas)} snapshots came as deltas")
    delta = deltas[len(deltas) // 2]
    check_caught(checks, dump, "sum-delta", edited(bodies, delta, changed_delta(bodies[delta], "intervals", 1)), FAILS,
                 "an interval was altered")
    check_caught(checks, dump, "dropped-delta", edited(bodies, delta, changed_delta(bodies[delta], "ticks", -1)), FAILS,
                 "ticks were dropped|an interval was altered|not its own")
    for kind, frame in (("samples", middle), ("snapshot", snapshots[0]), ("delta", delta)):
        check_caught(checks, dump, f"repeated-{kind}", bodies[:frame] + [bodies[frame]] + bodies[frame:], FAILS,
                     "a frame was repeated")
    check_caught(checks, dump, "repeated-hello", bodies[:1] + bodies, DAMAGED, "1 frames were repeated")
    check_caught(checks, dump, "lost", bodies[:middle] + bodies[middle + 1:], DAMAGED, "1 frames are missing")


def check_masked_places(checks, dump):
    """The late ticks of a run that masks fall where interrupts were let in again."""
    late = lib.row(lib.stat(dump), "MASKED")["total"]["hits"]
    text, status = lib.host("histogram", "--task", "MASKED", dump)
    checks.check(status == 0 and late > 100 and str(late) in text, f"histogram of the {late} late ticks")


def main():
    checks = lib.Checks()
    dumps = {name: check_clean(checks, name, words) for name, words in RUNS.items()}
    check_alterations(checks, dumps["stratified"])
    check_masked_places(checks, dumps["masked"])
    checks.finish()


if __name__ == "__main__":
    main()
