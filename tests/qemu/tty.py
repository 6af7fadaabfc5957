#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""A board at a terminal line: `cpuprobe control` and `zoom` through a pty, set up, held, hung up and found again."""

import os
import re
import select
import socket
import subprocess
import termios
import threading
import time

import frames
import lib
from link import Link

WORDS = "tasks=figure3 seconds=0 seed=1"
IFLAG, OFLAG, CFLAG, LFLAG, ISPEED, OSPEED = range(6)  # of tcgetattr
INPUT = termios.ICRNL | termios.INLCR | termios.IGNCR | termios.ISTRIP | termios.IXON | termios.PARMRK
LOCAL = termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN
LINE = termios.CRTSCTS | termios.CSTOPB  # a pty has no parity
BUSY = "the line is in use"
SPEEDS = {  # attachment: options, and the rate that they come to
    "first": ((), termios.B115200), "slower": (("--baud", "9600"), termios.B9600), "again": ((), termios.B115200),
}
TOOL = lib.ROOT / "build/cpuprobe"
SECOND = 2  # the id of what is asked: the first command attaches
STALE = 1  # stretch of what the tty kept from before
KEPT = 3000  # bytes that a tty receives while no host reads it; one that is full, at 4096, takes no more
HOLD = 12  # seconds of wall time that the first host stays while a second one tries
PATIENCE = 100


class Cable:
    """A pty whose other end is the line of a boot; what the host sends is kept."""

    def __init__(self, link):
        self.board = socket.socket(socket.AF_UNIX)
        self.board.connect(link.path)
        self.near, self.far = os.openpty()
        self.name = os.ttyname(self.far)
        self.sent, self.heard = b"", b""
        self.cut_at = None     # a byte string of the host's that hangs the line up
        self.cut_before = None  # the answer of this id does so, and does not reach the host
        self.damage = None     # a byte string of the host's, of which a bit is turned once
        self.lose = None       # which answer to a second command, counted from 1, is lost
        self.hung_up = threading.Event()
        self.readers = 0       # hosts at the other end
        self.spoil()
        self.carrier = threading.Thread(target=self.carry)
        self.carrier.start()

    def spoil(self):
        """As a login's terminal has it: what passes it is no stream any more."""
        line = termios.tcgetattr(self.far)
        line[IFLAG] |= INPUT
        line[OFLAG] |= termios.OPOST | termios.ONLCR
        line[CFLAG] |= LINE
        line[LFLAG] |= LOCAL
        line[ISPEED] = line[OSPEED] = termios.B1200
        termios.tcsetattr(self.far, termios.TCSANOW, line)

    def carry(self):
        try:
            while not self.hung_up.is_set():
                ready, _, _ = select.select([self.near, self.board], [], [], 0.05)
                if self.near in ready:
                    self.to_board(os.read(self.near, 4096))
                if self.board in ready:
                    self.to_host(self.board.recv(4096))
        except OSError:
            pass
        finally:  # the tty is hung up: whoever has it open is told so, whatever ended this thread
            os.close(self.near)
            self.board.close()

    def to_board(self, data):
        self.sent += data
        if self.cut_at and self.cut_at in self.sent:
            self.hung_up.set()
            return
        if self.damage and self.damage in data:
            at = data.index(self.damage)
            data = data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]
            self.damage = None
        self.board.sendall(data)

    def to_host(self, data):
        """A tty that nobody reads is full one day; a line does not wait for it.
        A reader who is slow has it whole."""
        self.heard += data
        answered = [a["id"] for a in frames.answers(self.heard)]
        if not data or self.cut_before in answered:
            self.hung_up.set()
        if self.lose and answered.count(SECOND) >= self.lose:
            self.lose, data = None, b""
        while data and not self.hung_up.is_set():
            _, writable, _ = select.select([], [self.near], [], 0.05)
            if not writable and not self.readers:
                return
            if not writable:
                continue
            data = data[os.write(self.near, data):]

    def attributes(self):
        return termios.tcgetattr(self.far)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.hung_up.set()
        self.carrier.join()
        os.close(self.far)


