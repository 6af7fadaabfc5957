#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The zoom over the link ends where ROGUE's instructions are by exact count: its hottest function,
its hottest instruction."""

import collections
import json
import pathlib
import re
import signal
import subprocess
import sys

import lib
import rogue
from link import Link

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "host"))
import schema  # noqa: E402

TIE = 0.9  # of the most instructions: windows of this length cannot tell them apart
STEP = re.compile(r"^ *(\d+) 0x([0-9a-f]+)-0x([0-9a-f]+) +2\^(\d+) +(\d+) +[\d.]+(?: +([\d.]+)-([\d.]+))?(?:\n "
                  r"{5}(\S.*))?$", re.M)
PROGRESS = re.compile(r"step \d+: (\d+) of (\d+) s")


def truth(checks):
    """Instructions by function and by address, of a run like that which is zoomed into."""
    counts = {address: times for address, _, times in rogue.count(checks, "truth", rogue.PROGRAM, "")}
    by_function = collections.Counter()
    for name, (first, size) in rogue.functions(rogue.PROGRAM).items():
        by_function[name] = sum(counts.get(a, 0) for a in range(first, first + size))
    return counts, by_function


def command(link, *options):
    return [lib.ROOT / "build/cpuprobe", "zoom", "--task", "rogue", "--progress", *options, link.path]


def run(checks, link, *options):
    done = subprocess.run(command(link, *options), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", check=False)
    told = [(int(now), int(all_of_it)) for now, all_of_it in PROGRESS.findall(done.stderr)]
    checks.check(told and all(now <= all_of_it for now, all_of_it in told),
                 f"the progress never passes its end: {told[-1:]}")
    print(done.stdout + done.stderr)
    return done.stdout, done.returncode


def zoom(checks, link, *options):
    text, status = run(checks, link, *options)
    return [(int(s[1]), int(s[2], 16), int(s[3], 16), int(s[5]), s[8] or "") for s in STEP.finditer(text)], status


def zoom_json(checks, link, *options):
    """The same steps from --json, whose object is as its schema says."""
    text, status = run(checks, link, "--json", *options)
    told = json.loads(text)
    fault = schema.fault("zoom", told)
    checks.check(not fault and told["complete"] == (status == 0) and
                 (told["task"], told["mode"]) == ("ROGUE", "user"), f"--json: {fault or told['until']}")
    rows = told["steps"]
    checks.check(all(abs(row["percent"] - 100 * row["hits"] / row["samples"]) < 1e-9 and
                     row["low"] <= row["percent"] <= row["high"] for row in rows),
                 f"shares are of the samples of each window: {[row['samples'] for row in rows]}")
    return [(n, int(row["start"], 16), int(row["end"], 16), row["hits"], f"hottest {row['found']}: {row['name']}")
            for n, row in enumerate(rows, 1)], status


def check_narrower(checks, steps):
    sizes = [high - low for _, low, high, _, _ in steps]
    wider = [what for size, before, (*_, what) in zip(sizes[1:], sizes, steps[1:]) if size > before]
    checks.check(all(what.startswith("hottest function") for what in wider) and len(steps) > 4,
                 f"ever fewer addresses, but for a whole function: {sizes} {wider}")
    checks.check(all(hits > 0 for *_, hits, _ in steps), "with hits in each")


def check_interrupted(checks, link):
    """Ctrl-C in the middle of a window: the monitors are put back before the end."""
    with subprocess.Popen(command(link, "--seconds", "1000"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors="replace") as live:
        heard = ""
        while "step 1:" not in heard and live.poll() is None:
            heard += live.stderr.read(1)
        live.send_signal(signal.SIGINT)
        heard += live.stderr.read()
    checks.check(live.returncode == 3 and "interrupted" in heard,
                 f"interrupted, it says so ({live.returncode}): {heard.strip()}")
    check_monitors(checks, link)


def check_monitors(checks, link):
    out, _, code, _ = link.control("set")
    checks.check(code == 0 and "monitor=system,samples" in out and "region=none" in out,
                 "the monitors are as they were")


def main():
    checks = lib.Checks()
    counts, by_function = truth(checks)
    most = max(by_function.values())
    hot = [name for name, times in by_function.items() if times >= TIE * most]
    print(f"most instructions: {by_function.most_common(4)}")
    with Link("zoom", "tasks=figure3 seconds=0 rate=1000 monitor=system,samples seed=1") as link:
        steps, status = zoom(checks, link, "--until", "instruction", "--seconds", "12")
        checks.check(status == 0 and steps, f"the zoom ends well ({status})")
        check_narrower(checks, steps)
        ends = [what for *_, what in steps if what.startswith("hottest function: ")]
        found = ends[0].rpartition(" ")[2] if ends else ""
        checks.check(found in hot, f"it ends in {ends}; by count the hottest is one of {hot}")
        _, low, _, _, what = steps[-1]
        first, size = rogue.functions(rogue.PROGRAM).get(found, (0, 0))
        most = max([counts.get(a, 0) for a in range(first, first + size)], default=0)
        checks.check("hottest instruction" in what and counts.get(low, 0) >= 0.8 * most,
                     f"{what}: {counts.get(low, 0)} times, of {most} at most")
        steps, status = zoom_json(checks, link, "--until", "50", "--seconds", "6")
        checks.check(status == 0 and steps, f"the zoom to a share ends well ({status})")
        check_narrower(checks, steps)
        _, low, high, _, _ = steps[-1]
        share = sum(n for a, n in counts.items() if low <= a < high) / sum(counts.values())
        checks.check(0.42 < share < 0.75,
                     f"0x{low:x}-0x{high:x} has {100 * share:.1f} % of the instructions, half were asked for")
        check_monitors(checks, link)
        check_interrupted(checks, link)
        text, status = run(checks, link, "--json", "--seconds", "2", "--mode", "supervisor")
        checks.check(status != 0 and not json.loads(text)["complete"] and not schema.fault("zoom", json.loads(text)),
                     "a task without hits there: said, not shown")
    checks.finish()


if __name__ == "__main__":
    main()
