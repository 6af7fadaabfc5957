#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The screen as a way out, read back from its pixels: text, page, errors, code; on a VGA,
or by UEFI at four resolutions."""

import dataclasses
import json
import os
import re
import shutil
import sys
import time

import lib
import qmp
import screen_text

WAIT = 100  # seconds of wall time until the screen shows what it is to show
LOOK = 0.3  # seconds between looks
NO_LINE = "serial=com3"  # of the machines of tools/boot, which have COM1 and COM2
RUN = "rate=1000 seconds=3 exit=halt"
BARS_FROM = 35  # column of the page where bars begin (kernel/report/report_page.c)
ROUNDED = 0.006  # percent that a printed limit may be off
LIMITS = ("low", "high", "low999", "high999")
EXACTLY = 1e-9  # percent: as far as numbers of two computations may differ
LINE_ROW = re.compile(r"(\S+) .* (\d+\.\d+) +(\d+\.\d\d)-(\d+\.\d\d) ")
PAGE_ROW = re.compile(r"(\S+) +(\d+\.\d+) +(\d+\.\d\d)-(\d+\.\d\d) *([^ ]*)$")
PARTS = 5  # of the scale above the bars: less room has none
AROUND = 3  # rows of the page that are no tasks
MORE = re.compile(r"\((\d+) more tasks\)")
TASKS = 35  # of figure3, PROBE among them
ALWAYS = ("IDLE", "MASKED")  # rows of no task, with samples in this run
SIZES = ((640, 480), (800, 600), (1024, 768), (1920, 1080))


class Board:
    """A boot whose screen is looked at; it is ended when it has been."""

    def __init__(self, name, words, *options, display="VGA", vga=True):
        self.vga, self.picture = vga, lib.folder() / f"{name}.ppm"
        self.line = lib.folder() / f"{name}.line"
        path = lib.folder() / f"{name}.qmp"
        path.unlink(missing_ok=True)
        shown = ("--qemu-arg", "-device", "--qemu-arg", display)
        command = [lib.ROOT / "tools/boot", "--timeout", str(lib.GUARD), *qmp.options(path), *shown, *options, "-o",
                   self.line, "--", *words.split()]
        self.process = lib.subprocess.Popen(lib.supervised(*command), stdin=lib.subprocess.DEVNULL,
                                            stderr=lib.subprocess.DEVNULL)
        self.control = qmp.Qmp(path)

    def look(self):
        """The rows as they are now; none while the mode of the screen is another."""
        self.control.do("screendump", filename=str(self.picture))
        picture = screen_text.read_ppm(self.picture)
        if self.vga and picture.width != 720:
            return []
        return screen_text.read(picture, self.vga)

    def wait_until(self, good):
        """The rows once they are good, or as they are when the wait is over."""
        end = time.monotonic() + WAIT
        rows = self.look()
        while not good(rows) and time.monotonic() < end:
            time.sleep(LOOK)
            rows = self.look()
        return rows or [""]

    def wait_for(self, text):
        """The same, once one of them has this text."""
        return self.wait_until(lambda rows: any(text in row for row in rows))

    def text(self):
        return self.line.read_bytes().decode("latin-1")

    def says(self, sentence, times=1):
        """Whether the line comes to say it so often."""
        end = time.monotonic() + WAIT
        while self.text().count(sentence) < times and time.monotonic() < end:
            time.sleep(LOOK)
        return self.text().count(sentence) >= times

    def type(self, *keys):
        """Keys by QEMU's names, one after the other; "shift-a" is two at once."""
        for key in keys:
            self.control.do("send-key", keys=[{"type": "qcode", "data": part} for part in key.split("-")])
            time.sleep(0.15)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.control.__exit__()
        lib.end(self.process)


def joined(rows):
    return " ".join(" ".join(rows).split())  # rows end between words


def bar(low, high, most, wide):
    """How many cells are full and how many are not blank, as the printed limits have it."""
    return (sum(most * (i + 1) / wide <= low for i in range(wide)), sum(most * i / wide < high for i in range(wide)))


