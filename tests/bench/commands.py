# SPDX-License-Identifier: MIT
"""What commands over the line take: nothing of the tick's path, the image's time to the answer, bytes,
time on the line.

The emulator sends and receives without a line's pace, so that the line's time is its bits: those of COMMAND and
ANSWER at 10 bits a byte.  What the stream had put before the answer is not in it.  Commands come at some time of the
host's: the image's time differs from run to run by what it was doing.
"""

import contextlib
import statistics
import time

import frames
import lib
from link import LOOK, Link
from result import Result, Table
from runs import SHIFT, Spin, code, counted, plugin

SPIN = "tasks=spin seed=1 account=off rate=1000 interval=fixed seconds=4"
SPIN_COMMAND = "status"
PERIOD = 0.05  # seconds of wall time between two commands: no more of them than a line of 115200 bit/s carries
LEAST = 10     # commands in the run, or it shows nothing
OUTSIDE = ("control", "inbox", "command", "commands", "answers", "words")  # files of what reads and does commands
LOAD = "tasks=figure3 seed=1 seconds=0"
LOAD_SHIFT = 5
BAUD = (9600, 115200)
CHANGE = "rate={}"  # another each time
ALONE, BEHIND = "a change (`rate=N`)", "a second change directly after it"
COMMANDS = {  # by what the table calls it
    **{f"`{line}`": line for line in ("status", "tasks", "tick", "regions", "health")}, ALONE: CHANGE, BEHIND: CHANGE,
}
ANSWER_MS = 100  # at most; a change that is right behind another waits for that one
TIMES = 20
PATIENCE = 20  # seconds of wall time for an answer
AGAIN = 0.5    # to the same command again


def in_tick_path():
    """Functions of the tick's path that commands have too, by name; the image must have such functions at all."""
    def is_outside(function):
        return function.name.partition("_")[0] in OUTSIDE
    if not any(map(is_outside, code().function.values())):
        raise SystemExit(f"the image has no function of {', '.join(OUTSIDE)}")
    return [f.name for f in code().tick_path() if is_outside(f)]


def send_now_and_then(hand):
    """One command after the other, until the machine ends."""
    number = 0
    while not hand.ended.wait(PERIOD):
        number += 1
        with contextlib.suppress(ConnectionError):  # it has just ended
            hand.send(frames.command(SPIN_COMMAND, session=1, number_=number))


def ticks(commands):
    """Visits of the tick's handler, and what the run's dump tells: the table, commands that the image took."""
    name = "commands" if commands else "no-commands"
    out = lib.folder() / f"{name}.visits"
    out.unlink(missing_ok=True)
    spin = Spin(SPIN, entry=code().address["tick_entry"])
    with Link(name, SPIN, shift=SHIFT, options=plugin(spin, out)) as link:
        with link.connect() as hand:
            if commands:
                send_now_and_then(hand)
            hand.await_end()
        link.process.wait(timeout=60)
    told = [head for head, _ in lib.records(hand.dump, "RECEIVED")]
    return counted(out)[0], lib.stat(hand.dump), told[-1]["commands"] if told else 0


def tick_path():
    shared = in_tick_path()
    for name in shared:
        print(name)
    yield Result("functions of commands in the tick's path", len(shared), "functions", 0)
    found = {"none": ticks(False), "coming in": ticks(True)}
    rows = []
    for name, (visits, table, taken) in found.items():
        lost = table["missed"]["overrun"] + table["missed"]["source"] + sum(table["lost"].values())
        yield Result(f"tick, commands: {name}: the middle one", visits.median, "instructions", shown=False)
        yield Result(f"tick, commands: {name}: mean", visits.instructions, "instructions", shown=False)
        yield Result(f"tick, commands: {name}: late", table["late"], "ticks", shown=False)
        yield Result(f"tick, commands: {name}: lost", lost, "ticks", 0, shown=False)
        rows.append((name, f"{taken}", f"{visits.median}", f"{visits.instructions:.1f}", f"{table['ticks']}",
                     f"{table['late']}", f"{lost:.0f}"))
    (without, _, _), (beside, _, taken) = found.values()
    yield Result("commands in the run", taken, "commands", at_least=LEAST)
    yield Result("difference of the median tick with commands and without", abs(beside.median - without.median),
                 "instructions", 0)
    yield Table(("commands", "done", "median tick, instructions", "mean", "ticks", "late", "lost"), rows)


