#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""cpuprobe export: each format is well-formed and has all samples, whatever functions are called,
and whatever is lost.

Symbols have names with the signs that formats use: quotes, semicolons, line feeds, markup, bytes that are no UTF-8.
"""

import csv
import gzip
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tarfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import frames  # noqa: E402
import lib  # noqa: E402
from byte_noise import RATES as NOISE, noisy  # noqa: E402

TOOL = os.environ.get("CPUPROBE", lib.ROOT / "build/cpuprobe")
NAMES = (b'a;b "c" \\', b"(1) x", b"</script><b>&", b"l\nfn=m", b'\351\377,"",$end')
SHOWN = ('a;b "c" \\', '(1) x', '</script><b>&', 'l?fn=m', '??,"",$end')
SUMS = ("pprof", "folded", "speedscope", "callgrind", "csv")
OVER_TIME = ("chrome", "perfetto", "firefox", "vcd", "jsonl")
JSON = ("speedscope", "chrome", "firefox")
TIMED = ("perf", "perfdata", *OVER_TIME, "openmetrics")
ROOM = 64 << 10  # KB, for any length
DAMAGED = 3
SMALL = 512  # bytes


def made(*words):
    path = lib.folder() / "-".join(words)
    with path.open("wb") as to:
        subprocess.run([lib.ROOT / "build/host" / words[0], *words[1:]], stdout=to, check=True)
    return path


def program():
    """A program with such names, where make_dump's `before` has its functions, with its build id."""
    text = ".globl _start\n_start:\n" + "".join(
        f".type f{n}, @function\nf{n}: .skip 64, 0x90\n.size f{n}, 64\n" for n in range(len(NAMES)))
    path = lib.folder() / "program.elf"
    subprocess.run(["gcc", "-nostdlib", "-static", "-no-pie", "-Wl,-Ttext=0x401000,--build-id=0xfeedbee1",
                    "-x", "assembler", "-", "-o", path], input=text + '.section .note.GNU-stack, "", @progbits\n',
                   text=True, check=True)
    renamed = [b"--redefine-sym=f%d=%s" % (n, name) for n, name in enumerate(NAMES)]
    subprocess.run(["objcopy", *renamed, path], check=True)
    return path


