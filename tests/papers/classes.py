# SPDX-License-Identifier: MIT
"""Proof 9: classes of states (Thurner, figures 4 to 7): what samples miss,
and a rare fault found by an expression."""

import charts
import lib
import states
from runs import BRIEF, Boot, Section, clock_hz, deviation, deviations, samples, sized

STRETCHES = "tasks=stretches clock=1000 monitor=system,samples seed=1"
TREE = "0=idle:task=IDLE,1=long:task=LONG,2=short:task=SHORT,3=other:else"
TASKS = {"LONG": "1", "SHORT": "2"}
CYCLE = 6.0      # ms
BEGIN = 1.5      # s of the run behind which the picture begins, between two snapshots
LONG_AT = 3.1    # ms of a cycle, kernel/workload/workload_thurner.c
SEEDS = (1, 2, 3)
FAULTS = 1       # transfers of 1000 that lack their end, kernel/workload/workload_thurner.c
OF = ("--classes", states.PROTOCOL, "--of", "SENDER")
MESSAGES = "monitor=system,events events=user:SENDER buffer=stop rate=1000 seconds=7"


def boots():
    found = {"figure4-equidistant": Boot(f"{STRETCHES} tick=clock account=log seconds={sized(5, 3)}", shift=3),
             "figure4-random": Boot(f"{STRETCHES} tick=pit interval=random rate=1000 seconds={sized(20, 6)}",
                                    shift=3)}
    for seed in SEEDS if not BRIEF else ():
        found[f"messages-{seed}"] = Boot(f"tasks=messages {MESSAGES} seed={seed}", shift=3)
    if not BRIEF:
        found["messages-faultless"] = Boot(f"tasks=messages-faultless {MESSAGES} seed=1", shift=3)
    return found


def percent(dump, name, key="percent"):
    return lib.row(lib.stat(dump), name)["total"][key]


# ---- figure 4 ----

def changes(dump):
    """(s, task) of each change of cell, without the tick's handler."""
    text, _ = lib.host("transitions", dump)
    words = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return [(float(w[1]), w[3]) for w in words if w[3] != "MONITOR"]


def stretches(found, begin, end):
    """[(begin, end) in ms] in which one of the tasks runs, of (s, task) in order:
    what is found holds until the next."""
    busy, since = [], None
    for at, task in found:
        if since is not None:
            busy.append((since, 1000 * (min(at, end) - begin)))
        since = 1000 * (at - begin) if begin <= at < end and task in TASKS else None
    return busy


def show_figure(section, dumps, folder):
    equal, random = dumps["figure4-equidistant"], dumps["figure4-random"]
    _, summary, status = states.states(equal, "--classes", TREE)
    found = {c["class"]: 100 * c["share"] for c in summary["classes"]}
    rows = {name: (percent(equal, name, "exact"), percent(equal, name), percent(random, name), found[code])
            for name, code in TASKS.items()}
    section.table(("task", "exact, %", "each 1 ms, %", "random, %", "classes of states, %"),
                  [(name, *(f"{v:.2f}" for v in values)) for name, values in rows.items()])
    all_changes = changes(equal)
    begin = next(at for at, task in all_changes if task == "LONG" and at > BEGIN) - LONG_AT / 1000
    end = begin + 2 * CYCLE / 1000
    span = (0, 1000 * (end - begin))
    charts.lanes(section.picture("thurner4", "Busy times, and what a sampler of 1 ms makes of them"),
                 "Thurner's Figure 4",
                 "ms", span, {"busy": stretches(all_changes, begin, end),
                              "as sampled": stretches(((s.seconds, s.task) for s in samples(equal)), begin, end)},
                 note="what is between two ticks of 1 ms is not seen, what meets one counts as a whole ms")
    taken = lib.stat(random)["samples"]
    judge_figure(section, rows, taken, status)


