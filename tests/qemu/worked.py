# SPDX-License-Identifier: MIT
"""The worked example of Crowe's paper, done by a person at the terminal: its runs, what they must say, its page,
its pictures."""

import dataclasses
import re
import shutil
import subprocess

import lib
import made_from
import session
import typist

RATE = 1000  # Hz at the terminal: as many samples as the paper's 60, 180 and 360 s at 120 Hz take a ninth of the time
PAT, PLT = "pat -sec 10", "plt -sec 20 -low 0 -high 0200000 rogue"
MPS = "mps -sec 40 -low 025200 -high 042600 rogue rogue.stb"
RECORD = "seconds=20 rate=3000 monitor=system,samples output=frames"
REPAIRED = "tasks=figure3-fixed"
HOT = ("025200", "042400")  # the slots that the paper says deserve attention
SAME = 0.3                  # points that functions may differ by which are as busy as before
WORK = ("main", "mkrec", "dbfind")  # of the program, what dbwrit does not call
MOST = 0.5                  # of ROGUE's user time at least dbwrit has, with what it calls
BUSIEST = 5                 # rows of a table that the page shows


@dataclasses.dataclass
class Runs:
    answers: dict   # command: its answer, plain
    screens: dict   # command: the bytes that the terminal got, from its prompt on
    repaired: str   # the answer to PAT with ROGUE repaired
    hosts: dict     # command line of the host: its output


def sit_down(checks, name, words, commands):
    """A session; each command with its answer, and with what the screen got."""
    answers, screens = {}, {}
    with typist.Typist(name, f"rate={RATE} shell=on {words}") as s:
        s.expect(session.PROMPT)
        s.command("page 0")
        for line in commands:
            begin = s.seen
            answers[line] = s.command(line)
            screens[line] = session.PROMPT + s.text()[begin:s.seen - len(session.PROMPT)]
        checks.check(s.end()[1] == lib.COMPLETE, f"{name}: the run ends well")
    return answers, screens


