# SPDX-License-Identifier: MIT
"""Proof 3: the CPU adversary of McCanne and Torek, their Table 1: a program that counts, with and without hogs."""

import collections
import csv
import itertools
import statistics

import charts
import lib
from estimates import percent
from runs import Boot, Section, clock_hz, deviation, deviations, exact_curve, samples, sized, window_begin

HOGS = ("HOG1", "HOG2")
WAYS = {  # (scheduler, label of the tick): (words of the tick, seconds until the counting is over)
    **sized({("rr", "clock"): ("tick=clock", 25), ("rr", "random"): ("tick=pit interval=random rate=120", 25)}, {}),
    ("decay", "clock"): ("tick=clock", 25),
    ("decay", "random"): ("tick=pit interval=random rate=120", 12),
}
LEADS = sized(9, 2)  # two tell whether the lead changes anything
SWEEP = Boot(f"tasks=hogsweep sched=decay tick=clock seconds={10 * LEADS + 2} seed=1", observed="account=log")
# s before a tick that the paper's hogs leave, kernel/workload/workload_locked.c too; ticks a second
LEAD, CLOCK = 1e-3, 100
SETTLED = 5     # s of a stage of the sweep until the scheduler has forgotten the one before, half of it
STAGE = 10
PARTS = [f"{masked}{mode}" for masked in ("", "masked_") for mode in ("user", "supervisor", "kernel", "interrupt")]
TASKS = (*HOGS, "COUNT", "PROBE", "IDLE")
BACK = 0.3      # points: 1000 instructions a tick at 32 ns, for the switch out of a hog and back into one
# us: a look at the time, 121 instructions, and NEAR of kernel/tasks/hostile/adversary.c, a 4000th of a tick
ALIKE = 6.4
# points: what nobody has, IDLE and the clock's interrupt, 378 instructions (docs/COST.md) of 32 ns 100 times a second
NOBODY = 0.125
AS_SWEPT = 0.05 # of the share: what the run with one lead may differ by from the sweep at that lead
FAIR = 6.0      # times as long as alone, for one of three
BLIND = 1.0     # percent that the hogs may be charged by the clock
CHEATED = 30.0  # points that the counting is charged too much by the clock


def boots():
    found = {"hogsweep": SWEEP}
    for (sched, tick), (words, seconds) in WAYS.items():
        # Raw samples tell the one second alone; over minutes the snapshots do, and PROBE leaves more to the counting.
        for tasks, length, monitor in (("hog0", 4, " monitor=system,samples"), ("hog2", seconds, "")):
            found[f"{tasks}-{sched}-{tick}"] = Boot(f"tasks={tasks} sched={sched} {words} seconds={length} "
                                                    f"seed=1{monitor}")
    return found


def paper():
    """(system, with a hog): its row of Table 1."""
    with (lib.ROOT / "tests/golden/hog-table1.csv").open() as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(r["system"], r["hog"] == "yes"): r for r in rows}


def charged_alone(dump, begin, end):
    """(samples by task, samples) between two seconds, sample by sample."""
    zero = window_begin(dump)
    during = [s for s in samples(dump) if begin <= s.seconds + zero < end]
    return collections.Counter(s.task for s in during if not s.late), len(during)


def charged_long(dump, begin, end):
    """The same, from the first to the last snapshot in between."""
    hz = clock_hz(dump)
    names = {r["id"]: r["name"] for _, rows in lib.records(dump, "NAMES") for r in rows}
    within = {h["serial"]: h["samples"] for h, _ in lib.records(dump, "SNAPSHOT") if begin <= h["end"] / hz <= end}
    first, last = min(within), max(within)
    hits = collections.Counter()
    for head, rows in lib.records(dump, "CELLS"):
        sign = (head["serial"] == last) - (head["serial"] == first)
        for r in rows if sign else ():
            hits[names.get(r["id"])] += sign * r["total"]
    return hits, within[last] - within[first]


Counted = collections.namedtuple("Counted", "took charged hogs taken exact")  # s; percent, twice; samples; percent


