#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Reports of the monitors beside sampling, over runs that are made by rule: each number is known beforehand.

The runs are those of tests/host/dump_monitors.h and tests/host/event_run.h,
and a log of changes that an image sent once.
"""

import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tarfile
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402
import schema  # noqa: E402

TOOL = os.environ.get("CPUPROBE", lib.ROOT / "build/cpuprobe")
MS = 1_000_000           # clock units
CYCLES = 100             # of the run with events, 10 us each
TURNS = "0=one:task=ROGUE,1=two:task=CP"
PROGRAM = """
    .globl alpha, beta, never, plain, __cyg_profile_func_enter
    .type alpha, @function
    .type beta, @function
    .type never, @function
    .type plain, @function
    .type __cyg_profile_func_enter, @function
alpha: call __cyg_profile_func_enter
    call beta
    .skip 16, 0x90
    ret
    .size alpha, . - alpha
    .balign 64
beta: call __cyg_profile_func_enter
    .skip 16, 0x90
    ret
    .size beta, . - beta
    .balign 64
never: jmp __cyg_profile_func_enter
    .size never, . - never
    .balign 64
plain: ret
    .size plain, . - plain
__cyg_profile_func_enter: ret
    .size __cyg_profile_func_enter, . - __cyg_profile_func_enter
    .section .note.GNU-stack, "", @progbits
