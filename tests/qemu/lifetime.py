#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Nothing that the tools start outlives them: each is ended in each way, and whatever it started has to be gone soon.

The temporary folders go too: at once where a signal can be handled, by the next start where not.  With a number of
moments as its argument only those are tried.  What a tool started carries a mark in its environment, so that it is
known in whatever session and under whichever parent it is.
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
ENDINGS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
MOMENTS = (0.05, 0.25)  # seconds of wall time after the start; what was reached by then is another each time
ODD = "t,x=1 'y\";$(touch TOUCHED)"


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


def temporary():
    """Where the tools make their folders; its name is not for a shell."""
    path = lib.folder().resolve() / ODD
    path.mkdir(exist_ok=True)
    return path


def environment(mark):
    return dict(os.environ, **{MARK: mark}, TMPDIR=str(temporary()))


def check_folders(checks, what):
    left = [path.name for path in temporary().iterdir()]
    checks.check(not left, f"{what}: no folder is left {left}")


def start(command, mark):
    return subprocess.Popen(command, cwd=lib.ROOT, env=environment(mark), stdin=subprocess.DEVNULL,
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
    if number != signal.SIGKILL:
        check_folders(checks, what)


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


def endless():
    """A program that ends only by what ends its machine."""
    program = lib.folder().resolve() / "endless"
    subprocess.run(["gcc", "-static", "-x", "c", "-", "-o", program], input=b"int main(void) { for (;;); }",
                   check=True)
    return program


def check_run(checks):
    """tools/run while its emulator runs."""
    for number in ENDINGS:
        check(checks, "tools/run", ("tools/run", "--timeout", "900", endless()), number)


def check_moments(checks, moments):
    """Each script at these times after its start; the start behind that of SIGKILL removes what it left."""
    primes = lib.folder().resolve() / "primes"
    lib.build_primes(primes)
    for command in ((*BOOT, *ENDLESS), ("tools/run", "--timeout", "900", primes)):
        for moment in moments:
            for number in reversed(ENDINGS):
                check_moment(checks, command, moment, number)
    for moment in moments:
        for number in reversed(ENDINGS):
            check_shell(checks, f"{signal.Signals(number).name} after {moment:.2f} s",
                        lambda pid, _, number=number: os.kill(pid, number), wait=moment)
    subprocess.run(("tools/boot", "--door", "rom", "--", "seconds=1"), cwd=lib.ROOT, env=environment("none"),
                   stdout=subprocess.DEVNULL, check=False)
    check_folders(checks, "the next start")


def check_moment(checks, command, moment, number):
    mark = str(uuid.uuid4())
    tool = start(command, mark)
    time.sleep(moment)
    tool.send_signal(number)
    what = f"{command[0]}, {signal.Signals(number).name} after {moment:.2f} s"
    check_gone(checks, mark, what)
    tool.wait()


def check_left(checks):
    """A folder of one that has ended goes with the next start; one of who lives, and any other, stays."""
    folder = temporary()
    maker = subprocess.Popen((lib.ROOT / "build/supervise", "-d", str(os.getpid())), stdout=subprocess.PIPE,
                             env=environment("none"))
    own = pathlib.Path(os.fsdecode(maker.communicate()[0][:-1]))
    begun = own.name.split("-")
    ended = folder / "-".join((*begun[:3], str(int(begun[3]) + 1), begun[4]))
    others = [folder / name for name in ("cpuprobe-notes", "-".join(("cpuprobe", "1", *begun[2:])))]
    for path in (ended / "a/b", *others):
        path.mkdir(parents=True)
    subprocess.run(("tools/boot", "--door", "rom", "--", "seconds=1"), cwd=lib.ROOT, env=environment("none"),
                   stdout=subprocess.DEVNULL, check=False)
    there = sorted(folder.iterdir())
    checks.check(there == sorted((own, *others)), f"the next start removes what an ended owner left, and no other "
                                                  f"{[path.name for path in there]}")
    for path in there:
        path.rmdir()


def check_names(checks):
    """Names that begin with a dash, or have what QEMU and a shell take apart."""
    folder = lib.folder().resolve() / "names"
    folder.mkdir(exist_ok=True)
    (folder / "-f").write_text("text")
    for name in ("-x", "a,b'c\"$(touch TOUCHED)"):
        shutil.copy(lib.folder() / "primes", folder / name)
        for words in (("boot", "--door", "rom", "--file", name, "-o", "-v.dump", "--", "seconds=1"),
                      ("boot", "--door", "multiboot", "-o", "-v.dump", "--task", name),
                      ("run", "--file", "-f", "--stream", "-v.dump", "-o", "-v.html", "--", name)):
            (folder / "-v.dump").unlink(missing_ok=True)
            done = subprocess.run(lib.supervised(lib.ROOT / "tools" / words[0], *words[1:]), cwd=folder,
                                  env=environment("none"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, check=False)
            checks.check(done.returncode == 0 and (folder / "-v.dump").is_file(),
                         f"tools/{words[0]} with {name!r}: status {done.returncode} {done.stderr.strip()}")
    mark = str(uuid.uuid4())
    boot = start((*BOOT, "--socket", folder / "p,logfile=x", *ENDLESS), mark)
    checks.check(until((folder / "p,logfile=x").is_socket, START) and not (folder / "x").exists(),
                 "tools/boot: a comma in the name of --socket begins no option of QEMU")
    lib.end(boot)
    refused = subprocess.run((*BOOT, *BOCHS, "--cpu", "corei7_icelake_u\nlog: x", *ENDLESS), cwd=lib.ROOT,
                             env=environment("none"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    checks.check(refused.returncode == 2, f"tools/boot: no line of --cpu is one for Bochs {refused.stderr!r}")
    checks.check(not [*lib.folder().rglob("TOUCHED"), *lib.ROOT.glob("TOUCHED")], "no name is executed")


def shell_at(mark):
    """tools/shell at a terminal of its own: its process, and the terminal's other end."""
    pid, terminal = os.forkpty()
    if pid == 0:
        os.chdir(lib.ROOT)
        os.execve("tools/shell", ["tools/shell"], environment(mark))
    return pid, terminal


def drain(terminal):
    """Read what it says, or it would stand still."""
    os.set_blocking(terminal, False)
    with contextlib.suppress(BlockingIOError):
        while os.read(terminal, 4096):
            pass


def check_shell(checks, what, end, wait=None):
    """Ended when its emulator runs, or after so many seconds."""
    mark = str(uuid.uuid4())
    pid, terminal = shell_at(mark)

    def runs():
        drain(terminal)
        return pids(mark, "qemu-system")

    if wait is None:
        checks.check(until(runs, START), f"tools/shell, {what}: its emulator runs")
    else:
        time.sleep(wait)
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
    if sys.argv[1:]:
        check_moments(checks, [0.02 * 2 ** n for n in range(int(sys.argv[1]))])
        checks.finish()
    check_boot(checks)
    check_callers(checks)
    check_run(checks)
    check_shells(checks)
    check_moments(checks, MOMENTS)
    check_left(checks)
    check_names(checks)
    checks.finish()


if __name__ == "__main__":
    main()
