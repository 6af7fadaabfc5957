#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Three ways to measure the load of OS/2 against the exact table: load_meters.py idletask|perfcall|proctable."""

import json
import re
import sys

import lib

# The idle task counts in user mode.  Its calibration of at least 20 ms has interrupts in it as the count has, but a
# tick of the system clock more or less, which takes 20 us at most: a thousandth of what it counts.
CALIBRATION = 0.1  # percent of the counted time
SERVED = 0.2       # percent of the counted time that interrupts take, at most, of which the calibration has as much
PERF_POINTS = 0.05
ROUNDING = 2       # thousandths of a percent, of three rounded shares
LONGEST_HALT = 0.01  # percent of a run in which something never sleeps
VANISHED = 20      # percent of the passes of turnover that the table does not tell, at least: its tasks live a few ms


def boot(checks, name, words, seconds=4, **how):
    return lib.boot_table(checks, name, f"{words} seconds={seconds} seed=1", shift=3, **how)


def exact(table, name, mode="total"):
    row = lib.row(table, name)
    return row[mode]["exact"] if row else 0.0


def times(dump, kind, name_id):
    """Exact time of a row in user mode by the serial of its snapshot, clock units."""
    found = {}
    for head, rows in lib.records(dump, kind):
        for row in rows:
            if row["id"] == name_id:
                found[head["serial"]] = row["user"] + row["masked_user"]
    return found


def counted(table, dump):
    """Of IDLER, from its first reading to its last: what it counted as time, and the exact time of its row."""
    rows = [(head["serial"], row) for head, found in lib.records(dump, "IDLETASK") for row in found]
    (first, a), (last, b) = rows[0], rows[-1]
    by_serial = times(dump, "EXACT", lib.row(table, "IDLER")["id"])
    return ((b["count"] - a["count"]) * b["took"] / b["calibrated"], by_serial[last] - by_serial[first],
            b["end"] - a["end"])


def idletask(checks):
    for name, words in (("figure3", "tasks=figure3"), ("sleepers", "tasks=sleepers"),
                        ("hog", "tasks=hog1 sched=decay")):
        table = boot(checks, name, f"{words} monitor=system,idletask")
        estimate, truth, window = counted(table, lib.folder() / f"{name}.dump")
        checks.check(-CALIBRATION <= 100 * (estimate - truth) / truth <= CALIBRATION + SERVED,
                     f"{name}: it counted {100 * estimate / window:.4f} % of the time, and ran for "
                     f"{100 * truth / window:.4f} % ({100 * (estimate - truth) / truth:+.3f} %)")
    check_weaknesses(checks)
    text = lib.boot("idletask-text", "tasks=idletask monitor=idletask seconds=1", shift=3).dump.read_text()
    checks.check("idletask IDLER counted to" in text, "as text: a line")
    checks.check(boot(checks, "without", "tasks=sleepers")["idletask"] is None,
                 "without the monitor: nothing is told")


def check_weaknesses(checks):
    """Another task at idle priority takes its turns; and the processor never halts."""
    alone = boot(checks, "alone", "tasks=figure3 monitor=system,idletask,idle")
    beside = boot(checks, "beside", "tasks=background monitor=system,idletask,idle")
    without = boot(checks, "halts", "tasks=figure3 monitor=system,idle")
    idle = 100 - alone["idletask"][0]["busy"]
    left = 100 - beside["idletask"][0]["busy"]
    checks.check(abs(left - idle / 2) <= idle / 10,
                 f"beside a task at idle priority: {idle:.3f} % idle look like {left:.3f} %")
    checks.check(exact(alone, "IDLE") <= LONGEST_HALT < exact(without, "IDLE"),
                 f"halted {exact(without, 'IDLE'):.3f} % of the time, with the task {exact(alone, 'IDLE'):.4f} %")


def of_interrupts(table):
    handlers = table["modes"]["interrupt"]
    # of NMIs the first has both
    with_masked = handlers["exact"] + (handlers["masked"] if lib.row(table, "MASKED") else 0)
    return with_masked * table["tau"] / window_of(table) + table["monitor"]["percent"]


def window_of(table):
    return table["window"]["end"] - table["window"]["begin"]


