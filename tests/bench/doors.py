# SPDX-License-Identifier: MIT
"""From reset to the first byte, door by door: tools/bench-doors says how."""

import json
import subprocess

import lib
from result import Result


def results(_):
    run = subprocess.run([lib.ROOT / "tools/bench-doors"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
    for line in run.stdout.splitlines():
        row = json.loads(line)
        yield Result(row["name"], row["value"], row["unit"])
