#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""monitor=profil: profiles in the tasks' own memory against the table and the work; traps; wild buffers;
gprof reads them."""

import math
import subprocess

import lib

UNITS = {"alpha": 30, "beta": 20, "delta": 5}  # of work at ring 3 (kernel/tasks/profiled.c)
CALLS = {"heavy": 40, "light": 5}
OUTSIDE = 0.05  # of the time in the kernel at most: on the way into a call and out, and switches
WAY = 0.03        # of the whole: the instructions around the work, at most 50 of each 2000
WILD = ("NOWHER", "KERNEL", "CODE", "EDGE", "ODD")
DELIVERIES = ("irq", "nmi")
# A call's ticks are counted at its end, in memory perhaps behind the end of the window.  The longest call takes less
# than the 1 ms of a stratum, each of which has one tick, so it meets two at most.
IN_A_CALL = 2


def gprof(checks, name, *arguments):
    """Seconds by function, as gprof prints them of an exported profile."""
    out = lib.folder() / f"{name}.gmon"
    _, status = lib.host("export", "--format", "gmon", "-o", out, *arguments)
    done = subprocess.run(["gprof", "-b", "-p", lib.ROOT / "build/tasks/profiled.elf", out], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    lines = [line.split() for line in done.stdout.splitlines()]
    rows = {line[-1]: float(line[2]) for line in lines if line and line[-1] in UNITS | CALLS}
    checks.check(status == 0 and done.returncode == 0 and set(UNITS) <= set(rows), f"{name}: gprof reads it: {rows}")
    return rows


def check_shares(checks, name, rows, units, hz):
    """Of the time in these functions each has its part of the work."""
    whole, work, ticks = sum(rows[f] for f in units), sum(units.values()), hz * sum(rows[f] for f in units)
    for function, n in units.items():
        p = n / work
        room = lib.DEVIATIONS * math.sqrt(p * (1 - p) / ticks) + WAY
        checks.check(abs(rows[function] / whole - p) <= room,
                     f"{name}: {function} has {rows[function] / whole:.3f} of the time, of {p:.3f} of the work")


def check_task(checks, name, table, task, kept):
    """Every tick that found the task at ring 3 or in a call is counted, by the tick or by a trap."""
    row = lib.row(table, task)
    user = kept["direct"] + kept["trapped"] + kept["outside"] + kept["lost"]
    checks.check(0 <= row["user"]["hits"] - user <= 1,
                 f"{name}: {task}: {user} ticks of {row['user']['hits']} at ring 3")
    hits = row["kernel"]["hits"]
    room = OUTSIDE * hits + lib.DEVIATIONS * math.sqrt(OUTSIDE * (1 - OUTSIDE) * hits)
    checks.check(0 <= hits - kept["calls"] <= room + 1,
                 f"{name}: {task}: {kept['calls']} ticks of {hits} in the kernel are charged to calls")
    told = kept["direct"] + kept["trapped"] + kept["calls"]
    checks.check(0 <= kept["counted"] - told <= IN_A_CALL and not kept["missing"],
                 f"{name}: {task}: its memory has {kept['counted']} of {told} counted ticks")


def check_ways(checks, name, table, kept):
    for task in kept:
        check_task(checks, name, table, task, kept[task])
    direct, touch, traps = kept["DIRECT"], kept["TOUCH"], kept["TRAPS"]
    checks.check(direct["trapped"] == direct["touched"] == 0, f"{name}: where its pages are mapped no tick traps")
    checks.check(0 < touch["trapped"] == touch["touched"] <= 8,
                 f"{name}: {touch['trapped']} traps for {touch['touched']} pages first touched")
    checks.check(traps["direct"] == 0 and traps["trapped"] > 100,
                 f"{name}: the old way takes {traps['trapped']} traps")


def check_wild(checks, delivery):
    table = lib.boot_table(checks, f"wild-{delivery}", "tasks=profilwild monitor=system,profil seconds=2 "
                           f"rate=1000 seed=1 delivery={delivery}", shift=6)
    kept = {p["name"]: p for p in table["profil"]}
    stopped = [t for t in kept if kept[t]["stopped"]]
    checks.check(sorted(stopped) == sorted(WILD), f"wild-{delivery}: {stopped} have lost their profiles")
    checks.check(not table["faults"] and all(lib.row(table, t)["total"]["percent"] > 10 for t in kept),
                 f"wild-{delivery}: and nothing else: all tasks go on")
    check_task(checks, f"wild-{delivery}", table, "DIRECT", kept["DIRECT"])


def main():
    checks = lib.Checks()
    for delivery in DELIVERIES:
        table = lib.boot_table(checks, delivery, "tasks=profil monitor=system,samples,profil seconds=4 rate=1000 "
                               f"seed=1 thin=auto delivery={delivery}", shift=6)
        check_ways(checks, delivery, table, {p["name"]: p for p in table["profil"]})
        check_wild(checks, delivery)
    for task in ("DIRECT", "TOUCH", "TRAPS"):
        rows = gprof(checks, task, "--task", task, lib.folder() / "irq.dump")
        check_shares(checks, task, rows, UNITS, 1000)
        checks.check(rows["heavy"] > rows["alpha"] and 0 < rows["light"] < rows["beta"],
                     f"{task}: calls are beside their callers")
    rows = gprof(checks, "samples", "--samples", "--task", "DIRECT", lib.folder() / "irq.dump")
    check_shares(checks, "samples", rows, UNITS, 1000)
    run = lib.boot("text", "tasks=profilwild monitor=profil seconds=1 rate=500 seed=1", shift=6)
    said = run.dump.read_text(errors="replace")
    checks.check("profil   DIRECT: " in said and "stopped: its buffer" in said, "as text below the table")
    run = lib.boot("none", "tasks=profil monitor=profil tick=none seconds=1 seed=1", shift=6)
    checks.check(run.status == lib.FAILURE and "profil" in run.said,
                 f"tick=none is refused: {run.said.strip()[-60:]}")
    checks.finish()


if __name__ == "__main__":
    main()
