#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The system clock or the RTC's tick loses an interrupt in mid-run: the image goes on, and tells of it.

An SMI that leaves the RTC's index on another byte is QEMU's monitor here: at `-m 124` byte 0x34 is 0xc0, which looks
like register C with a request.  An arming of the local APIC's timer is left out by build/uncured.bin
(tests/qemu/uncured.h).
"""

import json
import os
import re
import subprocess
import time

import lib
import qmp

MEMORY = ("--qemu-arg", "-m", "--qemu-arg", "124")
INDEX, DATA, LOOKS_LIKE_C, REG_B, NO_INTERRUPTS = 0x70, 0x71, 0x34, 0x0b, 0x02
PATIENCE = 150  # seconds of wall time for a run
SECONDS = 20
STORM_RAGES = 5 # s
ROOM = 2        # s that an end may come too late: a loss is found within half a second and one look
STOPPED = "the RTC's ticks stopped and were begun anew"
LOST = ", which is the system clock, that were lost and begun anew: "
OFF = 0.001     # of the ticks that are due
OFF_STORM = 0.05 # of the interrupts of a storm, which ends when its task wakes

MOVED = ((INDEX, LOOKS_LIKE_C),)
SWITCHED_OFF = ((INDEX, REG_B), (DATA, NO_INTERRUPTS))

# name, words, what is written to the ports, what is told
POKED = (
    ("clock-index", "clock=rtc tasks=spin rate=1000", MOVED, None),
    ("clock-index-without-ticks", "clock=rtc tick=none tasks=spin", MOVED, None),
    ("clock-index-idle", "clock=rtc tasks=sleepers rate=1000", MOVED, None),
    ("clock-off", "clock=rtc tasks=spin rate=1000", SWITCHED_OFF, "the RTC" + LOST + "1"),
    ("clock-off-idle", "clock=rtc tasks=sleepers rate=1000", SWITCHED_OFF, "the RTC" + LOST + "1"),
    ("tick-index", "tick=rtc rate=1024 tasks=spin", MOVED, STOPPED),
    ("tick-index-slow", "tick=rtc rate=2 tasks=spin", MOVED, STOPPED),
    ("tick-index-8259", "tick=rtc rate=8192 tasks=spin cost=any", MOVED, STOPPED),
    ("storm-index", "tasks=storm rate=1000", MOVED, None),
)

# words, which arming of the local APIC's timer
LEFT_OUT = (("tasks=spin", 800), ("tasks=spin delivery=nmi", 800), ("tasks=spin tick=hpet", 800),
            ("tasks=spin tick=pit-periodic", 800), ("tasks=spin monitor=samples", 800), ("tasks=sleepers", 2000))


def written(monitor, accesses):
    """By somebody else, while the processor is in an SMI."""
    monitor.do("stop")
    for port, value in accesses:
        monitor.monitor(f"o /b {port:#x} {value:#x}")
    monitor.do("cont")


def begun(dump, process):
    """In the first storm of `tasks=storm` (kernel/tasks/storm.c), which has one of 4 s in each 8."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        text = lib.host("stat", "--json", dump, coming=True)[0] if dump.exists() else ""
        if text and json.loads(text)["epoch"]["snapshots"] >= STORM_RAGES:
            return True
        time.sleep(0.1)
    return False


def poked(name, words, accesses):
    """A run in which that is written after its first second: its status and what it left."""
    dump, place = lib.folder() / f"{name}.dump", lib.folder() / f"{name}.qmp"
    for path in (dump, place):
        path.unlink(missing_ok=True)
    command = [lib.ROOT / "tools/boot", "--shift", "5", "--timeout", str(PATIENCE), "--door", "rom", *MEMORY,
               *qmp.options(place), "-o", dump, "--", "output=frames", f"seconds={SECONDS}", *words.split()]
    process = subprocess.Popen(lib.supervised(*command), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        with qmp.Qmp(place) as monitor:
            if begun(dump, process):
                written(monitor, accesses)
            said = process.communicate(timeout=PATIENCE)[1]
    finally:
        lib.end(process)
    return lib.Run(dump, process.returncode, said)


def told_of(dump):
    return [fields["text"] for fields, _ in lib.records(dump, "TEXT") if "begun anew" in fields["text"]]


def check_poked(checks, name, words, accesses, sentence):
    run = poked(name, words, accesses)
    told = told_of(run.dump)
    checks.check(run.status == lib.COMPLETE, f"{name}: the run ends well ({run.status}) {run.said.strip()}")
    if sentence is None:
        checks.check(not told, f"{name}: nothing is lost: {told}")
    else:
        checks.check(len(told) == 1 and sentence in told[0], f"{name}: it is told: {told}")
    if run.status == lib.COMPLETE and "tick=none" not in words:
        check_table(checks, name, words, lib.stat(run.dump), told)


def check_table(checks, name, words, table, told):
    seconds = table["window"]["seconds"]
    checks.check(SECONDS - 0.1 <= seconds <= SECONDS + ROOM, f"{name}: it took {seconds:.2f} s")
    if "tasks=storm" in words:
        counts = [r["value"] for r in table["reports"] if r["name"] == "STORM"]
        checks.check(len(counts) == 2 and min(counts) > (1 - OFF_STORM) * max(counts),
                     f"{name}: storms of {counts} interrupts")
    if "tick=rtc" not in words:
        return
    rate = int(words.split("rate=")[1].split()[0])
    number = table["samples"] + table["missed"]["source"] + table["missed"]["overrun"]
    checks.check(abs(number - seconds * rate) <= max(OFF * seconds * rate, 1),
                 f"{name}: {table['samples']} ticks and {table['missed']} of {seconds * rate:.1f}")
    # The moment of the access is the host's: what begins the device anew may do it while a tick waits,
    # one for each time.
    anew = sum(int(n) for text in told for n in re.findall(r"begun anew[^:;]*: (\d+)", text))
    checks.check(table["missed"]["source"] > 0 and table["missed"]["overrun"] <= anew,
                 f"{name}: what is missing is the device's, but for {table['missed']['overrun']} of {anew} times "
                 "that it was begun anew")


def check_left_out(checks, words, arming):
    name = f"left-{words.replace(' ', '-')}"
    options = ("--image", "build/qemu/hostile.bin", "--qemu-arg", "-initrd", "--qemu-arg",
               f"build/uncured.bin none k{arming}")
    run = lib.boot(name, f"output=frames rate=1000 seconds={SECONDS} health=off {words}", timeout=PATIENCE,
                   options=options)
    told = told_of(run.dump)
    checks.check(run.status == lib.COMPLETE, f"{words}: the run ends well ({run.status}) {run.said.strip()}")
    checks.check(len(told) == 1 and "the local APIC's timer" + LOST + "1" in told[0], f"{words}: it is told: {told}")
    if run.status == lib.COMPLETE:
        check_table(checks, words, words, lib.stat(run.dump), told_of(run.dump))


def main():
    os.chdir(lib.ROOT)
    checks = lib.Checks()
    for case in POKED:
        check_poked(checks, *case)
    for case in LEFT_OUT:
        check_left_out(checks, *case)
    checks.finish()


if __name__ == "__main__":
    main()
