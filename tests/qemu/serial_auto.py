#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""serial=auto: the UART that SPCR, DBG2 or the BIOS data area name, or that answers; the first sentence says which
and why, and what was named and not used is told.  Tables by -acpitable, which gives each a right checksum: wrong ones
are unit-acpi's."""

import subprocess

import acpi_tables as acpi
import lib

SUCCESS = 33  # of QEMU, by the debug-exit port
COM1, COM2, COM3 = ((0x3f8, 4), (0x2f8, 3), (0x3e8, 4))
CARD, CARD_SLOT, CARD_ID = "pci-serial", 4, (0x0002, 0x1b36)
CARD_PORT = 0xc010  # which SeaBIOS gives it, behind the 16 ports of the IDE's bus master
SERIAL = 0x8000     # a type of DBG2
CLOCK_48 = 48_000_000


def isa(place):
    return f"isa-serial,iobase={place[0]:#x},irq={place[1]}"


def port(number, **how):
    return acpi.gas(acpi.PORTS, number, **how)


def memory(address, **how):
    return acpi.gas(acpi.MEMORY, address, bits=32, access=3, **how)


def card(slot=CARD_SLOT, at=CARD_PORT, ids=CARD_ID):
    return acpi.spcr(port(at), pci=(*ids, 0, slot, 0))


NAMED = ", clock 1843200 Hz"
# name, the UART's device, tables, more words, what the first sentence says of the line,
# what is told of those not used
CASES = (
    ("bda", isa(COM1), (), "", "COM1 (port 0x3f8), 16550A, named by the BIOS data area, 115200 bit/s" + NAMED, None),
    ("bda-com3", isa(COM3), (), "", "COM3 (port 0x3e8), 16550A, named by the BIOS data area, 115200 bit/s" + NAMED,
     None),
    ("word", isa(COM1), (), "serial=com1,57600", "COM1 (port 0x3f8), 16550A, named by serial=, 57600 bit/s" + NAMED,
     None),
    ("spcr", isa(COM2), (acpi.spcr(port(COM2[0]), baud=6),), "",
     "COM2 (port 0x2f8), 16550A, named by SPCR, 57600 bit/s" + NAMED, None),
    ("rate", isa(COM2), (acpi.spcr(port(COM2[0]), baud=6),), "serial=auto,9600",
     "COM2 (port 0x2f8), 16550A, named by SPCR, 9600 bit/s" + NAMED, None),
    # 48 MHz / (16 * 26) is 115384.6 bit/s
    ("clock", isa(COM2), (acpi.spcr(port(COM2[0]), kind=0x12, clock=CLOCK_48),), "",
     "COM2 (port 0x2f8), 16550A, named by SPCR, 115200 bit/s (made 1602 ppm fast), clock 48000000 Hz", None),
    ("dbg2", isa(COM3), (acpi.dbg2((0x8002, 0, memory(0xfe000000)), (SERIAL, 0, port(COM3[0]))),), "",
     "COM3 (port 0x3e8), 16550A, named by DBG2, 115200 bit/s" + NAMED, "DBG2: it names no 16550"),
    ("first", isa(COM2), (acpi.dbg2((SERIAL, 0, port(COM1[0]))), acpi.spcr(port(COM2[0]))), "",
     "COM2 (port 0x2f8), 16550A, named by SPCR, 115200 bit/s" + NAMED, None),
    ("second", isa(COM2), (acpi.spcr(port(COM1[0])), acpi.dbg2((SERIAL, 0, port(COM2[0])))), "",
     "COM2 (port 0x2f8), 16550A, named by DBG2, 115200 bit/s" + NAMED,
     "SPCR: COM1 (port 0x3f8): no byte comes back in its loopback"),
    ("pci", f"{CARD},addr={CARD_SLOT}", (card(),), "",
     f"port {CARD_PORT:#x}, 16550A, named by SPCR, 115200 bit/s" + NAMED, None),
    ("pci-word", f"{CARD},addr={CARD_SLOT}", (), f"serial=pci:00:{CARD_SLOT:02x}.0",
     "PCI device 00:04.0, 16550A, named by serial=, 115200 bit/s" + NAMED, None),
    ("trust", isa(COM1), (), "serial=com1,trust", "COM1 (port 0x3f8), 16550A, named by serial=, 115200 bit/s" + NAMED,
     None),
    ("flash", isa(COM2), (), "", "COM2 (port 0x2f8), 16550A, named by a test of the four COM ports, 115200 bit/s"
                                 + NAMED, None),
)
COM1_BY_BDA = "COM1 (port 0x3f8), 16550A, named by the BIOS data area, 115200 bit/s" + NAMED
# an SPCR that names nothing, and why; COM1 is found all the same
WRONG = (
    ("no-card", card(slot=5), "SPCR: its PCI device is not there"),
    ("other-card", card(slot=1, ids=(0x7000, 0x8086)), "its first base address is not assigned"),
    ("ram", acpi.spcr(memory(0x2000000), kind=0x12), "SPCR: memory 0x2000000: it overlaps free memory"),
    ("image", acpi.spcr(memory(0x100000), kind=0x12), "it overlaps the image, or the first MiB"),
    ("first-mib", acpi.spcr(memory(0xb8000), kind=0x12), "it overlaps the image, or the first MiB"),
    ("lapic", acpi.spcr(memory(0xfee00000), kind=0x12), "it overlaps the interrupt controllers"),
    ("nothing", acpi.spcr(memory(0xfedc9000), kind=0x12, clock=CLOCK_48),
     "SPCR: memory 0xfedc9000: no byte comes back"),
    ("far", acpi.spcr(memory(0xf_ffff_ffff_f000), kind=0x12),
     "SPCR: memory 0xffffffffff000: this CPU has no such physical address"),
    ("high", acpi.spcr(memory(0x40_0000_0000), kind=0x12), "SPCR: memory 0x4000000000: no byte comes back"),
    ("wild", acpi.spcr(memory(1 << 60), kind=0x12), "SPCR: its registers have an impossible address"),
    ("pl011", acpi.spcr(memory(0xfe000000), kind=3), "SPCR: it names no 16550"),
    ("short", acpi.table("SPCR", 2, b"\0" * 20), "SPCR: it is too short"),
    ("slow-clock", acpi.spcr(port(COM1[0]), baud=7, clock=1_000_000),
     "SPCR: COM1 (port 0x3f8): no divisor of its clock makes the rate"),
)


