#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""What a stranger does wrong with the core, and what kernels do, on a machine that is simulated (simulated.c): the
table is right, or a sentence says what is wrong."""

import functools
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/qemu"))

import lib

FEW = 32  # records


@functools.cache
def build(records):
    folder = lib.folder()
    program = folder / f"simulated-{records}"
    subprocess.run([ROOT / "tools/build/amalgamate", folder], check=True)
    subprocess.run(["gcc", "-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined",
                    f"-DCPUPROBE_RECORDS={records}", f"-I{folder}", ROOT / "tests/port/simulated.c",
                    folder / "cpuprobe-core.c", "-o", program], check=True)
    return program


def run(case, records=128):
    """The stream of a run, and what is said of it: the table, the status and the sentences of stat."""
    dump = lib.folder() / f"{case}-{records}.dump"
    done = subprocess.run([build(records), case, dump], stdout=subprocess.PIPE, text=True, check=False)
    found = subprocess.run([ROOT / "build/cpuprobe", "stat", dump], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True, check=False)
    return done, lib.stat(dump), found


def refused(case):
    """What cpuprobe_begin() says."""
    done = subprocess.run([build(128), case, "/dev/null"], stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout if done.returncode == 1 else ""


def share(table, name):
    return sum(row["total"]["percent"] for row in table["tasks"] if row["name"] == name)


def check_places(checks):
    """A place for each task, IDLE's from the start, whatever ids are."""
    _, table, found = run("five")
    checks.check(abs(share(table, "IDLE") - 95) < 2 and share(table, "LOST") == 0 and found.returncode == 0,
                 f"five tasks before the first idle tick: IDLE {share(table, 'IDLE'):.1f} {found.stderr}")
    _, table, _ = run("pages", FEW)
    shown = [row for row in table["tasks"] if row["task"] and row["total"]["hits"]]
    checks.check(len(shown) == 30 and share(table, "LOST") == 0,
                 f"30 pages in {FEW} records: {len(shown)} rows, {share(table, 'LOST'):.1f} % lost")
    _, table, found = run("crowd", FEW)
    lost = share(table, "LOST")
    checks.check(40 < lost < 60 and f"LOST has {lost:.1f} % of the samples" in found.stderr,
                 f"twice as many tasks as records: {lost:.1f} % lost, and told: {found.stderr.strip()}")


def check_names(checks):
    """The last name of a row; no row for each child that nobody told of."""
    _, table, found = run("exec")
    checks.check({"make", "gcc"} <= {row["name"] for row in table["tasks"]} and found.returncode == 0,
                 f"exec: the last names {found.stderr.strip()}")
    _, table, found = run("children")
    numbered = [row["name"] for row in table["tasks"] if row["name"].startswith("#")]
    checks.check(len(numbered) <= 42 and abs(share(table, "parent") - 50) < 5 and share(table, "LOST") == 0 and
                 found.returncode == 0,
                 f"children: {len(numbered)} rows of numbers, ENDED has {share(table, 'ENDED'):.1f} %")


def check_clocks(checks):
    """A clock of fewer bits is right where it is told; one that is wrong is told."""
    _, table, found = run("bits")
    checks.check(abs(share(table, "#1") - 50) < 3 and table["complete"] and found.returncode == 0 and
                 abs(table["samples"] - 5000) < 20, f"32 bits: {table['samples']} samples {found.stderr.strip()}")
    _, table, found = run("counts")
    checks.check(abs(share(table, "#1") - 50) < 3 and table["complete"] and found.returncode == 0 and
                 abs(table["samples"] - 500 * table["window"]["seconds"]) < 20,
                 f"no clock, but counts left: {table['samples']} samples {found.stderr.strip()}")
    checks.check("less than a quarter of a second" in refused("bits-24"), "24 bits of a clock of 1 GHz: refused")
    for case, sentence in (("wraps", "port.clock went back"), ("jumps", "port.clock went back"),
                           ("sleeps", "stands still meanwhile (in a halt?)"), ("twice", "is it called twice")):
        done, table, found = run(case)
        checks.check(sentence in done.stdout + found.stderr, f"{case}: told: {done.stdout} {found.stderr.strip()}")


def check_source(checks):
    """A source that drives the kernel too; a calibration that cannot be right."""
    _, table, found = run("drives")
    checks.check("port.shared, or options.policy exponential" in found.stderr,
                 f"the tick switches tasks: told: {found.stderr.strip()}")
    _, table, found = run("shared")
    checks.check(table["policy"]["name"] == "exponential" and not found.stderr and abs(share(table, "#1") - 50) < 5,
                 f"and the port says so: {table['policy']['name']}, {share(table, '#1'):.1f} {found.stderr.strip()}")
    for case, sentence in (("one-and-a-half", "port.clock_hz and port.source_hz do not agree"),
                           ("double", "port.clock_hz and port.source_hz do not agree"),
                           ("coarse", "a one-shot came in no time by port.clock"),
                           ("slow-tick", "a tick takes more than half a mean interval"),
                           ("held-up", "ticks are late by more than a mean interval")):
        said = refused(case)
        checks.check(sentence in said, f"{case}: refused: {said.strip()}")


def check_account(checks):
    """One that is too small is told."""
    _, table, found = run("account")
    tasks = [row for row in table["tasks"] if row["task"] and row["name"][0] == "#"]
    off = max(abs(row["total"]["exact"] - 100 / 30) for row in tasks)
    checks.check(off < 0.2 and "too few rows" not in found.stderr, f"30 tasks, 64 rows: {off:.2f} points off")
    _, table, found = run("missed-hook")
    checks.check(found.returncode == 3 and "does each switch of tasks" in found.stdout,
                 f"a switch that is not told: status {found.returncode}")
    _, table, found = run("ends-itself")
    ended = next(row["total"] for row in table["tasks"] if row["name"] == "ENDED")
    checks.check(found.returncode == 0 and abs(ended["exact"] - ended["percent"]) < 2 and ended["exact"] > 45,
                 f"children that end themselves: ENDED has {ended['exact']:.1f}, {ended['percent']:.1f} by samples")
    _, table, found = run("few-rows")
    checks.check("options.account has too few rows" in found.stderr, f"30 tasks, 4 rows: {found.stderr.strip()}")


def main():
    checks = lib.Checks()
    check_places(checks)
    check_names(checks)
    check_clocks(checks)
    check_source(checks)
    check_account(checks)
    checks.finish()


if __name__ == "__main__":
    main()
