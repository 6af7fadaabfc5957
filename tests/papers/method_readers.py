# SPDX-License-Identifier: MIT
"""How each method's answer is read from the stream of a run: who was busy, and how much the guilty one used."""

import json

import estimates
import lib
from method_loads import Reading, idle_of, of_guilty, table_of, whole

# Points: an interrupt that changes the task ends at the change here and at IRET there.  When IDLE goes on, its way
# back is IDLE's here and a handler's there: 100 times a second at most, and at least 128 instructions of 32 ns (in
# the brief form 112 000 in 5 s, 226 each).
BEHIND = 100 * 100 * 128 * 32e-9
PRINTED = 0.01  # points: rounding, and the length of an entry at the ends of the window


def told(command, dump, *arguments):
    """What a command prints as JSON: the last object."""
    text, status = lib.host(command, "--json", *arguments, dump)
    if status not in (0, 3):
        raise SystemExit(f"cpuprobe {command} {dump}: status {status}")
    return json.loads(text) if text.startswith("{\n") else json.loads(text.splitlines()[-1])


def exactly(busy, guilty, truth, points):
    """A reading that may be off by so much."""
    around = [None if v is None else (v - points, v + points) for v in (truth.busy, truth.guilty)]
    return Reading(busy, guilty, *around)


# ---- samples ----

def percent(cell):
    return cell["percent"] or 0


def limits(cell, more=0.0):
    """Its 99.9 % interval; `more`: what the sampler cannot see."""
    return (cell["low999"], cell["high999"] + more) if cell["low999"] is not None else None


def rows_of_guilty(load, table):
    """Rows and cells that show the guilty one: an ordinary tick finds a handler that keeps interrupts off in
    MASKED."""
    if load.rows:
        return [r["total"] for r in table["tasks"] if load.has(r["name"])]
    return [r["total"] for r in table["tasks"] if r["name"] == "MASKED"] + [table["modes"]["interrupt"]]


def of_all(cells, samples):
    """The 95 % interval of their sum: what finds one of them finds no other.
    Its design effect is that of the greatest."""
    return estimates.percent(sum(c["hits"] for c in cells), samples, max(cells, key=percent)["deff"])[1:]


def sampled(dump, load, truth, *, beside=False):
    """Samples; of the second source with `beside`."""
    table = lib.stat(dump)
    table = table["beside"] if beside else table
    idle = idle_of(table)
    within, shown = limits(idle), rows_of_guilty(load, table)
    guilty = max(shown, key=percent)
    return Reading(100 - percent(idle), sum(map(percent, shown)),
                   within and (100 - within[1] - truth.busy_masked, 100 - within[0]),
                   limits(guilty, truth.guilty_masked if load.rows else 0),
                   within and (100 - idle["high"], 100 - idle["low"]), within and of_all(shown, table["samples"]))


def clock_sampled(dump, load, truth):
    return sampled(dump, load, truth, beside=True)


# ---- p_k T_e ----

def split(dump, load, table, truth):
    """A task's elapsed time T_e is exact; the samples that found it say in which mode it was: T_k = p_k T_e."""
    elapsed = {r["name"]: sum(whole(r[mode]) for mode in lib.MODES) for r in table_of(dump)["tasks"]
               if r["name"] not in lib.NOT_TASKS}
    if load.rows:
        guilty = sum(time for name, time in elapsed.items() if load.has(name))
    else:
        rows = [r for r in table["tasks"] if r["name"] in elapsed and r["total"]["hits"]]
        guilty = sum(elapsed[r["name"]] * r["interrupt"]["hits"] / r["total"]["hits"] for r in rows)
    found = exactly(100 - elapsed["IDLE"], guilty, truth, truth.resolution + truth.idle_handlers)
    interrupt = table["modes"]["interrupt"]
    if load.rows:
        return found
    hit = interrupt["hits"] and interrupt["low"] is not None
    return Reading(found.busy, guilty, found.busy_within, limits(interrupt) if interrupt["hits"] else None,
                   guilty_95=(interrupt["low"], interrupt["high"]) if hit else None)


def rusage_by_clock(dump, load, truth):
    return split(dump, load, lib.stat(dump)["beside"], truth)


def rusage_by_samples(dump, load, truth):
    return split(dump, load, lib.stat(dump), truth)


# ---- tick counters ----

def tick_counters(dump, load, truth):
    """As /proc/stat and /proc/PID/stat tell them: whole ticks, of all modes and of the tasks that are still there."""
    found = told("procstat", dump)
    guilty = (sum(t["level"] for t in found["tasks"] if load.has(t["name"])) if load.rows
              else found["modes"]["irq"]["level"])
    return Reading(found["busy"], guilty)


