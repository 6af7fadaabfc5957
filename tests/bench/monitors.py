# SPDX-License-Identifier: MIT
"""What the monitors beside sampling cost: an interrupt by its instructions and its slow-down, a record by its bytes.

An interrupt that is intercepted enters by another stub (kernel/cpu/vectors.asm); idle counters and the account log
have nothing in the way of an interrupt.  monitor() is a task's own code; the task measures it
(kernel/tasks/talker.c).
"""

import collections
import statistics

import beside
import cobs
import image
import lib
import states
import user_events
from result import Result, Table
from runs import SHIFT, Spin, code, run_all

CLOCK = "tick=none clock=1000 account=on monitor="
MONITORS = ("none", "intercept", "idle", "acct", "idle,intercept,acct")
RECORDS = {"IDLE": 24, "INTERCEPT": 26, "ACCT": 27}  # types of frames, probe/stream/wire.h
FIGURE3 = "output=frames seed=1 seconds=10 monitor=system,idle,intercept,acct"


def stub(name):
    """The clock's, which another one takes the place of where the gates are redirected."""
    vector = image.constants()["LAPIC_TIMER_VECTOR"]
    if "intercept" not in name:
        return code().stub(vector)
    first, end = code().address["intercept_stubs"], code().address["interrupt_entry"]
    return first + (end - first) // (256 - 32) // 16 * 16 * (vector - 32)


def piece_of(dump):
    """Mean time of a piece of work, clock units; account log and PROBE have their part in it."""
    return statistics.mean(head["value"] for head, _ in lib.records(dump, "REPORT"))


def interrupts():
    """Instructions of an interrupt, and how much longer fixed work takes with 1000 of them a second."""
    ran = run_all({("monitors", name): Spin(f"{CLOCK}{name}", entry=stub(name), output="frames")
                   for name in MONITORS})
    return {name: (done.visits.instructions, piece_of(done.dump)) for (_, name), done in ran.items()}


def lengths(dump):
    """Frames and bytes on the line, by type."""
    frames, bytes_of = collections.Counter(), collections.Counter()
    for block in filter(None, dump.read_bytes().split(b"\0")):
        kind = cobs.decode(block)[0]
        frames[kind] += 1
        bytes_of[kind] += len(block) + 1
    return frames, bytes_of


def records():
    """Name, how many rows a record has, bytes of a record, bytes a second."""
    run = lib.boot("monitors-figure3", FIGURE3, shift=SHIFT)
    if run.status != lib.COMPLETE:
        raise SystemExit(f"{FIGURE3}: status {run.status}: {run.said.strip()}")
    frames, bytes_of = lengths(run.dump)
    seconds = lib.stat(run.dump)["window"]["seconds"]
    for name, kind in RECORDS.items():
        rows = sum(max(len(rows), 1) for _, rows in lib.records(run.dump, name))
        yield (name, rows / frames[kind], bytes_of[kind] / frames[kind], bytes_of[kind] / rows,
               bytes_of[kind] / seconds)


def beside_samples():
    """Bytes a second on the line by record, of what figure3 sends beside the samples, by the sizes of whole turns."""
    run = lib.boot("monitors-beside", f"output=frames {beside.RUN}", shift=SHIFT)
    if run.status != lib.COMPLETE:
        raise SystemExit(f"{beside.RUN}: status {run.status}: {run.said.strip()}")
    return beside.rates_of(run.dump)


def classes(words):
    """Changes a second, bytes and entropy of a change, share of PROBE in percent; of figure3 with words."""
    run = lib.boot(f"monitors-states-{words or 'none'}",
                   f"output=frames seed=1 seconds=6 thin=auto monitor=system{words}", shift=SHIFT)
    if run.status != lib.COMPLETE:
        raise SystemExit(f"{words}: status {run.status}: {run.said.strip()}")
    probe = lib.row(lib.stat(run.dump), "PROBE")["total"]["exact"]
    if "states" not in words:
        return 0, 0, 0, probe
    facts, *_ = states.sums_of(run.dump)
    return facts["runs"] / 6, facts["bytes"] / facts["runs"], facts["entropy"], probe


def classes_of_states():
    """The rows of their table, and each as a result with the bound of tests/qemu/states.py."""
    *_, alone = classes("")
    for words, bound in states.BOUND.items():
        rate, each, entropy, probe = classes(f",states {words}".rstrip())
        yield words or "clock unit", rate, each, bound, entropy, probe - alone


def user_event(name, words):
    """Instructions of monitor(), as the task tells them."""
    run = lib.boot(f"monitors-talk-{name}", f"tasks=talk {words}", shift=SHIFT)
    if run.status != lib.COMPLETE:
        raise SystemExit(f"{words}: status {run.status}: {run.said.strip()}")
    return min(head["value"] for head, _ in lib.records(run.dump, "REPORT")) / user_events.MEASURED / 2 ** SHIFT


def results(limits_only):
    for name, words in (("recorded", user_events.WORDS), ("off", "seconds=1 seed=1 output=frames")):
        yield Result(f"monitor() of a task, {name}", user_event(name, words), "instructions", user_events.LIMIT)
    rates = beside_samples()
    yield Result("beside the samples, figure3 at 120 Hz", sum(rates.values()), "bytes a second", beside.LIMIT)
    if limits_only:
        return
    yield Table(("beside the samples, figure3 at 120 Hz", "bytes a second"),
                [*((name, f"{rate:.0f}") for name, rate in rates.items()),
                 ("all of it", f"{sum(rates.values()):.0f}")])
    found = interrupts()
    none = found["none"]
    rows = []
    for name, (instructions, piece) in found.items():
        slower = 100 * (piece / none[1] - 1)
        yield Result(f"an interrupt of the clock, monitor={name}", instructions, "instructions", shown=False)
        rows.append((f"`{name}`", f"{instructions:.1f}", f"{instructions - none[0]:+.1f}", f"{slower:+.3f} %"))
    yield Table(("an interrupt of the clock, `monitor=`", "instructions", "more than without",
                 "fixed work at 1000 a second"), rows)
    yield Table(("record, figure3", "rows", "bytes", "bytes a row", "bytes a second"),
                [(name, f"{n:.1f}", f"{whole:.0f}", f"{each:.1f}", f"{rate:.0f}")
                 for name, n, whole, each, rate in records()])
    rows = []
    for unit, rate, each, bound, entropy, probe in classes_of_states():
        yield Result(f"a change of class of figure3, {unit}", each, "bytes each", bound)
        rows.append((unit, f"{rate:.0f}", f"{each:.2f}", f"{bound:g}", f"{entropy:.2f}", f"{probe:.2f}"))
    yield Table(("classes of states, figure3", "changes a second", "bytes of each", "at most", "entropy, bytes",
                 "PROBE, % of the CPU"), rows)