def ask_host(*arguments):
    """A command of the host tool, as it is typed where the dumps are."""
    done = subprocess.run([lib.ROOT / "build/cpuprobe", *arguments], cwd=lib.folder(), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return " ".join(["build/cpuprobe", *arguments]), done.stdout


def run(checks):
    answers, screens = sit_down(checks, "found", "", (PAT, PLT, MPS))
    repaired, _ = sit_down(checks, "fixed", REPAIRED, (PAT,))
    for name, words in (("a", RECORD), ("b", f"{RECORD} {REPAIRED}")):
        checks.check(lib.boot(name, words).status == lib.COMPLETE, f"{name}: it is recorded")
        (lib.folder() / name).unlink(missing_ok=True)
        (lib.folder() / f"{name}.dump").rename(lib.folder() / name)
    hosts = dict(ask_host(*line.split()) for line in
                 ("histogram --task ROGUE --by function a", "diff --task ROGUE a b",
                  "histogram --zoom --octal --low 024230 --high 0200000 a", "stat --exact a",
                  "top --since-start --top 14 a"))
    return Runs(answers, screens, repaired[PAT], hosts)


# ---- what the answers say ----

ROW = re.compile(r"^(\S+) +(?:[\d.]+ +){4}([\d.]+) +([\d.]+)-([\d.]+) +[\d.]+ +[+-]", re.M)
DIFFERENCE = re.compile(r"^(\S+|the task in all) +([\d.]+) +([\d.]+) +([+-][\d.]+) +([+-][\d.]+) +([+-][\d.]+)(.*)$",
                        re.M)


def totals(table):
    """Each row's total and its interval, the busiest first; MASKED has no modes and is none."""
    rows = {name: tuple(map(float, numbers)) for name, *numbers in ROW.findall(table) if name != "Total"}
    return dict(sorted(rows.items(), key=lambda item: -item[1][0]))


def slots(histogram):
    """Hits by address."""
    return {a: int(n) for a, n in re.findall(r"^(\d+): +(\d+):", histogram, re.M)}


def functions(histogram):
    """Figure 5's way: the functions that are named, in order."""
    rows = re.findall(r"^(\d+-\D.*)$", histogram, re.M)
    return list(dict.fromkeys(name for row in rows for name in re.findall(r"\d+-(\S+)", row)))


def differences(text):
    """Each row of diff: a, b, difference, low, high, and whether it has a star."""
    return {name: (*map(float, numbers), rest.endswith("*")) for name, *numbers, rest in DIFFERENCE.findall(text)}


def host(runs, word):
    return next((line, text) for line, text in runs.hosts.items() if word in line)


def by_function(runs):
    """Hits of each function."""
    return {name: int(hits) for name, hits in re.findall(r"^(\S+) +[\d.]+ +[\d.]+-[\d.]+ +(\d+):",
                                                         host(runs, "--by")[1], re.M)}


def of_dbwrit(runs):
    """Hits of dbwrit with what it calls, and of all."""
    hits = by_function(runs)
    return sum(n for name, n in hits.items() if name not in WORK), sum(hits.values())


def check(checks, runs):
    """That the numbers say what the page says."""
    found, repaired = totals(runs.answers[PAT]), totals(runs.repaired)
    first, *others = found
    checks.check(first == "ROGUE" and all(found["ROGUE"][1] > found[o][2] for o in others),
                 "pat: ROGUE is first, beyond chance")
    by_hits = sorted(slots(runs.answers[PLT]).items(), key=lambda item: -item[1])
    checks.check({a for a, _ in by_hits[:2]} == set(HOT), f"plt: the slots with the most hits are {by_hits[:3]}")
    named = functions(runs.answers[MPS])
    wanted = [line.split(",")[1] for line in (lib.ROOT / "tests/golden/symbols5.csv").read_text().splitlines()[1:]
              if "," in line and not line.startswith(("#", "address"))]
    checks.check(set(wanted) <= set(named), f"mps names {' '.join(named)}")
    calls, every = of_dbwrit(runs)
    checks.check(calls > MOST * every > 0, f"by function: dbwrit with what it calls has {calls} of {every} hits")
    checks.check(repaired["ROGUE"][2] < found["ROGUE"][1], "repaired: ROGUE takes less, beyond chance")
    rows = differences(host(runs, "diff")[1])
    checks.check(rows["dbwrit"][4] < 0 and rows["dbwrit"][5] and rows["the task in all"][4] < 0,
                 "diff: the win is beyond chance, of dbwrit and in all")
    checks.check(all(rows[name][4] < 0 for name in wanted), "diff: each function of Figure 5 takes less")
    checks.check(all(abs(rows[name][2]) < SAME for name in WORK), f"diff: {' '.join(WORK)} take what they took")


# ---- the page ----

def shortened(table, names):
    """A table with these rows; what is left out is three points."""
    lines = []
    for line in table.split("\n"):
        row = ROW.match(line)
        if row and row[1] not in names and row[1] != "Total":
            line = "..."
        if line != "..." or lines[-1] != "...":
            lines.append(line)
    return "\n".join(lines)


def block(*parts):
    return "\n".join(["```", *parts, "```"])


def typed(line, answer):
    return block(session.PROMPT + line, answer.strip("\n"))


def page(runs):
    found, repaired = totals(runs.answers[PAT]), totals(runs.repaired)
    busiest = list(found)[:BUSIEST] + ["IDLE"]
    hits = slots(runs.answers[PLT])
    rows = differences(host(runs, "diff")[1])
    second = list(found)[1]
    hot = sum(hits[a] for a in HOT)
    calls, every = of_dbwrit(runs)
    saved = rows["the task in all"]
    return f"""# The worked example

`make example` wrote this page: a script typed these commands at the serial terminal of the image, and each number is
from its runs (QEMU, 31 million instructions a second). It is "An example" of Crowe's "CPU Probes", from start to end:
a system is slow, and nobody knows why.

## Which task

`tools/boot --shift 5 --door rom -- rate={RATE} shell=on` runs the paper's system. The tasks keep
running while you type. First the system monitor:

{typed(PAT, shortened(runs.answers[PAT], busiest))}

ROGUE takes {found["ROGUE"][0]:.1f} % of the CPU (95 %: {found["ROGUE"][1]:.2f} to {found["ROGUE"][2]:.2f}), \
{found["ROGUE"][0] / found[second][0]:.1f} times as much as the next task, {second}.
IDLE has {found["IDLE"][0]:.1f} %: there is little free capacity.

## Where in the task

Its whole program, in user mode, as the paper's Figure 4 shows it:

{typed(PLT, runs.answers[PLT])}

The slots {HOT[0]} and {HOT[1]} have {hits[HOT[0]]} and {hits[HOT[1]]} hits, {100 * hot / sum(hits.values()):.0f} % \
of all in two of {len(hits)} slots: they deserve further attention.

## Which functions

The same from the first to the last of these slots, with the names of functions (Figure 5), which the image contains:

{typed(MPS, runs.answers[MPS])}

`dbwrit` calls all of these except `emt`, which the others call. Nothing here is inefficient, but it is called too
often. The source shows why: ROGUE calls `dbwrit` in each turn of an endless loop, although it needs to write its data
base only when all records of a period are made.

To see the whole program by function, record a run with raw samples for the host tool:

{block(f"$ tools/boot --shift 5 --door rom -o a -- {RECORD}",
       "$ " + host(runs, "--by")[0], host(runs, "--by")[1].strip())}

`dbwrit` with all that it calls has {calls} of {every} hits, {100 * calls / every:.0f} %; `main`, `mkrec` and \
`dbfind`, which do the work, have the rest.

## The repair

`{REPAIRED}` is the same system with ROGUE repaired. It makes as many records, and calls `dbwrit` once
a period (`kernel/tasks/rogue.asm`, assembled with one difference):

{typed(PAT, shortened(runs.repaired, busiest))}

ROGUE takes {repaired["ROGUE"][0]:.1f} % in place of {found["ROGUE"][0]:.1f} %, and IDLE has \
{repaired["IDLE"][0]:.1f} % in place of {found["IDLE"][0]:.1f} %.

## The gain

Record a second run in the same way, and compare the two:

{block(f"$ tools/boot --shift 5 --door rom -o b -- {RECORD} {REPAIRED}",
       "$ " + host(runs, "diff")[0], host(runs, "diff")[1].strip())}

In user mode {-saved[2]:.2f} points of the CPU were saved (95 %: {-saved[4]:.2f} to {-saved[3]:.2f}), \
{-rows["dbwrit"][2]:.2f} of them in `dbwrit` itself
({-rows["dbwrit"][4]:.2f} to {-rows["dbwrit"][3]:.2f}); neither interval contains zero. `mkrec` and `dbfind`, which \
do the work, differ by {rows["mkrec"][2]:+.2f}
and {rows["dbfind"][2]:+.2f} points. As in the paper, kernel mode benefits too: in all modes together ROGUE takes
{found["ROGUE"][0] - repaired["ROGUE"][0]:.1f} points less.
"""


# ---- the pictures ----

WIDE = 100  # columns of a terminal
# what must not be missed
GUILTY = {"top": r"^ROGUE +\d=guilty", "shell": "^042460:=hottest", "zoom": "hottest instruction=here",
          "diff": "^dbwrit =guilty"}


def pictures(runs):
    """Name: what the terminal got."""
    def at_host(word):
        line, text = host(runs, word)
        return "\r\n".join([f"$ {line}", *(row[:WIDE] for row in text.splitlines())]) + "\r\n"

    return {"top": at_host(" top "), "shell": runs.screens[MPS], "zoom": at_host("--zoom"), "diff": at_host("diff")}


def draw(path, screen, note, *options):
    subprocess.run([lib.ROOT / "tools/build/picture", "--note", note, *options, path], input=screen.encode("latin-1"),
                   check=True)


def photograph(path, *, width=1000, height=900):
    """The top of the page that `report` writes of the recorded run, as PNG;
    without Chromium the picture that is there stays."""
    ask_host("report", "a", "-o", "report.html")
    if shutil.which("chromium") is None:
        print(f"{path}: Chromium is not here, it is left as it is")
        return
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    f"--user-data-dir={lib.folder()}/chromium", f"--window-size={width},{height}",
                    "--virtual-time-budget=3000", f"--screenshot={path}",
                    (lib.folder() / "report.html").resolve().as_uri()], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=120, check=True)


def write(folder, runs):
    """The page and its pictures into a folder."""
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    (folder / "EXAMPLE.md").write_text(made_from.stamped(page(runs)))
    for name, screen in pictures(runs).items():
        draw(folder / f"pictures/{name}.svg", screen, "made by make example", "--mark", GUILTY[name])
