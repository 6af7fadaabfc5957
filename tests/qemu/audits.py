#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""`cpuprobe audit` over many kinds of runs: audits.py RUNS.  No sound run is refused, and in each a sum that is
another, a tick left out and one doubled are found, and a raw sample that is moved by two counts of its source where
the run has points.

A run is drawn by its number: a workload, a source and delivery, a policy, a rate, a machine's speed, monitors, and
whether these are there from the boot on or started in mid-run.
What the image refuses has told why and counts as no run; few may be.
"""

import random
import sys

import audit
import lib

TASKS = ("figure3", "storm", "masked", "spin", "calls", "openstorm", "hog1", "rings", "sleepers", "nested")
TWO = "tick=pit,clock"
SOURCES = ("tick=pit", "tick=pit delivery=nmi", "tick=hpet", "tick=hpet delivery=nmi", "tick=lapic clock=rtc",
           "tick=pit arm=relative", TWO, "tick=pit-periodic", "tick=rtc", "tick=slu-timeout slu=com2,57600",
           "tick=clock")
OWN_RATE = ("rtc", "slu", "tick=clock", "pit-periodic")  # sources whose rate and policy are no words here
POLICIES = ("stratified", "random", "exponential", "fixed", "narrow", "arithmetic")
RATES = (5, 20, 120, 500, 1000, 5000)
MONITORS = ("system", "system,samples", "samples",
            "system,region,samples region=*:kernel:0xffffffff80100000-0xffffffff80180000",
            "system,callers", "system,states", "system,events", "system,samples thin=auto")
BY_IRQ = "states", "events"  # monitors that need delivery=irq
STARTED = ("samples", "states", "callers", "events")  # by command
SHIFTS = (2, 3, 4, 5, 6, 7)
SECONDS = 3
REFUSED = 0.2    # part of the runs that may be
MUTATED = 3      # one run of so many is mutated, too: each mutation is an audit more


def words_of(number):
    """The words of run `number`, what is typed into it, its shift; and whether the source draws intervals."""
    draw = random.Random(number)
    source = SOURCES[number % len(SOURCES)]  # each is as often as any other
    words = [f"tasks={draw.choice(TASKS)}", source, f"seconds={SECONDS} seed={number + 1}"]
    two, via_nmi = source == TWO, "delivery=nmi" in source
    if two or not any(own in source for own in OWN_RATE):
        rate = draw.choice(RATES)
        words += [f"rate={rate}", f"interval={draw.choice(POLICIES)}"]
    started = draw.random() < 0.3
    able = [m for m in MONITORS if not (via_nmi and any(other in m for other in BY_IRQ) or two and "samples" in m)]
    words += ["monitor=system" if started else f"monitor={draw.choice(able)}"]
    return " ".join(words), f"start {draw.choice(STARTED)}\n" if started else "", draw.choice(SHIFTS)


def boot(number):
    """The run's dump, None where the image refused its words, and what it is."""
    words, typed, shift = words_of(number)
    name = f"audits-{number}"
    options = ["--door", "rom"]
    if typed:
        path = lib.folder() / f"{name}.typed"
        path.write_bytes(("\n" * 64 + typed).encode())
        options += ["--typed", path]
    run = lib.boot(name, f"output=frames {words}", shift=shift, options=options, timeout=300)
    what = f"{number}: {words} {typed.strip()} shift {shift}"
    if run.status == lib.FAILURE:
        return None, f"{what}: {run.said.strip()}"
    return run.dump if run.status == lib.COMPLETE else False, what


def mutations(dump):
    """Name, frames of the dump with one thing wrong."""
    bodies = audit.frames(dump)
    hello = next(head for head, _ in lib.records(dump, "HELLO"))
    heads = [n for n in audit.fields_of(dump, "SNAPSHOT")]
    last = [i for i, b in enumerate(bodies) if b[0] == audit.SNAPSHOT][-1]
    yield "sum", audit.edited(bodies, last, audit.changed(bodies[last], heads, "intervals", 1))
    for name, by in (("left-out", -1), ("doubled", 1)):
        other = bodies[last]
        for field in ("ticks", "samples", *(("points",) if hello["unit"] else ())):
            other = audit.changed(other, heads, field, by)
        yield name, audit.edited(bodies, last, other)
    told = [i for i, b in enumerate(bodies) if b[0] == audit.PACKED_SAMPLES]
    if told and hello["unit"] and hello["thin"] <= 1:
        fields, middle = audit.fields_of(dump, "PACKED_SAMPLES"), told[len(told) // 2]
        yield "moved", audit.edited(bodies, middle, audit.changed(bodies[middle], fields, "time",
                                                                  2 * hello["source_clock"] >> 16))


def check_run(checks, number):
    dump, what = boot(number)
    if dump is None:
        print(f"refused: {what}")
        return 1
    if not checks.check(dump, f"{what}: the run ends well"):
        return 0
    status, text = audit.audit(dump)
    checks.check(status == audit.HOLDS, f"{what}: sound, {status} {'' if status == audit.HOLDS else text}")
    table = lib.stat(dump)
    checks.check(not table["unsound"], f"{what}: stat finds {table['unsound']}")
    if number % MUTATED == 0 and status == audit.HOLDS and TWO not in what:
        for name, bodies in mutations(dump):
            found, text = audit.audit(audit.write(dump.with_suffix(f".{name}"), bodies))
            checks.check(found == audit.FAILS,
                         f"{what}: {name} is found, {found} {'' if found == audit.FAILS else text}")
    return 0


def main():
    checks = lib.Checks()
    runs = int(sys.argv[1])
    refused = sum(check_run(checks, number) for number in range(runs))
    checks.check(refused <= REFUSED * runs, f"{refused} of {runs} runs were refused")
    checks.finish()


if __name__ == "__main__":
    main()
