#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""perf reads perfdata: perf report has the samples of each task, perf script the time of each sample, and the
function that perf itself finds in the program's and the image's files is the one that the other exports have, but for
labels of the assembler, which perf takes for functions.
"""

import collections
import os
import re

import client
import lib

LABEL = "..@"  # what NASM begins names with that are in one macro only


def perf(command, out, *words):
    """What perf says of a file; its caches are in a folder of the test."""
    return client.ran("perf", command, "-i", out, "--no-inline", *words, env=dict(os.environ, HOME=str(lib.folder())))


def functions(checks):
    """Samples by task and function, the outermost one at the address."""
    found = collections.Counter()
    for line in client.exported(checks, "folded").read_text().splitlines():
        frames, count = line.rsplit(" ", 1)
        task, *rest = frames.split(";")
        found[task, rest[1] if len(rest) > 1 else None] += int(count)
    return found


def main():
    checks = lib.Checks()
    client.need("perf")
    out, table = client.exported(checks, "perfdata"), lib.stat(client.recorded(checks))
    text, status = perf("report", out, "--stdio", "--sort", "comm", "-n")
    rows = re.findall(r"^ +[\d.]+% +(\d+) +(\S.*?) *$", text, re.M)
    client.same(checks, f"perf report ({status})", {name: int(count) for count, name in rows}, client.tasks(table))
    checks.check("restricted" not in text, "perf report looks at no kernel of this machine")
    text, status = perf("script", out, "-F", "comm,time,ip,sym")
    found, times = collections.Counter(), collections.defaultdict(list)
    for name, seconds, _, function in re.findall(r"^ *(\S+) +([\d.]+): +(\w+) (\S+)$", text, re.M):
        times[name].append(float(seconds))
        found[name, function] += 1
    named = {key: count for key, count in functions(checks).items() if key[1] and " " not in key[1] and
             key[0] != "MASKED"}  # has no mode
    more = {key for key in named if found[key] > named[key]}
    less = sum(named[key] - found[key] for key in named)
    labels = sum(count for (_, name), count in found.items() if name.startswith(LABEL))
    checks.check(len(named) > 100 and not more and less <= labels < 0.02 * table["samples"],
                 f"perf script ({status}): {len(named)} functions, of {sum(named.values())} samples {less} at "
                 "a label")
    expected = collections.defaultdict(list)
    for _, seconds, task, _, late, *_ in (line.split() for line in
                                          lib.host("samples", client.recorded(checks))[0].splitlines()[1:]):
        expected[task if late == "0" else "MASKED"].append(float(seconds))
    off = [name for name in expected if len(times[name]) != len(expected[name]) or
           any(abs(a - b) > 1.5e-6 for a, b in zip(times[name], expected[name]))]
    checks.check(not off, f"samples have their times: {off[:3]}")
    checks.finish()


if __name__ == "__main__":
    main()
