#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Chromium shows the page of `cpuprobe report`: its numbers are those of stat,
and a person can use it by mouse and keys."""

import json
import re
import shutil
import subprocess

import browser
import client
import frames
import lib

MOST = 2_000_000  # bytes of a page
HOSTILE = "</script><img src=x onerror=alert(1)>"
SHAPES = [(1600, False), (1600, True), (1210, False), (1000, False), (970, False), (720, False), (400, False),
          (400, True)]  # width, dark
TABLE = """[...document.querySelectorAll("#tasks tbody tr")].map((row) =>
    [row.querySelector("[data-task]").textContent,
     ...[...row.querySelectorAll("[data-number]")].map((cell) => cell.textContent)])"""
PARTS = '[...document.querySelectorAll("#functions [data-of]")].map((cell) => cell.textContent)'
NAMES = '[...document.querySelectorAll("#functions tbody th > button")].map((cell) => cell.textContent)'
# Heads that are brought to the top of the window, of which the bar hides a part.
HIDDEN = """[...document.querySelectorAll("main h2")].filter((head) => head.checkVisibility()).filter((head) => {
    head.scrollIntoView();
    const bar = document.getElementById("filter").getBoundingClientRect();
    return bar.top <= 0 && head.getBoundingClientRect().top < bar.bottom; }).map((head) => head.textContent)"""
FOCUS = """(() => { const e = document.activeElement, s = getComputedStyle(e);
    return [e.id || e.dataset.task || e.textContent, e === document.body,
            s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0]; })()"""
REACHABLE = """[...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")]
    .filter((e) => e.tabIndex >= 0 && e.checkVisibility()).length"""
ON_PAPER = """(() => [[...document.querySelectorAll("button")]
    .filter((e) => !e.closest(".tree, .lane") && e.getClientRects().length).map((e) => e.textContent),
    getComputedStyle(document.getElementById("code")).breakInside, byId("run").checkVisibility()])()"""
SIDEWAYS = """[...document.querySelectorAll(".scroll")]
    .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth)
    .map((e) => e.id || e.getAttribute("aria-label"))"""
# Where the numbers of the whole time as a part differ from the host's: of the table; of the tree, which is rounded.
DIFFERS = """(() => { const whole = nodesOf(data.run), table = data.run.stat.tasks, { begin, end } = data.run.range;
    chooseRange([begin, end]);
    const wrong = (a, b, room) => ["hits", "percent", "low", "high"].filter((name) => a[name] !== b[name] &&
        !(Math.abs(a[name] - b[name]) < room));
    const found = [nodesOf(data.run).map((node, id) => [node.name, wrong(node, whole[id], 6e-5)]),
        shownTable().tasks.flatMap((row, id) => ["total", ...MODES].map((mode) =>
            [`${row.name} ${mode}`, wrong(row[mode], table[id][mode], 1e-9)]))];
    return [found[0].length, shownTable().samples, ...found.map((one) => one.filter(([, names]) => names.length))];
    })()"""
HOUR = 3600 * 1000  # samples
# How many nodes each change of the page touches, from here on.
TOUCHED = """(() => { window.touched = []; new MutationObserver((changes) => { const nodes = new Set();
    const add = (node) => { nodes.add(node); for (const one of node.childNodes) add(one); };
    for (const { target, addedNodes, removedNodes } of changes) { nodes.add(target); addedNodes.forEach(add);
        removedNodes.forEach(add); }
    touched.push(nodes.size); }).observe(document.documentElement,
        {subtree: true, childList: true, attributes: true, characterData: true}); })()"""
FORBIDDEN = """new Promise((done) => { const seen = [];
    document.addEventListener("securitypolicyviolation", (event) => seen.push(event.effectiveDirective));
    const image = document.createElement("img"); image.src = "http://127.0.0.1:9/x.png"; document.body.append(image);
    const script = document.createElement("script"); script.src = "http://127.0.0.1:9/x.js";
    document.body.append(script);
    fetch("http://127.0.0.1:9/x").catch(() => {}).finally(() => setTimeout(() => done(seen.sort()), 200)); })"""


def page(checks, name, *arguments):
    """A page that `report` wrote, and how it ended."""
    out = lib.folder() / f"{name}.html"
    _, status = lib.host("report", *arguments, "-o", out)
    checks.check(status == 0 and out.stat().st_size <= MOST,
                 f"{name}: report ends with {status}, {out.stat().st_size} bytes")
    return out


def shown(value):
    return "" if value is None else f"{value:.2f}"


def expected(stat):
    """The texts of the table, most first, as the page sorts it."""
    rows = sorted(stat["tasks"], key=lambda row: (-row["total"]["percent"], row["name"]))
    return [[row["name"], shown(row["total"]["percent"])]
            + [shown(row[mode]["percent"]) for mode in ("user", "supervisor", "kernel", "interrupt")] for row in rows]


def quiet(checks, tab, name):
    asked = [url for url in tab.requests if not url.startswith("file:")]
    checks.check(not tab.problems and not asked,
                 f"{name}: no error in the console, nothing asked for {tab.problems} {asked}")


def check_numbers(checks, tab, dump):
    stat = lib.stat(dump)
    checks.check(tab.run("JSON.parse(document.getElementById('data').textContent).runs[0].stat") == stat,
                 "the data of the page has stat --json as it is")
    rows = tab.run(TABLE)
    wanted = expected(stat)
    checks.check(rows == wanted, "the table shows the numbers of stat "
                                 f"{[pair for pair in zip(rows, wanted) if pair[0] != pair[1]][:2]}")
    ties = [(3.125, 2), (3.375, 2), (-0.0625, 3), (2.5, 0), (1.005, 2), (100, 2)]
    texts = [tab.run(f"fixed({number}, {digits})") for number, digits in ties]
    checks.check(texts == [f"{number:.{digits}f}" for number, digits in ties],
                 f"numbers between two of as many digits go where printf takes them: {texts}")
    return wanted[1][0]


def check_filter(checks, tab, task):
    everything = tab.run(PARTS)
    tab.click(f'#tasks [data-task="{task}"]')
    tasks = set(tab.run(PARTS))
    dimmed = tab.run('document.querySelectorAll("#tasks tr.dim").length')
    checks.check(tasks == {task} and len(set(everything)) > 1 and dimmed > 1,
                 f"a click on {task} filters: {tasks}, {dimmed} other rows are dim")
    tab.click("#chosen")
    checks.check(tab.run(PARTS) == everything, "a click on the chosen task shows all again")


def check_scale(checks, tab, task):
    """Rows of the time lines are as high as the greatest share of what is shown needs."""
    full = [tab.run(f"(chooseTask({json.dumps(chosen)}), document.getElementById('lane-full').textContent)")
            for chosen in (None, task, None)]
    percents = [float(re.search(r"as high as ([\d.]+) %", text)[1]) for text in full]
    checks.check(percents[0] == percents[2] > percents[1], f"time lines of {task} alone are drawn larger: {percents}")


def check_head(checks, tab):
    """The page is called after what ran, and what the run was is folded."""
    titles = tab.run("[document.title, byId('title').textContent, byId('facts').textContent.split(' ')[0], "
                     "byId('run').checkVisibility()]")
    tab.click("#run-details summary")
    checks.check(titles == ["figure3 (run.dump) - cpuprobe report", "figure3", "run.dump", False] and
                 tab.run("byId('run').checkVisibility()"), f"the title is the program, the run is folded: {titles}")
    tab.click("#run-details summary")


def check_functions(checks, tab):
    """A function is named once, whatever tasks ran it, and a press shows all of these."""
    names, folded = tab.run(NAMES), len(tab.run(PARTS))
    tab.click("#functions tbody button.quiet")
    unfolded = len(tab.run(PARTS))
    checks.check(len(names) == len(set(names)) and unfolded > folded and tab.run(NAMES) == names,
                 f"each of {len(names)} functions is named once: {names[:3]}; rows {folded}, of all tasks {unfolded}")


def check_search(checks, tab):
    tab.run("document.getElementById('search').focus()")
    for letter in "dbwrit":
        tab.key(letter)
    names = tab.run(NAMES)
    checks.check(names and all("dbwrit" in name for name in names),
                 f"the search finds functions by name: {names[:3]}")
    tab.run("(() => { const s = document.getElementById('search'); s.value = ''; s.dispatchEvent(new "
            "Event('input')); })()")


def check_tab_order(checks, tab):
    """From the top of the page Tab comes to all that can be used, shows where it is,
    and leaves the page at the end."""
    seen, invisible = 0, []
    for _ in range(600):
        tab.key("Tab")
        what, left, outlined = tab.run(FOCUS)
        if left:
            break
        seen += 1
        invisible += [] if outlined else [what]
    wanted = tab.run(REACHABLE)
    checks.check(seen >= wanted and not invisible,
                 f"Tab reaches {seen} of {wanted} places; without a sign of it: {invisible[:3]}")


def check_keys(checks, tab):
    tab.run("document.getElementById('lane-box').focus()")
    before = tab.run("[state.from, state.to]")
    for key in ("+", "ArrowRight"):
        tab.key(key)
    inside = tab.run("[state.from, state.to]")
    tab.key("Home")
    checks.check(before == [0, 1] == tab.run("[state.from, state.to]") and inside[1] - inside[0] == 0.5 and
                 inside[0] > 0.25, f"keys zoom and move the time lines: {inside}")
    tab.run("document.querySelector('#tree [tabindex=\"0\"]').focus()")
    levels = [tab.run("document.activeElement.getAttribute('aria-level')")]
    for _ in range(4):
        tab.key("ArrowDown")
        levels.append(tab.run("document.activeElement.getAttribute('aria-level')"))
    tab.key("ArrowUp")
    tab.key("Enter")
    chosen = tab.run("treeOf(data.run)[state.node].level")
    tab.key("Backspace")
    checks.check(levels == list("12345") and chosen == 3 and tab.run("treeOf(data.run)[state.node].level") == 2,
                 f"keys go through the tree: levels {levels}, chosen {chosen}")
    tab.run("chooseNode(0)")


def check_address(checks, tab, out, task):
    """The address tells what is chosen, and shows the same when it is opened anew or put in the same window; one that
    tells what is not there chooses nothing."""
    whole = out.resolve().as_uri()
    shown = f"[{{...state, unfolded: 0}}, {TABLE}, {PARTS}, byId('search').value, byId('lane-where').textContent]"
    for place in ("about:blank", whole):
        tab.open(place)
    opened = tab.run(shown)
    tab.run("byId('lane-box').focus()")
    tab.key("+")
    tab.click("#sort-name")
    tab.click(f'#tasks [data-task="{task}"]')
    tab.run("(() => { byId('search').value = 'b & c'; byId('search').dispatchEvent(new Event('input')); })()")
    tab.run("chooseNode(nodeAt(treeOf(data.run), [state.task, 'kernel']))")
    chosen = tab.run(shown)
    link = tab.run("new Promise((done) => setTimeout(() => done(location.href), 600))")
    for words, first in {"opened anew": "about:blank", "in the same window": f"{whole}#"}.items():
        for place in (first, link):
            tab.open(place)
            tab.run("new Promise((done) => setTimeout(done, 50))")
        checks.check(tab.run(shown) == chosen != opened and "task=" in link and "code=" in link,
                     f"a link keeps what is chosen, {words}: {link[len(whole):]}")
    for foreign in ("main", "run=length&task=%3Cb%3E&mode=toString&sort=constructor&time=2-1&code=no",
                    "time=a-b&%=%"):
        for place in ("about:blank", f"{whole}#{foreign}"):
            tab.open(place)
        checks.check(tab.run(shown) == opened, f"a link to what is not there chooses nothing: {foreign}")
    quiet(checks, tab, "links")
    tab.open("about:blank")
    tab.open(out)


def escape(tab):
    tab.run("document.activeElement.blur()")
    tab.key("Escape")


def check_range(checks, tab, dump):
    """The whole time as a part has the host's numbers; a part has the samples of its time; Escape shows all again."""
    opened = tab.run(TABLE)
    count, samples, *wrong = tab.run(DIFFERS)
    shown = tab.run(TABLE)
    checks.check(wrong == [[], []] and samples == lib.stat(dump)["samples"] and shown == opened,
                 f"all of the time as a part: {count} shares and intervals of the host {[one[:3] for one in wrong]}")
    escape(tab)
    tab.run("document.getElementById('lane-box').focus()")
    for key in ("+", "ArrowRight", "+", "Enter"):
        tab.key(key)
    begin, end = tab.run("state.range")
    exported, _ = lib.host("export", "--format", "jsonl", "-o", "-", dump)
    expected = {}
    for one in map(json.loads, exported.splitlines()):
        if one["type"] == "sample" and begin <= one["time"] < end:
            task, mode = one["task"], one["mode"]
            for name in ((task, None), (task, mode), (task, mode, one["function"])):
                expected[name] = expected.get(name, 0) + 1
    rows = {(name, mode): hits for name, mode, hits in tab.run(
        "shownTable().tasks.flatMap((row) => [[row.name, null, row.total.hits], ...MODES.filter((mode) => "
        "row[mode].percent !== null).map((mode) => [row.name, mode, row[mode].hits])])") if hits}
    functions = {}
    for task, mode, name, hits in tab.run("nodesOf(data.run).filter((node) => node.level === 3 && node.hits)"
                                          ".map((node) => [node.task, node.mode, node.name, node.hits])"):
        inner = task, mode, name.split(" (in ")[0].split(": ")[-1]
        functions[inner] = functions.get(inner, 0) + hits
    wrong = {name: (hits, expected.get(name)) for name, hits in (rows | functions).items()
             if hits != expected.get(name)}
    checks.check(not wrong and len(rows) > 20 and len(functions) > 20,
                 f"{begin} to {end} s: {len(rows)} rows, {len(functions)} functions have the samples of the time "
                 f"(found, expected) {dict(list(wrong.items())[:3])}")
    told = tab.run("[byId('range').textContent, document.querySelector('#tasks caption').textContent, "
                   "byId('meaning').textContent, [...document.querySelectorAll('#tasks tbody tr')].map((row) => "
                   "row.children[4].textContent), byId('lane-range').hidden]")
    checks.check("s \u00d7" in told[0] and told[0][:-2] in told[1] and told[2].startswith("Of the whole run") and
                 set(told[3]) == {"n.a."} and not told[4],
                 f"it says of what time it is, and that exact times are not told of a part: {told[:2]}")
    link = tab.run("new Promise((done) => setTimeout(() => done(location.href), 600))")
    part = tab.run(TABLE)
    escape(tab)
    checks.check(tab.run(TABLE) == opened != part and tab.run("state.range") is None, "Escape shows all of the time")
    tab.open("about:blank")
    tab.open(link)
    checks.check(tab.run(TABLE) == part and "range=" in link, f"a link keeps the part: {link.split('#')[-1]}")
    tab.click("#range")
    checks.check(tab.run(TABLE) == opened, "a click on the part shows all again")
    tab.run("moveView(0, 1)")
    drag(tab, ".lane.head svg", 0.25, 0.5)
    begin, end = tab.run("state.range.map((time) => (time - data.run.lanes.begin) / (data.run.lanes.end - "
                         "data.run.lanes.begin))")
    checks.check(abs(begin - 0.25) < 0.01 and abs(end - 0.5) < 0.01,
                 f"a drag along the seconds chooses a part: {begin:.3f} to {end:.3f}")
    quiet(checks, tab, "range")
    escape(tab)


