#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Tasks that ask for more than they may have, in Bochs, whose line is as slow as it says:
none stops the stream or the run."""

import pathlib
import re
import shutil
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))

import lib
from terminal import Terminal

SKIPPED = 77
SHIFT = 7       # a slow machine, of which many seconds pass in a short time
EPOCH = 19200   # bytes, ten seconds: a flood that PROBE does not withstand fills the line's ring in eight
ASKED = 64 - 2  # bits of kernel/sched/grants.h: all calls and services but to end and to report
BOUNDED = 3     # calls with bounds that a task may ask to pass: kernel/workload/workload_hostile.c
FAULTS = {"UPRIV": 13, "UDIV": 0, "UREAD": 14}
SECOND = 1.5    # between two snapshots, at most: one a second, and a look at what tasks did may come between


def said(dump):
    return [head["text"].strip() for head, _ in lib.records(dump, "TEXT") if head["severity"]]


def check_denials(checks, dump):
    """Each is told by task and by cause; and nothing that was denied was answered all the same."""
    text = "\n".join(said(dump))
    answered = {h["name"]: h["value"] for h, _ in lib.records(dump, "REPORT") if h["name"] in ("ASKER", "BOUND")}
    checks.check(answered == {"ASKER": 0, "BOUND": 0}, f"no call is answered that is denied: {answered}")
    for name, calls in (("ASKER", ASKED), ("BOUND", BOUNDED)):
        checks.check(f"task {name} made {calls} calls that it is not granted" in text,
                     f"{name} was denied {calls} calls")
    lost = re.search(r"task FLOOD made (\d+) reports that found no room", text)
    checks.check(lost, f"what FLOOD lost is told: {lost and lost[1]} reports")
    told = [h["value"] for h, _ in lib.records(dump, "REPORT") if h["name"] == "FLOOD"]
    checks.check(lost and told and told[-1] <= len(told) + int(lost[1]),
                 f"report {told[-1] if told else 0} of FLOOD is not above the {len(told)} told and those "
                 "lost together")
    checks.check(all(a < b for a, b in zip(told, told[1:])), "they are told in order, each once")


def check_stream(checks, dump):
    faults = {h["name"]: h["vector"] for h, _ in lib.records(dump, "FAULT")}
    checks.check(faults == FAULTS, f"all faults are on record: {faults}")
    hz = next(h["clock_hz"] for h, _ in lib.records(dump, "HELLO"))
    made = [(h["epoch"], h["made"] / hz) for h, _ in lib.records(dump, "SNAPSHOT")]
    apart = [b - a for (one, a), (other, b) in zip(made, made[1:]) if one == other]
    checks.check(len(apart) > 2 and max(apart) < SECOND,
                 f"a snapshot each second, {len(made)} in all, at most {max(apart, default=0):.2f} s apart")


def main():
    if not shutil.which("bochs"):
        print("no Bochs: tools/setup check installs it")
        sys.exit(SKIPPED)
    checks = lib.Checks()
    line = Terminal("unruly", "tasks=unruly rate=100 seed=1 serial=com1,19200", SHIFT)
    line.keep(EPOCH)
    line.send("rate=200")
    line.keep(EPOCH)
    checks.check(line.finish() == lib.COMPLETE, "the run ends well when it is told to")
    rates = list(dict.fromkeys(re.search(r" rate=(\d+)", h["words"])[1] for h, _ in lib.records(line.dump, "HELLO")))
    checks.check(rates == ["100", "200"], f"a command is obeyed in the flood: rates {rates}")
    check_denials(checks, line.dump)
    check_stream(checks, line.dump)
    table = lib.stat(line.dump)
    lib.check_sums(checks, "unruly", table, next(h for h, _ in lib.records(line.dump, "HELLO"))["late"])
    checks.finish()


if __name__ == "__main__":
    main()
