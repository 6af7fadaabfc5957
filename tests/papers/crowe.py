# SPDX-License-Identifier: MIT
"""Proof 13: the paper's second case, its 10 000 divisions, and how many interrupts its table of 128 records with five
tries loses."""

import subprocess

import divisions
import lib
from runs import Boot, Section, agrees, sized

TABLES = 2000
PAPER = 34  # tasks of Figure 3, without IDLE
FEW = 1.0   # percent: what "few" may be of a system like the paper's


STEPS = {  # workload: what was done, and the share that it leaves, percent: the paper has 25 at first and 1 at last
    "bits": ("as it was found", 24.0, 26.0), "bits-checked": ("a cheap check whether it is needed", 4.5, 5.8),
    "bits-fixed": ("and its loops rearranged", 0.0, 1.0)}


SEEDS = range(1, sized(6, 2))  # of the divisions
PAPER_HITS, PAPER_MS = 3500, 0.36  # of the paper's divisions


def counts():
    return lib.folder() / "divisions.counts"


def divided():
    counting = ("--door", "rom", *divisions.plugin(counts()))
    return {f"divisions-{seed}": Boot(divisions.words(seed), shift=divisions.SHIFT,
                                      options=counting if seed == 1 else ("--door", "rom"))
            for seed in SEEDS}


def boots():
    return divided() | {f"crowe-{load}": Boot(f"tasks={load} monitor=system,samples rate=1000 "
                                              f"seconds={sized(10, 6)} seed=1") for load in STEPS}


def hottest(dump):
    """The function with most hits, as probing names it."""
    text, _ = lib.host("histogram", "--by", "function", "--task", "BITS", dump)
    return next((line.split()[0] for line in text.splitlines() if line.startswith("scan_")), "none")


def report_case(section, dumps):
    section.text(
        "Crowe's second case: a system probe showed a process that took 25 % of the CPU whenever it ran; a probe of "
        "the process named the function; it was rarely needed, and a simple check told when; a closer probe found "
        "bit manipulation inside loops, which were rearranged. It ended at 1 %. `tasks=bits` does the same, each of "
        "five passes being needed.")
    section.commands(*boots().values())
    rows = []
    for load, (what, low, high) in STEPS.items():
        cell = lib.row(lib.stat(dumps[f"crowe-{load}"]), "BITS")["total"]
        rows.append((f"`{load}`", what, f"{cell['percent']:.2f} ({cell['low']:.2f}-{cell['high']:.2f})",
                     f"{cell['exact']:.2f}", low <= cell["exact"] <= high, agrees(cell)))
    section.table(("load", "what was done", "samples, % (95 %)", "exact, %"), [r[:4] for r in rows])
    for load, what, _, exact, held, right in rows:
        section.verdict(held and right, f"{load}, {what}: {exact} %, and the samples agree")
    section.verdict(hottest(dumps["crowe-bits"]) == "scan_bits", "probing names the function, `scan_bits()`")


def simulated():
    """(kind, ids): percent of ids that find no record, percent of tables with one, the most in one table."""
    text = subprocess.run([lib.ROOT / "build/host/lost_records", str(TABLES)], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    rows = (line.split() for line in text.splitlines())
    return {(kind, int(ids)): (float(lost), float(any_), int(most)) for kind, ids, lost, any_, most in rows}


def report_divisions(section, dumps):
    section.text(
        "**10 000 divisions.** Crowe's example of an operation that is too short to be timed by a clock: "
        "a program executes 10 000 emulated divisions of 32 bits, and a detailed probe tells them from looping and "
        f"from others. {PAPER_HITS} interrupts at 960 Hz are {PAPER_MS:g} ms each. `tasks=divisions` does as many by "
        "shift and subtract; the truth is the instructions of "
        "`divide()`, each counted by the emulator (`build/qemu/count.so`), and an instruction takes 128 ns.")
    section.commands(Boot(divisions.words(1).replace("seed=1", "seed=N"), shift=divisions.SHIFT))
    section.lines[-1:] = ["    build/cpuprobe time FILE --task DIVIDE --function divide --count 10000", ""]
    true, rows, missed, wider = divisions.truth(counts()), [], 0, sized(1, divisions.WIDER)
    for seed in SEEDS:
        found = divisions.timed(dumps[f"divisions-{seed}"])
        t = found["clocks"]
        rows.append((seed, found["hits"],
                     *(f"{t[k] / 1e3:.2f}" for k in ("time", "low", "high", "low999", "high999")),
                     f"{true / 1e3:.2f}"))
        missed += not -wider * (t["time"] - t["low999"]) <= true - t["time"] <= wider * (t["high999"] - t["time"])
    section.table(("seed", "hits", "a division, us", "95 % from", "to", "99.9 % from", "to", "counted, us"), rows)
    section.verdict(not missed, f"in all of {len(rows)} runs the counted {true / 1e3:.2f} us of a division are in "
                                "the interval of 99.9 %")


def report(dumps, folder):
    section = Section("13. Crowe's second case, and how few interrupts are lost", folder)
    report_case(section, dumps)
    report_divisions(section, dumps)
    section.text(
        "Crowe hashes the id of the task, by exclusive or of its bytes, into a table of 128 records, and looks at "
        "up to five of them; an interrupt that finds neither its task's record nor a free one is counted as lost. "
        "On their systems few were. Their Figure 3 has 34 tasks.",
        f"The image's own system monitor on the host (`build/host/lost_records {TABLES}`): {TABLES} tables each, "
        "of different ids with one sample each. Names have three to six characters in RADIX-50, i-nodes come in "
        "runs of neighbours, processes are drawn from 30000 numbers. The share of ids without a record is the share "
        "of interrupts that are lost where all tasks use the CPU alike.")
    found = simulated()
    sizes = sorted({ids for _, ids in found})
    section.table(("ids",
                   *(f"{kind}: lost, % (tables with a loss, %; most)" for kind in ("names", "i-nodes", "processes"))),
                  [(ids,
                    *("{:.3f} ({:.1f}; {})".format(*found[kind, ids]) for kind in ("names", "i-nodes", "processes")))
                   for ids in sizes])
    for kind in ("names", "i-nodes", "processes"):
        lost = found[kind, 32][0]
        section.verdict(lost < FEW, f"of 32 {kind} {lost:.3f} % are lost: few")
        rising = [found[kind, ids][0] for ids in sizes]
        section.verdict(rising == sorted(rising), f"the more {kind}, the more are lost")
    section.text(f"So it holds for a system of the paper's size ({PAPER} tasks), best for names; with 128 ids, as "
                 "many as there are records, every sixth or fifth is lost. Neighbouring i-nodes fill neighbouring "
                 "records, where five tries reach the least.")
    return section
