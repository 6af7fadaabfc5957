#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Machines without an 8254, or with one that does not interrupt: each gives the paper's table,
and says what stands for it.

The yardstick is HPET, ACPI's power management timer or RTC; the tick is the HPET, by I/O APIC, message and NMI, or
the local APIC's timer.  build/uncured.bin makes devices that interrupt no more or too late (tests/qemu/uncured.h),
and tables of ACPI that firmware got wrong are put into memory.
"""

import os
import struct

import lib

RATE, SECONDS = 1000, 2
WORDS = f"rate={RATE} seconds={SECONDS}"
EXPECTED = 20  # hits by the truth, below which a cell is not judged
OFF = 0.02     # of the samples that are due: the draws of two seconds
NO_PIT = "the 8254 at ports 0x40 to 0x43 does not count: "
RTC_ALONE = "the local APIC's timer is the only one that can tick: clock=rtc"


def machine(name, *properties, door="rom"):
    options = ["--door", door, "--machine", name]
    for arguments in properties:
        for argument in arguments.split():
            options += ["--qemu-arg", argument]
    return options


PIT_OFF = "-machine pit=off"
NEITHER = "-machine pit=off,hpet=off"

# name, machine, words, source, what is told once, what a row of the health has
MACHINES = (
    ("q35", machine("q35", PIT_OFF), "", "hpet", (NO_PIT, "Hz by the HPET"),
     ("tick=hpet", r"in use: (99999|100000)\d{3}\.\d+ Hz by the TSC")),
    ("q35-nmi", machine("q35", PIT_OFF), "delivery=nmi", "hpet", (NO_PIT, "Hz by the HPET"),
     ("pit", "does not count")),
    ("pc", machine("pc", PIT_OFF), "", "hpet", (NO_PIT, "Hz by the HPET"), ("tick=pit", "does not count")),
    ("pc-nmi", machine("pc", PIT_OFF), "delivery=nmi", "hpet", (NO_PIT, "Hz by the HPET"),
     ("yardstick", "the HPET; ")),
    ("message", machine("q35", PIT_OFF, "-global hpet.msi=on"), "", "hpet", (NO_PIT,),
     ("hpet", "comparator 0 by messages")),
    # Of inputs of the I/O APIC it has 31, which there is none of, and 0, which QEMU does not connect.
    ("legacy", machine("q35", PIT_OFF, "-global hpet.hpet-intcap=0x80000001"), "", "hpet", (NO_PIT,),
     ("hpet", "comparator 0 at interrupt 2 in the place of IRQ 0")),
    ("beside", machine("q35"), "tick=hpet", "hpet", (), ("hpet", "comparator 0 at interrupt 23")),
    ("acpi", machine("q35", NEITHER, door="multiboot"), "", "lapic", (NO_PIT, "Hz by the power management timer",
                                                                      RTC_ALONE),
     ("yardstick", "the power management timer")),
    ("microvm", machine("microvm", "-machine pit=off,rtc=on"), "", "lapic", (NO_PIT, "Hz by the RTC", RTC_ALONE),
     ("yardstick", "the RTC")),
    # Firmware that took the counter's interrupt away: build/uncured.bin leaves each count out but those of the look
    # for a counter.
    ("no-irq", ["--image", "build/qemu/hostile.bin", "--qemu-arg", "-initrd", "--qemu-arg",
                "build/uncured.bin none p3"], "",
     "hpet", ("the 8254 counts, but its interrupt (IRQ 0) does not arrive: ",), ("tick=pit", "does not arrive")),
    ("missed", ["--image", "build/qemu/hostile.bin", "--qemu-arg", "-initrd", "--qemu-arg",
                "build/uncured.bin none hmiss"],
     "tick=hpet health=off", "hpet", ("comparators of the HPET were written too late and armed anew",), None),
    # The fourth arming of the local APIC's timer is one in running code, the sixth one is out of HLT.
    ("dead", ["--image", "build/qemu/hostile.bin", "--qemu-arg", "-initrd", "--qemu-arg",
              "build/uncured.bin none l4"], "health=off",
     "pit", ("one-shots of the local APIC's timer 2 interrupted within a quarter of a second: clock=rtc",), None),
    ("stops", ["--image", "build/qemu/hostile.bin", "--qemu-arg", "-initrd", "--qemu-arg",
               "build/uncured.bin none l6"], "health=off",
     "pit", ("the local APIC's timer does not interrupt out of HLT: clock=rtc",), None),
)


def judge(checks, name, table):
    judged = [cell for _, cell in lib.cells(table) if cell["exact"] / 100 * table["samples"] >= EXPECTED]
    wrong = sum(lib.outside(cell) for cell in judged)
    checks.check(judged and wrong <= lib.most_misses(len(judged)), f"{name}: {wrong} of {len(judged)} truths outside")


def check_machine(checks, name, options, words, source, sentences, row):
    table = lib.boot_table(checks, name, f"{WORDS} {words}", options=options)
    hello = next(head for head, _ in lib.records(lib.folder() / f"{name}.dump", "HELLO"))
    checks.check(hello["source"] == source, f"{name}: the tick is {hello['source']}")
    checks.check(abs(table["samples"] + table["missed"]["masked"] - RATE * SECONDS) <= OFF * RATE * SECONDS,
                 f"{name}: {table['samples']} samples")
    if name == "missed":  # what holds the handler up makes its ticks late, by design of this image
        checks.check(table["late"] > 0, f"{name}: {table['late']} late")
    else:
        judge(checks, name, table)
    told = " ".join(text["text"] for text in table["texts"])
    for sentence in sentences:
        checks.check(told.count(sentence) == 1, f"{name}: '{sentence}' is told once")
    if row:
        found = lib.health(lib.folder() / f"{name}.dump").get(row[0], "no such row")
        checks.check(lib.re.search(row[1], found), f"{name}: {row[0]}: {found}")


REFUSED = (
    ("RTC taken", machine("q35", "-global hpet.hpet-intcap=0x80000001"), "tick=hpet clock=rtc",
     "and the RTC is the system clock"),
    ("no local APIC", machine("pc", NEITHER) + ["--cpu", "max,-apic"], "",
     "does not count, and this CPU has no local APIC"),
    ("no PIT", machine("q35", PIT_OFF), "tick=pit",
     "tick=pit rate=1000: the 8254 at ports 0x40 to 0x43 does not count"),
    ("no HPET", machine("q35", "-machine hpet=off"), "tick=hpet", "tick=hpet rate=1000: there is no HPET"),
    ("silent HPET", ["--image", "build/qemu/hostile.bin", "--qemu-arg", "-initrd", "--qemu-arg",
                     "build/uncured.bin none h1"],
     "tick=hpet health=off",
     "the HPET's interrupt arrives neither by message, nor through an input of an I/O APIC, nor as IRQ 0"),
    ("HPET that stops", ["--image", "build/qemu/hostile.bin", "--qemu-arg", "-initrd", "--qemu-arg",
                         "build/uncured.bin none h40"],
     "tick=hpet health=off", "of the HPET did not interrupt within a quarter of a second"),
)


def check_refused(checks):
    for name, options, words, sentence in REFUSED:
        run = lib.boot(name.replace(" ", "-"), f"output=frames {WORDS} {words}", options=options)
        said = run.said.strip().splitlines()[-1:] or [""]
        checks.check(run.status == lib.FAILURE and sentence in said[0], f"{name}: {run.status} {said[0]}")


# ---- tables of ACPI in the memory of a machine without firmware

EBDA = 0x9f000
ROOT, MADT, FADT, HPET = EBDA + 0x100, EBDA + 0x200, EBDA + 0x400, EBDA + 0x600


def sealed(data, at):
    data = bytearray(data)
    data[at] = -sum(data) & 0xff
    return bytes(data)


def acpi_table(signature, body, revision=3):
    head = struct.pack("<4sIBB6s8sIII", signature, 36 + len(body), revision, 0, b"TEST  ", b"TEST    ", 1, 1, 1)
    return sealed(head + body, 9)


def ioapic(number, address, first):
    return struct.pack("<BBBBII", 1, 12, number, 0, address, first)


def override(irq, gsi):
    return struct.pack("<BBBBIH", 2, 10, 0, irq, gsi, 0)


def fadt(timer):
    body = bytearray(244 - 36)
    struct.pack_into("<I", body, 76 - 36, timer)
    body[91 - 36] = 4
    return acpi_table(b"FACP", bytes(body))


def hpet(address):
    return acpi_table(b"HPET", struct.pack("<IBBBBQBHB", 0x8086a201, 0, 64, 0, 0, address, 0, 0, 0))


def memory(entries, timer, address):
    """From the segment of the EBDA on to the end of the tables."""
    tables = {ROOT: acpi_table(b"RSDT", struct.pack("<III", MADT, FADT, HPET), 1),
              MADT: acpi_table(b"APIC", struct.pack("<II", 0xfee00000, 1) + entries), FADT: fadt(timer),
              HPET: hpet(address)}
    rsdp = sealed(struct.pack("<8sB6sBI", b"RSD PTR ", 0, b"TEST  ", 0, ROOT), 8)
    image = bytearray(HPET + 0x100 - EBDA)
    image[:len(rsdp)] = rsdp
    for where, table in tables.items():
        image[where - EBDA:where - EBDA + len(table)] = table
    return bytes(image)


PM_TIMER = 0xb008  # of no device here: PORTS read as all ones
WRONG = (
    ("none", b"", 0, 0,
     "1 I/O APIC with 24 inputs; IRQ 0 at interrupt 0 by the MADT; 0 processors, 0 inputs are NMIs", "is not there"),
    ("no length", ioapic(0, 0xfec00000, 0) + bytes((2, 0)) + override(0, 2), PM_TIMER, 0xfed00000,
     "1 I/O APIC with 24 inputs; IRQ 0 at interrupt 0 by the MADT; 0 processors, 0 inputs are NMIs; an entry "
     "without its end", "stands still"),
    # In the image, in memory that is free, at another device: no register may be written there.
    ("wild", b"".join(ioapic(n, 0x100000 * (n + 1), 24 * n) for n in range(3)) + ioapic(5, 0xfffffff0, 96)
             + override(0, 2), 0xfffe, 0x200000, "1 I/O APIC with 24 inputs; IRQ 0 at interrupt 2 by the MADT; "
                                                 "0 processors, 0 inputs are NMIs; entries that cannot be true: 4",
     "is not there"),
    ("two", ioapic(0, 0xfec00000, 0) + ioapic(1, 0xfec10000, 24) + override(0, 2), 0, 0xfed00000,
     "1 I/O APIC with 24 inputs; IRQ 0 at interrupt 2 by the MADT", "is not there"),
    # Below 0xfe000000, where boards with several bridges have them: no memory, and nothing answers there.
    ("low", ioapic(0, 0xfec00000, 0) + ioapic(1, 0xb4180000, 24) + override(0, 2), 0, 0xfed00000,
     "1 I/O APIC with 24 inputs; IRQ 0 at interrupt 2 by the MADT; 0 processors, 0 inputs are NMIs; I/O APICs that "
     "do not answer: 1", "is not there"),
)


def check_tables(checks):
    for name, entries, timer, address, apics, pm in WRONG:
        files = []
        for where, data in ((0x40e, struct.pack("<H", EBDA >> 4)), (EBDA, memory(entries, timer, address))):
            path = lib.folder() / f"{name.replace(' ', '-')}-{where:x}.bin"
            path.write_bytes(data)
            files += ["--qemu-arg", "-device", "--qemu-arg", f"loader,file={path},addr={where:#x},force-raw=on"]
        run = lib.boot(name.replace(" ", "-"), f"output=frames {WORDS}", options=["--door", "rom", *files])
        rows = lib.health(run.dump) if run.status == lib.COMPLETE else {}
        checks.check(run.status == lib.COMPLETE and rows["apics"].startswith(apics),
                     f"tables, {name}: {run.status} {run.said.strip()} {rows.get('apics')}")
        checks.check(f"the power management timer {pm}" in rows.get("yardstick", ""),
                     f"tables, {name}: {rows.get('yardstick')}")


def main():
    os.chdir(lib.ROOT)
    checks = lib.Checks()
    for row in MACHINES:
        check_machine(checks, *row)
    check_refused(checks)
    check_tables(checks)
    checks.finish()


if __name__ == "__main__":
    main()
