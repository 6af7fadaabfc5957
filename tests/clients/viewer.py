#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The page that needs no installation, in headless Chromium, from a file: what it says of 90 dumps, half of them
damaged, is what the host tool says, byte for byte; it shows the table and the names of programs, and asks nobody."""

import base64
import json
import random
import re
import subprocess
import time

import browser
import client
import lib
from report import FORBIDDEN, NAMES, TABLE, expected

PAGE = lib.ROOT / "build/viewer.html"
MOST = 3 << 20  # bytes of the page
GUARD = 60      # seconds of wall time
# Kinds of make_dump
MADE = """run fixed random two refusal version unknown hello hellos text exception before after after-fixed divide
    divide-cut before-slots figure4 figure5 raw raw-lost thinned audit audit-interval audit-dropped audit-repeated
    points points-moved points-left-out no-words long changes monitors load passes survey calls known-load
    calls-missing"""
LARGE = "places log-turned mixed call-stacks process-table event-tasks" # of make_large
BYTES = 60000  # of each large one
SHAPES = [(400, False), (1000, True), (1600, False), (1600, True)]  # width, dark
TASKS = "rogue worker" # of the run
FUNCTION = 3    # level of a node of the tree
FRAME = "byId('report').contentDocument"


def made():
    """Each dump by its name: every kind whole, and damaged in a way of its own."""
    dumps = {}
    for kind in MADE.split():
        dumps[f"{kind}.dump"] = subprocess.run([lib.ROOT / "build/host/make_dump", kind], stdout=subprocess.PIPE,
                                               check=True).stdout
    for kind in LARGE.split():
        dumps[f"{kind}.large"] = subprocess.run([lib.ROOT / "build/host/make_large", kind, str(BYTES)],
                                                stdout=subprocess.PIPE, check=True).stdout
    return dumps | {f"{name}.damaged": damaged(name, dump) for name, dump in dumps.items()}


def damaged(name, dump):
    """Bits turned, a piece missing, noise between, or the end cut off."""
    draw, out = random.Random(name), bytearray(dump)
    at = draw.randrange(len(out))
    match draw.randrange(4):
        case 0:
            for _ in range(3):
                out[draw.randrange(len(out))] ^= 1 << draw.randrange(8)
        case 1:
            del out[at:at + 100]
        case 2:
            out[at:at] = draw.randbytes(50)
        case 3:
            del out[at:]
    return bytes(out)


def told(name):
    """What the host tool says of a dump: its status, and both outputs."""
    done = subprocess.run([lib.ROOT / "build/cpuprobe", "stat", "--json", name], cwd=lib.folder(),
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return [done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")]


def check_numbers(checks, tab, dumps):
    other, begun = [], time.monotonic()
    for name, dump in dumps.items():
        (lib.folder() / name).write_bytes(dump)
        got = tab.run(f"ask({{ {json.dumps(name)}: Uint8Array.from(atob('{base64.b64encode(dump).decode()}'), "
                      f"(letter) => letter.charCodeAt(0)) }}, 'stat', '--json', {json.dumps(name)})"
                      ".then((answer) => [answer.status, answer.out, answer.said])")
        if got != told(name):
            other.append(name)
    checks.check(not other and len(dumps) >= 90,
                 f"stat --json of {len(dumps)} dumps is that of the host {other[:4]} "
                 f"({time.monotonic() - begun:.1f} s)")


def within(script):
    return f"((document) => {script})({FRAME})"


def give(tab, *files):
    """Choose files as a person does; the seconds until their report is there."""
    leave(tab)
    node = tab.ask("DOM.querySelector", nodeId=tab.ask("DOM.getDocument")["root"]["nodeId"],
                   selector="#files")["nodeId"]
    begun = time.monotonic()
    tab.ask("DOM.setFileInputFiles", nodeId=node, files=[str(file.resolve()) for file in files])
    return wait(tab, begun)


def leave(tab):
    """What is there now is not what comes."""
    tab.run(f"(byId('shown').textContent = '', {FRAME}.documentElement.dataset.old = true)")


def wait(tab, begun):
    while time.monotonic() < begun + GUARD:
        if tab.run(f"!['', 'Reading...'].includes(byId('shown').textContent) && (byId('report').hidden || "
                   f"{FRAME}.getElementById('foot')?.textContent && !{FRAME}.documentElement.dataset.old)"):
            break
        time.sleep(0.01)
    return time.monotonic() - begun


def check_page(checks, tab, dump):
    seconds = give(tab, dump)
    rows, wanted = tab.run(within(TABLE)), expected(lib.stat(dump))
    checks.check(rows == wanted, f"the page of {dump.stat().st_size} bytes is there after {seconds:.2f} s with the "
                                 f"table of stat: {len(rows)} rows")
    for width, dark in SHAPES:
        tab.shape(width, dark=dark)
        wide = tab.run(f"new Promise((done) => requestAnimationFrame(() => done([document, {FRAME}].map((one) => "
                       "one.documentElement.scrollWidth))))")
        tab.picture(lib.folder() / f"viewer-{width}-{'dark' if dark else 'light'}.png")
        checks.check(max(wide) <= width, f"at {width} px it takes {wide}")


def check_names(checks, tab, dump):
    """Programs that come later name the functions of the dump that is there."""
    before = set(tab.run(within(NAMES)))
    files = [lib.ROOT / "build/cpuprobe.elf", *((lib.ROOT / f"build/tasks/{task}.elf") for task in TASKS.split())]
    give(tab, *files)
    names = set(tab.run(within(NAMES)))
    text, _ = lib.host("report", "--json", dump)
    # Without lines a function has the samples of what was inlined into it.
    wanted = {re.sub(r"^(\w+: )?.*\(in (.*)\)$", r"\1\2", node[0])
              for node in json.loads(text)["runs"][0]["code"]["nodes"] if node[2] == FUNCTION}
    checks.check(names <= wanted and len(names) > 5 and not names & before,
                 f"{len(files)} ELF files name {len(names)} functions as the host does: {sorted(names - wanted)[:4]}")
    said = tab.run("byId('said').textContent")
    checks.check(not said, f"all of these ran {said[:100]}")


def check_sentences(checks, tab):
    """What the host says on standard error is what the page says."""
    for name in ("version.dump", "text.dump", "raw-lost.dump", "audit.dump.damaged"):
        tab.open("about:blank")
        tab.open(PAGE)
        give(tab, lib.folder() / name)
        done = subprocess.run([lib.ROOT / "build/cpuprobe", "report", "-o", "out.html", name], cwd=lib.folder(),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        said = tab.run("byId('said').textContent")
        checks.check(said == done.stderr.strip(), f"{name}: {said[:150]!r}")


def check_drop(checks, tab):
    """Two dumps that are dropped on the page are compared."""
    leave(tab)
    tab.run("""(() => { const all = new DataTransfer();
        for (const name of ["a", "b"]) all.items.add(new File([kept], "run.dump"));
        document.dispatchEvent(new DragEvent("drop", { dataTransfer: all, cancelable: true })); })()""".replace(
            "kept", "Uint8Array.from(atob('" + base64.b64encode((lib.folder() / "run.dump").read_bytes()).decode()
            + "'), (letter) => letter.charCodeAt(0))"))
    wait(tab, time.monotonic())
    text = tab.run(f"{FRAME}.getElementById('compare').textContent")
    checks.check("differ by more than chance" in text, f"two dumps are compared: {text[:80]!r}")


def check_silence(checks, tab):
    asked = [url for url in tab.requests if not url.startswith("file:")]
    checks.check(not asked and not tab.problems and len(set(tab.requests)) == 1,
                 f"nobody was asked for anything: {asked} {tab.problems[:2]} {set(tab.requests)}")
    seen = tab.run(FORBIDDEN)
    checks.check(seen == ["connect-src", "img-src", "script-src-elem"],
                 f"the policy forbids an image, a script and a request: {seen}")


def main():
    checks = lib.Checks()
    client.need("chromium", "objcopy")
    if not PAGE.exists():
        client.skip("build/viewer.html is not there (make viewer)")
    checks.check(PAGE.stat().st_size <= MOST, f"it has {PAGE.stat().st_size} bytes")
    dumps = made()
    with browser.Browser() as tab:
        tab.open(PAGE)
        check_numbers(checks, tab, dumps)
        dump = client.recorded(checks)
        check_page(checks, tab, dump)
        check_names(checks, tab, dump)
        check_sentences(checks, tab)
        check_drop(checks, tab)
        check_silence(checks, tab)
    checks.finish()


if __name__ == "__main__":
    main()
