# SPDX-License-Identifier: MIT
"""What a tick takes, for each source, delivery and policy: instructions, accesses to devices, slow-down of the task.

The emulator counts the handler from its first instruction to IRET, each visit of a run; no time is taken.  The
generator changes only what is drawn ahead: policies.py.
"""

import dataclasses

from image import POLICIES, constants
from result import Result, Table
from runs import SHIFT, Spin, code, run_all

ACCOUNTS = ("off", "on")
RATES = (1000, 10000)  # Hz
# Instructions: what version 0.9 took (93, 120, 114, 122), and a tenth of that for another compiler.
LIMIT = {("pit", "off"): 102, ("pit", "on"): 132, ("pit, NMI", "off"): 125, ("pit, NMI", "on"): 134}
LESS = ("pit", "pit, NMI"), "stratified"  # what --limits measures
JUDGE = 5   # percent that the two ways to measure a tick may be apart
OTHERS = {  # other monitors than the system monitor alone
    "region": "monitor=region region=SPIN:user:0x400000-0x410000",
    "eight regions": "monitor=region " + " ".join(8 * ["region=SPIN:user:0x400000-0x410000"]),
    "raw samples": "monitor=samples thin=auto",
    "system, region and raw samples": "monitor=system,region,samples thin=auto region=SPIN:user:0x400000-0x410000",
}


@dataclasses.dataclass(frozen=True)
class Way:
    """A source and its delivery."""
    words: str
    entry: int           # of its handler
    rates: tuple = RATES
    varies: bool = True  # by interval=
    clock: str = ""      # of the system clock, which is in the run without ticks too
    shared: bool = False  # its interrupt is the system clock's: what a tick adds to that is its cost


def ways():
    timer, own = code().stub(constants()["LAPIC_TIMER_VECTOR"]), code().address["own_tick_entry"]
    return {
        "pit": Way("tick=pit", code().address["tick_entry"]),
        "pit, NMI": Way("tick=pit delivery=nmi", code().address["nmi_entry"]),
        "lapic": Way("tick=lapic", own, clock="clock=rtc"),
        "pit-periodic": Way("tick=pit-periodic", own, varies=False),
        "rtc": Way("tick=rtc", own, (1024, 8192), varies=False),
        "slu-timeout": Way("tick=slu-timeout slu=com2,115200", own, (2880,), varies=False),
        "slu-timeout, NMI": Way("tick=slu-timeout slu=com2,115200 delivery=nmi", code().address["nmi_entry"], (2880,),
                                varies=False),
        "clock": Way("tick=clock", timer, (1000,), varies=False, clock="clock=1000", shared=True),
    }


def seconds(rate):
    """Of virtual time: some thousands of ticks."""
    return 2 if rate > RATES[0] else 4


def spins():
    """Runs by (source, account, rate), those without ticks, and by (source, account, rate, policy).

    Without ticks no handler is counted, but where the system clock's interrupt enters it all the same.
    """
    found = {}
    for name, way in ways().items():
        for account in ACCOUNTS:
            for rate in way.rates:
                found[name, account, rate] = Spin(f"account={account} tick=none {way.clock}", seconds=seconds(rate),
                                                  entry=way.entry if way.shared else None)
                for policy in POLICIES if way.varies else ("fixed",):
                    found[name, account, rate, policy] = Spin(
                        f"account={account} {way.words} {way.clock} rate={rate} interval={policy}",
                        seconds=seconds(rate), entry=way.entry)
    return found


def handler(way, ran, without):
    """Instructions, port accesses, device accesses of a tick."""
    v = ran.visits
    if not way.shared:
        return v.instructions, v.ports, v.devices
    w = without.visits
    return tuple((mine * v.number - theirs * w.number) / ran.ticks
                 for mine, theirs in ((v.instructions, w.instructions), (v.ports, w.ports), (v.devices, w.devices)))


def slow_down(ran, without):
    """Percent; PROBE, which draws the intervals, has its part in it."""
    return 100 * (ran.mean() / without.mean() - 1)


def results_of(ran, name, way, account, policy):
    """What one source costs under one policy: results, means of the handler, slow-down by rate."""
    label = f"tick={name}, {policy}, account={account}"
    slow = {rate: slow_down(ran[name, account, rate, policy], ran[name, account, rate]) for rate in way.rates}
    most = name, account, way.rates[-1]
    means = handler(way, ran[*most, policy], ran[most])
    units = (("instructions", LIMIT.get((name, account))), ("port accesses", None),
             ("device accesses in memory", None))
    results = [Result(f"{label}: a tick", mean, unit, limit, shown=False)
               for mean, (unit, limit) in zip(means, units)]
    results += [Result(f"{label}: slow-down at {rate} Hz", value, "%", shown=False) for rate, value in slow.items()]
    return results, means, slow


def matrix():
    ran = run_all(spins())
    rows = []
    for name, way in ways().items():
        for policy in dict.fromkeys(key[3] for key in ran if key[0] == name and len(key) > 3):
            found = {account: results_of(ran, name, way, account, policy) for account in ACCOUNTS}
            for results, _, _ in found.values():
                yield from results
            (_, off, slow), (_, on, _) = (found[account] for account in ACCOUNTS)
            rows.append((f"`{name}`", f"`{policy}`", f"{off[0]:.1f}", f"{on[0]:.1f}", f"{off[1]:.1f}",
                         f"{off[2]:.1f}", ", ".join(f"{value:.2f} % at {rate}" for rate, value in slow.items())))
    yield Table(("source", "interval", "instructions", "with accounting", "port accesses", "device memory",
                 "slow-down, Hz"),
                rows)
    yield judge(ran)


def judge(ran):
    """By another way, which does not look at the handler: how much longer the task's work takes, PROBE left out."""
    key = "pit", "off", RATES[-1]
    done, without = ran[*key, "stratified"], ran[key]
    ticks = done.median() * done.visits.number / (seconds(RATES[-1]) * 1e9)
    by_time = (done.median() - without.median()) / ticks / 2 ** SHIFT
    return Result("a tick by the task's work instead, apart by", abs(100 * (by_time / done.visits.instructions - 1)),
                  "%", JUDGE)


def limits():
    names, policy = LESS
    ran = run_all({key: spin for key, spin in spins().items() if key[0] in names and key[2:] == (RATES[-1], policy)})
    for (name, account, _, _), done in ran.items():
        yield Result(f"tick={name}, {policy}, account={account}: a tick", done.visits.instructions, "instructions",
                     LIMIT[name, account])


def monitors():
    """The same for other monitors."""
    pit = ways()["pit"]
    ran = run_all({("monitor", name): Spin(f"account=off tick=pit rate=5000 interval=stratified {words}",
                                           entry=pit.entry, output="frames") for name, words in OTHERS.items()})
    rows = []
    for (_, name), done in ran.items():
        yield Result(f"tick, monitors: {name}, stratified", done.visits.instructions, "instructions", shown=False)
        rows.append((name, f"{done.visits.instructions:.0f}"))
    yield Table(("monitor", "instructions in a tick"), rows)


def results(limits_only):
    if limits_only:
        yield from limits()
    else:
        yield from matrix()
        yield from monitors()
