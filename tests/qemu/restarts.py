#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Monitors that are stopped and started over the line in random order, under load: restarts.py COMMANDS.

Each epoch has the monitors that it should have, is clean by `cpuprobe audit` and complete, and what its monitors say
adds up to its exact table; what was lost is told.  The monitors are those that the image names.
"""

import random
import re
import sys

import changes
import events
import lib
import monitors
import states
from link import Link

REGION = "*:kernel:0xffffffff80100000-0xffffffff80180000"
# Loads: what is recorded whole, and more than the line carries.
LOADS = ("tasks=figure3 rate=500 interval=random events=all buffer=stop",
         "tasks=openstorm rate=1000 interval=stratified thin=auto",
         "tasks=masked,sleepers rate=700 interval=exponential thin=auto",
         "tasks=calls rate=300 interval=random clock=1000 events=irq,switch thin=auto")
A_BOOT = 100  # commands at most
WRONG = 12    # one command in so many changes nothing
TWICE = 4     # after one command in so many the next is sent at once
MOST = 4      # monitors of a command


class Talk(changes.Talk):
    """Counts all snapshots of an epoch, differences too."""

    kinds = changes.SNAPSHOT, lib.wire_type("DELTA")

    def look(self):
        *pieces, self.rest = (self.rest + self.coming.read()).split(b"\0")
        for piece in pieces:
            kind = piece[1] if len(piece) > 1 else 0
            self.ends += kind == changes.END
            self.snapshots = 0 if kind == changes.END else self.snapshots + (kind in self.kinds)
            self.refusals += b"change nothing" in piece


def named_by_image():
    with Link("names", "seconds=0") as link:
        text = link.control("help", "start")[0]
    return text.split("\nMONITOR", 1)[1].split()


def draw_command(draw, names, on):
    """A line, and the monitors afterwards."""
    off = set(names) - on
    of = sorted(off if off and (not on or draw.randrange(2)) else on)
    some = draw.sample(of, min(len(of), draw.randint(1, MOST)))
    if off & set(some):
        if "region" in some:  # a stop took its regions away
            return f"regions add {REGION}", on | {"region"}
        return f"start {' '.join(some)}", on | set(some)
    if draw.randrange(WRONG) == 0:
        return f"start {' '.join(some)}", on
    return f"stop {' '.join(some)}", on - set(some)


def command(talk, draw, names, on):
    """One command, or two at once, or one that changes nothing: the monitors of each epoch that it began."""
    line, after = draw_command(draw, names, on)
    if after == on:
        talk.send_wrong(line)
        return []
    found, due = [after], talk.ends + 1
    talk.write(line)
    if draw.randrange(TWICE) == 0:
        line, then = draw_command(draw, names, after)
        if then != after:
            talk.write(line)
            found.append(then)
            due += 1
    talk.wait(lambda: talk.ends == due)
    snapshots = draw.randrange(3)
    talk.wait(lambda: talk.snapshots >= snapshots)
    return found


def pieces(dump):
    """The stream of each epoch as one of its own."""
    part = []
    for piece in dump.read_bytes().split(b"\0"):
        part.append(piece)
        if len(piece) > 1 and piece[1] == changes.END:
            path = lib.folder() / "piece.dump"
            path.write_bytes(b"\0".join(part) + b"\0")
            part = [b""]
            yield path


class Found(lib.Checks):
    """What does not hold, said later."""

    def check(self, condition, sentence):
        if not condition:
            self.failed.append(sentence)
        return bool(condition)


def check_events(found, dump):
    facts, _ = events.check_counts(found, "events", dump)
    if facts["lost"] == 0 and "events=all" in next(lib.records(dump, "HELLO"))[0]["words"]:
        events.hold_sums(found, "events", dump)
    return facts["lost"]


def check_states(found, dump):
    facts, sums, _ = states.sums_of(dump)
    found.check(sum(sums.values()) == facts["end"] - facts["begin"], "states: changes of class cover the run")
    if facts["lost"] == 0:
        states.check_exact_cells(found, "states", dump, facts, sums)
    return facts["lost"]


def check_idle(found, dump):
    told, status = monitors.of_host(dump, "idle")
    if not found.check(status == 0, f"idle: {status}"):
        return 0
    entry = 100 * next(lib.records(dump, "HELLO"))[0]["entry"] / told["total"]["clock"]
    error = monitors.idle_error(told)
    found.check(abs(error) <= told["resolution"] + entry, f"idle: {error} points off of {told['resolution']}")
    return 0


def check_acct(found, dump):
    monitors.check_acct_sum(found, "acct", dump)
    return 0


SUMS = {"events": check_events, "states": check_states, "idle": check_idle, "acct": check_acct}


def check_epoch(checks, what, dump, wanted):
    """Whether something of it was lost, which is told."""
    found = Found()
    hello = next(lib.records(dump, "HELLO"))[0]
    on = set(re.search(r" monitor=(\S+)", hello["words"])[1].split(",")) - {"none"}
    found.check(on == wanted, f"monitors {sorted(on)}, not {sorted(wanted)}")
    text, status = lib.host("audit", dump)
    found.check(status == 0, f"audit: {status} {text}")
    table = lib.stat(dump)
    found.check(table["complete"] and not table["unsound"], f"complete {table['complete']}, {table['unsound']}")
    if on & {"system"}:
        lib.check_sums(found, "table", table, hello["late"])
    else:
        exact = sum(cell["exact"] for _, cell in lib.cells(table))
        found.check(abs(exact - 100) <= 100 * hello["late"] / table["tau"], f"the exact shares add to {exact}")
    lost = sum(SUMS[name](found, dump) for name in sorted(on & SUMS.keys()))
    checks.check(not found.failed, f"{what}: {','.join(sorted(on)) or 'none'}, {table['samples']} samples "
                                   f"{'; '.join(found.failed)[:2000]}")
    return lost


def check_load(checks, number, names, count):
    """So many commands in a boot, from all monitors on: how many were stopped or started."""
    draw, load = random.Random(number), LOADS[number % len(LOADS)]
    name = f"load{number}"
    talk = Talk(name, f"{load} monitor={','.join(names)} region={REGION}")
    epochs = [set(names)]
    while len(epochs) <= count:
        epochs += command(talk, draw, names, epochs[-1])
    checks.check(talk.end() == lib.COMPLETE, f"{name}: the run ends well: {load}")
    epochs.append(epochs[-1])
    text, status = lib.host("info", talk.dump)
    checks.check(status == 0 and "missing    0 frames" in text, f"{name}: no frame is missing ({status})")
    lost, seen = 0, 0
    for seen, (dump, wanted) in enumerate(zip(pieces(talk.dump), epochs), 1):
        lost += check_epoch(checks, f"{name}, epoch {seen}", dump, wanted)
    warned = [head["text"] for head, _ in lib.records(talk.dump, "TEXT")
              if head["severity"] and "change nothing" not in head["text"]]
    checks.check(seen == len(epochs) and not warned,
                 f"{name}: {seen} epochs of {len(epochs)}; {lost} events and changes were lost, and told {warned}")


def main():
    checks = lib.Checks()
    count, names = int(sys.argv[1]), named_by_image()
    checks.check(len(names) > 10, f"the image has {len(names)} monitors")
    for number in range(max(2, count // A_BOOT)):
        check_load(checks, number, names, min(A_BOOT, count // 2))
    checks.finish()


if __name__ == "__main__":
    main()