def judge_figure(section, rows, taken, status):
    exact, equal, random, classes = rows["LONG"]
    section.verdict(equal < 0.5, f"each 1 ms: the stretch between two ticks, {exact:.2f} % of the time, "
                                 f"has {equal:.2f} % of the samples")
    section.verdict(abs(random - exact) <= deviations(4) * deviation(exact, taken),
                    f"random: it has {random:.2f} % of {taken} samples")
    section.verdict(status == 0 and abs(classes - exact) < 0.1, f"classes of states: it has {classes:.2f} %")
    exact, equal, random, classes = rows["SHORT"]
    section.verdict(equal > 16, f"each 1 ms: the short one over a tick, {exact:.2f} % of the time, is taken for a "
                                f"whole interval of six: {equal:.2f} %")
    section.verdict(abs(random - exact) <= deviations(4) * deviation(exact, taken), f"random: it has {random:.2f} %")
    section.verdict(abs(classes - exact) < 0.1 + 0.05 * exact, f"classes of states: it has {classes:.2f} %")


# ---- the protocol ----

def protocol(dump):
    """Transfers that began, whole ones, hits of those without an end, when the task tells of one, s."""
    hits, summary, _ = states.states(dump, *OF, "--hits", "--match", "5 [1]+ 0")
    _, whole, _ = states.states(dump, *OF, "--match", "5 [1]+9")
    began = next(c["count"] for c in summary["classes"] if c["class"] == "5")
    return began, whole["match"], hits, states.reported(dump, clock_hz(dump))


def show_protocol(section, dumps):
    rows, wrong, all_told, transfers = [], [], 0, 0
    for seed in SEEDS:
        began, whole, hits, told = protocol(dumps[f"messages-{seed}"])
        rows.append((seed, began, whole["count"], f"{1e6 * whole['mean']:.1f}", len(told), len(hits)))
        wrong += [t for t in told if not any(h["at"] <= t <= h["at"] + h["length"] for h in hits)]
        wrong += [h["at"] for h in hits if not any(h["at"] <= t <= h["at"] + h["length"] for t in told)]
        wrong += [seed] * (not 0 <= began - whole["count"] - len(hits) <= 1)
        all_told += len(told)
        transfers += began
    section.table(("seed", "transfers", "`5 [1]+9`", "mean, us", "without an end, as the task tells", "`5 [1]+ 0`"),
                  rows)
    section.verdict(all_told > 0 and not wrong, f"the expression finds {all_told} faults in {transfers} transfers, "
                                                "each at its time, and no other", row="states")
    cells = [lib.row(lib.stat(dumps[f"messages-{run}"]), "SENDER")["total"] for run in (1, "faultless")]
    section.verdict(not lib.differ(*cells), f"samples: SENDER has {cells[0]['percent']:.2f} % with the fault and "
                    f"{cells[1]['percent']:.2f} % without, no further apart than chance explains", row="states")


def report(dumps, folder):
    section = Section("9. Classes of states", folder)
    section.text("Thurner, Figure 4: a sampler of 1 ms does not notice that the system is busy between 3 and 4 ms, "
                 "and records a short busy time at 5 ms as a whole one. Here in each cycle of 6 ms one task runs "
                 "from 3.1 to 3.9 ms and another from 4.95 to 5.05 ms, in step with the clock.")
    section.commands(*(b for name, b in boots().items() if name.startswith("figure4")))
    show_figure(section, dumps, folder)
    section.text("Figures 6 and 7: a message-passing protocol in classes of states, its transfers found by the "
                 f"expression `5 [1]+9`: start, transfer, end. {FAULTS} transfer in 1000 lacks its end.",
                 f"    cpuprobe states dump --of SENDER --classes '{states.PROTOCOL}' --match '5 [1]+ 0'")
    section.commands(*(b for name, b in boots().items() if name.startswith("messages")))
    if not BRIEF:
        show_protocol(section, dumps)
    return section
