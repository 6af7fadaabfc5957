#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""What `cpuprobe report` writes, without a browser: its numbers are those of stat, its parts agree,
damage is told."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KINDS = "run fixed random raw raw-lost two exception monitors load calls audit points-left-out".split()
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)
POLICY = ("default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; "
          "form-action 'none'")
MOST = 2_000_000
failed = []


def check(well, sentence):
    print(("ok: " if well else "FAIL: ") + sentence)
    if not well:
        failed.append(sentence)


def tool(*words):
    done = subprocess.run([str(ROOT / "build/cpuprobe"), *map(str, words)], capture_output=True, text=True,
                          check=False)
    return done.stdout, done.returncode


def page(*words):
    text, status = tool("report", *words, "-o", "-")
    return text, status, json.loads(DATA.search(text).group(1)) if status in (0, 3) else None


def stat(dump):
    text, status = tool("stat", "--json", dump)
    return json.loads(text), status


def check_tree(name, run):
    """Each node has the samples of its children, and those of a task are those of its row."""
    nodes = run["code"].get("nodes")
    if not nodes:
        return
    sums = [0] * len(nodes)
    for number, (_, parent, *_) in enumerate(nodes):
        if number:
            sums[parent] += nodes[number][3]
    whole = all(node[3] == total or node[2] == 4 for node, total in zip(nodes, sums))
    inside = all(node[5] is None or node[5] <= node[4] <= node[6] for node in nodes)
    table = {row["name"]: row["total"]["hits"] for row in run["stat"]["tasks"]}
    told = all(table.get(node[0]) == node[3] for node in nodes if node[2] == 1) or run["code"]["unknown"]
    check(whole and inside and told, f"{name}: the tree of {len(nodes)} nodes adds up, and agrees with the table")


def check_lanes(name, run):
    """Samples with a time and a place are in the time lines, each once."""
    lanes = run["lanes"]
    if lanes["source"] != "samples":
        return
    columns = {len(values) for row in lanes["rows"] for values in row["states"].values()}
    hits = sum(sum(values) for row in lanes["rows"] if row["name"] != "(unknown)"
               for values in row["states"].values())
    check(columns == {lanes["columns"]} and hits == run["code"]["nodes"][0][3],
          f"{name}: the time lines have {hits} samples")


def columns_of(text):
    """Samples and changes by column, of the text of a node."""
    numbers, number, shift, found, column = [], 0, 0, {}, -1
    for digit in text:
        value = DIGITS.index(digit)
        number |= (value & 31) << shift
        shift += 5
        if value < 32:
            numbers.append(number)
            number = shift = 0
    for gap, hits, changes in zip(numbers[::3], numbers[1::3], numbers[2::3]):
        column += 1 + gap
        found[column] = hits, changes
    return found


def check_range(dump, name, run):
    """The counts by time are those of the whole run, and each column has the samples that `export` has in it."""
    told, nodes = run["range"], run["code"].get("nodes")
    if told["reason"]:
        check(name not in ("audit", "points-left-out"), f"{name}: no part of its time: {told['reason']}")
        return
    counts = []
    for text, (_, parent, level, hits, *_) in zip(told["nodes"], nodes):
        same = level > 1 and hits == nodes[parent][3]
        counts.append(counts[parent] if same else columns_of(text))
    sums = [sum(hits for hits, _ in one.values()) for one in counts]
    check(len(counts) == len(nodes) and sums[1:] == [node[3] for node in nodes[1:]] and
          sum(told["samples"]) == run["code"]["samples"] and sum(told["unknown"]) == run["code"]["unknown"],
          f"{name}: {len(told['samples'])} columns have the samples of the run")
    samples = [json.loads(line) for line in tool("export", "--format", "jsonl", "-o", "-", dump)[0].splitlines()
               if '"sample"' in line]
    expected = {}
    for one in samples:
        column = int((one["time"] - told["begin"] + 0.5e-9) / told["width"])  # times are whole ns
        expected.setdefault(one["task"], {}).setdefault(column, 0)
        expected[one["task"]][column] += 1
    found = {node[0]: {column: hits for column, (hits, _) in one.items() if hits}
             for node, one in zip(nodes, counts) if node[2] == 1}
    check(found == expected, f"{name}: {len(samples)} samples are in the columns of their times")


