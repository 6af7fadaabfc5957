#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""monitor=callers: time in the kernel by the instruction that called, three ways against the account's truth."""

import math

import events
import lib

WORDS = "monitor=system,callers seconds=8 rate=500 seed=1"
APART = 0.001  # of a task's kernel time: calls that are under way when the window ends, 8 s of calls of 40 us
HEAVY, LIGHT = 40, 5  # units of work of the two calls (kernel/tasks/profiled.c)
OTHER = 0.4    # of a light call of 1000 instructions: the way in and out, and the monitor's own step
OUTSIDE = 0.05 # of kernel samples, by NMI: tasks that are switched in the middle of their own code
EXCESS = 1.15  # the least that a storm adds to the time difference: half of what its 41 % duty in half of the run can


def sites(table, task):
    """The rows of a task's system calls, the most time first."""
    rows = [r for r in table["callers"]["rows"] if r["name"] == task and r["mode"] == "kernel"]
    return sorted(rows, key=lambda r: -r["kernel_s"])


def check_truth(checks, name, table, tasks):
    """The calls of a task have the kernel time with interrupts on that the exact table has."""
    seconds = table["tau"] / table["clock_hz"]
    for task in tasks:
        exact = lib.row(table, task)["kernel"]["exact"] / 100 * seconds
        calls = sum(r["unmasked_s"] for r in sites(table, task))
        checks.check(abs(calls - exact) <= APART * exact,
                     f"{name}: {task}'s calls have {calls:.6f} s, exact {exact:.6f} s")


def check_samples(checks, name, table, tasks):
    """Each site's samples are those of its time with interrupts on; the tick difference sees no more than these."""
    seconds = table["tau"] / table["clock_hz"]
    for r in (r for task in tasks for r in sites(table, task)):
        p, n = r["unmasked_s"] / seconds, table["samples"]
        most = lib.DEVIATIONS * math.sqrt(n * p * (1 - p)) + 1
        checks.check(abs(r["samples"] - n * p) <= most,
                     f"{name}: {r['name']} {r['pcs']}: {r['samples']} samples for {n * p:.1f}")
        checks.check(r["ticks"] <= r["samples"], f"{name}: {r['ticks']} by the tick difference")


def check_storm(checks, alone, stormed):
    """The time difference takes the handlers that interrupt a call for the call."""
    for name, table, low, high in (("alone", alone, 0.9, 1.01), ("storm", stormed, EXCESS, 2.0)):
        heavy, light = sites(table, "WORKER")
        ratio = heavy["time_s"] / heavy["kernel_s"]
        checks.check(low <= ratio <= high, f"{name}: the time difference is {ratio:.3f} times the truth")
        truth = light["kernel_s"] / heavy["kernel_s"]
        checks.check(LIGHT / HEAVY <= truth <= (1 + OTHER) * LIGHT / HEAVY,
                     f"{name}: light() has {truth:.4f} of heavy()'s")


def check_nested(checks):
    """A service that makes a system call: both addresses; tasks in and out of calls as often as they can; NMI too."""
    for delivery in ("irq", "nmi"):
        words = f"tasks=calls monitor=system,callers seconds=2 rate=2000 seed=1 delivery={delivery}"
        table = lib.boot_table(checks, f"calls-{delivery}", words, shift=3)
        found = table["callers"]
        depths = {len(r["pcs"]) for r in found["rows"] if r["mode"] == "kernel"}
        checks.check(depths == {1, 2} and found["lost"] == 0, f"calls-{delivery}: stacks of {depths} addresses")
        hits = sum(lib.row(table, t)["kernel"]["hits"] for t in ("CALLER", "DOZER", "DOZER2"))
        taken = found["outside"] + sum(r["samples"] for r in found["rows"] if r["mode"] == "kernel")
        # the task that an NMI's stack is of may not be the running one
        most = 0 if delivery == "irq" else OUTSIDE * hits
        checks.check(abs(taken - hits) <= most,
                     f"calls-{delivery}: all of {hits} kernel samples are charged, {found['outside']} to no call")
        checks.check(found["outside"] <= OUTSIDE * hits,
                     f"calls-{delivery}: {found['outside']} samples outside of calls")
        if delivery == "irq":
            check_truth(checks, "calls", table, ("CALLER", "DOZER", "DOZER2"))


def check_events(checks):
    """The truth of the calls is also what the events tell: from each entry to each exit, without handlers."""
    words = "tasks=callsites monitor=system,callers,events events=all buffer=stop seconds=4 rate=500 seed=1"
    table = lib.boot_table(checks, "events", words, shift=7)
    facts, _, cells = events.sums(lib.folder() / "events.dump", table["window"]["end"])
    told = cells[lib.row(table, "WORKER")["id"], 4] / table["clock_hz"]  # kernel mode, interrupts on
    calls = sum(r["unmasked_s"] for r in sites(table, "WORKER"))
    checks.check(facts["lost"] == 0 and told > 0 and abs(calls - told) <= APART * told,
                 f"events: WORKER's calls have {calls:.6f} s, by {facts['events']} events {told:.6f} s")


def main():
    checks = lib.Checks()
    runs = {name: lib.boot_table(checks, name, f"tasks={name} {WORDS}", shift=7)
            for name in ("callsites", "callstorm")}
    for name, table in runs.items():
        check_truth(checks, name, table, ("WORKER",))
        check_samples(checks, name, table, ("WORKER",))
    check_storm(checks, *runs.values())
    check_nested(checks)
    check_events(checks)
    text, status = lib.host("histogram", "--callers", "--task", "WORKER", lib.folder() / "callsites.dump")
    checks.check(status == 0 and "heavy+0x" in text and "light+0x" in text,
                 f"histogram --callers names the calls ({status})")
    run = lib.boot("text", "tasks=callsites monitor=callers seconds=1 rate=500 seed=1", shift=6)
    checks.check("caller   WORKER 0x" in run.dump.read_text(errors="replace"), "as text below the table")
    run = lib.boot("off", "tasks=callsites monitor=callers account=off seconds=1 seed=1", shift=6)
    checks.check(run.status == lib.FAILURE and "callers" in run.said,
                 f"account=off is refused: {run.said.strip()[-60:]}")
    checks.finish()


if __name__ == "__main__":
    main()
