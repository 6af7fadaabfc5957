#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Row STOLEN: SMIs of a known length, whose own handler counts their time; what a tick that can be masked makes of them."""

import lib

LENGTH = 150e-6  # of an SMI, s (kernel/workload_smi.c)
WORDS = "tasks=smi rate=500 seconds=20 seed=1"
Q35 = ("--door", "rom", "--machine", "q35")
WHOLE = 0.1      # part by which a bucket's count of SMIs may be off, beside three standard errors


def truth(table):
    """Part of the window that SMIs took, and SMIs a second: as their handler had counted them at the last report."""
    last = table["reports"][-1]
    time = last["time"] - table["window"]["begin"]
    part = last["value"] / time
    return part, part / LENGTH


def check_share(checks, name, table, row):
    """A tick sees one stretch once, however long it still lasts: ticks missed belong to the row as well."""
    part, _ = truth(table)
    total = lib.row(table, row)["total"]
    missed = table["missed"]["masked"]
    seen = (total["hits"] + missed) / (table["samples"] + missed)
    half = (total["high999"] - total["low999"]) / 200
    checks.check(abs(seen - part) <= half, f"{name}: {row} {100 * seen:.2f} % (sampled {total['percent']:.2f}, "
                 f"{missed:.1f} missed) for {100 * part:.2f} %, {100 * half:.2f} at most")
    checks.check(table["late"] == total["hits"], f"{name}: its hits are the {table['late']} late ticks")
    raiser = lib.row(table, "RAISER")["kernel"]
    checks.check(raiser["exact"] - raiser["percent"] > 90 * part, f"{name}: RAISER.kernel has {raiser['percent']:.2f} % by "
                 f"samples and, SMIs included, {raiser['exact']:.2f} % by the exact account")


def check_lengths(checks, name, table):
    """Buckets below the length tell all SMIs, and none lies above it."""
    _, often = truth(table)
    rows = table["lateness"]
    checks.check(sum(r["ticks"] for r in rows) == table["late"], f"{name}: the histogram has all late ticks")
    checks.check(rows[-1]["low"] < LENGTH * 1e6 < rows[-1]["high"], f"{name}: the longest lie between {rows[-1]['low']:.1f} "
                 f"and {rows[-1]['high']:.1f} us")
    for r in rows:
        if r["ticks"] >= 30 and r["high"] < LENGTH * 1e6:
            allowed = often * (WHOLE + 3 / r["ticks"] ** 0.5)
            checks.check(abs(r["per_second"] - often) <= allowed, f"{name}: from {r['low']:.1f} us on {r['per_second']:.0f} a "
                         f"second of {often:.0f}, {allowed:.0f} at most off")


def check_texts(checks, table):
    """The image prints the same histogram as the host."""
    run = lib.boot("text", f"output=text delivery=nmi {WORDS}", options=Q35)
    printed = [line.split() for line in run.dump.read_text(errors="replace").splitlines() if " to " in line]
    want = [[f"{r['low']:.1f}", "to", f"{r['high']:.1f}"] for r in table["lateness"]]
    checks.check(run.status == lib.COMPLETE and [p[:3] for p in printed[-len(want):]] == want,
                 f"text: {len(printed)} rows of lengths, the last {printed[-1] if printed else ''}")
    text, _ = lib.host("stat", lib.folder() / "nmi.dump")
    checks.check("that long, a second" in text, "stat prints it too")


def main():
    checks = lib.Checks()
    table = lib.boot_table(checks, "nmi", f"delivery=nmi {WORDS}", options=Q35)
    check_share(checks, "nmi", table, "STOLEN")
    check_lengths(checks, "nmi", table)
    checks.check(lib.row(table, "MASKED") is None, "nmi: nothing is masked")
    check_texts(checks, table)
    masked = lib.boot_table(checks, "irq", f"delivery=irq {WORDS}", options=Q35)
    check_share(checks, "irq", masked, "MASKED")
    for name, options, sentence in (("no-ich9", ("--door", "rom"), "needs SMIs, and there is no ICH9"),
                                    ("firmware", ("--door", "multiboot", "--machine", "q35"), "needs SMIs, and the firmware has them")):
        run = lib.boot(name, WORDS, options=options)
        checks.check(run.status == lib.FAILURE and sentence in run.said, f"{name}: {run.said.strip()}")
    checks.finish()


if __name__ == "__main__":
    main()
