#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The reports over time on real runs: their sums are the run's, to the clock unit,
and they agree with the exact table."""

import json

import lib

WORDS = "seconds=3 monitor=system,events events=usual,mask,tick output=frames serial=com1,115200 thin=off"
# percentage points between the trace's shares and the table's: the last event comes up to 10 ms, a tick of the
POINTS = 0.5
#               system clock, before the window's end, which is 0.33 points of 3 s;
#               the tick's handler has less than 0.1


def lines(checks, *arguments, status=0):
    text, got = lib.host(*arguments)
    checks.check(got == status, f"cpuprobe {' '.join(map(str, arguments[:-1]))}: exit status {got}")
    return text.splitlines()


def waits(checks, dump):
    """Each task's time is the trace's, and the tasks' runs are too: one runs at a time."""
    told = json.loads("\n".join(lines(checks, "waits", "--json", dump)))
    length = told["units"]
    wrong = [t["name"] for t in told["tasks"] if sum(t["units"].values()) != length * t["tasks"]]
    checks.check(not wrong,
                 f"ran, ready, slept and absent are {length} clock units for {len(told['tasks'])} tasks{wrong or ''}")
    ran = sum(t["units"]["ran"] for t in told["tasks"])
    checks.check(ran == length, f"the runs of all tasks are {ran} clock units of {length}")


def shares(checks, dump):
    """What ran by the trace, up to the end of the window, is what ran by the exact table."""
    end = ([head["end"] for head, _ in lib.records(dump, "SNAPSHOT")][-1] /
           next(head["clock_hz"] for head, _ in lib.records(dump, "HELLO")))
    told = json.loads("\n".join(lines(checks, "waits", "--json", "--to", f"{end:.9f}", dump)))
    length = told["end"] - told["begin"]
    # the table has masked time in a row
    ran = {t["name"]: 100 * (t["ran"] - t["masked"]) / length for t in told["tasks"]}
    exact = {row["name"]: row["total"]["exact"] for row in lib.stat(dump)["tasks"]
             if row["total"]["exact"] is not None}
    apart = {name: round(ran[name] - exact[name], 3) for name in ran
             if abs(ran[name] - exact.get(name, -99)) > POINTS}
    checks.check(not apart,
                 f"{len(ran)} tasks ran by the trace what the table says, within {POINTS} points {apart or ''}")


def trace(checks, dump):
    """Lines, JSON and filters tell of the same events, in the order of time."""
    text = [line for line in lines(checks, "trace", dump) if not line.startswith("#")]
    objects = [json.loads(line) for line in lines(checks, "trace", "--json", dump)]
    checks.check(len(text) == len(objects) - 1 == objects[-1]["summary"]["events"],
                 f"{len(text)} events, as text and as JSON")
    times = [o["time"] for o in objects[:-1]]
    checks.check(times == sorted(times), "their times do not go back")
    calls = [o for o in objects[:-1] if o["task"] == "ROGUE" and o["event"] == "syscall-exit" and
                                        (o["duration"] or 0) > 1e-3]
    found = lines(checks, "trace", "--filter", "task=ROGUE and class=syscall-exit and duration>1ms", dump)
    checks.check(len(calls) == len([line for line in found if not line.startswith("#")]) > 0,
                 f"a filter finds ROGUE's {len(calls)} long calls")


def load(checks, dump):
    """From events and from snapshots: the same over the whole run."""
    by_events = [float(line.split()[1]) for line in lines(checks, "load", "--table", "--step", "9", dump)
                 if line[0] != "#"]
    idle = lib.row(lib.stat(dump), "IDLE")["total"]["exact"]
    checks.check(abs(by_events[0] - (100 - idle)) < POINTS,
                 f"load {by_events[0]:.2f} %, by the exact table {100 - idle:.2f}")


def drawn(checks, dump):
    for report in ("gantt", "load"):
        svg = lib.folder() / f"{report}.svg"
        lines(checks, report, "--rows", "11", "--svg", svg, dump)
        once = svg.read_bytes()
        lines(checks, report, "--rows", "11", "--svg", svg, dump)
        checks.check(once == svg.read_bytes() and once.startswith(b"<svg") and once.endswith(b"</svg>\n"),
                     f"{report} draws {len(once)} bytes, the same twice")
    rows = lines(checks, "gantt", "--ascii", "--width", "100", dump)
    checks.check(any(row.startswith("ROGUE ") and "k" in row for row in rows),
                 "gantt has a row of ROGUE in kernel mode")


