# SPDX-License-Identifier: MIT
"""Proof 13: how many interrupts are lost with the paper's table of 128 records and five tries."""

import subprocess

import lib
from runs import Section

TABLES = 2000
PAPER = 34  # tasks of Figure 3, without IDLE
FEW = 1.0   # percent: what "few" may be of a system like the paper's


def boots():
    return {}


def simulated():
    """(kind, ids): percent of ids that find no record, percent of tables with one, the most in one table."""
    text = subprocess.run([lib.ROOT / "build/host/lost_records", str(TABLES)], stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = (line.split() for line in text.splitlines())
    return {(kind, int(ids)): (float(lost), float(any_), int(most)) for kind, ids, lost, any_, most in rows}


def report(dumps, folder):
    del dumps
    section = Section("13. How few interrupts the table loses", folder)
    section.text(
        "Crowe hashes the id of the task, by exclusive or of its bytes, into a table of 128 records, and looks at up to five of "
        "them; an interrupt that finds neither its task's record nor a free one is counted as lost. On their systems few "
        "were. Their Figure 3 has 34 tasks.",
        f"The image's own system monitor on the host (`build/host/lost_records {TABLES}`): {TABLES} tables each, of different "
        "ids with one sample each. Names have three to six characters in RADIX-50, i-nodes come in runs of neighbours, "
        "processes are drawn from 30000 numbers. The share of ids without a record is the share of interrupts that are lost "
        "where all tasks use the CPU alike.")
    found = simulated()
    sizes = sorted({ids for _, ids in found})
    section.table(("ids", *(f"{kind}: lost, % (tables with a loss, %; most)" for kind in ("names", "i-nodes", "processes"))),
                  [(ids, *("{:.3f} ({:.1f}; {})".format(*found[kind, ids]) for kind in ("names", "i-nodes", "processes")))
                   for ids in sizes])
    for kind in ("names", "i-nodes", "processes"):
        lost = found[kind, 32][0]
        section.verdict(lost < FEW, f"of 32 {kind} {lost:.3f} % are lost: few")
        rising = [found[kind, ids][0] for ids in sizes]
        section.verdict(rising == sorted(rising), f"the more {kind}, the more are lost")
    section.text(f"So it holds for a system of the paper's size ({PAPER} tasks), best for names; with 128 ids, as many as there "
                 "are records, every sixth or fifth is lost. Neighbouring i-nodes fill neighbouring records, where five tries "
                 "reach the least.")
    return section
