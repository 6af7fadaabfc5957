# SPDX-License-Identifier: MIT
"""What the host tool takes for a sample, a line of text and an address, in instructions;
and that it grows as the stream does.

The limits are those that stream.py and samples.py set as ratios of times, in instructions: theirs are of this host.
"""

import instructions
import lib
from result import Result
from stream import BEFORE, DAMAGED, UNKNOWN, stream

SAMPLES = 100_000  # and twice and four times as many: from here on numbers and seconds have as many digits
# What twice as many samples more take: linear work twice as much, sorting by comparisons 2.12 times as much.
GROWTH = 2.05
# Decoded and summed at a twentieth of the speed of zlib's crc32 (SUMMED of stream.py, with 1.375 bytes a sample).
SUMMED = BEFORE * instructions.CRC32 / 0.05
TEXT = 17730 / 5   # a fifth (TEXT of stream.py) of what babeltrace2 2.0.4 takes for one of these samples


def samples(path, what):
    return instructions.once(lib.ROOT / "build/host/bench_samples", "--repeat", what, None, path)


def text(path):
    return instructions.of(lib.ROOT / "build/cpuprobe", "samples", path, statuses=(0, DAMAGED))


def symbols(known):
    return instructions.once(lib.ROOT / "build/host/bench_symbols", lib.ROOT / "build/host/cpuprobe", known,
                             None) / 1e6


def growing(name, paths, taken, limit):
    """Of each sample more, and how that grows: what does not depend on their number is in neither."""
    first, second, third = map(taken, paths)
    yield Result(f"a made-up sample {name}", (third - second) / (2 * SAMPLES), "instructions", limit)
    yield Result(f"{2 * SAMPLES} made-up samples more {name}, of {SAMPLES}", (third - second) / (second - first),
                 "ratio", GROWTH)


def results(_):
    paths = [stream(SAMPLES * times)[0] for times in (1, 2, 4)]
    yield from growing("decoded", paths, lambda path: samples(path, "decode"), None)
    yield from growing("decoded and summed", paths, lambda path: samples(path, "collect"), SUMMED)
    yield from growing("as text", paths, text, TEXT)
    for path in paths:
        path.unlink()
    known, unknown = symbols("known"), symbols("unknown")
    yield Result("an address in a function: found", known, "instructions")
    yield Result("an address in none, of these", unknown / known, "ratio", UNKNOWN)
