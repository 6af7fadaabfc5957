#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Programs that were not made for the image run as tasks: each writes what it writes on this machine and ends as here.

Their functions' shares by samples are held against a plugin's count of every block that they executed: of the 99.9 %
intervals at most as many miss as chance allows.  tools/profile is held to what it says of itself.
"""

import bisect
import collections
import dataclasses
import gzip
import json
import os
import re
import shutil
import subprocess

import lib

HERE = lib.ROOT / "tests/qemu/programs"
MINIGZIP = "/usr/share/doc/zlib1g-dev/examples/minigzip.c"
RATE = 3000
SHIFT = 3  # 8 ns an instruction
WIDER = 3.2905 / 1.96  # from the printed interval of 95 % to one of 99.9 %
LEAST = 15  # hits of a function that is judged
NUMBERS = "".join(f"{n * 7919 % 20011}\n" for n in range(8000))


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    build: tuple  # the compiler's command; () where it is there as it is
    arguments: tuple = ()
    stdin: bool = False
    file: str = ""  # of tests/qemu/programs, that it opens
    path: str = ""
    judged: bool = True  # it has symbols
    unpack: bool = False  # what it writes is compressed; another version may pack otherwise


PROGRAMS = (
    Program("static", ("gcc", "-O2", "-fno-inline", "-static", "{folder}/primes.c")),
    Program("static-pie", ("gcc", "-O2", "-fno-inline", "-static-pie", "{folder}/primes.c")),
    Program("musl", ("musl-gcc", "-O2", "-fno-inline", "-static", "{folder}/primes.c")),
    Program("exceptions", ("g++", "-O2", "-static", f"{HERE}/exceptions.cpp")),
    Program("lua", ("gcc", "-O2", "-static", f"{HERE}/lua.c", "-llua5.4", "-lm", "-ldl"), ("queens.lua",), file="queens.lua"),
    Program("minigzip", ("gcc", "-O2", "-static", MINIGZIP, "-lz"), stdin=True, unpack=True),
    Program("sha256sum", (), ("sha256sum",), stdin=True, path="/bin/busybox", judged=False),
    Program("sort", (), ("sort", "-n"), stdin=True, path="/bin/busybox", judged=False),
    Program("gzip", (), ("gzip",), stdin=True, path="/bin/busybox", judged=False, unpack=True),
    Program("rust", ("rustc", "-O", "-C", "target-feature=+crt-static", "-C", "relocation-model=static", f"{HERE}/words.rs"),
            judged=False),
)


def readme_program():
    """The program that README has the reader type."""
    text = (lib.ROOT / "README.md").read_text()
    block = re.search(r"Type this as `primes.c`:\n\n((?:    .*\n|\n)+)", text)[1]
    (lib.folder() / "primes.c").write_text("\n".join(line[4:] for line in block.rstrip().splitlines()) + "\n")


def built(p):
    """The program's path; None where this machine cannot make it."""
    if not p.build:
        return p.path if os.access(p.path, os.R_OK) else None
    if not shutil.which(p.build[0]):
        return None
    out = lib.folder().resolve() / p.name  # it runs in another folder
    done = subprocess.run([word.format(folder=lib.folder()) for word in p.build] + ["-o", out], stderr=subprocess.PIPE, text=True,
                          check=False)
    return out if done.returncode == 0 else None


def said(data, p):
    return gzip.decompress(data) if p.unpack and data else data


def expected(p, path, numbers):
    """What it writes on this machine, and its status."""
    with numbers.open("rb") as stdin:
        done = subprocess.run([path, *p.arguments], stdin=stdin if p.stdin else subprocess.DEVNULL, stdout=subprocess.PIPE,
                              cwd=HERE, check=False)
    return said(done.stdout, p), done.returncode


