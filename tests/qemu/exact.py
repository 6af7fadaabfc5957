#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The exact table by ring against hwmon, which counts each instruction by the running task and its ring.

exact.py [WORKLOAD]...: without one, all of them.
"""

import collections
import json
import math
import sys

import lib

SHIFT = 5
POINTS = 0.05  # what a task's share at ring 3, at ring 1, and at ring 0 with handlers may be off by
WORKLOADS = {"calls": "seconds=2", "hog1": "seconds=4", "masked": "seconds=4", "openstorm": "seconds=6",
             "figure3": "seconds=4"}
DELIVERIES = ("irq", "nmi")
RINGS = {"user": 3, "supervisor": 1, "ring 0": 0}
TICK = 230  # instructions, the greater limit of tests/bench/ticks.py


def words(out, delivery):
    """What hwmon is told so that its window and MONITOR are those of the image."""
    close = "copy_rows_nmi" if delivery == "nmi" else "copy_exact_rows"
    return f"out={out},open=base_clock,close={close},monitor=tick_entry,monitor=nmi_entry"


def table_of(dump):
    """The exact table of a stream's last snapshot: shares without the monitor {(task, ring): percent},
    and MONITOR's of all."""
    head = list(lib.records(dump, "SNAPSHOT"))[-1][0]
    names = {row["id"]: row["name"] for _, rows in lib.records(dump, "NAMES") for row in rows}
    tau = head["end"] - head["begin"] - head["monitor"]
    found = collections.Counter()
    for part, rows in lib.records(dump, "EXACT"):
        for row in rows if part["serial"] == head["serial"] else ():
            for name, ring in (("user", 3), ("supervisor", 1), ("kernel", 0), ("interrupt", 0)):
                found[names[row["id"]], ring] += 100 * (row[name] + row[f"masked_{name}"]) / tau
    return found, 100 * head["monitor"] / (head["end"] - head["begin"])


def check(checks, tasks, delivery):
    name = f"{tasks}-{delivery}"
    out = lib.folder() / f"{name}.hwmon"
    out.unlink(missing_ok=True)
    table = lib.boot_table(checks, name, f"tasks={tasks} delivery={delivery} rate=1000 {WORKLOADS[tasks]} seed=1",
                           shift=SHIFT, options=("--hwmon", words(out, delivery)))
    truth, monitor = table_of(out)
    whole = sum(truth.values())
    found, said = table_of(lib.folder() / f"{name}.dump")
    checks.check(lib.stat(out)["complete"], f"{name}: the stream of hwmon is complete")
    checks.check(abs(whole - 100) < 1e-6, f"{name}: the count by task and ring adds to {whole:.6f} %, MONITOR "
                                          f"{monitor:.4f} % (exact {said:.4f})")
    errors = {}
    for task in sorted({task for task, _ in truth.keys() | found.keys()}):
        for what, ring in RINGS.items():
            errors[task, what] = found[task, ring] - truth[task, ring]
            if abs(errors[task, what]) > POINTS / 10:
                print(f"    {name}: {task} {what}: {found[task, ring]:.4f} % for a true {truth[task, ring]:.4f}")
    worst = max(errors, key=lambda cell: abs(errors[cell]))
    checks.check(abs(errors[worst]) <= POINTS,
                 f"{name}: {worst} is off by {errors[worst]:+.4f} points, {POINTS} at most")
    seen = max(map(abs, errors.values()))
    checks.check(seen <= table["resolution"],
                 f"{name}: the printed resolution is {table['resolution']:.4f} points, the error {seen:.4f}")
    check_compare(checks, name, table)


def check_compare(checks, name, account):
    """`compare` names hwmon as the truth and finds the same; by all four modes the account is within its printed
    resolution."""
    text, status = lib.host("compare", "--json", lib.folder() / f"{name}.dump", lib.folder() / f"{name}.hwmon")
    monitors = json.loads(text)["monitors"] if text else []
    checks.check(status == 0, f"{name}: compare reads both")
    truth = [m for m in monitors if m["truth"]]
    checks.check([(m["place"], m["monitor"]) for m in truth] == [("hardware", "exact account")],
                 f"{name}: hwmon is the truth")
    own = next(m for m in monitors if m["place"] == "software" and m["monitor"] == "exact account")
    checks.check(own["off"] <= own["points"] and math.isclose(own["points"], account["resolution"]),
                 f"{name}: compare has the account's {own['worst']} off by {own['off']:.4f} points")
    sampled = next(m for m in monitors if m["place"] == "software" and m["monitor"] != "exact account")
    checks.check(sampled["off"] > own["off"] and math.isclose(sampled["handler"], account["monitor"]["percent"]),
                 f"{name}: {sampled['monitor']} is off by {sampled['off']:.3f} points at {sampled['worst']}")
    counted = sampled["each"] * 1e9 / 2**SHIFT  # an instruction takes that many ns
    checks.check(abs(sampled["instructions"] - counted) < 0.01 * counted,
                 f"{name}: a tick takes {sampled['instructions']:.1f} instructions, by the emulator's clock "
                 f"{counted:.1f}")
    checks.check(not name.startswith("hog1") or counted <= TICK, f"{name}: {TICK} at most, where no tick is late")


def main():
    checks = lib.Checks()
    for tasks in sys.argv[1:] or WORKLOADS:
        for delivery in DELIVERIES:
            check(checks, tasks, delivery)
    checks.finish()


if __name__ == "__main__":
    main()
