# SPDX-License-Identifier: MIT
"""Proof 10: Linux's tick counters, Stefanov and Gradskov: when they change, what they charge,
and how precise they are."""

import collections
import json
import math
import re

import charts
import lib
import load_averages
import procstat_charged
from runs import BRIEF, Boot, Section, deviation, sized

SHIFT = 3
HZ = 1000             # ticks a second, as theirs
WINDOW = 0x70000018   # kernel/abi/monitor_page.h
COUNTERS = ("user", "nice", "system")
STORES = ",".join(f"event=store:procstat_ticks+{8 * i}:4" for i in range(3))
MOST_TICKS = 12       # of an interval in the pictures
STEP = 8e-9           # seconds an instruction takes: that a store is early or late by some is no other tick
LATE = 100e-6         # a tick waits for a section with interrupts off, 30 us at most, or for another handler
NEAR = 20e-6         # of the reader's period, where it is not delayed
SHARE = 0.95          # of the intervals that must be multiples
EXPERIMENT1 = Boot(f"tasks=refused clock={HZ} rate=1000 seconds={sized(10, 2)} seed=1 monitor=system,procstat",
                   shift=SHIFT, observed=STORES)
PAUSES = {200: "pauses", 350: "pauses350"}  # us between two reads: workload
READERS = Boot(f"tasks=readers clock={HZ} rate=1000 seconds={sized(6, 2)} seed=1 monitor=system,procstat",
               shift=SHIFT)
LEVELS = Boot(f"tasks=figure3 clock=1000 rate=1000 seconds={sized(60, 22)} seed=1 monitor=system,procstat")
MESSAGES = Boot(f"tasks=messages-faultless clock={HZ} rate=1000 seconds=10 seed=1 monitor=system,procstat",
                shift=SHIFT)
APART = (1, 2, 5, 10, 20)  # seconds between two readings


def pauses(period):
    return Boot(f"tasks={PAUSES[period]} clock={HZ} nohz=on rate=1000 seconds={sized(6, 2)} seed=1 "
                "monitor=system,procstat", shift=SHIFT, observed=f"window={WINDOW:#x}")


def boots():
    return {**procstat_charged.boots(), **load_averages.boots(), "procstat-refused": EXPERIMENT1,
            **{f"procstat-pauses-{p}": pauses(p) for p in PAUSES}, "procstat-readers": READERS,
            "procstat-levels": LEVELS, **({} if BRIEF else {"procstat-messages": MESSAGES})}


def report(dumps, folder):
    section = Section("10. The tick counters of Linux", folder)
    section.text(
        'Stefanov and Gradskov, "Analysis of CPU Usage Data Properties and their possible impact on Performance '
        'Monitoring" (2016), read /proc/stat. Here `monitor=procstat` keeps the same counters on this executive, '
        'beside the exact table and beside random samples of the same run.')
    intervals(section, dumps)
    nohz(section, dumps)
    procstat_charged.accuracy(section, dumps)
    load_averages.report(section, dumps)
    precision(section, dumps)
    costs(section, dumps)
    if not BRIEF:
        messages(section, dumps)
    return section


def procstat(dump):
    text, status = lib.host("procstat", "--json", dump)
    if status != 0:
        raise SystemExit(f"cpuprobe procstat {dump}: status {status}")
    return json.loads(text)


# ---- experiment 1: when the counters change ----

def stores(stream):
    """{number of the event: [(second, value)]} of what hwmon saw."""
    found = collections.defaultdict(list)
    for line in lib.host("trace", stream, "--filter", "class=user")[0].splitlines():
        if m := re.match(r"(\d+\.\d+) .* user (\d+):(\d+) ", line):
            found[int(m[2])].append((float(m[1]), int(m[3])))
    return found


def increments(points):
    """Seconds between changes of the value to another one above 0."""
    changes = [t for (t, v), before in zip(points[1:], points) if v != before[1] and v > 0]
    return [b - a for a, b in zip(changes, changes[1:])]


