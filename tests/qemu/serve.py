#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Running images through `cpuprobe serve`: record, control, zoom and top beside each other on one line;
a board that is reset."""

import contextlib
import subprocess
import sys

import lib
from link import Link

sys.path.insert(0, str(lib.ROOT / "tests/host"))
from serving import TOOL, Serve  # noqa: E402

RESETS = ("--qemu-arg", "-action", "--qemu-arg", "reboot=reset")  # or QEMU ends
# A window of zoom is 2 s: at this rate a range with a hundredth of the samples is without a hit in one of e^20
# windows.
WORDS = 'tasks=figure3 seconds=0 rate=1000 seed=1 monitor=system,samples note="served"'
GUARD = 120


def start(*words):
    return subprocess.Popen([TOOL, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def beside(checks, server, line):
    """All at once on one line, while a recorder that came first goes on."""
    out = lib.folder() / "recorded.dump"
    recorder = start("record", line, "-o", out, "--force")
    server.wait("line_clients", "line", 1)
    others = {"status": start("control", line, "status"), "health": start("control", line, "health"),
              "zoom": start("zoom", "--task", "ROGUE", "--seconds", "2", line), "top": start("top", "-n", "3", line)}
    wanted = {"top": "Last %", "status": "window: ", "health": "pit: ", "zoom": "ROGUE"}
    for name, process in others.items():
        text, said = process.communicate(timeout=GUARD)
        checks.check(process.returncode == 0 and wanted[name] in text,
                     f"{name} beside others: {process.returncode} {said.strip()} {text[:60]!r}")
    text, said, status = control(line, "end")
    checks.check(status == 0, f"end: {status} {said}")
    said = recorder.communicate(timeout=GUARD)[1]
    checks.check(recorder.returncode == 0, f"the recorder has a whole run: {recorder.returncode} {said.strip()}")
    checks.check(len(list(lib.records(out, "ANSWER"))) >= 3, "and what was answered to others")


def control(line, *words):
    done = subprocess.run([TOOL, "control", line, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, timeout=GUARD)
    return done.stdout, done.stderr, done.returncode


def main():
    checks = lib.Checks()
    sockets = lib.folder() / "s"
    sockets.mkdir(exist_ok=True)
    with contextlib.ExitStack() as stack:
        one = stack.enter_context(Link("one", WORDS))
        two = stack.enter_context(Link("two", WORDS, options=RESETS))
        (lib.folder() / "line2").unlink(missing_ok=True)
        (lib.folder() / "line2").symlink_to(two.path)  # both sockets have one name
        server = Serve("--sockets", sockets, one.path, lib.folder() / "line2")
        stack.callback(lib.end, server.process)
        for line in ("line", "line2"):
            checks.check(server.wait("line_boots_total", line, 1) == 1, f"{line} boots")
        said = control(sockets / "line2", "reboot")
        checks.check(server.wait("line_boots_total", "line2", 2) == 2, f"a reset is a boot more: {said}")
        beside(checks, server, sockets / "line")
        checks.check(server.values("line_damaged_total") == {"line": 0.0, "line2": 0.0}, "nothing is damaged")
        said, status = server.end()
        checks.check(status == 0, f"the server ends well: {status} {said}")
    checks.finish()


if __name__ == "__main__":
    main()