"""


def made(name, *words):
    path = lib.folder() / f"{name}.dump"
    with path.open("wb") as to:
        subprocess.run([lib.ROOT / "build/host" / words[0], *words[1:]], stdout=to, check=True)
    return path


def run(*words):
    done = subprocess.run([TOOL, *map(str, words)], capture_output=True, text=True, timeout=60, check=False,
                          stdin=subprocess.DEVNULL)
    return done.stdout, done.stderr, done.returncode


class Reports:
    def __init__(self, checks):
        self.checks = checks

    def json(self, *words):
        text, said, status = run(*words)
        self.checks.check(status == 0 and text, f"{words[0]} --json ends with {status} {said.strip()}")
        found = schema.objects(words[0], text)
        faults = "".join(schema.fault(words[0], each) for each in found)
        self.checks.check(not faults, f"{words[0]} --json is as its schema says {faults}")
        return found[-1]

    def says(self, status, pattern, *words):
        """Its exit status, and a pattern in one of its lines."""
        text, said, got = run(*words)
        self.checks.check(got in (status if isinstance(status, tuple) else (status,)) and
                          re.search(pattern, text + said, re.M),
                          f"{' '.join(map(str, words[:4]))}: {got}, /{pattern}/"
                          + ("" if got == status else f" {said.strip().partition(chr(10))[0]}"))
        return text

    def refuses(self, pattern, *words):
        self.says(2, pattern, *words)

    def draws(self, *words):
        """An SVG that is XML and has a title."""
        text, said, status = run(*words, "--svg", "-")
        title = (xml.etree.ElementTree.fromstring(text).find(".//{http://www.w3.org/2000/svg}text") if status == 0
                 else None)
        self.checks.check(status == 0 and title is not None, f"{words[0]} --svg: {len(text)} bytes {said.strip()}")


# ---- idle counters, intercept, account log ----

def software(r, monitors):
    found = r.json("idle", "--json", monitors)
    r.checks.check((found["total"]["idle"], found["exact"], found["total"]["halts"]) == (60 * MS + 3000, 60 * MS, 30),
                   "idle: the exact table's time, and 100 clock units for each halt")
    r.checks.check(sum(reading["idle"] for reading in found["readings"]) == found["total"]["idle"],
                   "idle: the readings add up")
    r.says(0, r"^idle +17\.1682 % of 0\.349 s .* 30 halts", "idle", monitors)
    r.says(0, r"^exact +17\.1674 %", "idle", monitors)
    found = r.json("intercept", "--json", monitors)
    r.checks.check(found["handlers"] == found["exact"] == 15 * MS,
                   "intercept: the vectors but ticks are the exact table's interrupts")
    r.says(0, r"^clock +300 +1\.7167 +20\.000 +40\.000 +0\.500 +2\.000$", "intercept", monitors)
    r.says(0, r"^COM1 .* n\.a\. +n\.a\.$", "intercept", monitors)
    r.says(0, r"ticks: the time is MONITOR's$", "intercept", monitors)
    for command, words in (("idle", "holds no idle counters"), ("intercept", "holds no intercepted"),
                           ("acct", "holds no account log"), ("profile", "no program counted its calls")):
        r.says(1, words, command, made("run", "make_dump", "run"))
    r.says(1, "the stream has 1", "idle", "--epoch", "2", monitors)
    r.refuses("an epoch is a number from 1", "intercept", "--epoch", "0", monitors)


def used(acct):
    return {t["task"]: t["user"] + t["supervisor"] + t["kernel"] + t["interrupt"] for t in acct["tasks"]}


def account_log(r, monitors):
    whole, first, second = (r.json("acct", "--json", *words, monitors)
                            for words in ((), ("--to", "0.25"), ("--from", "0.25")))
    both = {task: used(first).get(task, 0) + used(second).get(task, 0) for task in used(whole)}
    r.checks.check(first["to"] == second["from"] and both == used(whole),
                   "acct: two stretches are the whole, task by task")
    fates = {t["task"]: (t["new"], t["gone"]) for t in r.json("acct", "--json", "--from", "0.12", monitors)["tasks"]}
    r.checks.check(fates[6] == (True, False) and fates[3] == (False, True) and fates[2] == (False, False),
                   "acct: from the first moment on one task is new, one is gone")
    r.says(0, r"^    3 CP .* gone$", "acct", monitors)
    r.says(0, r"^    2 ROGUE +6\.009 +0\.000 +2\.747 +0\.858 +9\.614 +30 +60 +6 +1500\.0 +16 +30 +400\.0 +1000\.0 ",
           "acct", monitors)
    r.says(0, "^disk +30 requests, 29 done, 3 found the queue full; busy 0.090 s", "acct", "--all", monitors)
    r.checks.check("disk " not in run("acct", "--from", "0.2", monitors)[0],
                   "acct: the disk's counters are those of the whole run")
    r.says(1, "no two moments", "acct", "--to", "0.0001", monitors)
    r.refuses("--from must be before --to", "acct", "--from", "2", "--to", "1", monitors)


# ---- tick counters, load meters ----

def tick_counters(r, load):
    found = r.json("procstat", "--json", load)
    told = {name: mode["told"] for name, mode in found["modes"].items()}
    r.checks.check(list(told.values()) == [12, 3, 9, 6, 1, 3] and found["ticks"] == 3 * 116,
                   f"procstat: in 1/100 s, cut: {told}")
    r.checks.check(abs(found["busy"] - (100 - 700 / 34)) < 1e-9 and abs(found["busy_elapsed"] - (100 - 7 / 0.3495)) <
                   1e-9, "procstat: the load by the sum of modes and by elapsed time")
    first, second = (r.json("procstat", "--json", *words, load)["ticks"]
                     for words in (("--to", "0.25"), ("--from", "0.2")))
    r.checks.check(first + second == found["ticks"], f"procstat: two stretches are the whole: {first} + {second}")
    r.says(0, r"^CP +5 +30 +60 ", "procstat", load)
    r.says(0, r"^load averages 1\.00 0\.50 0\.25 ", "procstat", load)
    r.says(0, r"^/proc/PID/stat read \d+ times, 120 bytes and 4\.000 us each, 3\.000 at least", "procstat", load)
    r.checks.check([(f["file"], f["mean"], f["least"]) for f in found["reads"]] ==
                   [("/proc/stat", 4e-6, 3e-6), ("/proc/PID/stat", 4e-6, 3e-6)],
                   "procstat: what readings of the texts cost")
    r.checks.check(abs(found["step"] - 100 / 34) < 1e-9 and abs(found["step_elapsed"] - 1 / 0.3495) < 1e-9,
                   "procstat: how precise a level can be")
    r.says(1, "no two readings", "procstat", "--to", "0.0001", load)
    r.says(1, "holds no tick counters", "procstat", lib.folder() / "run.dump")
    r.refuses("--from must be before --to", "procstat", "--from", "2", "--to", "1", load)
    shown = r.json("stat", "--json", load)
    r.checks.check(shown["procstat"]["busy"] == found["busy"] and shown["idletask"] and shown["perfcall"] and
                   shown["proctable"], "stat: tick counters and load meters are in the table's object")
    r.checks.check(shown["events"]["classes"] == {"switch": 300, "wake": 120} and
                   shown["events"]["first_lost"] is None, "stat: events by class")
    r.says(0, "^  events   0 recorded, 0 of them overwritten, 0 lost; switch 300 wake 120$", "info", load)


def processes(r, load):
    tables = r.json("ps", "--json", load)["tables"]
    r.checks.check([t["passes"] for t in tables] == [100, 200, 300],
                   f"ps: {len(tables)} tables, with the passes so far")
    text = r.says(0, r"^0\.118 s: 80 passes of 3 tasks, 75\.00 % not of IDLE$", "ps", load)
    r.checks.check(text.count("ROGUE") == 3 and re.search(r"^\+", text, re.M) and re.search(r"^-", text, re.M),
                   "ps: a line a process, new and ended ones marked")
    head, other, idle = r.says(0, "", "ps", made("passes", "make_dump", "passes")).splitlines()[1:4]
    counts = {tuple(map(int, re.findall(r"(?<= )\d{4,}(?= |$)", line))) for line in (idle, other)}
    r.checks.check(counts == {(1234567890,), (1234567890, 1234567890, 12345678901234567890)} and
                   len(head) == len(other) == len(idle), f"ps: columns of up to 20 digits, blanks between: {other}")
    r.says(1, "holds no table of processes", "ps", lib.folder() / "run.dump")


# ---- calls by caller, export ----

def callers(r, monitors):
    r.says(0, r"^ROGUE +300 +60 +58\.983 .* 0x401234$", "histogram", "--callers", monitors)
    r.says(0, r" service .*0x401280$", "histogram", "--callers", "--task", "ROGUE", monitors)
    rows = r.json("stat", "--json", monitors)["callers"]["rows"]
    r.checks.check([(len(row["pcs"]), row["samples"]) for row in rows] == [(1, 60), (1, 60), (2, 60)],
                   "stat: each call's addresses are a list")
    calls = r.json("histogram", "--json", "--callers", "--task", "ROGUE", monitors)["rows"]
    r.checks.check(calls and all(row["name"] == "ROGUE" and len(row["callers"]) == len(row["pcs"]) for row in calls),
                   "histogram: and of one task")
    r.says(1, "no calls by caller", "histogram", "--callers", lib.folder() / "run.dump")


def exported(r, monitors):
    """A gmon.out: its head, a histogram, and all ticks of the task's own profile."""
    to = lib.folder() / "gmon.out"
    r.says(0, "", "export", "--format", "gmon", "--task", "ROGUE", "--output", to, monitors)
    data = to.read_bytes()
    low, high, bins, rate = struct.unpack_from("<QQII", data, 21)
    counts = struct.unpack_from(f"<{bins}H", data, 21 + 24 + 16)
    r.checks.check(data[:4] == b"gmon" and low == 0x401000 < high and rate in (119, 120) and
                   sum(counts) == 2 * (20 * 6 + 190), f"export: {sum(counts)} ticks at {rate} Hz from 0x{low:x}")
    r.refuses("--format and --output are needed", "export", monitors)
    r.refuses("'gprof' is not a choice: pprof", "export", "--format", "gprof", monitors)
    r.says(1, "No such file", "export", "--format", "gmon", "--task", "ROGUE", "-o", "-", "/no/such/file")
    r.says(0, "", "export", "--format", "gmon", "--epoch", "1", "--task", "ROGUE", "-o", to,
           lib.folder() / "calls.dump")
    r.checks.check(to.read_bytes()[:4] == b"gmon", "export: of samples, where the task kept no profile")
    r.says(1, "does not tell the rate|no hits|has no addresses", "export", "--format", "gmon", "--task", "ROGUE",
           "-o", to, lib.folder() / "run.dump")
    r.says(1, "has no addresses", "export", "--format", "gmon", "--task", "ROGUE", "--samples", "-o",
           lib.folder() / "none.out", monitors)