def intervals(rows):
    return [m for m in map(PAGE_ROW.match, rows) if m]


def faults(rows, columns):
    """Each row's bar is to be that of its interval, and each cell a letter."""
    told = ["a cell is no letter"] if any(screen_text.WRONG in row for row in rows) else []
    ends = re.search(r" (\d+)$", rows[1] if len(rows) > 1 else "")
    most = int(ends[1]) if ends else 0
    wide = columns - BARS_FROM if columns > BARS_FROM + PARTS else 0
    if len(intervals(rows)) < 12:
        told.append(f"{len(intervals(rows))} rows with an interval, of a scale that ends at {most} %")
    for m in intervals(rows):
        low, high, drawn = float(m[3]), float(m[4]), m[5]
        full = drawn.count(screen_text.FULL)
        least, largest = (bar(low - ROUNDED, high - ROUNDED, most, wide),
                          bar(low + ROUNDED, high + ROUNDED, most, wide))
        if not (drawn == screen_text.FULL * full + screen_text.SHADE * (len(drawn) - full) and
                least[0] <= full <= largest[0] and least[1] <= len(drawn) <= largest[1]):
            told.append(f"{m[1]} {low}-{high}: {full} full, {len(drawn)} in all of {wide}")
    return told


def page_columns(board, rows, columns):
    """A page that is as high as the code stands beside it."""
    code = None if board.vga else screen_text.code_at(screen_text.read_ppm(board.picture))
    return code[0] - 1 if code and len(intervals(rows)) + AROUND > code[1] else columns


def check_page(checks, what, board, columns):
    """The page of the end, which begins to be drawn with its first row."""
    def wrong(rows):
        return faults(rows, page_columns(board, rows, columns))

    rows = board.wait_until(lambda rows: rows and "the end:" in rows[0] and not wrong(rows))
    checks.check("the end:" in rows[0] and not wrong(rows),
                 f"{what}: a page of {len(intervals(rows))} rows: {rows[0]} {wrong(rows)}")
    more = next((int(m[1]) for m in map(MORE.match, rows) if m), 0)
    kept = [m[1] for m in intervals(rows) if m[1] in ALWAYS]
    checks.check(sorted(kept) == sorted(ALWAYS) and len(intervals(rows)) + more == TASKS + len(ALWAYS),
                 f"{what}: only tasks are left out, {more} of {TASKS}: {kept}")
    return rows


def check_alone(checks):
    with Board("during", f"{NO_LINE} rate=1000 seconds=0") as board:
        first = board.wait_for(" s: ")
        first = board.wait_until(lambda rows: rows and rows[0] != first[0])  # so that it was whole once
        then = board.wait_until(lambda rows: rows and rows[0] != first[0])
        checks.check(" s: " in first[0] and " s: " in then[0] and then[0] != first[0] and then[1] == first[1],
                     f"the page is drawn anew during the run, in its place: {first[0]}; {then[0]}")
    with Board("alone", f"{NO_LINE} {RUN} output=frames") as board:
        check_page(checks, "alone", board, 80)
    with Board("one-task", f"{NO_LINE} {RUN} output=frames tasks=isochronous") as board:  # leaves room to the text
        rows = board.wait_for("the end:")
        checks.check("speaking at the screen (VGA text, 80x25 letters)" in joined(rows),
                     "the screen's first sentence names it")
        checks.check("no UART answers at COM3" in joined(rows), "the screen says that there is no line")
        checks.check("output=frames: there is no line for frames" in joined(rows), "and that there are no frames")
        checks.check(board.text() == "", "and the line says nothing")


def check_beside(checks):
    """The same run on both: the page has the numbers of the line's table."""
    with Board("beside", f"screen=on {RUN} seed=7") as board:
        def wrong(rows):
            """Rows that are not the line's."""
            table = {m[1]: m.groups() for m in map(LINE_ROW.match, board.text().splitlines()) if m}
            return [m[1] for m in intervals(rows) if table.get(m[1]) != m.groups()[:4]]

        check_page(checks, "beside", board, 80)
        rows = board.wait_until(lambda rows: intervals(rows) and not wrong(rows))
        found = intervals(rows)
        checks.check(found and not wrong(rows), f"beside: the page has the line's numbers {wrong(rows)}")
        shares = [float(m[2]) for m in found if m[1] not in ALWAYS]
        checks.check(shares == sorted(shares, reverse=True) and [m[1] for m in found[-len(ALWAYS):]] == list(ALWAYS),
                     "beside: the task with the largest share is first, and rows of no task are last")


