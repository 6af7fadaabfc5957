#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots with the ticks of a UART: tick=slu is refused, for QEMU paces no transmitter; tick=slu-timeout runs."""

import re
import socket
import threading
import time

import lib

SHIFT = 3
CHARACTERS = 4  # of QEMU's character time-out
POINTS = 1.5    # what a total may be off its truth by: the ticks are fixed, and no interval is printed
UNPACED = (r"the transmitter of COM2 \(port 0x2f8\) is not paced: two characters take 0\.0\d\d and 0\.0\d\d of "
           r"their time")
PORT = 0x2f8
OVERDUE = 300   # seconds of wall time

REFUSED = (
    ("tick=slu", rf"tick=slu rate=11520: {UNPACED}$"),
    ("tick=slu slu=com2,9600", rf"tick=slu rate=960: {UNPACED}$"),
    ("tick=slu slu=stream", r"the transmitter of COM1 \(port 0x3f8\) is not paced"),
    ("tick=slu slu=com3", r"no UART answers at COM3 \(port 0x3e8\)$"),
    ("tick=slu slu=com1,9600", r"slu= names the stream's own port, whose rate is that of serial=$"),
    ("tick=slu-timeout slu=stream", r"needs a UART that is not the stream's"),
    ("tick=slu-timeout interval=random",
     r"tick=slu-timeout repeats one interval: it cannot do interval=random, only fixed$"),
    ("tick=slu-timeout rate=1000",
     r"the line makes 2880\.000 ticks a second, 40 bits each at 115200 bit/s; 28\d\d\.\d+ were measured$"),
    ("tick=slu-timeout slu=com2,100000",
     r"no divisor of the UART makes the rate in slu='com2,100000' \(nearest: 115200 57600\)$"),
)


def said(dump, severity):
    return [head["text"].strip() for head, _ in lib.records(dump, "TEXT") if head["severity"] == severity]


def check_refused(checks):
    for number, (words, sentence) in enumerate(REFUSED):
        run = lib.boot(f"refused{number}", words, shift=SHIFT)
        checks.check(run.status == lib.FAILURE and re.search(sentence, run.said.strip()),
                     f"{words}: {run.said.strip()}")
    run = lib.boot("alone", "tick=slu-timeout serial=com2", shift=SHIFT, options=("--com2",))
    checks.check(run.status == lib.FAILURE and "needs a UART that is not the stream's" in run.said,
                 f"the only UART is the stream's: {run.said.strip()}")


def off(row):
    return abs(row["total"]["percent"] - row["total"]["exact"])


def check_rate(checks, baud):
    table = lib.boot_table(checks, str(baud), f"tick=slu-timeout slu=com2,{baud} seconds=5", shift=SHIFT)
    made = baud / 10 / CHARACTERS
    rate = table["samples"] / table["window"]["seconds"]
    checks.check(abs(rate - made) <= made / 100,
                 f"{baud} bit/s: {rate:.2f} ticks a second, {made:.2f} by {CHARACTERS} characters")
    ratio = re.search(r"takes ([\d.]+) characters' time",
                      lib.health(lib.folder() / f"{baud}.dump")["tick=slu-timeout"])
    checks.check(ratio and abs(float(ratio[1]) - CHARACTERS) < 0.01,
                 f"{baud} bit/s: {ratio and ratio[1]} characters measured")
    checks.check(f" rate={round(made)} interval=fixed " in table["words"], f"{baud} bit/s: the words tell the rate")
    worst = max(table["tasks"], key=off)
    checks.check(off(worst) <= POINTS,
                 f"{baud} bit/s: {worst['name']} is off by {off(worst):.3f} points, {POINTS} at most")
    missed = table["missed"]
    checks.check(missed["overrun"] == missed["source"] == 0, f"{baud} bit/s: none missed but masked ones: {missed}")
    checks.check(not said(lib.folder() / f"{baud}.dump", 1)[1:], f"{baud} bit/s: no warning but that of the TSC")


def check_masked(checks):
    """A fixed tick may keep step with the sections that mask it: who is masked and his masked time are one sum."""
    table = lib.boot_table(checks, "masked", "tick=slu-timeout slu=com2,57600 tasks=masked seconds=5", shift=SHIFT)
    masked = lib.row(table, "MASKED")["total"]
    checks.check(table["late"] == masked["hits"] > 0, f"masked: {masked['hits']} late ticks are the row's")
    for name in ("NEXT", "IDLE"):
        row = lib.row(table, name)
        checks.check(off(row) <= POINTS, f"masked: {name} is off by {off(row):.3f} points")
    total = [lib.row(table, name)["total"] for name in ("MASKED", "MASKER")]
    both = sum(t["percent"] - t["exact"] for t in total)
    checks.check(abs(both) <= POINTS, f"masked: MASKED and MASKER together are off by {both:.3f} points")
    checks.check(table["missed"]["masked"] > 0, f"masked: {table['missed']['masked']:.2f} ticks missed")


