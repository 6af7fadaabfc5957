#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""From each tick source to each other, while the image runs: every epoch complete, right, and the schedule's;
refusals change nothing."""

import os
import subprocess
import time

import lib

SHIFT = 5
SNAPSHOTS = 2  # of an epoch, before it is changed
WAIT = 100     # seconds of wall time for what is to come soon
SNAPSHOT, END = 3, 9  # the records' types
STEADY = "rate=700 interval=stratified delivery=irq"
# By name in the epoch: the words that change to it, and its ticks a second.
SOURCES = {
    "pit": (f"tick=pit {STEADY}", 700),
    "pit-periodic": ("tick=pit-periodic rate=700 delivery=irq", 700),
    "lapic": (f"tick=lapic {STEADY}", 700),
    "rtc": ("tick=rtc rate=512 delivery=irq", 512),
    "rtc at its fastest": ("tick=rtc rate=8192 delivery=irq", 8192),
    "clock": ("tick=clock delivery=irq", None),
    "slu-timeout": ("tick=slu-timeout delivery=irq", 2880),
    "pit nmi": ("tick=pit rate=700 interval=stratified delivery=nmi", 700),
    "slu-timeout nmi": ("tick=slu-timeout delivery=nmi", 2880),
}
LOSES = ("clock",)  # in step with what it looks at: blind, and kept to show that
NEAR = 0.05  # the handler's time and the last byte's come on top of each interval
REFUSED = (
    ("tick=rtc", "both want the one RTC"),
    ("tick=slu", "the transmitter of COM2 (port 0x2f8) is not paced: two characters take 0.0"),
    ("tick=clock rate=99", "rate=99 is another"),
    ("tick=pit rate=400000 interval=stratified", "more than half of the points would fall into handlers"),
    ("delivery=nmi tick=lapic", "delivery=nmi is for"),
    ("tick=none", "with tick=none no tick can be had"),
    ("account=off", "account= cannot change while the image runs"),
    ("monitor=region region=NOBODY:user:0-0x100", "no task of tasks=figure3 has this name"),
)


class Talk:
    """A boot to whose serial line lines can be sent, each once what came before has been shown."""

    def __init__(self, name, words):
        folder = lib.folder()
        self.dump = folder / f"{name}.dump"
        self.dump.write_bytes(b"")
        pipe = folder / f"{name}.pipe"
        pipe.unlink(missing_ok=True)
        os.mkfifo(pipe)
        self.pipe = os.open(pipe, os.O_RDWR)  # so that neither end waits for the other
        self.coming, self.rest = self.dump.open("rb"), b""
        self.ends = self.snapshots = self.refusals = 0  # snapshots: of the epoch
        self.boot = subprocess.Popen(
            lib.supervised(lib.ROOT / "tools/boot", "--shift", str(SHIFT), "--timeout", str(lib.GUARD), "--door",
                           "rom", "--typed", pipe, "-o", self.dump, "--", "output=frames", "seconds=0", "seed=1",
                           *words.split()),
            stdin=subprocess.DEVNULL)
        self.wait(lambda: self.snapshots >= SNAPSHOTS)

    def look(self):
        """Count the frames that have come since the last look."""
        *pieces, self.rest = (self.rest + self.coming.read()).split(b"\0")
        for piece in pieces:
            kind = piece[1] if len(piece) > 1 else 0
            self.ends += kind == END
            self.snapshots = 0 if kind == END else self.snapshots + (kind == SNAPSHOT)
            self.refusals += b"change nothing" in piece

    def wait(self, holds):
        until = time.monotonic() + WAIT
        while not holds():
            if self.boot.poll() is not None or time.monotonic() > until:
                raise TimeoutError(f"{self.dump}: after {self.ends} epochs nothing more came")
            time.sleep(0.01)
            self.look()

    def write(self, line):
        os.write(self.pipe, f"{line}\n".encode())

    def send(self, line):
        """A line that begins an epoch, and enough of that."""
        epochs = self.ends + 1
        self.write(line)
        self.wait(lambda: self.ends == epochs and self.snapshots >= SNAPSHOTS)

    def send_wrong(self, line):
        """A line that is refused, and a second or more: the image tells of a few in one only."""
        refusals = self.refusals + 1
        self.write(line)
        self.wait(lambda: self.refusals == refusals)
        later = self.snapshots + SNAPSHOTS
        self.wait(lambda: self.snapshots >= later)

    def end(self):
        self.write("seconds=1")
        status = self.boot.wait(lib.GUARD)
        os.close(self.pipe)
        self.coming.close()
        return status


def walk(names):
    """Each ordered pair of names once, as one way: Hierholzer's circuit."""
    left = {name: [other for other in names if other != name] for name in names}
    stack, way = [names[0]], []
    while stack:
        if left[stack[-1]]:
            stack.append(left[stack[-1]].pop())
        else:
            way.append(stack.pop())
    return way[::-1]


def audits(dump):
    """What audit says of each epoch: the stream is given to it up to that epoch's end."""
    pieces = dump.read_bytes().split(b"\0")
    part = lib.folder() / "part.dump"
    said = []
    for number, piece in enumerate(pieces):
        if len(piece) > 1 and piece[1] == END:
            part.write_bytes(b"\0".join(pieces[:number + 1]) + b"\0")
            said.append(lib.host("audit", part))
    return said


