#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Every command that reads a stream, on streams in which all frames of one type have a type that the tool does not
know.

What these hold is missing: no command ends with exit status 0, and each says how many frames it does not know.
"""

import os
import subprocess
import sys

import noise  # noqa: E402, first: it finds lib
import frames  # noqa: E402
import lib  # noqa: E402

UNKNOWN = 250  # a type that no version has
END = 9        # without it a stream has no end, which is told anyway
TOOL = os.environ.get("CPUPROBE", lib.ROOT / "build/cpuprobe")
SAID = {"list .": "frames of unknown types"}  # a command that goes on to other files marks what it prints of this one


def retyped(data, kind):
    """The stream with all frames of a type as frames of the unknown one, and how many these are."""
    out, count = bytearray(), 0
    for block in data.split(b"\0"):
        body = frames.intact(block) if block else b""
        if body and body[0] == kind:
            out += frames.frame(UNKNOWN, body[3:], int.from_bytes(body[1:3], "little"))
            count += 1
        elif block:
            out += b"\0" + block + b"\0"
    return bytes(out), count


def run(command, place):
    words = [{"FILE": "noisy", "CLEAN": "clean"}.get(word, word) for word in command.split()]
    if "FILE" not in command and words[-1] not in ("-", "."):
        words.append("noisy")
    with (place / "noisy").open("rb") as stream:
        return subprocess.run([TOOL, *words], cwd=place, stdin=stream, capture_output=True, timeout=noise.DEADLINE,
                              check=False)


def check(checks, name, place):
    generator, kind, _, commands = noise.DUMPS[name]
    data = subprocess.run([lib.ROOT / "build/host" / generator, kind, *noise.SHORT.get(generator, ())],
                          stdout=subprocess.PIPE, check=True).stdout
    (place / "clean").write_bytes(data)
    types = {frames.intact(block)[0] for block in data.split(b"\0") if block and frames.intact(block)} - {END}
    for gone in sorted(types):
        other, count = retyped(data, gone)
        (place / "noisy").write_bytes(other)
        wrong = []
        for command in commands:
            done = run(command, place)
            said = SAID.get(command, f"{count} frames are of types that this version does not know ({UNKNOWN})")
            if ((done.returncode == 0) != (command in SAID) or
                said not in (done.stdout + done.stderr).decode(errors="replace")):
                wrong.append((command, done.returncode, done.stderr[-200:]))
        checks.check(not wrong, f"{name}: {len(commands)} commands without type {gone}: {wrong}")


def main():
    checks = lib.Checks()
    place = lib.folder().resolve() / "files"
    place.mkdir(exist_ok=True)
    for name in sys.argv[1:] or noise.DUMPS:
        check(checks, name, place)
    checks.finish()


main()
