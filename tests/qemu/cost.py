#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""What the image says that a tick costs here: it follows how fast the emulator is, agrees with the instructions that
a plugin counts, and decides which rates are warned of and refused."""

import itertools
import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "bench"))

import image
import lib
import runs

SHIFTS = range(3, 8)
WORDS = "output=frames seed=1 interval=fixed"
SLOW = SHIFTS[-1]   # the shift at which rates are too high soonest
WARNED, REFUSED = 10000, 50000  # thousandths of a percent
# instructions by which two ways through the handler may differ: docs/COST.md, "Policies and generators"
PATH = 15
GENERAL = 300       # that a late tick may take more than a usual one: docs/COST.md, "The handler"
# between the middle visit and what is told: the interrupt itself, rounding, branches of the general handler
EDGE = 4
RING_0 = "tasks=shadow", "shadow"  # what spends its time in a system call, and its program
ACCESSES = 16       # that are timed together; one instruction more loads the byte that is written


def hello_of(dump):
    return next(lib.records(dump, "HELLO"))[0]


def share(hello):
    """Of the time, thousandths of a percent."""
    return 1e5 * hello["tick"] * lib.rate(hello) / hello["clock_hz"]


def warnings(dump):
    """Those of a share of the time."""
    return [head["text"] for head, _ in lib.records(dump, "TEXT")
            if head["severity"] and "% of the time" in head["text"]]


def check_figures(checks, name, words, entry, shift, program="spinner"):
    """One instruction takes 2^shift ns, whatever it does: so much is a port access,
    and the tick what the plugin counts."""
    ran = runs.run(f"{name}-{shift}", runs.Spin(f"{words} interval=fixed", shift=shift, seconds=1, output="frames",
                                                entry=entry, program=program))
    hello = hello_of(ran.dump)
    unit = 2 ** shift * hello["clock_hz"] / 1e9
    accesses = [hello[field] for field in ("port_read", "port_write", "lapic_access")]
    checks.check(all(unit - 1 <= clocks <= unit * (1 + 1 / ACCESSES) + 1 for clocks in accesses),
                 f"{name}, shift {shift}: accesses take {accesses} ns of {unit:.0f}")
    counted, told = ran.visits, hello["tick"] / unit
    late = lib.stat(ran.dump)["late"] / counted.number
    checks.check(abs(told - counted.median) <= EDGE, f"{name}, shift {shift}: a tick takes {told:.1f} instructions "
                                                     f"of {counted.median} counted in the middle")
    checks.check(-PATH <= told - counted.instructions + GENERAL * late <= PATH + GENERAL * late,
                 f"{name}, shift {shift}: and of {counted.instructions:.1f} in the mean, with {100 * late:.1f} "
                 "% late ones")
    checks.check(abs(hello["tick_share"] - share(hello)) <= 1,
                 f"{name}, shift {shift}: {hello['tick_share']} of {share(hello):.1f} thousandths")
    checks.check(not warnings(ran.dump), f"{name}, shift {shift}: no warning {warnings(ran.dump)}")
    return ran.dump, hello


def check_nmi(checks, entry):
    """The start measures a tick out of ring 0, where an NMI looks for the task by its stack:
    out of ring 3 it takes less."""
    tasks, program = RING_0
    _, hello = check_figures(checks, "nmi", f"tick=pit delivery=nmi rate=1000 {tasks}", entry, SHIFTS[0], program)
    ran = runs.run("nmi-user", runs.Spin("tick=pit delivery=nmi rate=1000 interval=fixed", shift=SHIFTS[0], seconds=1,
                                         output="frames", entry=entry))
    told = hello["tick"] * 1e9 / hello["clock_hz"] / 2 ** SHIFTS[0]
    checks.check(ran.visits.instructions <= told, f"nmi: out of ring 3 a tick takes {ran.visits.instructions:.1f} "
                                                  f"instructions, not more than the {told:.1f} that are told")


def check_told(checks, dump, hello):
    """The host and the machine report say the same."""
    us, percent = 1e6 * hello["tick"] / hello["clock_hz"], hello["tick_share"] / 1000
    said, _ = lib.host("stat", dump)
    line = f"tick     {us:.3f} us, {percent:.3f} % of the time at this rate\n"
    checks.check(line in said, f"stat says {line!r}")
    said, _ = lib.host("info", dump)
    checks.check(f"; a tick {us:.3f} us, {percent:.3f} % of the time at this rate\n" in said, "info says it")
    rows = [row["value"] for _, rows in lib.records(dump, "HEALTH") for row in rows if row["name"] == "cost"]
    checks.check(rows and all(row.endswith(f"a tick {us:.3f} us, {percent:.3f} % of the time") for row in rows),
                 f"health: {rows}")
    costs = json.loads(lib.host("info", "--json", dump)[0])["epochs"][0]["hello"]["costs"]
    checks.check(abs(costs["tick_us"] - us) < 1e-6 and abs(costs["tick_percent"] - percent) < 1e-6,
                 f"info --json: {costs}")
    run = lib.boot("text", f"{WORDS} output=text seconds=1 rate=1000 tasks=spin", shift=SHIFTS[0])
    checks.check(line.encode() in run.dump.read_bytes().replace(b"\r", b""), f"the table of the image says {line!r}")


def rate_of(hello, thousandths):
    """The rate whose ticks take so much, by the cost that this machine's HELLO tells."""
    return hello["clock_hz"] * thousandths / (1e5 * hello["tick"])


