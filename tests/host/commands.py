#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The command line of the host tool as one: short options, suggestions, help, examples, pager, progress,
colours, exit statuses.

What there is comes from `cpuprobe help --json`, so a new command is tested as soon as it has a row.
"""

import json
import os
import pathlib
import pty
import re
import select
import shutil
import socket
import subprocess
import sys
import tarfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402

TOOL = str(pathlib.Path(os.environ.get("CPUPROBE", lib.ROOT / "build/cpuprobe")).resolve())
MADE = {"dump": ("make_dump", "audit"), "before.dump": ("make_dump", "before"), "after.dump": ("make_dump", "after"),
        "monitors.dump": ("make_dump", "monitors"), "load.dump": ("make_dump", "load"),
        "calls.dump": ("make_dump", "calls"), "events.dump": ("make_events", "100"),
        "board.dump": ("make_dump", "survey"), "board2.dump": ("make_dump", "survey"),
        "port.dump": ("make_dump", "known-load")}
PORT = "/dev/ttyUSB0"
ENDS = {  # example: its exit status where it is not 0, and why
    "cpuprobe diff --fail-if '+0.5' before.dump after.dump": 4,
    "cpuprobe profile --symbols build/tasks calls.dump": 1,  # the run is made by rule: no program is its own
    "cpuprobe verify-port port.dump": 4,  # the table is made by rule, and not of the load
    "cpuprobe shell tasks=hog1": 2,  # it needs a terminal; tests/qemu/terminal.py has one
}
# their examples with a port need an image that answers: tests/qemu has those
BOARD = ("control", "zoom", "serve", "top")
STATUSES = {  # command line, by exit status; DUMP and so on are files of the folder
    0: ["{name} --help"],
    1: ["{name} {words} nothing-here"],
    2: ["{name} --no-such-thing-at-all"],
    3: ["{name} {words} cut.dump"],
}
WORDS = {"time": "--count 7", "export": "--format csv -o -", "diff": "dump", "kiviat": "--axes user,kernel,busy"}
# they read what is there of half a dump
CUT = ("stat", "histogram", "info", "script", "samples", "audit", "time", "diff")


def base45(data):
    """RFC 9285."""
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
    text = ""
    for i in range(0, len(data), 2):
        value, left = int.from_bytes(data[i:i + 2], "big"), 3 if i + 1 < len(data) else 2
        for _ in range(left):
            value, digit = divmod(value, 45)
            text += digits[digit]
    return text


def folder():
    """The files that examples name, a program among them, and half a dump."""
    place = lib.folder().resolve() / "files"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for name, words in MADE.items():
        made = subprocess.run([lib.ROOT / "build/host" / words[0], *words[1:]], stdout=subprocess.PIPE,
                              check=True).stdout
        (place / name).write_bytes(made)
    with tarfile.open(lib.ROOT / "tests/golden/streams.tar") as archive:
        archive.extract("log.dump", place)
    whole = (place / "dump").read_bytes()
    (place / "cut.dump").write_bytes(whole[:len(whole) // 2])
    (place / "code.txt").write_text(f"CPUPROBE1:{base45((place / 'board.dump').read_bytes())}\n")
    (place / "cpuprobe").symlink_to(TOOL)
    lib.build_primes(place / "primes")
    return place


def run(place, line, **more):
    env = {**os.environ, "PATH": f"{place}:{os.environ['PATH']}", **more}
    return subprocess.run(["bash", "-c", line], cwd=place, env=env, capture_output=True, text=True, timeout=60,
                          check=False, stdin=subprocess.DEVNULL, errors="replace")


def short_options(checks, commands):
    """A letter has one meaning, and an option one letter."""
    names, letters = {}, {}
    for command in commands:
        for option in command["options"]:
            if option["name"] and option["name"] != "usage":
                letters.setdefault(option["name"], set()).add(option["short"])
                if option["short"]:
                    names.setdefault(option["short"], set()).add(option["name"])
    many = {**{k: v for k, v in names.items() if len(v) > 1}, **{k: v for k, v in letters.items() if len(v) > 1}}
    checks.check(not many and "j" in names,
                 f"each of {len(names)} short options has one meaning in {len(commands)} commands {many or ''}")


def suggestions(checks, place, commands):
    for line, meant in (("sta dump", "stat"), ("histgoram dump", "histogram"), ("stat --exat dump", "--exact"),
                        ("stat --sort=usr dump", "user"), ("diff --by lien dump dump", "line"),
                        ("help audti", "audit")):
        done = run(place, f"cpuprobe {line}")
        checks.check(done.returncode == 2 and f"did you mean '{meant}'?" in done.stderr,
                     f"{line}: {done.stderr.splitlines()[:1]}")
    done = run(place, "cpuprobe xyzzy")
    checks.check(done.returncode == 2 and "did you mean" not in done.stderr,
                 "what is near to nothing gets no suggestion")
    wrong = [(c["name"], o["name"], value) for c in commands for o in c["options"] for value in o["choices"] or []
             if "is not a choice" in run(place,
                                         f"cpuprobe {c['name']} --{o['name']}={value} --no-such-thing-at-all").stderr]
    checks.check(not wrong, f"each value that a table names is taken {wrong or ''}")


def helps(checks, place, commands):
    for command in commands:
        name = command["name"]
        texts = [run(place, line).stdout for line in (f"cpuprobe {name} --help", f"cpuprobe {name} -h",
                                                      f"cpuprobe help {name}")]
        if command["script"]:
            checks.check(texts[0].startswith(f"usage: cpuprobe {name} ") and texts[0] == texts[1] == texts[2] and
                         command["examples"], f"{name}: --help, -h and help NAME print the usage of "
                                              f"{command['script']}, by the name that was typed")
            continue
        checks.check(texts[0] and texts[0] == texts[1] == texts[2] and command["examples"] and
                     all(f"\n  {example}\n" in texts[0] for example in command["examples"]),
                     f"{name}: --help, -h and help NAME, with examples")
        long = [line for line in texts[0].splitlines()
                if len(line.rstrip()) > 79 and "|" not in line and not line.startswith("  cpuprobe ")]
        checks.check("-h, --help" in texts[0] and not long,
                     f"{name}: its help lists -h and fits 80 columns {long[:1]}")
    texts = [run(place, f"cpuprobe {line}").stdout for line in ("--help", "-h", "help")]
    checks.check("\nCompare:\n" in texts[0] and max(len(line) for line in texts[0].splitlines()) < 80 and
                 texts[0] == texts[1] == texts[2], "--help, -h and help are the same")


def decoded(checks, place):
    """A code's text, also with the lines of a mail; what holds none; half of one."""
    text = (place / "code.txt").read_text()
    (place / "mail.txt").write_text("> Hello,\r\n\r\n" + "\r\n".join(re.findall(".{1,76}", text)) + "\r\n")
    (place / "half.txt").write_text(text[:10 + len(text) // 6 * 3])
    (place / "wrong.txt").write_text(text[:100] + "a" + text[100:])
    (place / "white.pgm").write_bytes(b"P5 100 100 255\n" + b"\xff" * 10000)
    wanted = run(place, "cpuprobe stat - <board.dump; echo; cpuprobe survey - <board.dump").stdout
    for line in ("code.txt", "mail.txt", "- <code.txt"):
        done = run(place, f"cpuprobe decode-screen {line}")
        checks.check(done.stdout == wanted, f"decode-screen {line}: what stat and survey print of the stream")
    run(place, "cpuprobe decode-screen -o screen.dump mail.txt")
    checks.check((place / "screen.dump").read_bytes() == (place / "board.dump").read_bytes(),
                 "decode-screen -o: the stream, byte for byte")
    found = "finds no code" if shutil.which("zbarimg") else "install zbarimg"
    for line, status, sentence in (("wrong.txt", 1, "no Base45"), ("white.pgm", 1, found), ("- <dump", 1, "no text"),
                                   ("half.txt", 3, "")):
        done = run(place, f"cpuprobe decode-screen {line}")
        checks.check(done.returncode == status and sentence in done.stderr,
                     f"decode-screen {line}: {done.returncode} {done.stderr.splitlines()[:1]}")


def serve_dump(place):
    """A socket that sends a dump, in place of a serial line."""
    path = str(place / "line")
    pathlib.Path(path).unlink(missing_ok=True)
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen()

    def send():
        peer = server.accept()[0]
        peer.sendall((place / "dump").read_bytes())
        peer.close()

    threading.Thread(target=send, daemon=True).start()
    return path


def examples(checks, place, commands):
    for command in commands:
        for example in command["examples"]:
            if command["name"] in BOARD and PORT in example:
                continue
            line = example.replace(PORT, serve_dump(place)) if PORT in example else example
            if line.startswith("cpuprobe record"):
                line = line.replace("-o dump", "-o recorded.dump")
            done = run(place, f"set -o pipefail; {line}")
            want = ENDS.get(example, 0)
            checks.check(done.returncode in (want, 141),
                         f"example: {example}" + ("" if done.returncode == want
                                                  else f": {done.returncode} {done.stderr[:200]}"))


def terminal(place, line, keys=b"", **more):
    """What a command shows on a terminal of 24 by 80."""
    child, master = pty.fork()
    if not child:
        os.chdir(place)
        env = {**os.environ, "PATH": f"{place}:{os.environ['PATH']}", "TERM": "xterm", **more}
        for gone in {"LESS", "NO_COLOR", "PAGER"} - set(more):
            env.pop(gone, None)
        os.execvpe("bash", ["bash", "-c", f"stty rows 24 cols 80; {line}"], env)
    shown, end = b"", time.monotonic() + 60
    sent = not keys
    while time.monotonic() < end:
        ready = select.select([master], [], [], 1)[0]
        if shown and not ready and not sent:
            os.write(master, keys)
            sent = True
        if ready:
            try:
                data = os.read(master, 65536)
            except OSError:
                break
            if not data:
                break
            shown += data
    status = os.waitpid(child, 0)[1]
    os.close(master)
    return shown.decode(errors="replace"), os.waitstatus_to_exitcode(status)


def pages(checks, place):
    pager = {"PAGER": "sed 's/^/paged /'"}
    shown, status = terminal(place, "cpuprobe stat dump", **pager)
    checks.check(status == 0 and "paged Percentage CPU" in shown,
                 f"a report on a terminal goes through $PAGER ({status})")
    shown, status = terminal(place, "cpuprobe stat cut.dump; echo status $?", **pager)
    checks.check("status 3" in shown and "paged cpuprobe: " in shown,
                 "so do messages, in their place; the exit status stays")
    shown, status = terminal(place, "cpuprobe stat dump; echo status $?", PAGER="nope-pager")
    checks.check("Percentage CPU" in shown and "the pager nope-pager (PAGER) cannot be executed" in shown and
                 "status 0" in shown, "a pager that is not there is told, and the report is shown without it")
    for line, more in (("cpuprobe --help", pager), ("cpuprobe stat --no-pager dump", pager),
                       ("cpuprobe stat dump | cat", pager), ("cpuprobe stat dump", {"PAGER": ""}),
                       ("cpuprobe stat dump", {**pager, "TERM": "dumb"})):
        shown = terminal(place, line, **more)[0]
        checks.check("paged" not in shown and "CPU" in shown,
                     f"no pager: {line} {' '.join(f'{k}={v!r}' for k, v in more.items() if k != 'PAGER' or not v)}")
    if shutil.which("less"):
        shown, status = terminal(place, "cpuprobe script dump; echo status $?", keys=b"q")
        checks.check("SNAPSHOT seq=" not in shown or shown.count("\n") < 60,
                     "less waits after a screenful, and 'q' ends it")
        shown, status = terminal(place, "cpuprobe time --count 7 dump; echo status $?")
        checks.check("status 0" in shown, "a report that fits on the screen does not wait")


def progress(checks, place):
    """A pipe that pauses for longer than a reading may be silent; the line goes away before the report."""
    # 1 s is silent, and a busy machine starts the tool late
    slow = "(head -c 1000 dump; sleep 2.5; tail -c +1001 dump) |"
    shown = terminal(place, f"{slow} cpuprobe stat -")[0]
    line = re.search(r"reading: 0 MB in \d+ s\r", shown)
    checks.check(line and "\r\x1b[K" in shown[line.end():shown.find("Percentage CPU")],
                 "a reading of more than a second tells how far it is")
    for line, why in ((f"{slow} cpuprobe stat - 2>errors; cat errors", "where messages go to a file"),
                      (f"{slow} cpuprobe script -", "beside lines that come meanwhile"),
                      ("cpuprobe stat dump", "of a short reading")):
        shown = terminal(place, line)[0]
        checks.check("reading" not in shown and ("CPU" in shown or "SNAPSHOT" in shown), f"no progress {why}")


def colours(checks, place):
    def coloured(text):
        return "\x1b[3" in text or "\x1b[9" in text

    for line, want, more in (("gantt events.dump", True, {}), ("gantt events.dump", False, {"NO_COLOR": "1"}),
                             ("gantt --color=never events.dump", False, {}),
                             ("gantt --color=always events.dump", True, {"NO_COLOR": "1"})):
        shown = terminal(place, f"cpuprobe {line}", PAGER="cat", **more)[0]
        checks.check(coloured(shown) == want,
                     f"{line} {more or ''}: {'colours' if want else 'no colours'} on a terminal")
    for line, want in (("gantt events.dump", False), ("gantt --color=always events.dump", True)):
        checks.check(coloured(run(place, f"cpuprobe {line}").stdout) == want,
                     f"{line}: {'colours' if want else 'no colours'} in a file")


def blocks(checks, place):
    """Pictures are of block characters where the locale writes them, else of ASCII."""
    lines = ("load events.dump", "gantt events.dump", "states --tree --classes 0=one:task=ROGUE events.dump")
    for line in lines:
        shown = {name: run(place, f"cpuprobe {line}", LC_ALL=name).stdout for name in ("C.UTF-8", "C")}
        checks.check(not shown["C.UTF-8"].isascii(), f"{line}: block characters where the locale is UTF-8")
        checks.check(shown["C"] and shown["C"].isascii(), f"{line}: ASCII in the locale C")
        checks.check(run(place, f"cpuprobe {line} --ascii", LC_ALL="C.UTF-8").stdout == shown["C"],
                     f"{line}: the ASCII is that of --ascii")


def statuses(checks, place, commands):
    for command in commands:
        name = command["name"]
        reads = (re.match(r"FILE|A B|PORT", command["arguments"]) and not command["script"] and
                 name not in ("serve", "top"))
        for status, lines in STATUSES.items():
            if (status == 1 and not reads) or (status == 3 and name not in CUT):
                continue
            if status == 1 and name in ("record", "control", "zoom"):
                lines = {"record": ["record nothing-here -o x"], "control": ["control nothing-here status"],
                         "zoom": ["zoom nothing-here"]}[name]
            for line in lines:
                line = line.format(name=name, words=WORDS.get(name, ""))
                done = run(place, f"cpuprobe {line}")
                checks.check(done.returncode == status and (status == 0 or done.stderr),
                             f"exit status {status}: {line}" + ("" if done.returncode == status
                                                                else f": {done.returncode} {done.stderr[:200]}"))
    for line in ("stat --strict cut.dump", "histogram --strict cut.dump", "diff --fail-if any before.dump after.dump",
                 "compare --strict cut.dump"):
        checks.check(run(place, f"cpuprobe {line}").returncode == 4, f"exit status 4: {line}")


def main():
    checks = lib.Checks()
    place = folder()
    commands = json.loads(run(place, "cpuprobe help --json").stdout)["commands"]
    short_options(checks, commands)
    suggestions(checks, place, commands)
    helps(checks, place, commands)
    examples(checks, place, commands)
    decoded(checks, place)
    pages(checks, place)
    progress(checks, place)
    blocks(checks, place)
    colours(checks, place)
    statuses(checks, place, commands)
    checks.finish()


main()
