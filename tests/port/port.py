#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The core in a kernel that shares no file with cpuprobe's: port.py ARCH [CASE]... boots it and judges its tables.

The truth is the kernel's own account, and for its tasks an emulator's count of their instructions.
"""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/qemu"))

import lib

SHIFT = 5     # an instruction takes 2^SHIFT ns
NEAR = 2.0    # percent by which the account may differ from the count: what a task does outside of its function
LINES = 500   # of a kernel, its boot, timer, UART and tasks
GUARD = 200   # seconds of wall time for a boot
CASES = ("plain", "idle-off", "no-frame", "late-eoi", "own-tick", "forks", "ring", "bare")  # the numbers of kernel.c
TYPED = b"status\nsnapshot\nfrobnicate\nrate=1000000\nrate=500\n"  # the case commands: the plain kernel, and this on its line
MACHINES = {
    "x86_64": ("qemu-system-x86_64", "gcc", 0x100000, ["-device", "isa-debug-exit,iobase=0xf4"], "elf32"),
    "i386": ("qemu-system-i386", "gcc", 0x100000, ["-device", "isa-debug-exit,iobase=0xf4"], "elf"),
    "riscv64": ("qemu-system-riscv64", "riscv64-linux-gnu-gcc", 0x80000000, ["-machine", "virt", "-bios", "none"], "elf"),
}


def check_length(checks, arch):
    """The whole kernel of a machine is short enough to be read."""
    machine = "riscv" if arch == "riscv64" else "x86"
    names = ("kernel.c", "kernel.ld", "machine.h", f"{machine}.c", f"{machine}.S")
    lines = sum(len((ROOT / "tests/port" / name).read_text().splitlines()) for name in names)
    checks.check(lines <= LINES, f"{arch}: the kernel has {lines} lines, {LINES} at most")


def number(case):
    return CASES.index("plain" if case == "commands" else case)


def build(arch, case, folder):
    if not (folder / "cpuprobe-core.c").exists():
        subprocess.run([ROOT / "tools/build/amalgamate", folder], check=True)
    subprocess.run([ROOT / "tests/port/build", arch, str(number(case)), folder], check=True)
    return folder / f"{arch}-{number(case)}.elf"


def boot(arch, case, folder):
    """Boot one kernel; its dump, and its functions' executed instructions."""
    qemu, _, base, options, kind = MACHINES[arch]
    elf = build(arch, case, folder)
    dump, counts = folder / f"{arch}-{case}.dump", folder / f"{arch}-{case}.count"
    lines = TYPED if case == "commands" else b""
    done = subprocess.run(lib.supervised(
        qemu, *options, "-kernel", elf.with_suffix(f".{kind}"), "-display", "none", "-monitor", "none", "-nic", "none", "-no-reboot",
        "-icount", f"shift={SHIFT},sleep=off", "-serial", "stdio",
        "-plugin", f"{ROOT}/build/qemu/count.so,out={counts},from={base}"),
        input=lines, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=GUARD, check=False)
    dump.write_bytes(done.stdout)
    return dump, instructions(elf, counts)


def instructions(elf, counts):
    """Executed instructions of each task's function."""
    listed = subprocess.run(["readelf", "-sW", elf], capture_output=True, text=True, check=True).stdout
    ranges = {}
    for words in map(str.split, listed.splitlines()):
        if len(words) == 8 and words[7].startswith("task_"):
            ranges[words[7].removeprefix("task_")] = int(words[1], 16), int(words[1], 16) + int(words[2], 0)
    found = dict.fromkeys(ranges, 0)
    for line in counts.read_text().splitlines():
        address, _, times = line.split()
        for name, (low, high) in ranges.items():
            if low <= int(address, 16) < high:
                found[name] += int(times)
    return found


def check_rows(checks, name, table):
    """Each sampled share has its exact one in its 99.9 % interval, but for as many as chance allows."""
    cells = [(task, cell) for task, cell in lib.cells(table) if cell["exact"] is not None and task[1] in ("kernel", "total")]
    out = [f"{task[0]} {cell['percent']:.2f} for {cell['exact']:.2f}" for task, cell in cells if lib.outside(cell)]
    checks.check(len(out) <= lib.most_misses(len(cells)), f"{name}: of {len(cells)} shares {len(out)} outside their 99.9 % interval {out}")


