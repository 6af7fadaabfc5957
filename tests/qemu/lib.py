# SPDX-License-Identifier: MIT
"""What the tests that boot the image share: a boot, its table as JSON, its records, and a list of what held."""

import dataclasses
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SANITIZED = ROOT / "build/host/cpuprobe"  # the host tool under sanitizers
MODES = ("user", "supervisor", "kernel", "interrupt")
NOT_TASKS = ("MASKED", "LOST", "STOLEN")

MISS = 0.001   # of right cells, whose truth is outside their 99.9 % interval
SUITE = 0.001  # chance that right tables fail any row of the suite,
COMPARISONS = 250  # which compares samples with truths about so often;
CHANCE = SUITE / COMPARISONS  # so of one comparison (Bonferroni), however many cells it has
NORMAL = statistics.NormalDist().inv_cdf
SIGMAS = NORMAL(1 - MISS / 2)  # half of a 99.9 % interval
DEVIATIONS = NORMAL(1 - CHANCE / 2)  # 4.6: what chance alone does not explain in one number is beyond
FEW = 20  # hits, below which a binomial count is too skew for intervals beyond 99.9 %

# For programs of random bytes: with AVX, QEMU 7.2 ends at VPINSRW of a vector of 32 bytes by an assertion of its own
# (gen_pinsr: vec_len == 16), where a CPU has an invalid opcode.
RANDOM_CODE = ("--cpu", "max,-avx")
PRIMES = ROOT / "docs/examples/primes.c"
GUARD = 300  # seconds of wall time for one boot, on a host with much else to do: only so that no test hangs

os.environ["CPUPROBE_AS_IS"] = "1"  # wrong words are for the image to refuse, and not for tools/boot

COMPLETE = 0  # exit status of tools/boot
FAILURE = 1


def folder():
    """The test's own folder: given by tests/run, else named after the script."""
    path = pathlib.Path(os.environ.get("TEST_DIR") or ROOT / "build/tests" / pathlib.Path(sys.argv[0]).stem)
    path.mkdir(parents=True, exist_ok=True)
    return path


class Checks:
    """Says each thing that holds or does not; a failure does not keep the rest from being looked at."""

    def __init__(self):
        self.failed = []

    def check(self, condition, sentence):
        print(f"{'ok' if condition else 'FAIL'}: {sentence}", flush=True)
        if not condition:
            self.failed.append(sentence)
        return bool(condition)

    def finish(self):
        """Ends the test; its last line says what tests/run shows."""
        if self.failed:
            print(f"{len(self.failed)} failed, the first: {self.failed[0]}")
        sys.exit(1 if self.failed else 0)


@dataclasses.dataclass(frozen=True)
class Run:
    dump: pathlib.Path
    status: int  # of tools/boot
    said: str  # its standard error


def supervised(*command):
    """The command as one that ends when this process does, whatever ends it."""
    return [ROOT / "build/supervise", "-p", str(os.getpid()), *command]


def boot(name, words, *, shift=5, timeout=GUARD, options=()):
    """Boot the image with these words; `options` are more of tools/boot's.

    Through the flash ROM, the fastest door, where the test names neither another nor another image.
    """
    dump = folder() / f"{name}.dump"
    door = () if {"--door", "--image"} & set(options) else ("--door", "rom")
    command = [ROOT / "tools/boot", "--shift", str(shift), "--timeout", str(timeout), *door, *options,
               "-o", dump, "--", *words.split()]
    done = subprocess.run(supervised(*command), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          errors="replace", check=False)
    return Run(dump, done.returncode, done.stderr)


def waits(pid):
    """Whether a process waits for something, so that all is done which it had to do."""
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "S"


def end(process):
    """Let a process not outlive its test."""
    if process.poll() is None:
        process.terminate()
    process.wait()