def counting(dump, alone):
    """Real seconds of the counting; what it and what the hogs were charged meanwhile, of how many samples;
    what it had."""
    hz = clock_hz(dump)
    head = next(head for head, _ in lib.records(dump, "REPORT") if head["name"] == "COUNT")
    end, took = head["time"] / hz, head["value"] / hz
    hits, taken = (charged_alone if alone else charged_long)(dump, end - took, end)
    exact = None if alone else exact_shares(dump, end - took, end)["COUNT"]
    return Counted(took, 100 * hits["COUNT"] / taken, 100 * sum(hits[h] for h in HOGS) / taken, taken, exact)


def exact_shares(dump, begin, end):
    """Percent of the time between two seconds that each task had, by the exact table, from snapshot to snapshot."""
    zero = window_begin(dump)
    shares = {}
    for name in TASKS:
        known = [p for p in exact_curve(dump, name, PARTS) if begin <= p[0] + zero <= end]
        (first, before), (last, after) = known[0], known[-1]
        shares[name] = 100 * (after - before) / (last - first)
    return shares


def stages(dump):
    """(lead, first second that is settled, second of its end) of each stage of the sweep,
    as a hog reports its leads."""
    hz = clock_hz(dump)
    for head in itertools.islice((h for h, _ in lib.records(dump, "REPORT") if h["name"] == HOGS[0]), LEADS):
        begin = head["time"] / hz
        yield head["value"] / hz, begin + SETTLED, begin // STAGE * STAGE + STAGE


def swept(dump):
    """[(lead, s; shares)] of the sweep."""
    return [(lead, exact_shares(dump, begin, end)) for lead, begin, end in stages(dump)]


def rests(log):
    """(begin, length) in seconds of each stretch in which no hog runs, by hwmon's log of changes."""
    lines = (line.split() for line in lib.host("transitions", log)[0].splitlines())
    changes = (line for line in lines if len(line) == 6 and line[0].isdigit())
    for hog, stretch in itertools.groupby(changes, lambda line: line[3] in HOGS):
        if not hog:
            times = [(float(line[1]), float(line[2])) for line in stretch]
            yield times[0][0], times[-1][0] + times[-1][1] - times[0][0]


def switches(dump):
    """(lead, by how much the median rest of its stage is longer, the longest rest), each in s, of the sweep."""
    found = list(rests(dump.with_suffix(".hwmon")))
    for lead, begin, end in stages(dump):
        own = [length for at, length in found if begin <= at < end and length > lead / 2]
        yield lead, statistics.median(own) - lead, max(own)


def report(dumps, folder):
    section = Section("3. The hog", folder)
    section.text(
        'McCanne and Torek ("A CPU Adversary", Table 1): two processes learn when the clock ticks, work '
        'until just before a tick and sleep over it. They are charged nothing, so a scheduler that uses the charge '
        'prefers them: a program that counts took 82 times as long under SunOS 4.1.1, and was said to have had 57 % '
        'of the CPU. With random samples (4.4BSD) it took 2.2 times as long and was charged what it used.',
        "`sched=decay` is decay-usage scheduling by the samples; `tick=clock` stands for SunOS, "
        "`tick=pit interval=random` for 4.4BSD. `sched=rr` ignores the charge, so it shows the charge alone. "
        "The program counts for about 1.3 s of the emulated machine's time, not 7.1 s, so compare the ratios. "
        "The hogs leave the CPU 1 ms before a tick, as those of the paper's appendix do; no value is fitted.")
    section.commands(*boots().values())
    found = {name: counting(dumps[name], name.startswith("hog0")) for name in boots() if name != "hogsweep"}
    write_paper(section)
    write_ours(section, found)
    ratios = {way: found[f"hog2-{way[0]}-{way[1]}"].took / found[f"hog0-{way[0]}-{way[1]}"].took for way in WAYS}
    labels = [f"{s}, {t}" for s, t in WAYS]
    charts.bars(section.picture("hog", "Charged and true percent of the counting"), "The counting beside two hogs",
                "share of the CPU, %", labels,
                {"charged": [charged(found[f"hog2-{s}-{t}"], t) for s, t in WAYS],
                 "true": [found[f"hog2-{s}-{t}"].exact for s, t in WAYS]}, most=100,
                marked={f"{s}, clock": "charged for the hogs" for s in dict.fromkeys(s for s, _ in WAYS)},
                note="the clock's ticks have none, and true shares are exact")
    leads = swept(dumps["hogsweep"])
    write_sweep(section, leads)
    judge_sweep(section, leads, ratios["decay", "clock"])
    judge_switch(section, list(switches(dumps["hogsweep"])))
    judge(section, found, ratios)
    write_differences(section, leads)
    return section


