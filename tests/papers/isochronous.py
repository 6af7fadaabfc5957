# SPDX-License-Identifier: MIT
"""Proof 2: the isochronous task of McCanne and Torek: time charged over time,
and the load meter that goes up and down."""

import bisect
import statistics

import isochrony
import charts
import lib
from estimates import Estimate, percent
from runs import BRIEF, Boot, Section, charged_curve, charged_estimates, exact_curve, samples, sized

# the swing of `fixed`, 2.5 ms of phase at 27 ppm, takes 92 s, that of `clock` a minute
SECONDS, HZ = sized(300, 150), 100
METER = 5         # s: what the load meter looks back
BAR = 15          # s between two error bars of the meter
CHARGES = 30      # s between two error bars of the time charged
FLAT = 15         # s without a charge: one of the paper's flat regions
SWINGS = 4.0      # points: standard deviation of a meter that oscillates,
STEADY = sized(1.5, 1.7)  # and of one that does not: 1.02 of 500 samples, and 4.6 deviations of what 30 meters tell
TURN = (50, 70)   # s: the paper's period is about a minute
PUSHED = 0.025    # s after a whole second, in which PROBE's snapshot may push the load over a tick of the clock
LONGEST = 3       # s: e^-17 is the chance that a random tick misses for so long
WAYS = {
    "clock": "tick=clock",
    "fixed": f"tick=pit-periodic interval=fixed rate={HZ}",
    "random": f"tick=pit interval=random rate={HZ}",
    "stratified": f"tick=pit interval=stratified rate={HZ}",
    **sized({"one-shot": f"tick=pit interval=fixed rate={HZ}"}, {}),
}
DRAWN = [way for way in WAYS if way != "one-shot"]
BLIND = ("clock", "fixed")
BOOTS = {f"isochronous-{way}": Boot(f"tasks=isochronous {words} seconds={SECONDS} seed=1 monitor=system,samples")
         for way, words in WAYS.items()}


def boots():
    return BOOTS | isochrony.BOOTS


def meter(found):
    """(second, samples of the last METER seconds that found the task, samples)."""
    points = []
    for end in range(METER, SECONDS + 1):
        part = [s.task == "VAT" for s in found if end - METER <= s.seconds < end]
        points.append((end, sum(part), max(1, len(part))))
    return points


def load(points, effect=None):
    """(second, percent) of a meter; with a design effect each BAR-th second has its interval."""
    return [(end, 100 * hits / taken if effect is None or end % BAR else percent(hits, taken, effect))
            for end, hits, taken in points]


def gaps(found, pushed=True):
    """(begin, end) between samples of the task, whose ends count as samples; `pushed`:
    of those that PROBE pushed too.

    A second and the load's 22.5 ms meet each 9 s (400 periods).  Then the load waits for PROBE, which makes a
    snapshot, and is found by a tick that it would not have met alone: one charge within a flat stretch.
    """
    hits = [s.seconds for s in found if s.task == "VAT" and (pushed or s.seconds % 1 > PUSHED)]
    hits = [0.0, *hits, found[-1].seconds]
    return list(zip(hits, hits[1:]))


def report(dumps, folder):
    section = Section("2. The isochronous task", folder)
    section.text(
        'McCanne and Torek ("The Isochronous Anomaly", Figures 3 and 4): '
        'a program that works for a moment each 22.5 ms meets the 10 ms clock in four phases only. '
        'The load meter swung between 0 and 10 % with a period of about a minute, and the '
        'time charged had flat and steep stretches of about 30 s. By random samples it grew in a straight line.',
        "Here the task works 1.25 ms each 22.5 ms, with a period that is 42 ppm off: the clocks of one emulator do "
        "not drift, so the period must.")
    section.commands(*BOOTS.values())
    found = {way: samples(dumps[f"isochronous-{way}"]) for way in WAYS}
    truth = exact_curve(dumps["isochronous-stratified"], "VAT", ("user", "kernel", "masked_user", "masked_kernel"))
    charged = {w: charged_curve(f, 1 / HZ, lambda s: s.task == "VAT") for w, f in found.items()}
    counts = {w: meter(f) for w, f in found.items()}
    meters = {w: load(c) for w, c in counts.items()}
    write_numbers(section, found, meters, charged, truth)
    draw(section, found, counts, truth, {w: lib.row(lib.stat(dumps[f"isochronous-{w}"]), "VAT")["total"]["deff"]
                                         for w in DRAWN})
    judge(section, found, meters)
    isochrony.report(section, dumps)
    if BRIEF:
        return section
    section.text("What differs: `fixed` is the PIT in a periodic mode at 100 Hz, whose count is "
                 "15 ppm off the clock's period, so its swings last longer. `one-shot` is a fixed interval counted "
                 f"from the handler: the handler's time is added, {1e6 * slide(found['one-shot']):.0f} us a tick, "
                 "so the tick moves over the load. This is luck and no cure. The noise of the meter with `random` "
                 "and `stratified` is that of 500 samples.")
    return section


