#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The tick as NMI: it sees what interrupts off hide, between any two instructions, in storms and during another NMI.

nmi.py WHAT...: agree masked uart lost storm steps nested open refused; without one, all of these.  windows: closed by
ticks within changes of cell.
"""

import bisect
import collections
import itertools
import re
import subprocess
import sys

import lib
import slu

IMAGE = lib.ROOT / "build/cpuprobe.elf"
EXPECTED = 20    # hits by the truth, below which a cell is not judged
PIT_HZ = 1193182
# A tick that meets a change of cell half made ends it, some 22 instructions (0.18 us at shift 3).  A point that falls
# into them makes the next tick late.  Of figure3's ticks 1 in 1000 meets a change, and of these 1 in 1000 is followed
# by such a point: 0.1 in the 120 000 ticks of all boots, more than one in 1 of 200.
LATE = 1
AGREE = {5: "rate=1000 samples=8000", 3: "rate=4000 samples=12000"}  # by shift
STEPS = "delivery=nmi tasks=calls clock=1000 interval=random spread=1.5 monitor=system,region seconds=0 seed=1"
STEPS_RUNS = {  # the second has a task IDLE, whose successor may be itself, and the other scheduler
    "rr": (5, "rate=10000 samples=50000"), "decay": (3, "rate=15000 samples=25000")}
PATHS = ("interrupt_entry", "exception_entry", "interrupt_clock", "interrupt_clock_end", "interrupt_timed",
         "frame_return", "syscall_entry", "supervisor_entry", "switch_stacks", "sched_switch")
PADDING = r"(data16 |cs )*(nop|xchg +%ax,%ax)"
UART = "delivery=nmi tick=slu-timeout slu=com2"  # through pin 3 of the I/O APIC
SECTION = 0.9    # part of the masked cell's samples that the masked section itself must have


def judged(table):
    return [(key, cell) for key, cell in lib.cells(table) if cell["exact"] / 100 * table["samples"] >= EXPECTED]


def warnings(table):
    """Without the one that is true of each such run: of the rate, which is high on purpose."""
    return [text for text in lib.warnings(table) if "ticks take" not in text]


def to_the_clock(checks, name, table):
    """No clock is counted twice or lost: of some 10^10 not one."""
    total = sum(cell["exact"] for _, cell in lib.cells(table))
    checks.check(abs(total - 100) < 1e-8,
                 f"{name}: the truths add to the window less the monitor's time: {total - 100:+.1e} %")


def check_agree(checks):
    """The exact table of three workloads on two machines at two speeds: each cell's truth is all its time."""
    cells = outside = late = 0
    for machine in ("pc", "q35"):
        for shift, words in AGREE.items():
            for tasks in ("figure3", "masked", "rings"):
                name = f"{machine}-{shift}-{tasks}"
                table = lib.boot_table(checks, name, f"delivery=nmi tasks={tasks} seconds=0 seed=1 {words}",
                                       shift=shift, options=("--door", "rom", "--machine", machine))
                wrong = [key for key, cell in judged(table) if lib.outside(cell)]
                to_the_clock(checks, name, table)
                checks.check(lib.row(table, "MASKED") is None and not warnings(table),
                             f"{name}: no row MASKED, nothing to warn of: {warnings(table)}")
                late += table["late"]
                cells, outside = cells + len(judged(table)), outside + len(wrong)
                print(f"{name}: {len(wrong)} of {len(judged(table))} outside {wrong}")
    checks.check(late <= LATE, f"{late} ticks are late, {LATE} at most")
    most = lib.most_misses(cells)
    checks.check(outside <= most, f"{outside} of {cells} truths outside their 99.9 % intervals, {most} at most")


