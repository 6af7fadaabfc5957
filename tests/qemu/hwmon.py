#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The hardware monitor: the image's bytes are the same with and without it, its streams are read like any other.

hwmon.py [WORKLOAD]...: without one, all of them and what needs no workload.
"""

import collections
import json
import os
import re
import subprocess
import sys

import lib

SHIFT = 5
RATE = 10000  # of hwmon's samples, Hz: ten for each tick of the image
WORKLOADS = ("figure3", "calls", "masked", "openstorm", "turnover")
POLICIES = ("fixed", "stratified", "random", "exponential", "narrow", "arithmetic")
USER_HIGH = 1 << 47  # the end of the addresses of tasks; once they run, firmware does not
LONGEST = 15  # bytes of an instruction
CLOSE = 1e-5  # s between two counts of one run, of which the events do not tell the last stretch
EDGE = 6  # interrupts in what the two begin or end apart: some 20 ms of a clock of 100 Hz
# s: hwmon takes the end of a handler that switches tasks later, where the stacks are switched
APART = 100 * 2**SHIFT * 1e-9
SWITCH, USER = 1, 17  # classes of events
PLUGIN = lib.ROOT / "build/hwmon.so"
WRONG = {  # words, what hwmon says of them
    "": "nothing is to be written",
    "out=a,rate=0": "value '0' for rate is out of range (allowed: 1 to 500000)",
    "out=a,rate=12x": "unknown value '12x' for rate (allowed: 1 to 500000)",
    "out=a,color=red": "unknown word 'color' (allowed: out list",
    "out=": "unknown value '' for out (allowed: FILE)",
    "out=/nowhere/a": "/nowhere/a: No such file or directory",
    "out=a,interval=often": "unknown value 'often' for interval (allowed: stratified",
    "out=a,current=no_such_word,label=0:8": "current=no_such_word: no file has this name, and it is no address",
    "out=a,current=0x1000": "current= needs label=OFFSET:BYTES",
    "out=a,current=0x1000,label=8": "label=8 is not OFFSET:BYTES",
    "out=a,switch=0x1000": "switch= needs current=",
    "out=a,close=0x1000": "close= needs open=",
    "out=a,interrupt=0x2000-0x1000": "ends before it begins",
    "out=a,elf=/dev/null": "/dev/null is no ELF file",
    "out=a,table=tests/table": "is not \"ADDRESS KIND NAME\"",
    "out=a,account=maybe": "unknown value 'maybe' for account (allowed: on log)",
    "list=a,event=at:0x1": "event=, count=, range=, window= and vectors= need out=FILE",
    "list=a,window=0x1": "event=, count=, range=, window= and vectors= need out=FILE",
    "list=a,vectors=0x1000:16": "event=, count=, range=, window= and vectors= need out=FILE",
    "states=a": "classes=TREE needs states=FILE",
    "classes=0:else": "nothing is to be written",
    "states=a,classes=0:mode=ring": "classes=: line 1, column ",
    "states=a,classes=@/nowhere/t": "classes=: /nowhere/t: No such file or directory",
    "states=a,classes=@/dev/null": "classes=: ",
    "states=a,classes=a:event=1": "the tree asks for user events, which are the ranges (range=)",
    "states=a,classes=a:masked=yes": "the tree asks for masked time, which hwmon does not tell apart",
    "states=a,classes=a:call=3": "the tree asks for system calls, whose numbers hwmon does not see",
    "out=a,vectors=0x1000:16": "vectors= needs interrupt=",
    "out=a,interrupt=0x1200,vectors=0x1000": "vectors=0x1000: it is not ADDRESS:BYTES",
    "out=a,interrupt=0x1200,vectors=0x1000:0": "vectors=0x1000:0: a stub has 1 to 4096 bytes",
    "out=a,interrupt=0x1200,vectors=stubs:16": "vectors=stubs:16: no file has this name, and it is no address",
    "out=a,window=at:0x1": "window=at:0x1: no file has this name, and it is no address",
    "out=a,window=0x1,sync=nowhere": "sync=nowhere: no file has this name, and it is no address",
    "out=a,event=0x1": "it is none of at:ADDRESS, store:ADDRESS",
    "out=a,count=store:0x1:7": "it is none of at:ADDRESS, store:ADDRESS",
    "out=a,trigger=port": "trigger= needs analyser=FILE",
    "analyser=/dev/null,trigger=when": "trigger=when is none of at:ADDRESS, store:ADDRESS, port, port:NUMBER",
    "blocks=/nowhere/c": "/nowhere/c: No such file or directory",
    "out=a,words=/nowhere/b": "/nowhere/b: No such file or directory",
}
HIDDEN = {  # symbols, what hwmon says without them, whether it goes on
    "timers_state": ("does not export its clock (timers_state, use_icount): neither times nor samples can be told",
                     False),
    "cpu_memory_rw_debug": ("the running task cannot be told; leave current= out", False),
    "cpu_dump_state": ("user and kernel are told by the upper bit of the address", True),
}


def check_interference(checks, tasks):
    """Two boots with the same words, one of them observed with everything."""
    words = f"output=frames tasks={tasks} seconds=1 rate=1000 seed=3"
    out, samples = lib.folder() / f"{tasks}.hwmon", lib.folder() / f"{tasks}.list"
    alone = lib.boot(f"{tasks}-alone", words, shift=SHIFT)
    observed = lib.boot(f"{tasks}-observed", words, shift=SHIFT,
                        options=("--hwmon", f"out={out},list={samples},rate={RATE}"))
    checks.check(alone.status == observed.status == lib.COMPLETE,
                 f"{tasks}: both boots end well {observed.said.strip()}")
    size = alone.dump.stat().st_size
    checks.check(size and alone.dump.read_bytes() == observed.dump.read_bytes(),
                 f"{tasks}: the {size} bytes on the line are the same with and without hwmon")
    table = lib.stat(out)
    checks.check(table["complete"], f"{tasks}: the stream of hwmon is complete")
    lib.check_sums(checks, tasks, table, 1)
    lines = [line for line in samples.read_text().splitlines() if not line.startswith("#")]
    checks.check(abs(len(lines) - table["samples"]) <= 1,
                 f"{tasks}: {len(lines)} samples in the list, {table['samples']} in the table")


def check_policies(checks):
    """hwmon's samples are those of its schedule: the audit replays them."""
    for policy in POLICIES:
        out = lib.folder() / f"{policy}.hwmon"
        lib.boot(f"policy-{policy}", "output=frames tasks=figure3 seconds=1", shift=SHIFT,
                 options=("--hwmon", f"out={out},rate=5000,interval={policy},seed=7,rng=chacha8"))
        text, status = lib.host("audit", out)
        checks.check(status == 0, f"interval={policy}: the audit passes "
                                  f"({text.strip().splitlines()[-1] if text else 'no output'})")


