#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The monitor's shell as a person uses it: commands and their refusals, keys, pages, Ctrl-C, answers in time,
nothing suspended."""

import contextlib
import os
import random
import re
import select
import time

import lib
import session
import typist

ANSWER_MS = 100  # at most, under the full load of Figure 3
ROGUE = 35.4 / 7.8  # its kernel time for its user time, kernel/workload/workload_crowe.c
NEAR = 0.3       # of it, as a part: it gives way for the executive
ASKED = 20       # times
PROGRESS = 0.1   # points that a task's share may move when commands run beside it
NOISE = 20000    # bytes
PIECE = 500      # of them at a time: the image keeps some more until they are read
ABSORBS = ("PROBE", "IDLE", "ROGUE")  # who commands, who gives way by its design

START = 200       # seconds of wall time until tools/shell has a prompt, on a busy machine
BEFORE_PROMPT = 8  # lines at most: how to leave, who speaks and at what line, the length of the run, where help is

REFUSED = (
    ("bogus", "unknown command 'bogus' (commands: pat plt"),
    ("bogus=1", "unknown word 'bogus' (allowed: tick"),
    ("pat rogue", "pat: it takes no 'rogue'"),
    ("pat -sec 0", "pat: -sec '0' is no number of seconds"),
    ("plt", "plt: no task is named (plt [OPTION ...] TASK)"),
    ("plt nobody", "no task is called nobody (tasks lists them)"),
    ("plt -low 8 -high 8 rogue", "plt: -low is not below -high"),
    ("mps -mode ring0 rogue", "-mode 'ring0' is no mode"),
    ("tick bogus", "tick: 'bogus' is no source, rate, policy or delivery"),
    ("tick rate=0", "value '0' for rate is out of range"),
    ("tick 400000", " or rate="),
    ("rate=1000", "they are in force already"),
    ("set serial=com2", "serial= cannot change while the image runs"),
    ("regions remove 3", "there is no such region"),
    ("regions add nobody:user:0-8", "no task is called nobody"),
    ("help bogus", "help: there is no command or word 'bogus'"),
)


def run_time(s):
    """Seconds of the machine since the run began."""
    return float(session.search(r"run: (\S+) s", s.command("status"))[1])


def answer_times(s, line):
    """Milliseconds of the machine from the last byte of a line to the first line of its answer, and to the last."""
    s.command(line)
    return [float(x) for x in session.search(r"last one began after (\S+) ms and was whole after (\S+) ms",
                                             s.command("status")).groups()]


def check_refusals(checks, s):
    for line, says in REFUSED:
        answer = s.command(line).replace("\n  ", " ")
        checks.check(says in answer and answer.count("\n") == 0, f"{line}: {answer}")


def check_windows(checks, s):
    """The paper's three commands, each over the time that was asked for."""
    answer = s.command("pat -sec 5")
    samples = int(session.search(r"\((\d+) Samples, 0 missed\)", answer)[1])
    checks.check(4900 <= samples <= 5200, f"pat -sec 5 at 1000 Hz has {samples} samples")
    rows = re.findall(r"^(\S+) +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +([\d.]+) +([\d.]+)-([\d.]+) +([\d.]+)", answer, re.M)
    checks.check(len(rows) >= 36 and max(rows, key=lambda r: float(r[1]))[0] == "ROGUE",
                 "it has all tasks, and ROGUE is first")
    missed = sum(not float(low) <= float(exact) <= float(high) for _, _, low, high, exact in rows)
    checks.check(missed <= 6, f"{missed} of {len(rows)} truths are outside their 95 % intervals")
    answer = s.command("plt -sec 5 rogue")
    active, here = (int(session.search(p, answer)[1]) for p in (r"user mode for (\d+) of",
                                                                r"Hits: (\d+) here, 0 below, 0 above"))
    hits = sum(int(h) for h in re.findall(r"^0x[0-9a-f]+: +(\d+):", answer, re.M))
    checks.check(active == here == hits > 300, f"plt of the whole program: {active} samples, {hits} in slots")
    answer = s.command("mps -sec 5 -low 025200 -high 042600 Rogue rogue.stb")
    checks.check(all(name in answer for name in ("025276-dbmap", "032142-cpybuf", "042462-emt")),
                 "mps names the functions")
    checks.check("no file is read" in answer and "slot size 020" in answer, "it is the paper's line, in octal")
    answer = s.command("mps -sec 10 -zoom rogue")
    steps = re.findall(r"^step \d: 0x(\w+)-0x(\w+)", answer, re.M)
    sizes = [int(high, 16) - int(low, 16) for low, high in steps]
    checks.check(sizes == sorted(sizes, reverse=True) and "the hottest function emt" in answer and
                 "0x4532-emt" in answer, f"-zoom narrows {sizes} bytes, and ends in emt")
    checks.check("no task" not in s.command("plt -sec 1 -mode kernel *"), "any task, in the kernel")
    checks.check("monitor=system region=none" in s.command("status"), "after each the words are as before")


