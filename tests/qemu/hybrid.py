#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Hybrid monitors: a window that hwmon records from outside, what each way to record costs,
both streams on one time line."""

import json
import re
import subprocess

import lib

SHIFT = 3
SLOW = 5  # where all events of a second have room
WINDOW, PAGE = 0x70000018, 4096  # kernel/abi/monitor_page.h
STORE = 4       # instructions of monitor_out(): a copy of the value, shifted; the number of the event; the store
WAYS = ("none", "store", "page", "call")           # kernel/tasks/marker.c, as the next
PIECE, BETWEEN = 3000000, (60000, 20000, 6000, 2000, 600, 200)
# of drift: the image measures the TSC by a counter of the PIT over 41 ms and more, 838 ns a count, many times
PPM = 0.1
PRINTED = 0.0001  # ppm: rounding of what is printed
APART = 32        # instructions from the change of the account's cell to that of the stack
PROTOCOL = (0, 1, 5, 9)  # user events of kernel/abi/syscall_numbers.h
EVENTS = "monitor=system,events buffer=overwrite events=user,switch"


def user_events(dump, coming=False):
    """(task, number, value) of each user event."""
    for line in lib.host("trace", dump, "--filter", "class=user", coming=coming)[0].splitlines():
        if m := re.match(r"\d+\.\d+ (\S+) \S+ user (\d+):(\d+) ", line):
            yield m[1], int(m[2]), int(m[3])


def costs(dump):
    """{units between two events: {way: clock units of the task}} within the window, where events are recorded.

    The least of all turns: the others had more interrupts."""
    window = list(lib.records(dump, "SNAPSHOT"))[-1][0]
    found = {units: {} for units in BETWEEN}
    for i, (head, _) in enumerate(lib.records(dump, "REPORT")):
        at, way, value = found[BETWEEN[i // len(WAYS) % len(BETWEEN)]], WAYS[i % len(WAYS)], head["value"]
        if window["begin"] <= head["time"] - value and head["time"] <= window["end"]:
            at[way] = min(value, at.get(way, value))
    return found


def check_window(checks):
    """What a task stores is what hwmon records; the machine does not see that anybody watches."""
    words, out = f"tasks=hybrid seconds=2 seed=1 output=frames {EVENTS}", lib.folder() / "window.hwmon"
    alone = lib.boot("alone", words, shift=SHIFT)
    run = lib.boot("window", words, shift=SHIFT, options=("--hwmon", f"out={out},window={WINDOW:#x}"))
    checks.check(alone.status == run.status == lib.COMPLETE, f"both boots end well {run.said.strip()}")
    checks.check(alone.dump.read_bytes() == run.dump.read_bytes(),
                 "the bytes on the line are the same with and without hwmon")
    seen = list(user_events(out))
    values = [value for _, _, value in seen]
    checks.check({(task, number) for task, number, _ in seen} == {("MARKER", 1)} and len(values) > 20000 and
                 values == list(range(values[0], values[0] + len(values))),
                 f"hwmon has {len(values)} stores, none lost, none twice, in order")
    said = lib.health(out)["event 0"]
    checks.check(said == f"{WINDOW:#x}: {len(values)} times", f"hwmon says so: {said}")


def check_cost(checks):
    found = costs(lib.boot("cost", f"tasks=hybrid tick=none seconds=4 seed=1 output=frames {EVENTS}",
                           shift=SHIFT).dump)
    least = BETWEEN[-1]
    each = {way: (found[least][way] - found[least]["none"]) / (PIECE // least) / 2 ** SHIFT for way in WAYS[1:]}
    checks.check(0 < each["store"] <= STORE, f"monitor_out() takes {each['store']:.2f} instructions, at most {STORE}")
    checks.check(each["store"] < each["page"] < each["call"],
                 f"recorded by the image itself an event takes {each['page']:.1f} instructions by a page, "
                 f"{each['call']:.1f} by a call")


def check_hostile(checks):
    """Garbage in the window is garbage in hwmon's stream; a task without the grant has no window, and ends alone."""
    out = lib.folder() / "hostile.hwmon"
    run = lib.boot("hostile", f"tasks=scribbled seconds=1 seed=1 output=frames {EVENTS}", shift=SHIFT,
                   options=("--hwmon", f"out={out},window={WINDOW:#x}"))
    checks.check(run.status == lib.COMPLETE and lib.stat(out)["complete"],
                 f"garbage: both streams are complete {run.said.strip()}")
    checks.check({task for task, _, _ in user_events(out)} == {"SCRIB"},
                 "garbage: its events are of the task that wrote them")
    faults = [(head["name"], head["address"] // PAGE) for head, _ in lib.records(run.dump, "FAULT")]
    checks.check(faults == [("BARRED", WINDOW // PAGE)],
                 f"a task without the grant has no such page, and ends alone: {faults}")


def check_sync(checks):
    """Under icount the TSC is hwmon's clock: the drift is that of the rate which the image measured,
    and switches coincide."""
    out = lib.folder() / "sync.hwmon"
    run = lib.boot("sync", "tasks=figure3 seconds=5 seed=1 monitor=events events=switch,sync output=frames",
                   shift=SHIFT, options=("--hwmon", f"out={out},window={WINDOW:#x}"))
    text, status = lib.host("trace", run.dump, out)
    m = re.search(r"# (\d+) events sync in both; .*; A runs (\S+) \+- (\S+) ppm faster, (\S+) ns off a line", text)
    if not checks.check(status == 0 and m, f"both streams are on one time line {text[:200]!r}"):
        return
    found, error, off = (float(m[i]) for i in (2, 3, 4))
    hz = next(head["clock_hz"] for head, _ in lib.records(run.dump, "HELLO"))
    stated = 1e6 * (1e9 / hz - 1)
    checks.check(int(m[1]) == 5 and off <= 2 ** SHIFT,
                 f"{m[1]} events sync, {off} ns off a line, an instruction at most")
    checks.check(abs(found - stated) <= error + PRINTED,
                 f"drift {found} +- {error} ppm, {stated:.4f} by the rate that the image measured")
    checks.check(abs(found) <= PPM, f"drift {found} ppm, {PPM} at most")
    moments = {"A": [], "B": []}
    for line in text.splitlines():
        if m := re.match(r"([AB]) (\S+) .* switch (\S+) ", line):
            moments[m[1]].append((float(m[2]), m[3]))
    pairs = [(a[0] - b[0], a[1] == b[1]) for a, b in zip(*(among(moments[x], moments["A"]) for x in "AB"))]
    checks.check(len(pairs) > 100 and all(same for _, same in pairs) and max(abs(apart) for apart, _ in pairs) <=
                 APART * 2 ** SHIFT * 1e-9, f"{len(pairs)} switches are the same in both, at most "
                                            f"{1e9 * max(abs(apart) for apart, _ in pairs):.0f} ns apart")
    checks.check("have no event sync in common" in refusal(run.dump, lib.folder() / "window.dump"),
                 "a stream without sync is refused")


def ranges_of(dump, *options, coming=False):
    """What the account log says of user events: {event: entry}, and its length."""
    found = json.loads(lib.host("acct", "--json", *options, dump, coming=coming)[0])
    return {r["event"]: r for r in found["ranges"]}, found["ranged"]


def check_ranges(checks):
    """The time of tasks by the user event before it: as the classes of states have it,
    and whatever arrives adds up."""
    run = lib.boot("ranges", "tasks=messages tick=none seconds=1 seed=1 monitor=acct,events events=user,switch "
                             "buffer=stop output=frames", shift=SLOW)
    found, _ = ranges_of(run.dump)
    text, status = lib.host("states", "--json", "--classes",
                            ",".join(f"{i}=e{n}:event={n}" for i, n in enumerate(PROTOCOL)), run.dump)
    classes = {c["name"]: c for c in json.loads(text.splitlines()[0])["classes"]} if text else {}
    switches = sum(row["count"] for _, rows in list(lib.records(run.dump, "EVENT_COUNTS"))[-1:] for row in rows
                   if row["class"] == 1)
    allowed = APART * 2 ** SLOW * switches * 1e-9
    checks.check(run.status == lib.COMPLETE and status == 0 and set(found) == set(PROTOCOL),
                 f"ranges of events {sorted(found)}")
    for n in PROTOCOL:
        seconds = classes.get(f"e{n}", {"seconds": 0})["seconds"]
        checks.check(found[n]["times"] > 500 and abs(found[n]["time"] * 1e-9 - seconds) <= allowed,
                     f"after event {n} tasks ran {found[n]['time'] * 1e-9:.4f} s, by the classes of states "
                     f"{seconds:.4f}, {allowed:.4f} apart at most")
    check_pause(checks, run.dump)
    check_range_steps(checks)


def measured(dump):
    """Seconds from each event 5 of SENDER to its next event 9, or to the end."""
    text, _ = lib.host("trace", dump)
    moments = [(float(m[1]), m[3]) for m in re.finditer(r"^([\d.]+) (\S+) .* user ([59]):", text, re.M)
               if m[2] == "SENDER"]
    last = max(float(m[1]) for m in re.finditer(r"^([\d.]+) ", text, re.M))
    seconds, since, times = 0.0, None, 0
    for time, number in [*moments, (last, "9")]:
        if number == "5" and since is None:
            since, times = time, times + 1
        elif number == "9" and since is not None:
            seconds, since = seconds + time - since, None
    return seconds, times


def check_pause(checks, dump):
    """Classes of states that user events trigger: all but the time from a 5 to the next 9 is PAUSE."""
    tree = ("START:task=SENDER+event=5,STOP:task=SENDER+event=9,"
            "0=sender:task=SENDER,1=receiver:task=RECEIV,2=rest:else")
    text, status = lib.host("states", "--json", "--classes", tree, dump)
    classes = {c["class"]: c["seconds"] for c in json.loads(text.splitlines()[0])["classes"]} if text else {}
    seconds, times = measured(dump)
    inside = sum(value for name, value in classes.items() if name != "P")
    checks.check(status == 0 and times > 300 and set(classes) == set("012P") and abs(inside - seconds) < times * 1e-9,
                 f"{times} triggers: {inside:.7f} s are measured, {seconds:.7f} s from a start to the next end, "
                 f"{classes.get('P', 0):.4f} s are PAUSE")
    text, status = lib.host("states", "--json", "--classes", tree, "--match", "[012]+", dump)
    found = json.loads(text.splitlines()[-1])["match"]["count"] if status == 0 else 0
    checks.check(found == times, f"the expression [012]+ has {found} of them")


def check_range_steps(checks):
    """Steps are cumulative: frames that are lost cost none of the sum; load draws them."""
    run = lib.boot("steps", "tasks=messages seconds=4 seed=1 monitor=acct output=frames", shift=SHIFT)
    whole, length = ranges_of(run.dump)
    parts = [ranges_of(run.dump, *o) for o in (("--to", "2.5"), ("--from", "2.5"))]
    checks.check(all(sum(p[0][n][what] for p in parts) == whole[n][what] for n in whole
                     for what in ("times", "time")) and
                 sum(p[1] for p in parts) == length, "two stretches add up to the whole")
    frames = [f for f in run.dump.read_bytes().split(b"\0") if f]
    kept = [f for i, f in enumerate(frames) if i % 3 or i > len(frames) - 16 or i < 8]
    cut = lib.folder() / "cut.dump"
    cut.write_bytes(b"\0" + b"\0\0".join(kept) + b"\0")
    checks.check(ranges_of(cut, coming=True)[0] == whole,
                 f"{len(frames) - len(kept)} of {len(frames)} frames lost: the sums stand")
    by_acct, by_snapshots = (lib.host("load", *how, "--step", "1", "--table", run.dump)[0]
                             for how in (("--acct",), ()))
    checks.check(by_acct and by_acct == by_snapshots,
                 "load: the account log and the snapshots, which are of the same moments, say the same")
    text, status = lib.host("load", "--range", "5=start", "--step", "1", "--table", run.dump)
    rows = [[float(x) for x in line.split()] for line in text.splitlines()[1:]]
    names = text.splitlines()[0].split()[1:]
    share = sum(row[names.index("start")] for row in rows[:4]) / 4
    checks.check(status == 0 and abs(share - 100 * whole[5]["time"] / length) < 0.5 and len(rows) == 5,
                 f"load: {share:.2f} % after the start of a transfer, in all {100 * whole[5]['time'] / length:.2f}")


def among(moments, of):
    """Those within the time of the others: the windows of the two begin and end apart."""
    return [m for m in moments if of[0][0] - 1e-6 <= m[0] <= of[-1][0] + 1e-6]


def refusal(*files):
    return subprocess.run([lib.ROOT / "build/cpuprobe", "trace", *files], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=False).stderr


def main():
    checks = lib.Checks()
    check_window(checks)
    check_cost(checks)
    check_hostile(checks)
    check_sync(checks)
    check_ranges(checks)
    checks.finish()


if __name__ == "__main__":
    main()
