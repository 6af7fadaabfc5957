#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots the workloads of the proofs: each uses what it says,
and those that hide from the clock are hidden from it."""

import collections
import math
import statistics
import subprocess

import lib

POINTS = 0.3      # what an exact share may be off by
BLIND = 1.0       # percent: all that a sampler on the clock may see of who hides from it
CLOCK_HZ = 100
STARTED = 0.5     # s: who hides from the clock has learnt when it ticks,
WATCHED = 10      # by watching so many ticks, at each of which the clock may see it
BURST = 100 * 1.25 / 22.5
PERIOD = 22.5 * (1 + 42e-6)  # ms
BURSTS_REPORTED = 40
LATENCY = 30e-3   # ms: the way from a sleep's end to the program, and a part in a million of the run
IRQ_STORM_HZ, STORM_SECONDS = 4096, 4
HANDLER = 100e-6  # s of work an interrupt
COUNTED = "COUNT"
FAIR = 6.0        # times as long as alone, for one of three under a scheduler that is not deceived
LEFT = 10.0       # percent that the hogs leave: 1 ms before each of 100 ticks a second
BACK = 0.3        # points: the way out of a hog and back into one, a tick
SHADOW = {"lock": 4, "find": 48, "link": 32, "mark": 16, "unlock": 4, "copy": 500, "sum": 250, "check": 146}
MASKED = ("find", "link", "mark")
ON_THE_WAY = 0.4  # points: a function has instructions beside the spinning, and those of the account


def boot(checks, name, words, **how):
    """A table, with the truth of each cell in its interval as often as it must be.

    Of rows where handlers let ticks in: those are sampled as the kernel (docs/ACCOUNTING.md).
    """
    table = lib.boot_table(checks, name, f"{words} seed=1", **how)
    if table["policy"]["name"] not in ("fixed", "arithmetic"):
        rows = [((r["name"], "total"), r["total"]) for r in table["tasks"] if r["name"] != "LOST"]
        lib.check_truths(checks, name, rows if name == "openstorm" else list(lib.cells(table)))
    return table


def share(checks, name, cell, wanted, points=POINTS):
    checks.check(abs(cell["exact"] - wanted) <= points, f"{name}: {cell['exact']:.3f} % of {wanted:.3f} by design")


def check_locked(checks, workload, names, mode):
    """Tasks of 10 % each behind the clock's tick: in step with it one sees nothing, or one of them all the time."""
    table = boot(checks, workload, f"tasks={workload} rate=1000 seconds=10")
    for name in names:
        share(checks, f"{workload}: {name}", lib.row(table, name)[mode], 10)
    blind = boot(checks, f"{workload}-clock", f"tasks={workload} tick=clock seconds=10")
    seen = sum(lib.row(blind, name)["total"]["percent"] for name in names)
    there = sum(lib.row(blind, name)["total"]["exact"] for name in names)
    checks.check(seen <= BLIND, f"{workload}: tick=clock sees {seen:.2f} of {there:.2f} %")
    step = boot(checks, f"{workload}-step", f"tasks={workload} interval=fixed rate={CLOCK_HZ} seconds=5")
    off = [lib.row(step, n)["total"]["percent"] - lib.row(step, n)["total"]["exact"] for n in names]
    worst = max(*map(abs, off), abs(sum(off)))  # they meet one task all the time, or none of them ever
    checks.check(worst > 20,
                 f"{workload}: fixed ticks in step are {worst:.1f} points off, of a task or of all together")
    multiples = boot(checks, f"{workload}-arithmetic",
                     f"tasks={workload} interval=arithmetic rate={CLOCK_HZ // 5} seconds=5")
    seen = [lib.row(multiples, n)["total"]["percent"] for n in names]
    checks.check(sum(s > BLIND for s in seen) <= 2,
                 f"{workload}: random multiples of the clock's period meet two neighbours at most: {seen}")


