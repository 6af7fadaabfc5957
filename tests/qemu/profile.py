#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Profiling by instrumentation beside samples: a program of known work,
and one that writes garbage into its table."""

import json

import lib

# Instructions of a turn of kernel/tasks/nested.c by function: two a unit of spin(), and those around them.
TRUTH = {"once": 6002, "twice": 2 * 2002, "deep": 4 * 506, "tiny": 50 * 22, "outer": 1006, "turn": 165}
CALLS = {"turn": 1, "once": 1, "outer": 1, "twice": 2, "deep": 4, "tiny": 50}
# points: what the program measures of its instrumentation is less than the compiler adds to each function
NET = 1.0
COST = 5.0      # points between the cost by calls and the samples in the hooks: those see what the calibration cannot
WIDER = lib.DEVIATIONS / 1.96  # from the printed interval of 95 % to one that chance alone does not leave
PROGRAM = 1.0   # points: what the instructions around spin() are less certain than the work
BENT = 8.0      # points that tiny(), which is called 50 times a turn, gains by the instrumentation, at least
HOOKS = ("__cyg_profile_func_enter", "__cyg_profile_func_exit", "leave", "enter", "row_of")
WORDS = "seconds=4 rate=2000 seed=1 monitor=system,samples output=frames"


def profile(dump, *options):
    text, status = lib.host("profile", "--json", *options, dump)
    found = json.loads(text)
    return found, {f["name"]: f for f in found["functions"]}, status


def check_counts(checks, name, found, by_name):
    """Every count is that of the turns, but for the one that is not over."""
    turns = by_name["turn"]["calls"]
    wrong = {f: by_name[f]["calls"] for f, n in CALLS.items()
             if not n * (turns - 1) <= by_name[f]["calls"] <= n * turns}
    checks.check(turns > 1000 and not wrong, f"{name}: {turns} turns, all calls are counted {wrong}")
    inner = by_name["outer"]["exclusive"] + by_name["twice"]["exclusive"]
    checks.check(abs(by_name["outer"]["inclusive"] - inner) < 1e-4,
                 f"{name}: outer() has its own time and that of twice()")
    whole = sum(f["exclusive"] for f in found["functions"])
    checks.check(abs(whole - found["ran"]) < 1e-4,
                 f"{name}: {whole:.6f} s by function of {found['ran']:.6f} s that the task ran")


def check_shares(checks, by_name):
    whole = sum(TRUTH.values())
    for function, instructions in TRUTH.items():
        f, truth = by_name[function], 100 * instructions / whole
        checks.check(abs(f["net_percent"] - truth) <= NET,
                     f"{function}: {f['net_percent']:.2f} % by calls of {truth:.2f}, {f['percent']:.2f} with the "
                     "instrumentation")
        plain = f["plain"]
        room = WIDER * max(plain["percent"] - plain["low"], plain["high"] - plain["percent"]) + PROGRAM
        checks.check(abs(plain["percent"] - truth) <= room,
                     f"{function}: {f['plain']['percent']:.2f} % by samples without instrumentation")
    tiny = by_name["tiny"]
    checks.check(tiny["percent"] - tiny["plain"]["percent"] > BENT, "tiny() gains most by the instrumentation")


def check_names(checks, found, by_name):
    never = [f["name"] for f in found["functions"] if f["instrumented"] and not f["counted"]]
    checks.check(never == ["never"], f"never called: {never}")
    hooks = sum(by_name[h]["sampled"]["percent"] for h in HOOKS if h in by_name)
    checks.check(abs(hooks - found["cost_percent"]) < COST,
                 f"the hooks have {hooks:.2f} % of the samples, {found['cost_percent']:.2f} % by calls")


def check_scribbled(checks):
    run = lib.boot("scribbled", f"tasks=scribbled {WORDS}", shift=3)
    found, by_name, status = profile(run.dump, "--task", "TRACED", "--beside", "PLAIN")
    checks.check(run.status == lib.COMPLETE and status == 0, f"beside garbage: the run ends well {run.said.strip()}")
    check_counts(checks, "beside garbage", found, by_name)
    check_shares(checks, by_name)
    text, status = lib.host("profile", "--task", "SCRIB", run.dump, coming=True)
    checks.check(status == 3 and "impossible" in text, f"garbage is told to be impossible (status {status})")
    _, status = lib.host("stat", "--strict", run.dump)
    checks.check(status == 0, "the stream is sound")


def main():
    checks = lib.Checks()
    run = lib.boot("nested", f"tasks=nested {WORDS}", shift=3)
    found, by_name, status = profile(run.dump, "--beside", "PLAIN")
    checks.check(run.status == lib.COMPLETE and status == 0, f"the run ends well {run.said.strip()}")
    check_counts(checks, "alone", found, by_name)
    check_shares(checks, by_name)
    check_names(checks, found, by_name)
    check_scribbled(checks)
    checks.finish()


if __name__ == "__main__":
    main()
