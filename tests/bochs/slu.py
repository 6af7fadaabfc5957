#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots in Bochs, whose transmitters are paced, with the paper's tick: a serial line.  slow:
the stream's own at 1200 bit/s."""

import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))

import expected
import lib
import stacks

SKIPPED = 77
BOCHS = ("--emulator", "bochs", "--door", "rom")
SHIFT = 5
RATE = 0.05     # as a part: Bochs rounds the time of a bit to whole microseconds
POINTS = 1.5    # what a total may be off by beside four of its own binomial standard errors
CHARACTERS = 3  # of Bochs' character time-out


def said(name, severity):
    return [head["text"].strip() for head, _ in lib.records(lib.folder() / f"{name}.dump", "TEXT")
            if head["severity"] == severity]


def check_table(checks, name, table, made):
    """The rate of the line, totals by their truth, and nothing missed, damaged or warned of."""
    rate = table["samples"] / table["window"]["seconds"]
    checks.check(abs(rate - made) <= made * RATE, f"{name}: {rate:.2f} ticks a second, {made:.2f} by the line")
    checks.check(re.search(r" rate=\d+ interval=fixed ", table["words"]), f"{name}: the words tell the rate")
    worst = (0.0, "")
    for row in table["tasks"]:
        share = (row["total"]["exact"] or 0) / 100  # STOLEN has no truth: nothing steals time here
        allowed = POINTS + 400 * (share * (1 - share) / table["samples"]) ** 0.5
        worst = max(worst, (abs(row["total"]["percent"] - 100 * share) / allowed, row["name"]))
    checks.check(worst[0] <= 1, f"{name}: {worst[1]} is off by {100 * worst[0]:.0f} % of what is allowed")
    damage = table["damage"]
    checks.check(not damage["damaged_bytes"] and not damage["missing"], f"{name}: damage {damage}")
    checks.check(table["missed"]["source"] == 0, f"{name}: missed {table['missed']}")
    warned = expected.others(said(name, 1))
    checks.check(not warned, f"{name}: warnings {warned}")


def boot(checks, name, words, *, shift=SHIFT, options=()):
    return lib.boot_table(checks, name, words, shift=shift, options=(*BOCHS, *options))


def check_second(checks, baud):
    """Zeros on COM2."""
    name = f"com2-{baud}"
    table = boot(checks, name, f"tick=slu slu=com2,{baud} seconds=3")
    check_table(checks, name, table, baud / 10)


def check_callers(checks, baud):
    """stack=: the ticks of a transmitter find callers by either delivery, in as many samples as the line makes."""
    for delivery in ("irq", "nmi"):
        name = f"callers-{delivery}"
        table = stacks.check_paths(checks, name, f"tick=slu slu=com2,{baud} delivery={delivery} seconds=3",
                                   fixed=True, options=BOCHS)
        check_table(checks, name, table, baud / 10)


def check_stream(checks, baud, *, shift=SHIFT, seconds=3, options=()):
    """The stream itself."""
    name = f"stream-{baud}{''.join(options)}"
    word = f"slu=auto serial=com2,{baud}" if options else f"slu=stream serial=com1,{baud}"
    table = boot(checks, name, f"tick=slu {word} seconds={seconds}", shift=shift, options=options)
    check_table(checks, name, table, baud / 10)


def check_masked(checks):
    table = boot(checks, "masked", "tick=slu slu=com2,38400 tasks=masked seconds=3", shift=4)
    check_table(checks, "masked", table, 3840)
    masked = lib.row(table, "MASKED")["total"]
    checks.check(table["late"] == masked["hits"] > 0, f"masked: {masked['hits']} late ticks are the row's")
    checks.check(masked["exact"] > 5, f"masked: {masked['exact']:.3f} % of the time were masked")
    missed = table["missed"]
    checks.check(missed["masked"] == missed["overrun"] == 0,
                 f"masked: sections shorter than a byte cost no tick: {missed}")


