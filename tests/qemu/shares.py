#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Holds the rows of the sampled table against the truth, where much code is masked and where little is:
shares.py SECONDS SEED...

Each load at each rate has twelve windows of so many seconds.  Each row's truth is in its interval as often as chance
has it, beyond the stretch of each section that lateness cannot see (masked_bounds.py).  MASKED errs as chance does,
beyond that stretch and, at the highest rate, by how much the table says that points in handlers may move a share.  At
the others that is small beside the chance of these windows, and no room is given for it.
"""

import concurrent.futures
import math
import sys

import lib
from masked_bounds import blind

LOADS = ("storm", "masked", "openstorm", "hog1", "figure3")
RATES = (500, 1000, 5000)  # Hz
WINDOWS = 12
AT_ONCE = 2
FAR = 4         # standard errors that no load's MASKED is off by
TOLD = RATES[-1:]  # rates at which room is given for points in handlers
Z95 = lib.NORMAL(0.975)


def boot(load, rate, seconds, seed):
    """The tables of the windows, and HELLO."""
    name = f"{load}-{rate}-{seed}"
    run = lib.boot(name,
                   f"output=frames tasks={load} tick=pit rate={rate} windows={WINDOWS} seconds={seconds} seed={seed}")
    if run.status != lib.COMPLETE:
        sys.exit(f"{name}: status {run.status}: {run.said.strip()}")
    return [lib.stat(run.dump, "--epoch", str(n))
            for n in range(1, WINDOWS + 1)], next(lib.records(run.dump, "HELLO"))[0]


def widened(cell, low, high):
    """The cell with the room that the table tells of, points."""
    return cell | {"low999": cell["low999"] - low, "high999": cell["high999"] + high}


def moved(table, rate):
    """Points that the table says points in handlers may move a share by."""
    return table["handler_bias"] or 0 if rate in TOLD else 0


def judged(tables, hello):
    """The total of each row of each window, with its room: (key, cell)."""
    for number, table in enumerate(tables, 1):
        unseen, of_row = blind(table, hello)
        points = 100 / table["samples"]
        for row in table["tasks"]:
            if row["total"].get("exact") is None:
                continue
            name = row["name"]
            low, high = (0, unseen) if name == "MASKED" else (of_row.get(name, 0), 0)
            yield (str(number), name), widened(row["total"], low * points, high * points)


def off(tables, hello, rate):
    """By how many standard errors MASKED is off in all windows together, beyond what is told."""
    error = variance = told = 0
    for table in tables:
        cell = lib.row(table, "MASKED")["total"]
        error += cell["percent"] - cell["exact"]
        variance += ((cell["high"] - cell["low"]) / (2 * Z95)) ** 2
        told += moved(table, rate) + (blind(table, hello)[0] * 100 / table["samples"]
                                      if cell["percent"] < cell["exact"] else 0)
    return math.copysign(max(abs(error) - told, 0), error) / variance ** 0.5


def main(seconds, *seeds):
    checks = lib.Checks()
    asked = [(load, rate, seconds, seed) for load in LOADS for rate in RATES for seed in seeds]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        found = dict(zip(asked, pool.map(lambda one: boot(*one), asked)))
    squares = 0
    for (load, rate, _, seed), (tables, hello) in found.items():
        name, z = f"{load}, {rate} Hz, seed {seed}", off(tables, hello, rate)
        squares += z * z
        lib.check_truths(checks, name, list(judged(tables, hello)))
        checks.check(abs(z) <= FAR, f"{name}: MASKED is {z:+.2f} standard errors off, beyond what is told")
    checks.check(squares <= lib.most_square(len(found)),
                 f"the squares of {len(found)} standardised biases of MASKED add up to {squares:.1f}, "
                 f"of {lib.most_square(len(found)):.1f}")
    checks.finish()


if __name__ == "__main__":
    main(*sys.argv[1:])
