# SPDX-License-Identifier: MIT
"""Bytes of a raw sample of the paper's system at 1 kHz, beside the entropy of the stream; speed of the decoder."""

import concurrent.futures
import subprocess

import lib
from result import Result, Table
from runs import AT_ONCE

SECONDS = {True: 300, False: 1050} # for limits a small stream; else one of a million samples
LIMIT = {"us": 1.25, "off": 1.15}  # bytes, all framing included, by stamp=: steps as runs take about 0.1
DECODE_LIMIT = 1 / 15              # of zlib's crc32 over the same bytes, with times; the one limit that is of wall time
SMALL_LIMIT = 0.75 * DECODE_LIMIT  # of a small stream, on a machine that other tests use
DEADLINE = 900                     # seconds of wall time for a boot


def dump(stamp, seconds):
    run = lib.boot(f"samples-{stamp}", f"seed=1 output=frames monitor=samples rate=1000 stamp={stamp} seconds={seconds}",
                   timeout=DEADLINE)
    if run.status != lib.COMPLETE:
        raise SystemExit(f"raw samples, stamp={stamp}: status {run.status}: {run.said.strip()}")
    return run.dump


def results(limits_only):
    lib.folder()
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        dumps = dict(zip(LIMIT, pool.map(lambda stamp: dump(stamp, SECONDS[limits_only]), LIMIT)))
    rows = []
    for stamp, limit in LIMIT.items():  # one after the other: the decoder's speed is measured
        done = subprocess.run([lib.ROOT / "build/host/bench_samples", dumps[stamp]], stdout=subprocess.PIPE, text=True, check=True)
        figure = {name: float(value) for name, value, _ in (line.split() for line in done.stdout.splitlines())}
        name = f"{figure['samples']:.0f} raw samples, stamp={stamp}"
        yield Result(f"{name}: on the line", figure["bytes_a_sample"], "bytes each", limit)
        yield Result(f"{name}: entropy of the stream", figure["entropy_bytes"], "bytes each")
        least = SMALL_LIMIT if limits_only else DECODE_LIMIT
        yield Result(f"{name}: decoded, of zlib's crc32", figure["decode_ratio"], "ratio", at_least=least)
        rows.append((f"{figure['samples']:.0f}, `stamp={stamp}`", f"{figure['bytes_a_sample']:.2f}", f"{limit}",
                     f"{figure['entropy_bytes']:.2f}", f"{figure['decode_ratio']:.3f}", f"{least:.3f}"))
    yield Table(("raw samples", "bytes of each", "at most", "entropy, bytes", "decoded, of zlib's crc32", "at least"), rows)
