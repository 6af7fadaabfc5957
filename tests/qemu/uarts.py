#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots with the stream's UART at other places: each COM port, a port by number, a PCI card; with its interrupt at
another IRQ, and with none there."""

import subprocess

import lib

SUCCESS, FAILURE = 33, 35  # of QEMU, by the debug-exit port
NOTE, WARNING = 0, 1       # severities
PCI_CARD = ("-device", "pci-serial,chardev=line")


def isa(port, irq):
    return ("-device", f"isa-serial,chardev=line,iobase={port:#x},irq={irq}")


COM1 = "COM1 (port 0x3f8), 16550A"
# half a FIFO of 16 bytes at 115200 bit/s takes 694 us
BY_CLOCK = "the system clock serves the line, 1441 times a second"
WRONG_IRQ = 5

# name, word, the device, what HELLO calls it
PLACES = (
    ("com1", "com1", isa(0x3f8, 4), COM1),
    ("other-irq", "com1", isa(0x3f8, WRONG_IRQ), COM1),
    ("com2", "com2,57600", isa(0x2f8, 3), "COM2 (port 0x2f8), 16550A"),
    ("com3", "com3", isa(0x3e8, 4), "COM3 (port 0x3e8), 16550A"),
    ("com4", "com4,9600", isa(0x2e8, 3), "COM4 (port 0x2e8), 16550A"),
    ("port", "0x3e8", isa(0x3e8, 4), "port 0x3e8, 16550A"),
    ("pci", "pci", PCI_CARD, "the PCI bus, 16550A"),
)


def run(name, word, device):
    """QEMU with this UART and no other: its status, and where its stream is."""
    dump = lib.folder() / f"{name}.dump"
    words = f"exit=qemu seed=1 seconds=3 rate=1000 output=frames serial={word}"
    done = subprocess.run(
        lib.supervised(
            "qemu-system-x86_64", "-M", "pc", "-cpu", "max", "-m", "64", "-nodefaults", "-display", "none",
            "-icount", "shift=5,sleep=off", "-rtc", "base=2020-01-01T00:00:00,clock=vm", "-serial", "none",
            "-chardev", f"file,id=line,path={dump}", *device, "-no-reboot",
            "-device", "isa-debug-exit,iobase=0xf4,iosize=4",
            "-kernel", lib.ROOT / "build/cpuprobe.elf", "-append", words),
        stdin=subprocess.DEVNULL, timeout=lib.GUARD, check=False)
    return done.returncode, dump


def check_place(checks, name, word, device, called):
    status, dump = run(name, word, device)
    checks.check(status == SUCCESS, f"{name}: status {status}")
    table = lib.stat(dump)
    checks.check(table["complete"] and table["samples"] > 2900, f"{name}: {table['samples']} samples, complete")
    damage = table["damage"]
    checks.check(not damage["damaged_bytes"] and not damage["missing"], f"{name}: damage {damage}")
    hello, _ = next(iter(lib.records(dump, "HELLO")))
    checks.check(hello["line"] == called, f"{name}: HELLO calls it '{hello['line']}'")


def check_served(checks, name, line, severity):
    """By what the line is served is told among the machine's health; where that is not its interrupt,
    at the start too."""
    dump = lib.folder() / f"{name}.dump"
    told = [head["text"] for head, _ in lib.records(dump, "TEXT") if head["severity"] == severity]
    checks.check(lib.health(dump)["line"] == line, f"{name}: {lib.health(dump)['line']}")
    checks.check(any(line in text for text in told) == (BY_CLOCK in line), f"{name}: {told}")
    checks.check(not any("transmit interrupt" in text for text in told), f"{name}: none is lost while it runs")


def main():
    checks = lib.Checks()
    for place in PLACES:
        check_place(checks, *place)
    check_served(checks, "com1", "4 of 4 interrupts came by IRQ 4", WARNING)
    check_served(checks, "other-irq", f"0 of 4 interrupts came by IRQ 4: {BY_CLOCK}", WARNING)
    check_served(checks, "pci", f"no interrupt is known: {BY_CLOCK}", NOTE)
    for name, word in (("none-pci", "pci"), ("none-com4", "com4"), ("none-port", "0x3e8")):
        status, _ = run(name, word, isa(0x3f8, 4))
        checks.check(status == FAILURE, f"{name}: no such UART, status {status}")
    checks.finish()


if __name__ == "__main__":
    main()
