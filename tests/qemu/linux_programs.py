#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Programs for Linux as tasks: what calls answer, registers that nobody else sees, bad programs,
each way into the kernel.

linux_programs.py [calls] [registers] [bad] [ends] [steps] [output] [exact]; without one, all of these.
"""

import collections
import re
import struct
import subprocess
import sys

import events
import lib
import states
import transitions

SHIFT = 5  # of the boot that is struck at each instruction: one takes 2^5 ns
SOURCES = lib.ROOT / "tests/qemu/linux"
RIGHT = 139  # answers that tests/qemu/linux/calls.c compares
NO_LIBRARY = ("-static", "-nostdlib", "-no-pie", "-mno-avx")
WRITTEN = {1: 36000, 2: 13000}  # bytes by descriptor that tests/qemu/linux/writer.c writes, at least
HEADER = {"type": (16, "<H"), "machine": (18, "<H"), "entry": (24, "<Q")}
SEGMENT = {"type": (0, "<I"), "flags": (4, "<I"), "vaddr": (16, "<Q"), "memsz": (40, "<Q")}
SEGMENTS_AT, SEGMENT_BYTES, LOAD, INTERP = 64, 56, 1, 3


def compiled(name, source, *flags):
    program = lib.folder() / name
    subprocess.run(["gcc", "-O1", "-w", *flags, SOURCES / source, "-o", program], check=True)
    return program


def run(name, words, *files, options=(), shift=3):
    """Boot with these files; the text of the run."""
    brought = [word for file in files for word in ("--file", str(file))]
    done = lib.boot(name, f"output=text seed=1 {words}", shift=shift,
                    options=("--door", "multiboot", *brought, *options))
    text = done.dump.read_text(errors="replace") if done.dump.exists() else ""
    return done, text


def check_calls(checks):
    """Static and static-pie: each answer as Linux has it, and random bytes that seed= repeats."""
    data = lib.folder() / "data"
    data.write_text("one\ntwo\n")
    for name, flags in (("calls", ["-static"]), ("callspie", ["-static-pie"])):
        done, text = run(name, f"tasks=file:{name} seconds=0", compiled(name, "calls.c", *flags), data)
        wrong = re.findall(r"WRONG.*", text)
        checks.check(done.status == lib.COMPLETE and f"{RIGHT} right" in text and not wrong,
                     f"{name}: {re.findall(r'[0-9]+ right', text)}, wrong {wrong} {done.said.strip()}")
        checks.check(f"task {name} exited with status 7" in text, f"{name}: its status is told")
        for call in ("fork (57) 1", "rseq (334) 1", "(100000) 1"):
            checks.check(call in text, f"{name}: told as missing: {call}")
        checks.check(text.count("has other code from 0x200000000 to 0x200001000") == 3,
                     f"{name}: each change of its code is told")


def check_registers(checks):
    """With XSAVE and with FXSAVE, three at a time beside tasks of the image: nothing leaks, nothing is lost."""
    names = ["reg1", "reg2", "reg3"]
    files = [compiled(name, "registers.c", *NO_LIBRARY) for name in names]
    for cpu, says in (("max", "avx"), ("max,-xsave", "sse")):
        tasks = ",".join(f"file:{name}" for name in names)
        _, text = run(f"registers-{cpu}", f"tasks=sleepers,{tasks} clock=1000 seconds=2", *files,
                      options=("--cpu", cpu))
        ended = [name for name in names if f"task {name} exited with status 0" in text]
        checks.check(ended == names and text.count(says + "\n") == 3,
                     f"{cpu}: {ended} kept their {says} registers and found initial ones")


def patched(original, name, *changes):
    """A copy of a program in which fields have other values: (segment or None, field, value)."""
    file = bytearray(original.read_bytes())
    loads = [i for i in range(struct.unpack_from("<H", file, 56)[0])
             if struct.unpack_from("<I", file, SEGMENTS_AT + i * SEGMENT_BYTES)[0] == LOAD]
    for segment, field, value in changes:
        at, form = HEADER[field] if segment is None else SEGMENT[field]
        base = 0 if segment is None else SEGMENTS_AT + loads[segment] * SEGMENT_BYTES
        struct.pack_into(form, file, base + at, value)
    program = lib.folder() / name
    program.write_bytes(file)
    return program


def bad_programs(good):
    """Each with the sentence that it gets."""
    text = lib.folder() / "text"
    text.write_text("not a program\n")
    small = patched(good, "bits32")
    file = bytearray(small.read_bytes())
    file[4] = 1
    small.write_bytes(file)
    yield text, "it is no ELF file"
    yield small, "it is a program of 32 bits"
    yield patched(good, "arm", (None, "machine", 183)), "it is not for x86-64"
    yield patched(good, "object", (None, "type", 1)), "it is no program"
    yield patched(good, "entry", (None, "entry", 0x1000)), "its entry lies outside its code"
    yield patched(good, "wx", (1, "flags", 7)), "a segment is both writable and code"
    yield patched(good, "overlap", (1, "vaddr", 0x400000)), "two segments share a page"
    yield patched(good, "bss", (-1, "memsz", 4 << 30)), "KiB of memory, and"
    yield patched(good, "far", (-1, "vaddr", 0xffffffff80100000)), "a segment lies outside the addresses of a program"
    yield patched(good, "dynamic", (0, "type", INTERP)), "it is dynamically linked"


def check_bad(checks):
    """A sentence for each, and all others run."""
    good = compiled("good", "registers.c", *NO_LIBRARY)
    bad = list(bad_programs(good))
    tasks = ",".join(f"file:{file.name}" for file, _ in bad)
    _, text = run("bad", f"tasks=sleepers,{tasks},file:good seconds=1", good, *(file for file, _ in bad))
    for file, sentence in bad:
        line = next((line for line in text.splitlines() if re.search(rf"\b{file.name}\b.*{sentence}", line)), None)
        checks.check(line is not None, f"{file.name}: {line or 'no sentence'}")
    checks.check("task good exited with status 0" in text and "SL100 " in text,
                 "bad: the good program and the workload went on")
    wild = [compiled(f"wild{i}", "wild.c", "-static", f"-DWAY={i}") for i in range(9)]
    _, text = run("wild", "tasks=sleepers," + ",".join(f"file:{w.name}" for w in wild) + " seconds=1", *wild)
    ended = [w.name for w in wild if re.search(rf"task {w.name} (was ended in user mode|exited with status 1(34|39))",
                                               text)]
    checks.check(ended == [w.name for w in wild] and "SL100 " in text, f"wild: ended alone: {ended}")


def check_ends(checks):
    """Three of one program beside tasks that come and go: none of these gets a slot before its end was told."""
    program = compiled("aborts", "wild.c", "-static", "-DWAY=5")
    for tasks in ("brief,file:aborts,file:aborts,file:aborts", "diskflood,file:aborts"):
        _, text = run("ends", f"tasks={tasks} seconds=1", program, shift=5)
        told = text.count("task aborts exited with status 134")
        checks.check(told == tasks.count("file:"), f"{tasks}: {told} ends are told")


def instructions(function):
    """The addresses of a function of the image."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", lib.ROOT / "build/cpuprobe.elf"],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    inside, found = False, []
    for line in text.splitlines():
        head = re.match(r"[0-9a-f]{16} <(.*)>:", line)
        if head:
            inside = head[1].split(".")[0] in function
        row = re.match(r" *([0-9a-f]+):\t(.*)", line)
        if inside and row and not re.match(r"(data16 |cs )*(nop|xchg +%ax,%ax)", row[2]):
            found.append((int(row[1], 16), row[2].strip()))
    return found


