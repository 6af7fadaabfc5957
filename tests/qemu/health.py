#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""What the image tells of its machine (record HEALTH, health=on): the rows are there, and right of machines that are known."""

import re

import lib

SHIFT = 3
HZ = 10 ** 9  # of the TSC with -icount
NEAR = 0.001
SOURCES = ("pit", "lapic", "rtc", "pit-periodic", "clock", "slu", "slu-timeout")
UNMASKED = ("pit", "slu", "slu-timeout")
ROWS = ("cpu", "features", "door", "memory", "tsc", "pit", "lapic timer", "rtc", "uart", "pacing", "acpi",
        *(f"tick={source}" for source in SOURCES), *(f"tick={source} delivery=nmi" for source in UNMASKED))
WORDS = "output=frames seconds=1 seed=1"
MEGABYTES = 64


def told(dump):
    """Each time that the rows were told: a dictionary each."""
    frames = [rows for _, rows in lib.records(dump, "HEALTH")]
    half = len(frames) // 2
    return [{row["name"]: row["value"] for rows in part for row in rows} for part in (frames[:half], frames[half:])]


def look(checks, name, door, machine, words=""):
    """Boot, and the rows, once what holds on every machine was checked."""
    run = lib.boot(name, f"{WORDS} {words}", shift=SHIFT, options=("--door", door, "--machine", machine))
    checks.check(run.status == lib.COMPLETE, f"{name}: {run.status} {run.said.strip()}")
    first, last = told(run.dump)
    checks.check(first == last and sorted(first) == sorted(ROWS), f"{name}: {len(first)} rows, told twice alike")
    rates = [int(n) for n in re.findall(r"(\d+) Hz", first["tsc"])]
    checks.check(len(rates) == 2 and all(abs(rate / HZ - 1) < NEAR for rate in rates), f"{name}: TSC {first['tsc']}")
    checks.check(abs(int(first["lapic timer"].split()[0]) / HZ - 1) < NEAR, f"{name}: timer {first['lapic timer']}")
    checks.check(first["door"] == door, f"{name}: door {first['door']}")
    checks.check(MEGABYTES // 2 < int(first["memory"].split()[0]) < MEGABYTES, f"{name}: {first['memory']}")
    checks.check(first["pit"].startswith("838.0") and "so takes N clocks" in first["pit"], f"{name}: {first['pit']}")
    checks.check(first["uart"] == "COM1 (port 0x3f8), 16550A, 115200 bit/s", f"{name}: {first['uart']}")
    checks.check(first["pacing"].startswith("unpaced"), f"{name}: {first['pacing']}")
    checks.check("invariant TSC no" in first["features"] and "SMEP yes" in first["features"], first["features"])
    checks.check(first["rtc"].startswith("answers"), f"{name}: RTC {first['rtc']}")
    info, _ = lib.host("info", run.dump)
    checks.check(all(f"  health   {row}: {first[row]}\n" in info for row in ROWS), f"{name}: info prints them all")
    return first


def check_sources(checks, rows, chosen, others):
    """What is in use is measured and says so; what takes no time is measured; the rest says what would."""
    for source in ROWS[-len(SOURCES) - len(UNMASKED):]:
        value = rows[source].removeprefix("in use: ")
        checks.check((value != rows[source]) == (source == chosen), f"{source}: {rows[source]}")
        wanted = others.get(source, "not measured at the start: health=on does that")
        rate = re.match(r"([\d.]+) Hz by the TSC, ([\d.]+) by counter 2", value)
        checks.check(value == wanted if isinstance(wanted, str)
                     else rate and all(abs(float(hz) / wanted - 1) < NEAR for hz in rate.groups()), f"{source}: {value}")


CLOCK = "its timer is the system clock's"
UNASKED = "not measured at the start: it sends bytes, and slu= does not say where"
PIT_HZ, RTC_HZ, BIT_HZ = 1193182, 32768, 16 * 115200  # what each counts


def check_all(checks):
    """health=on: all that is free is measured, in frames too."""
    rows = look(checks, "all", "multiboot", "pc", "health=on")
    check_sources(checks, rows, "tick=pit", {
        "tick=pit": PIT_HZ, "tick=lapic": CLOCK, "tick=rtc": RTC_HZ, "tick=pit-periodic": PIT_HZ, "tick=clock": HZ,
        "tick=slu": UNASKED, "tick=slu-timeout": BIT_HZ, "tick=pit delivery=nmi": PIT_HZ,
        "tick=slu delivery=nmi": UNASKED, "tick=slu-timeout delivery=nmi": BIT_HZ})
    checks.check("a count of N takes N clocks" in rows["tick=pit-periodic"], rows["tick=pit-periodic"])
    rows = look(checks, "rtc", "multiboot", "pc", "health=on clock=rtc slu=com2")
    check_sources(checks, rows, "tick=pit", {
        "tick=pit": PIT_HZ, "tick=lapic": HZ, "tick=rtc": CLOCK, "tick=pit-periodic": PIT_HZ, "tick=clock": HZ,
        "tick=slu": rows["tick=slu"], "tick=slu-timeout": BIT_HZ, "tick=pit delivery=nmi": PIT_HZ,
        "tick=slu delivery=nmi": rows["tick=slu"], "tick=slu-timeout delivery=nmi": BIT_HZ})
    checks.check(re.match(r"the transmitter of COM2 \(port 0x2f8\) is not paced", rows["tick=slu"]), rows["tick=slu"])


def check_text(checks):
    """As text only when asked for."""
    for word, wanted in (("on", len(ROWS)), ("off", 0)):
        run = lib.boot(f"text-{word}", f"output=text seconds=1 health={word}", shift=SHIFT)
        said = run.dump.read_bytes().decode("latin-1")
        found = sum(f"cpuprobe: {row}: " in said for row in ROWS)
        checks.check(run.status == lib.COMPLETE and found == wanted, f"health={word}: {found} rows as text")


def main():
    checks = lib.Checks()
    pc = look(checks, "pc", "multiboot", "pc")
    check_sources(checks, pc, "tick=pit", {"tick=pit": PIT_HZ, "tick=clock": HZ})
    checks.check(pc["acpi"] == "FADT revision 1, which does not say", f"pc: {pc['acpi']}")
    q35 = look(checks, "q35", "multiboot", "q35", "tick=lapic clock=rtc")
    check_sources(checks, q35, "tick=lapic", {"tick=pit": PIT_HZ, "tick=clock": HZ, "tick=lapic": HZ})
    acpi = re.fullmatch(r"FADT revision 3: legacy devices (yes|no), 8042 yes, VGA yes, CMOS RTC yes", q35["acpi"])
    checks.check(acpi, f"q35: {q35['acpi']}")
    rom = look(checks, "rom", "rom", "pc")
    checks.check(rom["acpi"] == "no table found", f"no firmware: {rom['acpi']}")
    check_all(checks)
    check_text(checks)
    checks.finish()


if __name__ == "__main__":
    main()
