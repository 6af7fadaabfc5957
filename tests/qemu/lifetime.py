#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Nothing that the tools start outlives them: each is ended in each way, and whatever it started has to be gone soon.

What a tool started carries a mark in its environment, so that it is known in whatever session and under whichever
parent it is.
"""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import uuid

import lib

MARK = "CPUPROBE_LIFETIME"
START, END = 100, 15  # seconds of wall time until the emulator runs, and until nothing is left
BOOT = ("tools/boot", "--door", "rom", "--timeout", "900")
ENDLESS = ("--", "seconds=0")
BOCHS = ("--emulator", "bochs")
SUPERVISORS = "supervise"


def living(mark):
    """Process: command line, of those that carry the mark and have not ended."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended
            if f"{MARK}={mark}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                found[int(folder.name)] = (
                    (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return found


def until(holds, seconds):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def pids(mark, name):
    """Of the processes with this program."""
    return [pid for pid, command in living(mark).items() if pathlib.Path(command.split(" ")[0]).name.startswith(name)]


def check_gone(checks, mark, what):
    gone = until(lambda: not living(mark), END)
    left = living(mark)
    checks.check(gone, f"{what}: nothing is left of it {[command[:60] for command in left.values()]}")
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def start(command, mark):
    return subprocess.Popen(command, cwd=lib.ROOT, env=dict(os.environ, **{MARK: mark}), stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def check(checks, what, command, number, *, emulator="qemu-system", victims=lambda tool, mark: [tool.pid]):
    """Start the tool, wait for its emulator, send the signal, and look for what is left."""
    mark = str(uuid.uuid4())
    tool = start(command, mark)
    what = f"{what}, {signal.Signals(number).name}"
    checks.check(until(lambda: pids(mark, emulator), START), f"{what}: its emulator runs")
    for pid in victims(tool, mark):
        os.kill(pid, number)
    check_gone(checks, mark, what)
    tool.wait()


def check_boot(checks):
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        check(checks, "tools/boot", (*BOOT, *ENDLESS), number)
        check(checks, "tools/boot -o", (*BOOT, "-o", "/dev/null", *ENDLESS), number)
    check(checks, "tools/boot, all supervisors at once", (*BOOT, *ENDLESS), signal.SIGKILL,
          victims=lambda _, mark: pids(mark, SUPERVISORS))
    if shutil.which("bochs"):
        for number in (signal.SIGTERM, signal.SIGKILL):
            check(checks, "tools/boot of Bochs", (*BOOT, *BOCHS, "-o", "/dev/null", *ENDLESS), number,
                  emulator="bochs")


def own_tree():
    """A tree in which tools can leave files: what was built by links, and a table of tests for itself."""
    tree = lib.folder() / "tree"
    (tree / "build").mkdir(parents=True, exist_ok=True)
    (tree / "tests/host").mkdir(parents=True, exist_ok=True)
    shutil.copy(lib.ROOT / "tests/run", tree / "tests/run")
    for name in ("tools", "build/supervise", "build/hlt_sync.so", "build/cpuprobe", "build/cpuprobe.elf",
                 "build/cpuprobe.rom"):
        (tree / name).unlink(missing_ok=True)
        (tree / name).symlink_to(lib.ROOT / name)
    return tree


def check_callers(checks):
    """What starts tools/boot: a tool, a test, the runner of tests."""
    test = "import sys; sys.path.insert(0, 'tests/qemu'); import lib; lib.boot('lifetime', 'seconds=0', timeout=900)"
    tree = own_tree()
    (tree / "tests/table").write_text(f"boot 900 short {' '.join(BOOT)} -o /dev/null {' '.join(ENDLESS)}\n")
    for number in (signal.SIGTERM, signal.SIGKILL):
        check(checks, "tools/build/run-figure3", (tree / "tools/build/run-figure3",), number)
        check(checks, "a test", (sys.executable, "-B", "-c", test), number)
        check(checks, "tests/run", (tree / "tests/run",), number)


def shell_at(mark):
    """tools/shell at a terminal of its own: its process, and the terminal's other end."""
    pid, terminal = os.forkpty()
    if pid == 0:
        os.chdir(lib.ROOT)
        os.execve("tools/shell", ["tools/shell"], dict(os.environ, **{MARK: mark}))
    return pid, terminal


def drain(terminal):
    """Read what it says, or it would stand still."""
    os.set_blocking(terminal, False)
    with contextlib.suppress(BlockingIOError):
        while os.read(terminal, 4096):
            pass


def check_shell(checks, what, end):
    mark = str(uuid.uuid4())
    pid, terminal = shell_at(mark)

    def runs():
        drain(terminal)
        return pids(mark, "qemu-system")

    checks.check(until(runs, START), f"tools/shell, {what}: its emulator runs")
    end(pid, terminal)
    gone = until(lambda: os.waitpid(pid, os.WNOHANG)[0] == pid, END)
    checks.check(gone, f"tools/shell, {what}: it ends")
    check_gone(checks, mark, f"tools/shell, {what}")
    with contextlib.suppress(OSError):
        os.close(terminal)


def check_shells(checks):
    check_shell(checks, "its terminal is closed", lambda pid, terminal: os.close(terminal))
    check_shell(checks, "Ctrl-]", lambda pid, terminal: os.write(terminal, b"\x1d"))
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGKILL):
        check_shell(checks, signal.Signals(number).name, lambda pid, _, number=number: os.kill(pid, number))


def main():
    checks = lib.Checks()
    check_boot(checks)
    check_callers(checks)
    check_shells(checks)
    checks.finish()


if __name__ == "__main__":
    main()