def boot(p, path, numbers):
    folder = lib.folder()
    blocks, dump = folder / f"{p.name}.blocks", folder / f"{p.name}.dump"
    files = [word for file in ([HERE / p.file] if p.file else []) + ([numbers] if p.stdin else []) for word in ("--file", file)]
    words = [f"rate={RATE}", "seconds=0", "monitor=system,samples", "output=frames", "health=off"] + ["stdin=file:numbers"] * p.stdin
    command = [lib.ROOT / "tools/boot", "--shift", str(SHIFT), "--timeout", str(lib.GUARD), "-o", dump,
               "--hwmon", f"out={folder}/{p.name}.observed,blocks={blocks}", *files, "--task", path, *p.arguments, "--", *words]
    done = subprocess.run(lib.supervised(*command), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    return dump, blocks, done


def counts(blocks):
    """Instructions of ring 3 by the address where their block begins."""
    found = collections.Counter()
    for line in blocks.read_text().splitlines():
        field = line.split()
        if field[0] == "block" and field[2] == "3":
            found[int(field[1], 16)] += int(field[3]) * int(field[4])
    return sorted(found.items())


def check_shares(checks, p, path, dump, blocks):
    """Each function's share of the samples against its share of the window's instructions."""
    text, _ = lib.host("histogram", "--by", "function", "--json", "-s", path, "--task", os.path.basename(path), dump)
    seconds = json.loads(lib.host("stat", "--exact", "--json", dump)[0])["window"]["seconds"]
    rows = [r for r in json.loads(text)["rows"] if r["start"] and r["hits"] >= LEAST]
    counted = counts(blocks)
    starts = [address for address, _ in counted]
    outside = []
    for row in rows:
        first, end = (bisect.bisect_left(starts, int(row[key], 16)) for key in ("start", "end"))
        truth = 100 * sum(n for _, n in counted[first:end]) * 2 ** SHIFT * 1e-9 / seconds
        low, high = (row["percent"] + WIDER * (row[key] - row["percent"]) for key in ("low", "high"))
        print(f"    {row['name']:30.30} {row['percent']:7.3f} {truth:7.3f} of {low:.3f} to {high:.3f}")
        if not low <= truth <= high:
            outside.append(row["name"])
    return len(rows), outside


def check_program(checks, p, numbers):
    """Functions that were judged, and those of them outside."""
    path = built(p)
    if path is None:
        print(f"skip: {p.name}: what makes it is not installed (tools/setup check)")
        return 0, []
    wanted, status = expected(p, path, numbers)
    dump, blocks, done = boot(p, path, numbers)
    if not checks.check(done.returncode == 0, f"{p.name}: runs to its end {done.stderr.strip()}"):
        return 0, []
    wrote = subprocess.run([lib.ROOT / "build/cpuprobe", "output", dump], stdout=subprocess.PIPE, check=False).stdout
    checks.check(said(wrote, p) == wanted, f"{p.name}: writes what it writes here, {len(wrote)} bytes")
    head, _ = list(lib.records(dump, "PROCESS"))[-1]
    checks.check((head["state"], head["status"]) == (1, status), f"{p.name}: exits with status {head['status']}, as here")
    return check_shares(checks, p, path, dump, blocks) if p.judged else (0, [])


def tool(*words):
    return subprocess.run(lib.supervised(lib.ROOT / "tools/profile", *words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)


def check_tool(checks):
    """The same bytes twice; a version that does more is told, and fails a limit that it exceeds, and no other."""
    folder = lib.folder()
    program, more = folder / "static", folder / "more"
    more.mkdir(exist_ok=True)
    (more / "primes.c").write_text((folder / "primes.c").read_text().replace("d * d <= n; d++", "d * d <= 2 * n; d++"))
    subprocess.run(["gcc", "-O2", "-fno-inline", "-static", more / "primes.c", "-o", more / "static"], check=True)
    runs = [tool("--count", "-o", folder / f"{name}.html", program) for name in ("first", "again")]
    checks.check(runs[0].returncode == 0 and "primes from right to left" in runs[0].stdout and "prime" in runs[0].stdout,
                 f"tools/profile: status {runs[0].returncode} {runs[0].stderr}")
    pages = [(folder / f"{name}.html").read_bytes() for name in ("first", "again")]
    checks.check(runs[0].stdout == runs[1].stdout and pages[0] == pages[1], f"tools/profile: the same bytes twice, a page of {len(pages[0])}")
    same = tool("--compare", "--fail-if", "+0%", program, program)
    checks.check(same.returncode == 0, f"tools/profile: a program has as many instructions as itself {same.stderr}")
    grown = tool("--compare", "--fail-if", "prime > +1%", "--fail-if", "reversed > +50%", program, more / "static")
    checks.check(grown.returncode == 4 and "prime grew by" in grown.stderr and "reversed grew" not in grown.stderr,
                 f"tools/profile: status {grown.returncode}: {grown.stderr.strip()}")


def main():
    checks = lib.Checks()
    readme_program()
    numbers = lib.folder() / "numbers"
    numbers.write_text(NUMBERS)
    cells, outside = 0, []
    for p in PROGRAMS:
        judged, missed = check_program(checks, p, numbers)
        cells += judged
        outside += missed
    checks.check(cells >= 10 and len(outside) <= lib.most_misses(cells), f"{len(outside)} of {cells} functions' shares are outside of "
                 f"their 99.9 % interval, at most {lib.most_misses(cells)} {' '.join(outside)}")
    check_tool(checks)
    checks.finish()


if __name__ == "__main__":
    main()
