#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""A clock that is off by its own declared error, or by three times that, makes no tick late, however long the
intervals are; one that is off by far more does, so that the test can fail.

The image is build/uncured.elf, whose clock of one-shots runs by so many errors too fast ("s") or too slow ("t").
"""

import os

import lib

WORDS = "tasks=spin interval=random health=off output=frames seed=1"
SOURCES = ("tick=pit", "tick=hpet", "tick=lapic clock=rtc")
RATES = {5: 12, 20: 6, 120: 3, 1000: 2}  # seconds by Hz
ERRORS = ("s1", "s3", "t3")
BEYOND = "t200", "s200"  # at the lowest rate: late, and before their points
LATE = 0.02      # of the ticks that may wait for the kernel of this load


def boot(name, words, error):
    options = ["--image", "build/qemu/hostile.bin", "--qemu-arg", "-initrd", "--qemu-arg",
               f"build/uncured.bin none {error}"]
    return lib.boot(name, words, options=options, timeout=120)


def late(checks, source, rate, error):
    """The part of the ticks that is late."""
    name = f"{source.split()[0][5:]}-{rate}-{error}"
    run = boot(name, f"{WORDS} {source} rate={rate} seconds={RATES[rate]}", error)
    checks.check(run.status == lib.COMPLETE, f"{name}: the run ends well {run.said.strip()[-200:]}")
    table = lib.stat(run.dump)
    return name, table["late"], table["ticks"], table["unsound"]


def main():
    os.chdir(lib.ROOT)
    checks = lib.Checks()
    for source in SOURCES:
        for rate in RATES:
            for error in ERRORS:
                name, number, ticks, unsound = late(checks, source, rate, error)
                checks.check(number <= LATE * ticks and not unsound,
                             f"{name}: {number} of {ticks} ticks are late {unsound}")
    for source in SOURCES[:2]:
        name, number, ticks, unsound = late(checks, source, min(RATES), BEYOND[0])
        checks.check(number > ticks / 2, f"{name}: {number} of {ticks} ticks are late: an error as great is seen")
        name, number, ticks, unsound = late(checks, source, min(RATES), BEYOND[1])
        checks.check(any("before its point" in sentence for sentence in unsound),
                     f"{name}: an error as great is told {unsound}")
    checks.finish()


if __name__ == "__main__":
    main()
