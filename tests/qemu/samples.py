#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Raw samples on the line: their bytes, with and without times, and what loss of frames does to them."""

import random
import re
import sys

import lib
import packed

LOSS = 0.05
LOSSES_SEED = 20
SECONDS = {"short": 120, "long": 1000}  # at 1 kHz; `make bench` has the million
# Bytes of a sample, with times and without: 1.25 and 1.15 of 300 s as in `make bench`, and what shorter runs have
# more.  A place takes 12 bytes in full and about 16 of definitions, of 530 places: 0.12 of a sample of 120 s,
# 0.05 of 300 s.
LIMIT = {"": 1.33, "stamp=off": 1.23}
MODES = "user supervisor kernel interrupt".split()


def figures(dump):
    """What `cpuprobe info` says of the raw samples: by name."""
    text, _ = lib.host("info", dump)
    found = re.search(r"samples +(\d+) told, (\d+) arrived, (\d+) lost in the ring, (\d+) unresolved, "
                      r"(\d+) frames damaged\n"
                      r" +([\d.]+) bytes each; entropy ([\d.]+) bits", text)
    names = ("told", "arrived", "lost", "unresolved", "damaged", "bytes", "entropy")
    return dict(zip(names, (float(x) for x in found.groups())))


def check_bytes(checks, name, words, limit, seconds):
    run = lib.boot(name, f"output=frames monitor=samples rate=1000 seconds={seconds} seed=1 {words}", timeout=400)
    checks.check(run.status == lib.COMPLETE, f"{name}: the run ends well {run.said}")
    f = figures(run.dump)
    checks.check(f["told"] == f["arrived"] >= 0.97e3 * seconds and not f["lost"] + f["unresolved"] + f["damaged"],
                 f"{name}: all of {f['told']:.0f} samples arrive")
    checks.check(f["bytes"] <= limit, f"{name}: {f['bytes']:.3f} bytes a sample, at most {limit} "
                 f"(entropy {f['entropy'] / 8:.3f} bytes)")
    return run.dump


def lines_by_tick(dump):
    text, _ = lib.host("samples", dump)
    rows = (line.split(None, 1) for line in text.splitlines() if not line.startswith("#"))
    return {int(tick): rest for tick, rest in rows}


def without_frames(dump, lost):
    """The stream less some of its frames, the greeting of the epoch excepted: it is repeated each second."""
    frames = [f for f in dump.read_bytes().split(b"\0") if f]
    kept = [f for i, f in enumerate(frames) if i < 3 or not lost(f)]
    path = dump.with_suffix(".lossy")
    path.write_bytes(b"\0" + b"\0\0".join(kept) + b"\0")
    return path, len(frames) - len(kept)


def unpaired(line):
    """A line without the word that tells whether the sample pairs with the one before it."""
    words = line.split()
    return words[:-2] + words[-1:]


def check_loss(checks, dump):
    """No sample is wrong, and hardly one has a place that nobody knows."""
    chance = random.Random(LOSSES_SEED)
    lossy, gone = without_frames(dump, lambda f: chance.random() < LOSS)
    whole, rest = lines_by_tick(dump), lines_by_tick(lossy)
    wrong = [tick for tick, line in rest.items() if line != whole[tick] and " - - " not in line and
             not (tick - 1 not in rest and unpaired(line) == unpaired(whole[tick]))]
    unresolved = sum(" - - " in line for line in rest.values())
    checks.check(gone > 20 and len(rest) < len(whole),
                 f"{gone} frames lost, {len(whole) - len(rest)} samples with them")
    checks.check(not wrong, f"of the {len(rest)} others none is wrong")
    checks.check(unresolved <= 0.001 * len(rest), f"{unresolved} of them are unresolved, at most 0.1 %")
    checks.check(figures(lossy)["unresolved"] == unresolved, "info counts them")


def check_decoder(checks, dump):
    """A decoder that was written from the specification has each sample as the host tool has it."""
    again, told = packed.read(dump.read_bytes())
    text, _ = lib.host("samples", dump)
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    names, wrong = {}, 0
    for tick, _, name, mode, late, _, pc in lines:
        task, place, address = again.get(int(tick), (None, 0, 0))
        names.setdefault(task, name)
        wrong += (names[task], MODES[place % 4], place // 4, address) != (name, mode, int(late), int(pc, 16))
    checks.check(not wrong and len(again) == len(lines) > 100000 and told["steps"] > 100 and
                 not told["steps_in_time"], f"a second decoder has {len(again)} samples as the first one, {told}, "
                                            f"{wrong} of {len(lines)} differ")


def main():
    checks = lib.Checks()
    seconds = SECONDS[sys.argv[1]]
    dump = check_bytes(checks, "timed", "", LIMIT[""], seconds)
    check_bytes(checks, "untimed", "stamp=off", LIMIT["stamp=off"], seconds)
    check_decoder(checks, dump)
    check_loss(checks, dump)
    checks.finish()


if __name__ == "__main__":
    main()
