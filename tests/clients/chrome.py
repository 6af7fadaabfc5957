#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Chrome's trace engine reads chrome: samples by task, and the time of each task's states."""

import json

import client
import lib


def main():
    checks = lib.Checks()
    client.need("node")
    engine = client.npm() / "node_modules/@paulirish/trace_engine"
    out, table = client.exported(checks, "chrome"), lib.stat(client.recorded(checks))
    text, status = client.ran("node", client.HERE / "chrome_trace.mjs", engine, out,
                              *(1e6 * end for end in client.window(table)))
    if checks.check(status == 0, f"the trace engine reads it: {text[:200] if status else 'yes'}"):
        found = json.loads(text)
        client.same(checks, "samples", found["samples"], client.tasks(table))
        client.same_times(checks, "states", {name: us / 1e6 for name, us in found["states"].items()}, table)
    checks.finish()


if __name__ == "__main__":
    main()