def perfcall(checks):
    for name, words in (("perf-figure3", "tasks=figure3"), ("perf-storm", "tasks=storm"),
                        ("perf-turnover", "tasks=turnover"), ("perf-nmi", "tasks=storm delivery=nmi"),
                        ("perf-fast", "tasks=figure3 rate=5000")):
        table = boot(checks, name, f"{words} monitor=system,perfcall")
        found = table["perfcall"]
        of_time = table["tau"] / window_of(table)
        idle = exact(table, "IDLE", "kernel") * of_time
        checks.check(abs(found["idle"] - idle) <= PERF_POINTS and abs(found["interrupt"] - of_interrupts(table)) <=
                     PERF_POINTS, f"{name}: idle {found['idle']:.4f} of {idle:.4f} %, interrupt "
                                  f"{found['interrupt']:.4f} of {of_interrupts(table):.4f} %")
    check_reader(checks)
    check_refused(checks)


def check_reader(checks):
    """What a task reads each second, over seconds that are as long."""
    table = boot(checks, "perf-reader", "tasks=perfcall monitor=system,perfcall", seconds=6)
    values = [r["value"] for r in table["reports"] if r["name"] == "METER"]
    seconds = [values[i:i + 3] for i in range(0, len(values) - 2, 3)]
    checks.check(5 <= len(seconds) <= 6, f"a task reads each second: {seconds}")
    checks.check(all(abs(sum(s) - 100000) <= ROUNDING for s in seconds), "idle, busy and interrupt are all of it")


def check_refused(checks):
    run = lib.boot("perf-off", "monitor=perfcall account=off seconds=1 output=frames")
    checks.check(run.status == lib.FAILURE and "perfcall" in run.said, f"account=off: {run.said.strip()}")


def proctable(checks):
    table = boot(checks, "processes", "tasks=proctable monitor=system,proctable")
    found = table["proctable"]
    by_name = {p["name"]: p for p in found["processes"]}
    checks.check(found["total"] == found["passes"], f"no task ended: the table has all {found['passes']} passes")
    checks.check(by_name["METER"]["priority"] == "critical" and by_name["IDLE"]["task"] == 1,
                 "priorities and numbers are told")
    own, other = by_name["DOSBOX"], by_name["NATIVE"]
    checks.check(own["usage"] > 10 and other["usage"] < 3 and abs(own["system"] - other["system"]) < other["system"] /
                 4, f"two alike, {own['system']} and {other['system']} passes in the system: {own['usage']:.2f} and "
                    f"{other['usage']:.2f} %")
    boot(checks, "without-table", "tasks=sleepers", seconds=1)
    ended = boot(checks, "ended", "tasks=turnover monitor=system,proctable")["proctable"]
    lost = 100 - 100 * ended["total"] / ended["passes"]
    checks.check(lost >= VANISHED,
                 f"turnover: {lost:.1f} % of the passes are not in the table, for their tasks have ended")
    check_tables(checks)
    check_hostile(checks)


def check_tables(checks):
    """ps remembers from table to table: what is new, what has ended, and differences that add up to the passes."""
    text, status = lib.host("ps", "--json", lib.folder() / "processes.dump")
    tables = json.loads(text)["tables"]
    checks.check(status == 0 and sum(t["total"] for t in tables) == tables[-1]["passes"],
                 "ps: the differences add up")
    text, status = lib.host("ps", lib.folder() / "ended.dump")
    marks, before = [], None
    wanted = []
    for table in re.split(r"^[\d.]+ s: ", text, flags=re.M)[1:]:
        rows = re.findall(r"^([ +-]) +\d+ (N\d\d\d) ", table, re.M)
        there = {name for mark, name in rows if mark != "-"}
        marks += [row for row in rows if row[0] != " "]
        wanted += ([("+", name) for name in there - (there if before is None else before)]
                   + [("-", name) for name in (before or set()) - there])
        before = there
    checks.check(status == 0 and wanted and sorted(marks) == sorted(wanted),
                 f"ps: tasks that are new or have ended since the table before are marked: {marks}")
    _, status = lib.host("ps", lib.folder() / "without-table.dump", coming=True)
    checks.check(status == 1, "ps: a stream without tables is refused")


def check_hostile(checks):
    table = boot(checks, "hostile", "tasks=badbuffers monitor=system,proctable")
    values = [r["value"] for r in table["reports"] if r["name"] == "HOSTIL"]
    checks.check(len(values) >= 4 and not any(values[0::2]) and min(values[1::2]) > 100,
                 f"a hostile task: wrong answers and calls so far {values}")
    checks.check(not table["faults"], "nothing faults")


def main():
    checks = lib.Checks()
    {"idletask": idletask, "perfcall": perfcall, "proctable": proctable}[sys.argv[1]](checks)
    checks.finish()


if __name__ == "__main__":
    main()
