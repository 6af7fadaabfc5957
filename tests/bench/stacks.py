# SPDX-License-Identifier: MIT
"""What stack= adds to a tick, by the number of callers that are followed.

The median of all visits, from the first instruction to IRET, on a program whose functions have three to seven callers
(kernel/tasks/nested.c).  With stack=0 the tick has the entry that it has without the word.
"""

from result import Result, Table
from runs import Spin, code, run_all

DEPTHS = (0, 1, 2, 4, 15)
WORDS = "tasks=nested tick=pit rate=200 clock=10 monitor=system,samples"  # so that few ticks are interrupted
DELIVERIES = {"irq": "tick_entry", "nmi": "nmi_entry"}


def spin(delivery, depth):
    entry = code().address[DELIVERIES[delivery] + ("_kept" if depth else "")]
    return Spin(f"{WORDS} delivery={delivery} stack={depth}", shift=5, seconds=4, output="frames", entry=entry,
                program="nested")


def results(_):
    ran = run_all({("stacks", delivery, depth): spin(delivery, depth) for delivery in DELIVERIES for depth in DEPTHS})
    rows = []
    for delivery in DELIVERIES:
        took = {depth: ran["stacks", delivery, depth].visits.median for depth in DEPTHS}
        for depth in DEPTHS[1:]:
            yield Result(f"stack={depth}, a tick by {delivery}, over stack=0", took[depth] - took[0], "instructions",
                         shown=False)
        rows += [(f"`stack={depth}`", f"`{delivery}`", f"{took[depth]}", f"{took[depth] - took[0]:+d}")
                 for depth in DEPTHS]
    yield Table(("callers at most", "delivery", "a tick with raw samples, instructions", "more"), rows)
