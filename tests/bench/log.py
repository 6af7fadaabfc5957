# SPDX-License-Identifier: MIT
"""What account=log costs beside account=on and off, and beside the same cells as classes of states: a tick, an
interrupt of the clock, a change of cell in the stub of a call."""

import collections

import image
import lib
from result import Result, Table
from runs import SHIFT, Spin, code, run_all

ACCOUNTS = {  # name: words
    "off": "account=off",
    "on": "account=on",
    "log": "account=log",
    "states": "account=on monitor=system,states classes=cells buffer=overwrite",
}
WAYS = {  # words; ticks or interrupts by thousands
    "a tick, `pit`, `stratified`": "tick=pit rate=5000 interval=stratified",
    "an interrupt of the clock": "tick=none clock=1000",
}
# system calls and supervisor services, one after the other
CALLS = "tasks=calls seed=1 output=frames rate=1000 seconds=1"
STUB = "a change of cell in the stub of a call"
# words of an entry of restart_table, and which they are (struct restart of torn_change.c)
RESTART, BEGIN, END = 7, 0, 3


def entries():
    timer = code().stub(image.constants()["LAPIC_TIMER_VECTOR"])
    return dict(zip(WAYS, (code().address["tick_entry"], timer)))


def handlers():
    """(row, account): instructions of a visit."""
    entry = entries()
    ran = run_all({("log", row, account): Spin(f"{ACCOUNTS[account]} {words}", output="frames", entry=entry[row])
                   for row, words in WAYS.items() for account in ACCOUNTS})
    return {key[1:]: done.visits.instructions for key, done in ran.items()}


def changes():
    """First and last address of each restartable change of cell in the stubs."""
    at, end = code().address["restart_table"], code().address["restart_table_end"]
    return [(code().word(entry + 8 * BEGIN), code().word(entry + 8 * END)) for entry in range(at, end, 8 * RESTART)]


def in_stubs(account):
    """Instructions of a change of cell in the stubs, mean of those that were made to their end.

    They have no branch: a change that nothing tears runs each instruction once, and what ran less often than the
    others bounds how many there were.
    """
    out, first = lib.folder() / f"calls-{account}.count", code().address["restart_text"]
    plugin = f"{lib.ROOT}/build/qemu/count.so,out={out},from={first:#x}"
    done = lib.boot(f"calls-{account}", f"{CALLS} {ACCOUNTS[account]}", shift=SHIFT, timeout=120,
                    options=("--qemu-arg", "-plugin", "--qemu-arg", plugin))
    if done.status != lib.COMPLETE:
        raise SystemExit(f"{ACCOUNTS[account]}: {CALLS}: status {done.status}: {done.said.strip()}")
    times = collections.Counter()
    for address, _, n in map(str.split, out.read_text().splitlines()):
        times[int(address, 16)] += int(n)
    made = instructions = 0
    for begin, end in changes():
        ran = [n for address, n in times.items() if begin <= address < end and n]
        made += min(ran, default=0)
        instructions += len(ran) * min(ran, default=0)
    return instructions / max(made, 1)


def results(_):
    found = handlers() | {(STUB, account): in_stubs(account) for account in ACCOUNTS}
    rows = []
    for row in (*WAYS, STUB):
        values = [found[row, account] for account in ACCOUNTS]
        for account, value in zip(ACCOUNTS, values):
            yield Result(f"{row}, {ACCOUNTS[account]}", value, "instructions", shown=False)
        rows.append((row, *(f"{value:.1f}" for value in values), f"{values[2] - values[1]:+.1f}",
                     f"{values[3] - values[1]:+.1f}"))
    yield Table(("instructions", "account=off", "account=on", "account=log", "the same cells by monitor=states",
                 "the log's part", "of monitor=states"), rows)
