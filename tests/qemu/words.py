#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots with each wrong word: the run is refused with a sentence that names the word and what is allowed."""

import re
import subprocess

import lib
from link import Link

ALL = " ".join(re.findall(r"\[CONFIG_\w+\] = \{WORD(?:\(|_OF\(struct config, \")(\w+)",
                          (lib.ROOT / "probe/config/config_table.c").read_text()))
TICK = "auto pit hpet lapic rtc pit-periodic clock slu slu-timeout none, or two: A,B"
MONITOR = ("none, or of system region samples idle events intercept acct states callers procstat idletask perfcall "
           "proctable profil, commas between")
REGION = ("none, or TASK:MODE:LOW-HIGH: * for any task, user supervisor kernel interrupt, 0x.. 0octal or "
          "decimal, LOW below HIGH")
PRECISION = "0, or 0.05 to 50, three decimals at most"
INTERVAL = "stratified random exponential narrow fixed arithmetic"
SERIAL = ("auto[,BAUD] com1 com2 com3 com4 0xPORT[:STRIDE[:WIDTH]] pci pci:BUS:DEVICE.FUNCTION "
          "mmio:0xADDRESS:STRIDE[:WIDTH], ,BAUD ,clock=HZ ,trust after it")
SLU = "auto stream com1 com2 com3 com4, ,BAUD after a port"
WORKLOADS = sorted(name for path in lib.ROOT.glob("kernel/workload/*.c")
                   for name in re.findall(r'^WORKLOAD\(\w+, "([^"]+)"', path.read_text(), re.M))

# words, what the sentence says of them, what it says is allowed
UNKNOWN = (
    ("bogus=1", "unknown word 'bogus'", ALL),
    ("=1", "unknown word ''", ALL),
    ("Rate=100", "unknown word 'Rate', did you mean 'rate'?", ALL),
    ("precision=off", "unknown value 'off' for precision", PRECISION),
    ("rate", "word 'rate' has no value", "1 to 500000"),
    ("tick=crystal", "unknown value 'crystal' for tick", TICK),
    ("interval=poisson", "unknown value 'poisson' for interval", INTERVAL),
    ("rng=none", "unknown value 'none' for rng", "carta chacha8"),
    ("delivery=smi", "unknown value 'smi' for delivery, did you mean 'nmi'?", "irq nmi"),
    ("sched=fifo", "unknown value 'fifo' for sched", "rr decay decay-wake"),
    ("account=maybe", "unknown value 'maybe' for account", "on off log"),
    ("identity=pid", "unknown value 'pid' for identity", "name image task"),
    ("monitor=all", "unknown value 'all' for monitor", MONITOR),
    ("monitor=system,", "unknown value 'system,' for monitor", MONITOR),
    ("region=ROGUE:user:2-1", "unknown value 'ROGUE:user:2-1' for region", REGION),
    ("thin=2", "unknown value '2' for thin", "off auto"),
    ("stamp=ns", "unknown value 'ns' for stamp", "us off"),
    ("serial=com5", "unknown value 'com5' for serial", SERIAL),
    ("serial=com1,fast", "unknown value 'com1,fast' for serial", SERIAL),
    ("serial=mmio:0x10", "unknown value 'mmio:0x10' for serial", SERIAL),
    ("slu=com5", "unknown value 'com5' for slu", SLU),
    ("slu=auto,9600", "unknown value 'auto,9600' for slu", SLU),
    ("health=yes", "unknown value 'yes' for health", "auto on off"),
    ("output=binary", "unknown value 'binary' for output", "text frames"),
    ("exit=never", "unknown value 'never' for exit", "halt reboot qemu bochs"),
    ("rate=fast", "unknown value 'fast' for rate", "1 to 500000"),
    ("rate=0100", "unknown value '0100' for rate", "1 to 500000"),
    ("rate=-1", "unknown value '-1' for rate", "1 to 500000"),
    ("seconds=", "unknown value '' for seconds", "0 to 100000000"),
    ("spread=1.0000", "unknown value '1.0000' for spread", "0.0 to 2.0, three decimals at most"),
    ("tasks=figure4", "unknown value 'figure4' for tasks, did you mean 'figure3'?", " ".join(WORKLOADS)),
    ("tasks=Figure3", "unknown value 'Figure3' for tasks",
     "1 to 255 characters: workloads of a-z 0-9 -, or file:NAME ARGUMENTS; commas between"),
)
OUT_OF_RANGE = tuple((f"{key}={value}", f"value '{value}' for {key} is out of range", allowed)
                     for key, values, allowed in (
                         ("rate", "0 500001", "1 to 500000"),
                         ("spread", "2.001", "0.0 to 2.0, three decimals at most"),
                         ("precision", "0.049 50.001", PRECISION),
                         ("seed", "0 9223372036854775808", "auto, or 1 to 9223372036854775807"),
                         ("clock", "9 1001", "10 to 1000, or rtc"),
                         ("seconds", "100000001", "0 to 100000000"),
                         ("samples", "4294967296", "0 to 4294967295"),
                         ("acct", "0 3601", "1 to 3600"),
                     ) for value in values.split())
