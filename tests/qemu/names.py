#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Two programs never share a row: names that agree in 14 characters, names of rows that are no program's, and names
of the image's tasks; each has its own functions."""

import re
import shutil
import subprocess

import lib

SOURCE = lib.ROOT / "tests/qemu/linux/named.c"
WORDS = "rate=1000 seconds=2 seed=1 monitor=system,samples"
ROWS = {  # file: its row, the function that it works in
    "two-names-alike-1": ("two-names-alik", "work_one"),
    "two-names-alike-2": ("two-names-al#2", "work_two"),
    "two-names-alike-3": ("two-names-al#3", "work_one"),  # a copy of the first
    "two-na": ("two-na", "work_two"),  # six characters, which are the id of a row
    "IDLE": ("IDLE#2", "work_one"),
    "MASKED": ("MASKED#2", "work_two"),
    "LOST": ("LOST#2", "work_one"),
    "PROBE": ("PROBE#2", "work_two"),
    "ROGUE": ("ROGUE", "work_one"),  # stands before figure3, whose ROGUE is the second then
}


def programs():
    """One of each function; work_two has a build id."""
    made = {}
    for work, build in (("work_one", "none"), ("work_two", "sha1")):
        made[work] = lib.folder() / work
        flags = ["-O1", "-static", f"-DWORK={work}", f"-Wl,--build-id={build}"]
        subprocess.run(["gcc", *flags, SOURCE, "-o", made[work]], check=True)
    for name, (_, work) in ROWS.items():
        shutil.copy(made[work], lib.folder() / name)
    return made


def check_functions(checks, dump, made):
    """Of each row, with both programs named."""
    named = [word for path in made.values() for word in ("-s", path)]
    for row, work in ROWS.values():
        text, _ = lib.host("histogram", "--by", "function", "--task", row, *named, dump)
        rows = re.findall(r"^(\w+) +([0-9.]+) ", text, re.M)
        checks.check(rows and rows[0][0] == work and len(rows) < 20, f"functions of {row}: {rows[:2]}")


def check_ids(checks, dump):
    found = {row["name"]: row["build"] for _, rows in lib.records(dump, "PROGRAMS") for row in rows}
    one = found["two-names-alike-1"]
    checks.check(re.fullmatch("loaded:[0-9a-f]{16}", one) and one == found["two-names-alike-3"] == found["IDLE"],
                 f"a program without a build id has the hash of what it loads, and its copies the same: {one}")
    checks.check(re.fullmatch("[0-9a-f]{40}", found["two-na"]), f"another has its build id: {found['two-na']}")


def check_stripped(checks, made):
    """strip changes no byte that is loaded, so that the file with symbols names the stripped one's addresses."""
    subprocess.run(["strip", "-o", lib.folder() / "bare", made["work_one"]], check=True)
    run = lib.boot("bare", f"output=frames tasks=file:bare {WORDS}", options=("--file", lib.folder() / "bare"))
    text, _ = lib.host("histogram", "--by", "function", "--task", "bare", "-s", made["work_one"], run.dump)
    foreign = lib.said("histogram", "--by", "function", "--task", "bare", "-s", made["work_two"], run.dump)
    checks.check("work_one" in text, "the file with symbols names those of the stripped one")
    checks.check("is not a program that ran" in foreign, f"another file is told: {foreign.strip()[:120]}")
    refused = lib.said("report", "-o", lib.folder() / "page.html", "-s", lib.folder() / "bare", run.dump)
    checks.check(refused.count("is stripped: it has no symbol table") == 1,
                 f"a file that both runs of a page could have is refused once: {refused.strip()}")


def check_run(checks):
    """tools/run of a file named as a row that is no program's."""
    done = subprocess.run(lib.supervised(lib.ROOT / "tools/run", lib.folder() / "IDLE"), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    checks.check(done.returncode == 0 and "IDLE#2 exited" in done.stdout and "work_one" in done.stdout,
                 f"tools/run IDLE: {done.returncode}, {done.stdout.splitlines()[:2]}")


def main():
    checks = lib.Checks()
    made = programs()
    files = [word for name in ROWS for word in ("--file", lib.folder() / name)]
    tasks = ",".join(f"file:{name}" for name in ROWS)
    run = lib.boot("names", f"output=frames tasks={tasks},figure3 {WORDS}", options=files)
    table = lib.run_table(checks, "names", run)
    names = [row["name"] for row in table["tasks"]]
    wanted = {row for row, _ in ROWS.values()} | {"ROGUE#2", "IDLE", "PROBE"}
    checks.check(wanted <= set(names) and len(set(names)) == len(names), f"rows: {' '.join(names)}")
    texts = " ".join(text["text"] for text in table["texts"])
    checks.check("tasks=file:IDLE: its row is IDLE#2, another row is IDLE" in texts, "another name is told")
    check_functions(checks, run.dump, made)
    check_ids(checks, run.dump)
    check_stripped(checks, made)
    check_run(checks)
    checks.finish()


if __name__ == "__main__":
    main()
