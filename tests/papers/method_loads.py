# SPDX-License-Identifier: MIT
"""The six workloads on which the methods of docs/METHODS.md are compared, and what each of them really used."""

import dataclasses
import re

import lib
from runs import sized


@dataclasses.dataclass(frozen=True)
class Load:
    """A workload, and who uses the CPU in it."""
    name: str
    words: str
    guilty: str         # its name in the page
    # regular expression: its rows; "" for the handlers of interrupts, whatever task they interrupt
    rows: str
    story: str
    seconds: int = sized(20, 5)

    def has(self, name):
        return bool(self.rows) and re.fullmatch(self.rows, name) is not None


EVERY = (
    Load("figure3", "tasks=figure3", "ROGUE", "ROGUE",
         "34 tasks that sleep and wake, one of which uses far too much"),
    Load("hog1", "tasks=hog1", "HOG", "HOG",
         "a task that works after each tick of the system clock and stops 0.5 ms before the next"),
    Load("isochronous", "tasks=isochronous", "VAT", "VAT",
         "a task that works 1.25 ms each 22.5 ms, whatever the clock does"),
    Load("rounded", "tasks=rounded", "EVERY1", "EVERY1",
         "five tasks that are woken by the system clock each 1, 2, 3, 5 and 7 ticks and then work for a "
         "part of a tick"),
    Load("storm", "tasks=storm", "handlers", "",
         "a device interrupts 4096 times a second, 4 s of each 8, beside a task that computes", sized(16, 8)),
    Load("brief", "tasks=brief identity=image", "oneshot", r"oneshot|N\d\d\d",
         "tasks that live for a few milliseconds, some 250 each second, all of one program"),
)
# In brief one of each kind on which methods err: what hides from the clock is in `rounded`, and there it has nothing
# to learn before, as in `hog1`.
LOADS = sized(EVERY, tuple(load for load in EVERY if load.name not in ("figure3", "hog1")))


@dataclasses.dataclass(frozen=True)
class Reading:
    """What a method says, in percent of the time; None: it does not tell.  With the limits that it promises,
    or None."""
    busy: float | None = None
    guilty: float | None = None
    busy_within: tuple | None = None
    guilty_within: tuple | None = None
    busy_95: tuple | None = None  # the 95 % interval of what is sampled, or None
    guilty_95: tuple | None = None


@dataclasses.dataclass(frozen=True)
class Truth:
    """What was used: the exact table of the same run.  Handlers that interrupt IDLE are busy."""
    busy: float
    guilty: float
    resolution: float     # points that a share of it may be off by
    monitor: float        # percent of the window that the tick's handler took, of no row
    busy_masked: float    # parts in which no ordinary tick can come
    guilty_masked: float
    idle_handlers: float  # handlers that interrupt IDLE: who knows tasks only calls them idle
    idle_masked: float    # IDLE with interrupts off, on its way to a halt and back: who looks at halts calls it busy


def masked(cell):
    return cell["masked"] or 0


def whole(cell):
    """Of a cell: its exact share, interrupts on and off.  Where ticks are NMIs the table has both in one."""
    return (cell["exact"] or 0) + masked(cell)


def of_guilty(load, table, value):
    """The sum of `value` over the cells of the guilty one."""
    tasks = [r for r in table["tasks"] if r["name"] not in lib.NOT_TASKS]
    if not load.rows:
        return sum(value(r["interrupt"]) for r in tasks)
    return sum(value(r[mode]) for r in tasks if load.has(r["name"]) for mode in lib.MODES)


def idle_of(table):
    """The cell of a CPU that waits for work."""
    return lib.row(table, "IDLE")["kernel"]


def counter_of(table, mode):
    """What the task at idle priority has, of monitor=idletask: it counts where others wait for work."""
    row = lib.row(table, "IDLER")
    return whole(row[mode]) if row is not None else 0


def table_of(dump):
    """The table of a dump, what was masked beside the rest in each cell."""
    table = lib.stat(dump)
    for cell in (r[mode] for r in table["tasks"] for mode in lib.MODES if lib.row(table, "MASKED") is None):
        cell["masked"] = 0
    return table


def truth(dump, load):
    table = table_of(dump)
    away = [r[mode] for r in table["tasks"] if r["name"] not in (*lib.NOT_TASKS, "IDLE") for mode in lib.MODES]
    idle_handlers = whole(lib.row(table, "IDLE")["interrupt"]) + counter_of(table, "interrupt")
    return Truth(busy=100 - whole(idle_of(table)) - counter_of(table, "user"), guilty=of_guilty(load, table, whole),
                 resolution=table["resolution"], monitor=table["monitor"]["percent"],
                 busy_masked=sum(map(masked, away)) + idle_handlers, guilty_masked=of_guilty(load, table, masked),
                 idle_handlers=idle_handlers, idle_masked=masked(idle_of(table)))
