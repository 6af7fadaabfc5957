#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Words that come over the serial line while the image runs: another tick, another epoch;
what is wrong changes nothing."""

import lib

LEAD = "\n" * 64  # the chip's FIFO is emptied while the line is set up
WRONG = (
    ("bogus=1", "unknown word 'bogus'"),
    ("rate=0", "out of range"),
    ("tasks=spin", "tasks= cannot change while the image runs"),
    ("rate=400000 interval=stratified", "more than half of the points would fall into handlers"),
    ("rate=60000", "more than 1 in 20 of the points would fall into handlers"),
    ("rate=500", "they are in force already"),
    ("x" * 300, "the line is too long"),
    ("\xff\x7f\x1b[2J", "unknown command"),
)


def typed(name, text):
    path = lib.folder() / f"{name}.typed"
    path.write_bytes((LEAD + text).encode("latin-1"))
    return ("--typed", path)


def check_change(checks):
    """Two epochs, each complete, each with its own words, seed and rate, and raw samples that can be read."""
    name = "change"
    run = lib.boot(name, "output=frames monitor=system,samples rate=500 seconds=6 seed=1",
                   options=typed(name, "rate=2000 interval=random seed=9\n"))
    checks.check(run.status == lib.COMPLETE, f"the run ends well ({run.status}) {run.said.strip()}")
    for number, (rate, policy, seed) in enumerate(((500, "stratified", 1), (2000, "random", 9)), 1):
        table = lib.stat(run.dump, "--epoch", str(number))
        checks.check(table["complete"], f"epoch {number} is complete")
        checks.check((table["policy"]["name"], table["policy"]["seed"]) == (policy, seed),
                     f"epoch {number}: {policy}, seed {seed}")
        seen = table["samples"] / table["window"]["seconds"]
        checks.check(abs(seen / rate - 1) < 0.06, f"epoch {number}: {seen:.1f} samples a second of {rate}")
        rows = [r["total"] for r in table["tasks"]]
        checks.check(sum(map(lib.outside, rows)) <= lib.most_misses(len(rows)),
                     f"epoch {number}: the truths are in their intervals")
    text, status = lib.host("info", run.dump)
    checks.check(status == 0 and "missing    0 frames" in text, "no frame is missing, each epoch counts its own")
    samples, status = lib.host("samples", run.dump)
    checks.check(status == 0 and samples.count("\n") > 5000, "the raw samples of the second epoch can be read")


def check_wrong(checks):
    """One sentence each, the run goes on unchanged."""
    for number, (line, says) in enumerate(WRONG):
        name = f"wrong{number}"
        run = lib.boot(name, "output=frames rate=500 seconds=3 seed=1", options=typed(name, line + "\n"))
        texts = [head["text"] for head, _ in lib.records(run.dump, "TEXT") if "change nothing" in head["text"]]
        checks.check(run.status == lib.COMPLETE and len(texts) == 1 and says in texts[0],
                     f"{line[:20]!r}: {texts} ({run.status}) {run.said.strip()}")
        checks.check(len({head["epoch"] for head, _ in lib.records(run.dump, "HELLO")}) == 1,
                     f"{line[:20]!r}: one epoch")


def check_unmeasured(checks):
    """What the start was told to leave alone cannot be had."""
    run = lib.boot("unmeasured", "output=frames health=off seconds=3 seed=1",
                   options=typed("unmeasured", "tick=pit-periodic\n"))
    texts = [head["text"] for head, _ in lib.records(run.dump, "TEXT") if "change nothing" in head["text"]]
    checks.check(run.status == lib.COMPLETE and len(texts) == 1 and
                 "not measured at the start: health=off" in texts[0], f"health=off: {texts}")


def main():
    checks = lib.Checks()
    check_change(checks)
    check_wrong(checks)
    check_unmeasured(checks)
    checks.finish()


if __name__ == "__main__":
    main()
