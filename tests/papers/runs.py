# SPDX-License-Identifier: MIT
"""What the proofs of docs/REPRODUCTION.md share: a boot that is asked for, what its stream says,
and a section to write."""

import dataclasses
import pathlib
import sys

import kept
import lib
import regions
from estimates import Estimate, percent

BRIEF = False   # `papers --brief` sets it before it imports a proof
DEADLINE = 400  # seconds of wall time for a boot


def sized(full, brief):
    """How much a proof takes: in brief what still shows the same, by the same judgement."""
    return brief if BRIEF else full


def widened(room, full, now):
    """A room for chance that is meant for `full` samples, windows or seconds, where there are `now`:
    it goes with the root."""
    return room * (full / now) ** 0.5


def deviations(full):
    """Standard deviations that chance is given: in brief as many as a row of `make check` has,
    which each new image meets anew."""
    return sized(full, lib.DEVIATIONS)


def agrees(cell):
    """Whether the truth of a cell is as near as chance leaves it."""
    return not (lib.beyond(cell) if BRIEF else lib.outside(cell))


@dataclasses.dataclass(frozen=True)
class Boot:
    """A boot that a proof asks for."""
    words: str
    shift: int = 5
    options: tuple = ("--door", "rom")
    observed: str = ""  # words of hwmon, whose stream is beside the dump, with the suffix .hwmon

    def command(self):
        """As a reader would type it, without where this run keeps its files."""
        plain = self.options[:self.options.index("--qemu-arg")] if "--qemu-arg" in self.options else self.options
        plain += ("--hwmon", f"out=hw,{self.observed}") if self.observed else ()
        return f"tools/boot {' '.join(plain)} --shift {self.shift} -- {self.words}"

    def run(self, name):
        """Boot, in full unless the same boot was kept; the dump.  A run that does not end well ends all."""
        hwmon = ("--hwmon", f"out={lib.folder() / name}.hwmon,{self.observed}") if self.observed else ()
        how = {"shift": self.shift, "timeout": DEADLINE, "options": (*self.options, *hwmon)}
        if BRIEF:
            done = lib.boot(name, f"output=frames {self.words}", **how)
        else:
            done = kept.boot(name, f"output=frames {self.words}", beside=(".hwmon",) if self.observed else (), **how)
        if done.status != lib.COMPLETE:
            raise SystemExit(f"{name}: {self.command()}: status {done.status}: {done.said.strip()}")
        return done.dump


class Section:
    """A proof as it is written down, and whether what it claims holds.  `page`: of its own,
    not a section of the common one."""

    def __init__(self, title, folder, *, page=None):
        self.title, self.folder, self.page = title, folder, page
        self.lines, self.verdicts = [], []
        self.sites = set()  # (file, line) of each call of verdict()

    def text(self, *paragraphs):
        if self.lines and self.lines[-1].startswith("- "):
            self.lines.append("")
        for paragraph in paragraphs:
            self.lines += [paragraph, ""]

    def commands(self, *boots):
        self.lines += [*(f"    {b.command()}" for b in boots), ""]

    def table(self, head, rows):
        self.lines += [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
        self.lines += [f"| {' | '.join(map(str, row))} |" for row in rows] + [""]

    def picture(self, name, words):
        """Where to draw it; it is shown here."""
        self.lines += [f"![{words}](figures/{name}.svg)", ""]
        return pathlib.Path(self.folder) / "figures" / f"{name}.svg"

    def verdict(self, condition, sentence, *, row=None, long=None):
        """What is claimed, and whether it holds.  In brief it is not judged with `row`: of tests/table, which judges
        the same; nor with `long`: why theory wants the full runs."""
        caller = sys._getframe(1)
        self.sites.add((caller.f_code.co_filename, caller.f_lineno))
        if BRIEF and (row or long):
            return
        self.verdicts.append((bool(condition), sentence))
        self.lines.append(f"- {'**holds**' if condition else '**FAILS**'}: {sentence}")

    def end(self):
        self.lines.append("")


def samples(dump):
    """Raw samples of a dump, their seconds from the window's begin."""
    begin = window_begin(dump)
    found, status = regions.raw_samples(dump)
    if status != 0:
        raise SystemExit(f"{dump}: cpuprobe samples: status {status}")
    return [s._replace(seconds=s.seconds - begin) for s in found]


def clock_hz(dump):
    return lib.stat(dump)["clock_hz"]


def window_begin(dump):
    head = next(lib.records(dump, "SNAPSHOT"))[0]
    return head["begin"] / clock_hz(dump)


def exact_curve(dump, name, parts):
    """(second, seconds used up to then) of a task in these counters of the exact table, snapshot by snapshot."""
    hz = clock_hz(dump)
    ids = {r["name"]: r["id"] for _, rows in lib.records(dump, "NAMES") for r in rows}
    when = {head["serial"]: (head["end"] - head["begin"]) / hz for head, _ in lib.records(dump, "SNAPSHOT")}
    curve = [(0.0, 0.0)]
    for head, rows in lib.records(dump, "EXACT"):
        curve += [(when[head["serial"]], sum(r[p] for p in parts) / hz) for r in rows if r["id"] == ids[name]]
    return curve


def charged_curve(found, interval, wanted):
    """(second, seconds charged up to then): each sample that is wanted is worth an interval."""
    curve, charged = [(0.0, 0.0)], 0.0
    for sample in found:
        charged += interval * wanted(sample)
        curve.append((sample.seconds, charged))
    return curve


def charged_estimates(found, interval, wanted, effect, each):
    """The same; at the last sample of each stretch of `each` seconds with its interval,
    at that design effect of the ticks."""
    curve, charged = [(0.0, 0.0)], 0
    for number, (sample, following) in enumerate(zip(found, [*found[1:], None]), 1):
        charged += wanted(sample)
        ends = following is None or sample.seconds // each < following.seconds // each
        seconds = [p / 100 * number * interval for p in percent(charged, number, effect)]
        curve.append((sample.seconds, Estimate(*seconds) if ends else charged * interval))
    return curve


def deviation(share, samples_taken):
    """Binomial standard deviation of a share in percent, points."""
    p = share / 100
    return 100 * (p * (1 - p) / samples_taken) ** 0.5