def steps(checks, name, program, words):
    """The table of a program that makes calls all the time beside masked tasks, sampled by NMI."""
    return lib.boot_table(checks, name,
                          f"delivery=nmi tasks=masked,file:steps interval=random spread=1.5 seed=1 seconds=0 {words}",
                          shift=SHIFT, options=("--door", "multiboot", "--file", str(program)))


def check_steps(checks):
    """An NMI at each instruction of SYSCALL's entry: each is hit, each sample is the task's, no clock is lost."""
    program = compiled("steps", "steps.c", "-static")
    code = instructions(("syscall_instruction_entry", "syscall_instruction_on_stack"))
    low, high = code[0][0], code[0][0] + 128
    table = steps(checks, "steps", program,
                  f"rate=10000 samples=40000 monitor=system,region region=*:kernel:{low:#x}-{high:#x}")
    hits = collections.Counter()
    last = max(head["serial"] for head, _ in lib.records(lib.folder() / "steps.dump", "REGION"))
    for head, rows in lib.records(lib.folder() / "steps.dump", "REGION"):
        for r in rows if head["serial"] == last else []:
            hits[head["base"] + (r["slot"] << head["shift"])] += r["hits"]
    missed = [f"{a:#x} {text}" for a, text in code if not hits[a]]
    checks.check(len(code) > 20 and not missed, f"{len(code) - len(missed)} of {len(code)} instructions hit, "
                 f"the first two {hits[code[0][0]]} and {hits[code[1][0]]} times; not: {missed}")
    total = sum(cell["exact"] for _, cell in lib.cells(table))
    checks.check(abs(total - 100) < 1e-8, f"the truths add to the window: {total - 100:+.1e} %")
    idle = lib.row(table, "IDLE")["total"] # whose stack the program pretends to have
    checks.check(not lib.beyond(idle), f"IDLE: {idle['hits']} hits for {idle['exact']:.4f} %")
    # At 10 000 Hz handlers take 6 to 12 % of the time, and shares are off by what the table tells as its handler's
    # bias.
    table = steps(checks, "steps-shares", program, "rate=1000 samples=8000")
    lib.check_truths(checks, "steps",
                     [(key, cell) for key, cell in lib.cells(table) if cell["exact"] * table["samples"] > 2000])