def waits_of(dump, *arguments):
    """Percent of the time of each task, by state, as the host has it."""
    told = json.loads(lib.host("waits", "--json", *arguments, dump)[0])
    return {task["name"]: [100 * task["units"][state] / told["units"] / task["tasks"]
                           for state in ("ran", "ready", "slept")] for task in told["tasks"]}


def check_waits(checks, tab, dump):
    """All of the time is the host's; of a part the time is that of its events, which another reading of them agrees
    with up to the first and last switch."""
    shown = """(() => { const columns = waitColumns(data.run); return [columns.seconds, Object.fromEntries(
        waitsShown(data.run, columns).map(({row, shares}) => [row.name, [shares.ran, shares.ready, shares.slept]]))];
        })()"""
    for time, room in ((None, 1e-4), ([2, 3], 0.4)):
        tab.run(f"chooseRange({json.dumps(time)})")
        edges, rows = tab.run(shown)
        wanted = waits_of(dump, *(("--from", str(edges[0]), "--to", str(edges[1])) if time else ()))
        far = max((abs(a - b), name) for name in rows for a, b in zip(rows[name], wanted.get(name, rows[name])))
        checks.check(far[0] <= room and len(rows) > 20 and rows.keys() >= wanted.keys(),
                     f"waits of {edges}: {len(rows)} tasks, {far[0]:.2g} points from the host's ({far[1]})")
    words = tab.run("[document.querySelector('#wait-table caption').textContent, rangeWords(waitColumns(data.run)"
                    ".seconds)]")
    checks.check(words[1] in words[0], f"waits say of what time they are: {words[0]}")
    tab.run("chooseRange(null)")


