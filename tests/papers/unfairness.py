# SPDX-License-Identifier: MIT
"""Proof 14: a scheduler that charges what is true and is unfair, by one mechanism of decay-usage scheduling."""

import charts
from hog import PARTS
from runs import BRIEF, Boot, Section, exact_curve
from unfair import LEFT, MIXED, SECONDS, SHIFT, bounds, drawn, first_turns, shares, state_of, while_counting, words

SEEDS = range(1, 13)
SCHEDULERS = ("decay", "decay-wake")
WATCHED = 6     # the seed of the runs that are shown by the second: its hogs' turns are apart
FORGOTTEN = 5   # s: at a load of 3 much of what was used before is forgotten by then (kernel/sched/sched_decay.c)
MISSES = 4      # percent of the intervals: 5 miss by their kind, and so many more may by chance


def boots():
    seeds = SEEDS if not BRIEF else ()
    found = {f"unfair-{sched}-{seed}": Boot(words(sched, seed, SECONDS), shift=SHIFT) for sched in SCHEDULERS
             for seed in seeds}
    for sched in SCHEDULERS:
        told = words(sched, WATCHED, SECONDS).replace("output=text ", "")
        found[f"unfair-seconds-{sched}"] = Boot(told, shift=SHIFT)
    return found


def by_second(dump):
    """[(s, percent of the second before it)] that the counting had, from the second in which both hogs run on."""
    curve = exact_curve(dump, "COUNT", PARTS)
    return [(b[0], 100 * (b[1] - a[1]) / (b[0] - a[0])) for a, b in zip(curve, curve[1:]) if a[0] > 1.5]


def report(dumps, folder):
    section = Section("14. Unfair with true charges", folder)
    section.text(
        "With random samples McCanne and Torek's counting had 45 % beside two hogs, and 9 to 65 % in other "
        "runs, although each task was charged what it used. They call the scheduler flawed and leave the cause "
        "open. This is no claim on 4.4BSD: it is one mechanism of decay-usage scheduling that gives such a spread, "
        "shown with it and without it.", "In 4.3BSD (Leffler, McKusick, Karels and Quarterman, 4.4) a process that "
                                         "waits in the kernel wakes at a priority that is better "
                                         "than any of user level, whatever it used. "
                                         "When it leaves the kernel it has its own priority again; the next "
                                         "comparison comes with a clock tick. The hog sleeps over each tick: "
                                         "it always wakes into the processor, and is never running "
                                         "when somebody compares. "
                                         "`sched=decay-wake` has that, `sched=decay` has not; all else is the same.",
        f"A hog takes every other turn of the clock and leaves {LEFT:g} % of it, as the paper's do; it knows nothing "
        "of the other one. So if their turns are others the counting has what both leave, and if they are the "
        f"same ones the second hog finds its turn over, and the counting has {(100 + LEFT) / 2:g} %. Which of the "
        "two it is depends on the ticks at which they began, and these are drawn from the seed (`tasks=freehogs`). "
        "PROBE writes no frames in these runs, because that moves turns. It wakes once a second, with a tick of the "
        "clock: where it woke 1.4 or 2.7 ms before a tick, in the turn of a hog, that hog lost the rest of it and "
        "came a turn later, the turns were the same ones from there on, and the counting had 46 % at the seeds at "
        "which it has 10.")
    section.commands(*(Boot(words(sched, 1, SECONDS).replace("seed=1", "seed=N"), shift=SHIFT)
                       for sched in SCHEDULERS))
    if not BRIEF:
        found = {(sched, seed): shares(dumps[f"unfair-{sched}-{seed}"].read_text(errors="replace"))
                 for sched in SCHEDULERS for seed in SEEDS}
        write_runs(section, found)
        judge_runs(section, found)
    write_seconds(section, dumps)
    section.text(
        "What differs: the paper's most is 65 %, and this mechanism alone cannot give more than half of the turns "
        "and what hogs leave of the others. Without it the counting has more than a third, because hogs that sleep "
        "together cannot use what is theirs.")
    return section


def write_runs(section, found):
    rows = []
    for seed in SEEDS:
        cells = []
        for sched in SCHEDULERS:
            count = found[sched, seed]["COUNT"]
            hogs = sum(found[sched, seed][h].exact for h in ("HOG1", "HOG2"))
            cells += [f"{count.exact:.1f}", f"{count.sampled:.1f} ({count.low:.1f}-{count.high:.1f})", f"{hogs:.1f}"]
        rows.append((seed, "{}, {}: {}".format(*first_turns(seed), drawn(seed)), *cells))
    section.table(("seed", "first turns", *(f"`{s}`: {what}" for s in SCHEDULERS for what in
                                            ("the counting, %", "sampled, % (95 %)", "hogs, %"))), rows)


def judge_runs(section, found):
    had = {key: while_counting(tasks["COUNT"].exact, SECONDS) for key, tasks in found.items()}
    with_it, without = ([had[sched, seed] for seed in SEEDS] for sched in ("decay-wake", "decay"))
    wrong = [seed for seed in SEEDS if state_of(had["decay-wake", seed], SECONDS) != drawn(seed)]
    section.verdict(not wrong and len({drawn(seed) for seed in SEEDS}) == 2,
                    f"with it the counting has {min(with_it):.1f} to {max(with_it):.1f} % from its second 1 on, "
                    "in each run what the first turns of the hogs foretell: "
                    f"{bounds('apart', SECONDS)[0]:.1f} to {bounds('apart', SECONDS)[1]:.1f} "
                    f"or {bounds('same', SECONDS)[0]:.1f} to {bounds('same', SECONDS)[1]:.1f} %", row="unfair")
    section.verdict(min(without) >= bounds("same", SECONDS)[0] - MIXED,
                    f"without it {min(without):.1f} to {max(without):.1f} %, in no run less than a third",
                    row="unfair")
    cells = [s for tasks in found.values() for name, s in tasks.items() if name in ("COUNT", "HOG1", "HOG2")]
    inside = sum(s.low <= s.exact <= s.high for s in cells)
    section.verdict(100 * inside >= (95 - MISSES) * len(cells),
                    f"the samples are not to blame: {inside} of {len(cells)} true shares of the "
                    "counting and the hogs are in their intervals of 95 %", row="unfair")


def write_seconds(section, dumps):
    series = {sched: by_second(dumps[f"unfair-seconds-{sched}"]) for sched in SCHEDULERS}
    section.text("By the second, with PROBE writing a snapshot after each. It may keep a hog past its turn, so that "
                 "the turns fall apart or together:")
    section.commands(*(boots()[f"unfair-seconds-{sched}"] for sched in SCHEDULERS))
    charts.curves(section.picture("unfair", "The share of the counting by the second, with and without wake-ups at a "
                                            "kernel priority"),
                  "The counting beside two hogs", ("second", "share of the CPU, %"), series, bold=("decay-wake",),
                  note="of the account")
    late = [p for s, p in series["decay"] if s > FORGOTTEN]
    wake = [p for _, p in series["decay-wake"]]
    section.verdict(min(wake) < LEFT + 2 and max(wake) > 50 and min(late) > 100 / 3,
                    f"with it seconds of {min(wake):.1f} and of {max(wake):.1f} % are in one run; without it no "
                    f"second after the first {FORGOTTEN} has less than {min(late):.1f} %")
