#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Streams whose fields are made to lie, through every command line that reads one: tests/fuzz/attack.py [SECONDS].

First what was found before (corpus/attack.tar), as it stands; then MUTANTS of recorded and of made streams, the same
ones each time; with SECONDS others, from the time of day on, until they are over.
"""

import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))

import lib

MUTANTS = 200
ROUND = 100  # mutants between two looks at the clock

# name, shift, words: each kind of record and of sampling that a stream can have
STREAMS = (
    ("two", 5, "tick=pit,slu-timeout rate=1000 seconds=1 seed=1"),
    ("nmi", 5, "delivery=nmi tasks=masked rate=1000 seconds=2 seed=1 monitor=system,samples"),
    ("log", 5, "account=log windows=2 seconds=1 seed=5 rate=100 tasks=masked"),
    ("thin", 3, "monitor=system,samples thin=auto rate=10000 seconds=2 seed=4"),
    ("regions", 5, "monitor=system,region,samples region=ROGUE:user:025200-042600 "
                   "region=*:kernel:0xffffffff80100000-0xffffffffffffffff rate=1000 seconds=2 seed=3"),
    ("callers", 6, "tasks=callsites monitor=system,callers rate=500 seconds=1 seed=6"),
    ("counted", 6, "tasks=profil monitor=system,procstat,profil rate=500 seconds=2 seed=7"),
    ("random", 5, "interval=random rate=1000 seconds=2 seed=2 tasks=faults"),
)

# of make_dump: what those do not have; thinned takes minutes under sanitizers
MADE = ("monitors", "survey", "calls", "load", "audit", "points", "raw-lost", "hellos", "two", "known-load")


def attack(dumps, count, first):
    command = [lib.ROOT / "build/host/attack", str(count), str(first), lib.folder(), *dumps]
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)


def found():
    folder = lib.folder() / "found"
    subprocess.run([lib.ROOT / "tests/fuzz/seeds", "unpack", "attack", folder], check=True)
    return sorted(folder.iterdir())


def made(name):
    path = lib.folder() / f"{name}.made"
    with path.open("wb") as out:
        subprocess.run([lib.ROOT / "build/host/make_dump", name], stdout=out, check=True)
    return path


def main(arguments):
    checks = lib.Checks()
    seeds = found()
    done = attack(seeds, len(seeds), 0)
    checks.check(done.returncode == 0, done.stdout.strip())
    dumps = [made(name) for name in MADE]
    for name, shift, words in STREAMS:
        run = lib.boot(name, f"output=frames {words}", shift=shift)
        checks.check(run.status == lib.COMPLETE and lib.stat(run.dump)["complete"],
                     f"{name}: a whole stream {run.said.strip()}")
        dumps.append(run.dump)
    if not checks.failed:
        end = time.monotonic() + (int(arguments[0]) if arguments else 0)
        first = int(time.time()) * ROUND if arguments else 1
        while True:
            done = attack(dumps, ROUND if arguments else MUTANTS, first)
            checks.check(done.returncode == 0, done.stdout.strip())
            first += ROUND
            if checks.failed or time.monotonic() >= end:
                break
    checks.finish()


if __name__ == "__main__":
    main(sys.argv[1:])