def beside(stacks, name, step, end):
    """Samples by the function before or behind one of this name in a stack, each stack once for each."""
    found = {}
    for path, hits in stacks:
        for other in {path[at + step] if 0 <= at + step < len(path) else end
                      for at, one in enumerate(path) if one == name}:
            found[other] = found.get(other, 0) + hits
    return found


def check_listing(checks, tab, dump):
    """Beside each instruction are its samples, beside each line its text; only files below the folder are read."""
    told = json.loads(lib.host("histogram", "--by", "instruction", "--task", "PLAIN", "--mode", "user", "--json",
                               dump)[0])
    wanted = {row["start"]: row["hits"] for row in told["rows"]}
    names = tab.run("[...new Set(treeOf(data.run).filter((node) => node.level === 3 && node.task === 'PLAIN' && "
                    "node.mode === 'user').map((node) => node.name))]")
    shown = {}
    tab.run("chooseTask('PLAIN')")
    for name in names:
        tab.run(f"chooseFunction({json.dumps(name)})")
        for address, hits in tab.run("[...document.querySelectorAll('#listing [data-hits]')].filter((cell) => "
                                     "cell.textContent).map((cell) => [cell.dataset.hits, cell.textContent])"):
            shown[address] = int(hits)
    checks.check(shown == wanted and len(wanted) > 5,
                 f"{sum(shown.values())} samples are beside {len(shown)} instructions of {len(names)} functions")
    tab.run("chooseFunction('twice')")
    lines = tab.run("[...document.querySelectorAll('#listing .source th')].map((cell) => "
                    "[cell.firstChild.textContent, cell.lastChild.textContent])")
    real = [(lib.ROOT / place.split(":")[0]).read_text().splitlines()[int(place.split(":")[1]) - 1]
            for place, _ in lines]
    checks.check(lines and [text for _, text in lines] == real, f"the lines are those of the files: {lines[:1]}")
    tab.run("chooseTask(null)")
    other = lib.folder() / "other"
    other.mkdir(exist_ok=True)
    (other / "kernel").unlink(missing_ok=True)
    (other / "kernel").symlink_to(lib.ROOT / "kernel")  # a way out of the folder
    for words in ([], ["--source", other]):
        data = json.loads(lib.host("report", "--json", *words, dump)[0])["runs"][0]["listings"]
        checks.check(not data["lines"] and data["functions"] and data["files"],
                     f"without the folder of the source there is none: {words}")


