# SPDX-License-Identifier: MIT
"""What a method costs when it runs alone: how much slower two loads become, and how many bytes a second it sends."""

import dataclasses
import re

import lib
from monitors import WINDOW, work
from runs import Boot

# a task that computes; tasks that call the kernel; what the stream tells of
QUIET, BUSY, SENT = "spin", "calls", "figure3"
SECONDS = {QUIET: 2, BUSY: 2, SENT: 4}
ALONE = "tick=none monitor=none account=off"  # no method at all
ENTRY = "count=at:syscall_dispatch"  # of every system call, whichever stub it came through
OBSERVED = {QUIET: WINDOW, BUSY: f"{ENTRY},{WINDOW}", SENT: ""}  # by hwmon
SHIFT = 5
PER_SECOND = 1e9 / 2 ** SHIFT  # instructions


@dataclasses.dataclass(frozen=True)
class Cost:
    quiet: float  # percent by which the task that computes is slower
    busy: float   # percent of system calls a second that are missing
    sent: float   # bytes a second

    def instructions(self):
        """A second, of the task that computes."""
        return self.quiet / 100 * PER_SECOND


def name_of(load, words):
    return f"cost-{load}-{re.sub(r'[^a-z0-9]+', '-', words)}"


def boot(load, words):
    """A ring that is never read costs the stream nothing: what is sent is measured where it is sent."""
    words = words.replace("buffer=overwrite", "buffer=stream") if load == SENT else words
    return Boot(f"tasks={load} seconds={SECONDS[load]} seed=1 {words}", shift=SHIFT, observed=OBSERVED[load])


def boots(every):
    """Of each of these words, and of none."""
    return {name_of(load, words): boot(load, words) for words in dict.fromkeys((ALONE, *every)) for load in SECONDS}


def calls(dump):
    """System calls a second, by hwmon."""
    seen = dump.with_suffix(".hwmon")
    return int(re.search(r"(\d+) times", lib.health(seen)["event 0"])[1]) / lib.stat(seen)["window"]["seconds"]


def cost(dumps, words):
    quiet, busy, sent = ([dumps[name_of(load, w)] for w in (words, ALONE)] for load in SECONDS)
    slower = [100 * (1 - measure(with_it) / measure(without))
              for measure, (with_it, without) in ((work, quiet), (calls, busy))]
    return Cost(*slower, (sent[0].stat().st_size - sent[1].stat().st_size) / SECONDS[SENT])