def told(points):
    """The same counter as it is told, in 1/100 s."""
    return [(t, v * 100 // HZ) for t, v in points]


def histogram(seconds, unit, most):
    """Parts of the intervals that are 1, 2 .. `most` units long, to the nearest, and longer."""
    counts = collections.Counter(min(round(s / unit), most + 1) for s in seconds)
    return [counts[i] for i in range(1, most + 2)]


def multiples(seconds, unit, within=LATE):
    """The part of the intervals that are multiples of `unit`."""
    return sum(abs(s / unit - round(s / unit)) * unit <= within for s in seconds) / max(1, len(seconds))


def intervals(section, dumps):
    section.text("### Between two increments", "The paper's first experiment: two tasks on one processor, one "
                 "that mostly loops and sometimes makes a call that is refused at once, and one the other way round "
                 "(with a nice value above 0, so that `nice` moves too). Their reader ran on another processor; "
                 "here hwmon records each store to the counters from outside. Told is the same value in 1/100 s.")
    section.commands(EXPERIMENT1)
    seen = stores(dumps["procstat-refused"].with_suffix(".hwmon"))
    ticks = {name: increments(seen[i]) for i, name in enumerate(COUNTERS)}
    hundredths = {name: increments(told(seen[i])) for i, name in enumerate(COUNTERS)}
    section.table(("counter", "increments", "multiples of 1 ms, %", "of exactly 10 ms, %", "told: increments",
                   "told: of 10 ms, %"),
                  [(name, len(ticks[name]), f"{100 * multiples(ticks[name], 1 / HZ):.2f}",
                    f"{100 * part(ticks[name], 10e-3):.2f}", len(hundredths[name]),
                    f"{100 * part(hundredths[name], 10e-3):.2f}") for name in COUNTERS])
    names = [*map(str, range(1, MOST_TICKS + 1)), f">{MOST_TICKS}"]
    charts.bars(section.picture("procstat-intervals", "Time between increments of user, nice and system"),
                "Between increments of the counters, in ticks", "increments", names,
                {name: histogram(ticks[name], 1 / HZ, MOST_TICKS) for name in COUNTERS},
                note="each store to a counter is recorded from outside")
    every = sorted(t for i in range(3) for t in changes_of(told(seen[i])))
    charts.bars(section.picture("procstat-told", "The same, as it is told in 1/100 s, any of the three"),
                "Between increments as told, any counter, ms (the paper's Figure 1)", "increments", names,
                {"as told": histogram([b - a for a, b in zip(every, every[1:])], 1e-3, MOST_TICKS)},
                marked={"10": "the paper's peak"}, note="each store to a counter is recorded from outside")
    worst = min(multiples(ticks[name], 1 / HZ) for name in COUNTERS)
    section.verdict(worst >= SHARE, f"{100 * worst:.2f} % of the increments of each counter and more come at "
                                    f"multiples of 1/HZ, {100 * SHARE:.0f} % asked for, to {LATE * 1e6:.0f} us")
    ten = part([b - a for a, b in zip(every, every[1:])], 10e-3)
    section.text(f"As told, {100 * ten:.1f} % of the intervals between increments of any of the three are 10 ms. "
                 "The paper saw a peak there: of a counter that gets every tick, which is told each ten ticks. "
                 "Here the two tasks take turns at each tick, and no counter gets every one.")


def changes_of(points):
    return [t for (t, v), before in zip(points[1:], points) if v != before[1] and v > 0]


def part(seconds, length):
    return sum(abs(s - length) <= LATE for s in seconds) / max(1, len(seconds))


def nohz(section, dumps):
    section.text("### All modes, without ticks while idle",
                 "With `nohz=on` idle is computed when it is asked for. "
                 "The paper saw intervals that are multiples of 0.2 ms and left open why. Nothing in "
                 "this kernel has 0.2 ms: a task reads each 200 us, then the same run is read each 350 us. "
                 "A read that finds the other task in its loop waits for it, up to 130 us, and is at no multiple.")
    section.commands(*map(pauses, PAUSES))
    found = {p: increments(stores(dumps[f"procstat-pauses-{p}"].with_suffix(".hwmon"))[1]) for p in PAUSES}
    section.table(("read each, us", "increments", *(f"multiples of {u} us, %" for u in (200, 350, 1000))),
                  [(p, len(found[p]), *(f"{100 * multiples(found[p], u * 1e-6, NEAR):.1f}" for u in (200, 350, 1000)))
                   for p in PAUSES])
    charts.panels(section.picture("procstat-nohz",
                                  "Time between increments of any mode, nohz, by the period of the reader"),
                  "Between increments of any mode with nohz (the paper's Figure 2)", ("ms", "increments"),
                  {f"read each {p} us": {"": list(zip((i * 0.05 for i in range(1, 301)), bins(found[p])))}
                   for p in PAUSES},
                  note="each store to a counter is recorded from outside; steps of 0.05 ms")
    for p in PAUSES:
        other = next(q for q in PAUSES if q != p)
        own, foreign = (multiples(found[p], q * 1e-6, NEAR) for q in (p, other))
        by_chance = {q: 2 * NEAR / (q * 1e-6) for q in PAUSES}  # of intervals that know nothing of q
        section.verdict(own > 2 * by_chance[p] and own - by_chance[p] > 2 * (foreign - by_chance[other]),
                        f"read each {p} us, {100 * own:.1f} % of the intervals are multiples of {p} us, where "
                        f"{100 * by_chance[p]:.1f} % would be by chance, and {100 * foreign:.1f} % of {other} us, "
                        f"where {100 * by_chance[other]:.1f} % would be: they are the reader's own period")


def bins(seconds):
    counts = collections.Counter(round(s / 50e-6) for s in seconds)
    return [counts[i] for i in range(1, 301)]


# ---- precision and cost ----

def exact(cell):
    """All time in the cell, where ticks are maskable: its time with interrupts off stands apart."""
    return cell["exact"] + cell["masked"]


def readings(dump):
    """[(clock units, PROCSTAT, hits of user mode, samples, exact user, all exact)] of each snapshot, cumulative."""
    exact_user = collections.Counter()
    every = collections.Counter()
    for head, rows in lib.records(dump, "EXACT"):
        for r in rows:
            exact_user[head["serial"]] += r["user"] + r["masked_user"] + r["supervisor"] + r["masked_supervisor"]
            every[head["serial"]] += sum(v for k, v in r.items() if k != "id")
    hits = {head["serial"]: 0 for head, _ in lib.records(dump, "SNAPSHOT")}
    for head, rows in lib.records(dump, "CELLS"):
        hits[head["serial"]] += sum(r["user"] + r["supervisor"] for r in rows)
    samples = {head["serial"]: head["samples"] for head, _ in lib.records(dump, "SNAPSHOT")}
    return [(h["end"], h, hits[h["serial"]], samples[h["serial"]], exact_user[h["serial"]], every[h["serial"]])
            for h, _ in lib.records(dump, "PROCSTAT") if h["serial"] in samples]


def precision(section, dumps):
    section.text("### One decimal needs ten seconds",
                 "The paper: counters of 1/100 s give a percent with one decimal only if they are read ten seconds "
                 "apart. The table has the step of a level, and the root mean square of its real error, in points, "
                 "of user time in Figure 3's system; beside it the same of our samples at 1000 Hz.")
    section.commands(LEVELS)
    found, rows = readings(dumps["procstat-levels"]), []
    errors = {}
    for apart in APART:
        pairs = list(zip(found[::apart], found[apart::apart]))
        off = [level(a, b) - truth(a, b) for a, b in pairs]
        sampled = [100 * (b[2] - a[2]) / (b[3] - a[3]) - truth(a, b) for a, b in pairs]
        errors[apart] = rms(off)
        rows.append((apart, f"{100 / (apart * 100):.2f}", len(pairs), f"{rms(off):.3f}", f"{rms(sampled):.3f}"))
    section.table(("seconds between readings", "step of the level, points", "readings",
                   "error of the counters, points", "error of samples, points"), rows)
    section.verdict(errors[10] > 0.1, f"ten seconds apart the step is 0.1 points, and the error {errors[10]:.2f}: "
                                      "the rule is necessary and not enough")


def level(a, b):
    modes = ("user", "nice", "system", "idle", "iowait", "irq")
    delta = {m: b[1][m] * 100 // HZ - a[1][m] * 100 // HZ for m in modes}
    return 100 * (delta["user"] + delta["nice"]) / max(1, sum(delta.values()))


def truth(a, b):
    return 100 * (b[4] - a[4]) / (b[5] - a[5])


def rms(values):
    return math.sqrt(sum(v * v for v in values) / max(1, len(values)))


def costs(section, dumps):
    section.text("### A reader at 6000 Hz", "SuperMon reads /proc 6000 times a second. What such a reader costs, "
                                            "and what the counters say of it:")
    section.commands(READERS)
    table, counted = lib.stat(dumps["procstat-readers"]), procstat(dumps["procstat-readers"])
    rows = {}
    for name in ("FAST", "SLOW"):
        row = lib.row(table, name)
        ticks = next((t["level"] for t in counted["tasks"] if t["name"] == name), 0.0)
        rows[name] = sum(exact(row[m]) for m in ("user", "kernel")), ticks
    each = rows["FAST"][0] / 100 * 1e6 / 6000
    section.table(("reads a second", "percent of the processor", "a read, us", "by the counters, %"),
                  [(6000, f"{rows['FAST'][0]:.2f}", f"{each:.2f}", f"{rows['FAST'][1]:.2f}"),
                   (1, f"{rows['SLOW'][0]:.4f}", "", f"{rows['SLOW'][1]:.2f}")])
    section.verdict(abs(rows["FAST"][1] - rows["FAST"][0]) > 1,
                    f"6000 is six times {HZ}: the reader runs in step with the tick, and the counters are off by "
                    f"{rows['FAST'][1] - rows['FAST'][0]:+.1f} points")


def messages(section, dumps):
    section.text("### Delays by waiting for messages", "The paper's future work: two tasks that wait for each "
                                                       "other's messages (`tasks=messages-faultless`).")
    section.commands(MESSAGES)
    table, counted = lib.stat(dumps["procstat-messages"]), procstat(dumps["procstat-messages"])
    rows = []
    for name in ("SENDER", "RECEIV"):
        row, task = lib.row(table, name), next(t for t in counted["tasks"] if t["name"] == name)
        rows.append((name, task["level"], sum(exact(row[m]) for m in ("user", "kernel"))))
    section.table(("task", "counters, %", "exact, %", "off, points"),
                  [(n, f"{c:.3f}", f"{e:.3f}", f"{c - e:+.3f}") for n, c, e in rows])
    ticks = counted["ticks"]
    section.text("As many random ticks would be off by "
                 + " and ".join(f"{3 * deviation(e, ticks):.2f}" for _, _, e in rows)
                 + " points at most, three deviations.")