def check_state(checks, s):
    tasks = s.command("tasks")
    checks.check(len(re.findall(r"(sleeps|ready|runs) ", tasks)) >= 36, "tasks lists them")
    rogue = re.search(r"^ROGUE .*?(?:sleeps|ready|runs) +([\d.]+) +[\d.]+ +([\d.]+) ", tasks, re.M)
    ratio = float(rogue[1]) / float(rogue[2]) if rogue and float(rogue[2]) else 0
    checks.check(abs(ratio / ROGUE - 1) < NEAR,
                 f"kernel and user stand under their headings: ROGUE's are as {ratio:.2f} to 1")
    too_long = s.command("help " + "x" * 255)
    checks.check("longer than 255 characters: nothing was done" in too_long and "no command" not in too_long,
                 "a line that is too long is refused")
    checks.check("rate=1000" in s.command("tick") and "shell=auto" in s.command("set"), "tick and set show words")
    checks.check("no region is watched" in s.command("regions"), "regions: none")
    checks.check("-low A     first address" in s.command("help mps"), "help of a command")
    checks.check(s.command("?") == s.command("help"), "? is help")
    checks.check(s.command("help rate").startswith("rate=1 to 500000"), "help of a word")
    checks.check("Samples, " in s.command("snapshot"), "a snapshot")
    checks.check("rate=500 interval=random" in s.command("tick 500 random"), "the tick changes")
    checks.check("pit at 500 Hz, random" in s.command("status"), "and is told")
    s.command("rate=1000 interval=stratified")


def check_keys(checks, s):
    checks.check("rate=1000" in s.command("tik" + session.LEFT + "c"), "an arrow, a letter put in")
    checks.check("rate=1000" in s.command(session.UP), "the line before")
    checks.check("run: " in s.command("sta\x08at\tx\x7f"), "Tab completes")
    said = s.command("plt -sec 1 rog\t")
    checks.check("plt -sec 1 ROGUE " in session.plain(s.text()) and "user mode for" in said,
                 "Tab completes the name of a task")
    s.type("bogus\x03")
    s.expect("^C")
    s.expect(session.PROMPT)
    checks.check(s.command("") == "", "Ctrl-C forgets the line")


def check_interrupt(checks, s):
    before = run_time(s)
    for wait in (0.5, 2, 8, 32):  # till the window has begun: how far it computes meanwhile, the host's load decides
        s.enter("pat -sec 1000000")
        time.sleep(wait)
        s.type(session.CTRL_C)
        s.expect("^C\r\n")
        kept = session.plain(s.expect("\r" + session.PROMPT))
        if re.search(r"^ROGUE ", kept, re.M):
            break
    checks.check("Percentage CPU Utilization" in kept and re.search(r"^ROGUE ", kept, re.M),
                 "what was counted until Ctrl-C is printed")
    after = run_time(s)
    checks.check(after - before < 100000, f"Ctrl-C ended pat -sec 1000000 after {after - before:.0f} s")
    s.type("pat -sec 3\rstatus\r")  # typed ahead
    s.expect("status\r\n")
    checks.check("run: " in session.plain(s.expect(session.PROMPT)), "what is typed ahead is done after it")


