#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The software monitors against the exact table, and the device that they observe: monitors.py
idle|disk|intercept|acct."""

import json
import sys

import exact
import lib

IDLE_RUNS = {  # words; clock units by which the handlers of ticks may differ where no account tells them: handlers
    "irq": "",
    "nmi": "delivery=nmi",
    "lapic": "tick=lapic clock=rtc tasks=pollers",
    "two": "tick=pit,clock tasks=hog1",
    "fast": "rate=10000",
    "none": "tick=none",
    "log": "account=log",
}
LOSS = 7  # every so many frames are cut out of a stream


def of_host(dump, command, coming=False):
    text, status = lib.host(command, "--json", dump, coming=coming)
    return json.loads(text) if text else None, status


def last(dump, kind):
    return list(lib.records(dump, kind))[-1][0]


def idle_error(found):
    """Of CNT1 against the exact table, percent of CNT2."""
    return 100 * (found["total"]["idle"] - found["exact"]) / found["total"]["clock"]


def check_idle_truth(checks, name, words):
    run = lib.boot(f"idle-{name}", f"monitor=system,idle output=frames seconds=3 seed=1 {words}", shift=3)
    found, status = of_host(run.dump, "idle")
    if not checks.check(run.status == lib.COMPLETE and status == 0, f"{name}: the run ends well {run.said.strip()}"):
        return
    checks.check(found["total"]["halts"] > 20 and found["total"]["idle"] > 0,
                 f"{name}: {found['total']['halts']} halts")
    checks.check(abs(idle_error(found)) <= found["resolution"],
                 f"{name}: CNT1 is off by {idle_error(found):+.5f} points of a resolution of "
                 f"{found['resolution']:.5f}")


def check_idle_without_account(checks):
    """hwmon has the truth: it counts the time in which the machine executes nothing, in the same window."""
    for rate in (1000, 10000):
        out = lib.folder() / f"idle-off-{rate}.hwmon"
        run = lib.boot(f"idle-off-{rate}", f"tasks=hog1 monitor=idle output=frames seconds=3 seed=1 rate={rate} "
                                           "account=off", shift=3, options=("--hwmon", exact.words(out, "irq")))
        (found, status), (truth, _) = of_host(run.dump, "idle"), of_host(out, "idle")
        apart = found["total"]["load"] - truth["total"]["load"]
        checks.check(status == 0 and found["exact"] is None and abs(apart) <= found["resolution"],
                     f"account=off rate={rate}: load {found['total']['load']:.3f} %, {apart:+.4f} points off, "
                     f"of a resolution of {found['resolution']:.4f}")


def check_idle_loss(checks):
    """Every seventh frame is lost: the totals of what arrived last are those of the whole run."""
    whole = (lib.folder() / "idle-irq.dump").read_bytes()
    frames = [f for f in whole.split(b"\0") if f]
    kept = [f for i, f in enumerate(frames) if i % LOSS or i > len(frames) - 12]
    path = lib.folder() / "idle-cut.dump"
    path.write_bytes(b"\0" + b"\0\0".join(kept) + b"\0")
    cut, status = of_host(path, "idle", coming=True)
    found, _ = of_host(lib.folder() / "idle-irq.dump", "idle")
    checks.check(status == 3 and cut["total"] == found["total"],
                 f"{len(frames) - len(kept)} of {len(frames)} frames lost: the totals stand (status {status})")
    checks.check(sum(r["idle"] for r in cut["readings"]) == found["total"]["idle"], "the readings add up to them")


def check_idle_text(checks):
    run = lib.boot("idle-text", "monitor=idle seconds=2 seed=1", shift=3)
    line = [l for l in run.dump.read_text().splitlines() if l.startswith("idle ")]
    checks.check(run.status == lib.COMPLETE and len(line) == 1 and "% of 2.0" in line[0], f"as text: {line}")


def idle(checks):
    for name, words in IDLE_RUNS.items():
        check_idle_truth(checks, name, words)
    check_idle_without_account(checks)
    check_idle_loss(checks)
    check_idle_text(checks)


def disk_records(dump):
    return [head for head, _ in lib.records(dump, "DISK")]


def check_disk_counts(checks, name, found, tasks):
    """What can be said of any queue whose server is never idle while somebody waits."""
    end = found[-1]
    checks.check(len(found) > 2 and end["done"] > 300, f"{name}: {end['done']} requests in {len(found)} records")
    checks.check(0 <= end["requests"] - end["done"] <= end["longest"] <= tasks,
                 f"{name}: {end['longest']} in the queue at most")
    checks.check(end["waits"] <= end["queue"] <= end["waits"] + (end["requests"] - end["done"]) * end["time"],
                 f"{name}: the queue's time has that of {end['done']} requests in it")
    checks.check(end["busy"] <= end["waits"] + end["time"] * (end["requests"] > end["done"]),
                 f"{name}: it is not served before it is asked")
    span = [b["time"] - a["time"] for a, b in zip(found, found[1:])]
    busy = [b["busy"] - a["busy"] for a, b in zip(found, found[1:])]
    checks.check(all(0 < b <= s for b, s in zip(busy, span)),
                 f"{name}: busy for {100 * sum(busy) / sum(span):.1f} % of the time")


def disk(checks):
    words = "tasks=disk monitor=system,idle rate=2000 seconds=4 seed=1"
    table = lib.boot_table(checks, "disk", words, shift=3)
    found = disk_records(lib.folder() / "disk.dump")
    check_disk_counts(checks, "disk", found, 5)
    wrong = [f"{task}.{mode}" for (task, mode), cell in lib.cells(table) if lib.outside(cell)]
    checks.check(len(wrong) <= lib.most_misses(len(list(lib.cells(table)))), f"disk: the table is right {wrong}")
    denied = [t["text"] for t in table["texts"] if "HOSTIL made" in t["text"]]
    checks.check(len(denied) == 1, f"disk: what cannot be is refused {denied}")
    idle_found = last(lib.folder() / "disk.dump", "IDLE")
    checks.check(0 < idle_found["io"] <= idle_found["idle"], "disk: IDLE says how much of it was for the disk")
    again = lib.boot("disk-again", f"output=frames {words}", shift=3)
    other = lib.boot("disk-other", f"output=frames {words.replace('seed=1', 'seed=2')}", shift=3)
    checks.check(disk_records(again.dump) == found != disk_records(other.dump),
                 "disk: one seed repeats every count, another does not")
    # Every millisecond or so a task is ended while it waits: its request is served, and nobody is woken.
    flood = lib.boot_table(checks, "diskflood", "tasks=diskflood monitor=system,idle seconds=3 seed=1", shift=3)
    found = disk_records(lib.folder() / "diskflood.dump")
    check_disk_counts(checks, "diskflood", found, 16)
    ended = [t["text"] for t in flood["texts"] if "were ended while" in t["text"]]
    checks.check(found[-1]["refused"] > 0 and found[-1]["longest"] == 16,
                 f"diskflood: {found[-1]['refused']} find the queue full {ended}")
    for tick in ("clock=rtc", "delivery=nmi"):
        slow = lib.boot_table(checks, f"disk-{tick}", f"tasks=disk {tick} seconds=2 seed=1", shift=3)
        checks.check(slow["complete"] and disk_records(lib.folder() / f"disk-{tick}.dump")[-1]["done"] > 100,
                     f"disk: {tick}")


LOOK = 0.02  # seconds between the looks of PROBE for the end of a run

INTERCEPTED = {  # words; whether each interrupt of the RTC is told by the device too
    "figure3": "",
    "disk": "tasks=disk",
    "openstorm": "tasks=openstorm seconds=9",
    "two": "tick=pit,clock tasks=hog1",
    "rtc": "tick=rtc tasks=spin rate=1024",
    "log": "account=log",
    "none": "tick=none",
    "clock-rtc": "clock=rtc tasks=pollers",
}


def check_intercept_truth(checks, name, words):
    run = lib.boot(f"intercept-{name}", f"monitor=system,intercept output=frames seconds=3 seed=1 {words}", shift=3)
    found, status = of_host(run.dump, "intercept")
    if not checks.check(run.status == lib.COMPLETE and status == 0, f"{name}: the run ends well {run.said.strip()}"):
        return None
    checks.check(found["handlers"] == found["exact"] > 0,
                 f"{name}: handlers took {found['handlers']} clock units, by the exact table {found['exact']}")
    for v in found["vectors"]:
        checks.check(v["greatest"] <= v["time"] and v["latency_greatest"] <= v["latency"] and v["count"] > 0,
                     f"{name}: {v['count']} of {v['name']}, mean {v['time'] / v['count']:.0f}, greatest "
                     f"{v['greatest']}")
    return {v["name"]: v for v in found["vectors"]}


def check_intercept_ticks(checks, vectors):
    """The 8254 by the common entry: its latency by its counter, to a count."""
    tick = vectors["IRQ 0"]
    hello = next(lib.records(lib.folder() / "intercept-two.dump", "HELLO"))[0]
    count = hello["source_clock"] / 65536
    checks.check(tick["tick"] and tick["latencies"] == tick["count"], f"two: {tick['count']} ticks of the 8254")
    checks.check(abs(tick["latency"] / tick["count"] - hello["floor"]) < count,
                 f"two: latency {tick['latency'] / tick['count']:.0f} by the counter, {hello['floor']} measured at "
                 f"the start, a count is {count:.0f}")


def check_intercept_turns(checks):
    """A thousand times on and off under a storm whose handlers nest: the device and the monitor count the same."""
    told = {}
    for monitor in ("system,intercept", "system"):
        run = lib.boot_table(checks, f"turns-{monitor}",
                             f"tasks=intercept monitor={monitor} clock=1000 rate=1000 seconds=7 seed=1", shift=3)
        text = next(t["text"] for t in run["texts"] if "times on and off" in t["text"])
        told[monitor] = [int(word) for word in lib.re.findall(r"\d+", text)]
        checks.check(not lib.warnings(run), f"turns {monitor}: {text.strip()}")
    turns, device, counted, total = told["system,intercept"]
    checks.check(turns == 1000 and device == counted > 1000,
                 f"turns: {turns}, {device} interrupts by the device, {counted} by the monitor")
    checks.check(abs(total - told["system"][3]) <= 4096 * LOOK,
                 f"turns: {total} interrupts in all, {told['system'][3]} without the monitor")
    found, status = of_host(lib.folder() / "turns-system,intercept.dump", "intercept")
    checks.check(status == 0 and found["starts"] in (1001, 1002) and found["exact"] is None,
                 f"turns: redirected {found['starts']} times")


def intercept(checks):
    for name, words in INTERCEPTED.items():
        vectors = check_intercept_truth(checks, name, words)
        if name == "two" and vectors:
            check_intercept_ticks(checks, vectors)
    check_intercept_turns(checks)
    nmi = lib.boot_table(checks, "intercept-nmi",
                         "monitor=system,intercept delivery=nmi seconds=3 seed=1 tasks=openstorm", shift=3)
    checks.check(nmi["complete"], "nmi: the run ends well")
    run = lib.boot("intercept-text", "monitor=intercept seconds=2 seed=1", shift=3)
    checks.check(run.status == lib.COMPLETE and "Latency us" in run.dump.read_text() and
                 "\nclock " in run.dump.read_text(), "as text: a table")
    run = lib.boot("intercept-off", "monitor=intercept account=off seconds=1")
    checks.check(run.status == lib.FAILURE and "needs account=on or log" in run.said,
                 f"account=off is refused: {run.said.strip()}")


PARTS_OF_TIME = ("user", "supervisor", "kernel", "interrupt")


def acct_of(dump, *options):
    text, status = lib.host("acct", "--json", *options, dump)
    return json.loads(text) if text else None, status


def time_of(task):
    return sum(task[part] for part in PARTS_OF_TIME)


def check_acct_truth(checks, name, words):
    """All that tasks used, those that have ended included, is the exact table: to the clock unit."""
    run = lib.boot(f"acct-{name}", f"monitor=system,acct output=frames seconds=3 seed=1 {words}", shift=3)
    checks.check(run.status == lib.COMPLETE, f"{name}: the run ends well {run.said.strip()}")
    return check_acct_sum(checks, name, run.dump)


def check_acct_sum(checks, name, dump):
    found, status = acct_of(dump)
    if not checks.check(status == 0, f"{name}: acct reads it ({status})"):
        return None
    head = last(dump, "SNAPSHOT")
    exact = sum(row[part] + row[f"masked_{part}"] for part_head, rows in lib.records(dump, "EXACT")
                if part_head["serial"] == head["serial"] for row in rows for part in PARTS_OF_TIME)
    told = sum(map(time_of, found["tasks"]))
    checks.check(told == exact,
                 f"{name}: {len(found['tasks'])} tasks used {told} clock units, by the exact table {exact}")
    return found


def check_acct_moments(checks):
    """Two stretches add up to the whole; what is new, gone or touched."""
    dump = lib.folder() / "acct-turnover.dump"
    whole, _ = acct_of(dump)
    first, _ = acct_of(dump, "--to", "1.5")
    second, _ = acct_of(dump, "--from", "1.5")
    checks.check(first["to"] == second["from"], "turnover: the log is cut at one moment")
    used = [sum(map(time_of, part["tasks"])) for part in (first, second, whole)]
    checks.check(used[0] + used[1] == used[2], f"turnover: {used[0]} and {used[1]} clock units are {used[2]}")
    gone = [sum(t["gone"] for t in part["tasks"]) for part in (first, second, whole)]
    checks.check(gone[0] + gone[1] == gone[2] and gone[2] > 100 and whole["lost"] == 0,
                 f"turnover: of {gone[2]} ends {gone[0]} are in the first part")
    checks.check(all(t["new"] for t in first["tasks"]) and not all(t["new"] for t in second["tasks"]),
                 "turnover: old and new tasks")


def check_acct_steps(checks):
    """acct=2: the moments of the log are 2 s apart, in whole seconds of the run, and its end is one."""
    run = lib.boot("acct-steps", "monitor=system,acct output=frames seconds=7 seed=1 acct=2", shift=3)
    heads = [head for head, _ in lib.records(run.dump, "ACCT")]
    hz, begin = lib.stat(run.dump)["clock_hz"], last(run.dump, "SNAPSHOT")["begin"]
    moments = [round((time - begin) / hz, 1) for time in sorted({head["time"] for head in heads})]
    checks.check(run.status == lib.COMPLETE and len(moments) == 4 and
                 all(abs(m - s) < 0.5 for m, s in zip(moments, (2, 4, 6, 7))), f"acct=2: records at {moments} s")
    found, status = acct_of(run.dump)
    checks.check(status == 0 and found["to"] == last(run.dump, "SNAPSHOT")["end"],
                 "acct=2: the last one is of the last snapshot")


def acct(checks):
    for name, words in {"figure3": "", "disk": "tasks=disk", "turnover": "tasks=turnover",
                        "one-row": "tasks=turnover identity=image", "log": "account=log",
                        "none": "tick=none"}.items():
        found = check_acct_truth(checks, name, words)
        if name == "disk" and found:
            done = last(lib.folder() / "acct-disk.dump", "DISK")["done"]
            checks.check(abs(sum(t["io"] for t in found["tasks"]) - done) <= 16, f"disk: tasks had {done} requests")
            reader = next(t for t in found["tasks"] if t["name"] == "READER")
            checks.check(reader["activations"] > 50 and 0 < reader["response"] and reader["switches"] >=
                         reader["activations"], f"disk: READER answered {reader['activations']} times")
    check_acct_moments(checks)
    check_acct_steps(checks)
    run = lib.boot("acct-off", "monitor=acct output=frames account=off seconds=1")
    checks.check(run.status == lib.FAILURE and "needs account=on or log" in run.said,
                 f"account=off is refused: {run.said.strip()}")


PARTS = {"idle": idle, "disk": disk, "intercept": intercept, "acct": acct}


def main():
    checks = lib.Checks()
    PARTS[sys.argv[1]](checks)
    checks.finish()


if __name__ == "__main__":
    main()