def tool(cable, name, *arguments):
    """The tool at this end of the cable, and the dump that it keeps."""
    dump = lib.folder() / f"{name}.dump"
    command = {"control": ["control", "-o", dump], "zoom": ["zoom"]}[arguments[0]]
    cable.readers += 1
    done = subprocess.run([TOOL, *command, *arguments[1:]], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", check=False, timeout=PATIENCE)
    cable.readers -= 1
    print(f"{name}: {done.returncode} {done.stderr.strip()}")
    return done.stdout, done.stderr, done.returncode, dump


def is_whole(dump):
    said = lib.host("info", dump)[0]
    return int(re.search(r"damaged +(\d+) stretches", said)[1]) <= STALE and "missing    0 frames" in said


def check_set_up(checks, link):
    """Whatever the line was, it is raw and has the rate that is asked for; one attachment after the other."""
    with Cable(link) as cable:
        for name, (options, speed) in SPEEDS.items():
            cable.spoil()
            out, _, code, dump = tool(cable, name, "control", *options, "--stay", "1", cable.name, "status")
            line = cable.attributes()
            checks.check(code == 0 and "window: " in out, f"{name}: answered ({code})")
            checks.check(line[ISPEED] == line[OSPEED] == speed, f"{name}: the rate is that of --baud")
            left = (line[IFLAG] & INPUT, line[OFLAG] & termios.OPOST, line[CFLAG] & LINE, line[LFLAG] & LOCAL)
            checks.check(not any(left) and line[CFLAG] & termios.CLOCAL,
                         f"{name}: raw, one stop bit, no flow control")
            checks.check(is_whole(dump), f"{name}: every byte came as it was sent")
        out, _, code, _ = tool(cable, "zoom", "zoom", "--task", "rogue", "--until", "50", "--seconds", "6",
                               cable.name)
        steps = re.findall(r"^ *\d+ 0x\w+-0x\w+ .*", out, re.M)
        checks.check(code == 0 and len(steps) >= 3, f"zoom through a tty ({code}), {len(steps)} steps: {steps[-1:]}")


def check_stale(checks, link):
    """What the tty received while it was a login's is translated, and is no part of the stream;
    as it is left, nothing is lost."""
    with Cable(link) as cable:
        until = time.monotonic() + PATIENCE
        while len(cable.heard) < KEPT and time.monotonic() < until:
            time.sleep(0.01)
        _, _, code, dump = tool(cable, "stale", "control", "--stay", "1", cable.name, "status")
        found = dump.read_bytes()
        checks.check(len(cable.heard) >= KEPT and code == 0 and found and found in cable.heard,
                     f"stale: nothing but what the board sent is kept, none of {KEPT} translated bytes ({code})")
        count = len(cable.heard)
        while len(cable.heard) < count + KEPT and time.monotonic() < until:
            time.sleep(0.01)
        _, _, code, dump = tool(cable, "kept", "control", "--stay", "1", cable.name, "status")
        found = dump.read_bytes()
        checks.check(code == 0 and cable.heard[count:count + KEPT // 2] in found,
                     f"kept: what came under the same settings is there ({code})")


def check_held(checks, link):
    """A second host while one holds the line: refused, and the first one's stream is whole."""
    with Cable(link) as cable:
        first = lib.folder() / "holds.dump"
        cable.readers += 1
        command = [TOOL, "control", "-o", first, "--stay", f"{HOLD}", cable.name, "status"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as holds:
            until = time.monotonic() + PATIENCE
            while not (first.exists() and first.stat().st_size) and time.monotonic() < until:
                time.sleep(0.01)
            _, err, code, _ = tool(cable, "second", "control", cable.name, "status")
            checks.check(code == 1 and BUSY in err, f"the second host is refused: {code} {err.strip()}")
            command = [TOOL, "record", "--timeout", "5", cable.name, "-o", lib.folder() / "recorded.dump"]
            text = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE).stderr
            checks.check(BUSY in text, f"and so is a recorder: {text.strip()}")
        cable.readers -= 1
        checks.check(holds.returncode == 0 and is_whole(first), "the first one has its whole stream")
        _, _, code, _ = tool(cable, "after", "control", cable.name, "status")
        checks.check(code == 0, f"the line is free again ({code})")


def check_repeated(checks, link):
    """A command that is damaged and an answer that is lost: each sent again, and done once."""
    with Cable(link) as cable:
        cable.damage = b"tick 300"
        _, err, code, _ = tool(cable, "damaged", "control", cable.name, "tick", "300")
        checks.check(code == 0 and cable.sent.count(b"tick 300") >= 2,
                     f"damaged, sent again, done: {code} {err.strip()}")
        cable.lose = sum(a["id"] == SECOND for a in frames.answers(cable.heard)) + 1
        _, err, code, _ = tool(cable, "lost", "control", cable.name, "tick", "400")
        checks.check(code == 0 and cable.sent.count(b"tick 400") >= 2,
                     f"its answer lost, sent again: {code} {err.strip()}")
        out, _, code, _ = tool(cable, "both", "control", cable.name, "tick", "120")
        answered = [(a["status"], a["repeated"]) for a in frames.answers(cable.heard) if a["id"] == SECOND]
        checks.check(answered.count((0, 0)) == 3 and set(answered) == {(0, 0), (0, 1)},
                     f"each was done once: {answered}")


def check_hung_up(checks, link):
    """The adapter is pulled out with a command half sent, then with one sent and not answered."""
    with Cable(link) as cable:
        cable.cut_at = b"tick 500"
        began = time.monotonic()
        _, err, code, _ = tool(cable, "pulled", "control", cable.name, "tick", "500")
        told = "the line ended" in err or "cannot be written" in err
        checks.check(code == 1 and told, f"pulled out in mid-command: {code} {err.strip()}")
        checks.check(time.monotonic() - began < PATIENCE / 2, "and at once")
    with Cable(link) as cable:
        out, _, code, _ = tool(cable, "back", "control", "--stay", "1", cable.name, "tick")
        checks.check(code == 0 and "rate=120" in out, f"the next one is answered, and nothing was done: {code}")
    with Cable(link) as cable:
        cable.cut_before = SECOND
        _, err, code, _ = tool(cable, "unheard", "control", cable.name, "tick", "500")
        checks.check(code == 1 and "the line ended" in err, f"pulled out before the answer: {code} {err.strip()}")
    with Cable(link) as cable:
        out, _, code, _ = tool(cable, "done", "control", cable.name, "tick")
        checks.check(code == 0 and "rate=500" in out, f"what was sent whole was done, as the next one sees: {code}")


def main():
    checks = lib.Checks()
    with Link("tty", WORDS) as link:
        for check in (check_set_up, check_stale, check_held, check_repeated, check_hung_up):
            check(checks, link)
    checks.finish()


if __name__ == "__main__":
    main()
