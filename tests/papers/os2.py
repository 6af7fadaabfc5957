# SPDX-License-Identifier: MIT
"""Proof 11: the three load meters of OS/2 beside the truth of the same run."""

import json

import lib
from runs import Boot, Section, sized

# seconds; the tasks of turnover live for so long
LOADS = sized({"figure3": 10, "sleepers": 10, "hog1": 10, "turnover": 3}, {"figure3": 3, "turnover": 3})
OF_KERNEL = "monitor=system,perfcall,proctable,idle"
OF_TASK = "monitor=system,idletask,idle"
ALL = "background"  # figure3, and another task at idle priority
SHIFT = 3
PERF_POINTS = 0.05  # the bound that the performance call was given
COUNTED = 0.1       # points: a tick of the clock more or less in the calibration, a thousandth of what is counted
SHOWN = 6           # tasks of figure3


def boot(load, monitors, seconds):
    return Boot(f"tasks={load} {monitors} seconds={seconds} seed=1", shift=SHIFT)


def boots():
    kernel = {f"os2-{load}": boot(load, OF_KERNEL, seconds) for load, seconds in LOADS.items()}
    task = {f"os2-{load}-idler": boot(load, OF_TASK, seconds)
            for load, seconds in {**LOADS, ALL: LOADS["figure3"]}.items()}
    return {**kernel, **task}


def exact(table, name, mode="total"):
    row = lib.row(table, name)
    return row[mode]["exact"] if row else 0.0


def of_window(table, share):
    """A share of the account's time as one of the window's, which has the ticks too."""
    return share * table["tau"] / (table["window"]["end"] - table["window"]["begin"])


def truly_busy(table):
    return 100 - of_window(table, exact(table, "IDLE", "kernel"))


def counted(dump, table):
    """Busy by the idle task from its first reading to its last, and by the exact time of the same row meanwhile."""
    rows = [(head["serial"], row) for head, found in lib.records(dump, "IDLETASK") for row in found]
    (first, a), (last, b) = rows[0], rows[-1]
    id_ = lib.row(table, "IDLER")["id"]
    user = {head["serial"]: r["user"] + r["masked_user"] for head, found in lib.records(dump, "EXACT") for r in found
            if r["id"] == id_}
    window = b["end"] - a["end"]
    alone = (b["count"] - a["count"]) * b["took"] / b["calibrated"]
    return 100 - 100 * alone / window, 100 - 100 * (user[last] - user[first]) / window


def report(dumps, folder):
    section = Section("11. The load by OS/2's three methods", folder)
    section.text(
        'Yevtushenko ("Measuring CPU Usage", '
        'EDM/2) describes how programs for OS/2 measure the load: by a thread at idle '
        "priority that counts, by the system's performance counters (DosPerfSysCall), and by the table of processes "
        "(DosQProcStat), whose times are whole passes through the scheduler. "
        "The article has no figures. Here each is built as "
        "it tells it ([WORDS](WORDS.md#software-monitors)), and held against the exact table of the same run.")
    section.commands(*boots().values())
    tables = {name: lib.stat(dumps[name]) for name in boots()}
    tell_loads(section, dumps, tables)
    tell_weaknesses(section, dumps, tables)
    tell_processes(section, tables["os2-figure3"])
    tell_vanished(section, dumps["os2-turnover"], tables["os2-turnover"])
    return section


def tell_loads(section, dumps, tables):
    rows, worst, apart = [], 0.0, 0.0
    for load in LOADS:
        table, beside = tables[f"os2-{load}"], tables[f"os2-{load}-idler"]
        truth, call = truly_busy(table), 100 - table["perfcall"]["idle"]
        count, of_row = counted(dumps[f"os2-{load}-idler"], beside)
        rows.append((f"`{load}`", f"{truth:.3f}", f"{call:.3f}", f"{table['proctable']['busy']:.3f}", f"{of_row:.3f}",
                     f"{count:.3f}"))
        worst, apart = max(worst, abs(call - truth)), max(apart, abs(count - of_row))
    section.text("Percent of the time that the processor is not idle. The idle task has a run of its own, from "
                 "its second reading on, and its truth is the exact user time of its own row: it is no part of what "
                 "it measures, but the switches to it are. The performance counters are sums of the exact account, "
                 "which is what such a system has to keep for them, so that they agree with it to the clock unit.")
    section.table(("workload", "exact", "performance call", "process table", "exact, beside the idle task",
                   "idle task"), rows)
    section.verdict(worst <= PERF_POINTS,
                    f"the performance call is off by at most {worst:.5f} points, of {PERF_POINTS} allowed")
    section.verdict(apart <= COUNTED,
                    f"the idle task counts its own time: off by at most {apart:.3f} points, of {COUNTED} allowed")


