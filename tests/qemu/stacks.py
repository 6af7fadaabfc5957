#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""stack=: the paths of a program of known work have their shares;
frame pointers that lead nowhere fault nothing and are told."""

import collections
import json
import math
import re
import subprocess

import lib

WORDS = "output=frames monitor=system,samples"
WAY = 0.03     # of the whole: the instructions around the work, as in profil.py
ROOT = "_start;main;turn"
# Units of work of a turn of kernel/tasks/nested.c by path, its own.
PATHS = {f"{ROOT};outer;twice": 2000, f"{ROOT};once": 3000, f"{ROOT};outer": 500, f"{ROOT};tiny": 500,
         **{ROOT + ";deep" * depth: 250 for depth in range(1, 5)}}
# of a task's samples at most that are on no path of the program: before main(), in the middle of a `leave`
OTHER = 0.005
# How a walk ends for each task of kernel/workload/workload_hostile.c, and how many callers it has.
FRAMES = {"NONE": ("whole", 0), "SELF": ("broken", 1), "ODD": ("broken", 0), "KERNEL": ("broken", 0),
          "WILD": ("broken", 0), "STACK": ("broken", 0), "NOWHER": ("absent", 0), "EDGE": ("absent", 0),
          "LONG": ("cut", 15)}
SHORTEST = re.compile(r"no tick is less than (\d+\.\d+) us behind another's arming")
# The mean interval of a run where walks could delay ticks, in shortest ones: 1 - exp(-1/2), 39 %,
# of its exponential ones are shorter.
NEAR = 2
ENDS = ("whole", "cut", "broken", "absent")


def folded(checks, name, dump):
    """Samples by path: task;mode;functions, without lines."""
    text, status = lib.host("export", "--format", "folded", "-o", "-", dump)
    checks.check(status == 0, f"{name}: folded stacks are written ({status})")
    found = collections.Counter()
    for line in text.splitlines():
        path, hits = line.rsplit(" ", 1)
        frames = [frame for frame in path.split(";") if frame != "spin" and ":" not in frame]  # inlined, and its line
        found[";".join(frames)] += int(hits)
    return found


def walks(dump):
    return [head for head, _ in lib.records(dump, "STACK_WALKS")][-1]


def user_hits(table):
    return {r["name"]: r["user"]["hits"] for r in table["tasks"] if r["name"] not in lib.NOT_TASKS}


def check_conserved(checks, name, table, dump):
    """Each sample of a task in user mode has its walk, and each sample its place in the flame graph."""
    told, hits = walks(dump), sum(user_hits(table).values())
    checks.check(sum(told[end] for end in ENDS) == hits and told["lost"] == 0,
                 f"{name}: {hits} samples in user mode: {told}")
    said, _ = lib.host("stat", dump)
    checks.check(table["stacks"] == {name: told[name] for name in table["stacks"]} and
                 ("\ncallers  " in said) == any(told[end] for end in (*ENDS[1:], "lost")),
                 f"{name}: stat tells the same: {table['stacks']}")
    paths = folded(checks, name, dump)
    checks.check(sum(paths.values()) == table["samples"],
                 f"{name}: the flame graph has {sum(paths.values())} of {table['samples']} samples")
    return paths


def check_paths(checks, name, words, fixed=False, **how):
    """`fixed`: the ticks may be in step with the program, so that paths are looked for and not their shares."""
    table = lib.boot_table(checks, name, f"tasks=nested {WORDS} stack=15 {words}", shift=5, **how)
    paths = check_conserved(checks, name, table, lib.folder() / f"{name}.dump")
    hits, work = user_hits(table)["PLAIN"], sum(PATHS.values())
    for path, units in PATHS.items():
        p, share = units / work, paths[f"PLAIN;user;{path}"] / hits
        most = lib.DEVIATIONS * math.sqrt(p * (1 - p) / hits) + WAY
        checks.check(share > 0 if fixed else abs(share - p) <= most,
                     f"{name}: {path} has {share:.3f} of {hits} samples, of {p:.3f} of the work")
    away = sum(n for path, n in paths.items()
               if path.startswith("PLAIN;user;") and not path.startswith(f"PLAIN;user;{ROOT}"))
    checks.check(away <= OTHER * hits + 3, f"{name}: {away} of {hits} samples have other callers")
    return table


def check_frames(checks, name, words):
    """Frame pointers that lead nowhere: counted by cause, with the callers up to there."""
    table = lib.boot_table(checks, name, f"tasks=frames {WORDS} stack=15 seconds=2 rate=1000 interval=random seed=1 "
                                         f"cost=any {words}", shift=5)
    dump = lib.folder() / f"{name}.dump"
    paths = check_conserved(checks, name, table, dump)
    told, hits = walks(dump), user_hits(table)
    for end in ENDS:
        tasks = [task for task, (how, _) in FRAMES.items() if how == end]
        checks.check(abs(told[end] - sum(hits[task] for task in tasks)) <= len(FRAMES),
                     f"{name}: {told[end]} {end}: {', '.join(tasks)}")
    for task, (_, callers) in FRAMES.items():
        most = max((path for path in paths if path.startswith(f"{task};user;")), key=paths.get, default="")
        checks.check(hits[task] > 50 and most.count(";") == 2 + callers,
                     f"{name}: {task}: {most[:60]}, {hits[task]} samples")


def check_late(checks, name, words):
    """No tick comes before the longest walk is over: mean intervals of two walks,
    and a chain as long as one can be."""
    program = lib.folder() / "longwalk"
    subprocess.run(["gcc", "-static", "-nostdlib", "-no-pie", lib.ROOT / "tests/qemu/linux/longwalk.c", "-o",
                    program], check=True)
    tasks = (f"tasks=file:longwalk {WORDS} stack=15 thin=auto clock=10 seconds=1 seed=1 interval=exponential "
             f"health=off {words}")
    brought = {"shift": 5, "options": ("--door", "multiboot", "--file", str(program))}
    first = lib.boot(f"{name}-slow", f"{tasks} cost=any rate=1000", **brought)
    shortest = next(float(SHORTEST.search(h["text"])[1]) for h, _ in lib.records(first.dump, "TEXT")
                    if SHORTEST.search(h["text"]))
    rate = int(1e6 / shortest / NEAR)
    table = lib.boot_table(checks, name, f"{tasks} cost=any rate={rate}", **brought)
    told = walks(lib.folder() / f"{name}.dump")
    long = lib.row(table, "longwalk")["user"]["hits"]
    checks.check(told["cut"] == long > table["samples"] / 2,
                 f"{name}: {told['cut']} walks of {long} samples at {rate} Hz are the longest")
    masked = lib.row(table, "MASKED")
    checks.check(masked["total"]["low999"] <= masked["total"]["exact"] if masked else table["late"] == 0,
                 f"{name}: {table['late']} late ticks of {table['samples']}, no more than what is masked: {masked}")
    most = int(1e6 / shortest * 1.01)
    for what, words, said in (("few", f"rate={rate}", "more than 1 in 20 of the points would fall into handlers"),
                              ("points", f"cost=any rate={most}",
                               "more than half of the points would fall into handlers"),
                              ("relative", f"arm=relative rate={most}",
                               "the mean interval is shorter than the smallest count")):
        run = lib.boot(f"{name}-refused-{what}", f"{tasks} {words}", **brought)
        checks.check(run.status == lib.FAILURE and said in run.said,
                     f"{name}: {words} is refused: {run.said.strip()[-190:]}")


def check_same(checks):
    """Two boots give the same bytes; with stack=0 there is no such record."""
    runs = [lib.boot(f"same{n}", f"tasks=nested {WORDS} stack=3 seconds=1 rate=500 interval=random seed=2", shift=5)
            for n in (1, 2)]
    checks.check(all(run.status == lib.COMPLETE for run in runs) and
                 runs[0].dump.read_bytes() == runs[1].dump.read_bytes(), "two boots give the same bytes")
    checks.check(walks(runs[0].dump)["cut"] > 0, "with three callers some walks are cut")
    check_told(checks, runs[0].dump)
    off = lib.boot("off", f"tasks=nested {WORDS} stack=0 seconds=1 rate=500 interval=random seed=2", shift=5)
    none = not list(lib.records(off.dump, "STACK_WALKS")) and not list(lib.records(off.dump, "CALL_STACKS"))
    checks.check(off.status == lib.COMPLETE and none, "stack=0: no record of stacks")


def check_told(checks, dump):
    """The reports that tell callers, of a run where some are missing."""
    run = json.loads(lib.host("report", "--json", dump)[0])["runs"][0]
    noted = [finding["text"] for finding in run["trust"]["findings"] if finding["topic"] == "callers"]
    most = max(node[3] for node in run["code"]["calls"])
    checks.check(len(noted) == 1 and f"{walks(dump)['cut']} cut" in noted[0] and most == run["code"]["samples"],
                 f"the report: {noted}, {most} samples by calls")
    checks.check("  stacks   up to 3 callers of samples in user mode: "
                 f"{walks(dump)['whole']} whole" in lib.host("info", dump)[0], "info tells the walks")
    written = lib.folder() / "same.chrome"
    _, status = lib.host("export", "--format", "chrome", "-o", written, dump)
    checks.check(status == 0 and '"once"' in written.read_text(),
                 f"each sample has its callers in the trace of Chrome ({status})")


def check_crashme(checks):
    """Programs of random bytes, with registers of any value."""
    run = lib.boot("crashme", f"tasks=crashme {WORDS} stack=15 seconds=3 rate=3000 interval=random seed=3 "
                              "thin=auto cost=any", shift=5, options=lib.RANDOM_CODE)
    checks.check(run.status == lib.COMPLETE, f"crashme: the run ends well ({run.status}) {run.said.strip()[-80:]}")
    told = walks(run.dump)
    checks.check(told["broken"] > 0 and sum(told[end] for end in ENDS) > 100, f"crashme: {told}")


def check_refused(checks):
    for words in ("monitor=system stack=1", "monitor=system,samples output=frames stack=16",
                  "monitor=samples tick=none output=frames stack=1"):
        run = lib.boot("refused", f"tasks=nested seconds=1 seed=1 {words}", shift=5)
        checks.check(run.status == lib.FAILURE and "stack" in run.said,
                     f"{words} is refused: {run.said.strip()[-70:]}")


def main():
    checks = lib.Checks()
    check_paths(checks, "irq", "seconds=3 rate=1500 interval=random seed=1 cost=any")  # many points fall into walks
    check_paths(checks, "nmi", "seconds=2 rate=1000 interval=random seed=1 delivery=nmi cost=any")
    check_paths(checks, "slu-timeout", "seconds=2 tick=slu-timeout slu=com2,38400", fixed=True)
    check_late(checks, "late", "")
    check_late(checks, "late-nmi", "delivery=nmi")
    # by the entry of all interrupts
    check_paths(checks, "lapic", "seconds=2 rate=1000 interval=random seed=1 tick=lapic clock=rtc cost=any")
    check_frames(checks, "frames", "")
    check_frames(checks, "frames-nmi", "delivery=nmi")
    check_same(checks)
    check_crashme(checks)
    check_refused(checks)
    checks.finish()


if __name__ == "__main__":
    main()
