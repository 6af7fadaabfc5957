# SPDX-License-Identifier: MIT
"""What the tests with programs of others share: the run that all of them read, what must be installed,
npm's packages."""

import contextlib
import fcntl
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
KEPT = lib.ROOT / "build/clients"  # between tests, and between runs of them
SKIP = 77  # for tests/run
WORDS = "output=frames tasks=figure3 monitor=system,samples,events seconds=4 rate=1000 seed=1"
FETCH = 300  # seconds


def skip(why):
    """End the test: it cannot run here."""
    print(why)
    sys.exit(SKIP)


def need(*programs):
    """A test without its client is skipped, and says so."""
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        skip(f"not installed: {' '.join(missing)} (tools/setup clients installs them)")


@contextlib.contextmanager
def alone(name):
    """Only one of the tests that run at a time makes what they share."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield KEPT / name


def recorded(checks):
    """The dump of one run with raw samples and events, of the image that was built last."""
    image = lib.ROOT / "build/cpuprobe.rom"
    with alone("run.dump") as dump:
        if not dump.exists() or dump.stat().st_mtime < image.stat().st_mtime:
            run = lib.boot("run", WORDS)
            checks.check(run.status == lib.COMPLETE, f"the run ends well ({run.status}) {run.said.strip()}")
            shutil.copyfile(run.dump, dump)
    return dump


def ran(*command, text=True, **how):
    """What a client printed on both outputs, and its exit status."""
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=text, errors="replace" if text else None, check=False, **how)
    return done.stdout, done.returncode


def exported(checks, form, *arguments, name=None):
    """The path of an export of the run: of a file, or for some formats of a folder."""
    out = lib.folder() / (name or form)
    _, status = lib.host("export", "--format", form, "-o", out, *arguments, recorded(checks))
    checks.check(status == 0 and out.exists(), f"{form}: the export ends with {status}")
    return out


def npm():
    """The folder with the packages of package-lock.json; without a registry the test is skipped."""
    need("npm", "node")
    with alone("npm") as folder:
        lock = folder / "node_modules/.package-lock.json"
        if not lock.exists() or lock.stat().st_mtime < (HERE / "package-lock.json").stat().st_mtime:
            folder.mkdir(exist_ok=True)
            for file in ("package.json", "package-lock.json"):
                shutil.copyfile(HERE / file, folder / file)
            try:
                said, status = ran("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1",
                                   "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000",
                                   cwd=folder, timeout=FETCH,
                                   env=dict(os.environ, NO_UPDATE_NOTIFIER="1"))
            except subprocess.TimeoutExpired:
                said, status = "no answer", 1
            if status:
                why = [line for line in said.splitlines() if "error" in line] or ["it says nothing"]
                skip(f"npm cannot fetch its packages: {why[0]}")
            lock.touch()
    return folder


def tasks(table):
    """Samples by row of a table, of rows that have any; rows of one name together."""
    found = {}
    for row in table["tasks"]:
        hits = row["total"]["hits"]
        if hits:
            found[row["name"]] = found.get(row["name"], 0) + hits
    return found


def same(checks, what, found, expected):
    """Insist on the same numbers by name; say where they differ."""
    wrong = {name: (found.get(name), expected.get(name)) for name in found.keys() | expected.keys()
             if found.get(name) != expected.get(name)}
    checks.check(found and not wrong,
                 f"{what}: {sum(found.values())} of {sum(expected.values())} samples in {len(found)} rows"
                 + (f"; (found, expected) {dict(list(wrong.items())[:3])}" if wrong else ""))


def window(table):
    """Begin and end of the window of a table, seconds since the image started."""
    return tuple(table["window"][end] / table["clock_hz"] for end in ("begin", "end"))


def within(table, begin, end):
    """Seconds of a stretch that are in the window."""
    first, last = window(table)
    return max(0.0, min(end, last) - max(begin, first))


def same_times(checks, what, found, table):
    """Insist on the exact time of each task: seconds of its states within the window, masked time included.

    A state has the handlers of its ticks in it, whose time is in no task's exact share: as many as the row has
    samples, of one length, but for those of the few ticks that close a window and copy the tables.  Which tasks these
    interrupt is chance: a row may have all of them.
    """
    edge = 0.0005  # s: the exact table closes some instructions beside the window
    rows = {}
    for row in table["tasks"]:
        if row["name"] in found:
            share = (row["total"]["exact"] + row["total"]["masked"]) / 100
            rows[row["name"]] = share * table["tau"] / table["clock_hz"], row["total"]["hits"]
    each = statistics.median((found[name] - exact) / hits for name, (exact, hits) in rows.items() if hits > 20)
    closing = table["monitor"]["clock"] / table["clock_hz"] - table["samples"] * each
    count, wrong = len(rows), {}
    for name, (exact, hits) in rows.items():
        room, expected = edge + 0.01 * exact, exact + hits * each
        if not -room <= found[name] - expected <= room + max(0, closing):
            wrong[name] = found[name], expected
    checks.check(count > 20 and not wrong, f"{what}: {sum(found.values()):.3f} s, {count} tasks have their exact time"
                 + (f"; not so (found, expected) {dict(list(wrong.items())[:3])}" if wrong else ""))


def chromium(folder, address, *options, budget=5000, timeout=120):
    """The page at an address, a `file:` too, as Debian's headless Chromium has it after `budget` ms of its own
    time."""
    need("chromium")
    done = subprocess.run(lib.supervised("chromium", "--headless", "--no-sandbox", "--disable-gpu",
                                         f"--user-data-dir={folder}", f"--virtual-time-budget={budget}", *options,
                                         "--dump-dom", address),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          errors="replace", timeout=timeout, check=False)
    return done.stdout