def check_epoch(checks, number, name, table, hello, clock_hz):
    what = f"epoch {number}, {name}"
    rate = SOURCES[name][1] or clock_hz
    checks.check(table["complete"] and hello["source"] == name.split()[0], f"{what}: complete, by {hello['source']}")
    seen = (table["samples"] + sum(table["missed"].values())) / table["window"]["seconds"]
    checks.check(abs(seen / rate - 1) < NEAR, f"{what}: {seen:.1f} ticks a second of {rate}")
    lib.check_sums(checks, what, table, hello["late"])
    if name in LOSES:
        return 0, 0
    totals = [r["total"] for r in table["tasks"] if None not in (r["total"].get("low999"), r["total"].get("exact"))]
    return sum(map(lib.outside, totals)), len(totals)


def check_walk(checks, name, words, way, clock_hz):
    """The whole way in one boot; returns it, still running."""
    talk = Talk(name, f"{words} {SOURCES[way[0]][0]}")
    for step in way[1:]:
        talk.send(SOURCES[step][0])
    return talk


def check_epochs(checks, dump, way, clock_hz):
    misses = cells = 0
    hellos = {}
    for head, _ in lib.records(dump, "HELLO"):
        hellos.setdefault(head["epoch"], head)
    checks.check(len(hellos) == len(way), f"{len(hellos)} epochs of {len(way)}")
    for number, (source, hello) in enumerate(zip(way, hellos.values()), 1):
        some = check_epoch(checks, number, source, lib.stat(dump, "--epoch", str(number)), hello, clock_hz)
        misses, cells = misses + some[0], cells + some[1]
    checks.check(misses <= lib.most_misses(cells), f"{misses} of {cells} truths are outside their 99.9 % intervals")
    said = audits(dump)
    wrong = [(number, source) for number, (source, (_, status)) in enumerate(zip(way, said), 1) if status != 0]
    checks.check(len(said) == len(way) and not wrong,
                 f"{len(said) - len(wrong)} audits of {len(way)} are clean {wrong}")
    text, status = lib.host("info", dump)
    checks.check(status == 0 and "missing    0 frames" in text, "no frame is missing")


def check_pairs(checks, name, words, way, clock_hz, refused=()):
    talk = check_walk(checks, name, words, way, clock_hz)
    for line, _ in refused:
        talk.send_wrong(line)
    checks.check(talk.end() == lib.COMPLETE, f"{name}: the run ends well")
    check_epochs(checks, talk.dump, [*way, way[-1]], clock_hz)  # seconds=1 begins one more
    texts = [head["text"] for head, _ in lib.records(talk.dump, "TEXT") if head["severity"]]
    warned = [text for text in texts if "change nothing" in text]
    checks.check(len(warned) == len(refused) and all(says in text for (_, says), text in zip(refused, warned)),
                 f"{name}: {warned}")
    checks.check(all("change nothing" in text for text in texts), f"{name}: no other warning {texts}")


def check_unaccounted(checks):
    """The same without the exact half."""
    way = ["pit", "pit nmi", "slu-timeout", "slu-timeout nmi", "pit"]
    talk = check_walk(checks, "unaccounted", "account=off", way, 100)
    checks.check(talk.end() == lib.COMPLETE, "account=off: the run ends well")
    for number, name in enumerate(way, 1):
        table = lib.stat(talk.dump, "--epoch", str(number))
        seen = table["samples"] / table["window"]["seconds"]
        checks.check(abs(seen / SOURCES[name][1] - 1) < NEAR, f"account=off, {name}: {seen:.1f} ticks a second")


def check_monitors(checks):
    """Monitors, regions and raw samples come and go; what stands is what the words say."""
    region = "region=ROGUE:user:0x400-0x4800"
    lines = (f"monitor=system,region {region}", f"{region}", "monitor=system region=none", "monitor=samples",
             "monitor=system,samples rate=2000")
    talk = Talk("monitors", "rate=700")
    for line in lines:
        talk.send(line)
    checks.check(talk.end() == lib.COMPLETE, "monitors: the run ends well")
    epochs = list(dict.fromkeys(head["epoch"] for head, _ in lib.records(talk.dump, "HELLO")))
    seen = {(head["epoch"], head["number"]) for head, _ in lib.records(talk.dump, "REGION")}
    found = [sum(epoch == of for of, _ in seen) for epoch in epochs]
    checks.check(found == [0, 1, 2, 0, 0, 0, 0], f"monitors: {found} regions in the epochs")
    for number in range(1, len(epochs) + 1):
        checks.check(lib.stat(talk.dump, "--epoch", str(number))["complete"], f"monitors: epoch {number} is complete")
    samples, status = lib.host("samples", talk.dump)
    checks.check(status == 0 and samples.count("\n") > 1000, "monitors: raw samples of the last epoch can be read")


def main():
    checks = lib.Checks()
    by_rtc = [name for name in SOURCES if not name.startswith("rtc")]
    check_pairs(checks, "pairs", "clock=rtc", walk(by_rtc), 128, REFUSED)
    others = [name for name in by_rtc if name != "lapic"]
    fastest = ["pit", "rtc at its fastest", "rtc", "rtc at its fastest", "slu-timeout"]
    check_pairs(checks, "rtc", "", [step for name in others for step in (name, "rtc")] + fastest, 100)
    check_unaccounted(checks)
    check_monitors(checks)
    checks.finish()


if __name__ == "__main__":
    main()
