# SPDX-License-Identifier: MIT
"""Load averages of proof 10: what a kernel says that looks at its run queue each 5 s and a tick,
against the exact queue."""

import json

import lib
from runs import Boot, deviations, sized

MINUTES = (1, 5, 15)
DEVIATIONS = 3
WORDS = (f"rate=100 seconds={sized(62, 32)} seed=1 health=off monitor=system,procstat,events "
         "events=switch,sleep,wake,start,end,io")
RUNS = {  # of a load that is in no step with the clock, of one in step, and of one that waits for a disk
    "figure3": Boot(f"tasks=figure3 clock=100 {WORDS}"),
    "priorities": Boot(f"tasks=priorities clock=100 {WORDS}", shift=7),
    "disk": Boot(f"tasks=disk clock=100 {WORDS}", shift=7), "sleepers": Boot(f"tasks=sleepers clock=1000 {WORDS}"),
}
FREE = ("figure3", "priorities", "disk")


def boots():
    return {f"load-{name}": boot for name, boot in RUNS.items()}


def report(section, dumps):
    section.text(
        "### Load averages",
        "That kernel looks at the run queue each 5 s and a tick, and damps what it finds over 1, 5 and 15 minutes. "
        "From events the queue is known at each moment, and damped the same way without a break. `chance` is three "
        "deviations of as many looks at random moments.")
    section.commands(*RUNS.values())
    found = {name: json.loads(lib.host("procstat", "--json", dumps[f"load-{name}"])[0]) for name in RUNS}
    rows = []
    for name, f in found.items():
        for i, minutes in enumerate(MINUTES):
            queue = f["queue"]
            off = f["load"][i] - queue["exact"][i]
            rows.append((name, minutes, f"{f['load'][i]:.3f}",
                         f"{queue['exact'][i]:.3f}", f"{off:+.3f}", f"{DEVIATIONS * queue['noise'][i]:.3f}",
                         f"{queue['looked_least'][i]:.3f} to {queue['looked_most'][i]:.3f}"))
    section.table(("load", "minutes", "the kernel's", "exact", "off", "chance", "computed of what the looks found"),
                  rows)
    judged = [all(low <= load <= high for low, load, high in zip(f["queue"]["looked_least"], f["load"],
                                                                 f["queue"]["looked_most"])) for f in found.values()]
    section.verdict(all(judged),
                    "each average is what the kernel's arithmetic makes of the queue within the tick of each look")
    within = [name for name in FREE
              if abs(found[name]["load"][0] - found[name]["queue"]["exact"][0]) <=
              deviations(DEVIATIONS) * found[name]["queue"]["noise"][0] + 0.01]
    section.verdict(len(within) == len(FREE), f"the average of a minute is within chance for {', '.join(within)}")
    asleep = found["sleepers"]
    section.verdict(asleep["load"][0] - asleep["queue"]["exact"][0] > DEVIATIONS * asleep["queue"]["noise"][0],
                    f"tasks that wake at a tick are met by each look: sleepers read {asleep['load'][0]:.2f}, "
                    f"{asleep['queue']['exact'][0]:.2f} is real")