def model(checks):
    """Lazowska et al., "Quantitative System Performance" (1984), 1.2: such models give the use of stations within 10
    % and response times within 10 to 30 %.  The device's own counters are its truth."""
    run = lib.boot("disk", "tasks=disk seconds=8 seed=1 monitor=events output=frames", shift=3)
    told = json.loads("\n".join(lines(checks, "model", "--json", "--scale", "disk=4", run.dump)))
    users = [t for t in told["tasks"] if t["requests"] >= 0.9]  # whose answers the disk is a part of
    checks.check(len(users) == 4 and told["exact"], f"{len(users)} tasks use the disk in each cycle")
    for t in users:
        off = 100 * (t["predicted"]["response"] / t["measured"]["response"] - 1)
        checks.check(abs(off) <= 30,
                     f"{t['name']}: answers in {1e3 * t['measured']['response']:.1f} ms, predicted {off:+.1f} %")
        checks.check(t["changed"]["response"] < t["predicted"]["response"],
                     f"{t['name']}: a faster disk, a shorter answer")
    for s in told["stations"]:
        off = 100 * (s["use_predicted"] / s["use"] - 1)
        checks.check(abs(off) <= 10,
                     f"{s['name']}: in use for {100 * s['use']:.2f} % of the time, predicted {off:+.1f} %")
    first, last = [[head for head, _ in lib.records(run.dump, "DISK")][i] for i in (0, -1)]
    busy = (last["busy"] - first["busy"]) / (last["time"] - first["time"])
    checks.check(abs(told["stations"][1]["use"] - busy) < 0.02, f"the disk's own counters say {100 * busy:.2f} %")


def masked(checks):
    """A path that keeps interrupts off (tasks=shadow): by the log and by late ticks the same share,
    in one function."""
    run = lib.boot("shadow", "tasks=shadow seconds=5 rate=2000 account=log monitor=system,samples output=frames",
                   shift=3)
    told = lines(checks, "masked", run.dump)
    by_log = next(float(line.split()[-1]) for line in told if line.startswith("section of the kernel"))
    found = next((line.split() for line in told if "shadow_unlock" in line), None)
    if not checks.check(found is not None, "masked: late ticks name shadow_unlock"):
        return
    late, longest = float(found[-5 + 1]), found[-3:-1]
    samples = lib.stat(run.dump)["samples"]
    error = lib.DEVIATIONS * 100 * (by_log / 100 * (1 - by_log / 100) / samples) ** 0.5  # binomial
    nmi = lib.boot("shadow-nmi", "tasks=shadow seconds=5 rate=2000 delivery=nmi monitor=system,samples output=frames",
                   shift=3)
    seen = [line.split() for line in lines(checks, "masked", nmi.dump)
            if "(in shadow_" in line or line.startswith("shadow_")]
    hits = {line[line.index("(in") + 1][:-1] if "(in" in line else line[0]: 0 for line in seen}
    share = sum(float(line[-5 + 1]) for line in seen if len(line) >= 6)
    checks.check({"shadow_find", "shadow_link", "shadow_mark"} <= set(hits) and abs(share - by_log) < error,
                 f"masked: ticks as NMI see {share:.3f} % in {', '.join(sorted(hits))}")
    checks.check(abs(late - by_log) < error,
                 f"masked: {by_log} % by the log, {late} % of the ticks, longest {' '.join(longest)}")


def main():
    checks = lib.Checks()
    run = lib.boot("events", WORDS, shift=3)
    if checks.check(run.status == lib.COMPLETE, f"the run with events: {run.said.strip() or 'complete'}"):
        waits(checks, run.dump)
        shares(checks, run.dump)
        trace(checks, run.dump)
        load(checks, run.dump)
        drawn(checks, run.dump)
        kinds = {line.split()[0] for line in lines(checks, "durations", run.dump)[1:]}
        checks.check({"run", "ready", "latency", "response", "syscall", "interrupt", "masked", "tick"} <= kinds,
                     f"durations: {', '.join(sorted(kinds))}")
    model(checks)
    masked(checks)
    checks.finish()


main()
