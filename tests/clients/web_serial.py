#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The page that needs no installation reads a board's line by Web Serial, in headless Chromium: the test has the
browser's part of it (navigator.serial), and a running image at the other end."""

import base64
import contextlib
import json
import select
import socket
import time

import browser
import client
import lib
from link import Link
from report import TABLE, expected
from viewer import FRAME, PAGE, within

GUARD = 90  # seconds of wall time for what is to come soon
WORDS = "tasks=figure3 seconds=0 rate=1000 seed=1 monitor=system,samples"
READ = 4096  # bytes of a read of tools/serve/line_watch.c
TYPED = b"\x03\routput frames\r"
# One port, whose bytes the test gives, and which keeps what is written.
FAKE = """const fake = { sent: [] };
    const port = {
        async open(how) {
            fake.how = how;
            fake.opened = (fake.opened || 0) + 1;
            port.readable = new ReadableStream({ start(to) { fake.to = to; } });
            port.writable = new WritableStream({ write(bytes) { fake.sent.push(...bytes); } });
        },
        async close() { fake.closed = true; port.readable = port.writable = null; },
    };
    Object.defineProperty(navigator, "serial", { value: { requestPort: async () => port } });
    function feed(bytes) {
        if (bytes) fake.to.enqueue(Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)));
        return btoa(String.fromCharCode(...fake.sent.splice(0)));
    }"""
WITHOUT = 'Object.defineProperty(navigator, "serial", { value: undefined });'


class Wire:
    """Between the image's socket and the page: all that came is kept, all that went too."""

    def __init__(self, tab, board):
        self.tab, self.line, self.went = tab, socket.socket(socket.AF_UNIX), b""
        self.line.connect(board.path)
        self.dump = lib.folder() / "line.dump"
        self.dump.write_bytes(b"")

    def pass_on(self, least=0):
        """What came, together, and at least so much of it."""
        came, end = b"", time.monotonic() + GUARD
        while (select.select([self.line], [], [], 0.02)[0] or len(came) < least) and time.monotonic() < end:
            some = self.line.recv(1 << 16)
            if not some:
                break
            came += some
        with self.dump.open("ab") as to:
            to.write(came)
        went = base64.b64decode(self.tab.run(f"feed('{base64.b64encode(came).decode()}')"))
        self.went += went
        with contextlib.suppress(BrokenPipeError):  # the machine has ended
            self.line.sendall(went)

    def until(self, script, holds):
        """Pass on until the page has what is asked for; what it has then."""
        end = time.monotonic() + GUARD
        while True:
            self.pass_on()
            found = self.tab.run(script)
            if holds(found) or time.monotonic() > end:
                return found

    def give(self, kind, word=""):
        """A command as a person gives it."""
        self.tab.run(f"(byId('ask').value = {json.dumps(kind)}, byId('word').value = {json.dumps(word)})")
        self.tab.click("#talk button")

    def ask(self, kind, word=""):
        """The same, and its answer, which is another than that of the command before."""
        before = self.tab.run("byId('answer').textContent")
        self.give(kind, word)
        return self.until("byId('answer').textContent", lambda text: text and text != before and text[-3:] != "...")


def check_commands(checks, wire):
    said = wire.ask(":", "status")
    checks.check(said.startswith("run: "), f"status is answered: {said!r}")
    said = wire.ask("r", "500")
    checks.check("refused" not in said and said, f"another rate: {said!r}")
    said = wire.ask(":", "nonsense")
    checks.check(said.startswith("refused: "), f"what is no command is refused: {said!r}")
    state = wire.until("byId('state').textContent", lambda text: text == "live")
    checks.check(state == "live", f"the line is {state}")
    wire.give("z", "ROGUE")
    code = wire.until("byId('code-lines').textContent", lambda text: "functions" in text)
    checks.check("functions, " in code and "0x" in code, f"a zoom shows where the task is: {code[:80]!r}")
    wire.give("x")
    wire.went = b""
    wire.give("o")
    wire.until("1", lambda _: TYPED in wire.went)
    checks.check(TYPED in wire.went, "what a person would type at an open shell is typed")


def check_end(checks, wire):
    """The last table is that of all bytes that came."""
    wire.until("byId('state').textContent", lambda text: text == "live")  # a zoom begins other epochs
    wire.pass_on(2 * READ)
    wire.give(":", "end")
    state = wire.until("byId('state').textContent", lambda text: text == "ended: complete")
    text, _ = lib.host("stat", "--json", wire.dump)
    wanted = expected(json.loads(text))
    rows = wire.until(within(TABLE), lambda rows: rows == wanted)
    checks.check(state == "ended: complete" and rows == wanted,
                 f"the run {state}; the page shows the numbers of stat of {wire.dump.stat().st_size} bytes: "
                 f"{[pair for pair in zip(rows, wanted) if pair[0] != pair[1]][:2]}")
    trust = wire.tab.run(within("document.getElementById('trust').textContent"))
    checks.check("Every byte of the stream arrived intact" in trust, "and says that no byte is missing")


def check_line(checks, tab, board):
    wire = Wire(tab, board)
    tab.run("byId('baud').value = '230400'")
    tab.click("#connect")
    rows = wire.until(f"{FRAME}?.getElementById('foot') ? {within(TABLE)} : []", len)
    checks.check(len(rows) > 10 and tab.run("fake.how.baudRate") == 230400,
                 f"the page has {len(rows)} tasks of a line")
    first = tab.run(within("document.getElementById('facts').textContent"))
    later = wire.until(within("document.getElementById('facts').textContent"), lambda text: text != first)
    checks.check(first != later, f"and goes on by itself: {later[:60]!r}")
    check_commands(checks, wire)
    tab.shape(1000)
    tab.picture(lib.folder() / "line.png")
    check_end(checks, wire)
    tab.run("fake.to.close()")
    states = [wire.until("byId('state').textContent", lambda text: text.startswith(begin))
              for begin in ("the line ended", "ended: complete")]
    checks.check(tab.run("fake.opened") == 2, f"a line that ended is opened again: {states}")
    tab.click("#connect")
    checks.check(tab.run("new Promise((done) => setTimeout(() => done(fake.closed), 300))") is True and
                 tab.run("byId('connect').textContent") == "Connect a board", "it lets the line go")
    tab.click("#connect")


def main():
    client.need("chromium")
    if not PAGE.exists():
        client.skip("build/viewer.html is not there (make viewer)")
    checks = lib.Checks()
    with browser.Browser() as tab:
        one = tab.ask("Page.addScriptToEvaluateOnNewDocument", source=WITHOUT)["identifier"]
        tab.open(PAGE)
        checks.check(tab.run("[byId('connect').hidden, byId('no-line').checkVisibility()]") == [True, True],
                     "a browser without Web Serial is told so")
        tab.ask("Page.removeScriptToEvaluateOnNewDocument", identifier=one)
        tab.ask("Page.addScriptToEvaluateOnNewDocument", source=FAKE)
        tab.open(PAGE)
        with Link("board", WORDS) as board:
            check_line(checks, tab, board)
        asked = [url for url in tab.requests if not url.startswith("file:")]
        checks.check(not asked and not tab.problems, f"nobody else was asked: {asked} {tab.problems[:2]}")
    checks.finish()


if __name__ == "__main__":
    main()