def check_errors(checks):
    """Errors come by both ways, though the screen is not in use; other text by the line alone."""
    for what, words, sentence in (
            ("a misspelt word", "rtae=5", "cpuprobe: error: unknown word 'rtae'"),
            ("screen=off", "screen=off rate=0", "cpuprobe: error: value '0' for rate"),
            ("an exception", "tasks=panic seconds=2", "cpuprobe: error: exception in the kernel")):
        with Board("error", f"exit=halt {words}") as board:
            rows = board.wait_until(lambda rows: sentence in joined(rows))
            checks.check(sentence in joined(rows), f"{what}: the screen says '{sentence}'")
            checks.check(board.says(sentence), f"{what}: so does the line")
            checks.check("entered by" not in joined(rows) and "entered by" in board.text(),
                         f"{what}: all else is on the line alone")
            shown = screen_text.read_ppm(board.picture)
            colours = {shown.colour(x, y) for x in range(0, 720) for y in range(16)} - {(0, 0, 0)}
            checks.check(len(colours) == 1 and all(r > g and r > b for r, g, b in colours),
                         f"{what}: in red {colours}")


def check_untouched(checks):
    """Where the line answers, auto is off, byte for byte."""
    said = []
    for screen in ("auto", "off"):
        run = lib.boot(f"untouched-{screen}", f"screen={screen} seconds=2 rate=500 seed=3",
                       options=("--door", "multiboot", "--qemu-arg", "-device", "--qemu-arg", "VGA"))
        checks.check(run.status == lib.COMPLETE, f"screen={screen}: the run ends well")
        said.append(run.dump.read_bytes())
    checks.check(said[0] and said[0] == said[1],
                 f"screen=auto and off say the same {len(said[0])} bytes where there is a line")
    twice = [lib.boot(f"twice-{i}", "screen=on output=frames seconds=2 rate=500 seed=3",
                      options=("--door", "multiboot", "--qemu-arg", "-device", "--qemu-arg", "VGA")).dump.read_bytes()
             for i in range(2)]
    checks.check(twice[0] and twice[0] == twice[1], f"two boots with screen=on send the same {len(twice[0])} bytes")


def check_neither(checks):
    """Neither screen nor line: the run ends at once.  Only a line: a run."""
    run = lib.boot("neither", f"{NO_LINE} seconds=100000", timeout=WAIT)
    checks.check(run.status == lib.FAILURE and not run.dump.read_bytes(),
                 f"neither screen nor line: status {run.status}")
    run = lib.boot("off", f"{NO_LINE} screen=off seconds=100000", timeout=WAIT,
                   options=("--door", "multiboot", "--qemu-arg", "-device", "--qemu-arg", "VGA"))
    checks.check(run.status == lib.FAILURE, f"screen=off and no line: status {run.status}")
    run = lib.boot("line", "screen=on seconds=1")
    checks.check(run.status == lib.COMPLETE and b"Percentage CPU" in run.dump.read_bytes(),
                 "screen=on and no screen: a run by its line")


# cut at a letter it would have a blank there
NEXT = ("This screen is the result: a photograph of it is a report. Other words for the next boot: edit cpuprobe.cfg "
        "on the stick (docs/BOARD.md).")