# ---- counted calls ----

def assembled(name, text):
    path = lib.folder() / name
    subprocess.run(["gcc", "-nostdlib", "-static", "-no-pie", "-Wl,-Ttext=0x401000,-ealpha,--build-id=0xfeedbee1",
                    "-x", "assembler", "-", "-o", path], input=text, text=True, check=True)
    return path


def profile(r):
    names = ("--symbols", assembled("calls.elf", PROGRAM))
    calls = made("calls", "make_dump", "calls")
    found = r.json("profile", "--json", *names, calls)
    by_name = {f["name"]: f for f in found["functions"]}
    # 100 clock units a call, half of it inside: 1000 x 50 inside and 2000 x 50 for the calls that it made.
    r.checks.check(abs(by_name["alpha"]["net"] - (10 - 150e-6)) < 1e-9 and
                   abs(by_name["beta"]["net"] - (30 - 100e-6)) < 1e-9, "profile: the cost of the calls is taken off")
    r.checks.check(by_name["alpha"]["calls"] == 1000 and by_name["alpha"]["percent"] == 25 and
                   abs(by_name["beta"]["inclusive"] - 30) < 1e-9, "profile: calls, inclusive and exclusive times")
    r.checks.check(by_name["alpha"]["sampled"]["hits"] == 720 and by_name["beta"]["sampled"]["hits"] == 1440,
                   "profile: samples beside them")
    never = [f for f in by_name if by_name[f]["instrumented"] and not by_name[f]["counted"]]
    r.checks.check(never == ["never"] and not by_name["plain"]["instrumented"], f"profile: never called: {never}")
    r.says(0, "^never called +never$", "profile", *names, calls)
    r.says(0, "^lost +3 calls nested too deep, 4 of functions without a row", "profile", *names, calls)
    r.says(0, r"^alpha +1000 +40000\.00 +10000\.00 +25\.00 ", "profile", *names, "--task", "ROGUE", "--beside",
           "ROGUE", calls)
    r.says(1, "--symbols FILE", "profile", calls)
    r.says(1, "counted no calls", "profile", *names, "--task", "IDLE", calls)
    r.says(3, "1 rows of functions did not arrive", "profile", *names, made("missing", "make_dump", "calls-missing"))
    r.says(1, "No such file", "profile", "--symbols", "/no/such/file", calls)


