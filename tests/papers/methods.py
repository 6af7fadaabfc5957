# SPDX-License-Identifier: MIT
"""docs/METHODS.md: every method of the papers on six workloads, beside the truth of the same run."""

import dataclasses

import arming
import lib
import method_costs
import method_readers
import svg_grid
from estimates import Estimate
from method_loads import LOADS, Reading, Truth, truth, whole
from method_rows import HZ, METHODS, OBSERVED, RUNS
from runs import BRIEF, Boot, Section, agrees, sized

FIRST = "hardware monitor"  # whose runs the row of the truth is of
PROFILED = Boot(f"tasks=profil seconds={sized(20, 5)} seed=1 tick=pit interval=random rate={HZ} "
                "monitor=system,profil")
BOLD = 5.0  # points: an error that nobody should miss


def classes(load):
    """A tree for the question: idle, the guilty one, others."""
    guilty = f"task={load.guilty}" if load.rows else "mode=interrupt"
    return f"classes=0=idle:task=IDLE+mode=kernel,1=guilty:{guilty},2=other:else"


def boot(load, run):
    tree = f" {classes(load)}" if "states" in RUNS[run] else ""
    return Boot(f"{load.words} seconds={load.seconds} seed=1 {RUNS[run]}{tree}", observed=OBSERVED.get(run, ""))


def name_of(load, run):
    return f"methods-{load.name}-{run}"


def boots():
    return {**{name_of(load, run): boot(load, run) for load in LOADS for run in RUNS},
            "methods-profil": PROFILED, **arming.boots(),
            **(method_costs.boots([m.cost for m in METHODS if m.cost]) if not BRIEF else {})}


@dataclasses.dataclass(frozen=True)
class Result:
    """A method on a workload."""
    method: object
    load: object
    reading: Reading
    truth: Truth

    def offs(self):
        """Its distance from the truth, busy and guilty; None where it does not tell."""
        pairs = ((self.reading.busy, self.truth.busy), (self.reading.guilty, self.truth.guilty))
        return [None if said is None else said - true for said, true in pairs]

    def pairs(self):
        """(what it says, how far off) of busy and guilty."""
        return list(zip((self.reading.busy, self.reading.guilty), self.offs()))

    def drawn(self):
        """The same for the picture: what has an interval is an Estimate."""
        limits = (self.reading.busy_95, self.reading.guilty_95)
        return [(value if found is None else Estimate(value, *found), off)
                for (value, off), found in zip(self.pairs(), limits)]

    def judged(self):
        """(distance, whether it is within what the method promises) of each reading that has limits."""
        limits = (self.reading.busy_within, self.reading.guilty_within)
        return [(off, within[0] <= value <= within[1]) for (value, off), within in zip(self.pairs(), limits)
                if value is not None and within is not None]


def measure(method, load, dumps):
    dump = dumps[name_of(load, method.run)]
    found = truth(dump, load)
    return Result(method, load, method.read(dump, load, found), found)


def results(dumps):
    return {(m.name, load.name): measure(m, load, dumps) for m in METHODS for load in LOADS}


# ---- the page ----

def answer(value, off, bold=BOLD):
    if value is None:
        return "-"
    text = f"{value:.1f} ({off:+.1f})"
    return f"**{text}**" if abs(off) > bold else text


def cell(result, bold=BOLD):
    return "; ".join(answer(*pair, bold) for pair in result.pairs())


def costs_of(method, dumps):
    """Its four cells of the table; no verdict is on them, so a brief run does not measure them."""
    if not method.cost or BRIEF:
        return ("0",) * 4
    found = method_costs.cost(dumps, method.cost)
    return f"{found.instructions():.0f}", f"{found.quiet:.2f}", f"{found.busy:.1f}", f"{found.sent:.0f}"


def farthest(found):
    """The greatest distance of these results from the truth, points."""
    return max(abs(off) for r in found for off in r.offs() if off is not None)