def host(*arguments, coming=False):
    """Run the host tool; what it said on standard output and its exit status.

    `coming`: the stream has not ended yet, of which it would complain.
    """
    done = subprocess.run([ROOT / "build/cpuprobe", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL if coming else None, text=True, errors="replace", check=False)
    return done.stdout, done.returncode


def said(*arguments):
    """What the host tool says on standard error."""
    done = subprocess.run([ROOT / "build/cpuprobe", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    return done.stderr


def build_primes(to):
    """README's program, compiled as README says."""
    subprocess.run(["gcc", "-O2", "-g", "-fno-inline", "-static", PRIMES, "-o", to], check=True)


def stat(dump, *arguments):
    """The table of a dump."""
    text, status = host("stat", "--json", *arguments, dump)
    if not text:
        sys.exit(f"cpuprobe stat --json {dump}: status {status} and no table")
    return json.loads(text)


def boot_table(checks, name, words, **how):
    """Boot for frames, insist on a complete run, and return its table."""
    return run_table(checks, name, boot(name, f"output=frames {words}", **how))


def run_table(checks, name, run):
    """Insist that a run for frames is complete, and return its table."""
    checks.check(run.status == COMPLETE, f"{name}: the run ends well ({run.status}) {run.said.strip()}")
    table = stat(run.dump)
    checks.check(table["complete"], f"{name}: the stream is complete")
    check_sums(checks, name, table, next(head for head, _ in records(run.dump, "HELLO"))["late"])
    return table


def warnings(table):
    """The texts of a run that are warnings or errors."""
    return [t["text"] for t in table["texts"] if t["severity"]]


def row(table, name):
    """The row of this name; None if there is none."""
    return next((r for r in table["tasks"] if r["name"] == name), None)


def cells(table):
    """Each cell that has a truth: (task, mode), cell.  MASKED has a total only."""
    for r in table["tasks"]:
        if r["name"] == "MASKED":
            yield ("MASKED", "total"), r["total"]
        elif r["name"] not in NOT_TASKS:
            for mode in MODES:
                yield (r["name"], mode), r[mode]


def check_sums(checks, name, table, late):
    """All rows add to the samples and to 100; so does the truth, where it was measured.

    The truth is closed at the entry of the last tick and its window at the expiry: `late` clock units lie between
    them at most.
    """
    totals = [r["total"] for r in table["tasks"]]
    if table["samples"]:
        checks.check(sum(t["hits"] for t in totals) == table["samples"],
                     f"{name}: the rows add to the {table['samples']} samples")
        percent = sum(t["percent"] for t in totals)
        checks.check(abs(percent - 100) < 1e-6, f"{name}: the sampled shares add to {percent:.9f}")
    if table["tau"]:
        exact = sum(cell["exact"] for _, cell in cells(table))
        checks.check(abs(exact - 100) <= 100 * late / table["tau"], f"{name}: the exact shares add to {exact:.9f}")


def outside(cell):
    """Whether the truth of a cell is outside its 99.9 % interval."""
    return not cell["low999"] <= cell["exact"] <= cell["high999"]


def most_misses(cells):
    """How many of so many right cells may have their truth outside: binomial."""
    above, misses = 1.0, -1
    while above > CHANCE:
        misses += 1
        above -= math.comb(cells, misses) * MISS ** misses * (1 - MISS) ** (cells - misses)
    return misses


def most_square(count):
    """What the sum of so many squares of standard normal numbers exceeds by MISS: Wilson and Hilferty (1931)."""
    part = 2 / (9 * count)
    return count * (1 - part + NORMAL(1 - MISS) * part ** 0.5) ** 3


def angle(percent):
    """The arcsine of the root of a share, whose variance does not depend on the share (Anscombe, 1948)."""
    return math.asin(math.sqrt(min(max(percent, 0.0), 100.0) / 100))


def beyond(cell, of=1):
    """Whether the truth of a cell, one of so many that are looked at together,
    is farther off than chance explains."""
    if cell["hits"] < FEW and cell["exact"] < cell["percent"]:
        return False
    wider = NORMAL(1 - CHANCE / of / 2) / SIGMAS
    at, truth = angle(cell["percent"]), angle(cell["exact"])
    return not wider * (angle(cell["low999"]) - at) <= truth - at <= wider * (angle(cell["high999"]) - at)


def check_count(checks, what, table, asked):
    """As many samples as asked for, but that the last tick may have waited for several points,
    each of which is late."""
    more = table["samples"] - asked
    checks.check(0 <= more <= table["late"], f"{what}: {asked} samples, and {more} points of the last one's wait")


def check_truths(checks, what, found):
    """Of cells, (key, cell) each: as few truths are outside their intervals as chance explains,
    and none is far outside."""
    wrong = [".".join(key) for key, cell in found if outside(cell)]
    far = [".".join(key) for key, cell in found if beyond(cell, len(found))]
    checks.check(found and len(wrong) <= most_misses(len(found)) and not far,
                 f"{what}: of {len(found)} truths {len(wrong)} are outside their 99.9 % intervals {wrong}, "
                 f"far outside {far}")


def differ(one, other):
    """Whether the shares of two runs differ by more than chance explains (Newcombe, 1998, method 10)."""
    low, high = sorted((one, other), key=lambda cell: cell["percent"])
    half = math.hypot(low["high999"] - low["percent"], high["percent"] - high["low999"])
    return high["percent"] - low["percent"] > half * DEVIATIONS / SIGMAS


def records(dump, kind, coming=False):
    """The records of one kind, in order: (head, rows), numbers as int and texts as str; `coming` as for host().

    A snapshot that came as a DELTA has its records behind it.
    """
    text, _ = host("script", "--snapshots", dump, coming=coming)
    for line in text.splitlines():
        if line.startswith(kind + " "):
            head, *rows = line.split(" { ")
            yield fields(head), [fields(r) for r in rows]


def rate(hello):
    """Points a second, or ticks where those have none, that the schedule of this HELLO makes."""
    return hello["clock_hz"] / (hello["mean"] / 65536 * (hello["unit"] or hello["source_clock"] / 65536))


def wire_type(name):
    """The number of a record, by the list that it is made from."""
    text = (ROOT / "probe/stream/wire.h").read_text()
    return int(re.search(rf"^ +R\({name}, \w+, (\d+),", text, re.M)[1])


def health(dump):
    """What the machine is like: name, sentence."""
    return {row["name"]: row["value"] for _, rows in records(dump, "HEALTH") for row in rows}


def fields(text):
    found = re.findall(r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|(\d+))', text)
    return {key: int(number) if number else quoted for key, quoted, number in found}
