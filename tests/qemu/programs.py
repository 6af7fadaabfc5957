#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Programs that were not made for the image run as tasks: each writes what it writes on this machine and ends as
here.

Their functions' shares by samples are held against a plugin's count of every block that they executed: of the 99.9 %
intervals at most as many miss as chance allows.  tools/run is held to what it says of itself.
"""

import bisect
import collections
import dataclasses
import gzip
import json
import math
import os
import re
import shutil
import subprocess
import sys

import lib

sys.path.insert(0, str(lib.ROOT / "tools/emulator"))

import executed  # noqa: E402  (from the path above)

HERE = lib.ROOT / "tests/qemu/programs"
MINIGZIP = "/usr/share/doc/zlib1g-dev/examples/minigzip.c"
RATE = 3000
SHIFT = 3  # 8 ns an instruction
WIDER = lib.SIGMAS / 1.96  # from the printed interval of 95 % to one of 99.9 %
LEAST = 15  # hits of a function that is judged
# tests/qemu/programs/paths.c: calls in a turn by path from main(),
# and the argument with which each function calls work().
TURNS, UNIT = 12000, 2  # instructions of a unit
PATHS = {"left": 1, "right": 1, "both": 1, "both;left": 2}
UNITS = {"left": 1000, "right": 2000, "both": 500}
FRAMES = ("-fno-omit-frame-pointer", "-mno-omit-leaf-frame-pointer", "-fno-shrink-wrap",
          "-fno-optimize-sibling-calls")
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
    Program("static", ("gcc", "-O2", "-fno-inline", "-static", str(lib.PRIMES))),
    Program("static-pie", ("gcc", "-O2", "-fno-inline", "-static-pie", str(lib.PRIMES))),
    Program("musl", ("musl-gcc", "-O2", "-fno-inline", "-static", str(lib.PRIMES))),
    Program("exceptions", ("g++", "-O2", "-static", f"{HERE}/exceptions.cpp")),
    Program("lua", ("gcc", "-O2", "-static", f"{HERE}/lua.c", "-llua5.4", "-lm", "-ldl"), ("queens.lua",),
            file="queens.lua"),
    Program("minigzip", ("gcc", "-O2", "-static", MINIGZIP, "-lz"), stdin=True, unpack=True),
    Program("sha256sum", (), ("sha256sum",), stdin=True, path="/bin/busybox", judged=False),
    Program("sort", (), ("sort", "-n"), stdin=True, path="/bin/busybox", judged=False),
    Program("gzip", (), ("gzip",), stdin=True, path="/bin/busybox", judged=False, unpack=True),
    Program("rust", ("rustc", "-O", "-C", "target-feature=+crt-static", "-C", "relocation-model=static",
                     f"{HERE}/words.rs"),
            judged=False),
)


def built(p):
    """The program's path; None where this machine cannot make it."""
    if not p.build:
        return p.path if os.access(p.path, os.R_OK) else None
    if not shutil.which(p.build[0]):
        return None
    out = lib.folder().resolve() / p.name  # it runs in another folder
    done = subprocess.run([*p.build, "-o", out], stderr=subprocess.PIPE, text=True, check=False)
    return out if done.returncode == 0 else None


def said(data, p):
    return gzip.decompress(data) if p.unpack and data else data


def expected(p, path, numbers):
    """What it writes on this machine, and its status."""
    with numbers.open("rb") as stdin:
        done = subprocess.run([path, *p.arguments], stdin=stdin if p.stdin else subprocess.DEVNULL,
                              stdout=subprocess.PIPE, cwd=HERE, check=False)
    return said(done.stdout, p), done.returncode


def boot(p, path, numbers, *more):
    folder = lib.folder()
    blocks, dump = folder / f"{p.name}.blocks", folder / f"{p.name}.dump"
    files = [word for file in ([HERE / p.file] if p.file else []) + ([numbers] if p.stdin else [])
             for word in ("--file", file)]
    words = ([f"rate={RATE}", "seconds=0", "monitor=system,samples", "output=frames", "health=off", *more]
             + ["stdin=file:numbers"] * p.stdin)
    command = [lib.ROOT / "tools/boot", "--shift", str(SHIFT), "--timeout", str(lib.GUARD), "-o", dump,
               "--hwmon", f"out={folder}/{p.name}.observed,blocks={blocks}", *files, "--task", path, *p.arguments,
               "--", *words]
    done = subprocess.run(lib.supervised(*command), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=False)
    return dump, blocks, done


