#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""`cpuprobe audit`: clean on real runs of each policy, and one moved point, a tick left out or doubled, another seed,
two runs mixed or a repeated frame is found."""

import re
import subprocess
import zlib

import cobs
import lib

CELL = "monitor=system,samples rate=1000 seconds=8 seed=1"
RUNS = {"stratified": "interval=stratified", "random": "interval=random", "exponential": "interval=exponential",
        "fixed": "interval=fixed", "nmi": "delivery=nmi", "masked": "tasks=masked"}
SNAPSHOT, PACKED_SAMPLES, DELTA = 3, lib.wire_type("PACKED_SAMPLES"), lib.wire_type("DELTA")
DELTA_HEAD = ("epoch", "serial", "base", "part", "last", "samples", "end")
DELTA_FIELDS = ("ticks", "made", "monitor", "transitions", "intervals", "generator", "changes_user",
                "changes_supervisor", "changes_kernel", "changes_interrupt", "late", "excess", "lateness",
                "missed_overrun", "missed_source",
                "lost_table", "lost_ring", "begin", "first", "points")  # those of its mask's lowest bits
MEASURED = ("late", "arrivals", "earliest", "latest", "arrived")  # of PACKED_SAMPLES, behind the steps
COUNTS = 1677  # clock units in two counts of the source
FAR = 1 << 20  # clock units, zigzag: no tick in time is so far from its point
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


def changed_arrival(body, fields, name, to):
    """PACKED_SAMPLES with one of the numbers behind its steps another one."""
    _, rest = numbers(body, len(fields))
    for _ in range(2):
        (length,), rest = numbers(b"..." + rest, 1)
        rest = rest[length:]
    found, after = numbers(b"..." + rest, len(MEASURED))
    assert not after
    found[MEASURED.index(name)] = to
    return body[:len(body) - len(rest)] + b"".join(map(leb, found))


def changed_delta(body, name, by):
    """A DELTA with one of the differences of its head another one; of `ticks` also its samples and points."""
    found, rest = numbers(body, len(DELTA_HEAD))
    (length, mask), rest = numbers(b"..." + rest, 2)
    said = [f for bit, f in enumerate(DELTA_FIELDS) if mask >> bit & 1]
    changes, rest = numbers(b"..." + rest, len(said))
    changes[said.index(name)] += by
    if name == "ticks":
        changes[said.index("points")] += by
        found[DELTA_HEAD.index("samples")] += by
    text = leb(mask) + b"".join(map(leb, changes)) + rest
    assert abs(len(text) - length) <= 2  # a number may have another byte
    return body[:3] + b"".join(map(leb, [*found, len(text)])) + text


def fields_of(dump, kind):
    """Names of the leading fields that are numbers."""
    head, _ = next(lib.records(dump, kind))
    names = [n for n in head if n != "seq"]
    return names[:names.index("codes")] if "codes" in names else names


# ---- The audit

def audit(dump):
    done = subprocess.run([lib.ROOT / "build/cpuprobe", "audit", dump], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
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
    checked, late, arrivals = map(int, re.search(r"points +(\d+) samples checked one by one, (\d+) of them late; "
                                                 r"(\d+) arrivals", text).groups())
    checks.check(checked == table["samples"] and late == table["late"],
                 f"{name}: each of {checked} samples is held against its point, {late} are late")
    checks.check(0.99 * (checked - late) <= arrivals <= checked - late,
                 f"{name}: the arrivals of {arrivals} of the others were measured")
    checks.check(last["points"] == last["samples"] + last["in_handler"],
                 f"{name}: {last['points']} points are samples, or fell into handlers")
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
        b"\0" + f + b"\0" for f in dump.read_bytes().split(b"\0") if f),
                 "frames are the same when nothing is altered")
    for by in (-COUNTS, -1, 1, COUNTS):
        check_caught(checks, dump, f"interval{by:+d}",
                     edited(bodies, middle, changed(bodies[middle], times, "time", by)), FAILS,
                     "its interval was altered")
    check_caught(checks, dump, "sum", edited(bodies, last, changed(bodies[last], heads, "intervals", 1)), FAILS,
                 "an interval was altered")
    # Two points of a stratum are drawn together: whether the doubled one is drawn anew, or has only another length,
    # is a question of whether the image had an even or an odd number of them.
    for by, name, sentence in ((-1, "dropped", "the generator gave 1 more intervals: ticks were dropped"),
                               (1, "doubled", "the ticks are not its own|an interval was altered")):
        other = changed(changed(bodies[last], heads, "ticks", by), heads, "samples", by)
        check_caught(checks, dump, f"{name}-sample", edited(bodies, last, other), FAILS,
                     r"of \d+ points \d+ are samples and \d+ fell into handlers")
        check_caught(checks, dump, name, edited(bodies, last, changed(other, heads, "points", by)), FAILS, sentence)
    for name, to, sentence in (("latest", FAR, "after its point and is not late"),
                               ("earliest", FAR + 1, "before its point"), ("arrived", FAR, "contradict each other")):
        check_caught(checks, dump, name, edited(bodies, middle, changed_arrival(bodies[middle], times, name, to)),
                     FAILS, sentence)
    check_caught(checks, dump, "arrivals", edited(bodies, last, changed(bodies[last], heads, "arrived", 1 << 40)),
                 FAILS, "the sum of the arrivals is not between their bounds")
    check_caught(checks, dump, "generator", edited(bodies, last, changed(bodies[last], heads, "generator", 1)), FAILS,
                 "the ticks are not its own")
    deltas = [i for i, b in enumerate(bodies) if b[0] == DELTA]
    checks.check(len(deltas) >= 3, f"{len(deltas)} snapshots came as deltas")
    delta = deltas[len(deltas) // 2]
    check_caught(checks, dump, "sum-delta", edited(bodies, delta, changed_delta(bodies[delta], "intervals", 1)),
                 FAILS, "an interval was altered")
    check_caught(checks, dump, "dropped-delta", edited(bodies, delta, changed_delta(bodies[delta], "ticks", -1)),
                 FAILS, "ticks were dropped|an interval was altered|not its own")
    for kind, frame in (("samples", middle), ("snapshot", snapshots[0]), ("delta", delta)):
        check_caught(checks, dump, f"repeated-{kind}", bodies[:frame] + [bodies[frame]] + bodies[frame:], FAILS,
                     "a frame was repeated")
    check_caught(checks, dump, "repeated-hello", bodies[:1] + bodies, DAMAGED, "1 frames were repeated")
    check_caught(checks, dump, "lost", bodies[:middle] + bodies[middle + 1:], DAMAGED, "1 frames are missing")


def check_mixed(checks, dump):
    """Another seed than the run's is in its words, and raw samples of a run of another seed are among its own."""
    other = lib.boot("other", f"output=frames {CELL.replace('seed=1', 'seed=2')} interval=stratified").dump
    bodies, foreign = frames(dump), frames(other)
    for name, kinds in (("seed", (lib.wire_type("HELLO"),)), ("mixed", (PACKED_SAMPLES,))):
        mine, theirs = ([i for i, b in enumerate(of) if b[0] in kinds] for of in (bodies, foreign))
        epoch = leb(next(lib.records(dump, "HELLO"))[0]["epoch"]), leb(next(lib.records(other, "HELLO"))[0]["epoch"])
        mixed = list(bodies)
        for at, by in list(zip(mine, theirs))[0 if name == "seed" else len(mine) // 2:]:
            mixed[at] = bodies[at][:3] + foreign[by][3:].replace(epoch[1], epoch[0], 1)
            if name == "mixed":
                break
        check_caught(checks, dump, name, mixed, FAILS, "not its own|its interval was altered|an interval was altered")


def check_masked_places(checks, dump):
    """The late ticks of a run that masks fall where interrupts were let in again."""
    late = lib.row(lib.stat(dump), "MASKED")["total"]["hits"]
    text, status = lib.host("histogram", "--task", "MASKED", dump)
    checks.check(status == 0 and late > 100 and str(late) in text, f"histogram of the {late} late ticks")


def main():
    checks = lib.Checks()
    dumps = {name: check_clean(checks, name, words) for name, words in RUNS.items()}
    check_alterations(checks, dumps["stratified"])
    check_mixed(checks, dumps["stratified"])
    check_masked_places(checks, dumps["masked"])
    checks.finish()


if __name__ == "__main__":
    main()