def check_stick(checks):
    """The stick's own words, on a machine whose UART nobody reads: what runs, how far it is, what it means, what is
    next; sentences are broken between words."""
    words, = (line for line in (lib.ROOT / "boot/disk/cpuprobe.cfg").read_text().splitlines()
              if line and not line.startswith("#"))
    with Board("stick", f"{words} seconds=6 exit=halt", "--door", "disk") as board:
        first = board.wait_for(" of 6 s: ")
        checks.check(re.match(r"cpuprobe \d+\.\d+, [\d.]+ of 6 s: ", first[0]),
                     f"the stick: its screen says what runs, and how far it is: {first[0]}")
        rows = board.wait_for("This screen is the result")
        text = joined(rows)
        checks.check("the end:" in rows[0] and "MASKED is the survey's own loop" in text and
                     "A loop of 1000 us " in text and NEXT in text,
                     f"and at the end what it found, and what to do: {text}")


def vga(checks):
    check_alone(checks)
    check_stick(checks)
    check_beside(checks)
    check_errors(checks)
    check_untouched(checks)
    check_neither(checks)


def check_before_exit(checks):
    """What ends the application is told by the firmware's console, which OVMF has on COM1 too,
    and on COM1 by itself."""
    sentence = "cpuprobe: error: the configuration words are longer than 511 characters"
    with Board("too-long", " ".join(["rate=1000"] * 60), "--door", "uefi", vga=False) as board:
        checks.check(board.says(sentence, 2) and board.text().count(sentence) == 2,
                     "what fails before the end of boot services: the line says it beside the console")


def result_of(path):
    """What stat says of a stream."""
    run = lib.subprocess.run([lib.ROOT / "build/cpuprobe", "stat", "--json", path], capture_output=True, check=False)
    return json.loads(run.stdout) if run.returncode == 0 else {"tasks": [], "error": run.stderr.decode()}


def result_shown(picture):
    """The same of the stream in a picture of the screen."""
    stream = picture.with_suffix(".dump")
    stream.unlink(missing_ok=True)
    lib.subprocess.run([lib.ROOT / "build/cpuprobe", "decode-screen", "-o", stream, picture], check=False)
    return result_of(stream)


def is_cell(shown, sent, room):
    """Whether a cell of the code is that of the line, but for the exact times, which the code leaves out where they
    are too much.  Without them what handlers move a share by is not as well known: limits may differ by `room`."""
    return all(abs(shown[name] - sent[name]) <= room if name in LIMITS and None not in (shown[name], sent[name])
               else shown[name] == sent[name] for name in shown if name not in ("exact", "masked"))


def is_row(shown, sent, room):
    return sent is not None and shown.keys() == sent.keys() and all(
        is_cell(shown[name], sent[name], room) if isinstance(shown[name], dict) else shown[name] == sent[name]
        for name in shown)


def rows_of(result):
    return {row["name"]: row for row in result["tasks"]}


def check_code(checks, what, board):
    """The code on the screen is the result that the line has: its survey; its rows, some of them as their sum."""
    if not shutil.which("zbarimg"):
        print("skip: no zbarimg here (package zbar-tools)")
        return
    board.wait_for("Code: cpuprobe decode-screen")
    end = time.monotonic() + WAIT
    while "error" in (sent := result_of(board.line)) and time.monotonic() < end:
        time.sleep(LOOK)  # its last frames are on their way
    shown = result_shown(board.picture)
    rows, wanted = rows_of(shown), rows_of(sent)
    others = rows.pop("OTHERS", {"total": {"hits": 0}})["total"]["hits"]
    room = abs((shown["handler_bias"] or 0) - (sent["handler_bias"] or 0)) + EXACTLY
    wrong = [name for name, row in rows.items() if not is_row(row, wanted.get(name), room)]
    left_out = sum(row["total"]["hits"] for name, row in wanted.items() if name not in rows)
    checks.check(rows and not wrong and others == left_out,
                 f"{what}: the code has {len(rows)} of the line's {len(wanted)} rows, {others} hits of the others "
                 f"{wrong} {shown.get('error', '')}")
    same = ("samples", "ticks", "late", "missed", "window", "survey", "verdict", "clock_hz", "policy")
    differ = [name for name in same if shown.get(name) != sent.get(name)]
    checks.check(not differ and shown.get("epoch", {}).get("build") == sent.get("epoch", {}).get("build"),
                 f"{what}: and what else the line says {differ}")


