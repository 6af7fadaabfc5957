#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Crowe's 10 000 emulated divisions of 32 bits at 960 Hz: their time by samples,
and by the instructions that were counted."""

import json
import subprocess

import lib

DIVISIONS = 10000
# 8 million instructions a second.  A handler of a tick takes 43 us there, and stratified ticks avoid it, for which
# their intervals have more room than a division takes.  Exponential ticks do not.
SHIFT = 7
PROGRAM = lib.ROOT / "build/tasks/divider.elf"
WIDER = lib.DEVIATIONS / lib.SIGMAS  # from an interval of 99.9 % to one that chance alone does not leave
CODE = 0x400000  # kernel/tasks/runtime/program.ld


def words(seed):
    return f"tasks=divisions monitor=system,samples rate=960 seconds=4 interval=exponential seed={seed}"


def plugin(out):
    """Arguments of tools/boot that count each instruction of programs."""
    return ("--qemu-arg", "-plugin", "--qemu-arg", f"{lib.ROOT}/build/qemu/count.so,out={out},from={CODE:#x}")


def range_of(function):
    text = subprocess.run(["nm", "-S", "--defined-only", PROGRAM], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    first, size = next((int(r[0], 16), int(r[1], 16)) for r in map(str.split, text.splitlines()) if r[-1] == function)
    return range(first, first + size)


def truth(out):
    """Clock units of one division, by the instructions of the function that were executed; 1 ns is one."""
    of, lines = range_of("divide"), map(str.split, out.read_text().splitlines())
    return sum(int(times) for address, _, times in lines if int(address, 16) in of) * 2 ** SHIFT / DIVISIONS


def timed(dump):
    """What cpuprobe time says of one division."""
    text, status = lib.host("time", "--json", dump, "--task", "DIVIDE", "--function", "divide", "--count",
                            str(DIVISIONS))
    return json.loads(text) if status == lib.COMPLETE else None


def quotients():
    """The sum of the quotients, by the divisions of the host: the operands of kernel/tasks/divider.c."""
    operand, total = 1, 0
    for _ in range(DIVISIONS):
        dividend = (1664525 * operand + 1013904223) % 2 ** 32
        operand = (1664525 * dividend + 1013904223) % 2 ** 32
        total += dividend // (operand >> 12 | 1)
    return total


def main():
    checks = lib.Checks()
    out = lib.folder() / "counts"
    table = lib.boot_table(checks, "divisions", words(1), shift=SHIFT, options=("--door", "rom", *plugin(out)))
    sums = [r["value"] for r in table["reports"] if r["name"] == "DIVIDE"]
    checks.check(sums == [quotients()], f"the quotients add up to {sums}")
    found, true = timed(lib.folder() / "divisions.dump"), truth(out)
    if checks.check(found, "cpuprobe time says how long a division takes"):
        t = found["clocks"]
        checks.check(-WIDER * (t["time"] - t["low999"]) <= true - t["time"] <= WIDER * (t["high999"] - t["time"]),
                     f"{found['hits']} hits: {t['time']:.0f} clock units, 99.9 % {t['low999']:.0f} to "
                     f"{t['high999']:.0f}; counted {true:.0f}")
    checks.finish()


if __name__ == "__main__":
    main()
