#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots eight tasks whose ids have one hash: five find a record, the samples of the others are lost and counted."""

import lib

SHARES = {f"HASH{n}": 9.0 - n for n in range(8)}  # percent, kernel/workload/workload_rows.c
PROBES = 5
OFF = 0.10  # as for a cell of Figure 3


def main():
    checks = lib.Checks()
    table = lib.boot_table(checks, "collide", "tasks=collide rate=1000 seconds=5 seed=1")
    rows = {name: lib.row(table, name)["total"] for name in SHARES}
    found = [name for name, total in rows.items() if total["hits"]]
    checks.check(len(found) == PROBES, f"five have samples: {' '.join(found)}")
    for name, total in rows.items():
        right = abs(total["exact"] - SHARES[name]) <= OFF * SHARES[name]
        checks.check(right, f"{name} has {total['exact']:.3f} % of the CPU, sampled or not")
        checks.check(name not in found or not lib.beyond(total), f"{name}: {total['percent']:.3f} % by sampling")
    lost = lib.row(table, "LOST")
    if checks.check(lost is not None, "there is a row LOST"):
        total = lost["total"]
        truth = sum(rows[name]["exact"] for name in rows if name not in found)
        checks.check(table["lost"]["table"] == total["hits"], f"{total['hits']} samples lost, the row says as many")
        checks.check(not lib.beyond({**total, "exact": truth}),
                     f"LOST has {total['percent']:.3f} % and its three tasks {truth:.3f} %")
    checks.finish()


if __name__ == "__main__":
    main()
