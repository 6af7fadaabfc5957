#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots in Bochs, which shares no code with QEMU, and holds the tables of both against each other."""

import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))

import door
import expected
import lib

SKIPPED = 77
TIMEOUT = 124
BOCHS = ("--emulator", "bochs")
RTC_LINE = "through interrupt 8 of the I/O APIC: 1 port access a tick"
SHIFT = 3  # at which Bochs repeats itself to the bit (tools/boot)


def check_old_cpu(checks):
    """It says so, and stands still."""
    stream = lib.folder() / "old-cpu.text"
    stream.write_bytes(b"")
    command = (lib.ROOT / "tools/boot", *BOCHS, "--door", "rom", "--cpu", "p3_katmai", "--timeout", str(lib.GUARD),
               "-o", stream)
    boot = subprocess.Popen(lib.supervised(*command), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while boot.poll() is None and b"\n" not in stream.read_bytes():
        time.sleep(0.1)
    boot.terminate()
    boot.wait()
    checks.check(b"no 64-bit mode" in stream.read_bytes(), f"old-cpu: {stream.read_bytes()}")


def check_ends(checks):
    door.refused(checks, "wrong-word", "colour=red", (*BOCHS, "--door", "rom"), "unknown word 'colour'")
    check_old_cpu(checks)
    run = lib.boot("endless", "seconds=0", options=(*BOCHS, "--door", "rom"), timeout=3)
    checks.check(run.status == TIMEOUT, f"a run without end ends by its time-out ({run.status})")


def check_text(checks):
    """The last bytes arrive."""
    run = lib.boot("text", "seconds=1 output=text", options=(*BOCHS, "--door", "rom"))
    text = run.dump.read_text()
    checks.check(run.status == lib.COMPLETE and text.endswith("\n") and expected.last_line(text).startswith("exact"),
                 f"the text is whole ({run.status}), {len(text)} bytes")


def check_sources(checks):
    """Tick sources that QEMU has too, and the RTC on a CPU that halts, which QEMU has not (docs/TESTING.md)."""
    for name, words, rate in (("rtc", "tick=rtc rate=1024", 1024), ("rtc-most", "tick=rtc rate=8192", 8192),
                              ("lapic", "tick=lapic clock=rtc rate=1000", 1000)):
        table = lib.boot_table(checks, name, f"{words} seconds=1", shift=SHIFT, options=(*BOCHS, "--door", "rom"))
        missed = table["missed"]["overrun"] + table["missed"]["source"]
        number, due = table["samples"], rate * table["window"]["seconds"]
        checks.check(abs(number - due) <= 0.02 * due and missed == 0,
                     f"tick={name}: {number} ticks of {due:.0f}, {missed} missed")
        way = lib.health(lib.folder() / f"{name}.dump")["rtc line"]
        checks.check(name == "lapic" or way == RTC_LINE, f"tick={name}: {way}")


def main():
    if not shutil.which("bochs"):
        print("no Bochs: tools/setup check installs it")
        sys.exit(SKIPPED)
    checks = lib.Checks()
    tables = {"qemu": door.boot(checks, door.Boot("qemu", "rom", ("--door", "rom")), SHIFT)}
    for kind in ("rom", "disk"):
        tables[f"bochs-{kind}"] = door.boot(checks, door.Boot(f"bochs-{kind}", kind, (*BOCHS, "--door", kind)), SHIFT)
    for kind in ("rom", "disk"):
        texts = lib.warnings(tables[f"bochs-{kind}"])
        checks.check(not texts, f"{kind}: Bochs warns of nothing: {texts}")
    yardstick = lib.health(lib.folder() / "bochs-disk.dump")["yardstick"]
    checks.check("CPUID tells the rate of another clock" in yardstick,
                 f"disk: CPUID of a chip that Bochs is not: {yardstick}")
    door.agree(checks, tables)
    door.boot(checks, door.Boot("again", "rom", (*BOCHS, "--door", "rom")), SHIFT)
    dumps = [(lib.folder() / f"{name}.dump").read_bytes() for name in ("bochs-rom", "again")]
    checks.check(dumps[0] == dumps[1], f"two boots give the same {len(dumps[0])} bytes")
    check_text(checks)
    check_sources(checks)
    check_ends(checks)
    checks.finish()


if __name__ == "__main__":
    main()