def check_pages(checks, s):
    s.command("page")
    s.enter("tasks")
    page = s.expect("-- more --")
    checks.check(page.count("\r\n") == 23, "a page of 24 rows")
    s.type("\r")
    checks.check(s.expect("-- more --").count("\r\n") == 1, "Enter: a line")
    s.type(" ")
    checks.check("since the image began" in s.expect(session.PROMPT), "space: the rest")
    s.enter("tasks")
    s.expect("-- more --")
    s.type("q")
    checks.check("since the image began" not in s.expect(session.PROMPT), "q: no more")
    s.command("page 0")


def check_answers(checks, s):
    """The time from the last byte of the line to the first line of the answer, in the machine's time."""
    for line in ("status", "tasks", "snapshot", "help", "bogus"):
        times = [answer_times(s, line) for _ in range(ASKED)]
        first, last = ([t[i] for t in times] for i in (0, 1))
        checks.check(max(first) < ANSWER_MS,
                     f"{line}, {ASKED} times under the load of Figure 3: an answer after {max(first):.1f} ms "
                     f"at most, {sum(first) / ASKED:.1f} in the mean; whole after {max(last):.1f}")


def noise():
    return random.Random(1).randbytes(NOISE).replace(session.CTRL_C.encode(), b"").decode("latin-1")


def check_unmoved(checks, s, what):
    s.command("page 0")
    checks.check("run: " in s.command("status"), f"after {NOISE} bytes of noise {what} it still answers")
    checks.check("monitor=system" in s.command("status"), "and the words are as before")


def check_noise(checks, s):
    """Any bytes are keys: what they come to is told or nothing, and the next command works."""
    bytes_ = noise()
    for at in range(0, len(bytes_), PIECE):
        s.type(bytes_[at:at + PIECE])
        s.settle("\r")
    check_unmoved(checks, s, "as fast as it is read")


def check_end(checks, s, lost=0):
    """`lost`: as many of the bytes that were typed may have found no room."""
    said, status = s.end()
    checks.check(status == lib.COMPLETE, f"end ends the run well ({status})")
    checks.check("of them in handlers of ticks" in said and "0 table, 0 ring" in said, "no tick was lost")
    told = re.search(r"(\d+) bytes came in and were not read", said)
    checks.check(int(told[1] if told else 0) <= lost, f"bytes lost of those typed: {told[1] if told else 0}")


def check_all(checks):
    with session.Session("shell", "rate=1000") as s:
        s.call()
        checks.check("the run goes on until it is ended" in s.text(), "a run without seconds= goes on")
        s.command("page 0")
        for check in (check_state, check_refusals, check_keys, check_interrupt, check_pages, check_answers,
                      check_noise):
            check(checks, s)
        check_end(checks, s)
    # Its samples are those of any other run of this image: whether chance is kind is known once it is built.
    with typist.Typist("windows", "rate=1000 shell=on") as s:
        s.expect(session.PROMPT)
        s.command("page 0")
        check_windows(checks, s)
        check_end(checks, s)


def check_flood(checks):
    """More than the image keeps, at once: most of it finds no room, and that is counted."""
    with session.Session("flood", "rate=1000 shell=on") as s:
        s.type(noise())
        s.settle(session.CTRL_C)
        check_unmoved(checks, s, "at once")
        check_end(checks, s, NOISE)