# ---- reports over time ----

def trace(r, events):
    *lines, last = [json.loads(line) for line in run("trace", "--json", events)[0].splitlines()]
    r.checks.check(last["summary"]["shown"] == len(lines), "trace: the last line counts them")
    r.checks.check(len(lines) == 20 * CYCLES and all(a["time"] <= b["time"] for a, b in zip(lines, lines[1:])),
                   f"trace: {len(lines)} events in order")
    exits = [line["duration"] for line in lines if line["event"] == "syscall-exit"]
    r.checks.check(len(exits) == CYCLES and all(abs(d - 1e-6) < 1e-12 for d in exits), "trace: a call takes 1 us")
    text, _, _ = run("trace", "--filter", "class=wake and task=ROGUE", "--from", "0.0025", "--to", "0.0026", events)
    r.checks.check(len(re.findall(r"^0\.0025\d+ ROGUE interrupt wake CP", text, re.M)) == 10,
                   "trace: a filter and a stretch")
    r.says(0, r"\) +-|CP user", "trace", "--steps", "--filter", "task=CP", events)
    followed, told, _ = run("trace", "--follow", events)
    r.checks.check("2000 events" in followed + told and "unknown" not in followed,
                   "trace: --follow knows each event as it comes")
    r.says(1, "have no event sync in common", "trace", events, events)
    r.says(1, "No such file", "trace", events, "/no/such/file")
    r.refuses("one too many", "trace", events, events, events)
    r.refuses("reads one stream", "trace", "--follow", events, events)
    r.refuses(r"--filter: ", "trace", "--filter", "task~X", events)
    r.refuses("--from must be below --to", "trace", "--from", "3", "--to", "2", events)
    r.says(1, "has nothing at these times", "gantt", "--from", "5", events)


