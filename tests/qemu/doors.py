#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots through each door on each machine: the same workload, so tables that agree within their intervals."""

import lib

WORDS = "rate=1000 seconds=5 seed=1"
BOOTS = (  # name, door in HELLO, options of tools/boot
    ("multiboot-pc", "multiboot", ("--door", "multiboot", "--machine", "pc")),
    ("multiboot-q35", "multiboot", ("--door", "multiboot", "--machine", "q35")),
    ("linux-q35", "linux", ("--door", "linux", "--machine", "q35")),
    ("uefi-pc", "uefi", ("--door", "uefi", "--machine", "pc")),
    ("uefi-q35", "uefi", ("--door", "uefi", "--machine", "q35")),
    ("iso-bios", "multiboot", ("--door", "iso")),
    ("iso-uefi", "uefi", ("--door", "iso", "--firmware", "uefi")),
    ("iso-usb-bios", "multiboot", ("--door", "iso-usb", "--machine", "q35")),
    ("iso-usb-uefi", "uefi", ("--door", "iso-usb", "--firmware", "uefi", "--machine", "q35")),
    ("uefi-options", "uefi", ("--door", "uefi", "--load-options")),
)
EXPECTED = 20  # hits by the truth, below which a cell is not judged


def judge(checks, name, truth, table):
    """Hold the intervals of `table` against the truth of another run, or of its own."""
    cells = dict(lib.cells(table))
    lib.check_truths(checks, name, [(key, {**cells[key], "exact": true["exact"]}) for key, true in lib.cells(truth)
                                    if true["exact"] / 100 * table["samples"] >= EXPECTED])


def check_own_words(checks):
    """What the ISO and the stick have until somebody changes it."""
    said = lib.subprocess.run([lib.ROOT / "tools/iso-config", lib.ROOT / "build/cpuprobe.iso"], check=True,
                              capture_output=True, text=True).stdout
    checks.check(said == "screen=on\n", f"the ISO's own words: {said.strip()}")
    for path, words in (("build/cpuprobe.img", "cpuprobe.cfg"), ("build/cpuprobe.iso", "tools/iso-config")):
        said = lib.subprocess.run([lib.ROOT / "tools/build/how-to-write", path], check=True, capture_output=True,
                                  text=True, cwd=lib.ROOT).stdout
        checks.check(all(way in said for way in (f"dd if={path} of=", "Rufus", "Ventoy", words)),
                     f"how to write {path} is told, and where its words are")


def main():
    checks = lib.Checks()
    tables = {}
    check_own_words(checks)
    for name, door, options in BOOTS:
        table = tables[name] = lib.boot_table(checks, name, WORDS, options=options)
        checks.check(table["epoch"]["door"] == door, f"{name}: HELLO says that the door was {table['epoch']['door']}")
        checks.check(" rate=1000 " in table["words"] and table["policy"]["seed"] == 1, f"{name}: the words arrived")
        judge(checks, name, table, table)
    first = tables[BOOTS[0][0]]
    for name, _, _ in BOOTS[1:]:
        judge(checks, f"{name} by the truth of {BOOTS[0][0]}", first, tables[name])
        judge(checks, f"{BOOTS[0][0]} by the truth of {name}", tables[name], first)
    checks.finish()


if __name__ == "__main__":
    main()
