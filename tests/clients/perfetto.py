#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""protoc reads perfetto by the published numbers of fields (perfetto.proto): no field is unknown; the slices of each
thread, and when it is scheduled, have the exact time of its task; samples, their stacks and their times are those of
the table.  Perfetto's own trace_processor is no package, and is not run here.
"""

import collections
import re
import subprocess
import tarfile

import client
import lib

SLICES = {"TYPE_SLICE_BEGIN", "TYPE_SLICE_END"}
NOBODY = 0


def parsed(lines):
    """A message as protoc prints it: lists of values by field."""
    found = collections.defaultdict(list)
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        if line.endswith("{"):
            found[line[:-1].strip()].append(parsed(lines))
        else:
            key, value = line.split(": ", 1)
            found[key].append(value.strip('"'))
    return found


def packets(out):
    """The packets of a file."""
    with open(out, "rb") as data:
        text = subprocess.run(["protoc", f"--proto_path={client.HERE}", "--decode=Trace", "perfetto.proto"],
                                  stdin=data, stdout=subprocess.PIPE, check=True).stdout.decode()
    return parsed(iter(text.splitlines()))["packet"], re.findall(r"^ *\d+(?:: .*| \{)$", text, re.M)


def interned(found):
    """Texts, frames and stacks by number: each number once."""
    tables = collections.defaultdict(dict)
    twice = []
    for packet in found:
        for data in packet["interned_data"]:
            for kind, rows in data.items():
                for row in rows:
                    twice += [kind] if row["iid"][0] in tables[kind] else []
                    tables[kind][row["iid"][0]] = row
    return tables, twice


def slices(found, tracks, table):
    """Seconds in the window of slices by task and by mode, and the slices that do not fit."""
    by_task, by_mode, open_, wrong = collections.Counter(), collections.Counter(), {}, 0
    for packet in found:
        for event in packet["track_event"]:
            if event["type"][0] not in SLICES:
                continue
            track, now = event["track_uuid"][0], int(packet["timestamp"][0]) / 1e9
            wrong += (track in open_) == (event["type"][0] == "TYPE_SLICE_BEGIN")
            if track in open_:
                begin, mode = open_.pop(track)
                by_task[tracks[track]] += client.within(table, begin, now)
                by_mode[mode] += client.within(table, begin, now)
            if event["type"][0] == "TYPE_SLICE_BEGIN":
                open_[track] = now, event["name_iid"][0]
    return by_task, by_mode, wrong + len(open_)


def scheduled(found, threads, table):
    """Seconds in the window for which each thread is scheduled, and the switches that do not fit."""
    by_task, now, runs, wrong = collections.Counter(), 0, NOBODY, 0
    for packet in found:
        for bundle in packet["ftrace_events"]:
            for event in bundle["event"]:
                change, time = event["sched_switch"][0], int(event["timestamp"][0]) / 1e9
                wrong += int(change["prev_pid"][0]) != runs or time < now
                by_task[threads.get(runs)] += client.within(table, now, time)
                now, runs = time, int(change["next_pid"][0])
    return by_task, wrong + (runs != NOBODY)


def check_masked(checks):
    """A stream that tells when interrupts are off: the counter is 1 for the exact time of the row MASKED."""
    with tarfile.open(lib.ROOT / "tests/golden/streams.tar") as archive:
        archive.extract("log.dump", lib.folder())
    dump, out = lib.folder() / "log.dump", lib.folder() / "log.pftrace"
    lib.host("export", "--format", "perfetto", "-o", out, dump)
    found, table = packets(out)[0], lib.stat(dump)
    seconds, since, was = 0, 0, 0
    track = next(track["uuid"] for packet in found for track in packet["track_descriptor"]
                 if track["name"] == ["interrupts off"])
    for packet in found:
        for event in packet["track_event"]:
            if event["track_uuid"] == track:
                now = int(packet["timestamp"][0]) / 1e9
                seconds += was * client.within(table, since, now)
                since, was = now, int(event["counter_value"][0])
    exact = lib.row(table, "MASKED")["total"]["exact"] / 100 * table["tau"] / table["clock_hz"]
    checks.check(abs(seconds - exact) < 0.01 * exact, f"interrupts are off for {seconds:.4f} s of {exact:.4f}")


def sampled(found, tables, threads):
    """Times of samples by task, samples by mode, and the samples whose stack does not begin with their task."""
    times, modes, wrong = collections.defaultdict(list), collections.Counter(), 0
    for packet in found:
        for sample in packet["perf_sample"]:
            frames = [tables["frames"][number] for number in
                      tables["callstacks"][sample["callstack_iid"][0]]["frame_ids"]]
            names = [tables["function_names"][frame["function_name_id"][0]]["str"][0] for frame in frames]
            times[names[0]].append(int(packet["timestamp"][0]) / 1e9)
            modes[names[1] if len(names) > 1 else None] += 1
            wrong += threads[int(sample["tid"][0])] != names[0]
    return times, modes, wrong


def check_samples(checks, found, tables, threads, table):
    times, modes, wrong = sampled(found, tables, threads)
    client.same(checks, "samples", {name: len(each) for name, each in times.items()}, client.tasks(table))
    expected = {mode: cell["hits"] for mode, cell in table["modes"].items() if cell["hits"]}
    client.same(checks, "modes", {mode: modes[mode] for mode in expected}, expected)
    checks.check(not wrong, f"{wrong} stacks begin with another task")
    text, expected = client.lib.host("samples", client.recorded(checks))[0], collections.defaultdict(list)
    for _, seconds, task, _, late, *_ in (line.split() for line in text.splitlines()[1:]):
        expected[task if late == "0" else "MASKED"].append(float(seconds))
    off = [name for name in expected if len(times[name]) != len(expected[name]) or
           any(abs(a - b) > 1e-6 for a, b in zip(times[name], expected[name]))]
    checks.check(not off, f"samples have their times: {off[:3]}")


def main():
    checks = lib.Checks()
    client.need("protoc")
    out, table = client.exported(checks, "perfetto"), lib.stat(client.recorded(checks))
    found, unknown = packets(out)
    checks.check(found and not unknown, f"protoc: {len(found)} packets, fields that are not known: {unknown[:3]}")
    tables, twice = interned(found)
    checks.check(not twice, f"each number is interned once: {set(twice)}")
    described = [track for packet in found for track in packet["track_descriptor"]]
    tracks = {track["uuid"][0]: track["thread"][0]["thread_name"][0] for track in described if track["thread"]}
    threads = {int(track["thread"][0]["tid"][0]): tracks[track["uuid"][0]] for track in described if track["thread"]}
    by_task, by_mode, wrong = slices(found, tracks, table)
    client.same_times(checks, "slices", by_task, table)
    checks.check(not wrong and len(by_mode) > 2, f"{wrong} slices do not begin or end")
    by_thread, wrong = scheduled(found, {**threads, NOBODY: "IDLE"}, table)
    client.same_times(checks, "scheduling", by_thread, table)
    checks.check(not wrong, f"{wrong} switches do not follow each other")
    check_samples(checks, found, tables, threads, table)
    rogue = lib.row(table, "ROGUE")["total"]
    text = " ".join(" ".join(track["description"]) for track in described)
    checks.check(f"ROGUE total: {rogue['percent']:.2f} %, 95 % interval {rogue['low']:.2f} to {rogue['high']:.2f} %"
                 in text and f"lost: {table['lost']['table']} table" in text, "descriptions have shares and losses")
    check_masked(checks)
    checks.finish()


if __name__ == "__main__":
    main()
