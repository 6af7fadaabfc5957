# SPDX-License-Identifier: MIT
"""Drives Debian's Chromium without a window by its DevTools protocol, over two pipes:
messages end with a zero byte."""

import base64
import json
import os
import select
import subprocess
import time

import client
import lib

PATIENCE = 60  # seconds for an answer
KEYS = {"Tab": 9, "Enter": 13, "Backspace": 8, "Escape": 27, "Home": 36, "ArrowLeft": 37,
        "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
# No sandbox: tests run as root in a container.  Nothing is fetched, and nobody asked.
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
         "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
         "--force-color-profile=srgb")


class Browser:
    """One page; `problems` are its exceptions, its console's errors and what its policy forbade,
    `requests` what it asked for."""

    def __init__(self, width=1600, height=1000):
        client.need("chromium")
        self.problems, self.requests, self.last, self.buffer = [], [], 0, b""
        down, self.to = os.pipe()
        self.of, up = os.pipe()
        command = ["chromium", *FLAGS, f"--user-data-dir={lib.folder()}/chromium", "about:blank"]
        # Not dash, which takes descriptors of one digit alone.
        self.process = subprocess.Popen(["bash", "-c", f'exec "$@" 3<&{down} 4>&{up}', "sh", *command],
                                        pass_fds=(down, up), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(down)
        os.close(up)
        self.session = None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.shape(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.to)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.of)

    # ---- messages ----

    def message(self, until):
        while b"\0" not in self.buffer:
            if not select.select([self.of], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("Chromium does not answer")
            got = os.read(self.of, 1 << 16)
            if not got:
                raise EOFError("Chromium has ended")
            self.buffer += got
        one, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(one)

    def note(self, event):
        said = event.get("params", {})
        match event.get("method"):
            case "Runtime.exceptionThrown":
                self.problems.append(said["exceptionDetails"]["text"]
                                     + str(said["exceptionDetails"].get("exception", {}).get("description", "")))
            case "Runtime.consoleAPICalled" if said["type"] in ("error", "warning", "assert"):
                self.problems.append(str(said["args"]))
            case "Log.entryAdded" if said["entry"]["level"] in ("error", "warning"):
                self.problems.append(said["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(said["request"]["url"])

    def ask(self, method, **parameters):
        self.last += 1
        call = ({"id": self.last, "method": method, "params": parameters} |
                ({"sessionId": self.session} if self.session else {}))
        os.write(self.to, json.dumps(call).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while (got := self.message(until)).get("id") != self.last:
            self.note(got)
        if "error" in got:
            raise RuntimeError(f"{method}: {got['error']}")
        return got["result"]

    # ---- what a person does ----

    def open(self, page):
        """A file by its path, or an address."""
        address = page if isinstance(page, str) else page.resolve().as_uri()
        self.problems.clear()
        self.requests.clear()
        self.ask("Page.navigate", url=address)
        until = time.monotonic() + PATIENCE
        while self.run("document.readyState") != "complete":
            if time.monotonic() > until:
                raise TimeoutError(f"{address} is not loaded")

    def run(self, script):
        """The value of an expression, which may be a promise."""
        got = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(str(got["exceptionDetails"]))
        return got["result"].get("value")

    def shape(self, width, height=1000, *, dark=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def key(self, name, *, text=None):
        code = KEYS.get(name, ord(name[0].upper()))
        typed = text or {"Enter": "\r"}.get(name, name if len(name) == 1 else None)
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=name, windowsVirtualKeyCode=code,
                 **({"text": typed} if typed else {}))
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=code)

    def click(self, selector):
        """At the middle of the first element that is found, as a mouse does."""
        x, y = self.run(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: "center"}});
            const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, path):
        """The whole page from its top, as PNG."""
        self.run("window.scrollTo(0, 0)")
        size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
        shot = self.ask("Page.captureScreenshot", captureBeyondViewport=True,
                        clip={"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1})
        path.write_bytes(base64.b64decode(shot["data"]))
