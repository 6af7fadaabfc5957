#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""vcd2fst (GTKWave) and sigrok-cli read vcd: back from their files the wire of each task has its time, and so has
its state, a string, of GTKWave's; the states of all tasks have the time of each mode's wire."""

import collections
import re

import client
import lib

DOWN = 1000  # sigrok takes a sample for each unit of time: us instead of ns
WORD = r"(?:^|(?<=\s))"  # its begin
WIRE, STATE = "wire", "string"


def changes(text):
    """(seconds, code, value) of each change, in order, and the end."""
    now, body = 0, text.split("$enddefinitions $end", 1)[1]
    for word, first, rest, value, code in re.findall(rf"(#\d+)|{WORD}([01])(\S+)|{WORD}s(\S*) (\S+)", body):
        if word:
            now = int(word[1:])
        else:
            yield now, code or rest, value if code else first
    yield now, None, None


def times(text, table, kind, unit):
    """Seconds of the window by name and value of the signals of a kind, but for those of "0" and "-"."""
    names = {code: name for code, name in re.findall(rf"^\$var {kind} \d+ (\S+) (\S+)", text, re.M)}
    found, since = collections.Counter(), {}
    for now, code, value in changes(text):
        for ended in [code] if code else list(since):
            if ended in since:
                begin, was = since.pop(ended)
                if ended in names and was not in ("0", "-"):
                    found[names[ended], was] += client.within(table, begin * unit, now * unit)
        if code:
            since[code] = now, value
    return found


def by(found, which):
    """Seconds by name, or by value."""
    total = collections.Counter()
    for key, seconds in found.items():
        total[key[which]] += seconds
    return total


def check_gtkwave(checks, out, table):
    fst = out.with_suffix(".fst")
    _, status = client.ran("vcd2fst", out, fst)
    text, back = client.ran("fst2vcd", fst)
    checks.check(status == back == 0, f"vcd2fst and fst2vcd end with {status} and {back}")
    wires, states = (times(text, table, kind, 1e-9) for kind in (WIRE, STATE))
    client.same_times(checks, "wires", by(wires, 0), table)
    client.same_times(checks, "states", by(states, 0), table)
    modes = {mode: wires[mode, "1"] for mode in table["modes"] if wires[mode, "1"]}
    found = by(states, 1)
    checks.check(len(modes) > 2 and found.keys() == modes.keys() and
                 all(abs(found[mode] - modes[mode]) < 1e-6 for mode in modes),
                 f"states are {', '.join(found)}, each as long as its wire is 1")
    return wires


def check_sigrok(checks, out, table, wires):
    back = out.with_suffix(".back")
    said, status = client.ran("sigrok-cli", "-l", "1", "-i", out, "-I", f"vcd:downsample={DOWN}", "-O", "vcd",
                              "-o", back)
    checks.check(status == 0, f"sigrok-cli ends with {status} {said[:80]}")
    found = by(times(back.read_text(), table, WIRE, DOWN * 1e-9), 0)
    client.same_times(checks, "channels", found, table)
    wrong = {name: (found[name], seconds) for (name, _), seconds in wires.items()
             if abs(found[name] - seconds) > 0.001}
    checks.check(not wrong, f"channels are {len(found)}, modes too, with the times of the wires: {wrong}")


def main():
    checks = lib.Checks()
    client.need("vcd2fst", "fst2vcd", "sigrok-cli")
    out, table = client.exported(checks, "vcd"), lib.stat(client.recorded(checks))
    check_sigrok(checks, out, table, check_gtkwave(checks, out, table))
    checks.finish()


if __name__ == "__main__":
    main()