def charged(counted, tick):
    """What the counting was charged; with an interval, where the ticks are at random times."""
    if tick == "clock":
        return counted.charged
    return percent(round(counted.charged / 100 * counted.taken), counted.taken)


def write_sweep(section, leads):
    section.text(
        "**The lead determines the ratio.** The hogs leave the end of each period of the clock unused, from their "
        "lead before the tick on: lead x clock rate of the CPU. In one more run they shorten the lead each 10 s. "
        "\"Left\" is what the exact table gives to all but the hogs. It is a little more than the lead: "
        "the time from the tick to the next hog, less the time to leave the one before. The hogs know the time of a "
        "tick to within one reading of the clock.")
    section.table(("lead, us", "lead x clock rate, %", "left, %", "PROBE, %", "IDLE, %", "the counting, %",
                   "times as long", "1/(lead x clock rate)"),
                  [(f"{1e6 * lead:.0f}", f"{100 * lead * CLOCK:.2f}", f"{left(s):.2f}", f"{s['PROBE']:.2f}",
                    f"{s['IDLE']:.2f}", f"{s['COUNT']:.2f}", f"{100 / s['COUNT']:.1f}", f"{1 / (lead * CLOCK):.1f}")
                   for lead, s in leads])
    theirs = float(paper()["SunOS 4.1.1", True]["real_s"]) / float(paper()["SunOS 4.1.1", False]["real_s"])
    charts.curves(section.picture("hog-lead", "How many times as long the counting takes, by the hogs' lead"),
                  "The less two hogs leave before a tick, the longer the counting takes",
                  ("lead before the clock's tick, us", "times as long as alone"),
                  {"measured": [(1e6 * lead, 100 / s["COUNT"]) for lead, s in leads],
                   "1/(lead x rate)": [(1e6 * lead, 1 / (lead * CLOCK)) for lead, _ in leads]},
                  marks=[(1e6 * LEAD, theirs, "the paper's SunOS")], bold=("measured",), ends=True,
                  note="what is measured is of the account")


def left(shares):
    return 100 - sum(shares[h] for h in HOGS)


def judge_sweep(section, leads, ratio):
    over = [left(s) - 100 * lead * CLOCK for lead, s in leads]
    section.verdict(len(leads) == LEADS and 0 <= min(over) and max(over) <= BACK,
                    f"at each of {len(leads)} leads the hogs leave lead x clock rate and {min(over):.2f} to "
                    f"{max(over):.2f} points more, at most {BACK:g} for the switch")
    other = max(left(s) - s["PROBE"] - s["COUNT"] for _, s in leads)
    section.verdict(other <= NOBODY, f"what they leave PROBE and the counting have, all but {other:.3f} points, the "
                    "time of the ticks' own handler")
    share = leads[0][1]["COUNT"]
    section.verdict(abs(100 / ratio / share - 1) <= AS_SWEPT, f"decay, clock, by the time that the counting takes: "
                    f"{ratio:.1f} times as long, {100 / share:.1f} by its share in the sweep at that lead")