def check_callers(checks, tab):
    """Callers and callees of a function are those of the stacks that `export` has, a recursion once."""
    run = lib.boot("stacks", "output=frames tasks=nested monitor=system,samples stack=15 seconds=2 rate=500 "
                   "interval=random seed=1", shift=5)
    tab.open(page(checks, "stacks", run.dump, "--source", lib.ROOT))
    check_listing(checks, tab, run.dump)
    stacks = []
    for line in lib.host("export", "--format", "folded", "-o", "-", run.dump)[0].splitlines():
        path, hits = line.rsplit(" ", 1)
        frames = path.split(";")  # its task, its mode unless it is late, functions, a line
        stacks.append((frames[1 + (frames[1] in lib.MODES):-1], int(hits)))
    for name in ("deep", "turn", "spin"):
        tab.run(f"chooseFunction({json.dumps(name)})")
        shown = tab.run("[...document.querySelectorAll('.beside > div')].map((part) => Object.fromEntries("
                        "[...part.querySelectorAll('[data-beside]')].map((cell) => [cell.dataset.beside, "
                        "Number(cell.textContent)])))")
        wanted = [beside(stacks, name, -1, "nobody: it is the outermost"), beside(stacks, name, 1, "its own code")]
        checks.check(shown == wanted and all(wanted), f"{name}: called by {shown[0]}, calls {shown[1]}; {wanted}")
    tab.run("chooseFunction('deep')")
    tab.click(".beside > div:first-child button")
    checks.check(tab.run("chosenFunction().name") in ("turn", "deep"), "a click on a caller chooses it")
    tab.run("chooseRange([data.run.range.begin, data.run.range.begin + 1])")
    tab.run("chooseFunction(nodesOf(data.run).find((node) => node.level === 3 && node.hits).name)")
    told = tab.run("[byId('code').textContent, document.querySelectorAll('.beside').length, treeOf(data.run) === "
                   "nodesOf(data.run)]")
    checks.check("Its callers are known for the whole run only" in told[0] and not told[1] and told[2] and
                 "Samples by instruction are known for the whole run only" in told[0] and not tab.run(
                     "document.querySelectorAll('.listing').length"),
                 "of a part of the time there are no callers and no instructions, and the page says so")
    quiet(checks, tab, "stacks")


