#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Every monitor at once: regions and table are what the raw samples say, sample by sample;
thinned ones agree with both."""

import collections
import subprocess

import lib

REGIONS = (  # from a whole address space down to single bytes; the task that is any; the image's own code
    "ROGUE:user:0-0200000",
    "ROGUE:user:025200-042600",
    "ROGUE:user:025300-025500",
    "ROGUE:user:0-0x7fffffffffff",
    "ROGUE:kernel:0xffffffff80100000-0xffffffff80180000",
    "*:kernel:0xffffffff80000000-0xffffffffffffffff",
    "*:supervisor:0xffffffff80100000-0xffffffff80100001",
    "IDLE:kernel:0-0x1000",
)
SLOTS = 512
BELOW, ABOVE, ELSEWHERE = SLOTS, SLOTS + 1, SLOTS + 2
Sample = collections.namedtuple("Sample", "tick seconds task mode late pair pc")


def raw_samples(dump):
    text, status = lib.host("samples", dump)
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return [Sample(int(r[0]), float(r[1]), r[2], r[3], r[4] != "0", r[5] == "1", int(r[6], 16)) for r in rows], status


def slot_shift(low, high):
    """The paper: adjusted up to the nearest power of two."""
    shift = 0
    while (high - 1 >> shift) - (low >> shift) >= SLOTS:
        shift += 1
    return shift


def place(sample, task, mode, low, high, shift):
    if sample.late or sample.mode != mode or task not in ("*", sample.task):
        return ELSEWHERE
    if sample.pc < low:
        return BELOW
    return ABOVE if sample.pc >= high else (sample.pc >> shift) - (low >> shift)


def expected(samples, word):
    """A region's counters by the raw samples: hits, changes, and pairs with one sample of the task in the mode."""
    task, mode, addresses = word.split(":")
    low, high = (int(a, 8) if a.startswith("0") and not a.startswith("0x") else int(a, 0)
                 for a in addresses.split("-"))
    shift = slot_shift(low, high)
    hits, changes, active, last = collections.Counter(), collections.Counter(), 0, ELSEWHERE
    for sample in samples:
        here = place(sample, task, mode, low, high, shift)
        hits[here] += 1
        if sample.pair and here != last:
            changes[here] += 1
            changes[last] += 1
            active += ELSEWHERE in (here, last)
        last = here
    return low, high, shift, hits, changes, active


def told(dump, serial):
    """The regions of a snapshot: number, head, its rows of all parts."""
    regions = {}
    for head, rows in lib.records(dump, "REGION"):
        if head["serial"] == serial:
            regions.setdefault(head["number"], (head, []))[1].extend(rows)
    return regions


def check_region(checks, word, head, rows, samples):
    low, high, shift, hits, changes, active = expected(samples, word)
    checks.check((head["low"], head["high"], head["shift"], head["base"]) ==
                 (low, high, shift, low >> shift << shift),
                 f"{word}: slots of {1 << head['shift']} bytes from {head['base']:#x}")
    checks.check((head["below"], head["above"]) == (hits[BELOW], hits[ABOVE]) and
                 head["active"] == sum(hits.values()) - hits[ELSEWHERE],
                 f"{word}: {head['active']} samples of the task, {head['below']} below, {head['above']} above")
    checks.check((head["changes_below"], head["changes_above"], head["changes_active"]) ==
                 (changes[BELOW], changes[ABOVE], active), f"{word}: its pairs")
    slots = {slot: (hits[slot], changes[slot]) for slot in hits if slot < SLOTS}
    checks.check({r["slot"]: (r["hits"], r["changes"]) for r in rows} == slots,
                 f"{word}: {len(slots)} slots, one by one")


def check_table(checks, table, samples):
    """Rows of the table are counts of raw samples, late ones in MASKED."""
    count = collections.Counter(("MASKED", "total") if s.late else (s.task, s.mode) for s in samples)
    same = all(cell["hits"] == count[key] for key, cell in lib.cells(table))
    checks.check(same and sum(count.values()) == table["samples"], f"the table is that of {len(samples)} raw samples")


