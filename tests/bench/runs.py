# SPDX-License-Identifier: MIT
"""Boots of the CPU-bound task under the plugin that counts what handlers do (tests/qemu/count/visits.c)."""

import concurrent.futures
import dataclasses
import functools
import re
import statistics

import image
import kept
import lib

SHIFT = 3  # 125 million instructions a second
AT_ONCE = 2
DEADLINE = 300  # seconds of wall time for a boot


@dataclasses.dataclass(frozen=True)
class Visits:
    """Of an interrupt's handler, from the task's first instruction on;
    all but `number` and the last three are means."""
    number: int
    instructions: float
    ports: float    # IN and OUT
    devices: float  # loads and stores of a device's registers in memory
    last: float     # instructions up to the last access to a device
    most: int       # instructions of the longest one
    median: int     # of the middle one
    most99: int     # 99 of 100 take so many or fewer

    @staticmethod
    def of(fields):
        number, instructions, ports, devices, last, most, median, most99 = map(int, fields)
        each = max(number, 1)
        return Visits(number, instructions / each, ports / each, devices / each, last / each, most, median, most99)


@dataclasses.dataclass(frozen=True)
class Spin:
    """A run of the CPU-bound task."""
    words: str
    shift: int = SHIFT
    seconds: int = 2
    output: str = "text"  # in text PROBE does nothing but pass the reports on and draw points
    entry: int | None = None  # count the handler here
    drawing: bool = False     # and what drawing ahead takes
    options: tuple = ("--door", "rom")
    program: str = "spinner"  # what is counted begins with the first instruction of a task that runs it


@dataclasses.dataclass(frozen=True)
class Ran:
    dump: object
    visits: Visits | None
    drawn: int        # instructions that drew intervals, outside of the handler
    ticks: int | None  # text only
    pieces: tuple     # clock units of each piece of work

    def mean(self):
        return statistics.mean(self.pieces)

    def median(self):
        """Of short pieces in text: of one that PROBE did not run in."""
        return statistics.median(self.pieces)


@functools.cache
def code():
    return image.Code()


@functools.cache
def first_of_task(program):
    return image.symbol(lib.ROOT / f"build/tasks/{program}.elf", "_start")


def plugin(spin, out):
    """Arguments of tools/boot that make the emulator count."""
    words = [f"{lib.ROOT}/build/qemu/visits.so", f"out={out}", f"from={first_of_task(spin.program):#x}",
             f"entry={spin.entry:#x}"]
    if spin.drawing:
        words += [f"range={f.first:#x}-{f.first + f.size:#x}" for f in code().drawing()]
    return ("--qemu-arg", "-plugin", "--qemu-arg", ",".join(words))


def counted(out):
    """A handler that was never entered is no result: then its entry is not that of the image that ran."""
    rows = [line.split() for line in out.read_text().splitlines()]
    if not int(rows[0][2]):
        raise SystemExit(f"{out}: the handler was never entered, so that nothing was measured")
    return Visits.of(rows[0][2:]), sum(int(row[3]) for row in rows if row[0] == "range")


def pieces_of(dump, text):
    """What the task reports of its work."""
    if text:
        return (int(value) for value in re.findall(r"task SPIN reports (\d+)", text))
    return (head["value"] for head, _ in lib.records(dump, "REPORT"))


def run(name, spin):
    """A run that does not end well ends all."""
    out = lib.folder() / f"{name}.visits"
    options = spin.options + (plugin(spin, out) if spin.entry is not None else ())
    done = kept.boot(name, f"tasks=spin seed=1 output={spin.output} seconds={spin.seconds} {spin.words}",
                     shift=spin.shift, timeout=DEADLINE, options=options,
                     beside=(".visits",) if spin.entry is not None else ())
    if done.status != lib.COMPLETE:
        raise SystemExit(f"{name}: {spin.words}: status {done.status}: {done.said.strip()}")
    visits, drawn = counted(out) if spin.entry is not None else (None, 0)
    text = done.dump.read_text() if spin.output == "text" else ""
    ticks = re.search(r"^\((\d+) Samples", text, re.M)
    return Ran(done.dump, visits, drawn, int(ticks[1]) if ticks else None, tuple(pieces_of(done.dump, text)))


def named(key):
    return "-".join(re.sub(r"\W+", "-", str(part)) for part in key)


def run_all(spins):
    """Key: Spin -> key: Ran, two at a time; a key is a tuple of what tells the run from others."""
    for spin in spins.values():
        first_of_task(spin.program)
    code()
    image.check_rom()
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(spins, pool.map(lambda item: run(named(item[0]), item[1]), spins.items())))
