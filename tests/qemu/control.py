#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The host's commands: each is done once and answered, whatever becomes of the line, of the host or of the board."""

import re
import subprocess
import time

import frames
import lib
import qmp
from link import Link

WORDS = "tasks=figure3 seconds=0 seed=1"
# Its time does not jump, and takes seconds of the host's for one:
# a frame that is handed over in pieces is not a second old.
BUSY, BUSY_SHIFT = "tasks=spin seconds=0 seed=1", 0
ENDS = 60  # seconds of wall time to stay for a run that is about to end
SNAPSHOTS = 5
RESETS = ("--qemu-arg", "-action", "--qemu-arg", "reboot=reset")  # or QEMU ends
PASSED = 0.3  # seconds in which QEMU has read what was written to it; the same is said where it has not
DONE, REFUSED, OTHER_BOOT, OLD = range(4)
NOT_FOR_A_HOST, ENDING = ("pat", "plt", "mps", "top", "page", "exit", "quit", "?"), ("end", "reboot", "output")
OF_EVENTS = ("pause", "continue", "dump")  # monitor=events
COMMANDS = (  # line, exit status, what is said
    ("status", 0, "window: "),
    ("ps", 0, "ROGUE "),
    ("tasks", 0, "ROGUE "),
    ("help", 0, "reboot"),
    ("health", 0, "pit: "),
    ("bogus", 4, "unknown command 'bogus'"),
    ("rate=0", 4, "out of range"),
    ("pat -sec 1", 4, "only the shell"),
    ("tick 500 random", 0, ""),
    ("tick", 0, "rate=500"),
    ("tick 500 random", 4, "they are in force already"),
    ("regions add ROGUE:user:0-0200000", 0, ""),
    ("regions add NOBODY:user:0-0200000", 4, "no task is called NOBODY"),
    ("regions", 0, "1  ROGUE:user:"),
    ("start samples", 0, ""),
    ("set", 0, "monitor=system,region,samples"),
    ("stop samples region", 0, ""),
    ("monitor=system,idletask", 4, "needs its task"),
    ("regions remove 1", 4, "no such region"),
    ("tick slu", 4, "is not paced"),
    ("snapshot", 0, ""),
    ("seconds=100000", 0, ""),
)


def examples():
    """The commands that docs/CONTROL.md shows, but for those of the shell alone and those that end the run."""
    page = (lib.ROOT / "docs/CONTROL.md").read_text()
    lines = re.findall(r"^    cpuprobe control (?:-\S+ \S+ )*/dev/ttyUSB0 ([^#\n]*?) *(?:#.*)?$", page, re.M)
    for cell in re.findall(r"^\| (`.*?`) \| ", page, re.M):
        lines += re.findall(r"`([^`]+)`", cell)
    return [line for line in lines if line.split()[0] not in NOT_FOR_A_HOST and line.split()[0] not in ENDING]


def check_page(checks):
    """Each example of the page is accepted by the image as it starts,
    those of the event monitor by one that has it."""
    found = examples()
    checks.check(len(found) > 10, f"CONTROL.md shows {len(found)} commands")
    for number, line in enumerate(found):
        words = "seed=1 monitor=system,events buffer=overwrite" if line in OF_EVENTS else "seed=1"
        with Link(f"page{number}", words) as link:
            out, err, code, _ = link.control(*line.split())
            checks.check(code == 0 or "in force already" in err, f"CONTROL.md, {line!r}: {code} {err.strip()[:90]}")


def check_commands(checks):
    """Every kind of command, one attachment after the other, and in one attachment;
    all of the stream of each is whole."""
    with Link("commands", WORDS) as link:
        for line, status, says in COMMANDS:
            out, err, code, _ = link.control(*line.split())
            checks.check(code == status and says in (err if status else out),
                         f"{line!r}: {code} {(err or out).strip()[:90]!r}")
        shown = subprocess.run([lib.ROOT / "build/cpuprobe", "ps", link.path], capture_output=True, text=True,
                               check=False, timeout=ENDS)
        rows = set(shown.stdout.split())
        checks.check(shown.returncode == 0 and {"ROGUE", "PROBE", "IDLE"} <= rows,
                     f"ps PORT: the image's own table, {shown.returncode} {sorted(rows)[:9]} {shown.stderr.strip()}")
        listed = {line.split()[0] for line in link.control("help")[0].splitlines() if line.strip()}
        refused = sorted(listed & {"pat", "plt", "mps", "top", "page"})
        checks.check({"ps", "tick", "end"} <= listed and not refused,
                     f"help lists no command that is refused: {refused}")
        out, err, code, dump = link.control("-", lines="tick 800\nstatus\ntick 900\nbogus\nend\n",
                                            options=("--stay", str(ENDS)))
        epochs = lib.host("info", dump)[0]
        checks.check(code == 4 and "tick: pit at 800 Hz" in out and "bogus" in err, f"a line at a time: {code}")
        checks.check("missing    0 frames" in epochs and ", 0 damaged" in epochs and epochs.count("\nepoch ") >= 3,
                     "each change began an epoch; nothing of the stream is missing")
        ends = [head["reason"] for head, _ in lib.records(dump, "END")]
        checks.check(ends[-3:] == ["the words were changed"] * 2 + ["complete"], f"the ends told why: {ends}")
        checks.check(link.process.wait(timeout=ENDS) == lib.COMPLETE, "and the run ended well")


