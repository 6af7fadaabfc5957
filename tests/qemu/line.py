#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Nothing that comes over the line can harm: noise, floods and nonsense beside the same run without them."""

import random
import re

import frames
import lib
from link import Link

SECONDS = 40  # at least, of each run
LEFT = re.compile(r"memory: (\d+) KiB left")
REST = 2      # of the machine, after the last byte: what the image keeps is read by then, and the end finds room
WORDS = "tasks=figure3 seconds=0 monitor=system,samples rate=200 account=on seed=1"
BYTES = 60 * 11520  # what a minute at 115200 bit/s carry; QEMU hands it over as fast as the image reads
OURS = 3            # commands of each run: status at the begin and before the end
POINTS = 0.5        # of all time: what reading and answering may take from a task
NONSENSE = (
    b"x" * 100000 + b"\r",
    b"bogus\nrate=0\nrate=99999999999999999999\nseconds=-1\ntick \xff\xfe\npat -sec 0\nregions remove 99\n" * 50,
    b"\0" * 5000,
    b"\0" + b"z\x12" * 50000 + b"\0",
    b"help " * 60 + b"\n",
    b"".join(frames.frame(kind, b"\1" * 40) for kind in range(1, 256)),
    b"".join(frames.command("bogus", session=9, number_=n) for n in range(1, 200)),
)


def noise():
    return random.Random(1).randbytes(BYTES)


def flood():
    """Commands that nobody waits for, each twice."""
    return b"".join(frames.command("tick", session=5, number_=n) * 2 for n in range(1, 400))


def run(name, data):
    """The run with so many bytes sent to it as it takes; its dump."""
    with Link(name, WORDS) as link, link.connect() as hand:
        hand.await_records("SNAPSHOT")
        hand.ask("status", session=3)
        for part in data:
            hand.send(part)
        hand.await_taken()
        hand.await_seconds(max(SECONDS, hand.seconds() + REST))
        hand.ask("status", session=4)
        hand.end(session=6)
    return hand.dump


def shares(dump):
    return {r["name"]: r["total"]["exact"] for r in lib.stat(dump)["tasks"] if r["name"] not in lib.NOT_TASKS}


def check_run(checks, name, dump, quiet):
    """No tick is lost, no task suspended, nothing grows: against the run without."""
    said, status = lib.host("audit", dump)
    checks.check(status == 0, f"{name}: each tick is the generator's ({status}) {said.strip().splitlines()[-1:]}")
    table = lib.stat(dump)
    checks.check(table["complete"], f"{name}: the run is complete")
    now = shares(dump)
    apart = {task: now[task] - share for task, share in shares(quiet).items()}
    worst = max((t for t in apart if t not in ("IDLE", "PROBE", "ROGUE")), key=lambda t: abs(apart[t]))
    checks.check(abs(apart[worst]) <= POINTS and min(now[t] for t in now if t not in ("PROBE",)) >= 0,
                 f"{name}: no task is suspended: {worst} by {apart[worst]:.3f} points; PROBE by {apart['PROBE']:.3f}")
    texts = [head["text"] for head, _ in lib.records(dump, "TEXT")]
    wrong = sum("change nothing" in text for text in texts)
    seconds = table["window"]["seconds"]
    checks.check(wrong <= 5 * seconds, f"{name}: {wrong} sentences about wrong lines in {seconds:.0f} s")
    left = LEFT.findall(" ".join(head["text"] for head, _ in lib.records(dump, "ANSWER")))
    checks.check(len(left) >= 2 and len(set(left)) == 1, f"{name}: no memory is taken: {left} KiB left")
    told = [head for head, _ in lib.records(dump, "RECEIVED")]
    return told[-1] if told else None


def main():
    checks = lib.Checks()
    quiet = run("quiet", ())
    told = check_run(checks, "quiet", quiet, quiet)
    checks.check((told["commands"] - told["repeated"], told["refused"]) == (OURS, 0),
                 f"quiet: only these came: {told}")
    told = check_run(checks, "noise", run("noise", [noise()]), quiet)
    checks.check(told["bytes"] + told["unread"] >= BYTES and told["commands"] - told["repeated"] == OURS and
                 told["damaged"] > 100, f"noise: {told}")
    told = check_run(checks, "nonsense", run("nonsense", NONSENSE), quiet)
    checks.check(told["too_long"] + told["cut"] >= 3 and told["foreign"] >= 200 and told["refused"] >= 200,
                 f"nonsense: {told}")
    dump = run("flood", [flood()])
    told = check_run(checks, "flood", dump, quiet)
    answered = [((a["session"], a["id"]), a["repeated"]) for a, _ in lib.records(dump, "ANSWER")]
    done = [i for i, repeated in answered if not repeated]
    checks.check(len(done) == len(set(done)) and len(done) > 10, f"flood: {len(done)} done, none twice: {told}")
    checks.finish()


if __name__ == "__main__":
    main()
