#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The core in a kernel that shares no file with cpuprobe's: port.py ARCH [CASE]... boots it and judges its tables.

The truth is the kernel's own account, and for its tasks an emulator's count of their instructions.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/qemu"))

import lib
import link
import packed

SHIFT = 5     # an instruction takes 2^SHIFT ns
NEAR = 2.0    # percent by which the account may differ from the count: what a task does outside of its function
SWITCHED = 4.0  # percent by which the time between switches is longer than a task's own: ticks are in it
RECORDS, PROBES = 128, 5  # of the table, and those that an id may have: Crowe, "System-wide CPU usage monitoring"
NEARLY = 3 * RECORDS // 4  # records in use from which on tasks without a name lose theirs
CHILDREN = range(101, 1 << 20)  # ids of the case forks: the even ones are told as ended
LINES = 500   # of a kernel, its boot, timer, UART and tasks
GUARD = 200   # seconds of wall time for a boot
# the numbers of kernel.c
CASES = ("plain", "idle-off", "no-frame", "late-eoi", "own-tick", "forks", "ring", "bare", "nmi", "open", "halts",
         "load", "load-no-idle", "load-no-task", "load-no-mode", "load-no-hook", "load-no-name", "tasks")
WITHOUT_ACCOUNT = ("bare", "nmi")
# the case commands: the plain kernel, and this on its line
TYPED = b"status\nsnapshot\nfrobnicate\nrate=1000000\nrate=500\n"
CONTROL = (  # a line that cpuprobe control sends to the case open, exit status, what is said
    ("status", 0, "stratified, seed 7"),
    ("help", 0, "rate=HZ"),
    ("snapshot", 0, ""),
    ("frobnicate", 4, "not a command of this port"),
    ("rate=1000000", 4, "above 100000 Hz"),
    ("rate=800", 0, ""),
    # answered when the window of before is closed: its END may come behind the answer above, when another use of the
    # line has begun
    ("status", 0, "at 800 Hz"),
)
CHANGES = "seed=9\nstatus\nrate=0\nend\n"  # and on its standard input
STAY = "60"  # seconds of wall time for the end to come
MACHINES = {
    "x86_64": ("qemu-system-x86_64", "gcc", 0x100000, ["-device", "isa-debug-exit,iobase=0xf4"], "elf32"),
    "i386": ("qemu-system-i386", "gcc", 0x100000, ["-device", "isa-debug-exit,iobase=0xf4"], "elf"),
    "riscv64": ("qemu-system-riscv64", "riscv64-linux-gnu-gcc", 0x80000000, ["-machine", "virt", "-bios", "none"],
                "elf"),
    "freertos": ("qemu-system-riscv64", "riscv64-linux-gnu-gcc", 0x80000000, ["-machine", "virt", "-bios", "none"],
                 "elf"),
    "cortexm": ("qemu-system-arm", "arm-none-eabi-gcc", 0, ["-machine", "mps2-an385"], "elf"),
}
CLOCKS = {"riscv64": 0.010, "freertos": 0.010, "cortexm": 0.025}  # of the clock in a ns; else of the TSC, 1


def check_length(checks, arch):
    """The whole kernel of a machine is short enough to be read; of FreeRTOS the glue and the use of it."""
    machine = {"riscv64": "riscv", "cortexm": "cortexm"}.get(arch, "x86")
    names = ["kernel.c", "kernel.ld", "machine.h", f"{machine}.h", f"{machine}.c", f"{machine}.S"]
    if arch == "freertos":
        names = sorted((ROOT / "tests/port/freertos").glob("*.[ch]"))
    lines = sum(len((ROOT / "tests/port" / name).read_text().splitlines()) for name in names)
    checks.check(lines <= LINES, f"{arch}: the kernel has {lines} lines, {LINES} at most")


def number(case):
    return CASES.index("plain" if case == "commands" else case)


def build(arch, case, folder):
    if not (folder / "cpuprobe-core.c").exists():
        subprocess.run([ROOT / "tools/build/amalgamate", folder], check=True)
    subprocess.run([ROOT / "tests/port/build", arch, str(number(case)), folder], check=True)
    return folder / f"{arch}-{number(case)}.elf"


def emulator(arch, case, folder, line):
    """The command that boots one kernel on this line."""
    qemu, _, base, options, kind = MACHINES[arch]
    elf = build(arch, case, folder)
    counts = folder / f"{arch}-{case}.count"
    return elf, counts, lib.supervised(
        qemu, *options, "-kernel", elf.with_suffix(f".{kind}"), "-display", "none", "-monitor", "none",
        "-nic", "none", "-no-reboot", "-icount", f"shift={SHIFT},sleep=off", "-serial", line, "-plugin",
        f"{ROOT}/build/qemu/count.so,out={counts},from={base}")