def elapsed_counters(dump, load, truth):
    """Without ticks while idle: idle time is measured, by elapsed time and in whole ticks;
    tasks are still charged by ticks."""
    found = told("procstat", dump)
    guilty = (sum(t["user"] + t["system"] for t in found["tasks"] if load.has(t["name"])) if load.rows
              else found["modes"]["irq"]["ticks"])
    within = 100 / found["passed"] + truth.resolution + truth.monitor + truth.idle_masked
    return Reading(found["busy_elapsed"], 100 * guilty / found["passed"], (truth.busy - within, truth.busy + within))


def silent(_dump, _load, _truth):
    """A method that answers neither question."""
    return Reading()


# ---- monitors of the image that do not look at ticks ----

def account_log(dump, load, truth):
    """What each task has used, those that ended included."""
    tasks = told("acct", dump)["tasks"]
    total = sum(t[mode] for t in tasks for mode in lib.MODES)
    modes = lib.MODES if load.rows else ("interrupt",)
    guilty = sum(t[mode] for t in tasks for mode in modes if not load.rows or load.has(t["name"]))
    idle = sum(t["kernel"] for t in tasks if t["name"] == "IDLE")
    return exactly(100 * (1 - idle / total), 100 * guilty / total, truth, PRINTED)


def idle_counters(dump, load, truth):
    """One number: the load.  Its clock runs in the tick's handler too."""
    found = told("idle", dump)
    return exactly(found["total"]["load"], None, truth, found["resolution"] + truth.monitor + truth.idle_masked)


def intercepted(dump, load, truth):
    """The time of handlers; it knows no tasks."""
    return exactly(None, None if load.rows else 100 * told("intercept", dump)["handlers"] / lib.stat(dump)["tau"],
                   truth, PRINTED)


def ran(dump, load, truth, handlers):
    """From one switch of tasks to the next; `handlers`: clock units in handlers of interrupts,
    None where it does not tell."""
    units = {t["name"]: t["units"]["ran"] for t in told("waits", dump)["tasks"]}
    span = sum(units.values())
    guilty = sum(u for name, u in units.items() if load.has(name)) if load.rows else handlers
    return exactly(100 * (1 - units.get("IDLE", 0) / span), None if guilty is None else 100 * guilty / span, truth,
                   truth.resolution + truth.monitor + truth.idle_handlers)


def from_events(dump, load, truth):
    """Of handlers, from entry to exit."""
    handlers = (None if load.rows
                else sum(event["duration"] for event in events(dump, "irq-exit")) * lib.stat(dump)["clock_hz"])
    return ran(dump, load, truth, handlers)


def events(dump, kind):
    """Each event of a class that has a length."""
    found = map(json.loads, lib.host("trace", "--json", "--filter", f"class={kind}", dump)[0].splitlines())
    return [event for event in found if event.get("duration") is not None]


def classes(dump, load, truth):
    """The shares of the classes idle and guilty, of the tree that the run was given."""
    found = {c["name"]: 100 * c["share"] for c in told("states", dump)["classes"]}
    return exactly(100 - found.get("idle", 0), found.get("guilty", 0), truth, truth.resolution + truth.monitor)


# ---- load meters of OS/2 ----

CALLED = 0.05     # points: what the performance counters may be off by


def idle_task(dump, load, truth):
    """How far a task counts that runs when no other wants to.  While it learns its speed, in ever longer turns,
    it is no idle time."""
    count = lib.stat(dump)["idletask"][0]
    learnt = 100 * 2 * count["took"] / (count["end"] - count["begin"])
    within = truth.resolution + truth.monitor + truth.idle_handlers + learnt
    return exactly(count["busy"], None, truth, within)


def performance_call(dump, load, truth):
    """Time, idle and interrupt; the probe's ticks are interrupts there, and in no row of the truth."""
    found = lib.stat(dump)["perfcall"]
    return exactly(100 - found["idle"], None if load.rows else found["interrupt"], truth,
                   CALLED + truth.monitor + truth.idle_masked)


def process_table(dump, load, truth):
    """Passes through the scheduler, of the tasks that are still there; it knows no handlers."""
    found = lib.stat(dump)["proctable"]
    passes = sum(p["user"] + p["system"] for p in found["processes"] if load.has(p["name"]))
    return Reading(found["busy"], 100 * passes / found["total"] if load.rows else None)


# ---- outside of the machine ----

def hardware(dump, load, truth):
    """Each instruction, counted by the plugin; interrupts end at IRET there and at the change of tasks here, and
    those that bring ticks are the CPU's work there and in no row of the truth."""
    table = lib.stat(dump.with_suffix(".hwmon"))
    return exactly(100 - whole(idle_of(table)), of_guilty(load, table, whole), truth,
                   truth.resolution + truth.monitor + BEHIND)


def hybrid(dump, load, truth):
    """The scheduler's own store of the running task, recorded from outside: tasks, no handlers."""
    return ran(dump.with_suffix(".hwmon"), load, truth, None)
