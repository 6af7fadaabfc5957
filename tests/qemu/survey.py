#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The survey of the machine: clocks that agree, SMIs of known lengths, an emulator that is stopped for known times.

survey.py clocks | smi | stopped
"""

import json
import os
import re
import signal
import subprocess
import sys
import time

import lib

Q35 = ("--door", "rom", "--machine", "q35", "--cpu", "max,vendor=GenuineIntel")  # whose CPU counts SMIs
PIT_OFF = 1e6 * (1193182 / (14318180 / 12) - 1)  # ppm by which QEMU's 8254 is off
OUTSIDE = 1e-6   # s of an SMI that its handler cannot count: raising it, entry and exit, some 80 instructions of 8 ns
LONG, SHORT, EACH = 312, 30, 0.25  # us, us and s of kernel/survey/survey_task.c
JITTER = 0.01    # part by which the period may be off: an SMI waits for the next slice
BEGUN = 1000     # bytes: HELLO and what follows it
STOPS, STOPPED, APART = 10, 0.2, 0.5  # how often, s each, s between
# part by which such a machine may know the rate of its own clock: a host with much to do delays its 8254
RATE = 0.9
STATED = re.compile(r"survey-smi: (\d+) SMIs took (\d+) clock units")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def survey(checks, name, dump):
    text, status = lib.host("survey", "--json", dump)
    checks.check(status == 0 and text, f"{name}: cpuprobe survey --json ends with {status}")
    return json.loads(text)["surveys"][0]


def framed(checks, name, words, options=()):
    run = lib.boot(name, f"output=frames {words}", options=options, shift=3)
    checks.check(run.status == lib.COMPLETE, f"{name}: the run ends well ({run.status}) {run.said.strip()}")
    return run.dump, survey(checks, name, run.dump)


def clock(found, name):
    return next(c for c in found["clocks"] if c["name"] == name)


def check_clocks(checks, found):
    """Virtual clocks have one rate; only the 8254's is rounded.  All intervals are certain."""
    off = {"8254": PIT_OFF}
    for pair in found["apart"]:
        truth = off.get(pair["clock"], 0) - off.get(pair["against"], 0)
        ppm = pair["ppm"]
        checks.check(ppm["low"] <= truth <= ppm["high"] and ppm["high"] - ppm["low"] < 2,
                     f"{pair['clock']} against {pair['against']}: {ppm['low']:.3f} to {ppm['high']:.3f} ppm, "
                     f"{truth:.3f} is right")
    checks.check({(p["clock"], p["against"]) for p in found["apart"]} >=
                 {("HPET", "8254"), ("PM-timer", "8254"), ("RTC", "8254"), ("PM-timer", "HPET"), ("RTC", "HPET"),
                  ("RTC", "PM-timer")}, f"all pairs of four clocks: {len(found['apart'])}")
    steps = {c["name"]: c["step_ns"] for c in found["clocks"]}
    for name, step in (("TSC", 8), ("8254", 838.1), ("HPET", 10), ("PM-timer", 279.4), ("APIC-timer", 8)):
        checks.check(steps[name] and abs(steps[name] - step) < 0.1,
                     f"{name}: a step of {steps[name]} ns, {step} is right")
    checks.check(all(t["count"] >= 900 and t["median_us"] <= t["most_us"] <= t["worst_us"]
                     for t in found["times"]) and
                 {"tick", "interrupt to handler", "wake from HLT", "port read"} <=
                 {t["name"] for t in found["times"]},
                 f"{len(found['times'])} costs are told")
    checks.check(found["gaps"] == 0 and found["stolen_percent"]["value"] == 0 and found["stolen_percent"]["high"] > 0,
                 f"nothing is stolen from a machine whose instructions take equally long: {found['gaps']} gaps")
    checks.check(found["watched_seconds"] > 0.75 * found["seconds"],
                 f"watched {found['watched_seconds']:.2f} of {found['seconds']:.2f} s")


def words_of(line):
    """A line without its numbers: what two runs have in common."""
    return re.sub(r" +", " ", NUMBER.sub("#", line)).strip()


def check_text(checks, words, dump):
    """The image prints what the host does; of another run, in which numbers that count moments differ."""
    run = lib.boot("text", f"output=text {words}", options=("--door", "multiboot"), shift=3)
    image = run.dump.read_text(errors="replace").replace("\r", "")
    checks.check(run.status == lib.COMPLETE and "\nSURVEY\n" in image, f"the text run has a survey ({run.status})")
    image = image.split("\nSURVEY\n", 1)[-1].strip().splitlines()
    host = lib.host("survey", dump)[0].split("SURVEY\n", 1)[-1].strip().splitlines()
    same = [words_of(a) for a in image] == [words_of(b) for b in host]
    checks.check(same and len(host) > 25, f"text and frames have the same {len(host)} lines, {len(image)} in text")
    medians = [[line.split()[-4] for line in lines if line.split()[-1:] in (["2000"], ["1000"])]
               for lines in (image, host)]
    checks.check(medians[0] == medians[1] and len(medians[0]) > 6, f"{len(medians[0])} medians are the same")


def clocks(checks):
    words = "tasks=survey seconds=5 seed=1"
    # its firmware has the tables that name the PM timer
    dump, found = framed(checks, "frames", words, ("--door", "multiboot"))
    check_clocks(checks, found)
    check_text(checks, words, dump)
    text, status = lib.host("survey", dump, dump)
    checks.check(status == 0 and "\n0 of the numbers" in text, "a survey does not differ from itself")


