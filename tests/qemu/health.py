#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""What the image tells of its machine (record HEALTH, health=): the rows are there,
and right of machines that are known."""

import re

import lib

SHIFT = 3
HZ = 10 ** 9  # of the TSC with -icount
NEAR = 0.001
SOURCES = ("pit", "hpet", "lapic", "rtc", "pit-periodic", "clock", "slu", "slu-timeout")
UNMASKED = ("pit", "hpet", "slu", "slu-timeout")
ROWS = ("cpu", "hypervisor", "features", "door", "memory", "stopped", "tsc", "yardstick", "pit", "pit line", "hpet",
        "lapic timer", "rtc", "rtc line", "access", "cost",
        "uart", "pacing", "line", "acpi", "apics", "firmware", "tables",
        *(f"tick={source}" for source in SOURCES), *(f"tick={source} delivery=nmi" for source in UNMASKED))
RTC_LINE = ("through the 8259: the local APIC has requests of the 8259 come first, and so the line's: 2 port "
            "accesses a tick")
WORDS = "output=frames seconds=1 seed=1"
MEGABYTES = 64
KNOWN = 20  # ppm: a count of 279 ns, and readings of less than 0.2 us, in 41 ms


def told(dump):
    """Each time that the rows were told: a dictionary each."""
    frames = [rows for _, rows in lib.records(dump, "HEALTH")]
    half = len(frames) // 2
    return [{row["name"]: row["value"] for rows in part for row in rows} for part in (frames[:half], frames[half:])]


def look(checks, name, door, machine, words="", options=(), port="COM1 (port 0x3f8)"):
    """Boot, and the rows, once what holds on every machine was checked."""
    run = lib.boot(name, f"{WORDS} {words}", shift=SHIFT, options=("--door", door, "--machine", machine, *options))
    checks.check(run.status == lib.COMPLETE, f"{name}: {run.status} {run.said.strip()}")
    first, last = told(run.dump)
    checks.check(first == last and sorted(first) == sorted(ROWS), f"{name}: {len(first)} rows, told twice alike")
    rates = [int(n) for n in re.findall(r"(\d+) Hz", first["tsc"])]
    checks.check(len(rates) == 2 and all(abs(rate / HZ - 1) < NEAR for rate in rates), f"{name}: TSC {first['tsc']}")
    checks.check(abs(int(first["lapic timer"].split()[0]) / HZ - 1) < NEAR, f"{name}: timer {first['lapic timer']}")
    checks.check(first["door"] == door, f"{name}: door {first['door']}")
    checks.check(MEGABYTES // 2 < int(first["memory"].split()[0]) < MEGABYTES, f"{name}: {first['memory']}")
    checks.check(first["pit line"] == "through the 8259, which ends its interrupts itself; lateness by the TSC, "
                 "and by the counter in one tick of 64: 2 port accesses a tick", f"{name}: {first['pit line']}")
    checks.check(first["pit"].startswith("838.0") and "so takes N clocks" in first["pit"], f"{name}: {first['pit']}")
    checks.check(first["uart"] == f"{port}, 16550A, 115200 bit/s", f"{name}: {first['uart']}")
    checks.check(first["pacing"].startswith("unpaced"), f"{name}: {first['pacing']}")
    checks.check(first["line"].startswith("4 of 4 interrupts came by IRQ "), f"{name}: {first['line']}")
    checks.check("invariant TSC no" in first["features"] and "SMEP yes" in first["features"], first["features"])
    checks.check(first["hypervisor"] == "TCGTCGTCGTCG: QEMU's emulation, whose TSC keeps its rate",
                 f"{name}: {first['hypervisor']}")
    checks.check(first["rtc"].startswith("answers"), f"{name}: RTC {first['rtc']}")
    line = RTC_LINE if " Hz by the TSC" in first["tick=rtc"] else "not tried"
    checks.check(first["rtc line"] == line, f"{name}: RTC's line {first['rtc line']}")
    info, _ = lib.host("info", run.dump)
    checks.check(all(f"  health   {row}: {first[row]}\n" in info for row in ROWS), f"{name}: info prints them all")
    return first


def check_yardstick(checks, name, rows, counters):
    """One virtual clock drives all of them: a difference is an error, and within what is told of it."""
    text = rows["yardstick"]
    found = re.findall(r"; (the [a-zA-Z ]+): ([+-]\d+) ppm, known to (\d+)", text)
    checks.check(text.startswith("the 8254; ") and [counter for counter, _, _ in found] == counters,
                 f"{name}: yardstick {text}")
    checks.check(all(abs(int(ppm)) <= int(known) <= KNOWN for _, ppm, known in found),
                 f"{name}: each rate is within its error: {text}")


def check_sources(checks, rows, chosen, wanted):
    """What is in use says so; each is measured, or says why not."""
    for source in ROWS[-len(SOURCES) - len(UNMASKED):]:
        value = rows[source].removeprefix("in use: ")
        checks.check((value != rows[source]) == (source == chosen), f"{source}: {rows[source]}")
        rate = re.match(r"([\d.]+) Hz by the TSC, ([\d.]+) by counter 2", value)
        checks.check(re.match(wanted[source], value) if isinstance(wanted[source], str)
                     else rate and all(abs(float(hz) / wanted[source] - 1) < NEAR for hz in rate.groups()),
                     f"{source}: {value}")


CLOCK = "its timer is the system clock's$"
UNPACED = (r"the transmitter of COM[12] \(port 0x[23]f8\) is not paced: two characters take 0\.0\d\d and 0\.0\d\d of "
           r"their time$")
STREAM = "not measured at the start: there is no UART but the stream's, and neither tick= nor slu= has it send zeros$"
OFF = "not measured at the start: health=off, or tick=none$"
PIT_HZ, HPET_HZ, RTC_HZ, BIT_HZ = 1193182, 10 ** 8, 32768, 16 * 115200  # what each counts
MEASURED = {
    "tick=pit": PIT_HZ, "tick=hpet": HPET_HZ, "tick=lapic": CLOCK, "tick=rtc": RTC_HZ, "tick=pit-periodic": PIT_HZ,
    "tick=clock": HZ, "tick=slu": UNPACED, "tick=slu-timeout": BIT_HZ, "tick=pit delivery=nmi": PIT_HZ,
    "tick=hpet delivery=nmi": HPET_HZ, "tick=slu delivery=nmi": UNPACED, "tick=slu-timeout delivery=nmi": BIT_HZ}
# seconds that it may take to measure all of them, at 115200 bit/s: 0.25, the yardsticks 0.04, the HPET twice 0.07
MORE = 0.45


def begun(name):
    """Seconds from the image's entry to its HELLO."""
    hello, _ = next(lib.records(lib.folder() / f"{name}.dump", "HELLO"))
    return hello["now"] / hello["clock_hz"]