def check_shares(checks, p, path, dump, blocks):
    """Each function's share of the samples against its share of the window's instructions."""
    text, _ = lib.host("histogram", "--by", "function", "--json", "-s", path, "--task", os.path.basename(path), dump)
    seconds = json.loads(lib.host("stat", "--exact", "--json", dump)[0])["window"]["seconds"]
    rows = [r for r in json.loads(text)["rows"] if r["start"] and r["hits"] >= LEAST]
    counted = sorted(executed.by_address(blocks).items())
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
    checks.check((head["state"], head["status"]) == (1, status),
                 f"{p.name}: exits with status {head['status']}, as here")
    return check_shares(checks, p, path, dump, blocks) if p.judged else (0, [])


def path_counts(found):
    """Instructions by path: a function with several has as many of each as it was called there, but for what its
    callers ask of work()."""
    calls = collections.Counter()
    for path, n in PATHS.items():
        calls[path.split(";")[-1]] += n
    asked = {path: n * TURNS * UNIT * UNITS[path.split(";")[-1]] for path, n in PATHS.items()}
    each, rest = divmod(found["work"] - sum(asked.values()), TURNS * sum(PATHS.values()))
    exact = {path: found[path.split(";")[-1]] * n / calls[path.split(";")[-1]] for path, n in PATHS.items()}
    exact.update({f"{path};work": asked[path] + each * n * TURNS for path, n in PATHS.items()})
    return exact, each, rest


def check_paths(checks):
    """stack=: the share of each path against the plugin's count."""
    p = Program("paths", ("gcc", "-O1", "-static", *FRAMES, f"{HERE}/paths.c"))
    path = built(p)
    dump, blocks, done = boot(p, path, None, "stack=15", "interval=random", "rate=2500")
    checks.check(done.returncode == 0, f"paths: runs to its end {done.stderr.strip()}")
    exact, each, rest = path_counts(executed.by_function(blocks, path, 0))
    checks.check(rest == 0 and 0 < each < 10,
                 f"paths: a call of work() executes {each} instructions beside its units ({rest})")
    window = json.loads(lib.host("stat", "--exact", "--json", dump)[0])
    hits = collections.Counter()
    for line in lib.host("export", "--format", "folded", "-s", path, "-o", "-", dump)[0].splitlines():
        frames, n = line.rsplit(" ", 1)
        named = [frame for frame in frames.split(";") if ":" not in frame]
        hits[";".join(named[named.index("main") + 1:] if "main" in named else named)] += int(n)
    outside = []
    for name, n in exact.items():
        share, got = n * 2 ** SHIFT * 1e-9 / window["window"]["seconds"], hits[name] / window["samples"]
        room = lib.SIGMAS * math.sqrt(share * (1 - share) / window["samples"])
        print(f"    {name:30.30} {100 * got:7.3f} {100 * share:7.3f} +- {100 * room:.3f}")
        outside += [name] * (abs(got - share) > room)
    checks.check(len(outside) <= lib.most_misses(len(exact)), f"paths: {len(outside)} of {len(exact)} paths' shares "
                                                              f"are outside of their 99.9 % interval {outside}")