def tell_weaknesses(section, dumps, tables):
    without, alone, beside = (tables[n] for n in ("os2-figure3", "os2-figure3-idler", f"os2-{ALL}-idler"))
    idle = 100 - counted(dumps["os2-figure3-idler"], alone)[0]
    left = 100 - counted(dumps[f"os2-{ALL}-idler"], beside)[0]
    halted = [of_window(t, exact(t, "IDLE", "kernel")) for t in (without, alone)]
    section.text("", "The two weaknesses that the article names. Another program that counts on idle priority "
                 "gets its turns, and what it gets looks like load. And the processor, which halts where nothing is "
                 "ready, does not any more.")
    section.table(("`figure3`", "idle by the idle task, %", "halted, %"),
                  [("without it", "", f"{halted[0]:.3f}"), ("with it", f"{idle:.3f}", f"{halted[1]:.3f}"),
                   ("and another task at idle priority", f"{left:.3f}",
                    f"{of_window(beside, exact(beside, 'IDLE', 'kernel')):.3f}")])
    section.verdict(left < 0.75 * idle,
                    f"beside another task at idle priority {idle:.2f} % idle look like {left:.2f} %")
    section.verdict(halted[1] <= alone["resolution"] < halted[0], f"the processor is halted {halted[0]:.2f} "
                    f"% of the time, and never with the idle task: {halted[1]:.6f} %, what the window begins with, "
                    f"of {alone['resolution']:.3f} that the table resolves")


def tell_processes(section, table):
    found = {p["name"]: p for p in table["proctable"]["processes"]}
    first = sorted((r for r in table["tasks"] if r["task"]), key=lambda r: -r["total"]["exact"])[:SHOWN]
    rows, errors = [], []
    for r in first:
        p = found[r["name"]]
        passes = 100 * (p["user"] + p["system"]) / table["proctable"]["total"]
        errors.append(passes - r["total"]["exact"])
        rows.append((r["name"], f"{r['user']['exact']:.2f}", f"{p['usage']:.2f}", f"{r['total']['exact']:.2f}",
                     f"{passes:.2f}"))
    section.text("", f"The {SHOWN} tasks of `figure3` that use most. A pass is counted whole, however long the task "
                 "ran before it: one that runs for a millisecond and sleeps counts as much as one that has its turn "
                 "taken. So the table counts how often a task passes, and not how long it runs.")
    section.table(("task", "user, exact %", "usage: user passes, %", "all, exact %", "all passes, %"), rows)
    section.verdict(max(map(abs, errors)) > 5, f"a task's share of all passes is up to {max(errors, key=abs):+.1f} "
                                               "points off its share of the time")


def tell_vanished(section, dump, table):
    text, _ = lib.host("ps", "--json", dump)
    rows, before = [], 0
    for t in json.loads(text)["tables"]:
        passes, before = t["passes"] - before, t["passes"]
        stays = next(p for p in t["processes"] if p["name"] == "STAYS1")
        usage, of_all = stays["usage"], 100 * stays["user"] / passes
        rows.append((t["serial"], sum(p["new"] for p in t["processes"]), sum(p["ended"] for p in t["processes"]),
                     passes, t["total"], f"{usage:.2f}", f"{of_all:.2f}", usage / of_all if of_all else 0))
    section.text("", "`turnover` has a thousand tasks that live for a few milliseconds. Those that ended between "
                 "two readings are in neither, and what they used leaves the denominator: all others look busier "
                 f"than they are. STAYS1 works {exact(table, 'STAYS1', 'user'):.2f} % of the time in user mode.")
    section.table(("reading", "new", "ended", "passes of all tasks", "passes in the table", "STAYS1, usage %",
                   "of all passes, %", "too high by"),
                  [(*r[:-1], f"{r[-1]:.2f} times") for r in rows])
    section.verdict(all(r[-1] > 1.25 for r in rows),
                    "tasks that vanish make each other one look busier by a quarter and more")
