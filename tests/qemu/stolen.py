#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Row STOLEN: SMIs of a known length, whose own handler counts their time, by NMI and by interrupt;
and none where nobody steals."""

import lib

LENGTH = 150e-6  # of an SMI, s (kernel/workload/workload_stolen.c)
WORDS = "tasks=smi rate=500 seconds=20 seed=1"
Q35 = ("--door", "rom", "--machine", "q35")
SHORT = 30.0     # us: no masked section of this load is as long
HONEST = (       # loads that mask in every way the image has, whose late ticks all are the image's own doing
    ("handlers", "tasks=figure3 rate=1000"), ("sections", "tasks=masked rate=1000"),
    ("calls", "tasks=calls rate=1000"), ("storm", "tasks=openstorm rate=1000"),
    ("lapic", "tasks=masked tick=lapic clock=rtc rate=1000"),
    ("periodic", "tasks=masked tick=pit-periodic rate=1000"),
    ("two", "tasks=masked tick=pit,lapic clock=rtc rate=500"))
WHOLE = 0.1      # part by which a bucket's count of SMIs may be off, beside what chance explains


def truth(table):
    """Part of the window that SMIs took, and SMIs a second: as their handler had counted them at the last report."""
    last = table["reports"][-1]
    time = last["time"] - table["window"]["begin"]
    part = last["value"] / time
    return part, part / LENGTH


def check_share(checks, name, table):
    """A tick sees one stretch once, however long it still lasts: ticks missed belong to the row as well."""
    part, _ = truth(table)
    total = lib.row(table, "STOLEN")["total"]
    missed = table["missed"]["masked"]
    seen = (total["hits"] + missed) / (table["samples"] + missed)
    half = lib.DEVIATIONS / lib.SIGMAS * (total["high999"] - total["low999"]) / 200
    checks.check(abs(seen - part) <= half, f"{name}: STOLEN {100 * seen:.2f} % (sampled {total['percent']:.2f}, "
                 f"{missed:.1f} missed) for {100 * part:.2f} %, {100 * half:.2f} at most")
    masked = lib.row(table, "MASKED")
    late = total["hits"] + (masked["total"]["hits"] if masked else 0)
    checks.check(table["late"] == late, f"{name}: the hits of both rows are the {table['late']} late ticks")
    raiser = lib.row(table, "RAISER")["kernel"]
    checks.check(raiser["exact"] - raiser["percent"] > 90 * part,
                 f"{name}: RAISER.kernel has {raiser['percent']:.2f} % by "
                 f"samples and, SMIs included, {raiser['exact']:.2f} % by the exact account")


def check_lengths(checks, name, table, least=0.0):
    """Buckets below the length tell all SMIs, and none lies above it; from `least` us on nothing else is told."""
    _, often = truth(table)
    rows = table["lateness"]
    checks.check(sum(r["ticks"] for r in rows) == table["late"], f"{name}: the histogram has all late ticks")
    checks.check(rows[-1]["low"] < LENGTH * 1e6 < rows[-1]["high"],
                 f"{name}: the longest lie between {rows[-1]['low']:.1f} and {rows[-1]['high']:.1f} us")
    for r in rows:
        if r["ticks"] >= 30 and least <= r["low"] and r["high"] < LENGTH * 1e6:
            allowed = often * (WHOLE + lib.DEVIATIONS / r["ticks"] ** 0.5)
            checks.check(abs(r["per_second"] - often) <= allowed, f"{name}: from {r['low']:.1f} us on "
                         f"{r['per_second']:.0f} a second of {often:.0f}, {allowed:.0f} at most off")


def check_texts(checks, table):
    """The image prints the histogram as the host does; in another run, so that a bucket of few ticks may lack."""
    run = lib.boot("text", f"output=text delivery=nmi {WORDS}", options=Q35)
    printed = [line.split() for line in run.dump.read_text(errors="replace").splitlines() if " to " in line]
    want = [[f"{r['low']:.1f}", "to", f"{r['high']:.1f}"] for r in table["lateness"] if r["ticks"] >= 10]
    lines = [p[:3] for p in printed]
    checks.check(run.status == lib.COMPLETE and len(want) > 2 and all(w in lines for w in want),
                 f"text: {len(printed)} rows of lengths, the last {printed[-1] if printed else ''}")
    text, _ = lib.host("stat", lib.folder() / "nmi.dump")
    checks.check("that long, a second" in text, "stat prints it too")


def check_irq(checks):
    """Where nothing in the image held the tick up, it is not MASKED: that row keeps its truth,
    which has no SMI in it."""
    table = lib.boot_table(checks, "irq", f"delivery=irq {WORDS}", options=Q35)
    check_share(checks, "irq", table)
    check_lengths(checks, "irq", table, SHORT)
    masked = lib.row(table, "MASKED")["total"]
    checks.check(not lib.beyond(masked), f"irq: MASKED {masked['percent']:.2f} % for {masked['exact']:.2f} %")


def check_honest(checks):
    for name, words in HONEST:
        table = lib.boot_table(checks, name, f"delivery=irq seconds=3 seed=1 {words}")
        masked = lib.row(table, "MASKED")["total"]["hits"]
        checks.check(masked == table["late"] > 0 and lib.row(table, "STOLEN") is None,
                     f"{name}: all {table['late']} late ticks were masked, {masked} in that row")


def main():
    checks = lib.Checks()
    table = lib.boot_table(checks, "nmi", f"delivery=nmi {WORDS}", options=Q35)
    check_share(checks, "nmi", table)
    check_lengths(checks, "nmi", table)
    checks.check(lib.row(table, "MASKED") is None, "nmi: nothing is masked")
    check_texts(checks, table)
    check_irq(checks)
    check_honest(checks)
    for name, options, sentence in (("no-ich9", ("--door", "rom"), "needs SMIs, and there is no ICH9"),
                                    ("firmware", ("--door", "multiboot", "--machine", "q35"),
                                     "needs SMIs, and the firmware has them")):
        run = lib.boot(name, WORDS, options=options)
        checks.check(run.status == lib.FAILURE and sentence in run.said, f"{name}: {run.said.strip()}")
    checks.finish()


if __name__ == "__main__":
    main()
