#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Words over the line in Bochs, whose transmitters are paced: to tick=slu and from it,
on COM2 and on the stream's own line."""

import pathlib
import shutil
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))

import expected
import lib
from terminal import Terminal

SKIPPED = 77
ENOUGH = 8000   # bytes of an epoch before it is changed: its head and a snapshot
NEAR = 0.05     # the handler's time comes on top of a one-shot's interval
STEADY = "rate=700 interval=stratified"
PIT, NMI = f"tick=pit {STEADY} delivery=irq", f"tick=pit {STEADY} delivery=nmi"
SLU, SLU_NMI, TIMEOUT = "tick=slu delivery=irq", "tick=slu delivery=nmi", "tick=slu-timeout delivery=irq"
RTC = "tick=rtc rate=512 delivery=irq"
WAY = (PIT, SLU, PIT, TIMEOUT, SLU, SLU_NMI, SLU, NMI, SLU_NMI, PIT, RTC, SLU, TIMEOUT)


def check_epoch(checks, dump, number, words, hello):
    what = f"{dump.stem}, epoch {number}, {words}"
    table = lib.stat(dump, "--epoch", str(number))
    source = words.split()[0].removeprefix("tick=")
    checks.check(table["complete"] and hello["source"] == source and f" delivery={words[-3:]} " in hello["words"],
                 f"{what}: complete, by {hello['source']}")
    rate = lib.rate(hello)
    seen = (table["samples"] + sum(table["missed"].values())) / table["window"]["seconds"]
    checks.check(abs(seen / rate - 1) < NEAR, f"{what}: {seen:.1f} ticks a second of {rate:.1f}")
    checks.check(table["missed"]["source"] == 0, f"{what}: none is lost by the device: {table['missed']}")
    lib.check_sums(checks, what, table, hello["late"])


def check_way(checks, name, words, way):
    line = Terminal(name, f"{words} {way[0]}")
    for step in way[1:]:
        line.keep(ENOUGH)
        line.send(step)
    line.keep(ENOUGH)
    checks.check(line.finish() == lib.COMPLETE, f"{name}: the run ends well")
    hellos = {}
    for head, _ in lib.records(line.dump, "HELLO"):
        hellos.setdefault(head["epoch"], head)
    # seconds=1 begins one
    if checks.check(len(hellos) == len(way) + 1, f"{name}: {len(hellos)} epochs of {len(way) + 1}"):
        for number, (step, hello) in enumerate(zip([*way, way[-1]], hellos.values()), 1):
            check_epoch(checks, line.dump, number, step, hello)
    text, status = lib.host("info", line.dump)
    checks.check(status == 0 and "missing    0 frames" in text, f"{name}: no frame is missing")
    warned = expected.others(head["text"] for head, _ in lib.records(line.dump, "TEXT") if head["severity"])
    checks.check(not warned, f"{name}: no warning {warned}")


def main():
    if not shutil.which("bochs"):
        print("no Bochs: tools/setup check installs it")
        sys.exit(SKIPPED)
    checks = lib.Checks()
    check_way(checks, "second", "seed=1", WAY)
    check_way(checks, "stream", "seed=1 slu=stream", (SLU, PIT, SLU, RTC, SLU))
    checks.finish()


if __name__ == "__main__":
    main()
