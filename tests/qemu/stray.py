#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""NMIs that nobody in the image asked for: each is counted, none moves the account, wherever it comes.

They come by the host's clock, so that no two runs are struck at the same instructions; what must hold, holds of any.
How many came is what a plugin counts of an instruction of their way in (tests/qemu/count/count.c).
"""

import pathlib
import re
import subprocess
import tempfile
import threading
import time

import lib
import qmp

IMAGE = lib.ROOT / "build/cpuprobe.elf"
STRAYS = 1000   # at the least
SENT = 1500     # some come while the last one waits, and are one with it
PACE = 0.0004   # seconds of wall time from one to the next, so that few do
SAID = 400      # bytes of the stream, by which the image has measured itself and its window has begun
TICKS = 3000    # of a machine that is struck behind the arming of every third of them
EACH = 3        # tests/qemu/struck.h
STUB = 16       # bytes of a vector's way in
FIRST = 6       # of its first instruction: the plugin counts too little there where a translation is broken off
VECTOR = 2


def way_in():
    """The address of the second instruction of an NMI's stub in the common entry."""
    text = subprocess.run(["nm", IMAGE], stdout=subprocess.PIPE, text=True, check=True).stdout
    return int(re.search(r"^([0-9a-f]+) . vector_stubs$", text, re.M)[1], 16) + VECTOR * STUB + FIRST


class Striker(threading.Thread):
    """NMIs one after another, once the window has begun; `done` once all were sent, with the machine still running."""

    def __init__(self, path, dump, number):
        super().__init__()
        self.path, self.dump, self.number, self.done = path, dump, number, False

    def run(self):
        try:
            with qmp.Qmp(self.path) as machine:
                while not self.dump.exists() or self.dump.stat().st_size < SAID:
                    time.sleep(PACE)
                for _ in range(self.number):
                    machine.do("inject-nmi")
                    time.sleep(PACE)
                self.done = True
        except (OSError, ValueError, TimeoutError):
            pass  # the run is over, and the last ones came after the image had told


def struck(checks, name, words, number, options=(), shift=5):
    """A boot that is struck by so many: how many came in by the common entry.  lib.check_sums() has the truths add to 100."""
    counts, dump = lib.folder() / f"{name}.counts", lib.folder() / f"{name}.dump"
    counts.unlink(missing_ok=True)
    dump.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "qmp"
        striker = Striker(path, dump, number)
        striker.start()
        table = lib.boot_table(checks, name, words, shift=shift, options=(
            "--door", "rom", *qmp.options(path), *options,
            "--qemu-arg", "-plugin", "--qemu-arg", f"{lib.ROOT}/build/qemu/count.so,out={counts},from={way_in():#x}"))
        striker.join()
    came = sum(int(line.split()[2]) for line in counts.read_text().splitlines() if int(line.split()[0], 16) == way_in())
    checks.check(striker.done, f"{name}: all {number} were sent while it ran")
    checks.check(told(table) == came, f"{name}: {came} came, and the image tells {told(table)}")
    return came


def told(table):
    """The NMIs that the image says were no ticks."""
    said = [re.search(r"(\d+) NMIs were no ticks", t["text"]) for t in table["texts"]]
    return sum(int(s[1]) for s in said if s)


def check_arming(checks, name, words):
    """An NMI between the arming of a one-shot and the clock that its tick is held against: the tick comes all the same."""
    table = lib.boot_table(checks, name, f"delivery=irq tasks=figure3 rate=1000 seconds=0 samples={TICKS} seed=1 {words}",
                           options=("--image", str(lib.ROOT / "build/struck.elf")))
    checks.check(table["samples"] == TICKS, f"{name}: {TICKS} ticks, none of them the last")
    checks.check(told(table) >= TICKS // EACH, f"{name}: {told(table)} NMIs are told, one in {EACH} armings")


def main():
    checks = lib.Checks()
    check_arming(checks, "arming-pit", "tick=pit")
    check_arming(checks, "arming-lapic", "tick=lapic clock=rtc")
    came = struck(checks, "irq", "delivery=irq tasks=calls rate=1000 seconds=6 seed=1", SENT)
    checks.check(came >= STRAYS, f"irq: {STRAYS} at the least")
    struck(checks, "no-lapic", "delivery=irq tasks=spin rate=1000 seconds=2 seed=1", 1, ("--cpu", "max,-apic"))
    checks.finish()


if __name__ == "__main__":
    main()