def check_off(checks):
    """What is not in use is left alone, and how long it takes else; no tick, and there is nothing to measure."""
    for words, chosen, known in (("", "tick=pit", {"tick=pit": PIT_HZ, "tick=clock": HZ}),
                                 ("tick=rtc", "tick=rtc", {"tick=pit": PIT_HZ, "tick=clock": HZ,
                                                           "tick=rtc": RTC_HZ})):
        rows = look(checks, "off", "multiboot", "pc", f"health=off {words}")
        check_sources(checks, rows, chosen, {**dict.fromkeys(MEASURED, OFF), **known})
        lib.folder().joinpath("off.dump").rename(lib.folder() / f"off-{chosen}.dump")
    took, more = begun("off-tick=pit"), begun("pc") - begun("off-tick=pit")
    checks.check(0 < more < MORE, f"to measure all takes {more:.3f} s of the start, which takes {took:.3f} s without")
    rows = look(checks, "none", "multiboot", "pc", "tick=none")
    check_sources(checks, rows, None, dict.fromkeys(MEASURED, OFF))


def check_warnings(checks):
    """A run without a fault warns of nothing; a CPU that neither promises a steady TSC nor says that it is emulated
    is warned of."""
    texts = lib.warnings(lib.stat(lib.folder() / "pc.dump"))
    checks.check(not texts, f"QEMU warns of nothing: {texts}")
    run = lib.boot("unknown", WORDS, shift=SHIFT, options=("--cpu", "max,-hypervisor"))
    texts = lib.warnings(lib.stat(run.dump))
    checks.check(run.status == lib.COMPLETE and len(texts) == 1 and "TSC of constant rate" in texts[0],
                 f"a CPU that does not say what it is: {texts}")


