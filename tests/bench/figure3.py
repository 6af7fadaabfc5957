# SPDX-License-Identifier: MIT
"""What a tick takes beside the paper's system: the middle one, the mean, what 99 of 100 do not exceed, the longest.

Where ticks.py has a task that only computes, which every tick finds in ring 3, here they come as they come: in each
ring, behind sections with interrupts off, close behind other handlers.
"""

from result import Result, Table
from runs import Spin, code, run_all

SHIFT, SECONDS, RATE = 5, 20, 1000
DELIVERIES = {"irq": "tick_entry", "nmi": "nmi_entry"}
ACCOUNTS = ("off", "on")
# Instructions, of the mean: what version 0.9 took, 102 and by NMI 249, and a tenth of that for another compiler; the
# account is allowed what it may take of a tick in ticks.py.
LIMIT = {("irq", "off"): 112, ("irq", "on"): 142, ("nmi", "off"): 274, ("nmi", "on"): 283}


def spin(delivery, account):
    return Spin(f"tasks=figure3 rate={RATE} account={account} delivery={delivery}", shift=SHIFT, seconds=SECONDS,
                output="frames", entry=code().address[DELIVERIES[delivery]], program="worker")


def results(_):
    ran = run_all({("figure3", delivery, account): spin(delivery, account) for delivery in DELIVERIES
                   for account in ACCOUNTS})
    rows = []
    for (_, delivery, account), done in ran.items():
        v = done.visits
        yield Result(f"figure3, delivery={delivery}, account={account}: a tick, mean", v.instructions, "instructions",
                     LIMIT[delivery, account], shown=False)
        rows.append((f"`{delivery}`", f"`{account}`", f"{v.number}", f"{v.median}", f"{v.instructions:.0f}",
                     f"{v.most99}", f"{v.most}", f"{LIMIT[delivery, account]}"))
    yield Table(("a tick of figure3, delivery", "account", "ticks", "median", "mean", "99 %", "longest",
                 "mean, at most"), rows)
