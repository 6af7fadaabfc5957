#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Many short windows of the image's own loads: cells that few ticks hit, grouped by their hits, hold their truth."""

import math

import lib

WINDOWS, SECONDS, HZ = 40, 5, 200
BOOTS = (("figure3", "stratified"), ("figure3", "exponential"), ("disk", "random"))
GROUPS = ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 20))
COVER = 0.94   # docs/ACCOUNTING.md, "Few hits": of loads whose cells expect any number of hits
ERRORS = 3.0   # standard errors of the binomial law that few cells are given


def few(dump):
    """Hits of each cell that some time went to, and whether its interval holds the truth."""
    for epoch in range(1, WINDOWS + 1):
        for key, cell in lib.cells(lib.stat(dump, "--epoch", str(epoch))):
            if key[0] not in lib.NOT_TASKS and cell["exact"] > 0:
                yield cell["hits"], cell["low"] <= cell["exact"] <= cell["high"]


def main():
    checks = lib.Checks()
    found = []
    for load, policy in BOOTS:
        words = f"output=frames tasks={load} interval={policy} rate={HZ} seconds={SECONDS} windows={WINDOWS} seed=1"
        run = lib.boot(f"{load}-{policy}", words)
        checks.check(run.status == lib.COMPLETE, f"{load}, {policy}: the run ends well {run.said}")
        found += few(run.dump)
    for least, most in GROUPS:
        group = [held for hits, held in found if least <= hits <= most]
        cover, slack = sum(group) / max(1, len(group)), ERRORS * math.sqrt(COVER * (1 - COVER) / max(1, len(group)))
        checks.check(len(group) >= WINDOWS and cover >= COVER - slack,
                     f"{least} to {most} hits: {100 * cover:.1f} % of {len(group)} cells are covered")
    checks.finish()


if __name__ == "__main__":
    main()