def answer(hand, command, number):
    """Send a command, again where it was cut (an idle machine's time jumps over its pieces); its ANSWER frames."""
    until = time.monotonic() + PATIENCE
    before = hand.dump.stat().st_size
    while time.monotonic() < until:
        hand.send(command)
        again = time.monotonic() + AGAIN
        while time.monotonic() < again:
            time.sleep(LOOK)
            found = [a for a in frames.answers(hand.dump.read_bytes()[before:]) if a["id"] == number]
            if found and len(found) >= found[0]["parts"]:
                return found[:found[0]["parts"]]
    raise SystemExit(f"{hand.dump}: command {number} was not answered")


def await_epochs(hand, count):
    """Until so many have begun: the last change is in force."""
    def begun(hellos):
        return len({head["epoch"] for head in hellos}) >= count
    if not begun(hand.await_records("HELLO", begun)):
        raise SystemExit(f"{hand.dump}: a change was not put into force")


def ask_all(hand):
    """Each command so many times: {name: [(bytes there, bytes back, clock units to the answer's begin,
    to its end)]}."""
    hand.await_records("SNAPSHOT", lambda s: s)  # the run has begun
    found = {name: [] for name in COMMANDS}
    names = [name for name in COMMANDS for _ in range(TIMES)]
    for number, name in enumerate(names, 1):
        command = frames.command(COMMANDS[name].format(100 + number), session=1, number_=number)
        parts = answer(hand, command, number)
        if parts[0]["status"] != 0:
            raise SystemExit(f"{command}: {parts}")
        took = [a["took"] for a in parts]
        found[name].append((len(command), sum(a["bytes"] for a in parts), min(took), max(took)))
        if name == ALONE:
            await_epochs(hand, 1 + len(found[name]))
    hand.end(session=2)
    return found


def answers(baud):
    """Name: [(bytes there, bytes back, ms of the image to the begin, to the end)] under the load."""
    with Link(f"answers-{baud}", f"{LOAD} serial=com1,{baud}", shift=LOAD_SHIFT) as link, link.connect() as hand:
        found = ask_all(hand)
    hello, _ = next(lib.records(hand.dump, "HELLO"))
    ms = 1000 / hello["clock_hz"]
    return {name: [(*size, ms * begin, ms * end) for *size, begin, end in rows] for name, rows in found.items()}


def times():
    found = {baud: answers(baud) for baud in BAUD}
    rows = []
    for line in COMMANDS:
        cells = []
        for baud in BAUD:
            there, back, _, image = (statistics.median(part) for part in zip(*found[baud][line]))
            begin, most = (max(row[i] for row in found[baud][line]) for i in (2, 3))
            whole = image + 1e4 * (there + back) / baud
            yield Result(f"{line}: image, {baud} bit/s", image, "ms", shown=False)
            limit = None if line == BEHIND else ANSWER_MS
            yield Result(f"{line}: image, {baud} bit/s, longest", most, "ms", shown=False)
            yield Result(f"{line}: image, {baud} bit/s, longest to the first frame", begin, "ms", limit, shown=False)
            yield Result(f"{line}: answered, {baud} bit/s", whole, "ms", shown=False)
            cells += [f"{image:.1f} ({most:.1f})", f"{whole:.0f}"]
        yield Result(f"{line}: COMMAND and ANSWER", there + back, "bytes", shown=False)
        rows.append((line, f"{there:.0f}", f"{back:.0f}", *cells))
    yield Table(("command", "COMMAND, bytes", "ANSWER, bytes", *(head for baud in BAUD for head in (
        f"image at {baud} bit/s, ms (longest)", "answered, ms"))), rows)


def results(_):
    yield from tick_path()
    yield from times()