def check_limits(checks, hello):
    """Just below a limit and just above it: within a hundredth, as the count of a tick is a whole number."""
    for limit, factor in itertools.product((WARNED, REFUSED), (0.95, 1.05)):
        wanted = round(rate_of(hello, limit * factor))
        run = lib.boot(f"limit-{limit}-{factor}", f"{WORDS} tasks=spin seconds=1 rate={wanted}", shift=SLOW)
        refused, warned = limit * factor > REFUSED, limit * factor > WARNED
        what = f"rate={wanted}, {limit * factor / 1000:.1f} percent asked for"
        if refused:
            checks.check(run.status != lib.COMPLETE and "needs cost=any" in run.said and " us here" in run.said,
                         f"{what}: {run.status} {run.said.strip()}")
        else:
            said = warnings(run.dump)
            checks.check(run.status == lib.COMPLETE and bool(said) == warned,
                         f"{what}: {run.status} {run.said.strip()} {said}")
    high = round(rate_of(hello, 1.05 * REFUSED))
    run = lib.boot("any", f"{WORDS} tasks=spin seconds=1 rate={high} cost=any", shift=SLOW)
    checks.check(run.status == lib.COMPLETE and hello_of(run.dump)["tick_share"] > REFUSED and
                 bool(warnings(run.dump)),
                 f"cost=any: {run.status} {run.said.strip()} {warnings(run.dump)}")
    return high


def check_typed(checks, high):
    """A rate that comes over the line obeys the same limit."""
    for name, word, epochs in (("refused", "", 1), ("allowed", " cost=any", 2)):
        path = lib.folder() / f"{name}.typed"
        path.write_bytes(64 * b"\n" + f"rate={high}{word}\n".encode())
        run = lib.boot(name, f"{WORDS} tasks=spin seconds=3 rate=500", shift=SLOW, options=("--typed", path))
        told = {head["epoch"]: head for head, _ in lib.records(run.dump, "HELLO")}
        texts = [head["text"] for head, _ in lib.records(run.dump, "TEXT")]
        refused = any("change nothing" in text and "needs cost=any" in text for text in texts)
        checks.check(run.status == lib.COMPLETE and len(told) == epochs and refused == (epochs == 1),
                     f"rate={high}{word} over the line: {len(told)} epochs, {run.status}, {texts}")