def check_count(checks, name, table, count, clocks):
    """The account holds what the emulator counted: of both tasks that run with interrupts on."""
    for task in ("one", "three"):
        exact = lib.row(table, task)["kernel"]["exact"] / 100 * table["tau"]
        truth = count[task] * clocks
        checks.check(abs(exact / truth - 1) <= NEAR / 100, f"{name}: {task} has {exact:.0f} clock units, the emulator counts {truth:.0f}")


def audited(dump):
    return lib.host("audit", dump)[0]


def judge_plain(checks, name, table, count, arch, dump):
    clocks = 2 ** SHIFT / (100 if arch == "riscv64" else 1)  # of 10 MHz, or of the TSC, 1 GHz
    check_rows(checks, name, table)
    check_count(checks, name, table, count, clocks)
    checks.check(lib.row(table, "MASKED")["total"]["hits"] > 0, f"{name}: the locker's time is in row MASKED")
    checks.check("the ticks are the generator's" in audited(dump), f"{name}: the ticks are the generator's, all of them")


def judge_idle_off(checks, name, table, *_):
    masked = lib.row(table, "MASKED")
    checks.check(masked is None or masked["total"]["percent"] < 1, f"{name}: with late_idle idle time is no row MASKED")
    idle = lib.row(table, "IDLE")["kernel"]
    checks.check(abs(idle["percent"] - idle["exact"]) < 6, f"{name}: it is {idle['percent']:.1f} % IDLE for {idle['exact']:.1f}: late ticks are fewer")


def judge_no_frame(checks, name, table, *_):
    check_rows(checks, name, table)


def judge_own_tick(checks, name, table, *_):
    checks.check(table["policy"]["name"] == "fixed" and table["interval"] is None, f"{name}: fixed, and no interval: {table['interval_reason']}")
    checks.check(abs(table["samples"] - 100 * table["window"]["seconds"]) <= 2, f"{name}: {table['samples']} ticks of 100 a second")


def judge_forks(checks, name, table, *_):
    """Children come and go, 1 in 2 told by cpuprobe_ended(): none of their samples is lost."""
    ended = lib.row(table, "ENDED")
    children = [r for r in table["tasks"] if r["name"].startswith(("child", "#"))]
    checks.check(table["lost"]["table"] == 0 and ended["total"]["hits"] > 0,
                 f"{name}: {ended['total']['hits']} samples in row ENDED, {len(children)} rows of children, none lost")
    checks.check(len(children) < 128, f"{name}: there are fewer rows than records")


def judge_bare(checks, name, table, *_):
    """Without account, names, regions and wait: what was not given is not told."""
    checks.check(table["tau"] in (0, None) and lib.row(table, "#2") is not None, f"{name}: no exact times, and tasks by number")


def judge_commands(checks, name, table, count, arch, dump):
    """Lines that are typed: answered, refused with a reason, and a new epoch with another rate."""
    said = " ".join(head["text"] for head, _ in lib.records(dump, "TEXT"))
    checks.check("Hz, stratified, seed 7" in said, f"{name}: status is answered")
    checks.check("not a command" in said and "above 100000 Hz" in said, f"{name}: what cannot be done is refused, and why")
    checks.check(table["epoch"]["of"] == 2 and table["policy"]["rate"] == 500, f"{name}: epoch {table['epoch']['of']} has {table['policy']['rate']} Hz")
    check_rows(checks, name, table)


JUDGES = {"commands": judge_commands, "plain": judge_plain, "idle-off": judge_idle_off, "no-frame": judge_no_frame, "late-eoi": judge_no_frame, "own-tick": judge_own_tick,
          "forks": judge_forks, "ring": judge_no_frame, "bare": judge_bare}


def main():
    arch, *cases = sys.argv[1:]
    missing = [tool for tool in MACHINES[arch][:2] if shutil.which(tool) is None]
    if missing:
        print(f"skipped: there is no {' and no '.join(missing)}")
        sys.exit(77)
    checks, folder = lib.Checks(), lib.folder()
    check_length(checks, arch)
    for case in cases or ["plain"]:
        name = f"{arch}, {case}"
        dump, count = boot(arch, case, folder)
        table = lib.stat(dump, "--exact") if case != "bare" else lib.stat(dump)
        checks.check(table["complete"], f"{name}: the run is complete")
        JUDGES[case](checks, name, table, count, arch, dump)
    checks.finish()


if __name__ == "__main__":
    main()