def kinds(dump):
    """The records of a dump, in order: (kind, fields)."""
    for line in lib.host("script", dump)[0].splitlines():
        yield line.partition(" ")[0], lib.fields(line.partition(" { ")[0])


def check_snapshots(checks):
    """Snapshots that are asked for: each follows its answer, faster than they come by themselves, once a second."""
    with Link("snapshots", BUSY, shift=BUSY_SHIFT) as link, link.connect() as hand:
        hand.await_records("SNAPSHOT", lambda s: s)
        hand.send(b"".join(frames.command("snapshot", session=7, number_=n + 1) for n in range(SNAPSHOTS)))
        hand.await_records("ANSWER", lambda a: len(a) == SNAPSHOTS)
        hand.end(session=8)
    found = list(kinds(hand.dump))
    clock_hz = next(head["clock_hz"] for kind, head in found if kind == "HELLO")
    own = [(kind, head) for kind, head in found if kind in ("ANSWER", "SNAPSHOT")]
    answered = [i for i, (kind, head) in enumerate(own) if kind == "ANSWER" and head["session"] == 7]
    follows = [own[i + 1] for i in answered]
    checks.check([kind for kind, _ in follows] == ["SNAPSHOT"] * SNAPSHOTS,
                 f"a record follows each of {len(follows)} answers")
    seconds = (follows[-1][1]["made"] - follows[0][1]["made"]) / clock_hz if len(answered) == SNAPSHOTS else 0
    checks.check(0 < seconds < SNAPSHOTS - 2, f"{SNAPSHOTS} snapshots within {seconds:.3f} s")


def answers(found):
    return [(a["id"], a["status"], a["repeated"]) for a in found]


def check_once(checks):
    """A command that comes twice, damaged, or late."""
    with Link("once", BUSY, shift=BUSY_SHIFT) as link, link.connect() as hand:
        def command(line, number_, **more):
            return frames.command(line, session=7, number_=number_, **more)

        hand.send(command("tick 500", 1))
        hand.await_records("ANSWER", lambda a: len(a) == 1)
        hand.send(command("tick 500", 1))  # as if its answer had been lost
        found = hand.await_records("ANSWER", lambda a: len(a) == 2)
        checks.check(answers(found) == [(1, DONE, 0), (1, DONE, 1)], f"answered twice, done once: {answers(found)}")
        damaged = bytearray(command("tick 600", 2))
        damaged[9] ^= 4
        hand.send(bytes(damaged))
        hand.send(command("tick 600", 2)[1:])  # its first zero is lost as well
        hand.await_records("ANSWER", lambda a: len(a) == 3)
        hand.send(command("tick 500", 1))
        hand.send(command("tick 700", 3, boot=12345))
        found = hand.await_records("ANSWER", lambda a: len(a) == 5)
        checks.check(answers(found)[2:] == [(2, DONE, 0), (1, OLD, 0), (3, OTHER_BOOT, 0)],
                     f"damaged: not done; again: done; old and another boot's: not done: {answers(found)}")
        told = hand.await_records("RECEIVED", lambda r: r and r[-1]["commands"] == 5)[-1]
        checks.check((told["damaged"], told["repeated"], told["refused"]) == (1, 1, 2), f"each counted: {told}")
        rates = [h["words"].split(" rate=")[1].split()[0] for h, _ in lib.records(hand.dump, "HELLO")]
        checks.check([r for i, r in enumerate(rates) if rates[i - 1:i] != [r]] == ["120", "500", "600"],
                     "the rate went from 120 to 500 to 600, each once")


