#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""What events do (when=): counters, start and stop, a frozen and a written buffer, snapshots; the timer;
a line that is pulled."""

import re
import time

import lib
import link

KEPT = 1024     # events in the buffer
BEFORE = 25     # percent of it from before the trigger
TIMER_MS = 10
CLOCK_HZ = 1e9  # of the TSC in QEMU under icount
PULLED = 0.5    # seconds of wall time without a line


def trace(dump):
    """The lines of cpuprobe trace: [(seconds, task, event, argument)], and its gaps [(seconds, number, cause)]."""
    text, _ = lib.host("trace", dump, coming=True)
    gaps = [(float(at), int(number), cause)
            for at, number, cause in re.findall(r"^# ([0-9.]+) gap: (\d*),?(.*)$", text, re.M) if number]
    paused = re.findall(r"^# ([0-9.]+) gap: ?(.*paus.*)$", text, re.M)
    lines = [line.split(" ") for line in text.splitlines() if line[:1].isdigit()]
    return [(float(w[0]), w[1], w[3], w[4]) for w in lines], gaps, paused


def rules(dump):
    """The last RULES: counters, {rule: row}."""
    head, rows = list(lib.records(dump, "RULES"))[-1]
    return [head[f"counter{i}"] for i in range(8)], {row["rule"]: row for row in rows}


def boot(checks, name, words):
    run = lib.boot(name, f"output=frames rate=1000 seed=1 monitor=system,events {words}", shift=3)
    checks.check(run.status == lib.COMPLETE, f"{name}: the run ends well ({run.status}) {run.said.strip()}")
    return run.dump


def check_counters(checks):
    """Each counter is what the records say: of all events, of one task's, of one number."""
    dump = boot(checks, "counters", "tasks=messages events=user,syscall,wake buffer=stop records=262144 seconds=1 "
                "when=user:SENDER:5/add:0,user:*:9/add:1,user:SENDER:1/set:2:7,user:SENDER:9/reset:2,"
                "wake:RECEIV/add:3,syscall-exit:SENDER:20/add:4")
    events, gaps, _ = trace(dump)
    counted, rows = rules(dump)
    user = [(task, int(argument.split(":")[0])) for _, task, event, argument in events if event == "user"]
    found = [user.count(("SENDER", 5)), sum(number == 9 for _, number in user), None,
             sum(e[2:] == ("wake", "RECEIV") for e in events),
             sum(e[1:] == ("SENDER", "syscall-exit", "20") for e in events)]
    last = [number for task, number in user if task == "SENDER" and number in (1, 9)][-1]
    found[2] = 7 if last == 1 else 0
    checks.check(not gaps and min(found[:2] + found[3:]) > 100 and counted == found + [0, 0, 0],
                 f"counters: {counted}, the records say {found}")
    checks.check([rows[i]["hits"] for i in (0, 4)] == [found[0], found[3]],
                 f"counters: rules say how often they were met: {rows[0]}")


def check_pages(checks):
    """User events that the kernel takes from a task's page late meet rules too;
    what these stop stops in its place."""
    dump = boot(checks, "pages", "tasks=talk events=user buffer=stop records=262144 seconds=1 when=user:TALK:1/add:0")
    users = sum(e[2] == "user" for e in trace(dump)[0])
    checks.check(rules(dump)[0][0] == users > 5000, f"pages: {users} user events, {rules(dump)[0][0]} counted")
    events, _, paused = trace(boot(checks, "pages-stopped",
                                   "tasks=talk buffer=stop records=262144 seconds=1 when=user/stop,sleep:TALK/start"))
    times, names = [e[0] for e in events], [e[2] for e in events]
    checks.check(times == sorted(times) and names.count("pause") == len(paused) > 50,
                 f"pages: {names.count('pause')} pauses, {len(paused)} told, in their order")