def symbols():
    lines = subprocess.run(["nm", "-n", IMAGE], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return [(int(a, 16), name) for a, _, name in (line.split() for line in lines)]


def see_places(checks, name):
    """Where MASKER was sampled in the kernel: at the masked section's own addresses."""
    text, _ = lib.host("samples", lib.folder() / f"{name}.dump")
    table = symbols()
    places = collections.Counter()
    for line in text.splitlines():
        if not line.startswith("#"):
            _, _, task, mode, _, _, pc = line.split()
            if (task, mode) == ("MASKER", "kernel") and pc != "-":
                places[table[bisect.bisect(table, (int(pc, 16), "~")) - 1][1]] += 1
    part = places["sys_mask"] / sum(places.values())
    checks.check(part > SECTION, f"{name}: {100 * part:.1f} % of {sum(places.values())} samples lie in sys_mask: "
                 f"{places.most_common(4)}")


def check_masked(checks):
    """A task whose system call runs with interrupts off is sampled in there, at its own addresses."""
    table = lib.boot_table(checks, "masked",
                           "delivery=nmi tasks=masked rate=1000 seconds=5 seed=1 monitor=system,samples")
    cell = lib.row(table, "MASKER")["kernel"]
    checks.check(cell["masked"] > 0.9 * cell["exact"] > 5,
                 f"MASKER: {cell['masked']:.2f} of {cell['exact']:.2f} % are masked")
    checks.check(not lib.beyond(cell), f"and sampled: {cell['low999']:.2f} to {cell['high999']:.2f}")
    see_places(checks, "masked")


def far(table):
    """The cell that is farthest off its truth, and by how many points."""
    return max((abs(cell["percent"] - cell["exact"]), key) for key, cell in lib.cells(table))


def check_uart(checks):
    """The second UART's time-out as NMI: fixed ticks, so that cells are near their truths and no interval is
    printed."""
    for machine in ("pc", "q35"):
        for tasks in ("figure3", "masked", "rings"):
            name = f"uart-{machine}-{tasks}"
            table = lib.boot_table(checks, name, f"{UART},57600 tasks={tasks} seconds=5 monitor=system,samples",
                                   shift=slu.SHIFT, options=("--door", "rom", "--machine", machine))
            to_the_clock(checks, name, table)
            off, key = far(table)
            checks.check(off <= slu.POINTS, f"{name}: {key} is off by {off:.2f} points, {slu.POINTS} at most")
            missed = table["missed"]
            checks.check(not table["late"] and not any(missed.values()) and not warnings(table),
                         f"{name}: {table['samples']} ticks, none late or missed: {missed} {warnings(table)}")
        see_places(checks, f"uart-{machine}-masked")


def check_lost(checks):
    """An edge that is lost: the watch, an interrupt itself, starts the NMI again."""
    slu.check_lost(checks, "lost", "delivery=nmi tasks=masked")


def check_storm(checks):
    """As fast as the image allows: the highest rate, each interval the shortest there is; and points,
    at half of that rate."""
    for shift in (0, 3, 5):
        words = "delivery=nmi tasks=masked seconds=0 samples=20000 seed=1 cost=any"
        run = lib.boot(f"storm-{shift}-refused", f"{words} interval=fixed rate=500000 arm=relative", shift=shift)
        smallest = re.search(r"smallest count (\d+)", run.said)
        most = PIT_HZ // int(smallest[1]) if smallest else 500000
        checks.check(run.status == (lib.FAILURE if smallest else lib.COMPLETE),
                     f"shift {shift}: 500000 Hz: {run.said.strip()}")
        for policy, arm in itertools.product(("fixed", "random"), ("relative", "absolute")):
            name = f"storm-{shift}-{policy}-{arm}"
            rate = most if arm == "relative" else most // 2
            table = lib.boot_table(checks, name, f"{words} interval={policy} rate={rate} arm={arm}", shift=shift)
            lib.check_count(checks, f"{name}: {rate} Hz, {table['monitor']['percent']:.1f} % of the time", table,
                            20000)
            to_the_clock(checks, name, table)
            masked = lib.row(table, "MASKER")["kernel"]
            checks.check(masked["hits"] > 0 and not warnings(table), f"{name}: tasks go on {warnings(table)}")


def instructions():
    """Each instruction of the image by function: address, text."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", IMAGE], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    found = collections.defaultdict(list)
    for line in text.splitlines():
        head = re.match(r"[0-9a-f]{16} <(.*)>:", line)
        row = re.match(r" *([0-9a-f]+):\t(.*)", line)
        if head and not head[1].startswith("..@"):  # labels of NASM's macros, within a function
            # As its local labels are; what the compiler moved out of the way (account=log) is no path of these runs.
            name = head[1] if head[1].endswith(".cold") else head[1].split(".")[0]
        elif row:
            found[name].append((int(row[1], 16), row[2].strip()))
    return found


def region_hits(dump):
    """Hits by address of the last snapshot's regions, whose slots are single bytes."""
    last = collections.defaultdict(dict)
    for head, rows in lib.records(dump, "REGION"):
        last[head["serial"]].setdefault(head["number"], []).append((head, rows))
    hits = collections.Counter()
    for parts in last[max(last)].values():
        for head, rows in parts:
            for r in rows:
                hits[head["base"] + (r["slot"] << head["shift"])] += r["hits"]
    return hits


def regions_of(code, left_out):
    """As few regions of 512 bytes as hold the paths, each in the modes that it is run in."""
    first, last = code["interrupt_entry"][0][0], code["supervisor_entry"][-1][0] + 1
    switch = code["sched_switch"][0][0], code["sched_switch"][-1][0] + 1
    stacks = code["switch_stacks"][0][0], code["switch_stacks"][-1][0] + 1
    calls, supervisor = code["syscall_entry"][0][0], code["supervisor_entry"][0][0]
    ways_in = first, first + 512
    wanted = [("kernel", *ways_in), ("kernel", calls, supervisor), ("kernel", supervisor, last),
              ("interrupt", *ways_in), ("supervisor", supervisor, last), ("kernel", *switch), ("kernel", *stacks)]
    del wanted[left_out]  # a line of words has no room for all; the other run has it
    return " ".join(f"region=*:{mode}:{low:#x}-{high:#x}" for mode, low, high in wanted)


def check_steps(checks):
    """Instruction by instruction of the ways in and out: each is hit, and tasks and sums never know."""
    code = instructions()
    hits = collections.Counter()
    for sched, (shift, words) in STEPS_RUNS.items():
        name = f"steps-{sched}"
        table = lib.boot_table(checks, name, f"{STEPS} sched={sched} {words} "
                                             f"{regions_of(code, 3 if sched == 'rr' else 6)}", shift=shift)
        hits += region_hits(lib.folder() / f"{name}.dump")
        to_the_clock(checks, name, table)
        reports = [r["value"] for r in table["reports"]]
        checks.check(reports and not any(reports), f"{name}: {len(reports)} reports of tasks: no register was lost")
        checks.check(table["late"] == 0 and not warnings(table),
                     f"{name}: nothing late, nothing to warn of: {warnings(table)}")
    known = {address for rows in code.values() for address, _ in rows}
    checks.check(not set(hits) - known, f"{sum(hits.values())} hits, each on an instruction's first byte")
    for path in PATHS:
        rows = [(a, text) for a, text in code[path] if not re.match(PADDING, text)]
        # behind its way out stands what is for programs of files, which these tasks are not
        if path == "sched_switch":
            rows = rows[:next(i for i, (_, text) in enumerate(rows) if re.match(r"add .*,%rsp", text))]
        missed = [f"{a:#x} {text}" for a, text in rows if not hits[a]]
        checks.check(not missed, f"{path}: {len(rows) - len(missed)} of {len(rows)} instructions hit, the rarest "
                     f"{min((hits[a] for a, _ in rows if hits[a]), default=0)} times; not: {missed}")


def check_windows(checks):
    """Sixty snapshots of a system that is always in a change of cell: each adds up, in whole clocks."""
    lib.boot_table(checks, "windows", "delivery=nmi tasks=calls clock=1000 rate=2000 seconds=60 seed=1")
    dump = lib.folder() / "windows.dump"
    sums = collections.Counter()
    for head, rows in lib.records(dump, "EXACT"):
        sums[head["serial"]] += sum(value for r in rows for key, value in r.items() if key != "id")
    heads = [head for head, _ in lib.records(dump, "SNAPSHOT")]
    wrong = [h["serial"] for h in heads if sums[h["serial"]] != h["end"] - h["begin"] - h["monitor"]]
    checks.check(len(heads) >= 60 and not wrong, f"{len(heads)} snapshots, not exact: {wrong}")


def struck(checks, name, words, shift):
    """A run whose handler is struck by NMIs, none of which is a tick or keeps one from being taken."""
    table = lib.boot_table(checks, name, f"{words} tasks=masked seconds=0 samples=5000 seed=2", shift=shift,
                           options=("--image", str(lib.ROOT / "build/nested.elf")))
    said = re.search(r"(\d+) NMIs were no ticks, and (\d+) came during another", " ".join(warnings(table)))
    checks.check(said and int(said[1]) > 1000 < int(said[2]), f"{name}: {said and said[0]}")
    checks.check(table["samples"] == 5000 and table["late"] == 0, f"{name}: {table['samples']} samples all the same")
    to_the_clock(checks, name, table)
    return table


def check_nested(checks):
    """NMIs within the NMI's handler, let in by an IRET, and at its own IRETQ."""
    cells, outside = 0, []
    table = struck(checks, "nested-uart", f"{UART},57600", slu.SHIFT)
    off, key = far(table)
    checks.check(off <= slu.POINTS and table["missed"]["source"] == 0,
                 f"nested-uart: {key} is off by {off:.2f} points, missed {table['missed']}")
    for shift in (3, 5):
        table = struck(checks, f"nested-{shift}", "delivery=nmi rate=1000", shift)
        cells += len(judged(table))
        outside += [(shift, *key) for key, cell in judged(table) if lib.outside(cell)]
    checks.check(len(outside) <= lib.most_misses(cells), f"of {cells} truths outside: {outside}")


def check_open(checks):
    """A handler that was interrupted by another is a handler still: its samples are in their own mode."""
    table = lib.boot_table(checks, "open", "delivery=nmi tasks=openstorm clock=1000 rate=1000 seconds=10 seed=1")
    cell = lib.row(table, "BYSTND")["interrupt"]
    checks.check(cell["exact"] > 15, f"open: {cell['exact']:.2f} % of the time in handlers")
    lib.check_truths(checks, "open", judged(table))
    to_the_clock(checks, "open", table)


def check_refused(checks):
    wrong_pin = ("-chardev", "null,id=com4", "-device", "isa-serial,chardev=com4,iobase=0x2e8,irq=5")
    for name, words, options, sentence in (
            ("no-lapic", "", ("--cpu", "max,-apic"), "delivery=nmi: this CPU has no local APIC that would bring it"),
            ("no-pin", "tick=slu-timeout slu=com4", [a for arg in wrong_pin for a in ("--qemu-arg", arg)],
             "of 26 interrupts of COM4 (port 0x2e8) 0 came as NMI through pin 3 of the I/O APIC"),
            ("stream", "tick=slu-timeout slu=stream", (), "as NMI it needs a UART that is not the stream's"),
            ("unpaced", "tick=slu", (), "the transmitter of COM2 (port 0x2f8) is not paced"),
            ("others", "tick=lapic", (), "delivery=nmi is for tick=pit, hpet, slu or slu-timeout")):
        run = lib.boot(name, f"delivery=nmi seconds=1 {words}", options=("--door", "rom", *options))
        checks.check(run.status == lib.FAILURE and sentence in run.said, f"{name}: {run.said.strip()}")


def main():
    checks = lib.Checks()
    parts = {name[6:]: part for name, part in globals().items() if name.startswith("check_")}
    for name in sys.argv[1:] or [p for p in parts if p != "windows"]:
        parts[name](checks)
    checks.finish()


if __name__ == "__main__":
    main()
