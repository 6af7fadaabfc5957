# SPDX-License-Identifier: MIT
"""The highest rate that a one-shot keeps beside a task that only computes, and beside the paper's system: a sample at
each point, within 1 % of `rate=`, and not one tick lost."""

import lib
from result import Result, Table
from runs import Spin, code, run_all

RATES = (150000, 200000, 250000, 300000, 350000, 400000, 425000, 450000, 500000)  # Hz; the last is the most of rate=
LESS = (200000, 400000, 425000)  # for --limits
# Beside figure3 PROBE cannot draw ahead of so many points: most ticks draw for themselves.
OF_FIGURE3 = (100000, 150000, 200000, 250000, 300000)
LESS_OF_FIGURE3 = (250000,)
OFF = 1       # percent
# Ticks a second that are asked for, by tasks= and account=.  One tick in 64 is the general handler's, which reads the
# counter: where a point falls into each of those, 1.6 % have no sample.  It takes 2.4 us, some 300 instructions, so
# that no rate above 410000 can hold.
LEAST = {("spin", "off"): 390000, ("spin", "on"): 380000, ("figure3", "off"): 240000, ("figure3", "on"): 240000}
PROGRAM = {"spin": "spinner", "figure3": "worker"}
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
    rates = {"spin": LESS if limits_only else RATES, "figure3": LESS_OF_FIGURE3 if limits_only else OF_FIGURE3}
    ran = run_all({("rate", tasks, account, rate): Spin(
        f"tasks={tasks} tick=pit interval=fixed cost=any rate={rate} account={account}", seconds=SECONDS,
        output="frames", entry=entry, program=PROGRAM[tasks]) for tasks, account in LEAST for rate in rates[tasks]})
    best, rows = dict.fromkeys(LEAST, 0), []
    for (_, tasks, account, rate), done in ran.items():
        reached, made, lost = of(done)
        off = 100 * (reached / made - 1)
        holds = abs(off) <= OFF and lost == 0 and is_audited(done)
        if holds:
            best[tasks, account] = max(best[tasks, account], reached)
        rows.append((f"`{tasks}`", f"{rate}", f"`{account}`", f"{made:.0f}", f"{reached:.0f}", f"{off:+.2f} %",
                     f"{lost}", "yes" if holds else "no"))
        yield Result(f"ticks at {rate} Hz, tasks={tasks}, account={account}", reached, "a second", shown=False)
    for (tasks, account), rate in best.items():
        yield Result(f"most ticks within {OFF} %, none lost, {tasks}, account={account}", rate, "a second",
                     at_least=LEAST[tasks, account])
    yield Table(("tasks", "rate", "account", "expected, a second", "reached", "difference", "lost", "within 1 %"),
                rows)
