#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Debian's Prometheus scrapes `cpuprobe serve` with two emulated boards: both are up,
and it has the numbers that they sent."""

import contextlib
import json
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

import client
import lib
from link import Link

sys.path.insert(0, str(lib.ROOT / "tests/host"))
from serving import Serve  # noqa: E402

SECONDS = 10
WORDS = f"tasks=figure3 seconds={SECONDS} seed=1"
SAMPLES = 120 * SECONDS
SCRAPE = "1s"
GUARD = 60  # seconds of wall time

CONFIGURATION = """
global: {scrape_interval: %s, scrape_timeout: %s}
scrape_configs:
  - job_name: boards
    static_configs: [{targets: ['127.0.0.1:%d']}]
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Prometheus:
    def __init__(self, port):
        self.at = f"http://127.0.0.1:{free_port()}"
        config = lib.folder() / "prometheus.yml"
        config.write_text(CONFIGURATION % (SCRAPE, SCRAPE, port))
        self.said = (lib.folder() / "prometheus.log").open("w")
        self.process = subprocess.Popen(lib.supervised("prometheus", f"--config.file={config}",
                                                       f"--web.listen-address={self.at[7:]}",
                                                       f"--storage.tsdb.path={lib.folder() / 'tsdb'}"),
                                        stdin=subprocess.DEVNULL, stdout=self.said, stderr=self.said)

    def query(self, what):
        """{labels as a text: value}; empty while it does not answer."""
        try:
            with urllib.request.urlopen(f"{self.at}/api/v1/query?query={urllib.parse.quote(what)}",
                                        timeout=5) as answer:
                found = json.load(answer)["data"]["result"]
        except OSError:
            return {}
        return {tuple(sorted(each["metric"].items())): float(each["value"][1]) for each in found}

    def wait(self, what, enough):
        """Ask until the answer is enough; the last one."""
        end = time.monotonic() + GUARD
        while not enough(found := self.query(what)) and time.monotonic() < end:
            time.sleep(0.2)
        return found


def label(found, name):
    return {dict(key).get(name): value for key, value in found.items()}


def main():
    client.need("prometheus")
    checks = lib.Checks()
    with contextlib.ExitStack() as stack:
        boards = [stack.enter_context(Link(name, WORDS)) for name in ("one", "two")]
        lines = []
        for board in boards:
            lines.append(pathlib.Path(lib.folder() / f"board-{board.name}"))
            lines[-1].unlink(missing_ok=True)
            lines[-1].symlink_to(board.path)
        server = Serve(*lines)
        stack.callback(lib.end, server.process)
        prometheus = Prometheus(server.port)
        stack.callback(lib.end, prometheus.process)
        for board in boards:
            board.process.wait(lib.GUARD)  # how fast an emulator is, is nobody's fault
        names = {line.name for line in lines}
        ended = label(prometheus.wait("cpuprobe_line_ends_total", lambda found: len(found) == 2 and
                                                                  min(found.values()) >= 1), "line")
        checks.check(ended == dict.fromkeys(names, 1.0), f"both runs have ended: {ended}")
        checks.check(set(prometheus.query("up").values()) == {1.0}, "the target is up: every scrape was understood")
        for name in names:
            samples = prometheus.query(f'sum(cpuprobe_samples_total{{line="{name}"}})')
            wanted = {line: value for line, value in server.values("complete").items()}
            checks.check(wanted.get(name) == 1.0 and abs(sum(samples.values()) - SAMPLES) < SAMPLES / 24,
                         f"{name}: {samples} samples of {SECONDS} s at 120 Hz")
        for name in names:
            said = re.findall(rf'^cpuprobe_samples_total{{line="{name}",task="([^"]+)",id="\d+",mode="user"}} (\d+)$',
                              server.get()[1], re.M)
            wanted = {task: float(n) for task, n in said}
            found = label(prometheus.wait(f'cpuprobe_samples_total{{line="{name}",mode="user"}}',
                                          lambda found: label(found, "task") == wanted), "task")
            checks.check(len(wanted) > 20 and found == wanted, f"{name}: {len(found)} tasks as the server tells them")
        server.end()
        down = prometheus.wait("up", lambda found: set(found.values()) == {0.0})
        checks.check(set(down.values()) == {0.0}, "a server that has gone is down")
    checks.finish()


if __name__ == "__main__":
    main()