class Monitor:
    """QEMU's monitor, at which ports are written behind the image's back."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(OVERDUE)
        end = time.monotonic() + OVERDUE
        while True:
            try:
                self.socket.connect(str(path))
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)
        self.read()

    def read(self):
        text = b""
        while not text.endswith(b"(qemu) "):
            more = self.socket.recv(4096)
            if not more:
                break
            text += more
        return text

    def do(self, *commands):
        """The answer to the last one."""
        answer = b""
        for command in commands:
            self.socket.sendall(f"{command}\n".encode())
            answer = self.read()
        return answer.decode("latin-1")

    def second(self):
        """Of the machine's clock, which goes by its own time."""
        return re.search(r'"tm_sec": (\d+)', self.do("qom-get /machine rtc-time"))[1]

    def wait_for_second(self):
        """Until the machine's clock begins another one."""
        end, now = time.monotonic() + OVERDUE, self.second()
        while self.second() == now and time.monotonic() < end:
            time.sleep(0.02)

    def write(self, *pairs):
        self.do("stop", *(f"o/b {PORT + register:#x} {value:#x}" for register, value in pairs), "cont")


def count(dump, kind):
    """Records of a kind in a stream that has not ended."""
    return sum(1 for _ in lib.records(dump, kind, coming=True))


def wait_for(dump, kind, number=1):
    """Until the stream holds so many records of a kind."""
    end = time.monotonic() + OVERDUE
    while time.monotonic() < end:
        if dump.exists() and dump.stat().st_size and count(dump, kind) >= number:
            return
        time.sleep(0.05)


def disturbed(checks, name, disturb, more=""):
    """The warnings and the table of a run whose UART is written to from outside while it runs."""
    dump = lib.folder() / f"{name}.dump"
    path = lib.folder() / f"{name}.monitor"
    for old in (dump, path):
        old.unlink(missing_ok=True)
    options = ("--qemu-arg", "-monitor", "--qemu-arg", f"unix:{path},server=on,wait=on")
    words = f"output=frames tick=slu-timeout slu=com2,9600 seconds=20 {more}"
    runs = []

    def boot():
        runs.append(lib.boot(name, words, shift=SHIFT, options=options))

    thread = threading.Thread(target=boot)
    thread.start()
    monitor = Monitor(path)
    wait_for(dump, "SNAPSHOT")
    disturb(monitor, dump)
    thread.join()
    checks.check(runs[0].status == lib.COMPLETE,
                 f"{name}: the run ends well ({runs[0].status}) {runs[0].said.strip()}")
    return lib.stat(dump), " / ".join(said(dump, 1))


def check_lost(checks, name="lost", more=""):
    """The interrupt is switched off at the UART: the watch starts the tick again, and tells."""
    table, warnings = disturbed(checks, name, lambda monitor, dump: monitor.write((1, 0)), more)
    checks.check("1 interrupt was lost and the tick started again: COM2" in warnings, f"{name}: {warnings}")
    checks.check(1 <= table["missed"]["source"] <= 20,
                 f"{name}: {table['missed']['source']} ticks missed by the source")
    checks.check(table["samples"] > 4500, f"{name}: {table['samples']} ticks all the same")


def check_storm(checks):
    """The line is made twelve times as fast as it was measured: ticks that cannot be are no samples,
    and are masked."""
    def disturb(monitor, dump):
        seen = count(dump, "SNAPSHOT")
        monitor.write((3, 0x83), (0, 1), (1, 0), (3, 3))
        monitor.write((1, 1))
        monitor.wait_for_second()  # no tick can come, and after ten seconds without one the image would give it up
        monitor.wait_for_second()
        monitor.write((3, 0x83), (0, 12), (1, 0), (3, 3))
        monitor.write((1, 1))
        wait_for(dump, "SNAPSHOT", seen + 2)

    table, warnings = disturbed(checks, "storm", disturb)
    storms = re.search(r"(\d+) storms? of interrupts w\w+ masked: COM2", warnings)
    early = re.search(r"(\d+) interrupts came before their byte had passed: COM2", warnings)
    checks.check(storms and early and int(early[1]) >= 8 * int(storms[1]), f"storm: {warnings}")
    checks.check(table["missed"]["source"] > 0, f"storm: {table['missed']['source']} ticks missed by the source")
    checks.check(table["samples"] <= 240 * 21,
                 f"storm: {table['samples']} samples, no more than the line as measured makes")


def main():
    checks = lib.Checks()
    check_refused(checks)
    for baud in (115200, 38400, 9600):
        check_rate(checks, baud)
    check_masked(checks)
    check_lost(checks)
    check_storm(checks)
    checks.finish()


if __name__ == "__main__":
    main()
