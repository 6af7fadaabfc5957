#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The software monitors against the exact table: monitors.py idle."""

import json
import sys

import lib

IDLE_RUNS = {  # words; clock units by which the handlers of ticks may differ where no account tells them: handlers
    "irq": "",
    "nmi": "delivery=nmi",
    "lapic": "tick=lapic clock=rtc tasks=pollers",
    "two": "tick=pit,clock tasks=hog1",
    "fast": "rate=10000",
    "none": "tick=none",
    "log": "account=log",
}
ACCOUNT_COST = 0.1  # points: some hundred changes of cell a second, of some hundred clock units each
LOSS = 7  # every so many frames are cut out of a stream


def of_host(dump, command, coming=False):
    text, status = lib.host(command, "--json", dump, coming=coming)
    return json.loads(text) if text else None, status


def last(dump, kind):
    return list(lib.records(dump, kind))[-1][0]


def idle_error(found):
    """Of CNT1 against the exact table, percent of CNT2."""
    return 100 * (found["total"]["idle"] - found["exact"]) / found["total"]["clock"]


def check_idle_truth(checks, name, words):
    run = lib.boot(f"idle-{name}", f"monitor=system,idle output=frames seconds=3 seed=1 {words}", shift=3)
    found, status = of_host(run.dump, "idle")
    if not checks.check(run.status == lib.COMPLETE and status == 0, f"{name}: the run ends well {run.said.strip()}"):
        return
    checks.check(found["total"]["halts"] > 20 and found["total"]["idle"] > 0, f"{name}: {found['total']['halts']} halts")
    checks.check(abs(idle_error(found)) <= found["resolution"],
                 f"{name}: CNT1 is off by {idle_error(found):+.5f} points of a resolution of {found['resolution']:.5f}")


def check_idle_without_account(checks):
    """Of a load that is paced by the clock, so that it is the same without the account, up to what the account costs."""
    for rate in (1000, 10000):
        words = f"tasks=hog1 monitor=idle output=frames seconds=3 seed=1 rate={rate}"
        found, status = of_host(lib.boot(f"idle-off-{rate}", f"{words} account=off", shift=3).dump, "idle")
        other, _ = of_host(lib.boot(f"idle-on-{rate}", words, shift=3).dump, "idle")
        apart = found["total"]["load"] - other["total"]["load"]
        checks.check(status == 0 and found["exact"] is None and abs(apart) < ACCOUNT_COST,
                     f"account=off rate={rate}: load {found['total']['load']:.3f} %, {apart:+.4f} points beside account=on")


def check_idle_loss(checks):
    """Every seventh frame is lost: the totals of what arrived last are those of the whole run."""
    whole = (lib.folder() / "idle-irq.dump").read_bytes()
    frames = [f for f in whole.split(b"\0") if f]
    kept = [f for i, f in enumerate(frames) if i % LOSS or i > len(frames) - 12]
    path = lib.folder() / "idle-cut.dump"
    path.write_bytes(b"\0" + b"\0\0".join(kept) + b"\0")
    cut, status = of_host(path, "idle", coming=True)
    found, _ = of_host(lib.folder() / "idle-irq.dump", "idle")
    checks.check(status == 3 and cut["total"] == found["total"],
                 f"{len(frames) - len(kept)} of {len(frames)} frames lost: the totals stand (status {status})")
    checks.check(sum(r["idle"] for r in cut["readings"]) == found["total"]["idle"], "the readings add up to them")


def check_idle_text(checks):
    run = lib.boot("idle-text", "monitor=idle seconds=2 seed=1", shift=3)
    line = [l for l in run.dump.read_text().splitlines() if l.startswith("idle ")]
    checks.check(run.status == lib.COMPLETE and len(line) == 1 and "% of 2.0" in line[0], f"as text: {line}")


def idle(checks):
    for name, words in IDLE_RUNS.items():
        check_idle_truth(checks, name, words)
    check_idle_without_account(checks)
    check_idle_loss(checks)
    check_idle_text(checks)


PARTS = {"idle": idle}


def main():
    checks = lib.Checks()
    PARTS[sys.argv[1]](checks)
    checks.finish()


if __name__ == "__main__":
    main()
