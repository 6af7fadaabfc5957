#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""monitor=procstat: the texts that tasks read, field by field (proc(5)), what a reading costs,
and the load averages."""

import json
import math

import lib

# /proc/PID/stat of Linux 2.6.24 to 3.4, fields 1 to 44; values that are always the same here.
FIELDS = ("pid comm state ppid pgrp session tty_nr tpgid flags minflt cminflt majflt cmajflt utime stime cutime "
          "cstime priority nice num_threads itrealvalue starttime vsize rss rsslim startcode endcode startstack "
          "kstkesp kstkeip signal blocked sigignore sigcatch wchan nswap cnswap exit_signal processor rt_priority "
          "policy delayacct_blkio_ticks guest_time cguest_time").split()
NAMED = {"pid", "comm", "state", "utime", "stime", "priority", "nice", "num_threads"}
CPU = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal", "guest", "guest_nice")
LINES = ("cpu", "cpu0", "intr", "ctxt", "btime", "processes", "procs_running", "procs_blocked")
TASKS = {0: ("IDLE", 0, "R"), 1: ("LOOPER", 0, "RS"), 2: ("CALLER", 5, "RS"), 3: ("READER", 0, "RSD"),
         4: ("TELLER", 0, "R"), 5: ("PROBE", 0, "RS")}
STAT, LOADAVG, PID = 0, 1, 256  # kernel/abi/syscall_numbers.h
HZ = 1000
ONE, LOOK_S, MINUTES = 2048, 5, (1, 5, 15)
WEIGHTS = (1884, 2014, 2037)


# ---- texts ----

def texts(values):
    """[(file, text)] of what TELLER reported: the file, the length, and eight bytes in each number;
    the last one may be cut."""
    found = []
    while len(values) >= 2 and len(values) >= 2 + -(-values[1] // 8):
        (file, length), end = values[:2], 2 + -(-values[1] // 8)
        found.append((file, b"".join(v.to_bytes(8, "little") for v in values[2:end])[:length].decode()))
        values = values[end:]
    return found


def check_stat(checks, text):
    """The lines in their order; cpu and cpu0 are the same, their sum in /proc/stat; returns {mode: 1/100 s}."""
    lines = [line.split() for line in text.splitlines()]
    checks.check(text.startswith("cpu  ") and text.endswith("\n") and [l[0] for l in lines] == list(LINES),
                 f"/proc/stat: lines {[l[0] for l in lines]}")
    cpu = dict(zip(CPU, map(int, lines[0][1:])))
    checks.check(lines[0][1:] == lines[1][1:] and len(cpu) == len(lines[0]) - 1 == len(CPU),
                 f"/proc/stat: {lines[0]}")
    checks.check(all(cpu[name] == 0 for name in CPU[6:]), "/proc/stat: softirq, steal, guest and guest_nice are 0")
    told = {l[0]: int(l[1]) for l in lines[2:]}
    checks.check(told["processes"] == len(TASKS) and told["procs_running"] >= 1 and told["procs_blocked"] <= 1 and
                 told["intr"] == told["ctxt"] == told["btime"] == 0, f"/proc/stat: {told}")
    return cpu


def check_loadavg(checks, text):
    *averages, tasks, last = text.split()
    running, live = map(int, tasks.split("/"))
    checks.check(len(averages) == 3 and all(len(a.split(".")[1]) == 2 for a in averages) and text.endswith("\n"),
                 f"/proc/loadavg: {text.strip()}")
    checks.check(1 <= running <= live == len(TASKS) - 1 and int(last) == len(TASKS),
                 f"/proc/loadavg: {tasks} tasks, {last}")


def check_pid(checks, number, text):
    """Each of the 44 fields; returns (utime, stime)."""
    name, nice, states = TASKS[number]
    fields = dict(zip(FIELDS, text.split()))
    checks.check(text.endswith("\n") and len(text.split()) == len(FIELDS) == 44,
                 f"/proc/{number}/stat: {len(text.split())} fields")
    want = {"pid": str(number), "comm": f"({name})", "priority": str(20 + nice), "nice": str(nice),
            "num_threads": "1"}
    checks.check(all(fields[f] == v for f, v in want.items()) and fields["state"] in states,
                 f"/proc/{number}/stat: {text[:40]}...")
    others = {f for f in FIELDS if f not in NAMED and fields[f] != "0"}
    checks.check(not others, f"/proc/{number}/stat: what there is not is 0 {others}")
    return int(fields["utime"]), int(fields["stime"])


def check_texts(checks):
    run = lib.boot("proctexts", f"tasks=proctexts clock={HZ} rate=100 seconds=3 seed=1 output=frames health=off "
                                "monitor=system,procstat", shift=5)
    table = lib.stat(run.dump)
    found = texts([r["value"] for r in table["reports"]])
    order = [STAT, LOADAVG, *(PID + n for n in TASKS)]
    checks.check(len(found) >= 2 * len(order) and [f for f, _ in found] == (order * len(found))[:len(found)],
                 f"{len(found)} texts in their order")
    cpu = [check_stat(checks, text) for file, text in found if file == STAT][-1]
    for file, text in found:
        if file == LOADAVG:
            check_loadavg(checks, text)
    last = {file - PID: check_pid(checks, file - PID, text) for file, text in found if file >= PID}
    check_against_record(checks, run.dump, cpu, last)


def check_against_record(checks, dump, cpu, tasks):
    """What a task read last is no more than the monitor's own last record, and at most a second behind it."""
    procstat = json.loads(lib.host("procstat", "--json", dump)[0])
    modes = procstat["modes"]
    behind = sum(modes[m]["told"] for m in modes) - sum(cpu[m] for m in modes)
    checks.check(all(cpu[m] <= modes[m]["told"] for m in modes) and 0 <= behind <= 210,
                 f"/proc/stat is {behind} of 1/100 s behind the record")
    for task in procstat["tasks"]:
        user, system = next(tasks[n] for n, (name, *_) in TASKS.items() if name == task["name"])
        off = task["told_user"] - user, task["told_system"] - system
        checks.check(all(0 <= o <= 210 for o in off),
                     f"/proc/PID/stat of {task['name']} is {off} of 1/100 s behind the record")
    check_costs(checks, procstat)