NO_DIVISOR = (  # what the nearest divisors give stands where others have what is allowed
    ("serial=com1,230400", "no divisor of the UART makes the rate in serial='com1,230400'", "115200"),
    ("serial=com1,100000", "no divisor of the UART makes the rate in serial='com1,100000'", "115200 57600"),
    ("slu=com2,100000", "no divisor of the UART makes the rate in slu='com2,100000'", "115200 57600"),
    ("serial=com2,0", "no divisor of the UART makes the rate in serial='com2,0'", "2"),
)
CLOSE = "rate=10000 interval=stratified arm=relative samples=1000"
# a handler takes a fifth of the mean interval at 31 MIPS: 1 point in 10
CROWDED = "rate=40000 interval=random samples=1000"
SWAMPED = "rate=400000 interval=exponential cost=any samples=1000"  # and more than all of it


def refused(checks, number, words, options=()):
    run = lib.boot(f"{number:02}", words, options=options)
    checks.check(run.status == lib.FAILURE, f"'{words[:60]}' ends with status {run.status}")
    return run.said.strip()


def check_sentences(checks):
    for number, (words, says, allowed) in enumerate(UNKNOWN + OUT_OF_RANGE + NO_DIVISOR):
        said = refused(checks, number, words)
        what = "nearest" if says.startswith("no divisor") else "allowed"
        checks.check(said == f"cpuprobe: error: {says} ({what}: {allowed})", f"{words}: {said}")


def check_frames(checks):
    """With output=frames the sentence travels in a frame, and reaches standard error all the same."""
    run = lib.boot("frames", "output=frames bogus=1")
    checks.check(run.status == lib.FAILURE and "unknown word 'bogus'" in run.said, f"in frames: {run.said.strip()}")
    texts = [head["text"] for head, _ in lib.records(run.dump, "TEXT") if head["severity"] == 2]
    checks.check(len(texts) == 1 and "unknown word 'bogus'" in texts[0], "it is a TEXT record of severity 2")


def check_socket(checks):
    """A host at a socket is told the reason at once, and so is who booted."""
    reason = "cpuprobe: error: unknown word 'secnds', did you mean 'seconds'?"
    for name, arguments in (("control", ("status",)), ("record", ("--timeout", "0"))):
        with Link(f"socket-{name}", "secnds=60") as link:
            if name == "control":
                _, err, code, _ = link.control(*arguments)
            else:
                done = subprocess.run([lib.ROOT / "build/cpuprobe", "record", *arguments, link.path, "-o",
                                       link.kept()],
                                      stderr=subprocess.PIPE, text=True, timeout=lib.GUARD, check=False)
                err, code = done.stderr, done.returncode
            checks.check(code == 4 and reason in err, f"{name} at a socket: {code} {err.strip()}")
            status = link.process.wait(timeout=lib.GUARD)
            said = (lib.folder() / f"socket-{name}.errors").read_text()
            checks.check(status == lib.FAILURE and reason in said and "gave no reason" not in said,
                         f"tools/boot: {status} {said.strip()[-80:]}")


def check_length(checks):
    said = refused(checks, 97, " ".join(["rate=100"] * 100), ("--door", "multiboot"))
    checks.check("the line of words is longer than" in said, f"900 characters of words: {said}")