def waits(r, events):
    found = r.json("waits", "--json", events)
    tasks = {t["name"]: t for t in found["tasks"]}
    r.checks.check(tasks["ROGUE"]["waits"] == CYCLES and abs(tasks["ROGUE"]["longest"] - 6.5e-6) < 1e-12,
                   "waits: ROGUE waits 6.5 us each time")
    r.checks.check(abs(tasks["CP"]["behind"]["ROGUE"] - CYCLES * 0.8e-6) < 1e-9,
                   "waits: CP waits 0.8 us behind ROGUE")
    whole = {name: sum(t[state] for state in ("ran", "ready", "slept", "absent", "unknown"))
             for name, t in tasks.items()}
    r.checks.check(all(abs(seconds - (found["end"] - found["begin"])) < 1e-9 for seconds in whole.values()),
                   f"waits: each row is the whole time {whole}")
    r.says(0, r"^CP +80\.0 us  ROGUE 100\.0%", "waits", events)


def durations(r, events):
    for kind, row in (("response", r"^response +100 +680 us +6\.80 us"),
                      ("syscall", r"^syscall +5 +100 +100 us +1\.00 us"), ("masked", r"^masked +299 ")):
        r.says(0, row, "durations", events)
        r.says(0, r"\*", "durations", "--of", kind, events)
    r.says(0, r"\*", "durations", "--of", "interrupt:0x40", "--task", "ROGUE", events)
    r.says(0, r"\*", "durations", "--of", "response", "--linear", "1e-6", events)
    r.draws("durations", "--of", "latency", events)
    r.refuses("there is no kind 'naps'", "durations", "--of", "naps", events)
    r.refuses("is no number", "durations", "--of", "syscall:x", events)
    r.refuses("need --of", "durations", "--linear", "1", events)
    r.says(2, "less than a clock unit", "durations", "--of", "tick", "--linear", "1e-12", events)
    r.says(1, "No such file", "masked", "--symbols", "/no/such/file", events)
    r.refuses("is not a number of seconds", "durations", "--of", "tick", "--linear", "0", events)
    r.says(0, r"^system call 5 +100 +10\.0 us", "masked", "--longest", "2", events)


def charts(r, events, log):
    for stream in (events, log):
        for command in ("gantt", "load"):
            r.draws(command, stream)
            r.says(0, "100|ROGUE|IDLE|CP", command, "--ascii", "--width", "60", stream)
    r.says(0, "REST|two", "gantt", "--classes", TURNS, "--rows", "1", events)
    r.says(0, r"^0\.002|^#", "load", "--table", "--step", "0.0001", events)
    r.says(1, "No such file|cannot", "gantt", "--svg", "/no/such/folder/x.svg", events)


