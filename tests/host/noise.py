#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Every command that reads a stream, under sanitizers, on streams of which each byte is another one with a
probability.

None crashes, hangs or breaks a rule of C, and none gives another number than of the intact stream with exit status 0,
or without a mark beside it.
Exports have the same in exports.py, lines that people type on in serve.py and tests/qemu/tty.py.
"""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402
from byte_noise import RATES, noisy  # noqa: E402

SEED = 11
DEADLINE = 60  # seconds for one command
STATUSES = (0, 1, 3, 4)  # read; nothing to tell; damaged; a check failed
MARKS = {"list .": b"damaged: "}  # a command that goes on to other files marks what it prints of this one
DUMPS = {  # name: generator, its arguments, how often the stream stands in the file, commands
    "samples": ("make_dump", "audit",
                8, ("stat --json", "stat --exact --cells --sort kernel", "info --json", "audit --json", "samples",
                    "histogram --mode all", "script", "time --count 7", "top -", "list .", "diff FILE CLEAN",
                    "compare CLEAN FILE", "report -o page.html", "kiviat --axes user,kernel,busy",
                    "record FILE -o kept --force")),
    "monitors": ("make_dump", "monitors", 1, ("intercept", "acct", "idle", "procstat", "stat", "info", "compare",
                                              "report -o page.html")),
    "load": ("make_dump", "load", 1, ("procstat --json", "load", "ps --json", "idle", "stat --json", "top -")),
    "calls": ("make_dump", "calls", 1, ("profile", "stat", "info")),
    "events": ("make_events", "200", 1, ("trace", "trace --json", "gantt --width 100", "waits", "durations --json",
                                         "masked --json", "model", "states", "load --width 80", "stat",
                                         "report -o page.html", "compare")),
    "changes": ("make_large", "log", 1, ("transitions", "stat", "trace", "compare", "gantt --width 80")),
}
SHORT = {"make_large": ("300000",)}


def run(command, place):
    """What a command prints of the file `noisy`, its exit status, and what a sanitizer said."""
    words = [{"FILE": "noisy", "CLEAN": "clean"}.get(word, word) for word in command.split()]
    if "FILE" not in command and words[-1] not in ("-", "."):
        words.append("noisy")
    with (place / "noisy").open("rb") as stream:
        done = subprocess.run([lib.SANITIZED.resolve(), *words], cwd=place, stdin=stream, capture_output=True,
                              timeout=DEADLINE, check=False, env=os.environ | {"ASAN_OPTIONS": "detect_leaks=0"})
    said = done.stderr.decode(errors="replace")
    broken = [line for line in said.splitlines() if "Sanitizer" in line or "runtime error" in line]
    page = (place / "page.html").read_bytes() if "page.html" in command and (place / "page.html").exists() else b""
    return done.stdout + page, done.returncode, broken


def check(checks, name, place):
    generator, kind, times, commands = DUMPS[name]
    data = subprocess.run([lib.ROOT / "build/host" / generator, kind, *SHORT.get(generator, ())],
                          stdout=subprocess.PIPE, check=True).stdout
    data *= times
    (place / "clean").write_bytes(data)
    clean = {}
    for rate in (0, *RATES):
        (place / "noisy").write_bytes(noisy(data, rate, SEED))
        wrong = []
        for command in commands:
            (place / "page.html").unlink(missing_ok=True)
            out, status, broken = run(command, place)
            clean.setdefault(command, (out, status))
            silent = status == 0 and (out, status) != clean[command] and MARKS.get(command, b"no mark") not in out
            if status not in STATUSES or broken or silent:
                wrong.append((command, status, broken[:2], "another output with status 0" if silent else ""))
        checks.check(not wrong, f"{name}: {len(commands)} commands at {rate:g} of a byte: {wrong}")


def main():
    checks = lib.Checks()
    place = lib.folder().resolve() / "files"
    place.mkdir(exist_ok=True)
    for name in sys.argv[1:] or DUMPS:
        check(checks, name, place)
    checks.finish()


if __name__ == "__main__":
    main()
