#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Recorded worlds: the boot's own seed finds its own samples again by both rules of arming, other seeds are unbiased,
keep their intervals and err by 1/sqrt(N), and 80 windows of one boot hold their truth."""

import math
import subprocess

import lib

LOADS = ("hog1", "pollers", "rounded")
SECONDS, HZ = 10, 100
SEEDS, SAMPLES = 100, 3000
WINDOWS = 80
COVER, WORST, WIDTH = (93.0, 97.0), 88.0, 1.4  # percent, percent, of 3.92 standard deviations of the error
ERRORS = 3.0      # standard errors of the binomial law that few seeds are given on top
EDGE_US = 1.0     # a tick that falls into another cell than replayed is this close to a change of cell
DIFFER = 0.02     # of the ticks
# a load with masked sections, in which nearly all samples are of one task that does not call the system
MASKED = "storm"
BLIND = 75.0      # percent that a "95 %" of narrow jitter covers at most, on pollers
BIAS = 0.05       # points
Z = lib.DEVIATIONS  # standard errors that few seeds are given on top of that, and the exponent
MOST = 100000     # samples, where the error is followed


def slack(runs):
    """Points by which the cover of so many runs may leave the band: the binomial law's."""
    return max(0.0, 100 * ERRORS * math.sqrt(0.95 * 0.05 / runs) - 2)


def host(tool, *arguments):
    done = subprocess.run([lib.ROOT / "build/host" / tool, *map(str, arguments)], stdout=subprocess.PIPE, text=True,
                          check=False)
    return [line.split() for line in done.stdout.splitlines()], done.returncode


def in_stubs(dump):
    """The part of the ticks that may differ, and how far from a change: those that fall into a stub, where the mode
    is the kernel's already and the account's cell is not (docs/ACCOUNTING.md, "The exact table":
    its resolution is their time)."""
    hello, _ = next(lib.records(dump, "HELLO"))
    return lib.stat(dump)["resolution"] / 100, hello["stub"]


def check_same(checks, load, dump, *, wanted, rule="points", stubs=False):
    """Points are of the seed alone; `closed`: each interval from where the tick before was, so that no error adds up.

    `stubs`: no tick but those in stubs may differ.
    """
    differ, near = in_stubs(dump) if stubs else (DIFFER, EDGE_US * lib.stat(dump)["clock_hz"] / 1e6)
    lines, status = host("retrace", dump)
    last = next((l for l in lines if l[0] == rule and l[1].isdigit()), None)
    if not checks.check(status == 0 and last, f"{load}: its own seed is replayed (status {status})"):
        return
    same, ticks, edge = int(last[1]), int(last[3]), int(last[-4])
    checks.check(ticks > 0.9 * wanted and ticks - same <= differ * ticks and edge <= near,
                 f"{load}: {same} of {ticks} samples are in the cell that is replayed, the others within {edge} "
                 "clock units of a change")


def check_seeds(checks, load, dump):
    lines, status = host("replay", dump, SEEDS, SAMPLES)
    found = {line[0]: line[1:] for line in lines}
    checks.check(status == 0 and len(found) == 5, f"{load}: five policies over the recorded world")
    for way in ("random", "stratified"):
        cover, worst, width = map(float, found[way][6:9])
        checks.check(COVER[0] - slack(SEEDS) <= cover <= COVER[1] + slack(SEEDS) and
                     worst >= WORST - slack(SEEDS) and width <= WIDTH,
                     f"{load}, {way}: {cover:.1f} % covered, worst cell {worst:.1f} %, {width:.2f} of the true width")
        bias, error = map(float, found[way][:2])
        checks.check(abs(bias) <= BIAS + Z * error, f"{load}, {way}: bias {bias:+.3f} points, known to {error:.3f}")
    if load == "pollers":
        checks.check(float(found["narrow"][5]) <= BLIND,
                     f"{load}, narrow: Wilson's interval covers {found['narrow'][5]} %")


def check_growth(checks, load, dump):
    """The power of the number of samples by which the error grows."""
    lines, status = host("replay", "--growth", dump, SEEDS, MOST)
    found = {line[1]: tuple(map(float, line[2:])) for line in lines if line[0] == "exponent"}
    for way in ("random", "stratified"):
        power, error = found.get(way, (0.0, 0.0))
        checks.check(status == 0 and power <= -0.5 + Z * error,
                     f"{load}, {way}: the error grows as N^{power:.3f}, known to {error:.3f}")


def check_windows(checks):
    """The printed interval of each total against the truth of the same window."""
    run = lib.boot("windows", f"output=frames tasks=rounded tick=pit rate=1000 windows={WINDOWS} seconds=1 seed=1")
    checks.check(run.status == lib.COMPLETE, f"windows: the run ends well {run.said}")
    held = cells = 0
    for epoch in range(1, WINDOWS + 1):
        table = lib.stat(run.dump, "--epoch", str(epoch))
        for row in table["tasks"]:
            cell = row["total"]
            if row["name"] in lib.NOT_TASKS or cell["exact"] * table["samples"] < 100 * 20:
                continue
            cells += 1
            held += cell["low"] <= cell["exact"] <= cell["high"]
    cover = 100 * held / max(1, cells)
    checks.check(cells >= 4 * WINDOWS and COVER[0] - slack(WINDOWS) <= cover <= COVER[1] + slack(WINDOWS),
                 f"windows: {held} of {cells} truths of {WINDOWS} windows are inside their intervals, {cover:.1f} %")


def logged(checks, name, words):
    run = lib.boot(name, f"output=frames {words} tick=pit seed=1 account=log monitor=system,samples")
    checks.check(run.status == lib.COMPLETE, f"{name}: the run ends well {run.said}")
    return run.dump


def main():
    checks = lib.Checks()
    for load in LOADS:
        dump = logged(checks, load, f"tasks={load} rate={HZ} seconds={SECONDS}")
        check_same(checks, load, dump, wanted=SECONDS * HZ)
        check_seeds(checks, load, dump)
        check_growth(checks, load, dump)
    # Waits of many lengths, points in handlers and close behind them: each sample is where its point is.
    check_same(checks, MASKED, logged(checks, MASKED, f"tasks={MASKED} rate=1000 seconds=3"), wanted=3000, stubs=True)
    check_same(checks, "relative", logged(checks, "relative", f"tasks={LOADS[0]} rate={HZ} seconds={SECONDS} "
                                                              "arm=relative"), wanted=SECONDS * HZ, rule="closed")
    check_windows(checks)
    checks.finish()


if __name__ == "__main__":
    main()
