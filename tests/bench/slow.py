# SPDX-License-Identifier: MIT
"""How much longer the same work takes on slower machines, and what an empty handler would cost."""

import lib
from result import Result, Table
from runs import SHIFT, Spin, run_all

LIMIT_RATE = 1000
# Percent at LIMIT_RATE, by shift and account=: at shift 7 what version 0.9 took, at shift 5 a quarter of it.
LIMIT = {(5, "off"): 0.50, (5, "on"): 0.58, (7, "off"): 2.00, (7, "on"): 2.33}
SECONDS = {5: 10, 7: 30}  # some 30 pieces of work of 8 million instructions
TICKS = ((120, "stratified"), (LIMIT_RATE, "stratified"), (10000, "fixed"))
PAPER = "the paper: 18 % at 960 Hz on a PDP-11/73, under 5 % at 1000 Hz on a 33 MHz 80386 (about shift 7)"


def spins(ticks):
    return {("slow", shift, account, *tick): Spin(
        f"account={account} " + (f"rate={tick[0]} interval={tick[1]}" if tick else "tick=none"), shift=shift,
        seconds=SECONDS[shift], output="frames") for shift, account in LIMIT for tick in ((), *ticks)}


def results(limits_only):
    """In percent, of the mean over the run: with the points that PROBE draws,
    and the frames that it sends of what ticks count."""
    ticks = [tick for tick in TICKS if not limits_only or tick[0] == LIMIT_RATE]
    ran = run_all(spins(ticks))
    rows = []
    for shift in SECONDS:
        for rate, policy in ticks:
            cells = [f"{rate} Hz, {policy}, shift {shift}"]
            for account in ("off", "on"):
                done, without = ran["slow", shift, account, rate, policy], ran["slow", shift, account]
                longer = 100 * (done.mean() / without.mean() - 1)
                limit = LIMIT[shift, account] if rate == LIMIT_RATE else None
                cells += [f"{longer:.2f} %", f"{limit} %" if limit else ""]
                yield Result(f"slow-down, {cells[0]}, account={account}", longer, "%", limit, shown=False)
            rows.append(cells)
    yield Table(("how much longer fixed work takes", "account=off", "limit", "account=on", "limit"), rows)
    if not limits_only:
        yield empty()
    print(PAPER)


def empty():
    """HELLO says how long INT to IRETQ takes with nothing but save, EOI and restore in between."""
    done = run_all({("empty",): Spin("", seconds=1, output="frames")})["empty",]
    hello, _ = next(lib.records(done.dump, "HELLO"))
    return Result("an empty handler", hello["entry"] / 2 ** SHIFT, "instructions")