def judge_switch(section, found):
    """By the median, because once a second PROBE works past a tick, and keeps a hog waiting."""
    micro = [1e6 * over for _, over, _ in found]
    waited = max(longest - lead for lead, _, longest in found)
    section.verdict(max(micro) - min(micro) <= ALIKE, "this switch does not depend on the lead: by hwmon's log "
                    f"the median rest is {min(micro):.1f} to {max(micro):.1f} us longer than the lead, which differs "
                    f"by {max(micro) - min(micro):.1f} us, at most {ALIKE:g}; the rest of the points is PROBE, "
                    f"which once a second keeps a hog waiting, up to {1e6 * waited:.0f} us")


def write_differences(section, leads):
    mine = paper()["SunOS 4.1.1", True]
    theirs = 100 * float(paper()["SunOS 4.1.1", False]["real_s"]) / float(mine["real_s"])
    lead, last = leads[-1]
    section.text(
        f"What differs: hogs that leave 1 ms of 10 leave 10 %, and the paper's counting had {theirs:.1f} % of its "
        f"CPU. So others had most of what its hogs left. Its charges confirm it: of the ticks, each at the end of "
        f"such a rest, "
        f"{100 - float(mine['cpu_percent']):.0f} % found a program that was neither hog nor counting. Here that is "
        f"PROBE, the task that writes the snapshots: like the counting it is charged at those ticks, so its time is "
        f"taken from the same rest. At a lead of {1e6 * lead:.0f} us that is {last['PROBE']:.2f} of "
        f"{left(last):.2f} %; the shorter the lead, the more the ratio depends on PROBE and not on the hogs, and it "
        f"changes with the work of PROBE.",
        "With random samples the paper's process had 45 % beside two hogs, and from 9 to 65 % in other runs, "
        "which its authors call a flaw of their scheduler. Here it has its share steadily; what can take it away is "
        "in another proof, \"Unfair with true charges\".")


def write_paper(section):
    rows = []
    known = paper()
    for system in ("SunOS 4.1.1", "4.4BSD"):
        alone = float(known[system, False]["real_s"])
        for hog in (False, True):
            r = known[system, hog]
            rows.append((system, "yes" if hog else "no", r["real_s"], r["cpu_s"], r["cpu_percent"],
                         f"{float(r['real_s']) / alone:.1f}", f"{100 * alone / float(r['real_s']):.1f}"))
    section.text("The paper:")
    section.table(("system", "hogs", "real, s", "charged, s", "charged, %", "times as long", "its true share, %"),
                  rows)


def write_ours(section, found):
    rows = []
    for sched, tick in WAYS:
        alone = found[f"hog0-{sched}-{tick}"].took
        for tasks in ("hog0", "hog2"):
            c = found[f"{tasks}-{sched}-{tick}"]
            rows.append((f"{sched}, {tick}", "yes" if tasks == "hog2" else "no", f"{c.took:.2f}",
                         f"{c.charged / 100 * c.took:.2f}", f"{c.charged:.1f}", f"{c.took / alone:.1f}",
                         f"{c.exact or 100:.1f}", f"{c.hogs:.1f}"))
    section.text("The runs, while the program counts:")
    section.table(("scheduler, tick", "hogs", "real, s", "charged, s", "charged, %", "times as long",
                   "its true share, %", "hogs charged, %"), rows)


def judge(section, found, ratios):
    section.verdict(ratios["decay", "random"] < FAIR,
                    f"decay, random: {ratios['decay', 'random']:.1f} times as long, under {FAIR:g}")
    for way in WAYS:
        c = found[f"hog2-{way[0]}-{way[1]}"]
        if way[1] == "clock":
            section.verdict(c.hogs <= BLIND and c.charged - c.exact > CHEATED, f"{way[0]}, clock: the hogs "
                            f"are charged {c.hogs:.1f} %, the counting {c.charged:.1f} % of a true {c.exact:.1f} %")
        else:
            allowed = deviations(4) * deviation(c.exact, c.taken)
            section.verdict(abs(c.charged - c.exact) <= allowed, f"{way[0]}, random: the counting is charged "
                            f"{c.charged:.2f} % of a true {c.exact:.2f} %, at most {allowed:.2f} points off")