def check_time(checks, dump, table, samples):
    """Times are those of the ticks: in order, in the window, and as far apart as the schedule says.

    Samples that waited together have one time.
    """
    times = [s.seconds for s in samples]
    checks.check(all(a.seconds < b.seconds or (a.late and b.late and a.seconds == b.seconds)
                     for a, b in zip(samples, samples[1:])),
                 "times grow from sample to sample")
    mean = (times[-1] - times[0]) / (len(times) - 1)
    checks.check(abs(mean - table["window"]["seconds"] / table["samples"]) < 1e-5,
                 f"mean distance {1e6 * mean:.1f} us")
    numbers = [s.tick for s in samples]
    checks.check(all(a < b for a, b in zip(numbers, numbers[1:])) and numbers[-1] + 1 - len(numbers) ==
                 table["in_handler"], f"no point is missing but {table['in_handler']} in handlers")


def check_all(checks):
    words = " ".join(f"region={r}" for r in REGIONS)
    name = "all"
    table = lib.boot_table(checks, name, f"monitor=system,region,samples {words} rate=1000 seconds=20 seed=3")
    dump = lib.folder() / f"{name}.dump"
    samples, status = raw_samples(dump)
    checks.check(status == 0, "the raw samples can be read")
    last = [head for head, _ in lib.records(dump, "SNAPSHOT")][-1]
    regions = told(dump, last["serial"])
    checks.check(last["regions"] == len(REGIONS) == len(regions), f"{len(regions)} regions")
    for number, word in enumerate(REGIONS):
        check_region(checks, word, *regions[number], samples)
    check_table(checks, table, samples)
    check_time(checks, dump, table, samples)


def check_thinned(checks):
    """Two of each so many ticks are told; their shares are those of all ticks, as far as chance goes."""
    table = lib.boot_table(checks, "thin", "monitor=system,samples thin=auto rate=10000 seconds=20 seed=4", shift=3)
    dump = lib.folder() / "thin.dump"
    samples, _ = raw_samples(dump)
    thin = next(head for head, _ in lib.records(dump, "HELLO"))["thin"]
    checks.check(thin == 3, f"at 10 kHz and 115200 bit/s two of each {2 * thin} ticks are told")
    blocks = collections.Counter(s.tick // (2 * thin) for s in samples)
    whole = [n for block, n in blocks.items() if block < samples[-1].tick // (2 * thin)]
    gone = 2 * (samples[-1].tick // (2 * thin)) - sum(whole)
    near = lib.DEVIATIONS * (table["in_handler"] / thin) ** 0.5
    checks.check(max(whole) == 2 and abs(gone - table["in_handler"] / thin) <= near,
                 f"two of each block but {gone}, which fell into handlers, as {table['in_handler']} of all did")
    row = lib.row(table, "ROGUE")["kernel"]
    share = 100 * sum(s.task == "ROGUE" and s.mode == "kernel" and not s.late for s in samples) / len(samples)
    checks.check(abs(share - row["percent"]) < 3 * (row["high"] - row["low"]) / 2 * thin ** 0.5,
                 f"ROGUE in kernel mode: {share:.2f} % of the thinned ones, {row['percent']:.2f} % of all")


def check_text(checks):
    """The image prints what the host prints from the same counters (build/host/text_of_dump runs the image's own
    code)."""
    dump = lib.folder() / "all.dump"
    image = subprocess.run([lib.ROOT / "build/host/text_of_dump", dump, lib.ROOT / "build/cpuprobe.elf.symbols"],
                           stdout=subprocess.PIPE, text=True, check=False)
    checks.check(image.returncode == 0, "the image's display runs on the host")
    for number, part in enumerate(image.stdout.split("\f")[:2]):
        word = REGIONS[number].split(":")
        low, high = word[2].split("-")
        host, status = lib.host("histogram", dump, "--task", word[0], "--mode", word[1], "--low", low, "--high", high,
                                "--region", "--octal", "--columns", "80", "--symbols",
                                lib.ROOT / "build/tasks/rogue.elf")
        checks.check(status == 0 and host == part.lstrip("\n"),
                     f"{REGIONS[number]}: text on the line and on the host are one")
    run = lib.boot("text", f"monitor=region region={REGIONS[0]} rate=1000 seconds=10 seed=3")
    text = run.dump.read_text().replace("\r", "")
    checks.check(run.status == lib.COMPLETE and "Task ROGUE was active in user mode for " in text and
                 "\n024230-dbwrit\n" in text, "output=text prints the histogram with names")


def main():
    checks = lib.Checks()
    check_all(checks)
    check_thinned(checks)
    check_text(checks)
    checks.finish()


if __name__ == "__main__":
    main()
