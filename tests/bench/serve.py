# SPDX-License-Identifier: MIT
"""What part of a processor of this host `cpuprobe serve` takes for 64 lines at 115200 bits a second."""

import os
import subprocess
import sys

import lib
from result import Result

sys.path.append(str(lib.ROOT / "tests/host"))
from serving import CORES, LINES, PACE, Serve, at_pace, ptys  # noqa: E402

SECONDS = 5


def results(_):
    run = subprocess.run([lib.ROOT / "build/host/make_dump", "run"], stdout=subprocess.PIPE, check=True).stdout
    with ptys() as pairs:
        server = Serve(*(os.ttyname(board) for _, board in pairs))
        server.opened(pairs)
        before = server.cpu()
        took = at_pace(pairs, (run * (SECONDS * PACE // len(run) + 1))[:SECONDS * PACE])
        used = server.cpu() - before
        server.end()
    yield Result(f"serve: {LINES} lines at 115200 bits a second", used / took, "processors", CORES)