def less(charged, truth):
    """A curve less another, at its own places."""
    times = [x for x, _ in truth]

    def at(x):
        right = min(max(bisect.bisect_left(times, x), 1), len(truth) - 1)
        (x1, y1), (x2, y2) = truth[right - 1:right + 1]
        return y1 + (y2 - y1) * (x - x1) / (x2 - x1) if x2 > x1 else y1

    return [(x, Estimate(*(v - at(x) for v in y)) if isinstance(y, Estimate) else y - at(x)) for x, y in charged]


def draw(section, found, counts, truth, effects):
    """effects: of each way that is drawn its design effect, None where the ticks have a fixed period."""
    def charged(way):
        if effects[way] is None:
            return charged_curve(found[way], 1 / HZ, lambda s: s.task == "VAT")
        return charged_estimates(found[way], 1 / HZ, lambda s: s.task == "VAT", effects[way], CHARGES)

    charts.curves(section.picture("isochronous-time", "Time charged too much or too little, over time"),
                  "Ticks of a fixed period charge too little, random ones do not",
                  ("time, s", "charged less the truth, s"), {w: less(charged(w), truth) for w in DRAWN}, bold=BLIND,
                  ends=True, note="of all charged until then; ticks of a fixed period have none")
    charts.panels(section.picture("isochronous-load", "The load meter over time"),
                  f"Load meter over the last {METER} s", ("time, s", "load, %"),
                  {w: {"exact": smooth(truth), w: load(counts[w], effects[w])} for w in DRAWN},
                  note=f"dark: exact; of a meter's {METER * HZ} samples; ticks of a fixed period have none")


def slide(found):
    """Seconds by which ticks come later than the clock's, each."""
    return (found[-1].seconds - found[0].seconds) / (len(found) - 1) - 1 / HZ


def smooth(truth):
    return [(truth[n][0], 100 * (truth[n][1] - truth[n - METER][1]) / (truth[n][0] - truth[n - METER][0]))
            for n in range(METER, len(truth))]


def write_numbers(section, found, meters, charged, truth):
    rows = []
    for way in WAYS:
        values = [v for _, v in meters[way]]
        longest = max(b - a for a, b in gaps(found[way]))
        rows.append((f"`{way}`", f"{charged[way][-1][1]:.2f}", f"{truth[-1][1]:.2f}",
                     f"{min(values):.1f} to {max(values):.1f}", f"{statistics.pstdev(values):.2f}", f"{longest:.1f}"))
    section.table(("tick", "charged, s", "exact, s", "meter, %", "its standard deviation, points",
                   "longest time without a charge, s"),
                  rows)


def judge(section, found, meters):
    for way in DRAWN:
        swing = statistics.pstdev(v for _, v in meters[way])
        longest = max(b - a for a, b in gaps(found[way], way not in BLIND))
        if way in BLIND:
            section.verdict(swing > SWINGS and longest > FLAT,
                            f"`{way}`: the meter swings ({swing:.1f} points) and there are stretches of "
                            f"{longest:.0f} s without a charge but those that PROBE's snapshot brings about each 9 s")
        else:
            section.verdict(swing < STEADY and longest < LONGEST, f"`{way}`: the meter is steady "
                            f"({swing:.1f} points), {longest:.2f} s at most without a charge")
    begins = [a for a, b in gaps(found["clock"], False) if b - a > FLAT] or [0]
    turn = (begins[-1] - begins[0]) / max(1, len(begins) - 1)
    section.verdict(TURN[0] <= turn <= TURN[1],
                    f"`clock`: the swing repeats each {turn:.1f} s, about the paper's minute")