def check_joined(folder):
    """More counts than there is room for: columns are joined, and have all samples nevertheless."""
    dump = folder / "long"
    dump.write_bytes(subprocess.run([str(ROOT / "build/host/make_large"), "figure3", "250000"], capture_output=True,
                                    check=True).stdout)
    run = page(dump)[2]["runs"][0]
    check(16 <= len(run["range"]["samples"]) <= 512 and sum(map(len, run["range"]["nodes"])) < 600_000,
          f"long: {len(run['range']['samples'])} columns, {sum(map(len, run['range']['nodes']))} bytes")
    check_range(dump, "long", run)


def check_kind(dump, name):
    text, status, data = page(dump)
    numbers, wanted = stat(dump)
    run = data["runs"][0]
    check(status == wanted and run["stat"] == numbers, f"{name}: numbers and status ({status}) are those of stat")
    check(POLICY in text and "<" not in DATA.search(text).group(1) and len(text) <= MOST,
          f"{name}: {len(text)} bytes, with its policy")
    check(page(dump)[0] == text, f"{name}: the same again")
    tasks = re.search(r"(?:^| )tasks=(\S+)", numbers["words"] or "")
    check(run["title"] == (tasks and tasks[1]), f"{name}: it is called {run['title']}")
    check(run["stat"]["verdict"] in (None, tool("stat", dump)[0].rstrip().split("\n")[-1]),
          f"{name}: what the table means, as stat says it: {run['stat']['verdict']}")
    check(tool("audit", dump)[1] != 4 or run["trust"]["verdict"] == "bad",
          f"{name}: it is {run['trust']['verdict']}, as its audit says")
    check_tree(name, run)
    check_lanes(name, run)
    check_range(dump, name, run)


def check_damage(folder):
    """A byte that changed and an end that is missing are told in words."""
    whole = (folder / "run").read_bytes()
    broken = folder / "broken"
    broken.write_bytes(whole[:len(whole) // 2] + bytes([whole[len(whole) // 2] ^ 1]) + whole[len(whole) // 2 + 1:])
    _, status, data = page(broken)
    said = " ".join(one["text"] for one in data["runs"][0]["trust"]["findings"] if one["level"] in ("warning", "bad"))
    check(status == 3 and "damaged" in said, f"a byte that changed: {said[:90]}")
    broken.write_bytes(whole[:-40])
    _, status, data = page(broken)
    said = " ".join(one["text"] for one in data["runs"][0]["trust"]["findings"] if one["level"] in ("warning", "bad"))
    check(status == 3 and "no end record" in said, f"an end that is missing: {said[:90]}")


def check_two(folder):
    _, status, data = page(folder / "raw", folder / "raw")
    rows = [row for part in ("tasks", "functions") for row in data["compare"][part]["rows"]]
    check(status == 0 and rows and not any(row["significant"] or row["difference"] for row in rows),
          f"a run does not differ from itself in {len(rows)} rows")
    _, status, data = page(folder / "raw", folder / "run")
    check(data["compare"]["functions"] is None and data["compare"]["tasks"]["rows"],
          "functions are compared where both runs have raw samples")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind in KINDS:
            (folder / kind).write_bytes(subprocess.run([str(ROOT / "build/host/make_dump"), kind],
                                                       capture_output=True, check=True).stdout)
            check_kind(folder / kind, kind)
        check_joined(folder)
        check_damage(folder)
        check_two(folder)
        check(tool("report")[1] == 2 and tool("report", folder / "none")[1] == 1,
              "no stream, and one that is not there, are refused")
    if failed:
        sys.exit(f"{len(failed)} failed, the first: {failed[0]}")


if __name__ == "__main__":
    main()
