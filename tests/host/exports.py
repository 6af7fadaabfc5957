#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""cpuprobe export: each format is well-formed and has all samples, whatever functions are called, and whatever is lost.

Symbols have names with the signs that formats use: quotes, semicolons, line feeds, markup, bytes that are no UTF-8.
"""

import csv
import gzip
import json
import os
import pathlib
import random
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402

TOOL = os.environ.get("CPUPROBE", lib.ROOT / "build/cpuprobe")
NAMES = (b'a;b "c" \\', b"(1) x", b"</script><b>&", b"l\nfn=m", b'\351\377,"",$end')
SHOWN = ('a;b "c" \\', '(1) x', '</script><b>&', 'l?fn=m', '??,"",$end')
SUMS = ("pprof", "folded", "speedscope", "callgrind", "csv")
OVER_TIME = ("chrome", "vcd", "jsonl")
NOISE = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
ROOM = 64 << 10  # KB, for any length
DAMAGED = 3


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
    subprocess.run(["gcc", "-nostdlib", "-static", "-no-pie", "-Wl,-Ttext=0x401000,--build-id=0xfeedbee1", "-x", "assembler", "-",
                    "-o", path], input=text + '.section .note.GNU-stack, "", @progbits\n', text=True, check=True)
    renamed = [b"--redefine-sym=f%d=%s" % (n, name) for n, name in enumerate(NAMES)]
    subprocess.run(["objcopy", *renamed, path], check=True)
    return path


def export(form, dump, *options):
    """What the tool wrote, and its exit status."""
    done = subprocess.run([TOOL, "export", "--format", form, "-o", "-", *options, dump], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout, done.returncode


def samples_of(form, data):
    """All samples of an export, and whether it is well-formed as far as can be seen without its readers."""
    if form == "pprof":
        return None if b"cpuprobe" in gzip.decompress(data) else 0
    text = data.decode("ascii")
    if form == "folded":
        return sum(int(line.rsplit(" ", 1)[1]) for line in text.splitlines())
    if form == "speedscope":
        return sum(json.loads(text)["profiles"][0]["weights"])
    if form == "csv":
        return sum(int(row["samples"]) for row in csv.DictReader(text.splitlines(), strict=True))
    return int(re.search(r"^totals: (\d+)$", text, re.M)[1])


def check_names(checks):
    dump, elf = made("make_dump", "before"), program()
    table = json.loads(subprocess.run([TOOL, "stat", "--json", dump], stdout=subprocess.PIPE, check=True).stdout)
    for form in SUMS:
        data, status = export(form, dump, "--symbols", elf)
        found = samples_of(form, data)
        checks.check(status == 0 and found in (None, table["samples"]), f"names: {form} has {found} of {table['samples']} samples")
    rows = list(csv.DictReader(export("csv", dump, "--symbols", elf)[0].decode().splitlines(), strict=True))
    named = {row["function"] for row in rows if row["task"] == "ROGUE"}
    checks.check(named & set(SHOWN) == named and len(named) >= 4, f"names: {len(named)} stay what they are: {named - set(SHOWN)}")
    frames = {f["name"] for f in json.loads(export("speedscope", dump, "--symbols", elf)[0])["shared"]["frames"]}
    checks.check(named <= frames, "names: in speedscope too")
    stacks = export("folded", dump, "--symbols", elf)[0].decode().splitlines()
    checks.check(all(line.count(";") == 2 for line in stacks), "names: a ';' in a name makes no frame")


def check_losses(checks):
    dump = made("make_dump", "raw-lost")
    for form in ("folded", "csv"):
        text = export(form, dump)[0].decode()
        checks.check("[not known]" in text, f"losses: {form} has the samples that did not arrive")
    notes = json.loads(export("speedscope", dump)[0])["cpuprobe"]["notes"]
    checks.check(any(re.search(r"of these [1-9]\d* did not arrive", note) for note in notes), "losses: speedscope's notes tell them")


def noisy(data, rate, seed):
    """Each byte is another one with this probability."""
    chance, changed = random.Random(seed), bytearray(data)
    for at in range(len(changed)):
        if chance.random() < rate:
            changed[at] ^= chance.randrange(1, 256)
    return bytes(changed)


def check_noise(checks):
    """What is damaged is told; what ends with 0 is what it was."""
    for name, dump, forms in (("samples", made("make_dump", "before"), SUMS), ("events", made("make_events", "400"), OVER_TIME)):
        data, to = dump.read_bytes(), lib.folder() / "noisy"
        clean, wrong = {}, []
        for rate in (0, *NOISE):
            to.write_bytes(noisy(data, rate, 7))
            for form in forms:
                out, status = export(form, to)
                clean.setdefault(form, out)
                if status not in (0, 1, DAMAGED) or (status == 0 and out != clean[form]) or (form == "speedscope" and status != 1
                                                                                              and not json.loads(out)):
                    wrong.append((form, rate, status))
        checks.check(not wrong, f"noise: {name} in {len(forms)} formats at {len(NOISE)} rates: {wrong}")


def check_room(checks):
    """Memory does not grow with the samples, nor with their places beyond some."""
    for kind, forms in (("timed", ("folded", "chrome")), ("places", ("pprof",))):
        dump = made("make_large", kind)
        for form in forms:
            with subprocess.Popen([TOOL, "export", "--format", form, "-o", "/dev/null", dump], stderr=subprocess.DEVNULL) as process:
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            checks.check(process.returncode == DAMAGED and usage.ru_maxrss < ROOM,
                         f"room: {form} of {dump.stat().st_size} bytes takes {usage.ru_maxrss} KB ({process.returncode})")
        dump.unlink()


def check_files(checks):
    dump, folder = made("make_dump", "before"), lib.folder() / "files"
    folder.mkdir()
    (folder / "kept").write_text("old")
    done = subprocess.run([TOOL, "export", "--format", "vcd", "-o", folder / "kept", dump], stderr=subprocess.PIPE, text=True, check=False)
    checks.check(done.returncode == 1 and "holds nothing for vcd" in done.stderr, f"files: no times, no vcd: {done.stderr.strip()}")
    checks.check((folder / "kept").read_text() == "old" and len(list(folder.iterdir())) == 1, "files: and the old file is as it was")
    done = subprocess.run([TOOL, "export", "--format", "folded", "-o", "/dev/full", dump], stderr=subprocess.PIPE, text=True, check=False)
    checks.check(done.returncode == 1 and "cannot be written" in done.stderr, f"files: a full device is told: {done.stderr.strip()}")
    events = made("make_events", "20")
    command = [TOOL, "export", "--format", "ctf", "-o", folder, events]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    checks.check(done.returncode == 1 and "cannot be written" in done.stderr and len(list(folder.iterdir())) == 1,
                 f"files: a folder with content stays alone: {done.stderr.strip()}")
    (folder / "kept").unlink()
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    checks.check(done.returncode == 0 and {p.name for p in folder.iterdir()} == {"metadata", "samples", "states", "events"},
                 f"files: an empty one is filled ({done.returncode})")


def main():
    checks = lib.Checks()
    check_names(checks)
    check_losses(checks)
    check_noise(checks)
    check_room(checks)
    check_files(checks)
    checks.finish()


main()
