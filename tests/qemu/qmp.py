# SPDX-License-Identifier: MIT
"""QEMU's own control socket: stop, go on, reset, a break on the line (the QMP of QEMU's interop manual)."""

import json
import socket
import time

WAIT = 100  # seconds of wall time until QEMU has made the socket


def options(path):
    """Of tools/boot: the machine listens there."""
    return "--qemu-arg", "-qmp", "--qemu-arg", f"unix:{path},server=on,wait=off"


class Qmp:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        until = time.monotonic() + WAIT
        while self.socket.connect_ex(str(path)) != 0:
            if time.monotonic() > until:
                raise TimeoutError(f"{path}: nobody listens")
            time.sleep(0.02)
        self.lines = self.socket.makefile("r")
        self.lines.readline()  # the greeting
        self.do("qmp_capabilities")

    def do(self, command, **arguments):
        """One command, done when this returns; events that come meanwhile are passed over."""
        self.socket.sendall(json.dumps({"execute": command, "arguments": arguments}).encode())
        answer = {}
        while not {"return", "error"} & set(answer):
            answer = json.loads(self.lines.readline())
        if "error" in answer:
            raise RuntimeError(f"{command}: {answer['error']}")
        return answer["return"]

    def monitor(self, line):
        """What QEMU's monitor says to this line."""
        return self.do("human-monitor-command", **{"command-line": line})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.lines.close()
        self.socket.close()
