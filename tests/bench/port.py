# SPDX-License-Identifier: MIT
"""What the core costs a kernel that it is ported to: code by option, as the compiler makes it, and memory by option,
as the header says."""

import pathlib
import re
import shutil
import subprocess

import lib
from result import Result, Table

FLAGS = ("-std=c11", "-Os", "-g", "-ffreestanding", "-fno-stack-protector", "-fno-pic",
         "-fno-asynchronous-unwind-tables")
MACHINES = (  # a column of the table each
    ("x86-64", ("gcc", "-m64", "-mgeneral-regs-only"), "nm"),
    ("Cortex-M3", ("arm-linux-gnueabihf-gcc", "-mthumb", "-mcpu=cortex-m3", "-mfloat-abi=soft"),
     "arm-linux-gnueabihf-nm"),
    ("RISC-V, 64 bits", ("riscv64-linux-gnu-gcc", "-march=rv64imac", "-mabi=lp64"), "riscv64-linux-gnu-nm"),
)
PARTS = (  # option, the sources that only it needs, its memory in words of the header
    ("account", r"port/port_account", "CPUPROBE_ACCOUNT_SIZE(16)"),
    ("commands", r"port/port_commands|command/", "CPUPROBE_COMMANDS_SIZE"),
    ("intervals", r"schedule/point_queue", "CPUPROBE_INTERVALS_SIZE(128)"),
    ("regions", r"core/region", "CPUPROBE_REGIONS_SIZE(1)"),
    ("samples", r"port/port_samples|core/samples|stream/(sample_encode|decimate|place_rows)|coding/(dict|column)",
     "CPUPROBE_SAMPLES_SIZE"),
    ("events", r"port/port_events|trace/|stream/event_encode", "CPUPROBE_EVENTS_SIZE(256)"),
    ("selftest", r"port/port_load", "0u"),
)
REST = "none: the table"
LIMIT = 64 * 1024  # bytes of code and constants in all: half of a small controller's flash of 128 KiB
COLUMNS = ("option", *(f"code, {machine[0]}" for machine in MACHINES), "memory, 128 records", "32 records")


def source_of(lines):
    """The source that each line of the one file comes from."""
    name, of = "", []
    for line in lines:
        found = re.fullmatch(r"/\* ---- (\S+) ---- \*/", line)
        name = found[1] if found else name
        of.append(name)
    return of


def code(folder, compiler, nm):
    """Bytes by option."""
    made = folder / "core.o"
    subprocess.run([*compiler, *FLAGS, "-c", folder / "cpuprobe-core.c", "-o", made], check=True)
    listed = subprocess.run([nm, "-S", "-l", made], check=True, capture_output=True, text=True).stdout
    of = source_of((folder / "cpuprobe-core.c").read_text().splitlines())
    sums = dict.fromkeys((REST, *(name for name, _, _ in PARTS)), 0)
    for size, place in re.findall(r"^\S+ (\S+) [tTrR] \S+(?:\t\S+:(\d+))?$", listed, re.M):
        source = of[int(place) - 1] if place else ""
        option = next((name for name, sources, _ in PARTS if re.search(sources, source)), REST)
        sums[option] += int(size, 16)
    whole = subprocess.run(["size", made], check=True, capture_output=True, text=True).stdout
    sums[REST] += int(whole.split()[6]) - sum(sums.values())  # sentences have no symbols
    return sums


def memory(folder, records):
    """Bytes by option."""
    program = folder / "memory.c"
    words = ("CPUPROBE_SIZE", *(words for _, _, words in PARTS))
    program.write_text('#include <stdio.h>\n#include "cpuprobe-core.h"\nint main(void) { '
                       + "".join(f'printf("%u\\n", (unsigned)({word})); ' for word in words) + "}\n")
    subprocess.run(["gcc", f"-DCPUPROBE_RECORDS={records}", f"-I{folder}", program, "-o", folder / "memory"],
                   check=True)
    said = subprocess.run([folder / "memory"], check=True, capture_output=True, text=True).stdout
    return dict(zip((REST, *(name for name, _, _ in PARTS)), map(int, said.split())))


def results(_):
    folder = pathlib.Path(lib.folder())
    subprocess.run([lib.ROOT / "tools/build/amalgamate", folder], check=True)
    codes = [code(folder, compiler, nm) if shutil.which(compiler[0]) else {} for _, compiler, nm in MACHINES]
    memories = [memory(folder, records) for records in (128, 32)]
    for (machine, _, _), sums in zip(MACHINES, codes):
        if sums:
            yield Result(f"port, code of all, {machine}", sum(sums.values()), "bytes", LIMIT)
    yield Table(COLUMNS, [(name, *(str(sums.get(name, "n.a.")) for sums in codes), *(str(m[name]) for m in memories))
                          for name in (REST, *(name for name, _, _ in PARTS))], "docs/PORTING.md")
