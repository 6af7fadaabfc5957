#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Times a loop of known instruction count by samples (cpuprobe time): the truth is in a narrow interval."""

import math
import re

import lib

TURNS = 4000000     # kernel/workload/workload.h
INSTRUCTIONS = 2    # of a turn, kernel/abi/spin_loop.h; the few around the loop are nothing to its millions
UNKNOWN = 0.0005    # of the time: without accounting the handler is taken for as long as it is with it
# from the printed interval of 99.9 % to what chance may do to one number of the suite
WIDER = lib.DEVIATIONS / lib.SIGMAS
TOLD = 0.05         # TABLE_BIAS_TOLD
NARROW = 0.0015     # half width of the 99.9 % interval over the time, at most, beside the room for handlers

# name: shift (an instruction takes 2^shift ns), words.  Seed 1 throughout: chosen before any was tried.
RUNS = {
    "shift3": (3, "seconds=30"),
    "shift5": (5, "seconds=60"),
    "random": (3, "seconds=30 interval=random"),
    "account-off": (3, "seconds=30 account=off"),
}
WORDS = "tasks=spin rate=2000 seed=1 monitor=system,samples output=frames"


def executed(piece, window, truth):
    """How much of a piece of work was done in the window, at least and at most.

    Of a piece that lies in it in part, what other tasks and ticks took of its time may lie in that part or not:
    between none and all of what it took beyond its own instructions.
    """
    part = min(window["end"], piece["time"]) - max(window["begin"], piece["time"] - piece["value"])
    if part <= 0 or part == piece["value"]:
        return (0, 0) if part <= 0 else (1, 1)
    others = piece["value"] - truth
    return max(0, part - others) / truth, min(1, part / truth)


def executions(dump, truth):
    """Pieces of work in the window of the last snapshot, at least and at most."""
    window = [head for head, _ in lib.records(dump, "SNAPSHOT")][-1]
    pieces = [head for head, _ in lib.records(dump, "REPORT") if head["name"] == "SPIN"]
    last = pieces[-1]["time"]
    if last < window["end"]:  # it was at work when the run ended: as a piece that took as long as the slowest
        slowest = max(p["value"] for p in pieces)
        pieces.append({"time": max(last + slowest, window["end"]), "value": slowest})
    done = [executed(p, window, truth) for p in pieces]
    return sum(low for low, _ in done), sum(high for _, high in done)


def timed(dump, count):
    """Time of one execution and its 99.9 % interval, clock units."""
    said, status = lib.host("time", dump, "--task", "SPIN", "--function", "spin", "--count", str(count))
    print(said, end="")
    found = re.search(r"([\d.]+) clock units, .*99\.9 % ([\d.]+) to ([\d.]+)", said)
    return [float(x) for x in found.groups()] if found and status == lib.COMPLETE else None


def check_run(checks, name, shift, words):
    run = lib.boot(name, f"{WORDS} {words}", shift=shift)
    if not checks.check(run.status == lib.COMPLETE, f"{name}: the run ends well ({run.status}) {run.said.strip()}"):
        return
    truth = TURNS * INSTRUCTIONS * 2 ** shift
    least, most = executions(run.dump, truth)
    few, many = timed(run.dump, least), timed(run.dump, most)
    if not checks.check(few and many,
                        f"{name}: cpuprobe time says how long {least:.3f} to {most:.3f} executions took"):
        return
    bias = lib.stat(run.dump)["handler_bias"] or 0
    low, high = many[1], few[2]
    checks.check(high - low <= (2 * NARROW + bias / 100) * truth,
                 f"{name}: +-{50 * (high - low) / truth:.3f} % is narrow, with {bias / 2:.3f} for handlers")
    low, high = many[0] - WIDER * (many[0] - low), few[0] + WIDER * (high - few[0])
    if "account=off" in words:
        high *= 1 + UNKNOWN
    checks.check(low <= truth <= high, f"{name}: {truth} is within {low:.0f} to {high:.0f}, "
                 f"off by {100 * (many[0] / truth - 1):+.4f} to {100 * (few[0] / truth - 1):+.4f} %")
    said, _ = lib.host("time", run.dump, "--task", "SPIN", "--function", "spin", "--count", "1")
    checks.check(("with interval=exponential they do not" in said) == (bias >= TOLD),
                 f"{name}: handlers may move a share by {bias:.3f} points, which is told from {TOLD} on")
    too_many = 1 + math.ceil(bias / 100 * least)  # one beyond what the room for handlers explains
    other = timed(run.dump, least + too_many)
    checks.check(other and other[2] < truth, f"{name}: with {too_many} executions too many the truth is outside")


def main():
    checks = lib.Checks()
    for name, (shift, words) in RUNS.items():
        check_run(checks, name, shift, words)
    checks.finish()


if __name__ == "__main__":
    main()
