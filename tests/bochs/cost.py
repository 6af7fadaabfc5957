#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""What the image says that a tick costs, in Bochs: it follows how fast the emulator is,
and decides which rates are refused."""

import pathlib
import shutil
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))

import lib

SKIPPED = 77
SHIFTS = (3, 5, 7)
WORDS = "output=frames seed=1 interval=fixed tasks=spin seconds=1"
OPTIONS = ("--emulator", "bochs", "--door", "rom")
# instructions of a handler that a source of another speed may run more: two ways through it differ by 15,
# and one for rounding
NEAR = 16
REFUSED = 50000


def boot(name, words, shift):
    return lib.boot(name, f"{WORDS} {words}", shift=shift, options=OPTIONS)


def main():
    if not shutil.which("bochs"):
        print("no Bochs: tools/setup check installs it")
        sys.exit(SKIPPED)
    checks = lib.Checks()
    ticks, hello = [], None
    for shift in SHIFTS:
        run = boot(f"shift-{shift}", "rate=1000", shift)
        hello = next(lib.records(run.dump, "HELLO"))[0]
        unit = 2 ** shift * hello["clock_hz"] / 1e9  # clock units of an instruction
        accesses = [hello[field] for field in ("port_read", "port_write", "lapic_access")]
        checks.check(run.status == lib.COMPLETE and all(abs(clocks - unit) <= unit / 16 + 1 for clocks in accesses),
                     f"shift {shift}: accesses take {accesses} clock units of {unit:.2f}")
        ticks.append(hello["tick"] / unit)
    checks.check(min(ticks) > 0 and max(ticks) - min(ticks) <= NEAR,
                 f"a tick takes {[round(tick, 1) for tick in ticks]} instructions")
    high = round(hello["clock_hz"] * 1.05 * REFUSED / (1e5 * hello["tick"]))
    run = boot("refused", f"rate={high}", SHIFTS[-1])
    checks.check(run.status != lib.COMPLETE and "needs cost=any" in run.said,
                 f"rate={high}: {run.status} {run.said.strip()}")
    run = boot("any", f"rate={high} cost=any", SHIFTS[-1])
    share = next(lib.records(run.dump, "HELLO"))[0]["tick_share"]
    checks.check(run.status == lib.COMPLETE and share > REFUSED,
                 f"rate={high} cost=any: {share} thousandths, {run.status}")
    checks.finish()


if __name__ == "__main__":
    main()