def boot(name, device, tables, words):
    """QEMU with this UART and no other, and these tables: its status, and what comes by the line."""
    output = lib.folder() / f"{name}.out"
    files = []
    for number, table in enumerate(tables):
        file = lib.folder() / f"{name}-{number}.aml"
        file.write_bytes(table)
        files += ["-acpitable", f"file={file}"]
    image = ("-bios", lib.folder() / "flash.rom") if name == "flash" else (
        "-kernel", lib.ROOT / "build/cpuprobe.elf", "-append", f"exit=qemu seed=1 seconds=1 {words}")
    done = subprocess.run(
        lib.supervised(
            "qemu-system-x86_64", "-M", "pc", "-cpu", "max", "-m", "64", "-nodefaults", "-display", "none",
            "-icount", "shift=5,sleep=off", "-rtc", "base=2020-01-01T00:00:00,clock=vm", "-serial", "none",
            "-chardev", f"file,id=line,path={output}", "-device", f"{device},chardev=line", *files, "-no-reboot",
            "-device", "isa-debug-exit,iobase=0xf4,iosize=4", *image),
        stdin=subprocess.DEVNULL, timeout=lib.GUARD, check=False)
    return done.returncode, output.read_text(encoding="latin-1").splitlines()


def check_case(checks, name, device, tables, words, sentence, passed):
    status, lines = boot(name, device, tables, words)
    checks.check(status == SUCCESS, f"{name}: status {status}")
    first = lines[0] if lines else ""
    checks.check(first.endswith(f", speaking at {sentence}"), f"{name}: {first}")
    told = [line for line in lines if "serial=auto: not used: " in line]
    checks.check(len(told) == (passed is not None) and all(passed in line for line in told), f"{name}: {told}")


def make_flash():
    rom = lib.folder() / "flash.rom"
    rom.write_bytes((lib.ROOT / "build/cpuprobe.rom").read_bytes())
    subprocess.run([lib.ROOT / "tools/rom-config", rom, "exit=qemu", "seed=1", "seconds=1"], check=True)


def main():
    checks = lib.Checks()
    make_flash()
    for case in CASES:
        check_case(checks, *case)
    for name, table, sentence in WRONG:
        check_case(checks, name, isa(COM1), (table,), "", COM1_BY_BDA, sentence)
    checks.finish()


if __name__ == "__main__":
    main()