def states(r, events, log):
    lines = run("states", "--json", "--classes", TURNS, "--match", "1 0", "--hits", events)[0].splitlines()
    *hits, whole = map(json.loads, lines)
    r.checks.check(len(hits) == whole["match"]["count"] == CYCLES and {h["changes"] for h in hits} == {2},
                   f"states: {len(hits)} turns of CP and ROGUE")
    shares = {c["class"]: c["share"] for c in whole["classes"]}
    r.checks.check(abs(sum(shares.values()) - 1) < 1e-9 and abs(shares["1"] - 6.4 / 9.976) < 1e-9 and
                   abs(shares["R"] - 0.1 / 9.976) < 1e-9, f"states: CP without the tick, which is REST: {shares}")
    r.says(0, "^0 +one ", "states", "--classes", TURNS, events)
    r.says(0, "two", "states", "--classes", TURNS, "--tree", "--ascii", events)
    r.draws("states", "--classes", TURNS, events)
    r.says(0, r"#", "states", "--classes", TURNS, "--match", "0 1", "--show", "3", "--ascii", events)
    r.says(0, "hit +at second", "states", "--classes", TURNS, "--match", "[01]+", "--hits", events)
    r.says(0, "mode|user", "states", "--of", "CP", events)
    r.says(0, "PAUSE", "states", "--classes", "START:event=7,STOP:event=9,a:mode=user,b:else", events)
    r.says(0, "the tree has no class for some states", "states", "--classes", "a:mode=user", events)
    tree = lib.folder() / "tree"
    tree.write_text("# a file\n0 = inner.user : mode=user\n1 = inner.masked : masked=yes + mode=kernel\ninner : "
                    "mode=user/kernel\nrest : else\n")
    r.says(0, "inner", "states", "--classes", f"@{tree}", "--tree", events)
    r.says(2, "No such file", "states", "--classes", "@/no/such/tree", events)
    tree.write_bytes(b"#" * 70000)
    r.says(2, "at most 65536 bytes", "states", "--classes", f"@{tree}", events)
    r.says(2, "--classes: ", "states", "--classes", "a:b:c", events)
    r.says(1, "no task has the name", "states", "--of", "NOBODY", events)
    r.says(0, "hits", "states", "--match", "0", "--linear", "1e-6", "--from", "0.0025", "--to", "0.0026", events)
    r.says(1, "less than a clock unit", "states", "--match", "0", "--linear", "1e-12", events)
    r.says(1, "--match: ", "states", "--match", "(", events)
    r.says(1, "there is no hit 999", "states", "--match", "0", "--show", "999", events)
    r.says(3, "which is not known of", "states", "--classes", "a:call=3,b:else", log)
    r.refuses("need --match", "states", "--hits", events)
    r.refuses("draws nothing", "states", "--json", "--tree", events)
    for command in ("waits", "states", "gantt"):
        r.says(1, "boot the image with", command, lib.folder() / "run.dump")


def recorded_classes(r, dump):
    """Classes that an image recorded once: a second of the paper's system with monitor=states stamp=us."""
    found = r.json("states", "--json", dump)
    seconds = {c["name"]: c["seconds"] for c in found["classes"]}
    r.checks.check(found["changes"] == 4494 and abs(sum(seconds.values()) - 1.003897) < 1e-5,
                   f"recorded: {found['changes']} changes: {seconds}")
    of = {task: r.json("states", "--json", "--of", task, dump)["classes"] for task in ("ROGUE", "CP")}
    r.checks.check(all(0 < sum(c["seconds"] for c in classes) < 1.0 for classes in of.values()),
                   f"recorded: of one task: {of}")
    r.says(0, "user", "states", "--tree", "--ascii", dump)
    r.says(0, "hits", "states", "--match", "[04]+ 5", dump)
    r.says(0, "^0 +user", "states", "--from", "0.6", "--to", "0.7", dump)
    r.says(0, "^0 user", "gantt", "--ascii", dump)
    r.says(1, "to put into another tree", "states", "--classes", TURNS, dump)
    r.says(1, "no task has the name", "states", "--of", "NOBODY", dump)