def tool(*words):
    return subprocess.run(lib.supervised(lib.ROOT / "tools/run", *words), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def check_tool(checks):
    """The same bytes twice; a version that does more is told, and fails a limit that it exceeds, and no other."""
    folder = lib.folder()
    program, more = folder / "static", folder / "more"
    more.mkdir(exist_ok=True)
    (more / "primes.c").write_text(lib.PRIMES.read_text().replace("d * d <= n; d++", "d * d <= 2 * n; d++"))
    subprocess.run(["gcc", "-O2", "-fno-inline", "-static", more / "primes.c", "-o", more / "static"], check=True)
    page, runs, pages = folder / "page.html", [], []
    for _ in range(2):  # to one name, for the name is told
        runs.append(tool("--count", "-o", page, program))
        pages.append(page.read_bytes())
    checks.check(runs[0].returncode == 0 and "primes from right to left" in runs[0].stdout and
                 "prime" in runs[0].stdout, f"tools/run: status {runs[0].returncode} {runs[0].stderr}")
    checks.check(runs[0].stdout == runs[1].stdout and pages[0] == pages[1],
                 f"tools/run: the same bytes twice, a page of {len(pages[0])}")
    kept = folder / "kept.dump"
    ends = runs[0].stdout.split("\n\n")[-2:], tool("--stream", kept, program).stdout.split("\n\n")[-2:]
    told = json.loads(lib.host("stat", "--json", kept)[0])["verdict"]
    checks.check(all(end[0] == told and len(end[1].splitlines()) == 4 for end in ends),
                 f"tools/run ends with what the table means and three commands: {ends[0]}")
    checks.check(ends[1][1].startswith(f"The dump is {kept}."), f"and the name of the dump: {ends[1][1][:80]}")
    for line in ends[1][1].splitlines()[1:]:
        words = line.strip().split("   ")[0].replace("page.html", str(folder / "page.html"))
        done = subprocess.run(words, shell=True, cwd=lib.ROOT, stdout=subprocess.DEVNULL, check=False)
        checks.check(done.returncode == 0, f"{words}: status {done.returncode}")
    same = tool("--compare", "--fail-if", "+0%", program, program)
    checks.check(same.returncode == 0, f"tools/run: a program has as many instructions as itself {same.stderr}")
    checks.check("\nA  old/run\n" in same.stdout and "\nB  new/run\n" in same.stdout,
                 "tools/run: no folder of this run is printed")
    grown = tool("--compare", "--fail-if", "prime > +1%", "--fail-if", "reversed > +50%", program, more / "static")
    checks.check(grown.returncode == 4 and "prime grew by" in grown.stderr and "reversed grew" not in grown.stderr,
                 f"tools/run: status {grown.returncode}: {grown.stderr.strip()}")


def check_names(checks):
    """C++ functions whose names begin alike, and differ in their middle, are told apart at every width."""
    program, text = lib.folder() / "names", lib.folder() / "names.cpp"
    text.write_text(
        "template <class A, class B> struct table_of_many_rows { __attribute__((noinline)) static unsigned\n"
        "search_by_key_or_by_number(unsigned n) { for (unsigned i = 0; i < 1 << 22; i++) n = n * sizeof(A) + i; "
        "return n; } };\n"
        "int main(int n, char **) { return (table_of_many_rows<char, long>::search_by_key_or_by_number(n) +\n"
        "table_of_many_rows<long, long>::search_by_key_or_by_number(n)) / 0xffffffff; }\n")
    subprocess.run(["g++", "-O1", "-static", text, "-o", program], check=True)
    for words in (), ("--columns", "60"):
        lines = tool(*words, program).stdout.splitlines()
        names = [line.split("   ")[0] for line in lines if line.startswith("table_of") and "no line" not in line]
        checks.check(len(names) == len(set(names)) == 2, f"tools/run {words}: {names}")
    narrow = tool("--columns", "47", program)
    checks.check(narrow.returncode == 2 and "48 to 255" in narrow.stderr, f"tools/run: {narrow.stderr}")


def check_ends(checks):
    """A stripped program by address; a fault with its place; a file that is no program with the reason."""
    folder = lib.folder()
    bare, fault, text = folder / "bare", folder / "fault", folder / "text"
    subprocess.run(["strip", folder / "static", "-o", bare], check=True)
    subprocess.run(["gcc", "-O1", "-w", "-static", "-DWAY=3", lib.ROOT / "tests/qemu/linux/wild.c", "-o", fault],
                   check=True)
    text.write_text("#!/bin/sh\n")
    found = tool("--count", "--rate", "200", bare)
    checks.check(found.returncode == 0 and "(no symbol)" in found.stdout and "block at 0x" in found.stdout and
                 re.search(r"^0x[0-9a-f]+ +\d+\.\d\d +\d+$", found.stdout, re.MULTILINE),
                 f"tools/run: a stripped program by address {found.stderr}")
    checks.check("set_robust_list (1), rseq (1)\nThe C library makes these" in found.stdout,
                 "tools/run: calls that are not there, by name, and that these do no harm")
    found = tool(fault)
    checks.check(found.returncode == 1 and re.search(r"was ended by a fault: page fault at 0x[0-9a-f]+ \(main\)",
                                                     found.stdout),
                 f"tools/run: a fault and its place, status {found.returncode} {found.stderr}")
    reads = lib.folder() / "reads"
    (lib.folder() / "reads.c").write_text("#include <fcntl.h>\nint main(int n, char **v) { return n && open(v[1], "
                                          "O_RDONLY) < 0; }\n")
    subprocess.run(["gcc", "-static", lib.folder() / "reads.c", "-o", reads], check=True)
    left, along = tool(reads, text), tool("--file", text, reads, text.name)
    checks.check(f"cannot open without --file {text}" in left.stderr and
                 "--file" not in along.stderr and "exited with status 0" in along.stdout,
                 f"tools/run: an argument that names a file which was not brought: {left.stderr.strip()}")
    found = tool(text)
    checks.check(found.returncode == 1 and "it is no ELF file" in found.stderr and "Traceback" not in found.stderr,
                 f"tools/run: no program: {found.stderr.strip()}")


def check_threads(checks):
    """A program that goes on without the threads that it wanted: one sentence, status 4, also where two are compared;
    its last unknown call of many is found too."""
    source, threads = lib.folder() / "threads.c", lib.folder() / "threads"
    source.write_text("""
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static long sum;
static void *add(void *to) { for (long i = 0; i < 20000; i++) sum += i; return to; }
int main(void)
{
    pthread_t four[4];
    for (int i = 0; i < 40; i++) syscall(5000 + i);
    for (int i = 0; i < 4; i++) if (pthread_create(four + i, 0, add, 0) == 0) pthread_join(four[i], 0);
    printf("sum %ld\\n", sum);
    return 0;
}
""")
    subprocess.run(["gcc", "-O1", "-w", "-static", source, "-o", threads], check=True)
    sentence = "tools/run: task threads called clone3: programs have one thread here"
    for words in ((), ("--compare", threads)):
        found = tool(*words, threads)
        checks.check(found.returncode == 4 and found.stderr.count(sentence) == 1 + len(words[1:]),
                     f"tools/run {words[:1]}: status {found.returncode}, {found.stderr.strip()}")
    checks.check("sum 0" in tool(threads).stdout, "and it goes on")


def check_exact_only(checks):
    """Without counts by function the exact totals decide, of versions with names of their own too."""
    folder = lib.folder()
    other = folder / "more/other-name"
    shutil.copy(folder / "more/static", other)
    grown = tool("--compare", "--exact-only", "--fail-if", "total > +1%", folder / "static", other)
    checks.check(grown.returncode == 4 and "total grew by" in grown.stderr and "the task in all" in grown.stdout,
                 f"tools/run --exact-only: status {grown.returncode}: {grown.stderr.strip()}")


def main():
    checks = lib.Checks()
    numbers = lib.folder() / "numbers"
    numbers.write_text(NUMBERS)
    cells, outside = 0, []
    for p in PROGRAMS:
        judged, missed = check_program(checks, p, numbers)
        cells += judged
        outside += missed
    checks.check(cells >= 10 and len(outside) <= lib.most_misses(cells), f"{len(outside)} of {cells} functions' "
                 f"shares are outside of their 99.9 % interval, at most {lib.most_misses(cells)} {' '.join(outside)}")
    check_paths(checks)
    check_tool(checks)
    check_names(checks)
    check_ends(checks)
    check_threads(checks)
    check_exact_only(checks)
    checks.finish()


if __name__ == "__main__":
    main()
