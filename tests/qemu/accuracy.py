#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Holds the sampled table against the exact one of the same run: accuracy.py POLICY."""

import math
import statistics
import sys

import lib
from masked_bounds import blind

SEEDS = (1, 2, 3, 4, 5)  # written down before they were tried
SAMPLES = 50000
EXPECTED = 20  # hits by the truth, below which a cell is not judged
OUTSIDE = 4    # cells of a policy's five runs; by chance alone 0.4 of 400 are outside 99.9 %
FAMILY = lib.SUITE / 10  # chance that a right sampler fails the z test of any cell


def judged(table):
    """The cells with enough expected hits."""
    n = table["samples"]
    return {key: cell for key, cell in lib.cells(table) if cell["exact"] / 100 * n >= EXPECTED}


def count_outside(checks, seed, table):
    """How many of the cells have their truth outside; each is named."""
    wrong = {key: cell for key, cell in judged(table).items() if lib.outside(cell)}
    for (task, mode), cell in wrong.items():
        print(f"seed {seed}: {task}.{mode} truth {cell['exact']:.4f} outside {cell['low999']:.4f} to "
              f"{cell['high999']:.4f}, {cell['hits']} hits")
    checks.check(table["samples"] == SAMPLES, f"seed {seed}: {table['samples']} samples")
    print(f"seed {seed}: {len(wrong)} of {len(judged(table))} outside; resolution {table['resolution']:.3f} %")
    return len(wrong)


def error(table, cell):
    """Signed error in hits, and its variance.

    The variance is that of the design: deff is the printed estimator's, from the pairs of the policy.
    """
    hits, n = cell["hits"], table["samples"]
    return hits - cell["exact"] / 100 * n, cell["deff"] * hits * (1 - hits / n)


def beyond_blind(key, value, room):
    """The error less what the blind stretches explain of it."""
    all_of_it, part = room
    if key[0] == "MASKED":
        return min(value + all_of_it, 0) if value < 0 else value
    return max(value - part.get(key[0], 0), 0) if value > 0 else value


def pooled(tables, hellos):
    """The z of each cell's signed errors over all runs; a cell counts where all runs judge it."""
    per_run = [judged(t) for t in tables]
    rooms = [blind(t, h) for t, h in zip(tables, hellos)]
    all_of_it = sum(room[0] for room in rooms), {name: sum(room[1].get(name, 0) for room in rooms)
                                                 for name in rooms[0][1]}
    result = {}
    for key in per_run[0]:
        if all(key in cells for cells in per_run):
            pairs = [error(t, cells[key]) for t, cells in zip(tables, per_run)]
            variance = sum(v for _, v in pairs)
            total = beyond_blind(key, sum(e for e, _ in pairs), all_of_it)
            result[key] = (total / math.sqrt(variance) if variance else math.copysign(math.inf, total), total)
    return result


def check_pooled(checks, tables, hellos):
    z = pooled(tables, hellos)
    limit = statistics.NormalDist().inv_cdf(1 - FAMILY / 2 / len(z))
    points = 100 / SAMPLES / len(tables)
    for (task, mode), (value, hits) in sorted(z.items(), key=lambda item: -abs(item[1][0]))[:8]:
        print(f"{task}.{mode}: z {value:+.2f}, {hits:+.1f} hits, {hits * points:+.4f} points")
    wrong = [f"{task}.{mode} {value:+.2f}" for (task, mode), (value, _) in z.items() if abs(value) > limit]
    checks.check(not wrong, f"z of each of {len(z)} cells is within {limit:.2f}: {' '.join(wrong)}")


def main(policy):
    checks = lib.Checks()
    tables = [lib.boot_table(checks, f"{policy}-{seed}", f"interval={policy} seed={seed} rate=10000 "
                                                         f"samples={SAMPLES}", shift=3) for seed in SEEDS]
    total = sum(count_outside(checks, seed, t) for seed, t in zip(SEEDS, tables))
    checks.check(total <= OUTSIDE, f"{policy}: {total} truths outside their 99.9 % interval, {OUTSIDE} at most")
    hellos = [next(head for head, _ in lib.records(lib.folder() / f"{policy}-{seed}.dump", "HELLO"))
              for seed in SEEDS]
    check_pooled(checks, tables, hellos)
    checks.finish()


if __name__ == "__main__":
    main(sys.argv[1])
