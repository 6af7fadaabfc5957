#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""What the line carries beside the samples: its bytes, what an attachment in mid-run knows,
and what lost frames cost."""

import lib
from frames import intact

RUN = "rate=120 seconds=60 seed=1"
LIMIT = 700       # bytes a second: issue 18
SETTLED = 10      # seconds, after which the sizes are known and the turns taken,
TURN = 8          # each of so many (kernel/report/stream_turns.h): bytes are counted over whole ones
KNOWN = 10        # seconds after an attachment by which all is known
ATTACHED = (11.3, 18.1, 25.9, 37.4, 44.7)  # seconds after the start, at which somebody attaches within a frame
LOST = (3, 5, 7, 11, 13)  # each how many-th frame is lost
WHOLE = 5  # frames of a whole snapshot of figure3
RECORDS = ("HELLO", "NAMES", "SNAPSHOT", "CELLS", "EXACT", "PROGRAMS", "LATENESS", "DELTA", "SENT")
BESIDE = {lib.wire_type(name): name for name in RECORDS}
NOT_KNOWN = ("no HELLO frame arrived", "no complete snapshot", "names of", "only tell what changed")


def stretches(dump):
    """The frames with a zero on either side, as they are on the line."""
    return [b"\0" + f + b"\0" for f in dump.read_bytes().split(b"\0") if f]


def kind(frame):
    return intact(frame[1:-1])[0]


def second_of(records):
    """Of each frame the second of the run by the last record that tells the time, from the list of `script`."""
    hz = next(head["clock_hz"] for name, head in records if name == "HELLO")
    now = 0.0
    for name, head in records:
        now = max(now, head.get("now", 0) / hz, head.get("made", 0) / hz, head.get("end", 0) / hz)
        yield now


def records(dump):
    """All records in the order of their frames, without what DELTA stands for."""
    text, _ = lib.host("script", dump, coming=True)
    return [(line.split(" ", 1)[0], lib.fields(line.split(" { ")[0])) for line in text.splitlines()
            if not line.startswith("#")]


def rates(frames, seconds):
    """Bytes a second by record, and how many turns they were counted over: whole ones between SETTLED and the end."""
    begin = seconds[0] + SETTLED
    turns = int((seconds[-1] - 1 - begin) // TURN)
    end = begin + turns * TURN
    by_record = dict.fromkeys(RECORDS, 0)
    for frame, when in zip(frames, seconds):
        if begin < when <= end and kind(frame) in BESIDE:
            by_record[BESIDE[kind(frame)]] += len(frame)
    return {name: round(n / (end - begin), 1) for name, n in by_record.items()}, turns


def rates_of(dump):
    return rates(stretches(dump), list(second_of(records(dump))))[0]


def check_bytes(checks, frames, seconds):
    found, turns = rates(frames, seconds)
    checks.check(turns >= 5, f"{turns} turns of {TURN} s are counted")
    checks.check(all(found.values()), f"each of them comes: {found}")
    checks.check(sum(found.values()) <= LIMIT,
                 f"{sum(found.values()):.0f} bytes a second beside the samples, at most {LIMIT}")


def names(table):
    return sorted(r["name"] for r in table["tasks"])


def part(name, frames):
    path = lib.folder() / f"{name}.dump"
    path.write_bytes(b"".join(frames))
    return path


def check_attachment(checks, frames, seconds, whole, offset):
    first = next(i for i, s in enumerate(seconds) if s > seconds[0] + offset)
    stop = next(i for i, s in enumerate(seconds) if s > seconds[first] + KNOWN)
    frames = [*frames[:first - 1], frames[first - 1][len(frames[first - 1]) // 2:], *frames[first:]]
    first -= 1
    before = part(f"before-{offset}", frames[first:first + 2])
    said = lib.said("stat", before)
    checks.check(any(s in said for s in NOT_KNOWN),
                 f"from {offset}: what is not known yet is said: {said.strip()[:90]}")
    known = part(f"known-{offset}", frames[first:stop])
    said, table = lib.said("stat", known), lib.stat(known)
    checks.check(not any(s in said for s in NOT_KNOWN),
                 f"from {offset}: all is known after {KNOWN} s: {said.strip()}")
    checks.check(names(table) == names(whole), f"from {offset}: each of {len(table['tasks'])} rows has its name")
    checks.check(table["epoch"]["build"] == whole["epoch"]["build"], f"from {offset}: who sends is known")
    programs = {row["number"] for _, rows in lib.records(known, "PROGRAMS", coming=True) for row in rows}
    used = {row["program"] for _, rows in lib.records(known, "NAMES", coming=True) for row in rows} - {0}
    checks.check(used and used <= programs, f"from {offset}: the {len(used)} programs of the rows are known")
    rest = lib.stat(part(f"rest-{offset}", frames[first:]))
    checks.check(rest["tasks"] == whole["tasks"], f"from {offset}: the final table is that of the run")


def tables(dump):
    """The records of each snapshot that came into force, by its number."""
    found = {}
    for name in ("SNAPSHOT", "CELLS", "EXACT"):
        for head, rows in lib.records(dump, name, coming=True):
            told = {k: v for k, v in head.items() if k not in ("seq", "part", "cells", "exacts")}
            mine = found.setdefault((head["serial"], name), [{}, {}])
            mine[0] = told
            mine[1].update({row["id"]: row for row in rows})
    return found


def check_lost(checks, frames, right, whole, every, behind):
    left = [f for i, f in enumerate(frames[:behind], 1) if i % every] + frames[behind:]
    dump = part(f"lost-{every}", left)
    found = tables(dump)
    wrong = [key for key, (head, rows) in found.items()
             if head != right[key][0] or any(row != right[key][1].get(id_) for id_, row in rows.items())]
    numbers = {serial for serial, _ in found}
    checks.check(found and not wrong, f"each {every}th frame lost: {len(numbers)} snapshots, wrong: {wrong}")
    checks.check(lib.stat(dump)["tasks"] == whole["tasks"], f"each {every}th frame lost: the final table is the same")
    if every <= WHOLE:
        return  # of each whole snapshot a frame is lost: no table before the final one
    cut = lib.stat(part(f"cut-{every}", left[:-(len(frames) - behind)]))
    serial = cut["epoch"]["snapshot"]
    at = [head for head, _ in lib.records(dump, "SNAPSHOT") if head["serial"] == serial]
    checks.check(at and cut["samples"] == at[-1]["samples"],
                 f"each {every}th frame lost: the last table before is number {serial}")


def main():
    checks = lib.Checks()
    run = lib.boot("figure3", f"output=frames {RUN}")
    whole = lib.run_table(checks, "figure3", run)
    frames, listed = stretches(run.dump), records(run.dump)
    checks.check(len(frames) == len(listed), f"{len(frames)} frames are listed")
    seconds = list(second_of(listed))
    check_bytes(checks, frames, seconds)
    for offset in ATTACHED:
        check_attachment(checks, frames, seconds, whole, offset)
    behind = max(i for i, (name, _) in enumerate(listed) if name == "SNAPSHOT")  # the final one, and what follows
    right = tables(run.dump)
    checks.check(len({serial for serial, _ in right}) == len({h["serial"] for n, h in listed
                                                              if n in ("SNAPSHOT", "DELTA")}),
                 "each snapshot comes into force")
    for every in LOST:
        check_lost(checks, frames, right, whole, every, behind)
    checks.finish()


if __name__ == "__main__":
    main()
