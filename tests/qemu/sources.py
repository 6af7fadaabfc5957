#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots with each tick source: as many ticks as are due, nothing lost silently, and what each is blind to."""

import lib

MACHINES = ("pc", "q35")
SECONDS = 2
LONG = 20        # where ticks are few
SLOW = 9         # shift: an instruction takes 512 ns
OFF = 0.001      # of the ticks that are due
EXPECTED = 20    # hits by the truth, below which a cell is not judged
BLIND = 70       # points that tick=clock is wrong by about a task that it never sees
RIGHT = 3        # points that a tick of its own may be wrong by about the same task
SEEDS = (1, 2, 3)

# name, words, ticks a second.  A CPU that halts loses ticks of QEMU's RTC (docs/TESTING.md):
# there is work all the time.
PERIODIC = (
    ("pit-periodic", f"tick=pit-periodic rate=1000 seconds={SECONDS}", 1193182 / 1193),
    ("rtc", f"tick=rtc rate=1024 tasks=spin seconds={SECONDS}", 1024),
    ("rtc-most", f"tick=rtc rate=8192 tasks=spin seconds={SECONDS}", 8192),
    ("clock", f"tick=clock seconds={LONG}", 100),  # of 200 ticks some more would be late by chance
    ("clock-rtc", f"tick=clock clock=rtc tasks=spin seconds={LONG}", 128),
)


def due(table, rate):
    return table["window"]["seconds"] * rate


def unseen(table):
    return table["missed"]["overrun"] + table["missed"]["source"]


def check_count(checks, name, table, rate):
    """Ticks and missed periods are all that there were."""
    number = table["samples"] + unseen(table)
    off = abs(number - due(table, rate))
    checks.check(off <= max(OFF * due(table, rate), 1),
                 f"{name}: {table['samples']} ticks and {unseen(table)} missed of {due(table, rate):.1f}")


def check_periodic(checks):
    for machine in MACHINES:
        for name, words, rate in PERIODIC:
            name = f"{name}-{machine}"
            table = lib.boot_table(checks, name, f"{words} seed=1", options=("--machine", machine))
            check_count(checks, name, table, rate)
            checks.check(unseen(table) == 0, f"{name}: none was missed")
            checks.check(table["late"] <= table["samples"] / 50, f"{name}: {table['late']} late")
            checks.check(table["missed"]["masked"] == 0, f"{name}: a late tick of a periodic source misses none")


def wrong(table):
    judged = [cell for _, cell in lib.cells(table) if cell["exact"] / 100 * table["samples"] >= EXPECTED]
    return sum(lib.outside(cell) for cell in judged), len(judged)


def check_lapic(checks):
    """The one-shot varies its interval, and its table has intervals: they hold the truth."""
    missed, cells = 0, 0
    for machine, policy in zip(MACHINES, ("stratified", "random")):
        for seed in SEEDS:
            name = f"lapic-{policy}-{seed}"
            table = lib.boot_table(checks, name, f"tick=lapic clock=rtc rate=4000 interval={policy} "
                                                 f"seed={seed} seconds=4", shift=3, options=("--machine", machine))
            outside, judged = wrong(table)
            missed, cells = missed + outside, cells + judged
            checks.check(abs(table["samples"] - due(table, 4000)) <= 0.02 * due(table, 4000),
                         f"{name}: {table['samples']} samples")
    checks.check(cells and missed <= lib.most_misses(cells), f"lapic: {missed} of {cells} truths outside")
    name = "lapic-fixed"
    table = lib.boot_table(checks, name,
                           f"tick=lapic clock=rtc rate=1000 interval=fixed seconds={SECONDS} tasks=spin")
    # Each interval counts from the arming in the handler, so that it takes that much longer.
    late = next(head for head, _ in lib.records(lib.folder() / f"{name}.dump", "HELLO"))
    rate = 1 / (1 / 1000 + late["lead"] / table["clock_hz"])
    checks.check(abs(table["samples"] - due(table, rate)) <= 0.005 * due(table, rate),
                 f"{name}: {table['samples']} samples of {due(table, rate):.1f}")


def check_bias(checks):
    """A task that works between the ticks of the clock: the clock's own sampler never sees it."""
    error = {}
    for name, words in (("clock", "tick=clock"), ("pit", "tick=pit rate=1000")):
        table = lib.boot_table(checks, f"hog-{name}", f"{words} tasks=hog1 seconds=3 seed=1")
        cell = lib.row(table, "HOG")["total"]
        error[name] = cell["percent"] - cell["exact"]
    checks.check(error["clock"] < -BLIND, f"tick=clock sees the task {-error['clock']:.1f} points too small")
    checks.check(abs(error["pit"]) < RIGHT, f"tick=pit is off by {error['pit']:+.2f}")