def boot(arch, case, folder):
    """Boot one kernel; its dump, and its functions' executed instructions."""
    elf, counts, command = emulator(arch, case, folder, "stdio")
    dump = folder / f"{arch}-{case}.dump"
    lines = TYPED if case == "commands" else b""
    done = subprocess.run(command,
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
    cells = [(task, cell) for task, cell in lib.cells(table)
             if cell["exact"] is not None and task[1] in ("kernel", "total")]
    out = [f"{task[0]} {cell['percent']:.2f} for {cell['exact']:.2f}" for task, cell in cells if lib.outside(cell)]
    checks.check(len(out) <= lib.most_misses(len(cells)),
                 f"{name}: of {len(cells)} shares {len(out)} outside their 99.9 % interval {out}")


def check_count(checks, name, table, count, clocks, of=None):
    """The account holds what the emulator counted: of both tasks that run with interrupts on; `of`: functions of
    rows."""
    for task, function in (of or {"one": "one", "three": "three"}).items():
        exact = lib.row(table, task)["kernel"]["exact"] / 100 * table["tau"]
        truth = count[function] * clocks
        checks.check(abs(exact / truth - 1) <= NEAR / 100,
                     f"{name}: {task} has {exact:.0f} clock units, the emulator counts {truth:.0f}")


def audited(dump):
    return lib.host("audit", dump)[0]


def check_given(checks, name, dump, without):
    """`cpuprobe info` says of each optional field whether the port gives it; this kernel has a clock and a timer."""
    without = without | {"left", "shared"}
    given = json.loads(lib.host("info", "--json", dump)[0])["epochs"][-1]["port"]
    checks.check({field for field, there in given.items() if not there} == without,
                 f"{name}: info: not given are {', '.join(sorted(without))}")


def check_names(checks, name, dump):
    """Samples have the names of the kernel's functions: by the build id in the stream,
    among the files of a folder."""
    command = [ROOT / "build/cpuprobe", "histogram", "--json", "--by", "function", "--task", "three", "--symbols",
               dump.parent, dump]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    first = json.loads(done.stdout)["rows"][0] if done.returncode == 0 else {}
    checks.check(first.get("name") == "task_three" and not done.stderr,
                 f"{name}: by its build id, three is in {first.get('name')} {done.stderr.strip()}")


def judge_plain(checks, name, table, count, arch, dump):
    clocks = 2 ** SHIFT * CLOCKS.get(arch, 1)
    check_rows(checks, name, table)
    check_count(checks, name, table, count, clocks)
    checks.check(lib.row(table, "MASKED")["total"]["hits"] > 0, f"{name}: the locker's time is in row MASKED")
    said = audited(dump)
    points = list(lib.records(dump, "SNAPSHOT"))[-1][0]["points"]
    checks.check("the ticks are the generator's" in said and f"raw        {points} told, {points} arrived" in said and
                 f"{table['samples']} of {points} points" in said,
                 f"{name}: the ticks are the generator's, all of them, and each of {points} points was "
                 "sent by itself")
    spent = sum(float(words[-1]) for words in map(str.split, lib.host("trace", dump)[0].splitlines())
                if words[1] == "three")
    exact = lib.row(table, "three")["kernel"]["exact"] / 100 * table["window"]["seconds"]
    checks.check(abs(spent / exact - 1) < SWITCHED / 100,
                 f"{name}: by its switches three ran for {spent:.3f} s, by the account {exact:.3f}")
    check_given(checks, name, dump, {"nmi"})
    check_names(checks, name, dump)


def judge_tasks(checks, name, table, count, arch, dump):
    """FreeRTOS: tasks as the emulator counts them, children in row ENDED.

    The kernel's critical sections are traced by no macro: the account has them in the rows of tasks, and MASKED less.
    """
    of = {"one": "one", "three": "three", "ENDED": "child"}
    check_count(checks, name, table, count, 2 ** SHIFT * CLOCKS[arch], of)
    window = table["tau"] / (2 ** SHIFT * CLOCKS[arch])
    shares = {row: {**lib.row(table, row)["total"], "exact": 100 * count[of[row]] / window} for row in of}
    shares["IDLE"] = lib.row(table, "IDLE")["total"]
    out = [f"{row} {cell['percent']:.2f} for {cell['exact']:.2f}" for row, cell in shares.items()
           if lib.outside(cell)]
    checks.check(len(out) <= lib.most_misses(len(shares)),
                 f"{name}: of {len(shares)} shares {len(out)} outside their 99.9 % interval {out}")
    masked = lib.row(table, "MASKED")["total"]
    checks.check(masked["high999"] > masked["exact"] and table["policy"]["name"] == "exponential" and
                 "the ticks are the generator's" in audited(dump),
                 f"{name}: MASKED has {masked['percent']:.2f} %, ticks alone {masked['exact']:.2f}")


def judge_idle_off(checks, name, table, *_):
    masked = lib.row(table, "MASKED")
    checks.check(masked is None or masked["total"]["percent"] < 1,
                 f"{name}: with late_idle idle time is no row MASKED")
    idle = lib.row(table, "IDLE")["kernel"]
    checks.check(abs(idle["percent"] - idle["exact"]) < 6,
                 f"{name}: it is {idle['percent']:.1f} % IDLE for {idle['exact']:.1f}: late ticks are fewer")


def judge_no_frame(checks, name, table, *_):
    check_rows(checks, name, table)


def judge_own_tick(checks, name, table, *_):
    checks.check(table["policy"]["name"] == "fixed" and table["interval"] is None,
                 f"{name}: fixed, and no interval: {table['interval_reason']}")
    checks.check(abs(table["samples"] - 100 * table["window"]["seconds"]) <= 2,
                 f"{name}: {table['samples']} ticks of 100 a second")


def most_in_use(samples):
    """Records that the samples, (task, place, address) in order, take at once: one each task, until a sample comes
    after its end was told."""
    tasks, most = set(), 0
    for task, place, _ in samples:
        if place // 4:  # late: it belongs to a row that needs no record
            continue
        if task in CHILDREN:
            tasks = {other for other in tasks if other not in CHILDREN or other >= task or other % 2}
        tasks.add(task)
        most = max(most, len(tasks))
    return most


def judge_forks(checks, name, table, count, arch, dump):
    """Children come and go, 1 in 2 told by cpuprobe_ended(): while records are free, no sample is without one.

    Their ids follow one another, so that many have the same home record.
    """
    ended = lib.row(table, "ENDED")
    children = [r for r in table["tasks"] if r["name"].startswith(("child", "#"))]
    samples, _ = packed.read(dump.read_bytes())
    most = most_in_use(samples[tick] for tick in sorted(samples))
    checks.check(len(samples) == table["samples"] and most < NEARLY,
                 f"{name}: all of {len(samples)} samples arrived, {most} records were in use")
    checks.check(table["lost"]["table"] == 0 and ended["total"]["hits"] > 0,
                 f"{name}: {ended['total']['hits']} samples in row ENDED, {len(children)} rows of children, "
                 f"{table['lost']['table']} samples in row LOST")
    checks.check(len(children) < RECORDS, f"{name}: there are fewer rows than records")


def judge_bare(checks, name, table, count, arch, dump):
    """Without all that is optional: what was not given is not told."""
    check_given(checks, name, dump, {"build", "wait", "name_of", "nmi", "account", "commands", "intervals", "samples",
                                     "events", "regions"})
    checks.check(table["tau"] in (0, None) and lib.row(table, "#2") is not None,
                 f"{name}: no exact times, and tasks by number")


def judge_commands(checks, name, table, count, arch, dump):
    """Lines that are typed: answered, refused with a reason, and a new epoch with another rate."""
    said = " ".join(head["text"] for head, _ in lib.records(dump, "TEXT"))
    checks.check("Hz, stratified, seed 7" in said, f"{name}: status is answered")
    checks.check("not a command" in said and "above 100000 Hz" in said,
                 f"{name}: what cannot be done is refused, and why")
    said = subprocess.run([ROOT / "build/cpuprobe", "stat", dump], capture_output=True, text=True, check=False).stderr
    checks.check("breaks the protocol" not in said, f"{name}: a HELLO tells what its own window does: {said}")
    checks.check(table["epoch"]["of"] == 2 and table["policy"]["rate"] == 500,
                 f"{name}: epoch {table['epoch']['of']} has {table['policy']['rate']} Hz")
    check_rows(checks, name, table)


def judge_nmi(checks, name, table, count, arch, dump):
    """The locker, which runs with interrupts off, has its own time, and not row MASKED;
    the truth is the emulator's count."""
    window = table["window"]["seconds"] * 1e9
    shares = {task: {**lib.row(table, task)["total"], "exact": 100 * count[task] * 2 ** SHIFT / window}
              for task in ("one", "three", "locker")}
    out = [f"{task} {cell['percent']:.2f} for {cell['exact']:.2f}" for task, cell in shares.items()
           if lib.outside(cell)]
    checks.check(len(out) <= lib.most_misses(len(shares)),
                 f"{name}: as the emulator counts: {len(out)} shares outside their 99.9 % interval {out}")
    checks.check(lib.row(table, "MASKED") is None and shares["locker"]["hits"] > 100,
                 f"{name}: the locker has {shares['locker']['percent']:.1f} %, nothing is MASKED")


# what verify-port finds wrong in a kernel that makes this mistake
MISTAKES = {"load": set(), "load-no-idle": {"idle"}, "load-no-task": {"tasks"}, "load-no-mode": {"modes"},
            "load-no-hook": {"account"}, "load-no-name": {"names"}}


def judge_load(checks, name, table, count, arch, dump):
    """The known load: every line is right, but for that of the mistake."""
    said, status = lib.host("verify-port", "--json", dump)
    found = {check["check"]: check for check in json.loads(said)["checks"]}
    wrong = {check for check in found if found[check]["verdict"] == "wrong"}
    mistakes = MISTAKES[name.split(", ")[1]]
    checks.check(status == (4 if mistakes else 0) and wrong == mistakes,
                 f"{name}: wrong are {sorted(wrong)}: {[found[check]['why'] for check in sorted(wrong | mistakes)]}")
    untested = {check for check in found if found[check]["verdict"] == "untested"}
    if not mistakes:
        check_fast_clock(checks, arch, dump)
    checks.check(untested == ({"modes"} if name.endswith("no-task") else set()), f"{name}: untested are {untested}")


def check_fast_clock(checks, arch, dump):
    """A recorded line has the host's time: a clock that runs 1.5 times as fast as that is wrong."""
    fast, frames, offset = dump.with_suffix(".fast"), dump.read_bytes(), 0
    lines = ["cpuprobe arrival times 1", "start 1790000000000000000"]
    board = iter(1e9 * head["now"] / head["clock_hz"] for head, _ in lib.records(dump, "HELLO"))
    for frame in frames.split(b"\0"):
        offset += len(frame) + 1
        if frame[1:2] == b"\1":  # COBS: the type of a HELLO
            lines.append(f"at {offset} {int(next(board) / 1.5)}")
    fast.write_bytes(frames)
    pathlib.Path(f"{fast}.times").write_text("\n".join(lines) + "\n")
    said, status = lib.host("verify-port", fast)
    checks.check(status == 4 and "it runs at 1.5 times this host's" in said, f"{arch}: a fast clock: {said[:300]}")


def check_control(checks, arch, folder):
    """Commands as frames, by `cpuprobe control` on a line that is a socket: answered, refused with a reason,
    done once."""
    with tempfile.TemporaryDirectory() as short:  # a socket's path is short
        line = link.Line(f"{arch}-open", f"{short}/line")
        _, _, command = emulator(arch, "open", folder, f"unix:{line.path},server=on,wait=off")
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            while not pathlib.Path(line.path).exists():
                time.sleep(link.LOOK)
            for words, status, says in CONTROL:
                out, err, code, _ = line.control(words)
                checks.check(code == status and says in (err if status else out),
                             f"{arch}, control: {words!r}: {code} {(err or out).strip()[:80]!r}")
            out, err, code, dump = line.control("-", lines=CHANGES, options=("--stay", STAY))
            checks.check(code == 4 and "at 800 Hz, stratified, seed 9" in out and "not a command" in err,
                         f"{arch}, control: a line at a time: {code}")
            checks.check(process.wait(GUARD) is not None, f"{arch}, control: the run was ended")
        finally:
            lib.end(process)
    ends = [head["reason"] for head, _ in lib.records(dump, "END")]
    checks.check(ends == ["the words were changed", "complete"], f"{arch}, control: each window was closed: {ends}")
    table = lib.stat(dump, "--exact")
    checks.check(table["complete"] and "missing    0 frames" in lib.host("info", dump)[0],
                 f"{arch}, control: the last epoch is whole")
    check_rows(checks, f"{arch}, control", table)


JUDGES = {"nmi": judge_nmi, "commands": judge_commands, "plain": judge_plain, "idle-off": judge_idle_off,
          "no-frame": judge_no_frame, "late-eoi": judge_no_frame, "halts": judge_no_frame, "own-tick": judge_own_tick,
          "forks": judge_forks, "ring": judge_no_frame, "bare": judge_bare, "tasks": judge_tasks,
          **dict.fromkeys(MISTAKES, judge_load)}


def main():
    arch, *cases = sys.argv[1:]
    missing = [tool for tool in MACHINES[arch][:2] if shutil.which(tool) is None]
    if missing:
        print(f"skipped: there is no {' and no '.join(missing)}")
        sys.exit(77)
    checks, folder = lib.Checks(), lib.folder()
    check_length(checks, arch)
    for case in cases or ["plain"]:
        if case == "control":
            check_control(checks, arch, folder)
            continue
        name = f"{arch}, {case}"
        dump, count = boot(arch, case, folder)
        table = lib.stat(dump, *(() if case in WITHOUT_ACCOUNT else ("--exact",)))
        checks.check(table["complete"], f"{name}: the run is complete")
        JUDGES[case](checks, name, table, count, arch, dump)
    checks.finish()


if __name__ == "__main__":
    main()
