# SPDX-License-Identifier: MIT
"""From reset to the first byte, door by door: tools/build/bench-doors says how."""

import json
import subprocess

import lib
from result import Result, Table

BYTE = "reset to first byte, "


def results(_):
    run = subprocess.run([lib.ROOT / "tools/build/bench-doors"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         text=True, check=True)
    rows = []
    for row in map(json.loads, run.stdout.splitlines()):
        yield Result(row["name"], row["value"], row["unit"])
        if row["name"].startswith(BYTE) and row["unit"] == "ms":
            rows.append((row["name"].removeprefix(BYTE), str(row["value"])))
    yield Table(("door", "ms"), rows)
