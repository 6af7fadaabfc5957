#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""speedscope reads its own format and those of others, in Chromium: the samples of each task.

Its command "Export" gives what it has read, as JSON, which the page keeps in an element of its own.
"""

import base64
import concurrent.futures
import html
import json
import re

import client
import lib

FORMATS = {"speedscope": 1 / 1000, "folded": 1, "callgrind": 1, "pprof": 1_000_000}  # what a sample weighs: s, 1, ns
PERF = "perf"  # weights are the times between the samples of a task
EXPORT = """
;(() => {
  let blob;
  URL.createObjectURL = (made) => { blob = made; return ''; };
  HTMLAnchorElement.prototype.click = () => {};
  const timer = setInterval(async () => {
    const button = [...document.querySelectorAll('div')].filter((d) => /Export$/.test(d.textContent)).pop();
    if (!button) return;
    clearInterval(timer);
    button.click();
    const found = document.createElement('pre');
    found.id = 'found';
    found.textContent = blob ? await blob.text() : '';
    document.body.appendChild(found);
  }, 20);
})();
"""


def read(form, path, viewer):
    """What speedscope makes of a file: its JSON; None: it does not read it."""
    script = path.with_suffix(".js").absolute()
    data = base64.b64encode(path.read_bytes()).decode()
    script.write_text(f"speedscope.loadFileFromBase64({json.dumps(path.name)}, {json.dumps(data)})" + EXPORT)
    page = client.chromium(lib.folder().absolute() / f"browser-{form}", f"file://{viewer}#localProfilePath={script}")
    found = re.search(r'<pre id="found">(.*?)</pre>', page, re.S)
    return json.loads(html.unescape(found[1])) if found and found[1] else None


def weights(whole, unit):
    """Weight by outermost frame."""
    found, frames = {}, whole["shared"]["frames"]
    for profile in whole["profiles"]:
        depth = 0
        for event in profile["events"]:
            depth += 1 if event["type"] == "O" else -1
            if depth == 0 or (depth == 1 and event["type"] == "O"):
                name = frames[event["frame"]]["name"]
                found[name] = found.get(name, 0) + event["at"] * (1 if depth == 0 else -1)
    return {name: round(weight / unit) for name, weight in found.items()}


def check_perf(checks, whole):
    """Each task is a profile of its own, as long as from its first sample to its last."""
    ends, text = {}, client.lib.host("samples", client.recorded(checks))[0]
    for _, seconds, task, _, late, *_ in (line.split() for line in text.splitlines()[1:]):
        task = task if late == "0" else "MASKED"
        ends[task] = (ends.get(task, (float(seconds),))[0], float(seconds))
    found = {p["name"].split()[0]: p["endValue"] - p["startValue"] for p in whole["profiles"]}
    wrong = [name for name, (first, last) in ends.items()
             # of a single sample it makes one up
             if last > first and abs(found.get(name, -1) - (last - first)) > 1e-5]
    checks.check(found.keys() == ends.keys() and not wrong,
                 f"perf: {len(found)} tasks, with their times: {wrong[:3]}")


def main():
    checks = lib.Checks()
    client.need("chromium")
    viewer = client.npm() / "node_modules/speedscope/dist/release/index.html"
    expected = client.tasks(lib.stat(client.recorded(checks)))
    paths = {form: client.exported(checks, form) for form in (*FORMATS, PERF)}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        read_all = {form: pool.submit(read, form, path, viewer) for form, path in paths.items()}
    whole = read_all["speedscope"].result()
    names = [profile["name"] for profile in whole["profiles"]] if whole else []
    checks.check(sorted(names) == sorted(expected) and {p["unit"] for p in whole["profiles"]} == {"seconds"},
                 f"speedscope: a profile a task, in seconds: {names[:3]} and so on")
    for form, unit in FORMATS.items():
        whole = read_all[form].result()
        if checks.check(whole, f"{form}: speedscope reads it"):
            client.same(checks, form, weights(whole, unit), expected)
    whole = read_all[PERF].result()
    if checks.check(whole, "perf: speedscope reads it"):
        check_perf(checks, whole)
    checks.finish()


if __name__ == "__main__":
    main()