def bucket(found, us):
    return sum(row["count"] for row in found["lengths"] if row["us"] == us)


def check_smi(checks, name, delivery):
    dump, found = framed(checks, name, f"tasks=survey-smi seconds=10 seed=1 delivery={delivery}", Q35)
    said = " ".join(head["text"] for head, _ in lib.records(dump, "TEXT"))
    count, clocks_ = map(int, STATED.search(said).groups())
    hz = next(head for head, _ in lib.records(dump, "HELLO"))["clock_hz"]
    truth = 100 * clocks_ / hz / found["watched_seconds"]
    share = found["stolen_percent"]
    most = truth + 100 * OUTSIDE * count / found["watched_seconds"]
    checks.check(truth <= share["value"] <= most and share["low"] < truth < share["high"],
                 f"{name}: {share['value']:.4f} % stolen ({share['low']:.4f} to {share['high']:.4f}), {truth:.4f} by "
                 f"the handlers, {most:.4f} at most")
    period = found["period"]
    checks.check(period and abs(period["seconds"] - EACH) <= JITTER * EACH and
                 LONG <= period["length_us"] <= LONG + 2, f"{name}: period {period}")
    long = found["watched_seconds"] / EACH
    checks.check(abs(bucket(found, 200) - long) <= 2 and bucket(found, 200) + bucket(found, 20) + 2 >= found["gaps"],
                 f"{name}: {bucket(found, 200)} of 200 us, {long:.1f} were due; {bucket(found, 20)} of 20 us, "
                 f"{found['gaps']} in all")
    checks.check(abs(found["smis"] - count) <= 1 and 0 <= count - found["gaps"] <= 0.1 * count,
                 f"{name}: {count} SMIs, {found['smis']} by the CPU, {found['gaps']} gaps")
    wanted = f"firmware takes {LONG + 1 if period['length_us'] >= LONG + 0.5 else LONG} us each {EACH:.3f} s."
    checks.check(any(s.startswith("A loop of 50 us misses its time") and s.endswith(wanted)
                     for s in found["verdict"]),
                 f"{name}: {found['verdict'][1]}")
    checks.check(found["verdict"][2].startswith("A loop of 1000 us never missed"), f"{name}: {found['verdict'][2]}")


def smi(checks):
    for delivery in ("irq", "nmi"):
        check_smi(checks, delivery, delivery)
    run = lib.boot("no-ich9", "tasks=survey-smi seconds=5", options=("--door", "rom"))
    checks.check(run.status == lib.FAILURE and "needs SMIs, and there is no ICH9" in run.said,
                 f"no ICH9: {run.said.strip()}")


def stopped(checks):
    """Without icount the TSC is the host's: it goes on while the process is stopped.  No ticks: a host with much to
    do makes their handler seem too long for them."""
    dump = lib.folder() / "stopped.dump"
    dump.unlink(missing_ok=True)
    rom = lib.folder() / "survey.rom"
    rom.write_bytes((lib.ROOT / "build/cpuprobe.rom").read_bytes())
    subprocess.run([lib.ROOT / "tools/rom-config", rom, "exit=qemu", "output=frames", "tasks=survey", "tick=none",
                    "seconds=20", "seed=1"], check=True)
    command = ["qemu-system-x86_64", "-M", "pc", "-m", "64", "-nodefaults", "-display", "none", "-no-reboot", "-cpu",
               "max", "-bios", str(rom), "-serial", f"file:{dump}", "-device", "isa-debug-exit,iobase=0xf4,iosize=4"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as qemu:
        try:
            lengths = stop_often(qemu, dump)
            qemu.wait(timeout=lib.GUARD)
        finally:
            lib.end(qemu)
    found = survey(checks, "stopped", dump)
    told = sum(row["count"] for row in found["lengths"] if row["us"] >= 100000)
    least = STOPS * found["watched_seconds"] / found["seconds"]
    checks.check(least - 3 <= told, f"{told} gaps of 0.1 s and more; stopped {STOPS} times, {least:.1f} in the loop")
    checks.check(found["longest_us"] >= 1e6 * RATE * STOPPED,
                 f"the longest gap is {found['longest_us']:.0f} us, stopped for "
                 f"{1e6 * max(lengths, default=0):.0f} at most")
    stolen = found["stolen_percent"]["value"] / 100 * found["watched_seconds"]
    checks.check(stolen >= told * RATE * STOPPED,
                 f"{stolen:.3f} s are stolen, of {told} stops seen of {STOPPED} s each")
    checks.check("hypervisor" in " ".join(found["verdict"][:3]) and found["hypervisor"] == "TCGTCGTCGTCG",
                 f"{found['verdict'][:3]}")


def stop_often(qemu, dump):
    """Stop it while the loop runs, which begins at most four seconds after the first frames;
    how long each took by the clock."""
    lengths = []
    end = time.monotonic() + lib.GUARD / 2
    while (not dump.exists() or dump.stat().st_size < BEGUN) and time.monotonic() < end:
        time.sleep(0.1)
    time.sleep(5)
    for _ in range(STOPS if qemu.poll() is None else 0):
        begin = time.monotonic()
        os.kill(qemu.pid, signal.SIGSTOP)
        time.sleep(STOPPED)
        os.kill(qemu.pid, signal.SIGCONT)
        lengths.append(time.monotonic() - begin)
        time.sleep(APART)
    return lengths


def main():
    checks = lib.Checks()
    {"clocks": clocks, "smi": smi, "stopped": stopped}[sys.argv[1]](checks)
    checks.finish()


if __name__ == "__main__":
    main()
