#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""gprof reads gmon: each function has the hits that the histogram's rows of its task have."""

import client
import lib

RATE = 1000
TASK = "CS3T1"  # of kernel/tasks/mixer.c; gprof refuses a program without .text


def times(text):
    """Ticks by function, of gprof's flat profile."""
    rows = [line.split() for line in text.splitlines()]
    return {row[-1]: round(float(row[2]) * RATE) for row in rows
            if len(row) >= 4 and row[0].replace(".", "").isdigit()}


def main():
    checks = lib.Checks()
    client.need("gprof")
    out = client.exported(checks, "gmon", "--samples", "--task", TASK, "--mode", "user")
    text, status = client.ran("gprof", "-b", "-p", lib.ROOT / "build/tasks/mixer.elf", out)
    row = lib.row(lib.stat(client.recorded(checks)), TASK)
    found = times(text)
    # gprof prints hundredths of a second: of a row ten hits at this rate.
    checks.check(status == 0 and abs(sum(found.values()) - row["user"]["hits"]) <= 5 * len(found),
                 f"gprof: {sum(found.values())} ticks in {len(found)} functions, of {row['user']['hits']} "
                 "in the table")
    checks.finish()


if __name__ == "__main__":
    main()
