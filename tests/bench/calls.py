# SPDX-License-Identifier: MIT
"""What the monitors of calls and profiles cost a tick and a system call, and what the calls that read counters take.

The median of all visits, from the first instruction to IRET: another interrupt may come into one.
"""

from result import Result, Table
from runs import Spin, code, run_all

SHIFT, SECONDS = 5, 6
# name: workload, the monitor that is added
MONITORS = {"callers": ("callsites", "callers"), "profil": ("profil", "profil")}
READS = {"SYS_PERF": ("perfcall", "sys_perf"), "SYS_PS": ("proctable", "sys_ps")}
FEW = "tick=pit rate=100 clock=10"  # so that few calls are interrupted


def spins():
    found, how = {}, {"shift": SHIFT, "seconds": SECONDS, "output": "frames"}
    for name, (load, monitor) in MONITORS.items():
        for on in (False, True):
            words = f"tasks={load} {FEW} monitor=system{',' + monitor if on else ''}"
            for what, entry in (("tick", "tick_entry"), ("call", "syscall_entry")):
                found["calls", name, what, on] = Spin(words, entry=code().address[entry], program="profiled", **how)
    for name, (load, entry) in READS.items():
        found["calls", name] = Spin(f"tasks={load} {FEW}", entry=code().address[entry], program="meter", **how)
    return found


def results(_):
    ran = {key[1:]: done.visits for key, done in run_all(spins()).items()}
    rows = []
    for name, (load, _) in MONITORS.items():
        for what in ("tick", "call"):
            off, on = (ran[name, what, on].median for on in (False, True))
            yield Result(f"a {what} of {load}, monitor={name}, over system", on - off, "instructions", shown=False)
            rows.append((f"`{name}`", {"tick": "a tick", "call": "a system call"}[what], f"`{load}`", f"{off}",
                         f"{on}", f"{on - off:+d}"))
    yield Table(("monitor", "what", "tasks", "with `monitor=system`, instructions", "and this one", "more"), rows)
    for name in READS:
        yield Result(f"{name}, from the dispatch to IRET", ran[name,].median, "instructions", shown=False)
    yield Table(("a call that reads counters", "tasks", "instructions"),
                [(f"`{name}`", f"`{load}`", f"{ran[name,].median}") for name, (load, _) in READS.items()])
