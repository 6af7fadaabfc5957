#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""jq reads jsonl: samples by task, the time of each task's states."""

import json

import client
import lib

SUMS = """reduce inputs as $i ({}; if $i.type == "sample" then .samples[$i.task] += 1
    elif $i.type == "state" and $i.task then
        .states[$i.task] += ([0, ([$i.time + $i.length, $to] | min) - ([$i.time, $from] | max)] | max)
    else .[$i.type] += 1 end)"""


def main():
    checks = lib.Checks()
    client.need("jq")
    out, table = client.exported(checks, "jsonl"), lib.stat(client.recorded(checks))
    begin, end = client.window(table)
    text, status = client.ran("jq", "-nc", "--argjson", "from", begin, "--argjson", "to", end, SUMS, out)
    if checks.check(status == 0, f"jq reads it: {text[:200] if status else 'yes'}"):
        found = json.loads(text)
        client.same(checks, "samples", found["samples"], client.tasks(table))
        client.same_times(checks, "states", found["states"], table)
        checks.check(found["run"] == 1 and found["event"] > 0 and "lost" not in found,
                     f"one run, {found['event']} events, nothing lost")
    checks.finish()


if __name__ == "__main__":
    main()
