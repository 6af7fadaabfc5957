# SPDX-License-Identifier: MIT
"""Instructions that a program executed at ring 3, from the list of blocks that tools/hwmon writes (blocks=FILE)."""

import bisect
from collections import Counter
import subprocess

STRIPPED = "(stripped)"
NOWHERE = "(no function)"
FUNCTIONS = "tTwWi"  # types of nm


def by_address(blocks):
    """Executed instructions by the address where their block begins."""
    found = Counter()
    for line in blocks.read_text().splitlines():
        field = line.split()
        if field[0] == "block" and field[2] == "3":
            found[int(field[1], 16)] += int(field[3]) * int(field[4])
    return found


def functions(program, base):
    """Addresses and names of a program's functions, sorted; none of a stripped one."""
    text = subprocess.run(["nm", "-C", "--defined-only", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, errors="replace", check=False).stdout
    rows = sorted((int(f[0], 16) + base, f[2]) for f in (line.split(None, 2) for line in text.splitlines())
                  if len(f) == 3 and f[1] in FUNCTIONS)
    return [address for address, _ in rows], [name for _, name in rows]


def by_function(blocks, program, base):
    """Executed instructions by function; of a stripped program all are those of one."""
    starts, names = functions(program, base)
    found = Counter()
    for address, count in by_address(blocks).items():
        at = bisect.bisect_right(starts, address) - 1
        found[names[at] if at >= 0 else NOWHERE if names else STRIPPED] += count
    return found
