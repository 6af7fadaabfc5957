#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Python's csv module reads csv: samples by task, shares with their intervals."""

import csv

import client
import lib


def main():
    checks = lib.Checks()
    table = lib.stat(client.recorded(checks))
    with client.exported(checks, "csv").open(newline="") as text:
        rows = list(csv.DictReader(text, strict=True))
    found = {}
    for row in rows:
        found[row["task"]] = found.get(row["task"], 0) + int(row["samples"])
    client.same(checks, "by task", found, client.tasks(table))
    checks.check(all(float(row["low"]) <= float(row["percent"]) <= float(row["high"]) for row in rows),
                 f"each of {len(rows)} places has an interval")
    checks.check(abs(sum(float(row["percent"]) for row in rows) - 100) < 1e-4 * len(rows),
                 "and the shares add to 100")
    checks.finish()


if __name__ == "__main__":
    main()
