#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The Firefox Profiler's own code (its profiler-cli, from npm) reads firefox: the samples of each task as time of the
processor; of the largest tasks the samples by mode, as categories, and by function, and the markers by state and by
event; the markers of states have each task's exact time.
"""

import collections
import json
import os
import tempfile
import time

import client
import lib

LARGEST = 4  # tasks that are looked at one by one: each costs some seconds
TRIES = 60  # a second each
EVENTS = {"event": "class", "state": "mode"}  # of jsonl, which a marker is named for


class Profiler:
    """A session of profiler-cli, with its files in a folder of its own: its socket needs a short name."""

    def __init__(self, folder, profile):
        self.program = client.npm() / "node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js"
        self.environment = dict(os.environ, PROFILER_CLI_SESSION_DIR=folder, PROFILER_CLI_NO_SYMBOLICATE="1",
                                PROFILER_CLI_LOAD_TIMEOUT_MS=str(1000 * TRIES))
        self.said, self.status = self.run("load", profile)
        for _ in range(TRIES):  # on a busy machine it gives its daemon up before that has started
            if self.status == 0 or "still starting" not in self.said:
                break
            time.sleep(1)
            self.said, self.status = self.run("profile", "info")

    def run(self, *words):
        return client.ran("node", self.program, *words, env=self.environment)

    def ask(self, *words):
        """What it answers to a command, as JSON."""
        said, status = self.run(*words, "--json")
        return json.loads(said) if status == 0 else {}


def stacks(checks):
    """Samples by frame, a frame counting once a stack, by task."""
    found = collections.defaultdict(collections.Counter)
    for line in client.exported(checks, "folded").read_text().splitlines():
        frames, count = line.rsplit(" ", 1)
        for frame in set(frames.split(";")):
            found[frames.split(";")[0]][frame] += int(count)
    return found


def happened(checks):
    """Events by class and states by mode, of each task, as jsonl has them."""
    found = collections.defaultdict(collections.Counter)
    for line in client.exported(checks, "jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["type"] in EVENTS and row.get("length", 1) > 0:
            found[row.get("task")][row[EVENTS[row["type"]]]] += 1
    return found


def state_times(profile, table):
    """Seconds in the window of the markers of states, by thread."""
    found = {}
    for thread in profile["threads"]:
        rows = thread["markers"]
        found[thread["name"]] = sum(client.within(table, begin / 1000, end / 1000) for begin, end, data in
                                    zip(rows["startTime"], rows["endTime"], rows["data"], strict=True)
                                    if data["type"] == "state")
    return {name: seconds for name, seconds in found.items() if seconds}


def check_task(checks, profiler, thread, row, frames, events):
    """One thread: its modes, its functions, its markers."""
    name, seen = thread["name"], profiler.ask("thread", "samples", "--thread", thread["threadHandle"],
                                              "--include-idle")
    modes = {part["name"]: part["samples"] for part in seen["categoryBreakdown"]["categories"]}
    client.same(checks, f"{name}: modes", modes, {mode: row[mode]["hits"] for mode in row
                                                  if mode in modes and row[mode]["hits"]})
    found = {part["name"]: part["totalSamples"] for part in seen["topFunctionsByTotal"]}
    client.same(checks, f"{name}: functions", found, {part: frames[part] for part in found})
    checks.check(sum(modes.values()) == row["total"]["hits"] == found[name], f"{name}: all its samples")
    markers = profiler.ask("thread", "markers", "--thread", thread["threadHandle"])["byType"]
    client.same(checks, f"{name}: markers", {part["markerName"]: part["count"] for part in markers}, events)


def main():
    checks = lib.Checks()
    client.need("node")
    out, table = client.exported(checks, "firefox"), lib.stat(client.recorded(checks))
    profile = json.loads(out.read_text())
    client.same_times(checks, "states", state_times(profile, table), table)
    with tempfile.TemporaryDirectory() as folder:
        profiler = Profiler(folder, out)
        try:
            checks.check(profiler.status == 0, f"profiler-cli reads it ({profiler.status}) {profiler.said[-200:]}")
            threads = profiler.ask("thread", "list", "--sort", "cpu", "--limit", "0")["threads"]
            one = profile["meta"]["interval"]
            client.same(checks, "samples", {thread["name"]: round(thread["cpuMs"] / one) for thread in threads
                                            if thread["cpuMs"]}, client.tasks(table))
            frames, events = stacks(checks), happened(checks)
            for thread in threads[:LARGEST]:
                name = thread["name"]
                check_task(checks, profiler, thread, lib.row(table, name), frames[name], events[name])
            said, _ = profiler.run("profile", "meta")
            rogue = lib.row(table, "ROGUE")["total"]
            share = f"ROGUE total: {rogue['hits']} samples, {rogue['percent']:.2f} %, 95 % interval"
            checks.check(share in said and f"lost: {table['lost']['table']} table" in said,
                         "its notes have intervals and losses")
        finally:
            profiler.run("stop", "--all")
    checks.finish()


if __name__ == "__main__":
    main()