def check_unmasked(checks):
    """Either tick as NMI, through pin 3 of the I/O APIC: masked sections are sampled, and no row is late."""
    for tick, made in (("slu", 3840), ("slu-timeout", 3840 / CHARACTERS)):
        name = f"nmi-{tick}"
        table = boot(checks, name, f"tick={tick} delivery=nmi slu=com2,38400 tasks=masked seconds=3", shift=4)
        check_table(checks, name, table, made)
        masker = lib.row(table, "MASKER")["kernel"]
        checks.check(masker["masked"] > 5, f"{name}: {masker['masked']:.2f} % of the time were masked, by MASKER")
        checks.check(abs(masker["percent"] - masker["exact"]) <= POINTS,
                     f"{name}: and sampled, {masker['percent']:.2f} for {masker['exact']:.2f} %")
        checks.check(table["late"] == 0 and not any(table["missed"].values()),
                     f"{name}: none late or missed: {table['missed']}")


def check_overrun(checks):
    """On a slow machine the handler that closes a window takes longer than a byte: the line stands still,
    and goes on.

    Not slower than 2^6 ns: a byte is 678 instructions at 2^7, and an interrupt that switches tasks takes as long
    (up to 830 with account=log, by `cpuprobe masked`), so that the line would stand still all the time.
    """
    table = boot(checks, "overrun", "tick=slu seconds=5", shift=6)
    check_table(checks, "overrun", table, 11520)
    checks.check(table["missed"]["overrun"] > 0,
                 f"overrun: {table['missed']['overrun']} ticks missed in windows' ends")
    checks.check("void, for the line had stood still" in " ".join(said("overrun", 0)),
                 f"overrun: {said('overrun', 0)}")


def check_timeout(checks):
    table = boot(checks, "timeout", "tick=slu-timeout slu=com2,38400 seconds=3")
    check_table(checks, "timeout", table, 3840 / CHARACTERS)
    ratio = re.search(r"takes ([\d.]+) characters' time",
                      lib.health(lib.folder() / "timeout.dump")["tick=slu-timeout"])
    checks.check(ratio and abs(float(ratio[1]) - CHARACTERS) < RATE,
                 f"timeout: {ratio and ratio[1]} characters measured")


def check_refused(checks):
    for number, (words, sentence) in enumerate((
            ("tick=slu rate=1000",
             r"the line makes 11520\.000 ticks a second, 10 bits each at 115200 bit/s; 11\d\d\d\.\d+ were measured"),
            ("tick=slu interval=stratified",
             r"tick=slu repeats one interval: it cannot do interval=stratified, only fixed"))):
        run = lib.boot(f"refused{number}", words, shift=SHIFT, options=BOCHS)
        checks.check(run.status == lib.FAILURE and re.search(sentence, run.said), f"{words}: {run.said.strip()}")


def check_text(checks):
    """Zeros lie between the bytes of a text, and nothing else."""
    run = lib.boot("text", "seconds=1 tick=slu slu=stream", shift=SHIFT, options=BOCHS)
    text = run.dump.read_bytes()
    last = expected.last_line(text.replace(b"\0", b"").decode())
    checks.check(run.status == lib.COMPLETE and text.count(b"\0") > 1000 and last.startswith("exact"),
                 f"text: {text.count(0)} zeros, and at its end {last}")


def main():
    if not shutil.which("bochs"):
        print("no Bochs: tools/setup check installs it")
        sys.exit(SKIPPED)
    checks = lib.Checks()
    if sys.argv[1:] == ["slow"]:
        check_stream(checks, 38400)
        check_stream(checks, 1200, shift=7, seconds=10)
        checks.finish()
    for baud in (115200, 38400, 1200):
        check_second(checks, baud)
    check_callers(checks, 9600)
    for baud in (115200, 9600):
        check_stream(checks, baud)
    check_stream(checks, 57600, options=("--com2",))
    check_masked(checks)
    check_unmasked(checks)
    check_overrun(checks)
    check_timeout(checks)
    check_refused(checks)
    check_text(checks)
    checks.finish()


if __name__ == "__main__":
    main()