def check_addresses(checks, block, path):
    """The instructions of the block that is executed most have one sample each in as many:
    each is executed as often."""
    low, count = int(block[1], 0), int(block[3])
    hits = collections.Counter(int(line.split("\t")[3], 0) for line in path.read_text().splitlines()
                               if not line.startswith("#"))
    there = sorted((address, n) for address, n in hits.items() if low <= address < low + LONGEST * count)[:count]
    samples = sum(n for _, n in there)
    spread = lib.DEVIATIONS * (samples * (1 / count) * (1 - 1 / count)) ** 0.5
    checks.check(count > 1 and samples > 1000 and len(there) == count and
                 all(abs(n - samples / count) <= spread for _, n in there),
                 f"counts: {samples} samples in the {count} instructions at {low:#x}: "
                 f"{' '.join(str(n) for _, n in there)}")


def check_counts(checks):
    """Blocks, mix and logic analyser of one run tell the same."""
    files = {name: lib.folder() / f"counts.{name}" for name in ("blocks", "mix", "analyser", "list")}
    before, after, nth = 200, 50, 5
    words = ",".join(f"{name}={path}" for name, path in files.items())
    run = lib.boot("counts", "output=frames tasks=figure3 seconds=1", shift=SHIFT, options=("--hwmon", (
        f"{words},rate={RATE},interval=random,trigger=at:switch_stacks,nth={nth},before={before},after={after}")))
    checks.check(run.status == lib.COMPLETE, f"counts: the run ends well {run.said.strip()}")
    rows = [line.split() for line in files["blocks"].read_text().splitlines()]
    executed = sum(int(row[3]) * int(row[4]) for row in rows if row[0] == "block")
    entries = {row[1]: int(row[2]) for row in rows if row[0] == "routine"}
    never = {row[1] for row in rows if row[0] == "never"}
    total = files["mix"].read_text().splitlines()[-1].split("\t")
    checks.check(executed and int(total[3]) == executed,
                 f"counts: blocks and mix have {executed} and {total[3]} instructions")
    checks.check("task_spawn_file" in never and "switch_stacks" not in never,
                 f"counts: {len(entries)} routines ran, {len(never)} never did, task_spawn_file among them")
    check_addresses(checks, max((row for row in rows if row[0] == "block"), key=lambda row: int(row[4])),
                    files["list"])
    text = files["analyser"].read_text()
    held = int(re.search(r"held (\d+) times", text)[1])
    checks.check(held == entries["switch_stacks"],
                 f"counts: the trigger held {held} times, {entries['switch_stacks']} entries")
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    checks.check([int(line[0]) for line in lines] == list(range(-before, after + 1)),
                 f"counts: the analyser kept {before} instructions before the trigger and {after} after it")
    checks.check(lines[before][4] == "switch_stacks+0", f"counts: it triggered at {lines[before][4]}")


