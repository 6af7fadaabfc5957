# SPDX-License-Identifier: MIT
"""The highest rate that a one-shot keeps: a sample at each point, within 1 % of `rate=`, and not one tick lost."""

import lib
from result import Result, Table
from runs import Spin, code, run_all

RATES = (150000, 200000, 250000, 300000, 350000, 400000, 425000, 450000, 500000)  # Hz; the last is the most of rate=
LESS = (200000, 400000, 425000)  # for --limits
OFF = 1       # percent
# Ticks a second that are asked for, by account=.  One tick in 64 is the general handler's, which reads the counter: where a point
# falls into each of those, 1.6 % have no sample.  It takes 2.4 us, some 300 instructions, so that no rate above 410000 can hold.
LEAST = {"off": 390000, "on": 380000}
SECONDS = 1


def of(done):
    """Ticks a second, those that the points make, ticks lost; of a run."""
    table = lib.stat(done.dump)
    hello, _ = next(lib.records(done.dump, "HELLO"))
    made = lib.rate(hello)
    lost = table["missed"]["overrun"] + table["missed"]["source"] + sum(table["lost"].values())
    return table["ticks"] / table["window"]["seconds"], made, lost


def is_audited(done):
    """Each tick is the generator's, none left out."""
    return lib.host("audit", done.dump)[1] == lib.COMPLETE


def results(limits_only):
    entry = code().address["tick_entry"]
    ran = run_all({("rate", account, rate): Spin(
        f"tick=pit interval=fixed cost=any rate={rate} account={account}", seconds=SECONDS, output="frames", entry=entry)
        for account in ("off", "on") for rate in (LESS if limits_only else RATES)})
    best, rows = {"off": 0, "on": 0}, []
    for (_, account, rate), done in ran.items():
        reached, made, lost = of(done)
        off = 100 * (reached / made - 1)
        holds = abs(off) <= OFF and lost == 0 and is_audited(done)
        if holds:
            best[account] = max(best[account], reached)
        rows.append((f"{rate}", f"`{account}`", f"{made:.0f}", f"{reached:.0f}", f"{off:+.2f} %", f"{lost}",
                     "yes" if holds else "no"))
        yield Result(f"ticks at {rate} Hz, account={account}", reached, "a second", shown=False)
    for account, rate in best.items():
        yield Result(f"most ticks within {OFF} %, none lost, account={account}", rate, "a second", at_least=LEAST[account])
    yield Table(("rate", "account", "expected, a second", "reached", "difference", "lost", "within 1 %"), rows)