def check_alone(checks):
    """With one UART nothing is sent on the stream's line that nobody asked for."""
    rows = look(checks, "alone", "rom", "pc", "serial=com2", ("--com2",), "COM2 (port 0x2f8)")
    beside = "it needs a UART that is not the stream's"
    check_sources(checks, rows, "tick=pit", {
        **MEASURED, "tick=slu": STREAM, "tick=slu-timeout": beside,
        "tick=slu delivery=nmi": "as NMI it needs a UART that is not the stream's",
        "tick=slu-timeout delivery=nmi": "as NMI it needs"})
    rows = look(checks, "stream", "rom", "pc", "slu=stream")
    checks.check(re.match(UNPACED.replace("[12]", "1"), rows["tick=slu"]), f"slu=stream: {rows['tick=slu']}")


def check_text(checks):
    """As text only when asked for, and without a byte that is none."""
    for word, wanted in (("on", len(ROWS)), ("auto", 0), ("off", 0)):
        run = lib.boot(f"text-{word}", f"output=text seconds=1 health={word}", shift=SHIFT)
        said = run.dump.read_bytes().decode("latin-1")
        found = sum(f"cpuprobe: {row}: " in said for row in ROWS)
        checks.check(run.status == lib.COMPLETE and found == wanted, f"health={word}: {found} rows as text")
        checks.check("\0" not in said, f"health={word}: {len(said)} bytes of text, all of them text")


def main():
    checks = lib.Checks()
    pc = look(checks, "pc", "multiboot", "pc")
    check_sources(checks, pc, "tick=pit", MEASURED)
    checks.check("a count of N takes N clocks" in pc["tick=pit-periodic"], pc["tick=pit-periodic"])
    checks.check(re.search(r"a time-out takes (4\.00|3\.99)\d characters' time", pc["tick=slu-timeout"]),
                 pc["tick=slu-timeout"])
    checks.check(pc["acpi"] == "FADT revision 1, which does not say", f"pc: {pc['acpi']}")
    q35 = look(checks, "q35", "multiboot", "q35", "tick=lapic clock=rtc")
    check_sources(checks, q35, "tick=lapic", {**MEASURED, "tick=lapic": HZ, "tick=rtc": CLOCK})
    acpi = re.fullmatch(r"FADT revision 3: legacy devices (yes|no), 8042 yes, VGA yes, CMOS RTC yes", q35["acpi"])
    checks.check(acpi, f"q35: {q35['acpi']}")
    for name, rows in (("pc", pc), ("q35", q35)):
        checks.check(rows["apics"] == "1 I/O APIC with 24 inputs; IRQ 0 at interrupt 2 by the MADT; 1 processor, "
                                      "0 inputs are NMIs", f"{name}: {rows['apics']}")
    rom = look(checks, "rom", "rom", "pc")
    checks.check(rom["acpi"] == "no table found", f"no firmware: {rom['acpi']}")
    checks.check(rom["apics"] == "1 I/O APIC with 24 inputs; IRQ 0 at interrupt 2 as is usual: there is no MADT",
                 f"no firmware: {rom['apics']}")
    check_yardstick(checks, "pc", pc, ["the HPET", "the power management timer"])
    check_yardstick(checks, "q35", q35, ["the HPET", "the power management timer"])
    check_yardstick(checks, "rom", rom, ["the HPET"])
    check_warnings(checks)
    check_off(checks)
    check_alone(checks)
    check_text(checks)
    checks.finish()


if __name__ == "__main__":
    main()