def check_events(checks):
    """Time mode and count mode of one point agree, values are those that were stored,
    changes add up to the exact table."""
    out = lib.folder() / "events.hwmon"
    run = lib.boot("events", "output=frames tasks=figure3 seconds=1", shift=SHIFT, options=(
        "--hwmon", f"out={out},account=log,event=at:switch_stacks,count=at:switch_stacks,event=store:in_interrupt:6"))
    checks.check(run.status == lib.COMPLETE, f"events: the run ends well {run.said.strip()}")
    checks.check(lib.stat(out)["complete"],
                 "events: the stream is complete, and its changes add up to its exact table to the nanosecond")
    said = {name: int(re.search(r"(\d+) times", text)[1]) for name, text in lib.health(out).items()
            if name.startswith("event")}
    checks.check(said["event 0"] and said["event 0"] == said["event 2"],
                 f"events: {said['event 0']} with times, {said['event 2']} counted")
    counts = {row["class"]: row["count"] for _, rows in list(lib.records(out, "EVENT_COUNTS"))[-1:] for row in rows}
    recorded = sum(head["count"] for head, _ in lib.records(out, "PACKED_EVENTS"))
    checks.check(counts[USER] == sum(said.values()) and recorded == sum(counts.values()) - said["event 2"],
                 f"events: {counts[USER]} user events and {counts[SWITCH]} switches, {recorded} recorded")
    values = {row["argument"] >> 8 for _, rows in lib.records(out, "EVENT_KEYS") for row in rows
              if row["class"] == USER and row["argument"] & 0xff == 1}
    checks.check(values == {0, 1}, f"events: in_interrupt was set to {sorted(values)}")


def interrupts_of(dump):
    """Of each vector: how often, and seconds in all."""
    lines = [line.split() for line in lib.host("durations", dump)[0].splitlines() if line.startswith("interrupt")]
    return {vector: (int(times), float(total) * {"s": 1, "ms": 1e-3, "us": 1e-6}[unit])
            for _, vector, times, total, unit, *_ in lines}


def check_vectors(checks):
    """Interrupts by vector, from outside: those that the image's own event monitor tells of the same run,
    as often and as long."""
    out = lib.folder() / "vectors.hwmon"
    run = lib.boot("vectors", "output=frames tasks=figure3 seconds=2 monitor=system,events events=irq buffer=stop",
                   shift=SHIFT, options=("--hwmon", f"out={out},open=base_clock,close=copy_exact_rows,"
                                                    "monitor=tick_entry,vectors=vector_stubs:16"))
    checks.check(run.status == lib.COMPLETE, f"vectors: the run ends well {run.said.strip()}")
    own, seen = interrupts_of(run.dump), interrupts_of(out)
    checks.check(len(own) >= 2 and own.keys() == seen.keys() and all(abs(own[v][0] - seen[v][0]) <= EDGE
                                                                     for v in own),
                 f"vectors: the image tells {own}, hwmon {seen}")
    apart = {v: own[v][1] / own[v][0] - seen[v][1] / seen[v][0] for v in own.keys() & seen.keys()}
    checks.check(all(abs(a) < APART for a in apart.values()),
                 f"vectors: an interrupt takes so long, within {1e9 * APART:.0f} ns: "
                 f"{({v: round(1e9 * a) for v, a in apart.items()})}")