def check_silent_host(checks):
    """A host that goes silent in mid-command and is gone; another one comes."""
    with Link("silent", WORDS) as link:
        with link.connect() as hand:
            hand.await_records("HELLO")
            hand.send(frames.command("tick 500", session=7, number_=1)[:-4])
            found = hand.await_records("TEXT", lambda texts: any("not ended within" in t["text"] for t in texts))
            checks.check(any("not ended within a second" in t["text"] for t in found),
                         f"it is told: {[t['text'] for t in found]}")
            told = hand.await_records("RECEIVED", lambda r: r and r[-1]["cut"])
            checks.check(told and told[-1]["cut"] == 1, "it is counted")
        out, err, code, _ = link.control("tick")
        checks.check(code == 0 and "rate=120" in out,
                     f"nothing of it was done, and the next host is answered: {code} {err}")


def check_reset(checks):
    """A board that resets between two commands of one session: the second is not done and that is said."""
    with Link("reset", WORDS, options=RESETS) as link:
        out, err, code, dump = link.control("-", lines="tick 500\nreboot\ntick 700\n")
        checks.check(code == 3 and "the board was reset" in err, f"it is said: {code} {err.strip()!r}")
        out, err, code, _ = link.control("tick")
        checks.check(code == 0 and "rate=120" in out, f"the new boot has its own words: {out.split()[:2]}")
        boots = {head["boot"] for head, _ in lib.records(dump, "ANSWER")}
        checks.check(len(boots) == 2, "the two boots have two names")


def check_reset_within(checks):
    """A board that resets with a command on its way: what the new boot is sent of it, it does not do."""
    path = lib.folder() / "within.qmp"
    path.unlink(missing_ok=True)
    with Link("within", WORDS, options=(*RESETS, *qmp.options(path))) as link:
        command = [lib.ROOT / "build/cpuprobe", "control", "-o", link.kept(), link.path, "-"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors="replace") as host, qmp.Qmp(path) as machine:
            host.stdin.write("tick\n")
            host.stdin.flush()
            attached = host.stdout.readline()
            machine.do("stop")
            host.stdin.write("tick 500\n")
            host.stdin.flush()
            time.sleep(PASSED)
            machine.do("system_reset")
            machine.do("cont")
            _, err = host.communicate()
        checks.check("rate=120" in attached, f"the host was attached: {attached.strip()}")
        said = host.returncode == 3 and "this boot has not executed the command" in err
        checks.check(said, f"it is said: {host.returncode} {err.strip()!r}")
        out, err, code, _ = link.control("tick")
        checks.check(code == 0 and "rate=120" in out, f"and so it is: {code} {err}")


def check_break(checks):
    """The line stands at break in the middle of a command: it is damaged, counted, and done when it comes again."""
    path = lib.folder() / "break.qmp"
    path.unlink(missing_ok=True)
    with Link("break", BUSY, shift=BUSY_SHIFT,
              options=qmp.options(path)) as link, link.connect() as hand, qmp.Qmp(path) as machine:
        hand.await_records("HELLO")
        whole = frames.command("tick 500", session=7, number_=1)
        hand.send(whole[:9])
        hand.await_taken()
        machine.do("chardev-send-break", id="line")
        hand.send(whole[9:])
        told = hand.await_records("RECEIVED", lambda r: r and r[-1]["damaged"])[-1]
        counts = [told[name] for name in ("breaks", "damaged", "commands", "framing")]
        checks.check(counts == [1, 1, 0, 0], f"told: {told}")
        hand.send(whole)
        found = hand.await_records("ANSWER", lambda a: a)
        checks.check(answers(found) == [(1, DONE, 0)], f"again, and done: {answers(found)}")
        hand.end(session=8)
        texts = [head["text"] for head, _ in lib.records(hand.dump, "TEXT")]
        checks.check(any("the line stood at break 1 times" in text for text in texts), "and said at the end")


def check_outputs(checks):
    """From frames to text, and back, whether a shell is open or not."""
    with Link("outputs", WORDS) as link:
        with link.connect() as hand:
            hand.ask("output text", session=1)
            checks.check(hand.await_text(b"from here on"), "text from here on")
        out, err, code, _ = link.control("output", "frames")
        checks.check(code == 0, f"frames again: {code} {err}")
        out, err, code, _ = link.control("output", "text")
        checks.check(code == 0, f"text again: {code} {err}")
        with link.connect() as hand:
            hand.send(b"\rstatus\r")
            checks.check(hand.await_text(b"cpuprobe> "), "a person finds the shell")
        out, err, code, _ = link.control("output", "frames")
        checks.check(code == 0, f"frames again, with the shell open: {code} {err}")
        out, err, code, _ = link.control("status")
        checks.check(code == 0 and "window" in out, "and commands are answered")


def main():
    checks = lib.Checks()
    for check in (check_page, check_commands, check_snapshots, check_once, check_silent_host, check_break,
                  check_reset, check_reset_within, check_outputs):
        check(checks)
    checks.finish()


if __name__ == "__main__":
    main()
