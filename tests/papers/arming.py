# SPDX-License-Identifier: MIT
"""Proof 15: where ticks wait for sections with interrupts off, intervals that begin in the handler miss them: both
rules beside the truth."""

import collections
import subprocess

import charts
import lib
from estimates import Z, around, printed
from runs import Boot, Section, sized

LOADS = ("storm", "masked")
RULES = ("absolute", "relative")
RATES = sized((500, 1000, 4000), (4000,))
WINDOWS, SECONDS = sized(12, 4), 2
SEEN = ("storm", 4000)      # sections of half a mean interval: the papers' rule must be seen to err there,
ERRS = 0.5                  # points in the mean of the windows, at least
RUNS = sized(300, 30)       # of build/host/simulate_masked
BIAS, FEW = 0.05, 3.5       # points, and standard errors on top, as simulate_masked has them
DRAWN = {"0.05T-jittered": "0.05 T", "0.5T-jittered": "0.5 T", "3T-periodic": "3 T", "10T-jittered": "10 T"}

Cell = collections.namedtuple("Cell", "load policy rule cell share bias error cover width")


def boot(load, rule, rate):
    return Boot(f"tasks={load} tick=pit rate={rate} windows={WINDOWS} seconds={SECONDS} seed=1 arm={rule}")


def name_of(load, rule, rate):
    return f"arming-{load}-{rule}-{rate}"


def boots():
    return {name_of(load, rule, rate): boot(load, rule, rate) for load in LOADS for rule in RULES for rate in RATES}


# ---- what was booted ----

def masked_of(dump):
    """The row MASKED's total of each window."""
    tables = (lib.stat(dump, "--epoch", str(n)) for n in range(1, WINDOWS + 1))
    return [lib.row(table, "MASKED")["total"] for table in tables]


def standardised(cells):
    """How far each window is off, in standard errors as its interval has them."""
    return [(c["percent"] - c["exact"]) / ((c["high"] - c["low"]) / (2 * Z)) for c in cells]


def mean(values):
    return sum(values) / len(values)


def off(cells):
    """The mean error, points."""
    return mean([c["percent"] - c["exact"] for c in cells])


def judge(section, load, rule, rate, cells):
    """The new rule errs as chance does; the papers' must be seen to err where sections are long enough."""
    held = sum(c["low"] <= c["exact"] <= c["high"] for c in cells)
    if rule == "absolute":
        square = sum(z * z for z in standardised(cells))
        section.verdict(square <= lib.most_square(len(cells)),
                        f"`{load}` at {rate} Hz, points in clock time: MASKED is {off(cells):+.3f} points off "
                        f"in the mean of {len(cells)} windows, {held} of them hold the truth; the squares of their "
                        f"standardised errors add up to {square:.1f}, of {lib.most_square(len(cells)):.1f}")
    elif (load, rate) == SEEN:
        section.verdict(off(cells) <= -ERRS, f"`{load}` at {rate} Hz, intervals that begin in the handler: "
                                             f"MASKED is {off(cells):+.3f} points "
                                             f"off, {held} of {len(cells)} windows hold the truth")


# ---- what was simulated ----

def simulated():
    """Each cell of build/host/simulate_masked, and whether it judged all to be right."""
    done = subprocess.run([lib.ROOT / "build/host/simulate_masked", str(RUNS)], stdout=subprocess.PIPE, text=True,
                          check=False)
    rows = (line.split() for line in done.stdout.splitlines() if not line.startswith("FAILED"))
    return [Cell(*r[:4], *map(float, (r[5], r[7], r[9], r[11], r[13]))) for r in rows], done.returncode == 0


def of(cells, **wanted):
    return [c for c in cells if all(getattr(c, name) == value for name, value in wanted.items())]


# ---- the section ----

def report(dumps, folder):
    section = Section("15. Ticks that wait", folder)
    section.text(
        "Both Crowe's probe and the randomized clock of McCanne and Torek arm the next interval in the handler. "
        "A tick that is due while interrupts are off waits for the end of that section; meanwhile the schedule "
        "stands still, so that the rest of the section is never sampled, and what follows it always begins right "
        "behind a sample. Neither paper says by how much the shares are wrong then. Here the points of the schedule "
        "are fixed in clock time (`arm=absolute`), and each point that passed in a wait is "
        "counted where it belongs; `arm=relative` is the papers' rule.")
    write_booted(section, dumps)
    write_simulated(section)
    section.text("What differs: the papers have no row of their own for time with interrupts off; there its samples "
                 "are charged to the code that turned them off, or to what follows, and are as few. Their clocks "
                 "cannot be read back, so that the wait of a tick is not known to them.")
    return section


