# SPDX-License-Identifier: MIT
"""Proof 1: Crowe's deadlock, where all tasks poll on each tick of the clock, by the clock and by other ticks."""

import shutil

import charts
import estimates
import lib
from runs import BRIEF, Boot, Section, deviation, deviations, sized

TAKERS = [f"TAKER{n}" for n in range(8)]
SECONDS = sized(20, 5)
BOCHS = ("--emulator", "bochs", "--door", "rom")
IDLE, BUSY = 1.0, 75.0   # percent: what the clock may see at most, and what there is at least
POINTS = 1.5             # a fixed tick may be off by so much beside chance

WAYS = {  # label: name of the boot, boot
    "clock": Boot(f"tasks=deadlock tick=clock seconds={SECONDS} seed=1"),
    "pit random": Boot(f"tasks=deadlock tick=pit interval=random rate=1000 seconds={SECONDS} seed=1"),
    "pit stratified": Boot(f"tasks=deadlock tick=pit interval=stratified rate=1000 seconds={SECONDS} seed=1"),
    "slu-timeout": Boot(f"tasks=deadlock tick=slu-timeout slu=com2,38400 seconds={SECONDS} seed=1"),
}
SLU = Boot("tasks=deadlock tick=slu slu=com2,9600 seconds=3 seed=1", options=BOCHS)


def ways():
    """With Bochs, whose seconds take some thirty times as long: not in brief."""
    return {**WAYS, "slu (Bochs)": SLU} if shutil.which("bochs") and not BRIEF else WAYS


def boots():
    return {f"deadlock-{label.split(' (')[0].replace(' ', '-')}": boot for label, boot in ways().items()}


def report(dumps, folder):
    section = Section("1. The deadlock that looks idle", folder)
    section.text(
        'Crowe ("Tick generator") tells of a probe on the system clock that '
        "called a system almost idle while it was almost saturated: its processes were deadlocked, and checked at "
        "each clock tick whether the resource that they waited for was free. Here eight tasks do this, "
        "for a tenth of a clock tick each, in kernel mode.")
    section.commands(*ways().values())
    rows, seen, there = [], [], []
    for label, (name, boot) in zip(ways(), boots().items()):
        table = lib.stat(dumps[name])
        cells = [lib.row(table, t)["total"] for t in TAKERS]
        charged = sum(c["percent"] for c in cells)
        exact = sum(c["exact"] for c in cells)
        rows.append((f"`{label}`", table["samples"], f"{charged:.2f}", f"{exact:.2f}", f"{charged - exact:+.2f}"))
        seen.append(together(cells, table["samples"]) if cells[0]["low"] is not None else charged)
        there.append(exact)
        judge(section, label, charged, exact, table["samples"])
    verdicts, section.lines = section.lines[-len(rows):], section.lines[:-len(rows)]
    section.table(("tick", "samples", "busy, sampled %", "busy, exact %", "error, points"), rows)
    charts.bars(section.picture("deadlock", "Percent busy, sampled and exact, by tick"),
                "A deadlock that polls at each clock tick", "tasks' share of the CPU, %", list(ways()),
                {"sampled": seen, "exact": there}, marked={"clock": "sees nothing"},
                note="ticks of a fixed period have none, and exact shares need none")
    section.lines += verdicts
    section.text(*([] if shutil.which("bochs") else ["Bochs is not here: the row `slu`, the paper's own tick, "
                                                     "is left out."]),
                 "What differs: the paper gives no figure for it. The serial line (`slu`) needs a paced transmitter, "
                 "which Bochs has and QEMU does not have; in QEMU the UART's character time-out is used instead.")
    return section


def together(cells, samples):
    """The sampled share of them all, as of independent samples: what finds one of them finds no other."""
    return estimates.percent(sum(c["hits"] for c in cells), samples)


def judge(section, label, charged, exact, taken):
    if label == "clock":
        section.verdict(charged <= IDLE and exact >= BUSY,
                        f"`clock` calls {100 - charged:.1f} % idle where {exact:.1f} % are busy")
        return
    allowed = (0 if label.startswith("pit") else POINTS) + deviations(4) * deviation(exact, taken)
    section.verdict(abs(charged - exact) <= allowed, f"`{label}` is off by {charged - exact:+.2f} points, at most "
                    f"{allowed:.2f}")
