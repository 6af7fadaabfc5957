#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""No command of the host tool loses a dump: what is there stays, what could not be written is not called written."""

import fcntl
import os
import pathlib
import pty
import resource
import select
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402

TOOL = os.environ.get("CPUPROBE", lib.ROOT / "build/cpuprobe")
GUARD = 100  # seconds of wall time for what ends by itself
PAUSE = 6    # seconds for which a reader pauses: more than a line may (tools/stream/port.c, WRITE_MS)
LINES = ("zoom", "control")


def made(kind):
    """A dump of this kind, in a file of its own."""
    path = lib.folder() / f"{kind}.made"
    with path.open("wb") as to:
        subprocess.run([lib.ROOT / "build/host/make_dump", kind], stdout=to, check=True)
    return path


def tool(*arguments, how=None, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE):
    return subprocess.run([TOOL, *arguments], stdin=stdin, stdout=stdout, stderr=stderr, preexec_fn=how,
                          timeout=GUARD, check=False)


def said(done):
    return (done.stderr or b"").decode(errors="replace").strip()


def check_talk(checks, run):
    """A command is not written over a dump, nor into what else is no line."""
    fifo = lib.folder() / "fifo"
    fifo.unlink(missing_ok=True)
    os.mkfifo(fifo)
    whole = run.read_bytes()
    for command in LINES:
        for path, what in ((run, "is a file"), (fifo, "is a pipe"), (lib.folder(), "is a folder"),
                           (pathlib.Path("/dev/null"), "")):
            done = tool(command, "-t", "1", path, *(["status"] if command == "control" else []))
            checks.check(done.returncode == 1 and what in said(done),
                         f"{command} {path.name}: {done.returncode} {said(done)}")
        checks.check(run.read_bytes() == whole, f"{command} left the dump as it was")


def check_readerless(checks, run):
    """A pipe that nobody reads is waited for with a limit."""
    fifo = lib.folder() / "fifo"
    begin = time.monotonic()
    done = tool("control", "-o", fifo, run, "status")
    checks.check(done.returncode == 1 and "nobody has opened" in said(done) and time.monotonic() - begin >= 9,
                 f"control -o FIFO without a reader: {done.returncode} {said(done)}")


def check_record(checks, run):
    """What exists is kept until there is something to replace it by, and that was asked for."""
    kept = lib.folder() / "kept"
    whole = run.read_bytes()
    kept.write_bytes(b"last week's")

    def refused(name, words, *arguments, stdin=subprocess.DEVNULL):
        done = tool("record", *arguments, "-o", kept, stdin=stdin)
        checks.check(done.returncode == 1 and words in said(done), f"{name}: {done.returncode} {said(done)}")
        checks.check(kept.read_bytes() == b"last week's", f"{name}: what was there is there")

    refused("a file that exists", "--force", run)
    refused("a file that exists, from a pipe", "has 11 bytes", "-")
    refused("no such port", "cannot be opened", "--force", "/no/such/port")
    refused("a port that is empty", "the line ended", "--force", "-")
    refused("a line of silence", "no byte arrived for 1 seconds", "--force", "--timeout", "1", "-",
            stdin=os.pipe()[0])
    refused("the same file", "is the source of the stream", "--force", kept)
    with kept.open("rb") as itself:
        refused("the same file by standard input", "is the source of the stream", "--force", "-", stdin=itself)
    link = lib.folder() / "link"
    link.unlink(missing_ok=True)
    link.symlink_to(kept.resolve())
    refused("the same file by another name", "is the source of the stream", "--force", link)
    with kept.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        refused("a file that another recorder writes", "another recorder", "--force", run)
    done = tool("record", "--force", run, "-o", kept)
    checks.check(done.returncode == 0 and kept.read_bytes() == whole,
                 f"--force replaces all of it: {done.returncode} {said(done)}")
    kept.write_bytes(b"")
    done = tool("record", run, "-o", kept)
    checks.check(done.returncode == 0 and kept.read_bytes() == whole, "an empty file is there to be written")


def check_two(checks, run):
    """Two recorders into one file: the second is refused, the first is whole."""
    path, whole = lib.folder() / "two-recorders", run.read_bytes()
    path.unlink(missing_ok=True)
    first = subprocess.Popen([TOOL, "record", "-", "-o", path], stdin=subprocess.PIPE)
    first.stdin.write(whole[:1000])
    first.stdin.flush()
    until = time.monotonic() + GUARD
    while not (path.exists() and path.stat().st_size) and time.monotonic() < until:
        time.sleep(0.02)
    second = tool("record", run, "-o", path)
    first.communicate(whole[1000:], timeout=GUARD)
    checks.check(second.returncode == 1 and "another recorder" in said(second),
                 f"the second: {second.returncode} {said(second)}")
    checks.check(first.returncode == 0 and path.read_bytes() == run.read_bytes(), f"the first: {first.returncode}")


def reports(raw, log):
    """Every command that prints, with a file that it has something to say of."""
    task = ("--task", "ROGUE")
    for command in (("stat", raw), ("stat", "--json", raw), ("info", raw), ("script", raw),
                    ("samples", raw), ("audit", raw), ("transitions", log), ("histogram", *task, raw),
                    ("histogram", "--by", "function", *task, raw),
                    ("diff", *task, raw, raw), ("time", "--count", "5", *task, raw),
                    ("time", "--hits", "3500", "--rate", "960", "--count", "10000"), ("--help",), ("stat", "--help"),
                    ("--version",)):
        yield command