def check_stops(checks):
    """From a transfer's start to its end is recorded, and nothing between; every pause is told."""
    dump = boot(checks, "stops",
                "tasks=messages buffer=stop records=262144 seconds=1 when=user:SENDER:5/start,user:SENDER:9/stop")
    events, gaps, paused = trace(dump)
    names = [event for _, _, event, _ in events]
    ends = [i for i, e in enumerate(events) if e[1:3] == ("SENDER", "user") and e[3].startswith("9:")]
    after = {tuple(names[i + 1:i + 4]) for i in ends[:-1]}
    checks.check(len(ends) > 100 and after == {("trigger", "pause", "continue")},
                 f"stops: {len(ends)} transfers end: {after}")
    starts = [names[i + 2:i + 4] for i, name in enumerate(names) if name == "continue"][1:]
    user = {tuple(s) for s in starts}
    checks.check(user == {("user", "trigger")}, f"stops: what starts the records is their first event: {user}")
    times = [e[0] for e in events]
    checks.check(times == sorted(times) and not gaps and len(paused) == names.count("pause"),
                 f"stops: {names.count('pause')} pauses, {len(paused)} of them told as time that is not covered")


def check_buffer(checks):
    """A trigger keeps a quarter from before it; a fault has the buffer written, and the recorder goes on."""
    dump = boot(checks, "frozen",
                f"tasks=faults buffer=overwrite records={KEPT} seconds=2 when=fault:UPRIV/freeze:{BEFORE}")
    events, gaps, _ = trace(dump)
    at = [event for _, _, event, _ in events].index("trigger")
    checks.check(at + 1 - KEPT * BEFORE // 100 in (0, 1) and events[at - 1][1:3] == ("UPRIV", "fault") and
                 len(events) == KEPT + 1,
                 f"frozen: {at} events, the fault's among them, before the trigger, of {len(events) - 1}")
    checks.check(any("no room" in cause for _, _, cause in gaps), f"frozen: what came later is told: {gaps}")
    dump = boot(checks, "written", f"tasks=faults buffer=overwrite records={KEPT} seconds=2 when=fault/write")
    events, gaps, _ = trace(dump)
    faults = [e for e in events if e[2] == "fault"]
    told = [head for head, _ in lib.records(dump, "EVENT_COUNTS")][-1]
    missing = sum(number for _, number, _ in gaps)
    lost = sum(e[2] == "lost" for e in events)
    checks.check(faults and events[events.index(faults[0]) + 1][2] == "trigger",
                 f"written: {len(faults)} faults, the trigger after them")
    checks.check(len(events) - lost + missing == told["recorded"] - lost + told["lost"],
                 f"written: {len(events)} events and {missing} told as missing are {told['recorded']} recorded and "
                 f"{told['lost']} lost")
    text = lib.boot("text", f"monitor=events buffer=overwrite records={KEPT} tasks=faults seconds=2 seed=1 "
                            "when=fault:UPRIV/write/add:0", shift=3)
    said = text.dump.read_text()
    first = said.index("trigger 0") if "trigger 0" in said else -1
    checks.check(0 <= first < said.index("Task Name") and "rule 0 of when= was met 1 times" in said and
                 "counter 0 is 1" in said, "text: the last events are printed at the fault, counters at the end")


def check_share(checks):
    """A share that passes its limit takes a snapshot once; one that does not takes none."""
    dump = boot(checks, "share",
                "tasks=figure3 buffer=count seconds=5 when=share:ROGUE:30/snapshot/add:0,share:ROGUE:90/add:1")
    counted, rows = rules(dump)
    checks.check(counted[:2] == [1, 0] and rows[0]["hits"] == 1 and rows[1]["hits"] == 0,
                 f"share: passed once: {counted[:2]}")
    serials = {head["serial"] for head, _ in lib.records(dump, "SNAPSHOT")}
    checks.check(len(serials) == 6, f"share: {len(serials)} snapshots of 5 s")


