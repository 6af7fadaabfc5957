#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Debian's headless Chromium shows the page of a line that `cpuprobe serve` watches,
and each table that comes later."""

import re
import subprocess
import sys
import time

import browser
import client
import lib
from report import TABLE, expected

sys.path.insert(0, str(lib.ROOT / "tests/host"))
from serve import Board, samples_of  # noqa: E402
from serving import Serve  # noqa: E402

GUARD = 60  # seconds of wall time


def await_samples(tab, samples):
    """Until the page has the table with so many; what it has then."""
    end = time.monotonic() + GUARD
    while (shown := tab.run("data.run.stat.samples")) != samples and time.monotonic() < end:
        time.sleep(0.05)
    return shown


def code_of(tab):
    """Samples in the tree of code and in its first function, as drawn, and where the time lines come from."""
    return tab.run("[data.run.code.nodes && data.run.code.nodes[0][3], data.run.lanes.source, "
                   "Number(document.querySelector('#functions tbody tr td:last-child')?.textContent), "
                   "document.querySelectorAll('#tree button').length, document.querySelectorAll('#lane-box "
                   "path').length]")


def main():
    client.need("chromium")
    checks = lib.Checks()
    run = subprocess.run([lib.ROOT / "build/host/make_dump", "audit"], stdout=subprocess.PIPE, check=True).stdout
    board = Board("shown")
    server = Serve(board.path)
    board.connected()
    frames = [m.end() - 1 for m in re.finditer(b"\0\0", run)]
    first = next(at for at in frames if at > len(run) // 2)
    board.send(run[:first])
    server.wait("snapshot", "shown", 1)
    with browser.Browser() as tab:
        tab.open(f"http://127.0.0.1:{server.port}/lines/0")
        checks.check(tab.run("data.run.stat.samples") == samples_of(run[:first]), "the page has the first table")
        before = code_of(tab)
        checks.check(before[0] and before[1] == "samples" and before[2] and before[3] and before[4],
                     f"with tree, functions and time lines: {before}")
        tab.run("chooseNode(nodesOf(data.run).find((node) => node.level === 3).id)")
        chosen = tab.run("nodesOf(data.run)[state.node].name")
        tab.run("chooseRange([data.run.range.begin, (data.run.range.begin + data.run.range.end) / 2])")
        part = tab.run("[state.range, shownTable().samples]")
        time.sleep(1)
        board.send(run[first:])
        checks.check(await_samples(tab, samples_of(run)) == samples_of(run), "and the last one without a click")
        again = tab.run("[partOf(data.run).seconds, shownTable().samples]")
        far = max(abs(a - b) for a, b in zip(part[0], again[0])) / (part[0][1] - part[0][0])
        checks.check(far < 0.01 and abs(part[1] - again[1]) < 0.01 * part[1],
                     f"a part of the time stays that part: {part} {again}")
        tab.run("chooseRange(null)")
        after = code_of(tab)
        checks.check(after[0] > before[0] and after[2] > before[2] and after[4],
                     f"its tree, functions and time lines too: {before} {after}")
        checks.check(tab.run("nodesOf(data.run)[state.node].name") == chosen and
                     tab.run("document.activeElement.textContent").startswith(chosen[:4]),
                     "the chosen function and the focus stay")
        (lib.folder() / "whole.dump").write_bytes(run)
        wanted = expected(lib.stat(lib.folder() / "whole.dump"))
        checks.check(tab.run(TABLE) == wanted, f"drawn as stat has it: {tab.run(TABLE)[:2]} {wanted[:2]}")
        checks.check(not tab.problems, f"no error in the console: {tab.problems}")
        tab.picture(lib.folder() / "live.png")
    checks.check(server.end()[1] == 0, "the server ends well")
    checks.finish()


if __name__ == "__main__":
    main()
