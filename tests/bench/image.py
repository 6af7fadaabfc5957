# SPDX-License-Identifier: MIT
"""The linked image by disassembly: functions, who calls whom, constants; sizes,
and what must not be in the tick's path."""

import dataclasses
import functools
import re
import struct
import subprocess

import lib
from result import Result

IMAGE = lib.ROOT / "build/cpuprobe.elf"
ROM = lib.ROOT / "build/cpuprobe.rom"  # what lib.boot() boots
POLICIES = ("stratified", "random", "exponential", "narrow", "arithmetic", "fixed")
SOURCES = ("pit_periodic", "hpet", "lapic", "rtc", "clock", "slu", "slu_timeout")  # those with a handler by pointer
STUB_BYTES = 16  # kernel/cpu/vectors.asm


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


@functools.cache
def constants():
    """What the compiler told assembly."""
    lines = (line.split() for line in (lib.ROOT / "build/offsets.inc").read_text().splitlines())
    return {name: int(value) for name, _, value in lines}


def symbol(path, name):
    """The address of a symbol of a file."""
    return next(int(line.split()[0], 16) for line in run("nm", path).splitlines() if line.split()[2] == name)


def check_rom():
    """The addresses are those of the ELF file and the ROM is what runs: both must be of one build."""
    build_id = re.search(r"Build ID: ([0-9a-f]+)", run("readelf", "-n", IMAGE))[1]
    if not ROM.exists() or bytes.fromhex(build_id) not in ROM.read_bytes():
        raise SystemExit(f"{ROM.relative_to(lib.ROOT)} is not of the build of {IMAGE.relative_to(lib.ROOT)}: "
                         "run make rom")


@dataclasses.dataclass(frozen=True)
class Function:
    """What lies between a symbol and the next one: a function of C,
    or a piece of assembly that may go on in the next."""
    name: str
    first: int
    size: int
    body: tuple  # instructions as objdump writes them
    typed: bool  # the compiler's

    def targets(self):
        """Where it calls or jumps to, and where it goes on."""
        found = [re.match(r"(?:call|j\w+) +([0-9a-f]+) <", i) for i in self.body]
        ends = self.typed or not self.body or re.match(r"(jmp|iretq?|ret|ud2|hlt)\b", self.body[-1])
        return [int(m[1], 16) for m in found if m] + ([] if ends else [self.first + self.size])


class Code:
    """The image's functions, by address."""

    def __init__(self):
        lines = (line.split() for line in run("nm", "-n", IMAGE).splitlines())
        self.address = {name: int(a, 16) for a, _, name in lines}
        typed = {int(row[1], 16) for row in map(str.split, run("readelf", "-sW", IMAGE).splitlines())
                 if len(row) > 7 and row[3] == "FUNC"}
        self.function = {}
        for first, name, text in re.findall(r"^([0-9a-f]{16}) <(.*?)>:\n((?:.+\n)*)", run("objdump", "-d", IMAGE),
                                            re.M):
            rows = [line.split("\t") for line in text.splitlines()]
            size = sum(len(row[1].split()) for row in rows if len(row) > 1)
            first = int(first, 16)
            body = tuple(row[2] for row in rows if len(row) > 2)
            self.function[first] = Function(name, first, size, body, first in typed)

    def word(self, address):
        """Eight bytes of the image at a linked address."""
        image = IMAGE.read_bytes()
        at = struct.unpack_from("<Q", image, 32)[0]
        while True:  # the program header that holds it; linker.ld makes one
            offset, virtual, _, size = struct.unpack_from("<QQQQ", image, at + 8)
            if virtual <= address < virtual + size:
                return struct.unpack_from("<Q", image, offset + address - virtual)[0]
            at += 56

    def pointed(self, structs, *members):
        """The functions that these members of these structs point to."""
        words = [self.word(self.address[s] + constants()[m]) for s in structs for m in members]
        return [word for word in words if word]

    def named(self, *names):
        """Functions by name; the linker may have made several of one."""
        found = {name: [f.first for f in self.function.values() if f.name.split(".")[0] == name] for name in names}
        lacking = [name for name, addresses in found.items() if not addresses]
        if lacking:
            raise SystemExit(f"the image has no {', '.join(lacking)}")
        return [first for addresses in found.values() for first in addresses]

    def closure(self, roots, ends=()):
        """All that these call or jump to, and so on; what `ends` call is left out."""
        found, waiting = set(), list(roots)
        while waiting:
            first = waiting.pop()
            if first in found or first not in self.function:
                continue
            found.add(first)
            if first not in ends:
                waiting += self.function[first].targets()
        return [self.function[first] for first in sorted(found)]

    def tick_path(self):
        """What a tick can run, whatever its source, delivery and policy.

        All other interrupts come by interrupt_dispatch too: of what that calls only the tick's own is counted in.
        """
        return self.closure(
            self.named("tick_entry", "own_tick_entry", "nmi_entry", "interrupt_entry", "source_pit_interrupt",
                       "copy_exact_rows", "copy_rows_nmi")
            + self.pointed([f"policy_{name}" for name in POLICIES], "POLICY_NEXT")
            + self.pointed([f"source_{name}" for name in SOURCES], "SOURCE_INTERRUPT"),
            self.named("interrupt_dispatch"))

    def drawing(self):
        """What PROBE runs to draw intervals ahead."""
        return self.closure(self.named("point_queue_fill")
                            + self.pointed([f"policy_{name}" for name in POLICIES], "POLICY_NEXT", "POLICY_RUN"))

    def stub(self, vector):
        return self.address["vector_stubs"] + STUB_BYTES * vector


def results(_):
    code = Code()
    path = code.tick_path()
    divisions = [f"{f.name}: {i}" for f in path for i in f.body if re.match(r"i?div", i)]
    for division in divisions:
        print(division)
    yield Result("divisions in the tick's path", len(divisions), "instructions", 0)
    vectors = [f"{f.name}: {i}" for f in path for i in f.body if re.search(r"%([xy]?mm\d|st\b)", i)]
    for vector in vectors:
        print(vector)
    yield Result("vector registers in the tick's path", len(vectors), "instructions", 0)
    yield Result("code of the tick's path", sum(f.size for f in path), "bytes")
    yield Result("code of the image", code.address["text_end"] - code.address["image_start"], "bytes")
    yield Result("memory of the image", code.address["image_end"] - code.address["image_start"], "bytes")
    yield Result("bss in it", code.address["image_end"] - code.address["data_end"], "bytes")
    for path in (IMAGE, lib.ROOT / "build/BOOTX64.EFI"):
        if path.exists():
            yield Result(f"file {path.name}", path.stat().st_size, "bytes")
