# SPDX-License-Identifier: MIT
"""A static program that runs as a task in QEMU: what tools/run starts, and what the stream tells of it."""

import json
import os
import pathlib
import re
import signal
import subprocess

import executed

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHIFT = 3  # 2^3 ns an instruction
PROCESS = re.compile(r" id=(\d+) .* base=(\d+) state=(\d) status=(\d+) .*?name=\"(.*?)\"")
CALL = re.compile(r'\{ call=(\d+) name="(.*?)" count=(\d+) \}')
FAULT = re.compile(r'mode=\d vector=\d+ error=\d+ pc=(\d+) address=(\d+) .*cause="(.*?)"')
EXACT = (r" id=%d user=(\d+) supervisor=\d+ kernel=(\d+) interrupt=\d+ masked_user=(\d+) masked_supervisor=\d+ "
         r"masked_kernel=(\d+) ")
ONE_THREAD = re.compile(r'^TEXT.* text="cpuprobe: warning: (task \S+ called \S+: programs have one thread .*?)\\x0a"')
BY_SIGNAL = 128  # added to the number of a signal that a program sent itself


class Failed(Exception):
    """It did not run, or not to its end: a sentence."""


def ran(*command, data=None, **how):
    """The command, run to its end; it ends before this process does, whatever ends that."""
    with subprocess.Popen([ROOT / "build/supervise", "-p", str(os.getpid()), *command], **how) as process:
        try:
            said, _ = process.communicate(data)
        except BaseException:
            process.terminate()  # not killed: it removes what it has made
            raise
    return subprocess.CompletedProcess(command, process.returncode, said)


def quoted(path):
    """A name in an option of QEMU, where a comma begins the next key."""
    return str(path).replace(",", ",,")


def cpuprobe(*words, errors=None):
    return ran(ROOT / "build/cpuprobe", *words, stdout=subprocess.PIPE, stderr=errors, text=True,
               errors="replace").stdout


def records(dump, *kinds):
    """The lines of the stream's records of these kinds; what a program wrote can be much."""
    with subprocess.Popen([ROOT / "build/supervise", "-p", str(os.getpid()), ROOT / "build/cpuprobe", "script", dump],
                          stdout=subprocess.PIPE, text=True, errors="replace") as script:
        return [line for line in script.stdout if line.startswith(kinds)]


class Run:
    """One program that ran: its stream, how it ended, and what was counted."""

    def __init__(self, options, program, brought):
        folder = pathlib.Path(brought.parent.name)  # in this one: no other part of its path is in what is printed
        self.program, self.brought, self.dump, self.blocks = program, brought, folder / "run", folder / "blocks"
        done = ran(*self.command(options, folder / "observed"), stdin=subprocess.DEVNULL)
        if done.returncode:
            raise Failed(f"{program} did not run to its end")
        self.read_end()

    def command(self, options, observed):
        words = [f"rate={options.rate}", f"seed={options.seed}", f"seconds={options.seconds}", "output=frames",
                 "health=off", "monitor=system,samples"]
        command = [ROOT / "tools/boot", "--shift", str(SHIFT), "--timeout", str(options.timeout), "-o", self.dump,
                   "--qemu-arg", "-m", "--qemu-arg", str(options.memory)]
        files = [*options.file, *([options.stdin] if options.stdin else [])]
        for file in files:
            command += ["--file", file]
        if options.stdin:
            words.append(f"stdin=file:{named(options.stdin)}")
        if options.count:
            command += ["--hwmon", f"out={quoted(observed)},blocks={quoted(self.blocks)}"]
        return [*command, "--task", self.brought, *options.argument, "--", *words]

    def read_end(self):
        """Where it was loaded, how it ended, what it asked for in vain,
        and its exact time at ring 3 and ring 0, ns."""
        found = records(self.dump, "PROCESS", "FAULT", "TEXT", "EXACT")
        said = [line for line in found if line.startswith("PROCESS")]
        if not said:
            refused = [line.split('text="', 1)[1].rsplit("\\x0a", 1)[0] for line in found if " severity=2 " in line]
            raise Failed("; ".join(refused) or f"the stream does not tell how {self.program} ended")
        *numbers, self.task = PROCESS.search(said[-1]).groups()
        row, self.base, self.state, self.status = map(int, numbers)
        self.missing = [(name or number, int(count)) for number, name, count in CALL.findall(said[-1])]
        self.threads = next((match[1] for line in found if (match := ONE_THREAD.search(line))), None)
        self.fault = next((match for line in found if (match := FAULT.search(line))), None)
        times = [match for line in found if (match := re.search(EXACT % row, line))]
        user, kernel, masked_user, masked_kernel = map(int, times[-1].groups()) if times else (0, 0, 0, 0)
        self.user, self.kernel = user + masked_user, kernel + masked_kernel

    def ended(self):
        if self.state == 1 and self.status > BY_SIGNAL:
            return f"ended itself by signal {self.status - BY_SIGNAL} ({signal_name(self.status - BY_SIGNAL)})"
        if self.state == 1:
            return f"exited with status {self.status}"
        if self.state == 2 and self.fault:
            pc, address, cause = self.fault.groups()
            return f"was ended by a fault: {cause} at {self.place(int(pc))}, address {int(address):#x}"
        return "was ended" if self.state == 2 else "had not ended"

    def place(self, pc):
        starts, names = executed.functions(self.program, self.base)
        before = [name for start, name in zip(starts, names) if start <= pc]
        return f"{pc:#x} ({before[-1]})" if before and starts[-1] + (1 << 20) > pc else f"{pc:#x}"

    def name(self):
        """Of its row in the table, which another row may have had first."""
        return self.task

    def samples(self):
        return json.loads(cpuprobe("stat", "--json", self.dump, errors=subprocess.DEVNULL))["samples"]

    def counts(self):
        """Instructions at ring 3 by function, and in all."""
        found = executed.by_function(self.blocks, self.program, self.base)
        found["total"] = sum(found.values())
        return found

    def is_stripped(self):
        return not executed.functions(self.program, self.base)[0]


def signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return "of no name"


def named(path):
    """What the image calls a file: as tools/boot does it."""
    return re.sub(r"[^A-Za-z0-9._+-]", "_", pathlib.Path(path).name)[:31]


def brought(folder, program, name):
    """The program in a folder of its own, by this name: two versions of it see the same one."""
    link = pathlib.Path(folder) / name
    link.parent.mkdir()
    link.symlink_to(program)
    return link.absolute()


def takes_plugin():
    """Whether this QEMU loads the plugin that counts."""
    return ran("qemu-system-x86_64", "-M", "none", "-nodefaults", "-display", "none", "-S", "-monitor", "stdio",
               "-plugin", f"file={quoted(ROOT / 'build/hlt_sync.so')}", data=b"quit\n", stdin=subprocess.PIPE,
               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