def check_monitors(checks):
    """Monitors that the other words do not allow, tasks that there are not, samples that the line cannot carry."""
    for number, (words, says) in enumerate((
            ("monitor=region", "monitor= has region, and no region= says which"),
            ("region=ROGUE:user:0-1", "region= is given, and monitor= has no region"),
            ("monitor=samples", "monitor= has samples, which need output=frames"),
            ("delivery=nmi tick=pit-periodic", "delivery=nmi is for tick=pit, hpet, slu or slu-timeout"),
            ("sched=decay tick=none", "sched=decay charges by the samples of monitor=system, and there are none"),
            ("sched=decay monitor=none", "sched=decay charges by the samples of monitor=system, and there are none"),
            ("precision=1 monitor=none", "precision= looks at the totals of monitor=system, and there are none"),
            ("precision=1 interval=fixed", "precision= needs an interval, and interval=fixed gives none"),
            ("precision=1 tick=rtc", "precision= needs an interval, and there is none: fixed ticks"),
            ("precision=1 interval=random spread=0.5",
             "precision= needs an interval, and there is none: spread too small"),
            ("monitor=region region=ROUGE:user:0-1", "region=ROUGE: no task of tasks=figure3 has this name"),
            ("monitor=samples output=frames rate=4000", "raw samples at 4000 Hz take 11200 bytes/s; the line "
             "carries 10080 of them: rate=3600 at most, or a faster serial=, or thin=auto"),
            ("monitor=samples output=frames stamp=off rate=4600", "raw samples at 4600 Hz take 10120 bytes/s; "
             "the line carries 10080 of them: rate=4581 at most, or a faster serial=, or thin=auto"))):
        said = refused(checks, 80 + number, words)
        checks.check(said == f"cpuprobe: error: {says}", f"{words}: {said}")


def check_timers(checks):
    """One timer has one owner, and a source that has few rates names the nearest."""
    for number, (words, says) in enumerate((
            ("tick=lapic", "tick=lapic takes the timer that the system clock has: it needs clock=rtc"),
            ("tick=rtc clock=rtc", "tick=rtc and clock=rtc both want the one RTC"),
            ("tasks=storm tick=rtc", "task STORM needs the RTC for itself: neither tick= nor clock= can have it"),
            ("tasks=storm clock=rtc", "task STORM needs the RTC for itself: neither tick= nor clock= can have it"),
            ("tick=clock rate=120", "tick=clock ticks as the system clock does, at 100 Hz: rate=120 is another"),
            ("tick=rtc rate=1000", "tick=rtc rate=1000: the RTC has powers of two from 2 to 8192 Hz, "
             "and 1000 is none: the nearest are 512 and 1024"),
            ("tick=rtc rate=1", "tick=rtc rate=1: the RTC has powers of two from 2 to 8192 Hz, and 1 is none: the "
             "nearest is 2"),
            ("tick=rtc rate=10000", "tick=rtc rate=10000: the RTC has powers of two from 2 to 8192 Hz, and 10000 is "
             "none: the nearest is 8192"),
            ("tick=pit-periodic rate=18", "tick=pit-periodic rate=18: the 8254 repeats 2 to 65536 clocks of "
             "1193182 Hz, and 18 Hz would take 66288"),
            ("tick=rtc rate=1024 interval=random",
             "tick=rtc repeats one interval: it cannot do interval=random, only fixed"))):
        said = refused(checks, 70 + number, words)
        checks.check(said == f"cpuprobe: error: {says}", f"{words}: {said}")


def check_schedule(checks):
    """A schedule that the machine is too slow for is refused with what was measured: by either rule of arming."""
    figures = r"\(handler \d+, smallest count \d+, mean interval 119 counts of the source\)"
    said = refused(checks, 98, CLOSE)
    checks.check(re.search(f"rate=10000 interval=stratified: .* {figures}", said), f"at 31 MIPS: {said}")
    for number, words, rate, much, needs in (
            (96, CROWDED, "rate=40000 interval=random", "1 in 20", "cost=any"),
            (95, SWAMPED, "rate=400000 interval=exponential", "half", "arm=relative")):
        said = refused(checks, number, words)
        told = re.search(rf"{rate}: more than {much} of the points would fall into handlers of ticks, each of which "
                         rf"takes [\d.]+ us: it needs {needs} or rate=(\d+)$", said)
        checks.check(told, f"at 31 MIPS: {said}")
        lib.boot_table(checks, f"low-enough-{number}", re.sub(r"rate=\d+", f"rate={told[1]}", words) + " seed=1",
                       shift=5)
    for name, words, shift in (("fast", CLOSE, 3), ("fast-points", CROWDED, 3),
                               ("points", CLOSE.replace(" arm=relative", ""), 5), ("any", f"{CROWDED} cost=any", 5)):
        lib.boot_table(checks, name, f"{words} seed=1", shift=shift)


def main():
    checks = lib.Checks()
    check_sentences(checks)
    check_frames(checks)
    check_socket(checks)
    check_length(checks)
    check_monitors(checks)
    check_timers(checks)
    check_schedule(checks)
    checks.finish()


if __name__ == "__main__":
    main()
