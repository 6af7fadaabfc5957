#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""callgrind_annotate reads callgrind: the total, what each task took with all that it called, and what its own
functions took: none has those of another task."""

import collections
import re

import client
import lib

HEAD = 3  # lines of our own before the first row
ROW = r"^ *([\d,]+) \(.*?\)  \S+?:(\S.*?)(?: \[(\S+)\])?$"  # samples, function, and mostly its object


def by_task(text):
    """Samples by the task in front of the function; and functions whose object is another one."""
    found, others = collections.Counter(), []
    for count, name, task in re.findall(ROW, text, re.M):
        found[name.split("::")[0]] += int(count.replace(",", ""))
        if task and name.split("::")[0] != task:
            others.append(name)
    return found, others


def main():
    checks = lib.Checks()
    client.need("callgrind_annotate")
    out, table = client.exported(checks, "callgrind"), lib.stat(client.recorded(checks))
    text, status = client.ran("callgrind_annotate", "--auto=no", "--inclusive=yes", "--threshold=100", out)
    whole = re.search(r"^ *([\d,]+) .*PROGRAM TOTALS$", text, re.M)
    checks.check(status == 0 and whole and int(whole[1].replace(",", "")) == table["samples"],
                 f"callgrind_annotate: {whole and whole[1]} samples in all")
    rows = re.findall(r"^ *([\d,]+) \(.*?\)  \?\?\?:(\S+) \[(\S+)\]$", text, re.M)
    client.same(checks, "by task", {task: int(n.replace(",", "")) for n, name, task in rows if name == task},
                client.tasks(table))
    text, _ = client.ran("callgrind_annotate", "--auto=no", "--threshold=100", out)
    found, others = by_task(text)
    client.same(checks, "own functions, by task", found, client.tasks(table))
    checks.check(not others, f"each function has its task's name: {others[:3]}")
    lines = re.findall(r"^desc: (.*)$", out.read_text(), re.M)
    checks.check(0 < len(lines) <= HEAD, f"{len(lines)} lines of our own before the first row")
    checks.check(f"lost: {table['lost']['table']} table, {table['lost']['ring']} ring" in lines[-1], "losses in them")
    checks.finish()


if __name__ == "__main__":
    main()