def check_overload(checks):
    """Periods shorter than the handler: the image goes on, counts each of them, and ends in time."""
    for account in ("on", "off"):
        name = f"overload-{account}"
        table = lib.boot_table(checks, name,
                               f"tick=pit-periodic rate=200000 cost=any seconds={SECONDS} account={account}")
        check_count(checks, name, table, 1193182 / 6)
        checks.check(table["missed"]["overrun"] > table["samples"], f"{name}: {table['missed']['overrun']} overruns")
        checks.check(table["window"]["seconds"] < SECONDS + 0.2,
                     f"{name}: it ends after {table['window']['seconds']:.3f} s")
        told = [t["text"] for t in table["texts"] if "the others are overruns" in t["text"]]
        checks.check(len(told) == 1, f"{name}: {told[0].strip() if told else 'nothing is said'}")
    run = lib.boot("crowded", "tick=rtc rate=8192", shift=SLOW)
    checks.check(run.status == lib.FAILURE and "the handler of a tick takes 0." in run.said and
                 "a lower rate" in run.said, f"rtc on a slow machine: {run.said.strip().splitlines()[-1]}")


def check_masked(checks):
    """Sections with interrupts off that are longer than a period: what passes in them is counted."""
    name = "masked"
    table = lib.boot_table(checks, name, f"tick=pit-periodic rate=25000 tasks=masked seconds={SECONDS}", shift=3)
    check_count(checks, name, table, 1193182 / 48)
    checks.check(table["missed"]["overrun"] > 100, f"{name}: {table['missed']['overrun']} overruns")
    checks.check(table["missed"]["source"] == 0, f"{name}: none of them is the device's")


def check_no_apic(checks):
    """Without a local APIC the system clock is the RTC, and that is said; who asks for another is refused."""
    for machine in MACHINES:
        options = ("--cpu", "max,-apic", "--machine", machine)
        table = lib.boot_table(checks, f"no-apic-{machine}", f"rate=1000 seconds={SECONDS}", options=options)
        outside, judged = wrong(table)
        checks.check(judged and outside <= lib.most_misses(judged),
                     f"no local APIC, {machine}: {outside} of {judged} outside")
        notes = [t["text"] for t in table["texts"] if "clock=rtc" in t["text"] or "rounded up" in t["text"]]
        checks.check(len(notes) == 2, f"no local APIC, {machine}: {[n.strip() for n in notes]}")
    for words, says in (("clock=100", "clock=100: this CPU has no local APIC"),
                        ("tick=rtc", "tick=rtc and clock=rtc both want the one RTC"),
                        ("tick=lapic clock=rtc", "this CPU has no local APIC")):
        run = lib.boot("no-apic-refused", words, options=options)
        checks.check(run.status == lib.FAILURE and says in run.said, f"no local APIC, {words}: {run.said.strip()}")


def check_sleeps(checks):
    """clock=rtc: sleeps end at its ticks."""
    table = lib.boot_table(checks, "sleeps", "tasks=sleepers clock=rtc rate=1000 seconds=3 seed=1")
    tick, begin, hz = 1e6 / 128, table["window"]["begin"], table["clock_hz"]
    for name, asked in (("SL100", 100), ("SL1000", 1000), ("SL22K5", 22500), ("GRID1K", 1000), ("GRID15", 15000)):
        found = [(r["value"] / hz * 1e6, (r["time"] - begin) / hz) for r in table["reports"] if r["name"] == name]
        slept = [s for s, _ in found]
        # PROBE wakes with the first tick of a second and works for less than another:
        # it may be in the way for longer.
        ticks = [s / tick for s, end in found if end < 1 or end % 1 > 2 * tick / 1e6]
        checks.check(len(slept) > 2 and min(slept) > asked, f"{name} sleeps {len(slept)} times, none too short")
        # Another task or a tick may be in the way of the one that wakes.
        checks.check(len(ticks) > 1 and all(abs(t - round(t)) < 0.1 for t in ticks),
                     f"{name}: {sorted(set(round(t, 2) for t in ticks))} ticks")


def check_auto(checks):
    """auto names what it took."""
    lib.boot_table(checks, "auto", "tick=auto rate=1000 seconds=1")
    hello = next(head for head, _ in lib.records(lib.folder() / "auto.dump", "HELLO"))
    checks.check(hello["source"] == "pit", f"auto takes {hello['source']}")


def main():
    checks = lib.Checks()
    check_auto(checks)
    check_periodic(checks)
    check_bias(checks)
    check_overload(checks)
    check_masked(checks)
    check_no_apic(checks)
    check_sleeps(checks)
    check_lapic(checks)
    checks.finish()


if __name__ == "__main__":
    main()
