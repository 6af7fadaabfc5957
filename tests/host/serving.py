# SPDX-License-Identifier: MIT
"""A `cpuprobe serve` that a test asks over HTTP."""

import os
import pathlib
import re
import subprocess
import time
import urllib.error
import urllib.request

import lib

TOOL = lib.ROOT / "build/cpuprobe"
GUARD = 100  # seconds of wall time for what is to come soon, so that no test hangs


class Serve:
    """A server of these ports, with its HTTP port."""

    def __init__(self, *words, tool=TOOL):
        self.process = subprocess.Popen([tool, "serve", "--listen", "127.0.0.1:0", *words], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.port = int(re.search(r"http port (\d+)", self.process.stdout.readline()).group(1))

    def get(self, path="/metrics", method="GET"):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method)
        try:
            with urllib.request.urlopen(request, timeout=GUARD) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def values(self, name):
        """Of a metric of lines: {line: value}."""
        found = re.findall(rf'^cpuprobe_{name}{{line="([^"]+)"}} (\S+)$', self.get()[1], re.M)
        return {line: float(value) for line, value in found}

    def wait(self, name, line, least):
        """Until a metric is so large; its value."""
        end = time.monotonic() + GUARD
        while self.values(name).get(line, -1) < least and time.monotonic() < end:
            time.sleep(0.05)
        return self.values(name).get(line)

    def cpu(self):
        """Seconds of processor time so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.terminate()
        return self.process.communicate(timeout=GUARD)[1], self.process.returncode
