#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""go tool pprof reads pprof: samples by task and mode as labels and as functions, shares with their intervals as
labels, a few lines of comments."""

import re

import client
import lib

HEAD = 3  # lines of comments


def pprof(*arguments):
    return client.ran("go", "tool", "pprof", "-symbolize=none", "-sample_index=samples", *arguments)


def tags(text, key):
    """Samples by the value of a label."""
    block = re.search(rf"^ *{key}: Total .*\n((?: +\d.*\n)*)", text, re.M)
    rows = re.findall(r"^ +([\d.]+)(?: \([ \d.]+%\))?: (.*)$", block[1], re.M) if block else []
    return {name: int(float(count)) for count, name in rows}


def functions(text):
    """Samples by function, with those that it calls, of -top."""
    rows = re.findall(r"^ +\d+ +[\d.]+% +[\d.]+% +(\d+) +[\d.]+%  (.*?)(?: \(inline\))?$", text, re.M)
    return {name: int(count) for count, name in rows}


def shares(table, kinds):
    """Samples by text of a share, of cells of the table that have an interval."""
    cells = ((row["name"], kind, row.get(kind)) for row in table["tasks"] for kind in kinds)
    return {f"{name} {kind}: {cell['percent']:.2f} %, 95 % interval {cell['low']:.2f} to {cell['high']:.2f} %":
            cell["hits"] for name, kind, cell in cells if cell and cell["hits"] and cell["low"] is not None}


def main():
    checks = lib.Checks()
    client.need("go")
    out, table = client.exported(checks, "pprof"), lib.stat(client.recorded(checks))
    text, status = pprof("-tags", out)
    client.same(checks, f"labels ({status})", tags(text, "task"), client.tasks(table))
    modes = {mode: cell["hits"] for mode, cell in table["modes"].items() if cell["hits"]}
    client.same(checks, "modes", tags(text, "mode"), modes)
    for key, kinds in (("task_share", ["total"]), ("mode_share", table["modes"])):
        client.same(checks, f"labels {key}", tags(text, key), shares(table, kinds))
    text, status = pprof("-top", "-cum", "-nodecount=100000", "-nodefraction=0", out)
    found, expected = functions(text), client.tasks(table)
    client.same(checks, f"frames ({status})", {name: found[name] for name in expected if name in found}, expected)
    text, _ = pprof("-comments", out)
    lines = text.splitlines()
    checks.check(0 < len(lines) <= HEAD, f"{len(lines)} lines of comments")
    checks.check(f"lost: {table['lost']['table']} table, {table['lost']['ring']} ring" in text, "losses in them")
    checks.finish()


if __name__ == "__main__":
    main()