def check_timer(checks):
    """The timer is on its grid: no expiry is early, and the 200th no later than any other."""
    events, _, _ = trace(boot(checks, "timer", f"tasks=figure3 events=timer timer={TIMER_MS} buffer=stop seconds=2"))
    timers = [(at, int(argument)) for at, _, event, argument in events if event == "timer"]
    late = [at - timers[0][0] - (n - timers[0][1]) * TIMER_MS / 1000 for at, n in timers]
    checks.check(200 <= len(timers) <= 204 and [n for _, n in timers] == list(range(1, len(timers) + 1)),
                 f"timer: {len(timers)} expiries in 2 s and at most two looks for its end")
    checks.check(max(late) - min(late) < TIMER_MS / 1000,
                 f"timer: {1e6 * min(late):.0f} to {1e6 * max(late):.0f} us off its grid")


def check_refused(checks):
    for name, words, why in (("large", "records=16777216", "records=16777216 needs 262144 KiB"),
                             ("nobody", "when=end:NOBODY/stop", "when= names task NOBODY")):
        run = lib.boot(name, f"output=frames monitor=events buffer=stop seconds=1 {words}", shift=3)
        checks.check(run.status != lib.COMPLETE and why in run.dump.read_bytes().decode(errors="replace") + run.said,
                     f"{name}: refused: {why}")


def check_commands(checks):
    """pause, and dump: the buffer comes while the run goes on, and its last event is the pause."""
    with link.Link("commands", f"monitor=events buffer=overwrite records={KEPT} tasks=sleepers seconds=0",
                   shift=3) as line, line.connect() as hand:
        hand.await_seconds(1)
        hand.ask("pause", 1)
        hand.ask("dump", 2)
        hand.await_records("PACKED_EVENTS", lambda found: sum(head["count"] for head in found) >= KEPT)
        events, _, paused = trace(hand.dump)
        hand.ask("continue", 3)
        hand.end(4)
    checks.check(len(events) == KEPT and events[-1][2] == "pause" and len(paused) == 1,
                 f"commands: {len(events)} events were dumped, the last is {events[-1][2]}")
    names = [event for _, _, event, _ in trace(hand.dump)[0]]
    checks.check(len(names) > KEPT, f"commands: after continue {len(names) - KEPT} more were recorded")


def check_pulled(checks):
    """The line is pulled while events stream, and given back: what is missing is told, with when, and all adds up."""
    with link.Link("pulled", "monitor=events events=switch,wake,sleep thin=auto tasks=sleepers seconds=0",
                   shift=3) as line:
        with line.connect() as hand:
            hand.await_seconds(1)
            before = hand.dump
        time.sleep(PULLED)
        with line.connect() as hand:
            hand.await_records("PACKED_EVENTS", lambda found: len(found) > 3)
            hand.ask("pause", 1)
            hand.ask("continue", 2)
            hand.end(3)
            after = hand.dump
    whole = lib.folder() / "pulled.dump"
    whole.write_bytes(before.read_bytes() + after.read_bytes())
    told = [head for head, _ in lib.records(whole, "EVENT_COUNTS", coming=True)][-1]
    events, gaps, paused = trace(whole)
    names = [event for _, _, event, _ in events]
    missing = sum(number for _, number, cause in gaps)
    last = max(head["time"] for head, _ in lib.records(before, "PACKED_EVENTS", coming=True)) / CLOCK_HZ
    first = min(head["time"] for head, _ in lib.records(after, "PACKED_EVENTS", coming=True)
                if head["time"]) / CLOCK_HZ
    checks.check(missing > 0 and len(events) + missing == told["recorded"] + told["lost"],
                 f"pulled: {len(events)} events and {missing} missing are {told['recorded']} recorded and "
                 f"{told['lost']} lost")
    checks.check((names.count("pause"), names.count("continue"), len(paused)) == (1, 2, 1),
                 f"pulled: the pause is told: {paused}")
    checks.check(any(last <= at <= first + 1 for at, _, _ in gaps),
                 f"pulled: between {last:.3f} s and {first:.3f} s: {gaps}")


def main():
    checks = lib.Checks()
    check_counters(checks)
    check_pages(checks)
    check_stops(checks)
    check_buffer(checks)
    check_share(checks)
    check_timer(checks)
    check_refused(checks)
    check_commands(checks)
    check_pulled(checks)
    checks.finish()


if __name__ == "__main__":
    main()
