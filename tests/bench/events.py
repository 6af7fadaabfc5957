# SPDX-License-Identifier: MIT
"""What an event costs: instructions of the interrupt of the clock, which is two events or three,
by what is done with them.

The interrupt is the same in each run; without events in it (class fault, of which there is none) it has the longer
way of the account already, whose difference to account=on is told beside.
"""

import re
import subprocess

import image
import lib
from result import Result, Table
from runs import SHIFT, Spin, code, run_all

LIMITS = {"recorded": 25, "recorded, of one task": 40, "recorded, by address": 40, "counted": 8}
OFF = 3       # instructions of an event that is off
FIGURE3 = 1.0  # percent of the machine's instructions that recording all of figure3's events takes at most
WORDS = {
    "recorded": "buffer=overwrite events=irq", "recorded, of one task": "buffer=overwrite events=irq:SPIN",
    "recorded, by address": "buffer=overwrite events=irq-enter:*:0x0-0x7fffffffffff",
    "counted": "buffer=count events=irq", "that a rule counts": "buffer=count events=irq when=irq/add:0",
    "none in it": "buffer=count events=fault",
}
# in an interrupt: enter, exit, resume
EVENTS = {"recorded": 3, "recorded, of one task": 3, "recorded, by address": 2, "counted": 2}
CLOCK = "tick=none clock=1000 account=on"


def spins():
    timer = code().stub(image.constants()["LAPIC_TIMER_VECTOR"])
    found = {("events", name): Spin(f"{CLOCK} monitor=events {words}", entry=timer) for name, words in WORDS.items()}
    return found | {("events", "off"): Spin(f"{CLOCK} monitor=none", entry=timer)}


def hooks():
    """Instructions of each hook that is off: from the reading of trace_ring.mask or .open to the branch that skips
    the rest."""
    text = subprocess.run(["objdump", "-d", "-Mintel", "--no-show-raw-insn", lib.ROOT / "build/cpuprobe.elf"],
                          stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    lines, function = [], ""
    for line in text:
        function = (re.match(r"\w+ <(.*)>:", line) or [line, function])[1]
        if "\t" in line:
            lines.append((function, line))
    for n, (function, line) in enumerate(lines):
        if not function.startswith("trace_") and re.search(r"\t(test|mov +\w+,).*<trace_ring(\+0x4)?>", line):
            yield next((i for i in range(2, 9) if re.search(r"\tj\w+ ", lines[n + i - 1][1])), 9)


def figure3():
    """Events a second of the paper's system when the line has no part in it,
    and PROBE's share with and without coding them."""
    table = {}
    for name, words in (("off", "monitor=system"), ("recorded", "monitor=system,events buffer=count"),
                        ("streamed", "monitor=system,events thin=auto")):
        run = lib.boot(f"events-figure3-{name}", f"output=frames seed=1 seconds=4 {words}", shift=SHIFT)
        if run.status != lib.COMPLETE:
            raise SystemExit(f"{words}: status {run.status}: {run.said.strip()}")
        cell = lib.row(lib.stat(run.dump), "PROBE")
        table[name] = cell["total"]["exact"]
        if name == "recorded":
            head, rows = list(lib.records(run.dump, "EVENT_COUNTS"))[-1]
            rate = sum(row["count"] for row in rows) / 4
    return rate, table


def results(limits_only):
    ran = run_all(spins())
    none = ran["events", "none in it"].visits.instructions
    rows, costs = [], {}
    for (_, name), done in ran.items():
        if name in ("none in it", "off"):
            continue
        costs[name] = (done.visits.instructions - none) / EVENTS.get(name, 2)
        yield Result(f"an event {name}", costs[name], "instructions", LIMITS.get(name))
        rows.append((name, f"{costs[name]:.1f}", f"{LIMITS.get(name, '')}"))
    off = list(hooks())
    yield Result(f"an event that is off, the longest of {len(off)} hooks", max(off, default=OFF + 1), "instructions",
                 OFF)
    yield Result("an interrupt's longer way with events on", none - ran["events", "off"].visits.instructions,
                 "instructions")
    rate, probe = figure3()
    share = 100 * rate * costs["recorded"] / (1e9 / 2 ** SHIFT)
    yield Result(f"recording figure3's {rate:.0f} events a second, shift {SHIFT}", share, "%", FIGURE3)
    yield Result("PROBE's coding and sending of them", probe["streamed"] - probe["off"], "% of the CPU")
    yield Table(("an event", "instructions", "at most"), rows)
