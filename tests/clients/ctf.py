#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""babeltrace2 reads ctf: samples by task, the time of each task's states, all events, nothing discarded."""

import re

import client
import lib


def main():
    checks = lib.Checks()
    client.need("babeltrace2")
    out, table = client.exported(checks, "ctf"), lib.stat(client.recorded(checks))
    text, status = client.ran("babeltrace2", "--clock-seconds", out)
    samples, times, events = {}, {}, 0
    for at, kind, body in re.findall(r"^\[([\d.]+)\] \(\S+\) (\w+): \{ (.*) \}$", text, re.M):
        task = re.search(r'task = "(.*?)"', body)[1]
        if kind == "sample":
            samples[task] = samples.get(task, 0) + 1
        elif kind == "state" and task:
            end = float(at) + int(re.search(r"length = (\d+)", body)[1]) / 1e9
            times[task] = times.get(task, 0) + client.within(table, float(at), end)
        events += kind == "event"
    checks.check(status == 0 and "discarded" not in text, f"babeltrace2 ends with {status}, nothing is discarded")
    client.same(checks, "samples", samples, client.tasks(table))
    client.same_times(checks, "states", times, table)
    recorded = table["events"]["recorded"] - table["events"]["overwritten"] - table["events"]["lost"]
    checks.check(events >= recorded > 0, f"{events} events, {recorded} when the table was made")
    checks.finish()


if __name__ == "__main__":
    main()
