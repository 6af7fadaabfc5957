#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""The shell's `top` on a VT100 of 24 rows, and the progress of pat and of a zoom; the python is Debian's,
which has pyte."""

import re

import pyte

import lib
import session

ENDS = "any other key ends"
SHARE = re.compile(r"^(\S+) +([\d.]+) +([\d.]+)-([\d.]+) +([\d.]+) +([\d.]+)-([\d.]+)((?: +[\d.]+){4})$")
ROWS, COLUMNS = 24, 80


def screen(s):
    """What the terminal shows after all that was looked at: behind it another screen may have begun."""
    shown = pyte.Screen(COLUMNS, ROWS)
    pyte.ByteStream(shown).feed(s.text()[:s.seen].encode("latin-1"))
    return [row.rstrip() for row in shown.display]


def redrawn(s, times=1):
    for _ in range(times):
        s.expect(ENDS)
    return screen(s)


def tasks(rows):
    return [m for m in map(SHARE.match, rows) if m]


def check_top(checks, s):
    s.command("page 24")
    s.enter("top")
    rows = redrawn(s, 4)
    found = tasks(rows)
    checks.check(len(rows) == ROWS and ENDS in rows[-2] + rows[-1] and rows[0].startswith("late "),
                 f"a screen: {rows[0]!r}")
    checks.check(len(found) >= ROWS - 4 and found[0][1] == "ROGUE", f"{len(found)} tasks, ROGUE first")
    last = [float(m[2]) for m in found]
    checks.check(last == sorted(last, reverse=True), "by the share of the last interval")
    checks.check(all(float(m[3]) <= float(m[2]) + 0.051 and float(m[2]) <= float(m[4]) + 0.051 for m in found),
                 "within its interval")
    checks.check(all(abs(sum(map(float, m[8].split())) - float(m[2])) <= 0.21 for m in found),
                 "the modes add up to it")
    samples = int(session.search(r"\(\+(\d+)\)", rows[0])[1])
    checks.check(900 <= samples <= 3000, f"{samples} samples at 1000 Hz between two screens")
    s.type("n")
    s.expect("by name")
    names = [m[1] for m in tasks(redrawn(s))]
    checks.check(len(names) > 10 and names == sorted(names), f"n: by name: {names[:4]}")
    s.type("x")
    s.expect(session.PROMPT)
    checks.check("run: " in s.command("status"), "a key ends it")
    s.enter("top -sort kernel")
    s.expect("by kernel")
    s.type(session.CTRL_C)
    s.expect(session.PROMPT)
    checks.check("is no order (allowed: name total user" in s.command("top -sort size"),
                 "an order that is none is refused")
    s.command("page 0")


def check_refused(checks, s):
    s.command("stop")
    checks.check("the system monitor is off" in s.command("top"), "without the system monitor it is refused")
    s.command("start")


def check_progress(checks, s):
    s.enter("pat -sec 4")
    said = s.expect("\r" + session.PROMPT)
    told = [(int(now), int(whole)) for now, whole in re.findall(r"\r\x1b\[K(\d+) of (\d+) s, \d+ ticks", said)]
    checks.check(told == [(1, 4), (2, 4), (3, 4)], f"pat -sec 4 tells its seconds: {told}")
    checks.check(" of 4 s" not in session.plain(said), "and nothing of it is left")
    s.enter("plt -zoom -sec 100000 rogue")
    s.expect("2 of 100000 s")
    s.type(session.CTRL_C)
    said = session.plain(s.expect("\r" + session.PROMPT))
    checks.check("^C\n" in said and "step 1: " in said and "Hits: " in said,
                 "Ctrl-C in a zoom: the step so far, and its histogram")
    checks.check("monitor=system region=none" in s.command("set").replace("\n", " "),
                 "and the monitors are those from before")


def main():
    checks = lib.Checks()
    with session.Session("top", "rate=1000 shell=on") as s:
        s.expect(session.PROMPT)
        check_top(checks, s)
        check_progress(checks, s)
        check_refused(checks, s)
        s.end()
    checks.finish()


if __name__ == "__main__":
    main()
