#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""User events of a task: none lost, in order, at times at which it ran; at most 25 instructions each; and garbage."""

import re

import lib

SHIFT = 3
LIMIT = 25      # instructions of monitor() at ring 3
MEASURED = 100  # events a report (kernel/tasks/talker.c)
WORDS = "seconds=2 seed=1 monitor=system,events output=frames events=user,switch,irq"


def events(dump):
    """(time, task, text) of each event."""
    for line in lib.host("trace", dump, coming=True)[0].splitlines():
        fields = line.split(maxsplit=3)
        if len(fields) == 4 and re.fullmatch(r"\d+\.\d+", fields[0]):
            yield float(fields[0]), fields[1], fields[3]


def check_cost(checks, name, run):
    least = min(head["value"] for head, _ in lib.records(run.dump, "REPORT")) / MEASURED / 2**SHIFT
    checks.check(0 < least <= LIMIT, f"{name}: monitor() takes {least:.2f} instructions, at most {LIMIT}")


def check_talk(checks):
    run = lib.boot("talk", f"tasks=talk {WORDS}", shift=SHIFT)
    found = list(events(run.dump))
    values = [int(m[1]) for _, task, text in found if (m := re.match(r"user 1:(\d+)", text))]
    checks.check(run.status == lib.COMPLETE, f"the run ends well {run.said.strip()}")
    checks.check(len(values) > 10 * MEASURED and values == list(range(values[0], values[0] + len(values))),
                 f"{len(values)} user events from {values[:1]} on, none lost, none twice, in order")
    checks.check({task for _, task, text in found if text.startswith("user")} == {"TALK"},
                 "they are of the task that ran")
    times = [time for time, _, _ in found]
    checks.check(times == sorted(times), "all events are in the order of their times")
    checks.check("user event" not in run.said, "nothing was refused")
    check_cost(checks, "recorded", run)
    check_cost(checks, "off", lib.boot("off", "tasks=talk seconds=1 seed=1 output=frames", shift=SHIFT))


def check_scribbled(checks):
    run = lib.boot("scribbled", f"tasks=scribbled {WORDS}", shift=SHIFT)
    texts = " ".join(head["text"] for head, _ in lib.records(run.dump, "TEXT", coming=True))
    checks.check(run.status == lib.COMPLETE, f"garbage: the run ends well {run.said.strip()}")
    checks.check("task SCRIB recorded" in texts and "with times at which it did not run" in texts,
                 "garbage: what was refused is counted and told")
    checks.check("TRACED" not in texts and "PLAIN" not in texts, "garbage: nothing of another task is refused")
    users = {task for _, task, text in events(run.dump) if text.startswith("user")}
    checks.check(users <= {"SCRIB"}, f"garbage: user events are of {users} alone")


def main():
    checks = lib.Checks()
    check_talk(checks)
    check_scribbled(checks)
    checks.finish()


if __name__ == "__main__":
    main()
