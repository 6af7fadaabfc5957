#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots with half of the monitor off, with policies that allow no interval, and to a number of samples."""

import lib

SEED = 2 ** 63 - 1  # the largest
GOAL = 1234
EXPECTED = 20  # hits by the truth, below which a cell is not judged


def exacts(table):
    return [cell["exact"] for _, cell in lib.cells(table)]


def lows(table):
    return [cell["low"] for _, cell in lib.cells(table)]


def check_account_off(checks):
    table = lib.boot_table(checks, "account-off", "account=off rate=1000 seconds=2 seed=1")
    checks.check(table["samples"] > 0, f"account=off: {table['samples']} samples")
    checks.check(all(exact is None for exact in exacts(table)), "account=off: no truth is given")
    checks.check(table["tau"] is None and table["monitor"]["clock"] is None, "account=off: no time of the monitor's")


def check_tick_none(checks):
    table = lib.boot_table(checks, "tick-none", "tick=none seconds=2 seed=1")
    checks.check(table["samples"] == table["ticks"] == 0, "tick=none: no sample")
    checks.check(all(cell["percent"] is None for _, cell in lib.cells(table)), "tick=none: no share is given")
    checks.check(table["interval"] is None and table["interval_reason"], f"tick=none: {table['interval_reason']}")
    rogue = lib.row(table, "ROGUE")["total"]["exact"]
    checks.check(rogue is not None and rogue > 0, f"tick=none: the truth is there, ROGUE {rogue:.3f} %")


def check_monitor_none(checks):
    table = lib.boot_table(checks, "monitor-none", "monitor=none rate=1000 seconds=2 seed=1")
    checks.check(table["samples"] == 0 < table["ticks"], f"monitor=none: {table['ticks']} ticks, no sample")
    checks.check(table["monitor"]["clock"] > 0, "monitor=none: the ticks have a cost")


def check_no_interval(checks, words, reason):
    table = lib.boot_table(checks, words.replace(" ", "-"), f"{words} rate=1000 seconds=2 seed=1")
    checks.check(table["interval"] is None and table["interval_reason"] == reason,
                 f"{words}: n.a., {table['interval_reason']}")
    checks.check(table["samples"] > 0 and all(low is None for low in lows(table)), f"{words}: no interval is given")


def check_exponential(checks):
    """Long intervals are chained and short ones kept; the truths are in what is printed."""
    table = lib.boot_table(checks, "exponential", "interval=exponential rate=1000 seconds=20 seed=1")
    expected = 20 * 1000
    checks.check(abs(table["ticks"] - expected) < 5 * expected ** 0.5 + 0.02 * expected,
                 f"interval=exponential: {table['ticks']} ticks of some {expected}")
    judged = [(key, cell) for key, cell in lib.cells(table) if cell["exact"] / 100 * table["samples"] >= EXPECTED]
    checks.check(len(judged) > 20, f"interval=exponential: {len(judged)} cells are to be judged")
    lib.check_truths(checks, "interval=exponential", judged)


def greeting(dump):
    return next(head for head, _ in lib.records(dump, "HELLO"))


def check_generator(checks):
    """seed=auto takes the keyed one, unless a word says which; raw samples by it can be replayed."""
    for words, rng in (("seed=auto", "chacha8"), ("seed=auto rng=carta", "carta"), ("seed=7", "carta"),
                       ("seed=7 rng=chacha8", "chacha8"), (f"seed={SEED} rng=chacha8", "chacha8")):
        run = lib.boot(words.replace(" ", "-"), f"output=frames monitor=samples rate=1000 seconds=3 {words}")
        checks.check(run.status == lib.COMPLETE, f"{words}: the run ends well {run.said.strip()}")
        said = greeting(run.dump)["words"]
        checks.check(f" rng={rng} " in said, f"{words}: by {rng}")
        seed = greeting(run.dump)["seed"]
        checks.check(seed == SEED if str(SEED) in words else seed > 2 ** 40 if "auto" in words else seed == 7,
                     f"{words}: the seed is {seed}")
        text, status = lib.host("audit", run.dump)
        checks.check(status == 0 and "the ticks are the generator's" in text, f"{words}: the audit replays it")
        lines = [line.split() for line in lib.host("samples", run.dump)[0].splitlines() if not line.startswith("#")]
        checks.check(len(lines) > 2500, f"{words}: {len(lines)} raw samples are decoded")


def check_samples(checks):
    for output in ("frames", "text"):
        run = lib.boot(f"samples-{output}", f"samples={GOAL} rate=1000 output={output} seed=1")
        checks.check(run.status == lib.COMPLETE, f"samples={GOAL} in {output} ends well")
        text = lib.host("stat", run.dump)[0] if output == "frames" else run.dump.read_text()
        checks.check(f"({GOAL} Samples," in text, f"samples={GOAL} in {output}: as many")


def main():
    checks = lib.Checks()
    check_account_off(checks)
    check_tick_none(checks)
    check_monitor_none(checks)
    check_no_interval(checks, "interval=fixed", "fixed ticks")
    check_no_interval(checks, "interval=random spread=0.5", "spread too small")
    check_no_interval(checks, "interval=narrow", "narrow jitter")
    check_no_interval(checks, "interval=arithmetic", "arithmetic intervals")
    check_exponential(checks)
    check_generator(checks)
    check_samples(checks)
    checks.finish()


if __name__ == "__main__":
    main()