def work():
    """The addresses of sys_work(), as a range of hwmon."""
    text = subprocess.run(["nm", "-S", lib.ROOT / "build/cpuprobe.elf"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    first, size = next((int(r[0], 16), int(r[1], 16)) for r in map(str.split, text.splitlines())
                       if r[-1] == "sys_work")
    return f"{first:#x}-{first + size:#x}"


def check_ranges(checks):
    """Classes of states over address ranges and the running task have the exact times of the same run."""
    out, tree = lib.folder() / "ranges.hwmon", lib.folder() / "tree"
    tree.write_text("0 = work: event=32, 1 = rogue: task=ROGUE+event=33, 2 = user: task=!ROGUE+event=33, "
                    "3 = rest: else\n")
    run = lib.boot("ranges", "output=frames tasks=figure3 seconds=1", shift=SHIFT, options=(
        "--hwmon", f"out={out},open=base_clock,range={work()},range=0-{USER_HIGH:#x},classes=@{tree},"
                   f"states={lib.folder() / 'ranges.states'}"))
    checks.check(run.status == lib.COMPLETE, f"ranges: the run ends well {run.said.strip()}")
    text, status = lib.host("states", "--json", "--classes",
                            f"@{tree}", out)
    seconds = {c["name"]: c["seconds"] for c in json.loads(text.splitlines()[0])["classes"]} if status == 0 else {}
    told = {line.split()[2]: int(line.split()[3]) / 1e9
            for line in (lib.folder() / "ranges.states").read_text().splitlines()}
    table = lib.stat(out)
    checks.check(all(abs(told[name] - seconds[name]) < CLOSE for name in ("work", "rogue", "user"))
                 and round(1e9 * sum(told.values())) == table["tau"],
                 "ranges: hwmon's own classes are those of its stream, and in all the window, to the "
                 f"nanosecond: {told}")
    exact = {row["name"]: row["user"]["exact"] / 100 * table["tau"] / table["clock_hz"] for row in table["tasks"]
             if row["name"] not in lib.NOT_TASKS}
    rogue, others = exact["ROGUE"], sum(exact.values()) - exact["ROGUE"]
    checks.check(abs(seconds.get("rogue", 0) - rogue) < CLOSE and abs(seconds.get("user", 0) - others) < CLOSE,
                 f"ranges: ROGUE's own code has {seconds.get('rogue', 0):.6f} s ({rogue:.6f}), that of others "
                 f"{seconds.get('user', 0):.6f} ({others:.6f})")
    checks.check(seconds.get("work", 0) > 0.1, f"ranges: sys_work has {seconds.get('work', 0):.6f} s")


def qemu(plugin, icount=("-icount", "shift=3,sleep=off"), environment=None):
    """QEMU with the canary and a plugin: what it said, and its status."""
    done = subprocess.run(lib.supervised("-t", "60", "qemu-system-x86_64", "-nodefaults", "-display", "none",
                                         "-no-reboot", *icount, "-device", "isa-debug-exit,iobase=0xf4,iosize=4",
                                         "-plugin", plugin, "-kernel", lib.ROOT / "build/qemu/canary.bin"),
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          errors="replace", check=False, cwd=lib.ROOT, env={**os.environ, **(environment or {})})
    return done.stderr, done.returncode


def check_words(checks):
    for words, said in WRONG.items():
        text, status = qemu(f"{PLUGIN},{words}" if words else str(PLUGIN))
        checks.check(status == 1 and said in text,
                     f"'{words}' is refused: {text.splitlines()[0] if text else 'nothing said'}")
    text, status = qemu(f"{PLUGIN},out={lib.folder() / 'unclocked'}", icount=())
    checks.check(status == 1 and "needs -icount shift=N" in text, f"without -icount: {text.strip()}")


def check_hidden(checks):
    """A QEMU that does not export its symbols."""
    for names, (said, goes_on) in HIDDEN.items():
        out = lib.folder() / f"{names}.hwmon"
        text, status = qemu(f"{PLUGIN},out={out},current=0x1000,label=0:8",
                            environment={"LD_PRELOAD": str(lib.ROOT / "build/qemu/hide_symbols.so"), "HIDDEN": names})
        checks.check(said in text and (status != 1) == goes_on,
                     f"without {names}: {text.splitlines()[0] if text else 'nothing said'}")


def check_version(checks):
    """A plugin of another version of the interface is refused by QEMU, in a sentence."""
    other = lib.folder() / "hwmon.so"
    table = subprocess.run(["nm", "-D", PLUGIN], stdout=subprocess.PIPE, text=True, check=True).stdout
    address = int(re.search(r"^([0-9a-f]+) D qemu_plugin_version$", table, re.M)[1], 16)
    subprocess.run(["objcopy", "--update-section", f".data={patched_data(address)}", PLUGIN, other], check=True)
    text, status = qemu(f"{other},out={lib.folder() / 'version.hwmon'}")
    checks.check(status == 1 and "API version" in text, f"another version of the interface: {text.strip()}")


def patched_data(address):
    """The section with qemu_plugin_version, another version in it."""
    data = lib.folder() / "data"
    subprocess.run(["objcopy", "-O", "binary", "-j", ".data", PLUGIN, data], check=True)
    sections = subprocess.run(["objdump", "-h", PLUGIN], stdout=subprocess.PIPE, text=True, check=True).stdout
    begin = int(re.search(r"\.data\s+[0-9a-f]+\s+([0-9a-f]+)", sections)[1], 16)
    content = bytearray(data.read_bytes())
    content[address - begin] = 99
    data.write_bytes(content)
    return data


def check_untold(checks):
    """Our image as a guest of which nothing is told: HLT is row IDLE, all else one row;
    HLT is that of IDLE's own task."""
    out = lib.folder() / "untold.hwmon"
    run = lib.boot("untold", "output=frames tasks=hog1 seconds=1 monitor=system,idle", shift=SHIFT,
                   options=("--image", str(lib.ROOT / "build/cpuprobe.rom"), "--door", "rom",
                            "--hwmon", f"out={out},rate=5000,account=log"))
    table = lib.stat(out)
    checks.check(run.status == lib.COMPLETE and table["complete"],
                 f"nothing told: the stream is complete {run.said.strip()}")
    names = {row["name"] for row in table["tasks"]} - set(lib.NOT_TASKS)
    checks.check(names == {"(no task)", "IDLE"}, f"nothing told: rows {' and '.join(sorted(names))}")
    idle = list(lib.records(out, "IDLE"))[-1][0]["idle"]
    row = lib.row(table, "IDLE")["total"]
    checks.check(abs(row["exact"] - 100 * idle / table["tau"]) < 1e-6 and abs(row["percent"] - row["exact"]) < 1,
                 f"nothing told: IDLE has {row['exact']:.4f} %, sampled {row['percent']:.2f}, as CNT1")


def check_guest(checks):
    """A guest that is not ours, with names from a table."""
    out, names = lib.folder() / "guest.hwmon", lib.folder() / "guest.names"
    names.write_text("# of the canary\n0000000000100000 T canary\n")
    text, _ = qemu(f"{PLUGIN},out={out},table={names},rate=100000")
    checks.check(lib.stat(out)["complete"] and not text, f"another guest: its stream is complete {text.strip()}")


def main():
    checks = lib.Checks()
    for tasks in sys.argv[1:] or WORKLOADS:
        check_interference(checks, tasks)
    if not sys.argv[1:]:
        check_policies(checks)
        check_counts(checks)
        check_events(checks)
        check_vectors(checks)
        check_ranges(checks)
        check_words(checks)
        check_hidden(checks)
        check_guest(checks)
        check_untold(checks)
        check_version(checks)
    checks.finish()


if __name__ == "__main__":
    main()
