#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""callgrind_annotate reads callgrind: the total, and what each task took with all that it called."""

import re

import client
import lib


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
    own = [int(n.replace(",", "")) for n in re.findall(r"^ *([\d,]+) \(.*?\)  \S+:", text, re.M)]
    checks.check(sum(own) == table["samples"], f"its functions have {sum(own)} of their own")
    checks.finish()


if __name__ == "__main__":
    main()