def check_two_sources(checks):
    """Two sources side by side share the limit: each alone stays below it."""
    words = f"{WORDS} tasks=spin seconds=1 clock=rtc rate=8000"  # ticks of about 50 us
    run = lib.boot("two", f"{words} tick=pit,lapic", shift=SLOW)
    checks.check(run.status != lib.COMPLETE and "needs cost=any" in run.said,
                 f"tick=pit,lapic: {run.status} {run.said.strip()}")
    run = lib.boot("two-any", f"{words} tick=pit,lapic cost=any", shift=SLOW)
    shares = {head["source"]: head["tick_share"] for head, _ in lib.records(run.dump, "HELLO")}
    checks.check(run.status == lib.COMPLETE and len(shares) == 2 and max(shares.values()) < REFUSED <
                 sum(shares.values()), f"tick=pit,lapic cost=any: {shares} {run.said.strip()}")


STOP = 9  # port accesses of the last tick, which stops the RTC

# Its way, the image and the core's words, the vector of its interrupt, port accesses, of them and of the local APIC.
# QEMU's local APIC has requests of the 8259 come first; an image that leaves IRQ 8 masked there has none of them.
RTC_LINES = (
    ("through the 8259: the local APIC has requests of the 8259 come first, and so the line's", "cpuprobe",
     ("--door", "rom"), "PIC_SLAVE_VECTOR", 2, 0),
    ("through interrupt 8 of the I/O APIC", "uncured", ("--image", "build/qemu/hostile.bin", "--qemu-arg", "-initrd",
                                                        "--qemu-arg", "build/uncured.bin none irq8"), "RTC_VECTOR", 1,
     1),
)


def check_rtc_lines(checks):
    """What a tick of the RTC takes by each way, counted and told."""
    for way, core, options, vector, ports, devices in RTC_LINES:
        entry = image.symbol(lib.ROOT / f"build/{core}.elf", "own_tick_entry")
        ran = runs.run(f"line-{core}", runs.Spin(f"{WORDS} tick=rtc rate=1024", seconds=1, output="frames",
                                                 entry=entry, options=options))
        told, counted = lib.health(ran.dump)["rtc line"], (ran.visits.ports, ran.visits.devices)
        checks.check(all(n <= found <= n + STOP / ran.visits.number for n, found in zip((ports, devices), counted)),
                     f"tick=rtc, {vector}: {counted} accesses of ports and of the local APIC, "
                     f"{ran.visits.number} ticks")
        checks.check(told == f"{way}: {ports} port access{'es' if ports > 1 else ''} a tick", f"told: {told}")
        table = lib.stat(ran.dump)
        checks.check(table["samples"] >= 1023 and not table["missed"]["source"] and not table["missed"]["overrun"],
                     f"{table['samples']} ticks, missed {table['missed']}")


def main():
    checks = lib.Checks()
    address = runs.code().address
    first = slow = None
    for shift in SHIFTS:
        found = check_figures(checks, "irq", "tick=pit rate=1000", address["tick_entry"], shift)
        first, slow = first or found, found
    check_figures(checks, "off", "tick=pit account=off rate=1000", address["tick_entry"], SHIFTS[0])
    check_nmi(checks, address["nmi_entry"])
    check_figures(checks, "rtc", "tick=rtc rate=1024", address["own_tick_entry"], SHIFTS[0])
    check_rtc_lines(checks)
    check_told(checks, *first)
    high = check_limits(checks, slow[1])
    check_typed(checks, high)
    check_two_sources(checks)
    again = lib.boot("again", f"{WORDS} rate=1000 seconds=1 tasks=spin").dump.read_bytes()
    checks.check(again == lib.boot("once", f"{WORDS} rate=1000 seconds=1 tasks=spin").dump.read_bytes(),
                 "two boots send the same bytes")
    checks.finish()


if __name__ == "__main__":
    main()
