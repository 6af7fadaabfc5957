#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""axe finds nothing to mend in the pages of `report` and `serve`, in Chromium: roles, names, contrast, targets."""

import subprocess
import sys

import browser
import client
import lib
from report import page

sys.path.insert(0, str(lib.ROOT / "tests/host"))
from serve import Board  # noqa: E402
from serving import Serve  # noqa: E402

SHAPES = [(1600, False), (1600, True), (1000, False), (400, True)]  # width, dark
KINDS = ("calls", "monitors", "exception", "raw-lost", "load")  # of make_dump
STATES = {  # of a page, each after the one before
    "as it opens": "0",
    "all unfolded, flames": "document.querySelectorAll('details').forEach((one) => { one.open = true; }); "
                            "byId('turn')?.click()",
    "a task chosen": "document.querySelector('#tasks [data-task]').click()",
    "a function chosen": "chooseFunction(treeOf(data.run).find((node) => node.level === 3).name)",
    "a part of the time": "chooseRange([data.run.lanes.begin, (data.run.lanes.begin + data.run.lanes.end) / 2])",
    "searched": "byId('search').value = 'a'; byId('search').dispatchEvent(new Event('input'))",
}
# What axe finds, by rule, and a node of each; the rules that are no part of a WCAG level too.
FOUND = """axe.run(document, {rules: {"label-content-name-mismatch": {enabled: true}}}).then((got) =>
    got.violations.map((one) => `${one.id} ${one.nodes.length}: ${one.nodes[0].html.slice(0, 160)}`))"""


def look(checks, tab, script, name):
    tab.run(script)
    found = tab.run(FOUND)
    checks.check(not found, f"{name}: {len(found)} violations" + "".join(f"\n    {one}" for one in found[:5]))


def look_at_all(checks, tab, script, name):
    """Each state of the page in each shape."""
    for words, act in STATES.items():
        tab.run(f"(() => {{ {act}; }})()")
        for width, dark in SHAPES:
            tab.shape(width, dark=dark)
            look(checks, tab, script, f"{name}, {words}, {width} px, {'dark' if dark else 'light'}")


def made(kind):
    out = lib.folder() / f"{kind}.dump"
    out.write_bytes(subprocess.run([lib.ROOT / "build/host/make_dump", kind], stdout=subprocess.PIPE,
                                   check=True).stdout)
    return out


def look_at_lines(checks, tab, script):
    """The pages of a server: its lines, and one of them."""
    board = Board("shown")
    server = Serve(board.path)
    board.connected()
    board.send(made("audit").read_bytes())
    server.wait("snapshot", "shown", 1)
    for path in ("", "lines/0"):
        tab.open(f"http://127.0.0.1:{server.port}/{path}")
        look(checks, tab, script, f"serve, /{path}")
    checks.check(server.end()[1] == 0, "the server ends well")


def main():
    client.need("chromium")
    script = (client.npm() / "node_modules/axe-core/axe.min.js").read_text()
    checks = lib.Checks()
    dump = client.recorded(checks)
    with browser.Browser() as tab:
        for name, dumps in {"run": [dump], "two": [dump, dump]}.items():
            tab.open(page(checks, name, *dumps))
            look_at_all(checks, tab, script, name)
        tab.open(page(checks, "difference", made("before"), made("after")))
        look_at_all(checks, tab, script, "difference")
        for kind in KINDS:
            out = lib.folder() / f"{kind}.html"
            lib.host("report", made(kind), "-o", out)
            tab.open(out)
            look(checks, tab, script, kind)
        look_at_lines(checks, tab, script)
    checks.finish()


if __name__ == "__main__":
    main()