def shares(s):
    """Of each task: percent of all exact time since the image began."""
    rows = re.findall(r"^(\S+) .*?(?:sleeps|ready|runs) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+)$", s.command("tasks"),
                      re.M)
    total = sum(float(x) for r in rows for x in r[1:])
    return {r[0]: 100 * sum(map(float, r[1:])) / total for r in rows}


def check_progress(checks):
    """The tasks get as much done beside commands as without."""
    with session.Session("busy", "rate=1000 shell=on") as s:
        s.expect(session.PROMPT)
        s.command("page 0")
        for _ in range(10):
            for line in ("pat -sec 2", "tick 500", "plt -sec 1 rogue", "tick 1000", "status", "help"):
                s.command(line)
        run = run_time(s)
        one = shares(s)
        check_end(checks, s)
    with session.Session("calm", "rate=1000 shell=on") as s:
        s.expect(session.PROMPT)
        s.command("page 0")
        s.command(f"pat -sec {run:.0f}")
        other = shares(s)
        check_end(checks, s)
    moved = {name: one[name] - other[name] for name in one if name not in ABSORBS}
    worst = max(moved, key=lambda name: abs(moved[name]))
    checks.check(abs(moved[worst]) < PROGRESS,
                 f"{run:.0f} s with 60 commands: {worst} moved most, by {moved[worst]:+.3f} points")
    checks.check(one["PROBE"] < 5, f"the commands took {one['PROBE'] - other['PROBE']:.2f} points of the CPU")


def check_words(checks):
    """shell=on, and shell=off; seconds= that was given holds."""
    with typist.Typist("on", "rate=1000 shell=on seconds=4") as s:  # or they would be over before a key came
        s.expect(session.PROMPT)
        checks.check("goes on until" not in s.text(), "shell=on: a prompt at once, and seconds= holds")
        s.command("page 0")
        checks.check("cpu: " in s.command("health"), "health has been looked at")
        s.command("page")
        s.type("tasks\r")
        s.expect("-- more --")
        s.leave()
        checks.check("Percentage CPU" in s.rest(), "nobody types on: the run ends by itself, with its table")
    for word in ("exit", "quit"):
        with session.Session(word, "rate=1000 shell=on") as s:
            s.expect(session.PROMPT)
            s.type(f"{word}\r")
            checks.check("Percentage CPU" in s.rest(), f"{word} ends the run, with its table")
    with session.Session("rtc", "tick=rtc rate=1024 shell=on tasks=spin") as s:
        s.expect(session.PROMPT)
        s.command("page 0")
        samples = int(session.search(r"\((\d+) Samples", s.command("pat -sec 5"))[1])
        checks.check(5000 < samples < 5250, f"a window keeps the rate: {samples} samples in 5 s")
        s.end()
    with session.Session("off", "rate=1000 shell=off seconds=4") as s:
        s.type("\r" * 40 + "pat\r")
        s.rest()
        checks.check(session.PROMPT not in s.text(), "shell=off: no prompt")


def check_start(checks):
    """tools/shell at a terminal: what stands before the first prompt can be read at a glance."""
    pid, terminal = os.forkpty()
    if pid == 0:
        os.execv(lib.ROOT / "tools/shell", ["tools/shell"])
    said = b""
    while session.PROMPT.encode() not in said and select.select([terminal], [], [], START)[0]:
        said += os.read(terminal, 4096)
    os.write(terminal, b"\x1d")
    with contextlib.suppress(OSError):
        while os.read(terminal, 4096):
            pass
    os.waitpid(pid, 0)
    os.close(terminal)
    lines = session.plain(said.decode("latin-1")).split("\n")
    checks.check(session.PROMPT in lines[-1] and len(lines) <= BEFORE_PROMPT + 1,
                 f"{len(lines) - 1} lines before the first prompt of tools/shell")


def main():
    checks = lib.Checks()
    check_start(checks)
    check_all(checks)
    check_flood(checks)
    check_progress(checks)
    check_words(checks)
    checks.finish()


if __name__ == "__main__":
    main()