def uefi(checks):
    for width, height in SIZES:
        what = f"{width}x{height}"
        with Board(what, f"screen=on output=frames {RUN}", "--door", "uefi",
                   display=f"VGA,xres={width},yres={height}", vga=False) as board:
            rows = board.wait_for("the end:")
            shown = screen_text.read_ppm(board.picture)
            checks.check((shown.width, shown.height) == (width, height),
                         f"{what}: the screen has {shown.width}x{shown.height}")
            columns = width // (8 * screen_text.scale_of(shown))
            check_page(checks, what, board, columns)
            if height > 480:  # there the result takes all rows
                named = f"{what} framebuffer at 0x"
                rows = board.wait_until(lambda rows, named=named: named in joined(rows))  # all is written again
                checks.check(named in joined(rows), f"{what}: the first sentence names it")
            check_code(checks, what, board)
    with Board("survey", "tasks=survey screen=on output=frames seconds=3 exit=halt", "--door", "uefi",
               display="VGA,xres=800,yres=600", vga=False) as board:
        board.wait_for("the end:")
        check_code(checks, "a survey", board)
    with Board("misspelt", "exit=halt rtae=5", "--door", "uefi", vga=False) as board:
        sentence = "cpuprobe: error: unknown word 'rtae'"
        rows = board.wait_for(sentence)
        checks.check(sentence in "".join(rows), "a misspelt word of cpuprobe.cfg: the screen says so")
        checks.check(board.says(sentence), "so does the line")
    with Board("typed", f"{NO_LINE} seconds=0", "--door", "uefi", vga=False) as board:
        board.wait_for(" s: ")
        board.type("ret")
        checks.check(any(row.startswith("cpuprobe>") for row in board.wait_for("cpuprobe>")),
                     "what is typed opens the shell by UEFI too")
    check_before_exit(checks)
    run = lib.boot("no-screen", "seconds=1 screen=on", options=("--door", "uefi"))
    checks.check(run.status == lib.COMPLETE and b"Percentage CPU" in run.dump.read_bytes(),
                 "without GOP: a run by its line")


@dataclasses.dataclass(frozen=True)
class Told:
    """What tests/qemu/framebuffer.asm tells of the mode that it sets."""
    width: int
    height: int
    bits: int = 32
    base: int = 0xfd000000  # where the BIOS of the pc puts the memory of QEMU's VGA
    pitch: int = 0  # bytes; 0: as it is
    colours: tuple = ((16, 8), (8, 8), (0, 8))  # shift, bits
    told_width: int = 0  # 0: as it is
    told_bits: int = 0

    def options(self):
        numbers = (self.width, self.height, self.bits, self.base & 0xffffffff, self.base >> 32,
                   self.pitch or self.width * self.bits // 8, self.told_width or self.width, self.height,
                   self.told_bits or self.bits, *(shift + 256 * bits for shift, bits in self.colours))
        return ("--image", "build/qemu/framebuffer.bin", "--qemu-arg", "-initrd", "--qemu-arg",
                "build/core.bin " + " ".join(f"{number:x}" for number in numbers))


GOOD = (Told(1024, 768), Told(800, 600, bits=24), Told(640, 480, bits=16, colours=((11, 5), (5, 6), (0, 5))))
HOSTILE = (
    (Told(1024, 768, told_bits=8), "its pixels have not 16, 24 or 32 bits"),
    (Told(1024, 768, pitch=4000), "its lines overlap"),
    (Told(1024, 768, told_width=3), "it is smaller than a letter"),
    (Told(1024, 768, colours=((0, 8), (4, 8), (16, 8))), "its colours overlap"),
    (Told(1024, 768, base=0x100000), "it overlaps the image, or the first MiB"),
    (Told(1024, 768, base=0x2000000), "it overlaps free memory"),
    (Told(1024, 768, base=0xfed00000), "it overlaps the interrupt controllers"),
    (Told(1024, 768, base=0xfffffffffff00000), "there is no such address"),
)


