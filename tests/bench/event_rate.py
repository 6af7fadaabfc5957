# SPDX-License-Identifier: MIT
"""The most events a second that the image records, codes and sends, and loses none, while ticks make them.

thin=off: the first event that finds no room ends the recording.  The emulator's line takes each byte at once, so that
this is what the CPU carries; what a line carries follows from the bytes an event.
"""

import lib
from result import Result, Table
from runs import SHIFT, Spin, run_all

# of ticks; each makes two events, and an interrupt two
RATES = (10000, 20000, 30000, 40000, 50000, 60000, 70000, 80000)
WORDS = "monitor=system,events events=all thin=off tick=pit interval=fixed"


def of(done):
    """Events counted a second, events lost, share of PROBE in percent; of a run."""
    head, rows = list(lib.records(done.dump, "EVENT_COUNTS"))[-1]
    table = lib.stat(done.dump)
    return (sum(row["count"] for row in rows) / table["window"]["seconds"], head["lost"],
            lib.row(table, "PROBE")["total"]["exact"])


def results(limits_only):
    """No limit: what is lost is told in the stream, with number and time."""
    del limits_only
    ran = run_all({("event-rate", rate): Spin(f"rate={rate} {WORDS}", seconds=1, output="frames") for rate in RATES})
    best, rows = 0, []
    for (_, ticks), done in ran.items():
        rate, lost, probe = of(done)
        if lost == 0:
            best = max(best, rate)
        rows.append((f"{ticks}", f"{rate:.0f}", f"{lost}", f"{probe:.1f}"))
    yield Result(f"most events at shift {SHIFT}, none lost", best, "a second")
    yield Table(("ticks asked for, a second", "events a second", "lost", "PROBE, % of the CPU"), rows)
