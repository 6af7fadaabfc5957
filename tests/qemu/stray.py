#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""NMIs that nobody in the image asked for: each is counted, none moves the account, wherever it comes.

They come by the host's clock, so that no two runs are struck at the same instructions; what must hold, holds of any.
How many came is what a plugin counts of an instruction of their way in (tests/qemu/count/arrivals.c).  It tells while
the machine runs, which goes on until enough have come: how fast the host is decides how long that takes,
and nothing else.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import time

import lib
import qmp
from link import Link

IMAGE = lib.ROOT / "build/cpuprobe.elf"
STRAYS = 1000   # that come: one that is sent while another one waits is one with it
PACE = 0.0004   # seconds of wall time from one to the next, so that few are
GUARD = 200     # seconds of wall time until all have come, so that the test does not hang
SAID = 400      # bytes of the stream, by which the image has measured itself and its window has begun
SESSION = 1     # of the command that ends a run
TICKS = 3000    # of a machine that is struck behind the arming of every third of them
EACH = 3        # tests/qemu/struck.h
STUB = 16       # bytes of a vector's way in
FIRST = 6       # of its first instruction: the plugin counts too little there where a translation is broken off
VECTOR = 2


def way_in():
    """The address of the second instruction of an NMI's stub in the common entry."""
    text = subprocess.run(["nm", IMAGE], stdout=subprocess.PIPE, text=True, check=True).stdout
    return int(re.search(r"^([0-9a-f]+) . vector_stubs$", text, re.M)[1], 16) + VECTOR * STUB + FIRST


def came(counts):
    """How many have come so far."""
    return int.from_bytes(counts.read_bytes(), sys.byteorder)


def strike(hand, machine, counts, number):
    """One NMI after another once the window has begun, until so many have come."""
    until = time.monotonic() + GUARD
    if not any(hand.dump.stat().st_size >= SAID for _ in hand.looks()):
        raise TimeoutError(f"{hand.dump}: the window does not begin")
    while came(counts) < number:
        if time.monotonic() > until or hand.ended.is_set():
            raise TimeoutError(f"{counts}: {came(counts)} NMIs came, not {number}")
        machine.do("inject-nmi")
        time.sleep(PACE)


def struck(checks, name, words, number, seconds, options=()):
    """A boot of so many seconds of the machine at the least, until so many have come in by the common entry, all of
    them told.  lib.check_sums() has the truths add to 100."""
    counts = lib.folder() / f"{name}.counts"
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "qmp"
        options = (*qmp.options(path), *options,
                   "--qemu-arg", "-plugin", "--qemu-arg",
                   f"{lib.ROOT}/build/qemu/arrivals.so,out={counts},at={way_in():#x}")
        with Link(name, f"seconds=0 {words}", options=options) as link:
            with link.connect() as hand, qmp.Qmp(path) as machine:
                strike(hand, machine, counts, number)
                hand.await_seconds(seconds)
                hand.end(SESSION)
            status = link.process.wait(GUARD)
    said = (lib.folder() / f"{name}.errors").read_text()
    table = lib.run_table(checks, name, lib.Run(hand.dump, status, said))
    checks.check(came(counts) >= number, f"{name}: {number} came at the least")
    checks.check(told(table) == came(counts), f"{name}: {came(counts)} came, and the image tells {told(table)}")


def told(table):
    """The NMIs that the image says were no ticks."""
    said = [re.search(r"(\d+) NMIs were no ticks", t["text"]) for t in table["texts"]]
    return sum(int(s[1]) for s in said if s)


def check_arming(checks, name, words):
    """An NMI between the arming of a one-shot and the clock that its tick is held against:
    the tick comes all the same."""
    table = lib.boot_table(checks, name, f"delivery=irq tasks=figure3 rate=1000 seconds=0 samples={TICKS} "
                                         f"seed=1 {words}", options=("--image", str(lib.ROOT / "build/struck.elf")))
    lib.check_count(checks, name, table, TICKS)
    checks.check(told(table) >= TICKS // EACH, f"{name}: {told(table)} NMIs are told, one in {EACH} armings")


def check_latency(checks):
    """NMIs that strike each third one-shot of the measurement are no one-shots: the least latency of the tick's own
    NMI is the one without them.  Taken for a one-shot, which is due later, each would make it 0."""
    floors = {}
    for name in ("cpuprobe", "disturbed"):
        run = lib.boot(f"latency-{name}", "output=frames delivery=nmi tasks=spin rate=1000 seconds=1 seed=1",
                       options=("--image", str(lib.ROOT / f"build/{name}.elf")))
        checks.check(run.status == lib.COMPLETE, f"latency-{name}: {run.status} {run.said.strip()}")
        floors[name] = next(head for head, _ in lib.records(run.dump, "HELLO"))["floor"]
    checks.check(floors["disturbed"] >= floors["cpuprobe"] > 0, f"least latency of an NMI: {floors} clock units")


def main():
    checks = lib.Checks()
    check_arming(checks, "arming-pit", "tick=pit")
    check_arming(checks, "arming-lapic", "tick=lapic clock=rtc")
    check_latency(checks)
    struck(checks, "irq", "delivery=irq tasks=calls rate=1000 seed=1", STRAYS, 6)
    struck(checks, "no-lapic", "delivery=irq tasks=spin rate=1000 seed=1", 1, 2, ("--cpu", "max,-apic"))
    checks.finish()


if __name__ == "__main__":
    main()
