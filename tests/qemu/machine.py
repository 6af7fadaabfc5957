#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots on machines that lack something: what is missing is told by a sentence, on the line or on the screen."""

import re
import subprocess
import time

import lib

NO_LONG_MODE = "cpuprobe: error: this CPU has no 64-bit mode (long mode); cpuprobe needs one."
NO_MEMORY = "cpuprobe: error: there is no memory where the image ends; cpuprobe needs 16 MiB."
NO_VECTORS = "this CPU lacks FXSAVE, SSE or SSE2, which cpuprobe and its tasks need"
NO_TIMER = ("cpuprobe: error: the 8254 at ports 0x40 to 0x43 does not count, and this CPU has no local APIC that "
            "would bring another timer's interrupt: there is no tick")
NO_UART = "cpuprobe: warning: no UART answers: SPCR: not there; DBG2: not there; the BIOS data area: it names no"
NO_UART_FIRMWARE = "no UART answers at COM1"
MODELS_32 = ("qemu32", "pentium3")
LESS = ("fxsr", "sse", "sse2")
FEW = ("2", "4")   # MiB, in which the image has its first page, or its code
MODELS_64 = ("qemu64", "Nehalem", "max")
EXPECTED = 20  # hits by the truth, below which a cell is not judged

VGA_TEXT = 0xb8000
COLUMNS = 80
CELLS = 25 * COLUMNS
WAIT = 100  # seconds of wall time for the sentence to come up
LOOK = 0.2  # seconds between looks


class Screen:
    """A machine with a VGA and a monitor, and without the debug-exit port: it stays there to be looked at."""

    def __init__(self, arguments):
        command = ["qemu-system-x86_64", "-M", "pc", "-m", "64", "-nodefaults", "-display", "none", "-device", "VGA",
                   "-monitor", "stdio", "-icount", "shift=5,sleep=off", "-kernel", lib.ROOT / "build/cpuprobe.elf",
                   *arguments]
        self.qemu = subprocess.Popen(lib.supervised(*command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.qemu.kill()
        self.qemu.wait()

    def ask(self, command):
        """The monitor's answer; a second command that it refuses by name shows where the answer ends."""
        self.qemu.stdin.write(f"{command}\nend-of-answer\n")
        self.qemu.stdin.flush()
        lines = iter(self.qemu.stdout.readline, "")
        answer = []
        for line in lines:
            if "unknown command: 'end-of-answer'" in line:
                break
            answer.append(line)
        return answer

    def text(self):
        """What the text screen shows, its lines without a break."""
        dump = "".join(line.split(":", 1)[1] for line in self.ask(f"xp /{2 * CELLS}bx {VGA_TEXT}")
                       if re.match(r"[0-9a-f]{16}: ", line))
        return bytes(int(b, 16) for b in dump.split()[::2]).decode("latin-1")

    def wait_for(self, sentence):
        """The screen once it shows the sentence, or as it is when the wait is over."""
        end = time.monotonic() + WAIT
        while not shows(text := self.text(), sentence) and time.monotonic() < end:
            time.sleep(LOOK)
        return text


def shows(text, sentence):
    """Whether a screen has it: in rows that are full, as the start writes them, or that end between words."""
    rows = (text[at:at + COLUMNS] for at in range(0, len(text), COLUMNS))
    return sentence in text or sentence in " ".join(" ".join(rows).split())


def check_screen(checks, what, arguments, sentence):
    with Screen(arguments) as screen:
        checks.check(shows(screen.wait_for(sentence), sentence), f"{what}: the screen says '{sentence}'")


def check_line(checks, name, options, sentence):
    run = lib.boot(name, "", options=options)
    checks.check(run.status == lib.FAILURE and sentence in run.said, f"{name}: {run.status}, {run.said.strip()}")


def check_missing(checks):
    for model in MODELS_32:
        check_line(checks, model, ("--cpu", model), NO_LONG_MODE)
    check_screen(checks, MODELS_32[0], ("-cpu", MODELS_32[0], "-serial", "none"), NO_LONG_MODE)
    for feature in LESS:
        check_line(checks, f"no-{feature}", ("--cpu", f"max,-{feature}"), NO_VECTORS)
    for size in FEW:
        check_line(checks, f"{size}-MiB", ("--qemu-arg", "-m", "--qemu-arg", size), NO_MEMORY)
    check_screen(checks, "2 MiB", ("-m", FEW[0], "-cpu", "max", "-serial", "none"), NO_MEMORY)
    pit_off = ("-machine", "pit=off,hpet=off", "-cpu", "max,-apic")
    check_line(checks, "no-timer", [part for arg in pit_off for part in ("--qemu-arg", arg)], NO_TIMER)
    check_screen(checks, "no timer", (*pit_off, "-serial", "null"), NO_TIMER)
    check_screen(checks, "no UART", ("-cpu", "max", "-serial", "none"), NO_UART)


def check_second_line(checks):
    lib.boot_table(checks, "com2", "serial=com2 rate=1000 seconds=1 seed=1", options=("--com2",))
    run = lib.boot("com1-of-com2", "serial=com1 seconds=1", options=("--com2",))
    checks.check(run.status == lib.FAILURE, "serial=com1 where there is COM2 alone: refused")
    # The firmware's console is all that UEFI leaves; OVMF puts it on COM2 too.
    run = lib.boot("uefi-no-com1", "serial=com1 seconds=1", options=("--door", "uefi", "--com2"))
    said = run.dump.read_bytes().decode("latin-1")
    checks.check(run.status == lib.FAILURE and NO_UART_FIRMWARE in said, "UEFI without COM1: its console says so")


def check_models(checks):
    for model in MODELS_64:
        table = lib.boot_table(checks, model, "rate=1000 seconds=1 seed=1", options=("--cpu", model))
        cells = [cell for _, cell in lib.cells(table) if cell["exact"] / 100 * table["samples"] >= EXPECTED]
        wrong = sum(lib.outside(cell) for cell in cells)
        checks.check(cells and wrong <= lib.most_misses(len(cells)),
                     f"{model}: {wrong} of {len(cells)} truths outside")


def main():
    checks = lib.Checks()
    check_missing(checks)
    check_second_line(checks)
    check_models(checks)
    checks.finish()


if __name__ == "__main__":
    main()