def introduce(section, found):
    def said(method, load):
        return found[method, load].reading, found[method, load].truth

    hog, hog_truth = said(METHODS[0].name, "hog1")
    fixed, fixed_truth = said("fixed samples, interrupt", "rounded")
    ended, ended_truth = said("process table", "brief")
    sampled = [r for (m, _), r in found.items() if m.startswith(("random", "stratified"))]
    counted = [r for (m, _), r in found.items() if m in ("account log", "events", "classes of states")]
    outside = [r for (m, _), r in found.items() if m == "hardware monitor"]
    section.text(
        "How busy is the CPU, and which task is to blame? There are many methods to find out, and they do "
        "not agree. cpuprobe is a small bootable system that has them all. Here each looks at the same six loads, "
        "and beside it the truth is known: the time of each task, by a clock that is read at each change. "
        "`make papers PROOF=methods` measures every number on this page.", "## The answer",
        "- **Do not believe what is counted at the ticks of the system clock.** Tasks are woken by the same ticks, "
        "so they have just stopped, "
        f"or not begun. A task that used {hog_truth.guilty:.1f} % of the CPU was seen as {hog.guilty:.1f} %.\n"
        f"- **A timer of its own does not help if its period is fixed.** It said {fixed.busy:.1f} % busy where "
        f"{fixed_truth.busy:.1f} % is true: the load has a period too.\n"
        f"- **Samples at random times are right on every load**, and say how exact they are. {HZ * LOADS[0].seconds} "
        f"of them were off by {farthest(sampled):.1f} points at most; four times as many samples halve that. "
        "`stratified` needs the fewest ([ACCOUNTING](ACCOUNTING.md#coverage)); as NMI it also sees code that keeps "
        "interrupts off, and names interrupt handlers.\n"
        f"- **A list of the tasks that are there forgets those that have ended.** Of {ended_truth.guilty:.1f} % that "
        f"short-lived tasks used it had {ended.guilty:.1f} %; tick counters by task have the same fault.\n"
        "- **If you can change the system, "
        "read a clock at each switch** of tasks: the account log, events and classes of "
        f"states were off by {farthest(counted):.2f} points at most. Events also tell the order of things.\n"
        "- **If one number is enough**, take the idle counters: they cost next to nothing.\n"
        "- **If you can observe from outside**, as in an emulator, nothing in the system changes, "
        f"and everything is seen (off by {farthest(outside):.2f} points at most).")


def columns(found):
    """The truth of the boots with the first method."""
    first = [found[FIRST, load.name].truth for load in LOADS]
    return [(load.name, load.guilty, t.busy, t.guilty) for load, t in zip(LOADS, first)]


def show(section, found, dumps):
    picture = section.picture("methods",
                              "How far each method is from the truth on each workload, as a number and as a colour")
    svg_grid.grid(picture, "Busy, and who is to blame: how far each method is from the truth", columns(found),
                  [(m.name, [pair for load in LOADS for pair in found[m.name, load.name].drawn()]) for m in METHODS])
    section.text("## The table", "Each cell: what the method says of the busy share, and of the guilty one's share, "
                 f"in percent of the time; in brackets the error in points, bold above {BOLD:g}; `-`: it does not "
                 f"tell. The truth in the first row is that of the runs with the {FIRST}; each error is against the "
                 "truth of its own run. Costs are those of the method alone: instructions a second beside a task "
                 "that only computes, and by how many percent that becomes slower; by how many percent tasks become "
                 "slower that do little but call the kernel, the worst case for what looks at each change; "
                 "bytes a second on the line with `figure3`.")
    head = ("method", "paper", *(f"`{load.name}`: busy; {load.guilty}" for load in LOADS), "instructions/s",
            "computing slower, %", "calls slower, %", "bytes/s", "needs", "use it")
    true = ("**the truth**", "", *(f"{busy:.1f}; {guilty:.1f}" for _, _, busy, guilty in columns(found)), *[""] * 6)
    section.table(head, [true, *((m.name, m.papers, *(cell(found[m.name, load.name]) for load in LOADS),
                                  *costs_of(m, dumps), m.needs, m.use) for m in METHODS)])