def write_booted(section, dumps):
    section.text("**Booted**: `storm`, whose device's handlers take 0.1 ms with interrupts off, 4096 times a second "
                 f"in half of the time, and `masked`, a task that turns them off; {WINDOWS} windows of {SECONDS} s "
                 "each. Row MASKED, mean of the windows:")
    section.commands(*(boot(load, rule, "N") for load in LOADS for rule in RULES))
    found = {(load, rule, rate): masked_of(dumps[name_of(load, rule, rate)]) for load in LOADS for rule in RULES
             for rate in RATES}
    section.table(("load", "Hz", "rule", "sampled, %", "exact, %", "off, points", "windows that hold the truth"),
                  [(f"`{load}`", rate, rule, f"{mean([c['percent'] for c in cells]):.3f}",
                    f"{mean([c['exact'] for c in cells]):.3f}", f"{off(cells):+.3f}",
                    f"{sum(c['low'] <= c['exact'] <= c['high'] for c in cells)} of {len(cells)}")
                   for (load, rule, rate), cells in found.items()])
    section.text("What points in clock time leave at high rates comes of the handlers: "
                 "[ACCOUNTING](ACCOUNTING.md#masked-sections).")
    load, rate = SEEN
    names = [str(n) for n in range(1, WINDOWS + 1)]
    charts.bars(section.picture("arming-windows", "Row MASKED in each window by both rules, beside the truth"),
                f"Time with interrupts off, tasks={load} at {rate} Hz", "row MASKED, %", names,
                {"truth": [c["exact"] for c in found[load, "absolute", rate]],
                 "points in clock time": [printed(c) for c in found[load, "absolute", rate]],
                 "intervals from the handler": [printed(c) for c in found[load, "relative", rate]]},
                note="one window each")
    for (load, rule, rate), cells in found.items():
        judge(section, load, rule, rate, cells)


def write_methods(section, dumps):
    """Into docs/METHODS.md: what each rule says at the rate at which the papers' is seen to err,
    in the mean of the windows."""
    rate = SEEN[1]
    section.text("All random samples here have points that are fixed in clock time. The papers begin the "
                 "next interval in the handler; then a tick that waits, because interrupts are off, delays all that "
                 "follow, and time with interrupts off is counted "
                 f"too low, the more the longer its sections are ([REPRODUCTION](REPRODUCTION.md)). At {rate} Hz:")
    rows = []
    for load in LOADS:
        cells = [masked_of(dumps[name_of(load, rule, rate)]) for rule in RULES]
        rows.append((f"`{load}`", *(f"{mean([c['percent'] for c in of_rule]):.2f} ({off(of_rule):+.2f})"
                                    for of_rule in cells)))
    section.table(("workload", "points in clock time: row MASKED, % (error)",
                   "intervals from the handler: row MASKED, % (error)"), rows)


def write_simulated(section):
    cells, right = simulated()
    section.text(f"**Simulated** (`build/host/simulate_masked {RUNS}`): the image's own tick on a simulated clock "
                 f"and one-shot timer, {RUNS} runs of 8000 mean intervals T, sections of so many T. Each is a share "
                 "of row MASKED; bias in points:")
    rows = []
    for load in dict.fromkeys(c.load for c in cells):
        for policy in dict.fromkeys(c.policy for c in cells):
            pair = [of(cells, load=load, policy=policy, rule=rule, cell="MASKED")[0] for rule in RULES]
            rows.append((load, f"`{policy}`", f"{pair[0].share:.2f}",
                         *(f"{c.bias:+.3f} +- {c.error:.3f}; {c.cover:.1f}" for c in pair), f"{pair[0].width:.2f}"))
    section.table(("sections", "policy", "true share, %", "clock time: bias; covered, %", "handler: bias; covered, %",
                   "clock time: width / 3.92 sd"), rows)
    drawn = {rule: [of(cells, load=load, policy="stratified", rule=rule, cell="MASKED")[0] for load in DRAWN]
             for rule in RULES}
    charts.bars(section.picture("arming",
                                "Row MASKED by both rules, beside the truth, by the length of the sections"),
                "Time with interrupts off, by the length of its sections", "row MASKED, %", list(DRAWN.values()),
                {"truth": [c.share for c in drawn["absolute"]],
                 "points in clock time": [around(c.share + c.bias, c.error) for c in drawn["absolute"]],
                 "intervals from the handler": [around(c.share + c.bias, c.error) for c in drawn["relative"]]},
                note=f"stratified, of the mean of {RUNS} runs")
    judge_simulated(section, cells, right)


def judge_simulated(section, cells, right):
    section.verdict(right, "simulated: no cell of any load is biased by more than the rule leaves, and the "
                           "intervals hold", row="simulate-masked")
    worst = max(of(cells, rule="absolute"), key=lambda c: abs(c.bias) - FEW * c.error)
    section.text(f"The worst cell by points in clock time is `{worst.cell}` of {worst.load}, `{worst.policy}`: "
                 f"{worst.bias:+.3f} +- {worst.error:.3f} points.")
    for load, words in DRAWN.items():
        errs = max(abs(c.bias) for c in of(cells, load=load, rule="relative"))
        if load[0] in "31":
            section.verdict(errs >= 10, f"simulated: with sections of {words} intervals that begin in the handler "
                                        f"err by {errs:.1f} points")