def model(r, events):
    found = r.json("model", "--json", events)
    tasks = {t["name"]: t for t in found["tasks"]}
    r.checks.check(tasks["CP"]["cycle"] == "think" and tasks["ROGUE"]["cycle"] == "run" and
                   abs(tasks["CP"]["cpu"] - 6.5e-6) < 1e-12 and abs(tasks["CP"]["measured"]["response"] - 7.3e-6) <
                   1e-9, "model: what CP demands, and how long it takes")
    use = {s["name"]: s["use"] for s in found["stations"]}
    r.checks.check(use["disk"] == 0 and abs(use["cpu"] - 1) < 1e-9, f"model: {use}")
    faster = r.json("model", "--json", "--scale", "cpu=2", "--tasks", "CP=2", "--cpu", "fifo", events)
    r.checks.check(all(t["changed"] for t in faster["tasks"]) and "cpu=2" in faster["changes"],
                   "model: of a changed machine")
    r.says(0, "^cpu +200481", "model", events)
    r.says(0, "cpu=2", "model", "--scale", "cpu=2", events)
    for wrong in (("--scale", "tape=2"), ("--scale", "cpu=0"), ("--scale", "cpu"), ("--tasks", "NOBODY=2"),
                  ("--tasks", "CP=1.5"), ("--cpu", "lifo")):
        r.says((1, 2), "tape|factor|NAME=NUMBER|NOBODY|tasks are|shared or fifo", "model", *wrong, events)
    r.says(1, "boot the image with", "model", lib.folder() / "run.dump")


def compare(r, monitors, events, log):
    """Each monitor of the streams has a line; the idle counters see one share only."""
    found = r.json("compare", "--json", "--rows", "3", monitors, events, log)["monitors"]
    kinds = [m["monitor"].partition(",")[0] for m in found]
    for kind in ("exact account", "idle counters", "events", "log of changes"):
        r.checks.check(any(k.startswith(kind) for k in kinds), f"compare: {kind} is one of {kinds}")
    r.says(0, "idle counters", "compare", "--epoch", "1", "--strict", monitors)
    r.draws("compare", monitors, events, log)
    r.says(0, "AU", "load", "--ascii", monitors)
    r.says(0, "AU", "load", "--acct", "--ascii", monitors)
    r.says(0, "AU", "load", "--table", "--from", "0.1", "--to", "0.3", monitors)
    r.says(0, "ROGUE|CP", "load", "--table", made("one", "make_dump", "run"))


def shapes(r, monitors):
    run_twice = made("twice", "make_dump", "two")
    r.says(0, "<svg", "kiviat", "--axes", "busy,IDLE,ROGUE:user,lost,monitor,STOLEN", "--one-scale", "--strict",
           "--svg", "-", monitors, run_twice)
    r.says(1, "no run has 'NOBODY:user'", "kiviat", "--axes", "busy,NOBODY:user,lost", monitors)
    r.refuses("has no name", "kiviat", "--axes", "busy,,lost", monitors)
    r.refuses("standard input", "kiviat", "-", "-")
    r.refuses("standard input", "compare", "-", "-")


def main():
    checks = lib.Checks()
    r = Reports(checks)
    monitors, events = made("monitors", "make_dump", "monitors"), made("events", "make_events", str(CYCLES))
    with tarfile.open(lib.ROOT / "tests/golden/streams.tar") as archive:
        for name in ("log.dump", "classes.dump"):
            archive.extract(name, lib.folder())
    software(r, monitors)
    account_log(r, monitors)
    load = made("load", "make_dump", "load")
    tick_counters(r, load)
    processes(r, load)
    callers(r, monitors)
    profile(r)
    exported(r, monitors)
    trace(r, events)
    waits(r, events)
    durations(r, events)
    charts(r, events, lib.folder() / "log.dump")
    states(r, events, lib.folder() / "log.dump")
    recorded_classes(r, lib.folder() / "classes.dump")
    model(r, events)
    compare(r, monitors, events, lib.folder() / "log.dump")
    shapes(r, monitors)
    checks.finish()


main()
