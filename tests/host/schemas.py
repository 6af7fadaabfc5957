#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""What every --json prints, held against docs/schema/NAME.schema.json, over dumps of every kind,
whole and damaged."""

import json
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tarfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402
import schema  # noqa: E402

TOOL = os.environ.get("CPUPROBE", lib.ROOT / "build/cpuprobe")
WORDS = {  # command: the command lines that show all that it has; DUMP is each dump in turn
    "stat": ["DUMP", "--wald DUMP"],
    "histogram": ["DUMP", "--by function DUMP", "--by instruction DUMP", "--region --wald DUMP", "--zoom DUMP",
                  "--callers DUMP"],
    "diff": ["DUMP DUMP", "--by line --min 10 DUMP DUMP"],
    "time": ["--count 1000 DUMP", "--wald --count 7 --task ANY DUMP", "--hits 100 --rate 60 --count 3"],
    "durations": ["DUMP", "--of syscall:1 DUMP", "--of run --linear 0.001 DUMP"],
    "states": ["DUMP", "--classes 0=one:task=ROGUE,1=two:task=CP --match 10 --hits DUMP"],
    "trace": ["DUMP", "--steps DUMP"],
    "help": [""],
    "model": ["DUMP", "--scale cpu=2 DUMP"],
    "masked": ["--longest 20 DUMP"],
    "report": ["DUMP", "DUMP DUMP"],
    "load": ["--step 0.5 DUMP", "DUMP", "--acct DUMP", "--ranges --rows 2 DUMP"],
    "survey": ["DUMP", "DUMP DUMP"],
    "kiviat": ["DUMP DUMP", "--exact DUMP"],
}
# need a program: tests/host/reports.py; a folder: archive.py; a running image: tests/qemu/zoom.py
ELSEWHERE = ("profile", "list", "zoom")
SECONDS = 20  # of processor time
HANG = 10  # wall time, of that
DAMAGED = 1  # mutants of each dump
MOST = 200_000  # bytes of a dump that is damaged


def output(*words):
    done = subprocess.run([TOOL, *words], capture_output=True,
                          text=True, timeout=HANG * SECONDS, check=False, stdin=subprocess.DEVNULL,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)))
    return done.stdout, done.stderr, done.returncode


def commands():
    """Those with --json."""
    names = re.findall(r"^    ROW\(([a-z]\w*), ", (lib.ROOT / "tools/cmd/commands.h").read_text(), re.M)
    return [name for name in (found.replace("_", "-") for found in names) if "--json" in output(name, "--help")[0]]


def dumps():
    make_dump = lib.ROOT / "build/host/make_dump"
    kinds = re.findall(r'\{"([\w-]+)", \w+\}', (lib.ROOT / "tests/host/make_dump.c").read_text())
    for kind in kinds:
        yield kind, subprocess.run([make_dump, kind], stdout=subprocess.PIPE, check=False).stdout
    yield "events", subprocess.run([lib.ROOT / "build/host/make_events", "100"], stdout=subprocess.PIPE,
                                   check=True).stdout
    with tarfile.open(lib.ROOT / "tests/golden/streams.tar") as archive:
        for member in archive:
            if member.isfile():
                yield pathlib.Path(member.name).stem, archive.extractfile(member).read()


def damage(data, seed):
    """Bits inverted, a piece cut out, a piece twice: each from 1e-4 to 1e-2 of the bytes."""
    r = random.Random(seed)
    data = bytearray(data)
    for _ in range(max(1, int(len(data) * 10 ** r.uniform(-4, -2)))):
        data[r.randrange(len(data))] ^= 1 << r.randrange(8)
    at, length = r.randrange(len(data)), r.randrange(1, 200)
    return bytes(data[:at] + (data[at:at + length] * 2 if seed % 2 else b"") + data[at + length:])


def told(name, path):
    """Each object that a command prints of a dump."""
    for words in WORDS.get(name, ["DUMP"]):
        text, said, status = output(name, "--json", *words.replace("DUMP", str(path)).split())
        if status not in (0, 1, 3, 4) or (status in (0, 3) and not text.strip()) or (status == 1 and not said):
            yield {"exit status": status, "said": said}
        elif text.strip():
            yield from schema.objects(name, text)
        if status == 1:
            return


def every(names):
    """(command, dump, object) of all commands over all dumps."""
    for kind, data in dumps():
        forms = [(kind, data)] + ([(f"{kind}+{n}", damage(data, n)) for n in range(DAMAGED)] if 0 < len(data) < MOST
                                  else [])
        for form, content in forms:
            path = lib.folder() / "dump"
            path.write_bytes(content)
            for name in names if form == kind else names[sum(data) % 6::6]:
                for found in told(name, path):
                    yield name, form, found


def current(checks, names):
    """The schemas of the pages are those of the declarations."""
    for name in names:
        text, said, status = output("help", "--schema", name)
        checks.check(status == 0 and (schema.FOLDER / f"{name}.schema.json").read_text() == text,
                     f"docs/schema/{name}.schema.json is what `help --schema {name}` prints: `make schemas` writes "
                     f"it {said.strip()}")


def page(checks):
    """The tables of docs/JSON.md are those of the schemas."""
    made = subprocess.run([lib.ROOT / "tools/build/schemas", "--page"], capture_output=True, text=True, check=False)
    checks.check(made.returncode == 0 and made.stdout == (lib.ROOT / "docs/JSON.md").read_text(),
                 f"docs/JSON.md has the tables of the schemas: `make schemas` writes it {made.stderr[-200:]}")


def validate(checks, names):
    count = dict.fromkeys(names, 0)
    wrong = dict.fromkeys(names, "")
    for name, form, found in every(names):
        count[name] += 1
        fault = schema.fault(name, found)
        wrong[name] = wrong[name] or (fault and f"{form}: {fault}")
    for name in names:
        checks.check((count[name] or name in ELSEWHERE) and not wrong[name],
                     f"{name} --json: {count[name]} objects are as its schema says {wrong[name]}")


def same(checks, name, words, pairs):
    """Numbers of the text and of the JSON of one command line; a pair is a pattern of the text,
    and what the object says."""
    text, found = output(name, *words)[0], schema.objects(name, output(name, "--json", *words)[0])[-1]
    for pattern, value in pairs:
        told_there = [number for match in re.findall(pattern, text, re.M)
                      for number in ([match] if isinstance(match, str) else match)]
        checks.check(told_there and told_there == value(found),
                     f"{name}: {' '.join(told_there[:8])} in text and in JSON")


def agree(checks):
    """The digits of the text are those of the JSON."""
    kept = dict(dumps())
    path, beside = (str(lib.folder() / name) for name in ("one", "other"))
    pathlib.Path(path).write_bytes(kept["audit"])
    same(checks, "audit", [path], [
        (r"^samples +(\d+)$", lambda j: [str(j["sources"][0]["samples"])]),
        (r"chi-square ([\d.]+)", lambda j: [f"{j['sources'][0]['phase']['chi_square']:.1f}"]),
        (r"^rate +([\d.]+) Hz of nominal ([\d.]+)", lambda j: [f"{j['sources'][0]['rate'][of]:.3f}"
                                                               for of in ("hz", "nominal_hz")])])
    same(checks, "info", [path], [
        (r"^frames +(\d+) intact", lambda j: [str(j["stream"]["frames"])]),
        (r"samples +(\d+) told, (\d+) arrived", lambda j: [str(j["epochs"][0]["samples"][of])
                                                           for of in ("told", "arrived")]),
        (r"^epoch (\d+)", lambda j: [str(epoch["number"]) for epoch in j["epochs"]])])
    same(checks, "time", ["--count", "1000", path], [
        (r"^ +(\d+) clock units, 95 % (\d+) to (\d+)",
         lambda j: [f"{j['clocks'][of]:.0f}" for of in ("time", "low", "high")])])
    same(checks, "histogram", ["--by", "instruction", path], [
        (r"^0x\w+: +(\d+): ", lambda j: [str(row["hits"]) for row in j["rows"]])])
    same(checks, "histogram", ["--zoom", path],
         [(r" 2\^\d+ +(\d+) ", lambda j: [str(row["hits"]) for row in j["rows"]])])
    pathlib.Path(path).write_bytes(kept["before"])
    pathlib.Path(beside).write_bytes(kept["after"])
    same(checks, "diff", [path, beside], [
        (r"^0x\w+ .no symbol. +([\d.]+) +([\d.]+) +([-+][\d.]+)", lambda j: [
            text for row in j["rows"] for text in (f"{row['a']['percent']:.2f}", f"{row['b']['percent']:.2f}",
                                                   f"{row['difference']:+.2f}")])])
    pathlib.Path(path).write_bytes(kept["events"])
    same(checks, "durations", [path], [(r"^[a-z]+ +(?:(?:0x)?[0-9a-f]+)? +(\d+) +[-\d.]+ [num]?s",
                                        lambda j: [str(row["count"]) for row in j["kinds"]])])
    same(checks, "masked", [path],
         [(r"^\w[\w ]{21} +(\d+) +[\d.]+ [nu]?s ", lambda j: [str(row["count"]) for row in j["causes"]])])
    pathlib.Path(path).write_bytes(kept["load"])
    same(checks, "stat", [path], [
        (r"^idletask (\S+) counted to (\d+) in [\d.]+ s, load ([-\d.]+) %$", lambda j: [
            text for row in j["idletask"] for text in (row["name"], str(row["count"]), f"{row['busy']:.4f}")]),
        (r"^perfcall idle ([\d.]+) %, busy ([\d.]+) %, interrupt ([\d.]+) % of", lambda j: [
            f"{j['perfcall'][of]:.4f}" for of in ("idle", "busy", "interrupt")])])


def members(checks):
    """The objects of other reports in that of stat."""
    kept = dict(dumps())
    path = str(lib.folder() / "one")
    for kind, name, part in (("monitors", "idle", lambda j: j), ("monitors", "intercept", lambda j: j),
                             ("monitors", "acct", lambda j: j), ("survey", "survey", lambda j: j["surveys"][0])):
        pathlib.Path(path).write_bytes(kept[kind])
        whole, own = (schema.objects(of, output(of, "--json", path)[0])[-1] for of in ("stat", name))
        checks.check(whole[name] == part(own), f"stat --json: {name} is the object of {name} --json")
    pathlib.Path(path).write_bytes(kept["calls"])
    calls = schema.objects("stat", output("stat", "--json", path)[0])[0]["calls"]
    checks.check(calls and calls[0]["functions"] and all(f["counted"] and f["name"] is None
                                                         for f in calls[0]["functions"]),
                 "stat --json: calls has what a program counted")


def undescribed(part, place=""):
    """Members of a schema that do not say what they are."""
    for name, member in part.get("properties", {}).items():
        if not member.keys() & {"description", "const", "$ref"}:
            yield f"{place}/{name}"
        yield from undescribed(member, f"{place}/{name}")
    for name, member in part.get("$defs", {}).items():
        yield from undescribed(member, f"#{name}")
    for inner in [part.get("items"), part.get("additionalProperties"), *part.get("oneOf", []), *part.get("anyOf", []),
                  *part.get("allOf", [])]:
        if isinstance(inner, dict):
            yield from undescribed(inner, place)


def described(checks):
    for path in sorted(schema.FOLDER.glob("*.json")):
        found = list(undescribed(json.loads(path.read_text())))
        checks.check(not found, f"{path.name}: each member says what it is, but {' '.join(found)}")


def main():
    names = commands()
    checks = lib.Checks()
    described(checks)
    kept = sorted(path.name.removesuffix(".schema.json") for path in schema.FOLDER.glob("*"))
    checks.check(kept == sorted(names),
                 f"a schema for each command that has --json, and no other: {' '.join(set(kept) ^ set(names))}")
    current(checks, names)
    page(checks)
    agree(checks)
    members(checks)
    validate(checks, names)
    checks.finish()


main()