def check_costs(checks, procstat):
    """A reading lasts no longer than a turn of each task would make it, and no file is cheaper than its copying."""
    reads = {r["file"]: r for r in procstat["reads"]}
    checks.check(set(reads) == {"/proc/stat", "/proc/loadavg", "/proc/PID/stat"} and
                 reads["/proc/PID/stat"]["reads"] >= 2 * len(TASKS),
                 f"readings are counted by file: { {f: r['reads'] for f, r in reads.items()} }")
    checks.check(all(1e-6 < r["least"] <= r["mean"] < 1e-2 for r in reads.values()),
                 f"a reading takes { {f: r['mean'] for f, r in reads.items()} } s")


# ---- what tasks read, 6000 times a second and with hostile buffers ----

def check_reads(checks):
    """The first line adds up to the time; no wild buffer is written."""
    table = lib.boot_table(checks, "readers",
                           "tasks=readers clock=1000 rate=1000 monitor=system,procstat seconds=4 seed=1", shift=3)
    begin = lib.stat(lib.folder() / "readers.dump")["window"]["begin"]
    reads = {name: [r for r in table["reports"] if r["name"] == name] for name in ("SLOW", "FAST", "HOSTIL")}
    checks.check(reads["HOSTIL"][0]["value"] == 0,
                 f"HOSTIL: {reads['HOSTIL'][0]['value']} of its wild buffers, files and tasks were written")
    for name, found in reads.items():
        found = [r for r in found if r["time"] > begin][name == "HOSTIL":]
        off = [r["value"] - 100 * (r["time"] - begin) / table["clock_hz"] for r in found]
        checks.check(len(off) >= 3 and all(-7 <= o <= 1 for o in off),
                     f"{name}: sums of 1/100 s are off by {[round(o, 2) for o in off]}")


# ---- load averages against the exact run queue ----

def rounding(i, looks, mean, clock):
    """By how much fixed point may be off after so many looks: half a unit each, and weights in 1/2048."""
    weight, right = WEIGHTS[i] / ONE, math.exp(-(LOOK_S + 1 / clock) / (60 * MINUTES[i]))
    return 0.5 / ONE * (1 - weight ** looks) / (1 - weight) + mean * abs(weight ** looks - right ** looks)


def check_load(checks):
    """The kernel's averages are those of what its looks find, to the last bit; and of the exact queue,
    within chance."""
    for tasks, seconds, clock in (("priorities", 62, 100), ("disk", 31, 1000)):
        run = lib.boot(f"load-{tasks}",
                       f"tasks={tasks} clock={clock} rate=100 seconds={seconds} seed=1 output=frames health=off "
                       "monitor=system,procstat,events events=switch,sleep,wake,start,end,io", shift=7)
        found = json.loads(lib.host("procstat", "--json", run.dump)[0])
        queue = found["queue"]
        if not checks.check(run.status == lib.COMPLETE and queue,
                            f"load {tasks}: the run queue is known from events"):
            continue
        between = [low <= load <= high for low, load, high in zip(queue["looked_least"], found["load"],
                                                                  queue["looked_most"])]
        checks.check(all(between), f"load {tasks}: {found['load']} of looks that find {queue['looked_least']} to "
                                   f"{queue['looked_most']}")
        room = [lib.DEVIATIONS * noise + rounding(i, queue["looks"], queue["mean"], clock)
                for i, noise in enumerate(queue["noise"])]
        off = [load - exact for load, exact in zip(found["load"], queue["exact"])]
        checks.check(queue["looks"] == seconds // LOOK_S and all(abs(o) <= r for o, r in zip(off, room)),
                     f"load {tasks}: off by {[round(o, 3) for o in off]}, at most {[round(r, 3) for r in room]}")


def main():
    checks = lib.Checks()
    check_texts(checks)
    check_reads(checks)
    check_load(checks)
    checks.finish()


if __name__ == "__main__":
    main()