def profile(section, dumps):
    """What profil says of programs that ask for it: how much of all ticks found each of them."""
    table = lib.stat(dumps["methods-profil"])
    found = [(p["name"], 100 * p["counted"] / table["samples"], lib.row(table, p["name"])["total"])
             for p in table["profil"]]
    section.text("`profil` has no answer in the table: "
                 "no program of these workloads asks for it, and it knows one program only. "
                 "Three programs do ask in the run below. By the sum of its counters each of them used")
    section.table(("program", "profil, %", "truth, %"), [(name, f"{said:.1f}", f"{whole(total):.1f}")
                                                         for name, said, total in found])
    section.commands(PROFILED)
    section.verdict(found and all(total["low999"] <= said <= total["high999"] + total["masked"] and agrees(total)
                                  for _, said, total in found),
                    f"profil: {len(found)} sums, and the truth, are in the 99.9 % intervals of the same ticks")


def explain(section, dumps):
    section.text("## The methods")
    section.table(("method", "what it does"), [(m.name, m.what) for m in METHODS])
    profile(section, dumps)
    arming.write_methods(section, dumps)
    section.text("## The workloads")
    section.table(("workload", "what runs", "guilty"), [(f"`{load.name}`", load.story, load.guilty)
                                                        for load in LOADS])
    section.text(
        "## How it was measured",
        f"One machine of 31 million instructions a second in QEMU. All samplers look {HZ} times a second, "
        "as often as the system clock ticks, so that they differ only in when they look. Busy is all that is not "
        "the idle loop, interrupt handlers included. The truth is the exact table of the same run, with interrupts "
        "on and off ([ACCOUNTING](ACCOUNTING.md)). The guilty one of `storm` are the handlers of interrupts: "
        "an ordinary tick finds them only when they are over, and the image then counts it in row MASKED instead of "
        "for the task that was interrupted. Several methods share a boot where none changes "
        "what another reads. These are the boots of one workload:")
    section.commands(*(boot(LOADS[0], run) for run in RUNS))
    section.text("A task that only computes, and tasks that do little but call the kernel, measure the costs; "
                 "`build/hwmon.so` counts from outside what is left for them. [COST](COST.md) has the instructions "
                 "of each tick and event, [REPRODUCTION](REPRODUCTION.md) the experiments of the papers.")


def judge(section, found):
    section.text("## What was checked", "Where theory says that a method is right, its reading must be "
                 "within what it promises: the 99.9 % interval of samples (one of twelve may be outside by chance), "
                 "the resolution of what is counted. Where theory says that it errs, it must err as said.")
    for m in METHODS:
        right = [pair for load in LOADS for pair in found[m.name, load.name].judged()]
        if right:
            outside = sum(not held for _, held in right)
            by_chance = lib.most_misses(len(right)) if m.read is method_readers.sampled else 0
            section.verdict(outside <= by_chance, f"{m.name}: {len(right) - outside} "
                            f"of {len(right)} readings are within what it promises, the "
                            f"farthest {max(abs(off) for off, _ in right):.2f} points off")
        for load in (load for load in LOADS if load.name in m.errs):
            r = found[m.name, load.name]
            section.verdict(m.errs[load.name](r.reading, r.truth),
                            f"{m.name} on `{load.name}`, busy; {load.guilty}: {cell(r, bold=100)}. "
                            f"{m.errs[load.name].__doc__}")


def report(dumps, folder):
    section = Section("Which method should I believe?", folder, page="METHODS.md")
    found = results(dumps)
    if not BRIEF:
        introduce(section, found)
    show(section, found, dumps)
    explain(section, dumps)
    judge(section, found)
    return section
