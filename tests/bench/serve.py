# SPDX-License-Identifier: MIT
"""What part of a processor of this host `cpuprobe serve` takes for 64 lines at 115200 bits a second, and how much
of it a megabyte of four lines at 1.5 Mbit/s takes, which each have a reader of their page."""

import contextlib
import os
import subprocess
import sys

import lib
from result import Result

sys.path.append(str(lib.ROOT / "tests/host"))
from serving import CORES, FAST_LINES, LINES, PACE, Serve, at_pace, in_bursts, ptys  # noqa: E402

SECONDS = 5


def results(_):
    run = subprocess.run([lib.ROOT / "build/host/make_dump", "run"], stdout=subprocess.PIPE, check=True).stdout
    yield of_many(run)
    yield of_fast(run)


def of_fast(run):
    stream = run * (1000000 // len(run))
    with ptys(FAST_LINES) as pairs, contextlib.ExitStack() as stack:
        server = Serve(*(os.ttyname(board) for _, board in pairs))
        server.opened(pairs)
        clients = [stack.enter_context(server.follow(number)) for number in range(FAST_LINES)]
        before = server.cpu()
        in_bursts(pairs, stream, lambda: [server.drain(client) for client in clients])
        used = server.cpu() - before
        server.end()
    return Result(f"serve: {FAST_LINES} lines at 1.5 Mbit/s", 1000 * used / (FAST_LINES * len(stream) / 1e6),
                  "ms a megabyte")


def of_many(run):
    with ptys() as pairs:
        server = Serve(*(os.ttyname(board) for _, board in pairs))
        server.opened(pairs)
        before = server.cpu()
        took = at_pace(pairs, (run * (SECONDS * PACE // len(run) + 1))[:SECONDS * PACE])
        used = server.cpu() - before
        server.end()
    return Result(f"serve: {LINES} lines at 115200 bits a second", used / took, "processors", CORES)
