#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots several runs of one program: identity= says which of them share a row."""

import lib

# Rows and their percent, by kernel/workload/workload_rows.c.
ROWS = {
    "name": [("OTHER", 5), ("ROGUE", 20), ("TWIN", 25)],
    "image": [("rogue", 20), ("worker", 30)],
    "task": [("OTHER", 5), ("ROGUE", 20), ("TWIN", 10), ("TWIN", 15)],
}
NOT_WORKLOAD = {"PROBE", "probe", "IDLE", *lib.NOT_TASKS}
OFF = 0.10  # as for a cell of Figure 3


def main():
    checks = lib.Checks()
    for identity, expected in ROWS.items():
        table = lib.boot_table(checks, identity, f"tasks=twins identity={identity} rate=1000 seconds=5 seed=1")
        rows = sorted((r["name"], r["total"]["exact"], r) for r in table["tasks"] if r["name"] not in NOT_WORKLOAD)
        names = [name for name, _, _ in rows]
        checks.check(names == [name for name, _ in expected], f"identity={identity}: rows {' '.join(names)}")
        for (name, exact, row), (_, percent) in zip(rows, expected):
            checks.check(abs(exact - percent) <= OFF * percent, f"identity={identity}: {name} has {exact:.3f} %")
            checks.check(not lib.beyond(row["total"]), f"identity={identity}: {name} by sampling")
    checks.finish()


if __name__ == "__main__":
    main()
