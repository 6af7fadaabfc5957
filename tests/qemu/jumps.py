#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Jumps from ring 3 to each byte of the kernel's entries, with registers of the task's choice:
each task ends alone."""

import collections
import subprocess

import lib

PAGE = 14
USER_FETCH = 1 << 4 | 1 << 2 | 1  # error code: an instruction fetch, at ring 3, of a page that is there
EACH = 2      # jumps to a byte: kernel/workload/workload_hostile.c
SHARE = 20.0  # percent of STAYS
OFF = 0.10    # of it, as a part
A_SECOND = 560  # jumps in a second at least, beside STAYS
DELIVERIES = {"irq": "rate=1000", "nmi": "rate=1000 delivery=nmi"}


def entries():
    """The addresses of kernel/cpu/vectors.asm."""
    lines = subprocess.run(["nm", lib.ROOT / "build/cpuprobe.elf"], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.splitlines()
    at = {name: int(address, 16) for address, _, name in (line.split() for line in lines)}
    return range(at["vector_stubs"], at["restart_text_end"])


def check_faults(checks, name, faults):
    seen = collections.Counter(int(f["pc"]) for f in faults)
    text = entries()
    checks.check(set(seen) == set(text) and set(seen.values()) == {EACH},
                 f"{name}: {EACH} records for each of {len(text)} bytes: {len(faults)} records of "
                 f"{len(seen)} addresses")
    kinds = {(f["name"], f["vector"], f["mode"], f["error"], f["pc"] == f["address"]) for f in faults}
    checks.check(kinds == {("JUMP", PAGE, 0, USER_FETCH, True)},
                 f"{name}: each is a fetch by the task alone: {kinds}")


def main():
    checks = lib.Checks()
    seconds = EACH * len(entries()) // A_SECOND + 1
    for name, words in DELIVERIES.items():
        table = lib.boot_table(checks, name, f"tasks=jumps {words} seconds={seconds} seed=1")
        dump = lib.folder() / f"{name}.dump"
        check_faults(checks, name, [head for head, _ in lib.records(dump, "FAULT")])
        said = " ".join(head["text"] for head, _ in lib.records(dump, "TEXT"))
        checks.check(f"jumps: {EACH * len(entries())} tasks ended by a fault, 0 by themselves, "
                     "0 by their parent" in said, f"{name}: none came back or stayed")
        _, status = lib.host("audit", dump)
        checks.check(status == lib.COMPLETE, f"{name}: the audit holds ({status})")
        stays = lib.row(table, "STAYS")["total"]["exact"]
        checks.check(abs(stays - SHARE) <= OFF * SHARE, f"{name}: STAYS goes on with {stays:.3f} % of the CPU")
    checks.finish()


if __name__ == "__main__":
    main()
