#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""vcd2fst reads vcd; back from its file by fst2vcd, each task's signal has its time."""

import re

import client
import lib


def times(text, table):
    """Seconds of the window for which the vector of each task is not 0."""
    names = {code: name for code, name in re.findall(r"^\$var wire 3 (\S+) (\S+)", text, re.M)}
    found, since, now = {}, {}, 0
    for line in text.splitlines():
        if line.startswith("#"):
            now = int(line[1:])
        elif line.startswith("b") and line.split()[1] in names:
            value, code = line[1:].split()
            if code in since:
                found[names[code]] = (found.get(names[code], 0)
                                      + client.within(table, since.pop(code) / 1e9, now / 1e9))
            if "1" in value:
                since[code] = now
    return found


def main():
    checks = lib.Checks()
    client.need("vcd2fst", "fst2vcd")
    out, table = client.exported(checks, "vcd"), lib.stat(client.recorded(checks))
    fst = out.with_suffix(".fst")
    _, status = client.ran("vcd2fst", out, fst)
    text, back = client.ran("fst2vcd", fst)
    checks.check(status == back == 0, f"vcd2fst and fst2vcd end with {status} and {back}")
    client.same_times(checks, "signals", times(text, table), table)
    checks.finish()


if __name__ == "__main__":
    main()
