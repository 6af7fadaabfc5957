# SPDX-License-Identifier: MIT
"""Speed of the decoder of events, on a made-up stream, beside zlib's crc32 as that of raw samples (samples.py)."""

import subprocess

import lib
from result import Result

CYCLES = 100_000  # of 20 events (tests/host/event_run.h)


def results(limits_only):
    """No limit: raw samples have those of the decoder."""
    del limits_only
    dump = lib.folder() / "events.made"
    with dump.open("wb") as to:
        subprocess.run([lib.ROOT / "build/host/make_events", str(CYCLES)], stdout=to, check=True)
    done = subprocess.run([lib.ROOT / "build/host/bench_events", dump], stdout=subprocess.PIPE, text=True, check=True)
    figure = {name: float(value) for name, value, _ in (line.split() for line in done.stdout.splitlines())}
    name = f"{figure['events']:.0f} made-up events"
    yield Result(f"{name}: on the line", figure["bytes_an_event"], "bytes each")
    yield Result(f"{name}: decoded, of zlib's crc32", figure["decode_ratio"], "ratio")
    yield Result(f"{name}: decoded", figure["decode_rate"], "million/s")
    yield Result(f"{name}: given by the timeline, with states", figure["timeline_rate"], "million/s")
