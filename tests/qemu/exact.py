#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The exact table by ring against a plugin of QEMU that counts each instruction by the running task and its ring.

exact.py [WORKLOAD]...: without one, all of them.
"""

import collections
import re
import subprocess
import sys

import lib

SHIFT = 5
POINTS = 0.05  # what a task's share at ring 3, at ring 1, and at ring 0 with handlers may be off by
WORKLOADS = {"calls": "seconds=2", "hog1": "seconds=4", "masked": "seconds=4", "openstorm": "seconds=6", "figure3": "seconds=4"}
DELIVERIES = ("irq", "nmi")
RINGS = {"user": 3, "supervisor": 1, "ring 0": 0}
IMAGE = lib.ROOT / "build/cpuprobe.elf"


def symbols():
    """The image's, and where one ends; what the compiler put behind a name is left out."""
    text = subprocess.run(["nm", "-n", IMAGE], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = {}
    for address, _, name in (line.split() for line in text.splitlines()):
        found.setdefault(re.sub(r"\.(lto_priv|constprop|isra|part)\.\d+", "", name), int(address, 16))
    return found


def offsets():
    lines = (lib.ROOT / "build/offsets.inc").read_text().splitlines()
    return {name: int(value) for name, value in re.findall(r"(\w+) (?:equ )?(\d+)", "\n".join(lines))}


def plugin(out, delivery):
    at, given = symbols(), offsets()
    syscalls = (at["syscall_entry"], at["supervisor_entry"], at["syscall_entry_logged"], at["supervisor_entry_logged"])
    ring0 = [(at["vector_stubs"], at["interrupt_entry"]), *((at[n], at[n] + 1) for n in ("tick_entry", "nmi_entry")),
             *((a, a + 1) for a in syscalls[::2])]
    words = [f"out={out}", f"shift={SHIFT}", f"current={at['current']:#x}", f"switch={at['switch_stacks.switched']:#x}",
             f"label={given['TASK_NAME']}:{given['TASK_NAME_BYTES']}", f"open={at['base_clock']:#x}",
             f"close={at['copy_rows_nmi' if delivery == 'nmi' else 'copy_exact_rows']:#x}",
             *(f"gate=0:{low:#x}-{high:#x}" for low, high in ring0),
             *(f"gate=1:{a:#x}-{a + 1:#x}" for a in syscalls[1::2]),
             *(f"monitor={at[n]:#x}" for n in ("tick_entry", "nmi_entry"))]
    return ",".join([f"{lib.ROOT}/build/qemu/task_time.so", *words])


def counted(path):
    """What the plugin counted: shares of the window without the monitor {(task, ring): percent}, and the monitor's of all."""
    window, monitor, found = 0, 0, collections.Counter()
    for word, *rest in (line.split() for line in path.read_text().splitlines()):
        if word == "task":
            for ring, time in enumerate(rest[1:]):
                found[rest[0], ring] += int(time)
        elif word == "window":
            window = int(rest[0])
        else:
            monitor = int(rest[0])
    tau = window - monitor
    return {cell: 100 * time / tau for cell, time in found.items()}, 100 * sum(found.values()) / tau, 100 * monitor / window


def printed(dump):
    """The same of the image's exact table."""
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
    out = lib.folder() / f"{name}.time"
    out.unlink(missing_ok=True)
    table = lib.boot_table(checks, name, f"tasks={tasks} delivery={delivery} rate=1000 {WORKLOADS[tasks]} seed=1", shift=SHIFT,
                           options=("--qemu-arg", "-plugin", "--qemu-arg", plugin(out, delivery)))
    truth, whole, monitor = counted(out)
    found, said = printed(lib.folder() / f"{name}.dump")
    checks.check(abs(whole - 100) < 1e-6, f"{name}: the count by task and ring adds to {whole:.6f} %, MONITOR {monitor:.4f} % (exact {said:.4f})")
    errors = {}
    for task in sorted({task for task, _ in truth.keys() | found.keys()}):
        for what, ring in RINGS.items():
            errors[task, what] = found[task, ring] - truth.get((task, ring), 0)
            if abs(errors[task, what]) > POINTS / 10:
                print(f"    {name}: {task} {what}: {found[task, ring]:.4f} % for a true {truth.get((task, ring), 0):.4f}")
    worst = max(errors, key=lambda cell: abs(errors[cell]))
    checks.check(abs(errors[worst]) <= POINTS, f"{name}: {worst} is off by {errors[worst]:+.4f} points, {POINTS} at most")
    seen = max(map(abs, errors.values()))
    checks.check(seen <= table["resolution"], f"{name}: the printed resolution is {table['resolution']:.4f} points, the error {seen:.4f}")


def main():
    checks = lib.Checks()
    for tasks in sys.argv[1:] or WORKLOADS:
        for delivery in DELIVERIES:
            check(checks, tasks, delivery)
    checks.finish()


if __name__ == "__main__":
    main()