def check_hog1(checks):
    table = boot(checks, "hog1", "tasks=hog1 rate=1000 seconds=10")
    learns = 100 * STARTED / 10
    share(checks, "hog1", lib.row(table, "HOG")["total"], 95 - learns / 2, learns / 2)
    blind = lib.row(boot(checks, "hog1-clock", "tasks=hog1 tick=clock seconds=10"), "HOG")["total"]
    checks.check(blind["hits"] <= WATCHED, f"hog1: tick=clock sees {blind['percent']:.2f} of {blind['exact']:.2f} %")


def reports(table, name):
    return [r["value"] / table["clock_hz"] for r in table["reports"] if r["name"] == name]


def check_isochronous(checks):
    """Bursts begin where they must, however many there were, and fill what they must."""
    table = boot(checks, "isochronous", "tasks=isochronous rate=1000 seconds=20")
    share(checks, "isochronous", lib.row(table, "VAT")["user"], BURST, 0.1)
    begins = [1e3 * s for s in reports(table, "VAT")]
    origins = [b - n * BURSTS_REPORTED * PERIOD for n, b in enumerate(begins)]
    # Now and then PROBE is in the way, but what is late once is not late for ever.
    late = statistics.median(origins) - min(origins)
    checks.check(len(origins) > 10 and late < LATENCY,
                 f"isochronous: of {len(origins)} bursts most are {late:.4f} ms off")
    drift = abs(min(origins[-5:]) - min(origins[:5]))
    checks.check(drift < LATENCY, f"isochronous: after {begins[-1] - begins[0]:.0f} ms they are {drift:.4f} ms off")


def counted(checks, name, words):
    """How long the counting took, s of its time; nan where it did not end."""
    table = boot(checks, name, words)
    return table, next(iter(reports(table, COUNTED)), math.nan)


def check_hogs(checks):
    """The paper's Table 1: who charges by the clock is cheated by those that step aside for it."""
    _, alone = counted(checks, "hog0", "tasks=hog0 rate=100 seconds=4")
    checks.check(math.isfinite(alone), f"hog0: alone the counting takes {alone:.3f} s")
    for sched, tick, cheated in (("rr", "pit rate=100", True), ("decay", "clock", True),
                                 ("decay", "pit interval=random", False)):
        name = f"hog2-{sched}-{tick.split()[0]}"
        table, took = counted(checks, name, f"tasks=hog2 sched={sched} tick={tick} seconds=16")
        share = 100 * alone / took
        hogs = sum(lib.row(table, h)["total"]["hits"] for h in ("HOG1", "HOG2"))
        others = lib.row(table, "PROBE")["total"]["exact"]
        print(f"    {name}: {took / alone:.1f} times as long, {share:.2f} % of the CPU, PROBE {others:.2f} %, "
              f"hogs charged {hogs} of {table['samples']} samples")
        if cheated:  # what the hogs leave, whole or without what PROBE, the probe, handlers and switches need
            need = others + table["monitor"]["percent"] + lib.row(table, "MASKED")["total"]["exact"]
            checks.check(LEFT - need <= share <= LEFT + BACK, f"{name}: the counting has {share:.2f} % of "
                         f"the {LEFT:g} % that the hogs leave, all others need {need:.2f} %")
        else:
            checks.check(took / alone < FAIR, f"{name}: {took / alone:.1f} times as long as alone")
        if tick == "clock":
            checks.check(hogs <= 2 * WATCHED,
                         f"{name}: the hogs are charged {hogs} samples, {2 * WATCHED} while they learn")


def check_storm(checks):
    """Half of the time a device's handlers have their share; where they let ticks in, the bystander is charged."""
    seconds = 4 * STORM_SECONDS
    handlers = 50 * IRQ_STORM_HZ * HANDLER
    for name in ("storm", "openstorm"):
        table = boot(checks, name, f"tasks={name} rate=1000 seconds={seconds}")
        storms = [r["value"] for r in table["reports"] if r["name"] == "STORM"]
        wanted = IRQ_STORM_HZ * STORM_SECONDS
        checks.check(storms and abs(storms[0] - wanted) < wanted / 100,
                     f"{name}: {storms} interrupts, {wanted} by design")
        bystander, masked = lib.row(table, "BYSTND"), lib.row(table, "MASKED")["total"]["percent"]
        ring0 = bystander["kernel"]["percent"] + bystander["interrupt"]["percent"]
        low, high = handlers - 2, handlers + 3  # the way in and out is beside the work
        if name == "storm":
            checks.check(low < masked < high and ring0 < BLIND,
                         f"{name}: {masked:.2f} % masked, {ring0:.2f} % the bystander's")
        else:
            checks.check(low < ring0 < high and masked < 3,
                         f"{name}: {masked:.2f} % masked, {ring0:.2f} % the bystander's")


