#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The local APIC's timer by the TSC's deadline and by its counter, and the local APIC in x2APIC mode,
which QEMU has not.

A run of the paper's system for each: its table is within its intervals of the truth, no tick is lost, and the
machine's health says what the timer is armed by.  build/x2apic.rom is on a processor that is locked in x2APIC mode,
and faults where it leaves the mode or reaches the local APIC as memory; build/x2apic-early.rom has a deadline that
comes too early, too (tests/bochs/x2apic.h).
"""

import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))

import doors
import lib

SKIPPED = 77
SHIFT = 3  # at which Bochs repeats itself to the bit (tools/boot)
RATE, SECONDS = 1000, 3
OFF = 0.02  # of the samples that are due: the draws of three seconds
WITH, WITHOUT = ("--cpu", "corei7_haswell_4770"), ("--cpu", "corei5_arrandale_m520")  # a TSC deadline
LOCKED, EARLY = ("--image", "build/x2apic.rom"), ("--image", "build/x2apic-early.rom")
CLOCK, TICK, NMI = "", "tick=lapic clock=rtc", "delivery=nmi"
IN_MODE = ("apics", "; firmware has locked the local APIC in x2APIC mode, and it is used so")
BY_DEADLINE = ("lapic timer", "the system clock is the local APIC's timer, by TSC deadline")
BY_COUNTER = ("lapic timer", "the system clock is the local APIC's timer")
TOLD = "the system clock: the local APIC's timer interrupts before its deadline: it is used by its counter"

# name, options, words, rows of the health, that what is told has
RUNS = (
    ("clock", WITH, CLOCK, (BY_DEADLINE,), ()),
    ("tick", WITH, TICK, (("tick=lapic", "in use: "), ("tick=lapic", "by TSC deadline: one access of memory a tick")),
     ()),
    ("tick-count", WITHOUT, TICK, (("tick=lapic", "by its counter: two accesses of memory a tick"),), ()),
    ("clock-count", WITHOUT, CLOCK, (), ()),
    ("locked", LOCKED, CLOCK, (BY_DEADLINE, IN_MODE), ()),
    ("locked-tick", LOCKED, TICK, (("tick=lapic", "by TSC deadline: no access of memory a tick"), IN_MODE), ()),
    ("locked-nmi", LOCKED, NMI, (("tick=pit delivery=nmi", "in use: "), IN_MODE), ()),
    ("locked-hpet", LOCKED, "tick=hpet", (("tick=hpet", "in use: "), IN_MODE), ()),
    ("early", EARLY, CLOCK, (BY_COUNTER, IN_MODE), (TOLD,)),
    ("early-tick", EARLY, TICK, (("tick=lapic", "by its counter: no access of memory a tick"),), ()),
)
BOUND = 0.001  # of a count's rate by the PIT, that of the deadline is the TSC's: they agree so well


def check_run(checks, name, options, words, rows, told):
    table = lib.boot_table(checks, name, f"rate={RATE} seconds={SECONDS} seed=1 {words}", shift=SHIFT,
                           options=("--emulator", "bochs", "--door", "rom", *options))
    missed, due = table["missed"], RATE * table["window"]["seconds"]
    checks.check(abs(table["samples"] + sum(missed.values()) - due) <= OFF * due and missed["overrun"]
                 + missed["source"] == 0, f"{name}: {table['samples']} samples of {due:.0f}, missed {missed}")
    doors.judge(checks, name, table, table)
    health = lib.health(lib.folder() / f"{name}.dump")
    for row, text in rows:
        checks.check(text in health.get(row, ""), f"{name}: {row}: {health.get(row)}")
    for sentence in told:
        checks.check(any(sentence in text["text"] for text in table["texts"]), f"{name}: '{sentence}' is told")
    hello = next(head for head, _ in lib.records(lib.folder() / f"{name}.dump", "HELLO"))
    if "by TSC deadline: " in health["tick=lapic"]:
        checks.check(hello["source_hz"] == 1000 * hello["clock_hz"] and hello["source_clock"] == 65536,
                     f"{name}: a count is a clock of the TSC: {hello['source_hz']} mHz, {hello['source_clock']}")
    return hello


def main():
    if not shutil.which("bochs"):
        print("no Bochs: tools/setup check installs it")
        sys.exit(SKIPPED)
    checks = lib.Checks()
    hellos = {run[0]: check_run(checks, *run) for run in RUNS}
    for name in ("tick", "locked-tick"):
        access = hellos[name]["lapic_access"]
        checks.check(access > 0, f"{name}: an access of the local APIC takes {access} clock units")
    ratio = hellos["tick-count"]["source_hz"] / hellos["tick-count"]["clock_hz"] / 1000
    checks.check(abs(ratio - 1) < BOUND, f"tick-count: Bochs's counter counts by the TSC's clock: {ratio:.6f}")
    checks.finish()


if __name__ == "__main__":
    main()