def written(seed, count):
    """The bytes of a stream of tests/qemu/linux/writer.c."""
    out = bytearray()
    for _ in range(count):
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        out.append(seed >> 56)
    return bytes(out)


def check_output(checks):
    """A program that writes faster than the line: it waits, no byte is lost,
    and the tasks beside it have their shares."""
    program = compiled("writer", "writer.c", "-static")
    table = lib.boot_table(checks, "writer", "tasks=figure3,file:writer seconds=10 rate=500 seed=1", shift=5,
                           options=("--door", "multiboot", "--file", str(program)))
    dump = lib.folder() / "writer.dump"
    said = subprocess.run([lib.ROOT / "build/cpuprobe", "output", "--task", "writer", dump], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=True)
    for seed, found, least in ((1, said.stdout, WRITTEN[1]), (2, said.stderr, WRITTEN[2])):
        checks.check(len(found) >= least and found == written(seed, len(found)),
                     f"writer: {len(found)} bytes of descriptor {seed}, each as it was written")
    ended = [head["status"] for head, _ in lib.records(dump, "PROCESS")][-1]
    checks.check(ended == 0, f"writer: {ended} answers of its calls were wrong")
    cells = [(key, cell) for key, cell in lib.cells(table) if cell["exact"] * table["samples"] > 2000]
    checks.check(len(cells) > 5, f"writer: {len(cells)} cells are to be judged")
    lib.check_truths(checks, "writer", cells)


def check_exact(checks):
    """Events, states and the log of a run with a program that waits for the line: each adds up to the exact table."""
    program = compiled("writer", "writer.c", "-static")
    words, how = "tasks=figure3,file:writer seconds=2", {"options": ("--door", "multiboot", "--file", str(program))}
    events.check_sums(checks, "events", words, **how)
    transitions.check_sums(checks, "log", words, **how)
    states.check_recorded_cells(checks, "program", words, **how)
    for name in ("events", "log", "cells-program"):
        text, status = lib.host("audit", lib.folder() / f"{name}.dump")
        checks.check(status == 0, f"{name}: the audit holds ({status}) {text if status else ''}")


def main():
    checks = lib.Checks()
    parts = {name[6:]: part for name, part in globals().items() if name.startswith("check_")}
    for name in sys.argv[1:] or parts:
        parts[name](checks)
    checks.finish()


if __name__ == "__main__":
    main()
