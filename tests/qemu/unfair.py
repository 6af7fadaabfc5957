#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""A decay-usage scheduler is right about what each task used, and unfair: by the priority at which tasks wake."""

import dataclasses
import re

import lib

COUNTS_FROM = 1.0      # s: the counting begins (kernel/tasks/counter.c),
# and by then both hogs take turns (kernel/tasks/hostile/adversary.c): 0.3 s to learn, 0.8 s, 16 ticks
HOGS_BY = 1.3
LEFT, BACK = 10.0, 0.3 # percent: what a hog leaves of a turn, 1 ms of 10; the switches between them
OWN = 1.0              # percent that PROBE, which wakes at a kernel priority too, and handlers may have
# points: both hogs are late by a turn until the scheduler has charged the one that was in front
MIXED = 5.0
# those of tests/papers/unfairness.py: what PROBE does once a second may move turns, and then for good
SECONDS = 15
# PROBE's second takes less than what a hog leaves; it comes with a tick (kernel/main.c): it ends no turn
SHIFT = 4
SEEDS = (5, 6, 7, 8)   # the first of the paper's seeds at which turns are apart, and one before them


def first_turns(seed):
    """The ticks that the two hogs draw (kernel/workload/workload.c, argument_of(), and the adversary's FIRST)."""
    def mixed(x):
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 % 2 ** 64
        x = (x ^ x >> 27) * 0x94d049bb133111eb % 2 ** 64
        return x ^ x >> 31
    return [mixed((seed + number * 0x9e3779b97f4a7c15) % 2 ** 64) % 16 for number in (1, 2)]


def drawn(seed):
    """Whether the turns of the hogs, each of which takes every other one, are apart, or are the same ones."""
    first, second = first_turns(seed)
    return "apart" if (first - second) % 2 else "same"


def words(sched, seed, seconds):
    """In text, so that PROBE writes nothing during the run."""
    return f"output=text tasks=freehogs sched={sched} tick=pit interval=random rate=120 seconds={seconds} seed={seed}"


@dataclasses.dataclass(frozen=True)
class Share:
    """Percent of the run."""
    sampled: float
    low: float
    high: float
    exact: float


def shares(text):
    """Of each task of the last table."""
    rows = re.findall(r"^ *(\w+) +(?:[\d.]+ +){4}([\d.]+) +([\d.]+)-([\d.]+) +([\d.]+) +[-+][\d.]+$", text, re.M)
    return {name: Share(*map(float, numbers)) for name, *numbers in rows}


def while_counting(percent, seconds):
    """Percent of the time in which the counting runs."""
    return percent * seconds / (seconds - COUNTS_FROM)


def bounds(state, seconds):
    """Least and most percent of the time in which it runs, where all turns of the hogs are apart,
    or are the same ones."""
    alone = 100 * (HOGS_BY - COUNTS_FROM) / (seconds - COUNTS_FROM)
    low = {"apart": LEFT - OWN, "same": (100 + LEFT) / 2 - OWN - BACK}[state]
    return low, low + OWN + 2 * BACK + alone


def state_of(percent, seconds):
    """Which of the two it is; None: neither."""
    found = (s for s in ("apart", "same") if bounds(s, seconds)[0] <= percent <= bounds(s, seconds)[1])
    return next(found, None)


def main():
    checks = lib.Checks()
    seconds, found = SECONDS, {}
    for sched, seed in (*(("decay-wake", seed) for seed in SEEDS), ("decay", 6)):
        run = lib.boot(f"{sched}-{seed}", words(sched, seed, seconds), shift=SHIFT)
        all_of = shares(run.dump.read_text(errors="replace"))
        off = [name for name, s in all_of.items() if not s.low <= s.exact <= s.high]
        checks.check(run.status == lib.COMPLETE and {"COUNT", "HOG1", "HOG2"} <= set(all_of) and len(off) <= 2,
                     f"{sched}, seed {seed}: the samples are right about who used what, outside 95 %: {off}")
        found[sched, seed] = while_counting(all_of["COUNT"].exact, seconds)
    checks.check([drawn(seed) for seed in SEEDS] == ["same", "apart", "apart", "apart"],
                 "seed 5 lets the hogs have the same turns, the others not")
    for seed in SEEDS:
        share = found["decay-wake", seed]
        checks.check(state_of(share, seconds) == drawn(seed),
                     f"decay-wake, seed {seed}: {share:.2f} %, the turns are {drawn(seed)}")
    share = found["decay", 6]
    checks.check(share >= bounds("same", seconds)[0] - MIXED,
                 f"decay, seed 6: {share:.2f} % where decay-wake has {found['decay-wake', 6]:.2f}")
    checks.finish()


if __name__ == "__main__":
    main()
