#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""A clock that is off by its own declared error, or by three times that, makes no tick late, however long the
intervals are, and none earlier than that error over the longest one-shot; one that is off by far more does both, so
that the test can fail.

The image is build/uncured.elf, whose clock of one-shots runs by so many errors too fast ("s") or too slow ("t").
"""

import os

import lib

WORDS = "tasks=spin interval=random health=off output=frames seed=1"
SOURCES = ("tick=pit", "tick=hpet", "tick=lapic clock=rtc")
RATES = {5: 12, 20: 6, 120: 3, 1000: 2}  # seconds by Hz
ERRORS = {"s1": 1, "s3": 3, "t3": 3}  # so many errors
EIGHTH = 1 / 8   # of what shots in time differ by: the declared error over the longest (probe/core/one_shot_way.h)
ROUNDED = 2 << 5  # ns: in each of two boots a tick comes at an instruction's end, of 2^5 ns
BEYOND = "t200", "s200"  # at the lowest rate: late, and before their points
LATE = 0.02      # of the ticks that may wait for the kernel of this load


def boot(name, words, error):
    options = ["--image", "build/qemu/hostile.bin", "--qemu-arg", "-initrd", "--qemu-arg",
               f"build/uncured.bin none {error}"]
    return lib.boot(name, words, options=options, timeout=120)


def earliest(dump):
    """By how many clock units a tick came behind its point at the least, negative before it; and what shots in time
    differ by."""
    zigzag = [head["earliest"] for head, _ in lib.records(dump, "SNAPSHOT")][-1]
    hello = next(lib.records(dump, "HELLO"))[0]
    return (zigzag >> 1) ^ -(zigzag & 1), hello["late"] - hello["floor"]


def late(checks, source, rate, error):
    """The late ticks, all, what is unsound, and the stream."""
    name = f"{source.split()[0][5:]}-{rate}-{error}"
    run = boot(name, f"{WORDS} {source} rate={rate} seconds={RATES[rate]}", error)
    checks.check(run.status == lib.COMPLETE, f"{name}: the run ends well {run.said.strip()[-200:]}")
    table = lib.stat(run.dump)
    return name, table["late"], table["ticks"], table["unsound"], run.dump


def check_source(checks, source):
    """Against the same clock without an error.  How early whole counts end a shot is the source's, not the rate's,
    and the least of one rate's few ticks may be far from it: that of all rates counts."""
    true = {rate: late(checks, source, rate, "-") for rate in RATES}
    base = min(earliest(dump)[0] for *_, dump in true.values())
    for rate, (*_, unsound, dump) in true.items():
        check_errors(checks, source, rate, unsound, base, earliest(dump)[1])


def check_errors(checks, source, rate, unsound_before, base, differ):
    """At one rate; `base`: the earliest without an error, `differ`: what shots in time differ by."""
    for error, times in ERRORS.items():
        name, number, ticks, unsound, dump = late(checks, source, rate, error)
        least = base - times * EIGHTH * differ - ROUNDED
        checks.check(number <= LATE * ticks, f"{name}: {number} of {ticks} ticks are late")
        checks.check(earliest(dump)[0] >= least,
                     f"{name}: the earliest tick came {earliest(dump)[0]} behind its point, {base} without an error")
        checks.check(times > 1 or not unsound or unsound_before, f"{name}: sound, as without an error {unsound}")


def main():
    os.chdir(lib.ROOT)
    checks = lib.Checks()
    for source in SOURCES:
        check_source(checks, source)
    for source in SOURCES[:2]:
        name, number, ticks, *_ = late(checks, source, min(RATES), BEYOND[0])
        checks.check(number > ticks / 2, f"{name}: {number} of {ticks} ticks are late: an error as great is seen")
        name, number, ticks, unsound, _ = late(checks, source, min(RATES), BEYOND[1])
        checks.check(any("before its point" in sentence for sentence in unsound),
                     f"{name}: an error as great is told {unsound}")
    checks.finish()


if __name__ == "__main__":
    main()
