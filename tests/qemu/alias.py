#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Two sources side by side: both tables hold the truth and both audits are clean; a tick in step with the load raises
the alarm, which names the tasks and the source."""

import math

import lib

EXPECTED = 20    # hits by the truth, below which a cell is not judged
PERIODS = 3      # of the slower source, that the ends of two windows may differ by

# The time-out and its handler take 357 us: 28 of them are a period of the clock of 100 Hz, whose handler would delay
# every 28th.  Of one of 110 Hz two periods are 50.9.
OUT_OF_STEP = "clock=110"
# name, words: no two of these keep step with the tasks of figure3
QUIET = (
    ("slu-timeout", f"tick=pit,slu-timeout rate=1000 seconds=5 {OUT_OF_STEP}"),
    ("rtc", "tick=rtc,pit rate=1000 seconds=5 interval=random"),
    ("slow", f"tick=pit,slu-timeout rate=100 seconds=5 {OUT_OF_STEP}"),
    ("periodic", f"tick=rtc,slu-timeout rate=1024 seconds=4 {OUT_OF_STEP}"),
    ("one-shots", "tick=pit,lapic clock=rtc rate=2000 seconds=6"),
)
# name, words, the source that is wrong, and a task that the alarm is to name
LOUD = (
    ("clock-hog", "tick=pit,clock rate=1000 tasks=hog1 seconds=5", "clock", "HOG"),
    ("clock-pollers", "tick=clock,pit rate=1000 tasks=pollers seconds=5", "clock", "POLL1"),
    # Few ticks a second, and the hog differs by some points: longer, or chance decides whether it is named.
    ("step-hog", "tick=lapic,pit-periodic rate=128 clock=rtc tasks=hog1 seconds=20", "pit-periodic", "HOG"),
)


def outside(table, cell):
    """Whether the truth is outside the 99.9 % interval; of fixed ticks by their number alone,
    as if in no step with the load."""
    return lib.outside(with_interval(table, cell))


def with_interval(table, cell):
    if cell["low999"] is not None:
        return cell
    share = cell["exact"] / 100
    half = 100 * lib.SIGMAS * math.sqrt(share * (1 - share) / table["samples"])
    return {**cell, "low999": cell["percent"] - half, "high999": cell["percent"] + half}


def check_table(checks, name, table):
    judged = [cell for _, cell in lib.cells(table) if cell["exact"] / 100 * table["samples"] >= EXPECTED]
    missed = sum(outside(table, cell) for cell in judged)
    checks.check(judged and missed <= lib.most_misses(len(judged)),
                 f"{name}: {missed} of {len(judged)} truths outside")
    masked = lib.row(table, "MASKED")["total"]
    checks.check(not lib.beyond(with_interval(table, masked)),
                 f"{name}: MASKED {masked['percent']:.2f} of {masked['exact']:.2f} %")


def check_audit(checks, name, sources):
    text, status = lib.host("audit", lib.folder() / f"{name}.dump")
    verdicts = text.count("verdict    the ticks are the generator's")
    checks.check(status == 0 and verdicts == 2 and all(f"source     {s}\n" in text for s in sources),
                 f"{name}: both audits are clean\n{text if status else ''}")


def both(checks, name, words):
    """The two tables of a run, and the threshold of lateness of the second."""
    first = lib.boot_table(checks, name, f"{words} seed=1")
    hellos = list(lib.records(lib.folder() / f"{name}.dump", "HELLO"))
    return first, first["beside"], hellos[1][0]["late"]


def check_quiet(checks):
    for name, words in QUIET:
        first, second, late = both(checks, name, words)
        lib.check_sums(checks, f"{name}, second", second, late)
        for what, table in (("first", first), ("second", second)):
            check_table(checks, f"{name}, {what}", table)
        alias = first["alias"]
        checks.check(alias["differ"] == 0 and alias["compared"] > 10 and alias["wrong"] == [],
                     f"{name}: no alarm, {alias['compared']} cells, largest |z| {alias['most']:.2f} of "
                     f"{alias['limit']:.2f}")
        apart = abs(first["window"]["seconds"] - second["window"]["seconds"])
        checks.check(apart <= PERIODS * max(first["policy"]["mean"], second["policy"]["mean"]),
                     f"{name}: the windows end {apart * 1000:.1f} ms apart")
        # Both handlers are the monitor's: two windows of one run have the same of it.
        shares = first["monitor"]["percent"], second["monitor"]["percent"]
        checks.check(abs(shares[0] - shares[1]) < 0.02 * shares[0],
                     f"{name}: MONITOR {shares[0]:.3f} and {shares[1]:.3f} %")
        checks.check(first["policy"]["seed"] != second["policy"]["seed"], f"{name}: each has a seed of its own")
        check_audit(checks, name, (first["policy"]["source"], second["policy"]["source"]))


def check_loud(checks):
    for name, words, source, task in LOUD:
        for account, measured in (("on", True), ("off", False)):
            run = f"{name}-{account}"
            first, second, _ = both(checks, run, f"{words} account={account}")
            alias = first["alias"]
            checks.check(second["policy"]["source"] == source and second["interval"] is None,
                         f"{run}: {source} is fixed")
            checks.check(alias["differ"] > 0 and alias["wrong"] == [source] and alias["measured"] == measured,
                         f"{run}: {alias['wrong']} is wrong in {alias['differ']} of {alias['compared']} cells")
            checks.check(any(c["name"] == task for c in alias["cells"]), f"{run}: {task} is named")
            text, status = lib.host("stat", "--strict", lib.folder() / f"{run}.dump")
            says = f"wrong    {source}" + (", by the exact table" if measured
                                           else ": its interval does not vary (a judgement")
            checks.check(status == 4 and says in text and "ALIAS " in text, f"{run}: exit {status} of stat --strict")


def check_text(checks):
    """The image's own text has both tables and the alarm, as the host has them."""
    words = "tick=pit,clock rate=1000 tasks=hog1 seconds=3 seed=1"
    run = lib.boot("text", words)
    said = run.dump.read_text(errors="replace").replace("\r", "")
    checks.check(run.status == lib.COMPLETE and said.count("Percentage CPU Utilization") == 2, "text: two tables")
    checks.check("tick=pit: 8254" in said and "tick=clock: the system clock" in said,
                 "text: each has its source above it")
    checks.check("ALIAS    pit and clock differ in" in said and "HOG user: pit " in said and
                 "wrong    clock, by the exact table\n" in said, "text: the alarm, the task and the source")


def check_one(checks):
    """A single source has nothing beside it, and says nothing of it."""
    table = lib.boot_table(checks, "one", "tick=pit rate=1000 seconds=1 seed=1")
    checks.check(table["beside"] is None and table["alias"] is None, "one: nothing beside it")


def main():
    checks = lib.Checks()
    check_quiet(checks)
    check_loud(checks)
    check_text(checks)
    check_one(checks)
    checks.finish()


if __name__ == "__main__":
    main()
