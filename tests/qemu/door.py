# SPDX-License-Identifier: MIT
"""What the tests of single doors share: a boot whose table is judged by its own truth and by that of another door."""

import dataclasses

import doors
import lib


@dataclasses.dataclass(frozen=True)
class Boot:
    name: str
    door: str  # as HELLO names it
    options: tuple  # of tools/boot


def boot(checks, b, shift=5):
    """The table of one boot, held against its own exact times."""
    table = lib.boot_table(checks, b.name, doors.WORDS, shift=shift, options=b.options)
    checks.check(table["epoch"]["door"] == b.door, f"{b.name}: HELLO says that the door was {table['epoch']['door']}")
    checks.check(" rate=1000 " in table["words"] and table["policy"]["seed"] == 1, f"{b.name}: the words arrived")
    doors.judge(checks, b.name, table, table)
    return table


def agree(checks, tables):
    """Each table is right by the truth of the first, and the first by each one's truth."""
    (first, truth), *rest = tables.items()
    for name, table in rest:
        doors.judge(checks, f"{name} by the truth of {first}", truth, table)
        doors.judge(checks, f"{first} by the truth of {name}", table, truth)


def refused(checks, name, words, options, sentence):
    """A boot that ends at once with status 1 and a sentence."""
    run = lib.boot(name, words, options=options)
    checks.check(run.status == lib.FAILURE and sentence in run.said, f"{name}: {run.status} {run.said.strip()}")