def check_intervals(checks, tab, dump):
    """The scripts make the intervals that the host makes, of tables of every length: those of a cut stream."""
    whole, cut = dump.read_bytes(), lib.folder() / "cut.dump"
    count, wrong = 0, []
    for part in range(1, 16):
        cut.write_bytes(whole[:len(whole) * part // 15])
        stat = json.loads(lib.host("stat", "--json", cut)[0] or "{}")
        cells = [[row[cell][what] for what in ("hits", "changes", "low", "high")] + [row["name"]]
                 for row in stat.get("tasks", ()) for cell in ("total", *lib.MODES) if row[cell]["low"] is not None]
        bias = (stat.get("handler_bias") or 0) / 100
        made = tab.run(f"{json.dumps(cells)}.map(([hits, changes]) => shareOf({{...data.run.range, interval_reason: "
                       f"null, bias: {bias}}}, {{hits, changes, samples: {stat.get('samples', 0)}}}, 0)).map("
                       "({low, high}) => [low, high])")
        count += len(cells)
        wrong += [(cell, pair) for cell, pair in zip(cells, made)
                  if max(abs(cell[2] - pair[0]), abs(cell[3] - pair[1])) > 1e-9]
    pairing = tab.run("data.run.range.pairing")
    checks.check(not wrong and count > 300, f"pairing {pairing}: {count} intervals are those of the host {wrong[:2]}")


def check_difference(checks, tab, dump):
    """Both runs as one tree: the difference of each node in colour and words, grey where it may be chance."""
    run = lib.boot("fixed", client.WORDS.replace("tasks=figure3", "tasks=figure3-fixed"))
    out = page(checks, "difference", dump, run.dump)
    tab.open(out)
    verdicts = dict(tab.run("data.all.compare.functions.rows.map((row) => [row.name, [row.a.percent, row.b.percent, "
                            "row.difference, row.low, row.high, row.significant]])"))
    nodes = tab.run("differenceNodes().filter((node) => node.level === 3).map((node) => [`${node.task} ${node.mode}: "
                    "${node.name}`, [node.a, node.b, node.difference, node.low, node.high, node.significant], "
                    "differenceClass(node), differenceWords(node)])")
    wrong = [(name, values, verdicts.get(name)) for name, values, _, _ in nodes if name in verdicts and
             any(abs(a - b) > 6e-5 for a, b in zip(values, verdicts[name]))]
    marks = {(look[:4], values[5], values[2] > 0) for _, values, look, _ in nodes if look != "same"}
    grey = [values for _, values, look, _ in nodes if look == "same"]
    checks.check(not wrong and len(nodes) >= len(verdicts) > 50 and
                 marks == {("more", True, True), ("less", True, False)} and grey and not any(one[5] for one in grey),
                 f"{len(nodes)} functions of both runs have the verdicts of their list: {wrong[:1]} {marks}")
    sums = tab.run("Math.max(...differenceNodes().filter((node) => node.children.length).map((node) => Math.max(..."
                   "['a', 'b'].map((run) => Math.abs(node[run] - node.children.reduce((sum, child) => "
                   "sum + child[run], 0))))))")
    tab.run("differenceView.set(differenceNodes().find((node) => node.name === 'ROGUE').id)")
    told = tab.run("[document.activeElement.getAttribute('aria-label'), byId('difference-tree-where').textContent]")
    rows = [next(row["total"]["percent"] for row in lib.stat(one)["tasks"] if row["name"] == "ROGUE")
            for one in (dump, run.dump)]
    words = f"ROGUE \u2212{rows[0] - rows[1]:.2f} points (95 %: ", f": {rows[0]:.2f} % in A, {rows[1]:.2f} % in B"
    checks.check(sums < 0.02 and told[0] == told[1] and told[0].startswith(words[0]) and
                 told[0].endswith(f"more than chance{words[1]}"),
                 f"a node says both shares, their difference and its interval: {told[0]}; sums to {sums:.2g}")
    for key in ("ArrowDown", "Enter"):
        tab.key(key)
    link = tab.run("new Promise((done) => setTimeout(() => done(location.href), 600))")
    tab.open("about:blank")
    tab.open(link)
    checks.check(tab.run("nodePath(differenceNodes(), compared.node).length") == 2 and link.count("both=") == 2,
                 f"keys go through it, and a link keeps the place: {link.split('#')[-1]}")
    quiet(checks, tab, "difference")
    check_shapes(checks, tab, "difference")


def metrics(tab):
    """Of the page's process so far: seconds of its tasks, bytes of script."""
    told = {one["name"]: one["value"] for one in tab.ask("Performance.getMetrics")["metrics"]}
    return told["TaskDuration"], told["JSHeapUsedSize"]


def check_hour(checks):
    """An hour of 34 tasks at 1 kHz opens at once, a step of its time lines touches few nodes; it is filtered like a
    second."""
    dump = lib.folder() / "hour.dump"
    with dump.open("wb") as to:
        subprocess.run([lib.ROOT / "build/host/make_large", "figure3", str(HOUR)], stdout=to, check=True)
    out = page(checks, "hour", dump)
    for width in (1600, 400):
        with browser.Browser(width) as tab:
            tab.ask("Performance.enable")
            tab.open(out)
            seconds, heap = metrics(tab)
            checks.check(tab.run("data.run.code.samples") == HOUR and seconds <= 3 and heap <= 200e6,
                         f"an hour at {width} px opens in {seconds:.2f} s of CPU and {heap / 1e6:.1f} MB of script")
            tab.run(TOUCHED)
            tab.run("byId('lane-box').scrollIntoView({block: 'center'})")
            tab.run("new Promise((done) => setTimeout(done, 200)).then(() => moveView(0.2, 0.25))")
            tab.run("(() => { window.touched = []; byId('lane-box').focus({preventScroll: true}); })()")
            for key in ["ArrowRight"] * 6 + ["ArrowLeft"] * 6:
                tab.key(key)
            most = tab.run("[touched.length, Math.max(...touched), byId('lane-box').querySelectorAll('path').length]")
            checks.check(most[0] >= 12 and 20 < most[1] <= width,
                         f"a step touches {most[1]} nodes of {width} columns; {most[2]} paths are drawn")
            stale = tab.run("(() => { scrollTo(0, 0); return new Promise((done) => setTimeout(done, 200)); })()"
                            ".then(() => laneState.lines.filter((line) => line.seen && line.stale).length)")
            _, _, wrong, _ = tab.run(DIFFERS)
            checks.check(stale == 0 and not wrong, f"rows on the screen are drawn, all of the time is the host's "
                                                   f"{stale} {wrong[:2]}")
            quiet(checks, tab, "hour")
    dump.unlink()


def check_runs(checks, tab):
    """The same where the schedule makes a pair of each two samples: the tree is the host's.  The table counts pairs
    of which one is in a handler between them too, which raw samples do not have."""
    run = lib.boot("each", f"{client.WORDS} interval=exponential")
    tab.open(page(checks, "each", run.dump))
    count, _, wrong, _ = tab.run(DIFFERS)
    checks.check(run.status == lib.COMPLETE and not wrong, f"pairs of all: {count} shares are the host's {wrong[:3]}")
    check_intervals(checks, tab, run.dump)


def drag(tab, selector, begin, end):
    """From one part of the width of an element to another, by the mouse."""
    tab.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
    left, top, width, height = tab.run(f"(({{x, y, width, height}}) => [x, y, width, height])("
                                       f"document.querySelector({json.dumps(selector)}).getBoundingClientRect())")
    for kind, part in (("mousePressed", begin), ("mouseMoved", (begin + end) / 2), ("mouseMoved", end),
                       ("mouseReleased", end)):
        tab.ask("Input.dispatchMouseEvent", type=kind, x=left + width * part, y=top + height / 2, button="left",
                buttons=1, clickCount=1)


def check_policy(checks, tab):
    seen = tab.run(FORBIDDEN)
    asked = [url for url in tab.requests if "127.0.0.1" in url]
    checks.check(seen == ["connect-src", "img-src", "script-src-elem"],
                 f"the policy forbids an image, a script and a request: {seen} {asked}")


def check_shapes(checks, tab, name):
    for width, dark in SHAPES:
        tab.shape(width, dark=dark)
        wide = tab.run("new Promise((done) => requestAnimationFrame(() => "
                       "done(document.documentElement.scrollWidth)))")
        tab.picture(lib.folder() / f"{name}-{width}-{'dark' if dark else 'light'}.png")
        beyond, hidden = tab.run(SIDEWAYS), tab.run(HIDDEN)
        checks.check(wide <= width and not beyond and not hidden,
                     f"{name} at {width} px takes {wide}; tables that are wider: {beyond}; "
                     f"heads under the bar: {hidden}")
    tab.shape(1600)


def check_print(checks, tab, name):
    """On paper nothing is left to press, the heads of tables are words (boxes are missing on later pages),
    the tree is in one piece, what the run was is unfolded."""
    tab.ask("Emulation.setEmulatedMedia", media="print")
    pressed, whole, unfolded = tab.run(ON_PAPER)
    tab.ask("Page.printToPDF", printBackground=True)
    tab.ask("Emulation.setEmulatedMedia", media="")
    checks.check(not pressed and whole == "avoid" and unfolded,
                 f"{name}: no button is printed as one: {pressed[:3]}; the tree breaks: {whole}; the run: {unfolded}")


def check_error_bars(checks, tab):
    """Each row of the tables with an interval has an error bar."""
    for part, rows in (("tasks", tab.run("data.run.stat.tasks.filter((row) => row.total.low !== null).length")),
                       ("functions", tab.run('document.querySelectorAll("#functions tbody tr").length'))):
        found = tab.run(f'document.querySelectorAll("#{part} .bar .whisker").length')
        checks.check(found == rows, f"{part}: {found} error bars of {rows} rows with an interval")


def hostile_dump(dump):
    """The same run with a task and a machine whose names are markup, all checksums right."""
    out = lib.folder() / f"{HOSTILE.replace('/', '')}.dump"
    machine = b"QEMU TCG CPU version 2.5+"
    data = b""
    for block in dump.read_bytes().split(frames.ZERO):
        body = frames.intact(block)
        body = body.replace(b"ROGUE", b"<b>&\"").replace(machine, b"</script><img src=x>".ljust(len(machine)))
        data += frames.ZERO + frames.cobs.encode(body + frames.crc(body)) + frames.ZERO if body else b""
    out.write_bytes(data)
    return out


def hostile_symbols():
    """ROGUE's program with a function that is called like markup."""
    out = lib.folder() / "rogue.elf"
    shutil.copyfile(lib.ROOT / "build/tasks/rogue.elf", out)
    subprocess.run(["objcopy", "--redefine-sym", f"dbwrit={HOSTILE}", out], check=True)
    return out


def check_hostile(checks, tab, dump):
    out = page(checks, "hostile", "--symbols", hostile_symbols(), hostile_dump(dump))
    tab.open(out)
    quiet(checks, tab, "hostile")
    rows = [row[0] for row in tab.run(TABLE)]
    names = tab.run(NAMES)
    foreign = tab.run("document.querySelectorAll('img, b, main script').length")
    checks.check('<b>&"' in rows and HOSTILE in names and foreign == 0 and
                 HOSTILE.replace("/", "") in tab.run("document.title"),
                 f"names of a task, a machine, a function and a file stay text: {foreign} elements came of them")


def check_comparison(checks, tab, dump):
    tab.open(page(checks, "two", dump, dump))
    quiet(checks, tab, "two")
    tab.click("#compare-functions")
    tab.click("#run-1")
    text = tab.run("document.getElementById('compare').textContent")
    checks.check("0 of " in text and "differ by more than chance" in text and tab.run("state.run") == 1,
                 "a run does not differ from itself")
    tab.open(f"{(lib.folder() / 'two.html').resolve().as_uri()}#run=1&sort=user")
    checks.check(tab.run("[state.run, data.run === data.all.runs[1], state.sort]") == [1, True, "user"],
                 "a link shows the second run")
    check_shapes(checks, tab, "two")
    check_print(checks, tab, "two")


def main():
    checks = lib.Checks()
    client.need("chromium", "objcopy")
    dump = client.recorded(checks)
    out = page(checks, "run", dump)
    checks.check(out.read_bytes() == page(checks, "again", dump).read_bytes(), "the same dump gives the same bytes")
    with browser.Browser() as tab:
        tab.open(out)
        task = check_numbers(checks, tab, dump)
        check_tab_order(checks, tab)
        check_head(checks, tab)
        check_functions(checks, tab)
        check_filter(checks, tab, task)
        check_scale(checks, tab, expected(lib.stat(dump))[-1][0])
        check_search(checks, tab)
        check_keys(checks, tab)
        quiet(checks, tab, "run")
        check_address(checks, tab, out, task)
        check_range(checks, tab, dump)
        check_waits(checks, tab, dump)
        check_intervals(checks, tab, dump)
        check_shapes(checks, tab, "run")
        check_error_bars(checks, tab)
        check_print(checks, tab, "run")
        check_policy(checks, tab)
        check_hostile(checks, tab, dump)
        check_comparison(checks, tab, dump)
        check_difference(checks, tab, dump)
        check_runs(checks, tab)
        check_callers(checks, tab)
    check_hour(checks)
    checks.finish()


if __name__ == "__main__":
    main()
