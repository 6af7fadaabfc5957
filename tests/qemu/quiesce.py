#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Bus masters of storage and network are off, and other processors wait for a start-up,
once the image has the machine.

After the run QEMU's monitor tells the command register of each controller and the state of each processor.  Before
it, a stage (tests/qemu/hostile.asm) or firmware has left them at work; build/uncured.bin leaves out what stops them.
"""

import os
import re
import subprocess
import time

import lib
import qmp

WORDS = "output=frames rate=1000 seconds=1 seed=1 health=on exit=halt"
CONTROLLERS = ("-device", "e1000,addr=10", "-device", "virtio-net-pci,addr=11", "-drive",
               "if=none,id=q,format=raw,file=null-co://,file.size=1M", "-device", "nvme,serial=1,drive=q,addr=12")
SLOTS = (0x10, 0x11, 0x12)
COMMAND, MASTER = 4, 1 << 2
PATIENCE = 150  # seconds of wall time for a run
FLAGS_IF = 1 << 9
RESET = "fff0"  # where a processor stands after INIT
BOOTS = (  # name, image and words of the stage, options of tools/boot, processors, whether it is cured
    ("masters", "build/core.bin masters", ("--machine", "pc"), 1, True),
    ("masters-left", "build/uncured.bin masters master", ("--machine", "pc"), 1, False),
    ("others", "build/core.bin others", ("--machine", "q35"), 3, True),
    ("others-left", "build/uncured.bin others init", ("--machine", "q35"), 3, False),
    ("multiboot", "", ("--machine", "pc"), 2, True),
    ("linux", "", ("--machine", "q35", "--door", "linux"), 2, True),
    ("disk", "", ("--machine", "pc", "--door", "disk"), 2, True),
    ("uefi", "", ("--machine", "q35", "--door", "uefi"), 4, True),
)


class Machine:
    """A run that halts at its end, with the monitor of its machine."""

    def __init__(self, name, stage, options, processors):
        self.dump, place = lib.folder() / f"{name}.dump", lib.folder() / f"{name}.qmp"
        place.unlink(missing_ok=True)
        more = [*CONTROLLERS, "-smp", str(processors)]
        if stage:
            options = (*options, "--image", "build/qemu/hostile.bin")
            more += ["-initrd", stage]
        command = [lib.ROOT / "tools/boot", "--shift", "5", "--timeout", str(PATIENCE), *options, *qmp.options(place)]
        for argument in more:
            command += ["--qemu-arg", argument]
        self.process = subprocess.Popen(lib.supervised(*command, "-o", self.dump, "--", *WORDS.split()),
                                        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.monitor = qmp.Qmp(place)

    def wait(self):
        """Until the stream is complete, or the image says why it ends: whether it is complete."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.process.poll() is None:
            time.sleep(1)
            text, _ = (lib.host("stat", "--json", self.dump, coming=True) if self.dump.exists() and
                       self.dump.stat().st_size else ("", 1))
            if '"complete":true' in text.replace(" ", ""):
                return True
            if self.dump.exists() and b"error: " in self.dump.read_bytes():
                return False
        return False

    def command(self, slot):
        self.monitor.monitor(f"o /w 0xcf8 {0x80000000 | slot << 11 | COMMAND:#x}")
        return int(re.search(r"= (0x\w+)", self.monitor.monitor("i /w 0xcfc"))[1], 16)

    def processors(self):
        """Of each processor where it stands, its flags and whether it waits."""
        return re.findall(r"[ER]IP=(\w+) [ER]FL=(\w+).*?HLT=(\d)", self.monitor.monitor("info registers -a"), re.S)

    def end(self):
        lib.end(self.process)


def stands_still(place, flags, halted):
    """Waits for a start-up; or halts for ever: QEMU 7.2 keeps INIT pending while a processor is in HLT,
    where SeaBIOS leaves it."""
    return halted == "1" and (place.lstrip("0") == RESET or not int(flags, 16) & FLAGS_IF)


def look(checks, name, stage, options, processors, cured):
    machine = Machine(name, stage, options, processors)
    try:
        complete = machine.wait()
        if cured and not checks.check(complete, f"{name}: the run is complete"):
            return
        masters = [hex(slot) for slot in SLOTS if machine.command(slot) & MASTER]
        others = machine.processors()[1:]
    finally:
        machine.end()
    waiting = [stands_still(*other) for other in others]
    if cured:
        checks.check(not masters, f"{name}: no controller is a bus master {masters or ''}".rstrip())
        checks.check(len(others) == processors - 1 and all(waiting),
                     f"{name}: {len(others)} other processors wait for a start-up {others}")
    elif processors == 1:
        checks.check(len(masters) == len(SLOTS), f"{name}: without the cure {masters} are bus masters")
    else:
        checks.check(not any(waiting), f"{name}: without the cure {others} run")
    if not complete:  # QEMU gives a processor in HLT no time while another one runs
        return
    told = lib.health(machine.dump)["stopped"]
    if stage.endswith(" masters"):
        # pc has an IDE controller too
        checks.check(told.startswith("bus masters: 2 of storage, 2 of network"), f"{name}: {told}")
    checks.check("INIT was sent to all" in told, f"{name}: {told}")


def main():
    os.chdir(lib.ROOT)
    checks = lib.Checks()
    for boot in BOOTS:
        look(checks, *boot)
    checks.finish()


main()