def export(form, dump, *options, tool=TOOL):
    """What the tool wrote, and its exit status."""
    done = subprocess.run([tool, "export", "--format", form, "-o", "-", *options, dump], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout, done.returncode


def starts_of(whole):
    """When each sample of speedscope's profiles begins, seconds, by name of the profile."""
    one, found = whole["cpuprobe"]["sample"], {}
    for profile in whole["profiles"]:
        at, starts = profile["startValue"], []
        for stack, weight in zip(profile["samples"], profile["weights"], strict=True):
            starts += [at + n * one for n in range(round(weight / one) if stack else 0)]
            at += weight
        found[profile["name"]] = starts
    return found


def samples_of(form, data):
    """All samples of an export, and whether it is well-formed as far as can be seen without its readers."""
    if form == "pprof":
        return None if b"cpuprobe" in gzip.decompress(data) else 0
    text = data.decode("ascii")
    if form == "folded":
        return sum(int(line.rsplit(" ", 1)[1]) for line in text.splitlines())
    if form == "speedscope":
        return sum(len(starts) for starts in starts_of(json.loads(text)).values())
    if form == "perf":
        return len(re.findall(r" cpu-clock:$", text, re.M))
    if form == "jsonl":
        return sum(json.loads(line)["type"] == "sample" for line in text.splitlines())
    if form == "firefox":
        return sum(stack is not None for thread in json.loads(text)["threads"]
                   for stack in thread["samples"]["stack"])
    if form == "chrome":
        chunks = (event for event in json.loads(text)["traceEvents"] if event["name"] == "ProfileChunk")
        return sum(len(chunk["args"]["data"]["timeDeltas"]) for chunk in chunks)
    if form == "openmetrics":
        return sum(int(n) for n in re.findall(r"^cpuprobe_samples_total\{.*\} (\d+)$", text, re.M))
    if form == "csv":
        return sum(int(row["samples"]) for row in csv.DictReader(text.splitlines(), strict=True))
    return int(re.search(r"^totals: (\d+)$", text, re.M)[1])


def check_names(checks):
    dump, elf = made("make_dump", "before"), program()
    table = json.loads(subprocess.run([TOOL, "stat", "--json", dump], stdout=subprocess.PIPE, check=True).stdout)
    for form in SUMS:
        data, status = export(form, dump, "--symbols", elf)
        found = samples_of(form, data)
        checks.check(status == 0 and found in (None, table["samples"]),
                     f"names: {form} has {'its text' if found is None else found} of {table['samples']} samples")
    rows = list(csv.DictReader(export("csv", dump, "--symbols", elf)[0].decode().splitlines(), strict=True))
    named = {row["function"] for row in rows if row["task"] == "ROGUE"}
    checks.check(named & set(SHOWN) == named and len(named) >= 4,
                 f"names: {len(named)} stay what they are: {named - set(SHOWN)}")
    frames = {f["name"] for f in json.loads(export("speedscope", dump, "--symbols", elf)[0])["shared"]["frames"]}
    checks.check(named <= frames, "names: in speedscope too")
    stacks = export("folded", dump, "--symbols", elf)[0].decode().splitlines()
    checks.check(all(line.count(";") == 2 for line in stacks), "names: a ';' in a name makes no frame")


def check_times(checks):
    """Samples with times, and no states or events."""
    dump = made("make_dump", "audit")
    lines = subprocess.run([TOOL, "samples", dump], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                           check=False).stdout
    count = len(lines.splitlines()) - 1
    for form in ("perf", "jsonl", "chrome", "firefox"):
        found = samples_of(form, export(form, dump)[0])
        checks.check(found == count > 0, f"times: {form} has {found} of {count} samples")
    check_profiles(checks, dump)
    text = export("vcd", dump)[0].decode()
    moments = [int(line[1:]) for line in text.splitlines() if line.startswith("#")]
    checks.check(moments == sorted(set(moments)) and count / 2 < len(moments) <= count + 1,
                 f"times: vcd has {len(moments)} moments, in order")


def check_profiles(checks, dump):
    """speedscope has a profile a task, in seconds: as many samples as the task has, at their times, but for what one
    sample of mean length pushes the next one."""
    text = subprocess.run([TOOL, "samples", dump], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=False).stdout
    expected, whole = {}, json.loads(export("speedscope", dump)[0])
    for _, seconds, task, _, is_late, *_ in (line.split() for line in text.splitlines()[1:]):
        expected.setdefault(task if is_late == "0" else "MASKED", []).append(float(seconds))
    late = {"#ffff0002": "MASKED"}  # the row has no name where no table came
    found = {late.get(name.strip(), name.strip()): starts for name, starts in starts_of(whole).items()}
    one = whole["cpuprobe"]["sample"]
    counts = {name: len(starts) for name, starts in found.items()}
    checks.check(counts == {name: len(times) for name, times in expected.items()},
                 f"profiles of {dump.name}: each task's samples: {list(counts.items())[:3]} and so on")
    first = min(min(times) for times in expected.values())
    checks.check({p["unit"] for p in whole["profiles"]} == {"seconds"} and
                 all(abs(p["startValue"] - first) < 1e-6 for p in whole["profiles"]),
                 f"profiles of {dump.name}: all begin with the first sample, {first} s")
    off = max((abs(start - time), name) for name in expected
              for start, time in zip(found.get(name, [0] * len(expected[name])), expected[name]))
    checks.check(off[0] <= 3 * one, f"profiles of {dump.name}: a sample stands {off[0] / one:.1f} of its length "
                                    f"beside its time, at most (in {off[1]})")


def check_order(checks):
    """The lines of jsonl are in the order of their times: samples stand between states and events."""
    with tarfile.open(lib.ROOT / "tests/golden/versions.tar") as archive:
        archive.extract("minor-7.dump", lib.folder())
    check_profiles(checks, lib.folder() / "minor-7.dump")
    lines = [json.loads(line) for line in export("jsonl", lib.folder() / "minor-7.dump")[0].splitlines()]
    kinds = [line["type"] for line in lines if "time" in line]
    times = [line["time"] for line in lines if "time" in line]
    checks.check(times == sorted(times) and {"sample", "state", "event"} <= set(kinds),
                 f"jsonl: {len(times)} lines in the order of time: {sorted(set(kinds))}")
    checks.check(kinds.index("sample") < len(kinds) - 1 - kinds[::-1].index("state") and
                 kinds.index("state") < len(kinds) - 1 - kinds[::-1].index("sample"), "jsonl: samples among states")


def check_losses(checks):
    dump = made("make_dump", "raw-lost")
    for form in ("folded", "csv"):
        text = export(form, dump)[0].decode()
        checks.check("[not known]" in text, f"losses: {form} has the samples that did not arrive")
    notes = json.loads(export("speedscope", dump)[0])["cpuprobe"]["notes"]
    told = any(re.search(r"of these [1-9]\d* did not arrive", note) for note in notes)
    checks.check(told, "losses: speedscope's notes tell them")
    for kind, wanted in (("raw-lost", True), ("before", False)):
        done = subprocess.run([TOOL, "export", "--format", "gmon", "-o", lib.folder() / f"{kind}.gmon",
                               made("make_dump", kind)],
                              capture_output=True, text=True, check=False)
        checks.check(done.returncode in (0, 3) and ("gmon.out does not tell" in done.stderr) == wanted,
                     f"gmon of {kind}: {done.stderr}")


def check_notes(checks):
    """Losses and intervals go along in each format that has a place for them; what stands before the first row in
    three lines at most."""
    shares = r"ROGUE total: (2550 samples, )?35.42 %, 95 % interval [\d.]+ to"
    for name, forms in (("before", ("pprof", "speedscope", "callgrind")),
                        ("audit", ("perf", "chrome", "perfetto", "firefox", "vcd", "jsonl"))):
        dump = made("make_dump", name)
        for form in forms:
            data = export(form, dump)[0]
            text = (gzip.decompress(data) if form == "pprof" else data).decode("latin-1")
            checks.check(re.search(r"lost: \d+ table, \d+ ring", text), f"notes: {form} has the losses")
            if name == "before" and form != "callgrind":
                checks.check(re.search(shares, text), f"notes: {form} has the intervals")
    head = re.findall("^desc: ", export("callgrind", made("make_dump", "before"))[0].decode(), re.M)
    checks.check(0 < len(head) <= 3,
                 "notes: callgrind begins with a few lines")


def check_noise(checks):
    """What is damaged is told; what ends with 0 is what it was; under sanitizers."""
    to = lib.folder() / "noisy"
    for name, dump, forms in (("samples", made("make_dump", "before"), SUMS),
                              ("times", made("make_dump", "audit"), TIMED),
                              ("events", made("make_events", "400"), OVER_TIME)):
        data, clean, wrong = dump.read_bytes(), {}, []
        for rate in (0, *NOISE):
            to.write_bytes(noisy(data, rate, 7))
            for form in forms:
                out, status = export(form, to, tool=lib.SANITIZED)
                clean.setdefault(form, out)
                same = status != 0 or out == clean[form]
                if status not in (0, 1, DAMAGED) or not same or (form in JSON and status != 1 and
                                                                 not json.loads(out)):
                    wrong.append((form, rate, status))
        checks.check(not wrong, f"noise: {name} in {len(forms)} formats at {len(NOISE)} rates: {wrong}")


def check_room(checks):
    """Memory does not grow with the samples, nor with their places beyond some."""
    for kind, forms in (("timed", ("folded", "speedscope", "chrome", "perfetto", "firefox")), ("places", ("pprof",))):
        dump = made("make_large", kind)
        for form in forms:
            with subprocess.Popen([TOOL, "export", "--format", form, "-o", "/dev/null", dump],
                                  stderr=subprocess.DEVNULL) as process:
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            checks.check(process.returncode == DAMAGED and usage.ru_maxrss < ROOM,
                         f"room: {form} of {dump.stat().st_size} bytes takes {usage.ru_maxrss} KB "
                         f"({process.returncode})")
        dump.unlink()


def told(form, to, dump):
    """What the tool said on standard error, and its exit status."""
    done = subprocess.run([TOOL, "export", "--format", form, "-o", to, dump], stderr=subprocess.PIPE, text=True,
                          check=False)
    return done.stderr.strip(), done.returncode


def check_files(checks):
    dump, events, folder = made("make_dump", "before"), made("make_events", "20"), lib.folder() / "files"
    folder.mkdir()
    (folder / "kept").write_text("old")
    said, status = told("vcd", folder / "kept", dump)
    checks.check(status == 1 and "holds nothing for vcd" in said, f"files: no times, no vcd: {said}")
    checks.check((folder / "kept").read_text() == "old" and len(list(folder.iterdir())) == 1,
                 "files: the old one is as it was")
    said, status = told("folded", "/dev/full", dump)
    checks.check(status == 1 and "cannot be written" in said, f"files: a full device is told: {said}")
    said, status = told("ctf", folder, events)
    checks.check(status == 1 and "cannot be written" in said and len(list(folder.iterdir())) == 1,
                 f"files: a folder with content stays alone: {said}")
    (folder / "kept").unlink()
    said, status = told("ctf", folder, events)
    checks.check(status == 0 and {p.name for p in folder.iterdir()} == {"metadata", "samples", "states", "events"},
                 f"files: an empty one is filled ({status}) {said}")


def limited():
    """In the child: a file takes no more than SMALL bytes, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, SMALL))


def check_whole(checks):
    """Each command that makes a file replaces an older one only by a whole one; what a link names, not the link."""
    events, folder = made("make_events", "400"), lib.folder() / "whole"
    folder.mkdir()
    old, link = folder / "old", folder / "link"
    link.symlink_to(old.name)
    for command in (("report", "-o"), ("load", "--svg"), ("gantt", "--svg"), ("export", "--format", "chrome", "-o")):
        for path in (old, link):
            old.write_text("old")
            cut = subprocess.run([TOOL, *command, path, events], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                 text=True, check=False, preexec_fn=limited)
            checks.check(cut.returncode == 1 and "cannot be written: File too large" in cut.stderr and
                         old.read_text() == "old" and len(list(folder.iterdir())) == 2,
                         f"whole: {command[0]} on a full disk leaves the old file ({cut.returncode}): {cut.stderr!r}")
            done = subprocess.run([TOOL, *command, path, events], stdout=subprocess.DEVNULL, check=False)
            checks.check(done.returncode == 0 and old.stat().st_size > SMALL and link.is_symlink(),
                         f"whole: {command[0]} replaces it ({done.returncode})")
    cut = subprocess.run([TOOL, "export", "--format", "ctf", "-o", folder / "ctf", events], stderr=subprocess.PIPE,
                         text=True, check=False, preexec_fn=limited)
    checks.check(cut.returncode == 1 and "cannot be written: File too large" in cut.stderr and
                 not (folder / "ctf").exists() and len(list(folder.iterdir())) == 2,
                 f"whole: ctf on a full disk ({cut.returncode}): {cut.stderr!r}")
    check_killed(checks, folder, events)


def killed():
    """In the child: what would write more ends there, by a signal."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, SMALL))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)


def check_killed(checks, folder, events):
    """What a command leaves that is killed while it writes goes with the next one that writes there."""
    there = sorted(folder.iterdir())
    for form, name in (("chrome", "old"), ("ctf", "ctf")):
        (folder / "old").write_text("old")
        command = [TOOL, "export", "--format", form, "-o", folder / name, events]
        cut = subprocess.run(command, check=False, preexec_fn=killed)
        left = sorted(folder.iterdir())
        checks.check(cut.returncode == -signal.SIGXFSZ and (folder / "old").read_text() == "old" and left != there,
                     f"killed: {form} ends by a signal ({cut.returncode}), and the old file stays")
        done = subprocess.run(command, check=False)
        checks.check(done.returncode == 0 and set(folder.iterdir()) == {*there, folder / name},
                     f"killed: the next {form} leaves {[path.name for path in folder.iterdir()]}")


def check_waiting(checks):
    """What waits in a temporary file, samples for states and a pipe to be read again, is whole or is refused."""
    dump = lib.folder() / "minor-7.dump"
    for words, stream in ((["export", "--format", "jsonl", "-o", "-", dump], None),
                          (["export", "--format", "firefox", "-o", "-", dump], None), (["states", "-"], dump),
                          (["report", "-o", "-", "-"], dump)):
        with open(stream or os.devnull, "rb") as file:
            piped = file.read()
        for name, how in (("a full disk", {"preexec_fn": limited}),
                          ("no folder", {"env": {**os.environ, "TMPDIR": str(lib.folder() / "none")}})):
            cut = subprocess.run([TOOL, *words], input=piped, capture_output=True, check=False, **how)
            checks.check(cut.returncode == 1 and b"a temporary file cannot be written: " in cut.stderr,
                         f"waiting: {words[0]} on {name} ({cut.returncode}): {cut.stderr.decode()!r}")


def check_unknown(checks):
    """Without HELLO the interval of the ticks is not known: no format and no report computes with that."""
    blocks = made("make_dump", "raw").read_bytes().split(b"\0")
    path = lib.folder() / "no-hello"
    path.write_bytes(b"\0".join(block for block in blocks if frames.intact(block)[:1] != b"\1"))
    lines = [["export", "--format", form, "-o", "-"] for form in (*SUMS, *TIMED)]
    lines += [[name, *json_] for name in ("stat", "info", "audit", "compare", "kiviat", "histogram", "masked", "load")
              for json_ in ([], ["--json"])]
    lines += [["report", "-o", "-"], ["report", "--json"]]
    for words in lines:
        done = subprocess.run([TOOL, *words, path], capture_output=True, check=False)
        found = re.search(rb"(?<![A-Za-z_])-?(?:nan|inf)(?![A-Za-z_])", done.stdout + done.stderr)
        checks.check(not found and done.returncode >= 0, f"unknown: {' '.join(words)}: {found} ({done.returncode})")


def main():
    checks = lib.Checks()
    check_unknown(checks)
    check_names(checks)
    check_times(checks)
    check_order(checks)
    check_losses(checks)
    check_notes(checks)
    check_noise(checks)
    check_room(checks)
    check_files(checks)
    check_whole(checks)
    check_waiting(checks)
    checks.finish()


main()
