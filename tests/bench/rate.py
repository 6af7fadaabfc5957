# SPDX-License-Identifier: MIT
"""The highest rate that a one-shot keeps: within 1 % of what its count and its handler make, and not one tick lost."""

import lib
from result import Result, Table
from runs import SHIFT, Spin, code, run_all

PIT_HZ = 1193182
MOST = 500000  # of rate=: 2.4 counts, which is 2
COUNTS = (8, 7, 6, 5, 4, 3, 2)  # of the PIT
LESS = (6, 2)                   # for --limits
OFF = 1       # percent
LEAST = {"off": 420000, "on": 380000}  # ticks a second that are asked for, by account=
SECONDS = 1


def rate_of(count):
    """A rate= that fixed ticks round to this count."""
    return min(PIT_HZ // count, MOST)


def of(done):
    """Ticks a second, those that the one-shots make, ticks lost; of a run."""
    table = lib.stat(done.dump)
    hello, _ = next(lib.records(done.dump, "HELLO"))
    last = list(lib.records(done.dump, "SNAPSHOT"))[-1][0]
    to_arming = (hello["floor"] + done.visits.last * 2 ** SHIFT) / table["clock_hz"]
    made = 1 / (last["intervals"] / last["ticks"] / PIT_HZ + to_arming)
    lost = table["missed"]["overrun"] + table["missed"]["source"] + sum(table["lost"].values())
    return table["ticks"] / table["window"]["seconds"], made, lost


def is_audited(done):
    """Each tick is the generator's, none left out."""
    return lib.host("audit", done.dump)[1] == lib.COMPLETE


def results(limits_only):
    entry = code().address["tick_entry"]
    ran = run_all({("rate", account, count): Spin(
        f"tick=pit interval=fixed cost=any rate={rate_of(count)} account={account}", seconds=SECONDS, output="frames", entry=entry)
        for account in ("off", "on") for count in (LESS if limits_only else COUNTS)})
    best, rows = {"off": 0, "on": 0}, []
    for (_, account, count), done in ran.items():
        reached, made, lost = of(done)
        off = 100 * (reached / made - 1)
        holds = abs(off) <= OFF and lost == 0 and is_audited(done)
        if holds:
            best[account] = max(best[account], reached)
        rows.append((f"{count}", f"`{account}`", f"{made:.0f}", f"{reached:.0f}", f"{off:+.2f} %", f"{lost}",
                     "yes" if holds else "no"))
        yield Result(f"ticks of {count} counts, account={account}", reached, "a second", shown=False)
    for account, rate in best.items():
        yield Result(f"most ticks within {OFF} %, none lost, account={account}", rate, "a second", at_least=LEAST[account])
    yield Table(("count", "account", "expected, a second", "reached", "difference", "lost", "within 1 %"), rows)