def functions():
    """The functions of the path: name: (address, bytes).  What the compiler moved out of the way of one (.cold)
    is not of it."""
    text = subprocess.run(["nm", "-S", "--defined-only", lib.ROOT / "build/cpuprobe.elf"], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    rows = [line.split() for line in text.splitlines()]
    return {r[3][len("shadow_"):]: (int(r[0], 16), int(r[1], 16)) for r in rows
            if len(r) == 4 and r[3].startswith("shadow_") and r[3] != "cli_shadow_run" and not r[3].endswith(".cold")}


def by_function(known, counted_at):
    """Sums by function of what (address, times) there are."""
    sums = collections.Counter()
    for address, times in counted_at:
        for name, (first, size) in known.items():
            if first <= address < first + size:
                sums[name] += times
    return sums


def check_shadow(checks):
    """The truth is instructions, counted by the emulator; the samples of a tick by interrupt show the shadow."""
    known = functions()
    checks.check(set(known) == set(SHADOW), f"{len(known)} functions keep their names")
    out = lib.folder() / "counts"
    out.unlink(missing_ok=True)
    first = min(address for address, _ in known.values())
    plugin = f"{lib.ROOT}/build/qemu/count.so,out={out},from={first:#x}"
    table = boot(checks, "shadow", "tasks=shadow monitor=system,samples rate=1000 seconds=10",
                 options=("--qemu-arg", "-plugin", "--qemu-arg", plugin))
    lines = (line.split() for line in out.read_text().splitlines())
    truth = by_function(known, ((int(address, 16), int(times)) for address, _, times in lines))
    whole = sum(truth.values())
    for name, parts in SHADOW.items():
        percent = 100 * truth[name] / whole
        checks.check(abs(percent - parts / 10) < ON_THE_WAY,
                     f"shadow_{name}: {percent:.3f} % of {parts / 10} by design")
    text, _ = lib.host("samples", lib.folder() / "shadow.dump")
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    seen = by_function(known, ((int(r[6], 16), 1) for r in rows))
    percent = {name: 100 * seen[name] / sum(seen.values()) for name in SHADOW}
    print("    samples by PC: " + ", ".join(f"{name} {percent[name]:.2f} %" for name in SHADOW))
    hidden = sum(SHADOW[name] for name in MASKED) / 10
    checks.check(not any(seen[name] for name in MASKED),
                 f"shadow: no sample lies in what is masked, {hidden} % by design")
    checks.check(abs(percent["unlock"] - hidden) < 2, f"shadow: the unlock has {percent['unlock']:.2f} %, "
                 f"{SHADOW['unlock'] / 10} by design")
    share(checks, "shadow: MASKED", lib.row(table, "MASKED")["total"], hidden, 1)


def check_same(checks):
    """What a scheduler does by samples repeats as all else does."""
    for words in ("tasks=hog2 sched=decay tick=pit interval=random", "tasks=openstorm"):
        dumps = [lib.boot(f"same-{turn}", f"output=frames {words} rate=1000 seconds=6 seed=2").dump.read_bytes()
                 for turn in (1, 2)]
        checks.check(dumps[0] == dumps[1] and dumps[0], f"{words}: two boots give the same {len(dumps[0])} bytes")


def main():
    checks = lib.Checks()
    check_locked(checks, "deadlock", [f"TAKER{n}" for n in range(8)], "kernel")
    check_locked(checks, "pollers", [f"POLL{n}" for n in range(1, 7)], "user")
    check_hog1(checks)
    check_isochronous(checks)
    check_hogs(checks)
    check_storm(checks)
    check_shadow(checks)
    check_same(checks)
    checks.finish()


if __name__ == "__main__":
    main()