def check_output(checks, raw, log):
    """A full disk and a standard output that is closed are no success, whichever command prints."""
    with open("/dev/full", "wb") as full:
        for command in reports(raw, log):
            name = " ".join(map(str, command[:2])).replace(str(raw), "").replace(str(log), "").strip()
            usual = tool(*command)
            checks.check(usual.returncode in (0, 3, 4) and usual.stdout, f"{name} as a rule: {usual.returncode}")
            for where, done in (("full", tool(*command, stdout=full)),
                                ("closed", tool(*command, stdout=None, how=lambda: os.close(1)))):
                checks.check(done.returncode == 1 and "standard output cannot be written" in said(done),
                             f"{name}, standard output {where}: {done.returncode} {said(done)}")
    limit = lib.folder() / "limit"
    with limit.open("wb") as to:  # a disk that fills in mid-report
        done = tool("samples", raw, stdout=to, how=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                                                            resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))))
    checks.check(done.returncode == 1 and limit.stat().st_size == 5000,
                 f"a disk that fills: {done.returncode} {said(done)}")


def check_record_output(checks, run):
    """A recording that does not fit is not called whole; progress does not get into it where standard error is
    closed."""
    path = lib.folder() / "closed-error"
    path.unlink(missing_ok=True)
    with run.open("rb") as line:
        done = tool("record", "-p", "-", "-o", path, stdin=line, stderr=None, how=lambda: os.close(2))
    checks.check(done.returncode == 0 and path.read_bytes() == run.read_bytes(),
                 f"standard error closed: {done.returncode}")
    done = tool("record", "-o", "-", "-", stdout=None, how=lambda: os.close(1))
    checks.check(done.returncode == 1, f"standard output closed: {done.returncode} {said(done)}")
    done = tool("record", "-p", run, "-o", "/dev/full")
    checks.check(done.returncode == 3 and "/dev/full cannot be written: No space" in said(done),
                 f"a full disk: {done.returncode}")
    for closed in ((0,), (0, 1), (0, 1, 2)):
        path.unlink()
        done = tool("record", "-p", run, "-o", path, stdout=None, stderr=None,
                    how=lambda: [os.close(d) for d in closed])
        checks.check(done.returncode == 0 and path.read_bytes() == run.read_bytes(),
                     f"closed {closed}: {done.returncode}")
    done = tool("stat", "-", stdin=None, how=lambda: os.close(0))
    checks.check(done.returncode == 1, f"standard input closed: {done.returncode} {said(done)}")


def check_pause(checks, big):
    """A reader of `record -o -` may pause; a signal and --seconds reach the recorder all the same."""
    whole = big.read_bytes()

    def begin(*arguments):
        with big.open("rb") as line:
            return subprocess.Popen([TOOL, "record", *arguments, "-o", "-", "-"], stdin=line, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE)

    pausing, hung, bounded = begin(), begin(), begin("--seconds", "2")
    time.sleep(PAUSE)
    select.select([hung.stdout], [], [], GUARD)  # it writes: who had not begun would know of no signal
    hung.send_signal(signal.SIGHUP)
    for name, process, words in (("SIGHUP", hung, b"the terminal hung up"),
                                 ("--seconds", bounded, b"the 2 seconds are over")):
        checks.check(process.wait(timeout=GUARD) == 3 and words in process.stderr.read(),
                     f"a paused reader and {name}: {process.returncode}")
        process.communicate()
    out, err = pausing.communicate(timeout=GUARD)
    checks.check(pausing.returncode == 0 and out == whole,
                 f"after {PAUSE} s all of {len(whole)} bytes: {pausing.returncode} {len(out)} {err}")


def check_hang_up(checks, hello):
    """SIGHUP ends a recording with a sentence and a good file, unless it is ignored as by nohup."""
    for ignored in (False, True):
        path = lib.folder() / "hung-up"
        path.unlink(missing_ok=True)
        master, slave = pty.openpty()
        recorder = subprocess.Popen([TOOL, "record", os.ttyname(slave), "-o", path], stderr=subprocess.PIPE,
                                    preexec_fn=lambda: signal.signal(signal.SIGHUP,
                                                                     signal.SIG_IGN if ignored else signal.SIG_DFL))
        until = time.monotonic() + GUARD
        while (not path.exists() or path.stat().st_size < hello.stat().st_size) and time.monotonic() < until:
            if not path.exists() or not path.stat().st_size:
                os.write(master, b"\0\0" if path.exists() else b"")
            time.sleep(0.2)
            if path.exists() and path.stat().st_size:
                os.write(master, hello.read_bytes())
        recorder.send_signal(signal.SIGHUP)
        if ignored:
            time.sleep(0.5)
            checks.check(recorder.poll() is None, "under nohup it goes on")
            recorder.send_signal(signal.SIGTERM)
        err = recorder.communicate(timeout=GUARD)[1].decode()
        checks.check(recorder.returncode == 3 and ("interrupted" if ignored else "hung up") in err,
                     f"SIGHUP: {recorder.returncode} {err.strip()}")
        os.close(master)
        os.close(slave)


def main():
    checks = lib.Checks()
    run, raw, log = made("run"), made("raw"), made("changes")
    check_talk(checks, run)
    check_readerless(checks, run)
    check_record(checks, run)
    check_two(checks, run)
    check_output(checks, raw, log)
    check_record_output(checks, run)
    check_pause(checks, made("long"))
    check_hang_up(checks, made("hello"))
    checks.finish()


main()