def multiboot(checks):
    """A framebuffer that a multiboot loader tells of, and one that cannot be true."""
    for told in GOOD:
        what = f"{told.width}x{told.height}, {told.bits} bits"
        with Board(f"multiboot-{told.bits}", f"{NO_LINE} {RUN}", *told.options(), vga=False) as board:
            board.wait_for("the end:")
            shown = screen_text.read_ppm(board.picture)
            checks.check((shown.width, shown.height) == (told.width, told.height),
                         f"{what}: the screen has {shown.width}x{shown.height}")
            check_page(checks, what, board, told.width // (8 * screen_text.scale_of(shown)))
    for number, (told, sentence) in enumerate(HOSTILE):
        run = lib.boot(f"hostile-{number}", "screen=on seconds=1",
                       options=(*told.options(), "--qemu-arg", "-device", "--qemu-arg", "VGA"))
        checks.check(run.status == lib.COMPLETE and
                     f"is not used: {sentence}" in run.dump.read_text(errors="replace"),
                     f"{sentence}: {run.status}, told on the line, and the run goes on")


def spell(text):
    return [{" ": "spc", "=": "equal"}.get(c, c) for c in text]


def keyboard(checks):
    """Typed on the keyboard where there is no line: the shell, its editor, the end of the run."""
    with Board("keyboard", f"{NO_LINE} rate=500 seconds=0 exit=halt") as board:
        board.wait_for(" s: ")
        board.type("ret")
        rows = board.wait_for("cpuprobe>")
        checks.check(any(row.startswith("cpuprobe>") for row in rows) and "samples," not in rows[0],
                     "Enter opens the shell, which has the whole screen")
        board.type(*spell("aXc".lower()), "left", "backspace", "shift-q", "end", "shift-1", "ret")
        rows = board.wait_for("unknown command 'aQc!'")
        checks.check("unknown command 'aQc!'" in joined(rows),
                     "letters, arrows, Backspace, Shift and End are those of a terminal")
        board.type(*spell("zz"), "ctrl-c", *spell("status"), "ret")
        rows = board.wait_for("line: none")
        checks.check("line: none" in joined(rows) and "zz" not in joined(rows).replace("unknown", "")
                         .split("cpuprobe> ")[-1], "Ctrl-C forgets the line, and status says that there is none")
        board.type(*spell("end"), "ret")
        check_page(checks, "after the shell", board, 80)


WRITES, READ = 2, 3  # port accesses: the count, its two bytes; a reading of the counter


def tick(checks):
    """The handler's instructions, counted by the emulator, with the screen and without:
    the middle and the shortest."""
    sys.path.insert(0, str(lib.ROOT / "tests/bench"))
    import runs  # of the measurements, which have the plugin

    entry = runs.code().address["tick_entry"]
    spins = {(screen,): runs.Spin(f"tick=pit rate=1000 screen={screen}", seconds=4, entry=entry,
                                  options=("--door", "multiboot", "--qemu-arg", "-device", "--qemu-arg", "VGA"))
             for screen in ("on", "off")}
    ran = {key[0]: found for key, found in runs.run_all(spins).items()}
    on, off = ran["on"].visits, ran["off"].visits
    checks.check(on.number > 3000 and off.number > 3000, f"{on.number} and {off.number} ticks are counted")
    checks.check(on.median == off.median,
                 f"a tick has {on.median} instructions with the screen, {off.median} without")
    # The counter is read, by three accesses, in one tick of 64 and where the TSC calls a tick late or early: what
    # ticks meet decides how often, so both counts of readings vary as counts do.
    reads = sum((v.ports - WRITES) * v.number / READ for v in (on, off))
    # the last tick of a run arms no other
    room = (READ * lib.DEVIATIONS * reads ** 0.5 + WRITES) / min(on.number, off.number)
    checks.check(abs(on.ports - off.ports) < room and on.devices == off.devices,
                 f"and as many accesses to devices: {on.ports:.4f} and {off.ports:.4f}")


WHAT = {"multiboot": multiboot, "tick": tick, "vga": vga, "uefi": uefi, "keyboard": keyboard}


def main():
    os.chdir(lib.ROOT)
    checks = lib.Checks()
    WHAT[sys.argv[1]](checks)
    checks.finish()


if __name__ == "__main__":
    main()
