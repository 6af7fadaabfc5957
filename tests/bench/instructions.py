# SPDX-License-Identifier: MIT
"""Instructions that a program of the host takes, by valgrind: the same on each host with the same build,
however busy it is."""

import re
import shutil
import subprocess

# Cachegrind without its caches counts what callgrind counts, in a third of the time.
VALGRIND = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")

# of crc32() of zlib 1.2.13 for a byte, by the same count: for each byte of its words a shift, a mask and a load
CRC32 = 3.85


def command(*words):
    """The same command under valgrind."""
    if not shutil.which("valgrind"):
        raise SystemExit("valgrind is not installed: tools/setup check installs it")
    return [*VALGRIND, *map(str, words)]


def told(text):
    """What valgrind wrote to standard error when the program ended."""
    return int(re.search(r"^==\d+== I +refs: +([\d,]+)$", text, re.M)[1].replace(",", ""))


def of(*words, statuses=(0,)):
    """Of a program that ends by itself, with one of these statuses."""
    done = subprocess.run(command(*words), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          errors="replace", check=False)
    if done.returncode not in statuses:
        raise SystemExit(f"{' '.join(map(str, words))}: status {done.returncode}: {done.stderr[-300:]}")
    return told(done.stderr)


def once(*words):
    """Of what a program does once more where its word N is one more."""
    return of(*(word or "2" for word in words)) - of(*(word or "1" for word in words))
