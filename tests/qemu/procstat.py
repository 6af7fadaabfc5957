#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""monitor=procstat: every tick of the system clock is charged once, to what it found; told as the kernel tells it."""

import json

import lib

MODES = ("user", "nice", "system", "idle", "iowait", "irq")
SECONDS = 2
MOMENTS = 4  # of the run that is cut at readings
TASKS = {"user": ("tasks=spin", 100), "disk": ("tasks=disk", 250), "storm": ("tasks=openstorm seconds=5", 1000),
         "rings": (f"tasks=figure3 seconds={MOMENTS}", 1000), "turnover": ("tasks=turnover", 1000),
         "rtc": ("tasks=figure3", 128), "beside": ("tasks=figure3 tick=clock interval=fixed", 100)}


def read(dump, *options):
    text, status = lib.host("procstat", "--json", *options, dump)
    return json.loads(text) if text else None, status


def told(ticks, hz):
    """1/100 s as that kernel makes them of ticks."""
    nanoseconds = 10 ** 9 // hz
    return ticks * (nanoseconds // 10 ** 7) if nanoseconds % 10 ** 7 == 0 else ticks * nanoseconds // 10 ** 7


def check_sums(checks, name, found, hz):
    ticks = sum(found["modes"][m]["ticks"] for m in MODES)
    checks.check(found["hz"] == hz and ticks == found["ticks"] and found["passed"] - 2 < ticks < found["passed"] + 1,
                 f"{name}: {ticks} ticks of {found['passed']:.1f} that passed")
    checks.check(all(m["told"] == told(m["ticks"], hz) for m in found["modes"].values()),
                 f"{name}: rescaled from {hz} Hz")
    checks.check(abs(sum(m["level"] for m in found["modes"].values()) - 100) < 1e-6, f"{name}: levels add up")
    user, system = (sum(t[kind] for t in found["tasks"]) for kind in ("user", "system"))
    outer, inner = (sum(found["modes"][m]["ticks"] for m in of) for of in (("user", "nice"), ("system", "irq")))
    gone = name == "turnover"
    checks.check((user < outer if gone else user == outer) and (system <= inner if gone else system == inner),
                 f"{name}: tasks have {user} of {outer} and {system} of {inner} ticks")


def check_run(checks, name, words, hz):
    clock = "rtc" if hz == 128 else hz
    run = lib.boot(f"procstat-{name}", f"monitor=system,procstat output=frames clock={clock} "
                                       f"rate={hz if name == 'beside' else 1000} seed=1 seconds={SECONDS} {words}",
                   shift=3)
    found, status = read(run.dump)
    if not checks.check(run.status == lib.COMPLETE and status == 0, f"{name}: the run ends well {run.said.strip()}"):
        return None
    check_sums(checks, name, found, hz)
    checks.check(lib.stat(run.dump)["procstat"]["modes"] == found["modes"], f"{name}: stat tells the same")
    return found


def check_beside(checks, found):
    """Ticks that are samples too see the same, row by row; late ones are samples of MASKED,
    and ticks of whatever ran."""
    table = lib.stat(lib.folder() / "procstat-beside.dump")
    late = table["late"]
    for task in found["tasks"]:
        row = lib.row(table, task["name"])
        hits = row["user"]["hits"] + row["supervisor"]["hits"], row["kernel"]["hits"] + row["interrupt"]["hits"]
        off = max(abs(h - t) for h, t in zip(hits, (task["user"], task["system"])))
        checks.check(off <= 1 + late,
                     f"beside: {task['name']} has {hits} samples, {task['user']} and {task['system']} ticks")


def check_moments(checks, dump):
    whole, _ = read(dump)
    first, _ = read(dump, "--to", "2.5")
    second, _ = read(dump, "--from", "1.5")
    checks.check(first["to"] == second["from"], "moments: cut at one reading")
    for mode in MODES:
        parts = [d["modes"][mode]["ticks"] for d in (first, second, whole)]
        checks.check(parts[0] + parts[1] == parts[2], f"moments: {mode} {parts}")


NOHZ = "monitor=system,idle,procstat nohz=on clock=1000 rate=1000 seconds=2 seed=1"


def check_nohz(checks):
    """Idle and iowait are the time across HLT in whole ticks, rounded up; no tick comes meanwhile."""
    for tasks in ("pauses", "disk", "figure3"):
        run = lib.boot(f"nohz-{tasks}", f"output=frames tasks={tasks} {NOHZ}", shift=3)
        found, status = read(run.dump)
        head = list(lib.records(run.dump, "IDLE"))[-1][0]
        hz = lib.stat(run.dump)["clock_hz"]
        wanted = [-(-(clocks * 10 ** 6 // hz) // 1000) for clocks in (head["idle"] - head["io"], head["io"])]
        told_idle = [found["modes"][m]["ticks"] for m in ("idle", "iowait")]
        checks.check(status == 0 and all(abs(a - b) <= 1 for a, b in zip(wanted, told_idle)) and sum(wanted) > 0,
                     f"nohz {tasks}: idle and iowait {told_idle} ticks, {wanted} across HLT")


REFUSED = {"monitor=system": "no procstat", "clock=rtc": "ticks by itself",
           "tick=clock rate=100": "a sampler whose ticks stop",
           "sched=decay": "counts the clock", "tick=slu slu=com2 interval=fixed": "restart a UART"}


def check_refused(checks):
    for words, why in REFUSED.items():
        run = lib.boot("nohz-refused", f"monitor=system,procstat nohz=on seconds=1 {words}")
        checks.check(run.status == lib.FAILURE and why in run.said, f"nohz=on {words}: {run.said.strip()}")


def check_text(checks):
    run = lib.boot("procstat-text", "monitor=procstat seconds=2 seed=1 tasks=spin", shift=3)
    lines = [l for l in run.dump.read_text().splitlines() if l.startswith("procstat ")]
    checks.check(run.status == lib.COMPLETE and "% of 199 ticks; load" in lines[0] or
                 "% of 200 ticks; load" in lines[0], f"as text: {lines}")
    checks.check(any(l.startswith("procstat SPIN") for l in lines), "as text: a line a task")


def main():
    checks = lib.Checks()
    found = {name: check_run(checks, name, words, hz) for name, (words, hz) in TASKS.items()}
    modes = {name: {m: f["modes"][m]["ticks"] for m in MODES} for name, f in found.items() if f}
    checks.check(modes["user"]["user"] > 0.99 * found["user"]["ticks"], f"user: {modes['user']}")
    checks.check(modes["disk"]["iowait"] > 0.2 * found["disk"]["ticks"], f"disk: {modes['disk']}")
    checks.check(modes["storm"]["irq"] > 0 and modes["rings"]["irq"] == 0,
                 f"irq only where handlers let interrupts in: {modes['storm']}")
    check_beside(checks, found["beside"])
    check_moments(checks, lib.folder() / "procstat-rings.dump")
    check_nohz(checks)
    check_refused(checks)
    check_text(checks)
    checks.finish()


if __name__ == "__main__":
    main()
