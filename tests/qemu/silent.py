#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Devices that interrupt no more: each wait of the start for an interrupt ends, with a sentence.

build/uncured.bin leaves the arming of one device out from its Nth time on (tests/qemu/uncured.h): of the PIT, the
local APIC's timer, the RTC, COM2.  The run is refused, or goes on without that source, which says why.  One interrupt
of the PIT that is lost in a run is found and its one-shot begun anew;
an 8259 that does not end interrupts itself gets commands.  Where a hypervisor takes the processor while ticks are
measured, the start waits for more of them.
"""

import os

import lib

HANGS = 100    # seconds of wall time: a boot takes one
WORDS = "output=frames seconds=1 rate=1000"
RUNNING, HALTED = "a quarter of a second, while code ran", "a quarter of a second, out of HLT"
STOPPED = "its ticks stopped: of 32 due within a quarter of a second"
RTC_DEAD = "the RTC's interrupt (IRQ 8) came 0 times in a quarter of a second"
LAPIC = "tick=lapic clock=rtc health=off"

# The PIT: the first counts of the start are those of the look for a counter that counts.
PIT_FIRST = 3
PIT = "the 8254 counts, but its interrupt (IRQ 0) does not arrive"


def sweep(first, *steps):
    """Numbers of armings: so many of each step."""
    numbers = [first]
    for count, step in steps:
        numbers += [numbers[-1] + step * n for n in range(1, count + 1)]
    return numbers


# words, letter, armings from which on it is silent, the sentences that are told in all, one each
REFUSED = (
    ("tick=pit health=off", "p", sweep(PIT_FIRST, (3, 3), (7, 16)), (PIT, RUNNING, HALTED, STOPPED)),
    ("delivery=nmi health=off", "p", sweep(117, (1, 10), (6, 20)), ("one-shots of the PIT", "as NMI one-shot",
                                                                    RUNNING, HALTED, STOPPED)),
    ("tick=pit-periodic health=off", "p", (150, 153, 156), (STOPPED, "the 8254's interrupt (IRQ 0) came 0 times")),
    (LAPIC, "l", sweep(2, (1, 4), (6, 22)), (RUNNING, HALTED, STOPPED)),
    ("clock=100", "l", (1, 2, 4, 6), ("one-shots of the local APIC's timer", "does not interrupt out of HLT")),
    ("clock=rtc", "r", (1,), (RTC_DEAD,)),
    ("tick=rtc rate=1024 health=off", "r", (1,), (RTC_DEAD,)),
    ("tick=slu-timeout health=off", "u", (3, 12), ("the time-out interrupt of COM2 (port 0x2f8) does not arrive",)),
    ("tick=slu-timeout delivery=nmi health=off", "u", (3, 12), ("interrupts of COM2 (port 0x2f8)",)),
)

# What is not asked for and silent has a row of the machine's health, and the run is one.
ROWS = (
    ("tick=lapic clock=rtc", "p", 237, "tick=pit delivery=nmi", "as NMI one-shot"),
    ("", "r", 1, "tick=rtc", RTC_DEAD),
    ("", "u", 8, "tick=slu-timeout", "the time-out interrupt of COM2 (port 0x2f8) does not arrive"),
)


# One arming of the run is left out: words, its number.
LOST = (("", 800), ("delivery=nmi", 800), ("monitor=samples", 800))
ANEW = "one-shots of the 8254 whose interrupt was lost and that were begun anew: 1;"
SECOND = 1000  # ticks, by WORDS

# So few ticks that behind one that is overdue the next point is still to come, and usual
NOISY, NOISY_ARMINGS = "output=frames seconds=4 rate=50 health=off", range(330, 370, 4)

# A loop that has its turn late measures ticks that come late, too: their paths differ by some instructions.
STARVED = ("tick=pit", "tick=lapic clock=rtc", "tick=hpet", "tick=pit-periodic", "delivery=nmi")
ALIKE = 0.1


def boot(name, words, silent, common=WORDS):
    options = ["--image", "build/qemu/hostile.bin", "--qemu-arg", "-initrd", "--qemu-arg",
               f"build/uncured.bin none {silent}"]
    return lib.boot(name, f"{common} {words}", timeout=HANGS, options=options)


def check_refused(checks, number, words, letter, armings, sentences):
    told = []
    for arming in armings:
        silent = f"{letter}{arming}"
        run = boot(f"{number}-{silent}", words, silent)
        said = run.said.strip().splitlines()[-1:] or [""]
        told += said
        checks.check(run.status == lib.FAILURE and any(sentence in said[0] for sentence in sentences),
                     f"{words or 'default words'}, {silent}: {run.status} {said[0]}")
    for sentence in sentences:
        checks.check(any(sentence in said for said in told), f"{words or 'default words'}: told once is '{sentence}'")


def check_row(checks, words, letter, arming, name, sentence):
    silent = f"{letter}{arming}"
    run = boot(f"row-{silent}", words, silent)
    row = lib.health(run.dump).get(name, "no such row")
    checks.check(run.status == lib.COMPLETE and sentence in row, f"{silent}: {run.status}, {name}: {row}")


def check_lost(checks, words, arming):
    run = boot(f"lost-{words}-{arming}", words, f"o{arming}")
    table = lib.stat(run.dump)
    warned = [fields["text"] for fields, _ in lib.records(run.dump, "TEXT")]
    checks.check(run.status == lib.COMPLETE and any(ANEW in text for text in warned),
                 f"{words or 'by IRQ'}: {run.status} {warned}")
    checks.check(table["ticks"] > SECOND * 0.9, f"{words or 'by IRQ'}: {table['ticks']} ticks: the chain goes on")


def check_noisy(checks, words, arming):
    """The tick of a one-shot begun anew is a usual one, where that much is in time: those behind it are not anew."""
    run = boot(f"noisy-{arming}-{words}", words, f"q{arming}", NOISY)
    warned = any(ANEW in fields["text"] for fields, _ in lib.records(run.dump, "TEXT"))
    last = list(lib.records(run.dump, "SNAPSHOT"))[-1][0]
    checks.check(run.status == lib.COMPLETE and warned and last["lateness"] <= last["end"] - last["begin"],
                 f"noisy, {words or 'by IRQ'}, {arming}: {run.status}, begun anew: {warned}, {last['late']} ticks "
                 f"are late, {last['lateness']} clock units in all")


def check_commands(checks):
    run = boot("aeoi", "", "aeoi")
    row = lib.health(run.dump).get("pit line", "no such row")
    checks.check(run.status == lib.COMPLETE and "by a command for each" in row and
                 row.endswith("3 port accesses a tick"), f"an 8259 without AEOI: {run.status} {row}")


def check_starved(checks, number, words):
    """Before the loop looks once all ticks come that it is to see: it sees as many more, and times the same."""
    usual, starved = (next(lib.records(boot(f"starved-{number}-{how}", f"health=off {words}", how).dump, "HELLO"))[0]
                      ["handler"] for how in ("none", "starve"))
    checks.check(abs(starved / usual - 1) <= ALIKE, f"{words}: a handler takes {usual}, and {starved} starved")


def main():
    os.chdir(lib.ROOT)
    checks = lib.Checks()
    for number, case in enumerate(REFUSED):
        check_refused(checks, number, *case)
    for row in ROWS:
        check_row(checks, *row)
    for case in LOST:
        check_lost(checks, *case)
    for words in ("", "delivery=nmi"):
        for arming in NOISY_ARMINGS:
            check_noisy(checks, words, arming)
    check_commands(checks)
    for number, words in enumerate(STARVED):
        check_starved(checks, number, words)
    checks.finish()


if __name__ == "__main__":
    main()
