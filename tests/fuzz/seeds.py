#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the first inputs of the fuzz targets: tests/fuzz/seeds.py FOLDER, after `make tests`; fuzzing grows the
corpus from them."""

import pathlib
import re
import struct
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/qemu"))

import cobs
import frames as wire
import lib

FRAMES, MOST = 1, 15 << 10
HELLO, SNAPSHOT, CELLS, REGION, SAMPLES, PLACES, TRANSITIONS, LOGGED = 1, 3, 4, 11, 12, 13, 16, 17
EVENTS = tuple(lib.wire_type(name) for name in ("PACKED_EVENTS", "EVENT_KEYS", "EVENT_COUNTS"))
STATES, END = 32, 9
OUTPUT, CODE, PROCESS, STACK_WALKS, SENT = 40, 41, 42, 43, 52
DELTA = lib.wire_type("DELTA")
ROGUE = 100  # of tests/host/dump_addresses.h
KINDS = ("run fixed random two refusal version unknown hello text exception before after-fixed divide "
         "divide-cut figure4 figure5 raw raw-lost monitors load calls calls-missing").split()

WORDS = (
    "tick=auto rate=120 interval=stratified spread=2.0 seed=auto # all else as it is",
    "monitor=system,region,samples region=ROGUE:user:025200-042600 "
    "region=*:kernel:0xffffffff80100000-0xffffffffffffffff",
    "output=frames monitor=samples thin=auto stamp=off tasks=hog,a-1\tseconds=0\nsamples=4294967295 exit=qemu",
    "serial=mmio:0xfe000000:4,9600 serial=com1,117551 serial=0x3e8,57600 serial=pci account=off identity=image",
    "spread=1.25 seed=2147483646 rng=carta delivery=irq clock=1000 sched=rr precision=0.5",
    " ".join(f"region=ABCDEFGHIJKLM{i}:supervisor:0x{i}-0xfffffffffffffff{i}" for i in range(9)),
    # the longest line there is
    " ".join(f"region=ABCDEFGHIJKLM{i}:supervisor:0177777777777777777777{i}-01777777777777777777777"
             for i in range(7))
    + " region=ABCDEFGHIJKLMN:supervisor:01777777777777777777770-01777777777777777777777"
    + " monitor=system,region,samples output=frames tick=auto rate=500000 interval=stratified spread=1.999"
    + " seed=2147483646 clock=1000 account=off tasks=" + "a" * 63 + " identity=image thin=auto stamp=off"
    + " seconds=100000000 samples=4294967295 serial=mmio:0xffffffff:8,115200 exit=reboot",
    "monitor=events,idle events=switch,syscall:ROGUE,irq-enter:*:0xffffffff80100000-0xffffffff801fffff buffer=stop "
    "stamp=us", "monitor=events,intercept,acct,idle events=usual,user:A-1 buffer=overwrite acct=3600 account=log "
                "output=frames", "events=all:ABCDEFGHIJKLMN,wake:*,timer buffer=count", "ROGUE:user:0x0-0x10000",
    "tasks=" + "a" * 64,
    "ABCDEFGHIJKLMNO:user:0x0-0x10000",
    "work<int> (in main) > +0.5",
    "-0.5",
    "tik=pit",
    "monitor=system,events "
    "when=fault:UPRIV:14/freeze:25/write,user:*:255/set:7:4294967295/start,share:ROGUE:30/snapshot/add:0 "
    "buffer=overwrite records=1024 timer=10 output=frames",
    "when=irq-enter/reset:0/stop,none/add:8,end:ABCDEFGHIJKLMN/add:1,,switch/",
    "monitor=events buffer=count "
    "when=syscall-exit:A:4/add:1,io-end/add:2,timer/add:3,wake/add:4,ready/add:5,sleep/add:6 records=auto timer=none",
    "monitor=system,states classes=cells stamp=us output=frames",
    "monitor=states,events classes=0=busy:task=!IDLE@task,1=idle:else buffer=overwrite records=4096 output=frames",
    "classes=START:event=5,STOP:event=9,a:mode=user@task,b:call=3/5-7@number,c:else",
)

TIMES = (b"cpuprobe arrival times 1\nstart 1790000000000000000\n"
         + b"".join(b"at %d %d000000\n" % (90 * n, 300 * n) if n % 9
                    else b"gap %d %d000000 %d900000\n" % (90 * n, 300 * n, 300 * n) for n in range(1, 30)))

TREES = (
    "# message passing\n0 = idle : event = none / 0\nbusy : else\n5 = busy.start : event = 5 @ value\n"
    "1 = busy.transfer : event = 1-4, 9=busy.end:event=9\n",
    "START:event=5,STOP:event=9,a:task=IDLE,b:task=!IDLE/X.1+mode=user/kernel+masked=no+call=none@task,"
    "c:task=!IDLE/X.1+call=3/5-7/900-@number,d:task=X.1+mode=interrupt+nest=1-",
    "z:else,b.a:mode=user,c.b:mode=user,a.c:mode=user",
    "".join(f"n{i}:call={i}," for i in range(33)),
    "a:mode=user,b:masked=no",
    "?5 [1]+9\n0511190590|519051",
    "?(?<=5)1{2,3}|^0(9|R)$\n051110R|09",
    "?(1+)+9\n" + "1" * 60,
)

COMMANDS = (
    "pat -sec 60",
    "plt -sec 180 rogue",
    "mps -sec 360 -low 025200 -high 042600 rogue rogue.stb",
    "mps -mode kernel -low 0xffffffff80000000 -min 20 -zoom *",
    "regions add ROGUE:user:0-0200000",
    "regions remove 8",
    "regions remove all",
    "tick lapic 200 random nmi chacha8 spread=1.5 seed=7 slu=com2",
    "start region samples",
    "stop system # for now",
    "output frames",
    "help precision",
    "rate=2000 interval=random seconds=0",
    "tick" + " nmi" * 60,
    " ".join(f"region=ABCDEFGHIJKLM{i}:supervisor:0x{i}-0xfffffffffffffff{i}" for i in range(9)),
    "\x1b[A\x07",
)

KEYS = (
    b"pat -sec 60\r\nhe\t\r\x1b[A\x1b[A\x1b[B\x1b[D\x1b[C\x1b[H\x1b[F\x1b[3~\x1bOA\n",
    b"tick lapic\x01\x06\x04\x02\x05\x08\x7f\x0b\x15\x17\x0c\x10\x0e\x03st\t\x1b[1;5C\x1b\x1b[99~\x00\xff",
    b"x" * 300 + b"\x01" + b"y" * 9 + b"\x1b[F\r" + b"".join(b"%d\r" % n for n in range(20)) + b"\x10" * 20
    + b"\x0e" * 20,
)

BYTES = (
    b"status\r\nrate=2000\n\n" + wire.command("status", session=7, number_=1) * 2 + b"tick lapic\r",
    wire.command("rate=2000", session=7, number_=2, boot=5) + wire.command("stop", session=7, number_=1)
    + wire.command("help", session=1 << 63, number_=1 << 40, boot=6, sequence=2560),
    b"tick la" + wire.command("region=" + "x" * 248, session=8, number_=1)[1:] + b"\0\nstop\n\0\x05\x12zz\0tasks\n",
    wire.frame(9, b"\1\0\2no") + b"x" * 400 + b"\n" + b"\0" + b"y\x12" * 400 + b"\0\x1a\n",
)

PROGRAM = """
static volatile int sink;
static inline __attribute__((always_inline)) void leaf(int x) { sink = x * 3; }
static inline __attribute__((always_inline)) void middle(int x)
{ leaf(x); for (int i = 0; i < x; i++) leaf(i * x); }
__attribute__((noinline)) void outer(int x) { if (x > 3) middle(x); leaf(9); }
void _start(void) { outer(sink); middle(sink); __builtin_trap(); }
"""
ENCODED = """
namespace space { template <class T> struct box { static volatile T sink; \
__attribute__((noinline)) static void put(T x) { sink = x; } }; }
template <class T> volatile T space::box<T>::sink;
extern "C" void _start() { space::box<int>::put(1); space::box<long>::put(2); }
"""
ASSEMBLY = """
    .globl _start
_start: call work
.Llocal: jmp _start
work: dec %ecx
work.loop: jnz work.loop
    .byte 0x06
    ret
    .globl _RNvC4main4work
_RNvC4main4work: ret
    .section .note.GNU-stack, "", @progbits
"""
LINK = ["-nostdlib", "-static", "-no-pie", "-ffile-prefix-map=.=.", "-fno-asynchronous-unwind-tables",
        "-Wl,--build-id=sha1", "-Wl,-z,noseparate-code", "-Wl,-z,norelro", "-Wl,-n"]


def frames(stream):
    """Each frame as its type and its fields."""
    for block in filter(None, stream.split(b"\0")):
        body = cobs.decode(block)
        yield body[0], body[3:-4]


def items_of(some_frames):
    """The input of tests/fuzz/frames.h that makes these frames."""
    items = bytes([FRAMES])
    for kind, fields in some_frames:
        item = bytes([kind]) + struct.pack("<H", len(fields)) + fields
        if len(items) + len(item) > MOST:
            break
        items += item
    return items


def leb(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def skip(fields, numbers):
    at = 0
    for _ in range(numbers):
        while fields[at] & 128:
            at += 1
        at += 1
    return at


def value(number):
    """Of LEB128."""
    return sum((byte & 127) << 7 * place for place, byte in enumerate(number))


def head_of(record):
    """The names of a head's fields in order, and whether each is a number (probe/stream/wire.h)."""
    lines = re.search(rf"^#define WIRE_HEAD_{record}\((?:.*\\\n)*.*", (ROOT / "probe/stream/wire.h").read_text(),
                      re.M)[0]
    return [(name, kind == "N") for kind, name in re.findall(r"\b([NTB])\((\w+),", lines)]


def split(fields, record):
    """The head's fields by name, as they are sent, and what is behind them."""
    found = {}
    for name, is_number in head_of(record):
        length = skip(fields, 1)
        if not is_number:
            length += value(fields[:length])
        found[name], fields = fields[:length], fields[length:]
    return found, fields


def text(content):
    return leb(len(content)) + content


def far_steps(count):
    """+1 none -1 +1 in each byte, from its low bits; the first one is far."""
    steps = bytearray(b"\x79" * ((count + 2) // 4))
    if steps:
        steps[0] &= 0xfc
        steps[-1] &= (1 << 2 * ((count - 2) % 4 + 1)) - 1
    return bytes(steps) + (leb(987654) if count > 1 else b"")


def timed(some_frames, words, thin):
    """The same samples with times, some steps far."""
    for kind, fields in some_frames:
        if kind == HELLO:
            head, rest = split(fields, "HELLO")
            head |= {"words": text(words), "stamp": leb(1000), "thin": leb(thin)}
            fields = b"".join(head.values()) + rest
        if kind == SAMPLES:
            head, rest = split(fields, "SAMPLES")
            head |= {"time": leb(5000000), "steps": text(far_steps(value(head["count"])))}
            fields = b"".join(head.values()) + rest
        yield kind, fields


def few(some_frames, most):
    """At most so many frames of samples."""
    for kind, fields in some_frames:
        most -= kind == SAMPLES
        if kind != SAMPLES or most >= 0:
            yield kind, fields


def edges(some_frames, past):
    """At the last of what a snapshot and a dictionary can hold, or one past it."""
    for kind, fields in some_frames:
        if kind == REGION:
            fields += leb(511 + past) + leb(3) + leb(1)
        if kind == PLACES:
            fields += leb(8191 + past) + leb(7) + leb(7) + leb(9)
        if kind == CELLS:
            at = skip(fields, 2)
            fields = fields[:at] + leb(63 + past) + fields[at + 1:]
        yield kind, fields


def numbers(*values):
    return b"".join(leb(value) for value in values)


def processes(past, epoch):
    """Records of a task that runs a file: its calls, code that changes, output, callers; `past`:
    what none of them may say."""
    calls = b"".join(leb(n) + text(b"call\x1b%d" % n if n % 3 else b"") + leb(n + 1 - past) for n in range(9))
    yield PROCESS, epoch + numbers(ROGUE, 3, 0x1000 * past, 1 + 2 * past, 5, 2) + text(b"ROGUE") + calls
    yield PROCESS, epoch + numbers(ROGUE, 3, 0, 1, 5, 2 - past) + text(b"ROGUE") + calls[:40]
    for first in (0x400000, 0x400800, 0x500000):
        yield CODE, epoch + numbers(90, ROGUE, 1, first, first + 0x1000 * (1 - past)) + text(b"ROGUE")
    yield (OUTPUT, epoch + numbers(91, ROGUE, 1) + text(b"NAME") + text(b"" if past else b"a line\n\0\xff")
                   + numbers(1 + past))
    yield SENT, epoch + numbers(9 << 60 * past, 0, 1, 2, 1)
    yield STACK_WALKS, epoch + numbers(1, 3, 9, 8, 7, 6, 5 + 100 * past)
    yield STACK_WALKS, epoch + numbers(2 - 2 * past, 3, 9, 8, 7, 6, 5)


def deltas(some_frames, past):
    """Two deltas to the first whole snapshot before the second one: of one part and of two; `past`:
    what they may not say."""
    head = None
    for kind, fields in some_frames:
        if kind == SNAPSHOT and head:
            begin = head["epoch"] + leb(2) + head["serial"]
            end = head["samples"] + head["end"]
            row = numbers(1 << 1, 5, (1 ^ 3) << 1 | 1, 1 + 200 * past, 6, 7)  # the first one, and a later one
            new = numbers(1 << 1 | 1, 8, ROGUE * (1 + 50 * (1 - past)), 9)
            yield DELTA, begin + numbers(0, 1) + end + text(numbers(0b11, 0, 9, 1, 20 + 40 * past, 1) + row)
            begin = head["epoch"] + leb(3) + head["serial"]
            yield DELTA, begin + numbers(1, 1) + end + text(new)
            yield DELTA, begin + numbers(0, past) + end + text(numbers(0, 0))
            head = None
        elif kind == SNAPSHOT:
            head, _ = split(fields, "SNAPSHOT")
        yield kind, fields


def made(kind):
    return subprocess.run([ROOT / "build/host/make_dump", kind], check=True, capture_output=True).stdout


def streams(to):
    for kind in KINDS:
        stream = made(kind)
        (to / f"{kind}-raw").write_bytes(b"\0" + stream[:4096])
        if kind != "text":
            (to / kind).write_bytes(items_of(frames(stream)))
    for command, kind in enumerate(("run", "run", "run", "monitors", "monitors", "monitors", "calls")):
        (to / f"command-{command + 1}").write_bytes(bytes([FRAMES | command << 1]) + items_of(frames(made(kind)))[1:])
    events = list(frames(made_events(4)))
    (to / "events").write_bytes(items_of(events))
    for kind in EVENTS:
        (to / f"events-without-{kind}").write_bytes(items_of(frame for frame in events if frame[0] != kind))
    with tempfile.TemporaryDirectory() as work:
        (to / "packed").write_bytes(items_of(made_packed(pathlib.Path(work))))
    head, states, end = classes()
    (to / "classes").write_bytes(items_of(head + states[:2] + end))
    for past in (0, 1):
        for kind in ("figure5", "raw", "run"):
            (to / f"edge-{kind}-{past}").write_bytes(items_of(edges(few(frames(made(kind)), 1), past)))
        for kind in ("run", "raw", "figure5"):
            first, *rest = few(frames(made(kind)), 3)
            between = processes(past, split(first[1], "HELLO")[0]["epoch"])
            (to / f"processes-{kind}-{past}").write_bytes(items_of([first, *between, *rest]))
        (to / f"deltas-{past}").write_bytes(items_of(deltas(frames(made("run")), past)))
    (to / "points").write_bytes(items_of(few(frames(made("points")), 3)))
    (to / "two-runs").write_bytes(items_of([*few(frames(made("before")), 3), *few(frames(made("after")), 3)]))
    for words, thin in ((b"interval=fixed", 1), (b"interval=random spread=1.5", 2), (b"seed=9", 3), (b"rate=9", 64)):
        name = re.sub(r"\W.*", "", words.decode().rpartition("interval=")[2])
        (to / f"timed-{name}").write_bytes(items_of(timed(few(frames(made("raw")), 3), words, thin)))
    (to / "timed").write_bytes(items_of(timed(few(frames(made("raw")), 3), b"seed=7", 1)))


def made_events(cycles):
    return subprocess.run([ROOT / "build/host/make_events", str(cycles)], check=True, capture_output=True).stdout


def made_packed(folder):
    """PACKED_SAMPLES and PACKED_PLACES."""
    path = folder / "packed.stream"
    subprocess.run([ROOT / "build/host/bench_samples", "--synthetic", "2600", "--write", path], check=True,
                   capture_output=True)
    return frames(path.read_bytes())


def recorded(name):
    """Frames of a stream that an image sent once."""
    with tarfile.open(ROOT / "tests/golden/streams.tar") as archive:
        return frames(archive.extractfile(name).read())


def classes():
    """Frames of a run with monitor=states: its HELLO, its classes of states, its end."""
    found = list(recorded("classes.dump"))
    hello, states, end = ([frame for frame in found if frame[0] == kind] for kind in (HELLO, STATES, END))
    return hello[-1:], states, end


def packed_states(states):
    """Three runs as PACKED_STATES, with lengths as numbers and by indexes, in place of those of a frame of STATES."""
    found, _ = split(states[1], "STATES")
    places_and_kinds = b"\x0f\5\5"
    codes = (b"\0" + places_and_kinds + b"\2\3\4", b"\1" + places_and_kinds + bytes(8) + b"\xff\x0f\2\3\4")
    made = [found | {"first": leb(3 * i), "count": leb(3), "codes": text(code)} for i, code in enumerate(codes)]
    return [(lib.wire_type("PACKED_STATES"), b"".join(fields.values())) for fields in made]


def timelines(to):
    """Events, whole and without some of their frames; a log of changes;
    each through each of the reports over time."""
    whole = list(frames(made_events(20)))
    plain = [frame for frame in whole if frame[0] not in EVENTS]
    changes = [(TRANSITIONS, leb(1) + leb(0) + b"".join(leb(n % 25) + leb(2 * n * n) for n in range(90))),
               (LOGGED, leb(1) + leb(90) + leb(0) + b"".join(leb(task) + leb(100 + task) for task in range(3)))]
    for report in range(7):
        (to / f"events-{report}").write_bytes(bytes([FRAMES | report << 1]) + items_of(whole)[1:])
        (to / f"log-{report}").write_bytes(bytes([FRAMES | report << 1])
                                           + items_of(plain[:-1] + changes + plain[-1:])[1:])
    for kind in EVENTS:
        (to / f"without-{kind}").write_bytes(items_of(frame for frame in whole if frame[0] != kind))
    head, states, end = classes()
    for report in (1, 6):
        (to / f"classes-{report}").write_bytes(bytes([FRAMES | report << 1])
                                               + items_of(head + states[:3:2] + end)[1:])
        (to / f"packed-classes-{report}").write_bytes(bytes([FRAMES | report << 1])
                                                      + items_of(head + packed_states(states[0]) + end)[1:])
    (to / "classes-and-events").write_bytes(items_of(whole[:-1] + states[:1] + whole[-1:]))
    (to / "both").write_bytes(items_of(whole[:-1] + changes + whole[-1:]))
    (to / "raw").write_bytes(b"\0" + made_events(3)[:4096])


def archives(to):
    """Files of times, streams for a preface, and what clients of a line send: the first byte says which."""
    (to / "times").write_bytes(b"\0" + TIMES)
    (to / "times-backwards").write_bytes(b"\0" + TIMES
                                         + b"at 50 100\nat 9000 18446744073709551615\ngap 9001 5 4\nat 09 1\n")
    for kind in ("run", "two", "raw", "calls"):
        (to / f"preface-{kind}").write_bytes(b"\1" + made(kind)[:4096])
    (to / "preface-events").write_bytes(b"\1" + made_events(3)[:4096])
    for number, line in enumerate(BYTES):
        (to / f"client-{number}").write_bytes(b"\2" + line)
    (to / "client-long").write_bytes(b"\2" + b"x" * 5000)


def tool(folder, *words):
    subprocess.run([str(word) for word in words], check=True, cwd=folder, capture_output=True)


def pair(program, debug):
    return struct.pack("<I", len(program)) + program + debug


def programs(folder):
    """Each as name and bytes."""
    (folder / "a.c").write_text(PROGRAM)
    (folder / "a.cc").write_text(ENCODED)
    (folder / "a.s").write_text(ASSEMBLY)
    for version in (2, 3, 4, 5):
        tool(folder, "gcc", f"-gdwarf-{version}", "-O2", *LINK, "a.c", "-o", f"dwarf{version}")
    tool(folder, "gcc", "-gdwarf-5", "-gz", "-O2", *LINK, "a.c", "-o", "packed")
    tool(folder, "gcc", "-gdwarf-4", "-gz=zlib-gnu", "-O2", *LINK, "a.c", "-o", "packed-gnu")
    tool(folder, "gcc", "-gdwarf-4", "-fdebug-types-section", "-O2", *LINK, "a.cc", "-o", "types")
    tool(folder, "gcc", "-O2", *LINK, "a.cc", "-o", "encoded")
    tool(folder, "gcc", *LINK, "-Wl,-Ttext=0xffffffff80100000", "-mcmodel=kernel", "a.s", "-o", "kernel")
    tool(folder, "gcc", "-g", *LINK, "a.s", "-o", "assembly")
    tool(folder, "clang", "-gdwarf-5", "-O2", *LINK, "a.c", "-o", "clang")
    tool(folder, "strip", "-o", "stripped", "dwarf5")
    tool(folder, "objcopy", "--only-keep-debug", "dwarf5", "debug")
    tool(folder, "strip", "--strip-debug", "-o", "no-dwarf", "dwarf4")
    tool(folder, "objcopy", "--only-keep-debug", "dwarf4", "debug4")
    tool(folder, "gcc", "-g", "-c", "a.c", "-o", "object")
    tool(folder, "gcc", "-m32", "-c", "a.s", "-o", "object32")
    names = [path.name for path in sorted(folder.iterdir()) if not re.search(r"\.", path.name)]
    content = {name: (folder / name).read_bytes() for name in names}
    for name, whole in content.items():
        yield name, whole
    yield "separate", pair(content["stripped"], content["debug"])
    yield "separate4", pair(content["no-dwarf"], content["debug4"])
    yield "separate-foreign", pair(content["stripped"], content["debug4"])
    for length in (4, 63, 64, 200, 1000):
        yield f"cut-{length}", content["assembly"][:length]


def main(folder):
    for name in ("stream", "elf", "config", "command", "line_edit", "rx_demux", "classes", "timeline", "archive"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    streams(folder / "stream")
    timelines(folder / "timeline")
    archives(folder / "archive")
    with tempfile.TemporaryDirectory() as work:
        for name, content in programs(pathlib.Path(work)):
            if len(content) <= MOST:
                (folder / "elf" / name).write_bytes(content)
            else:
                print(f"{name}: {len(content)} bytes are too many", file=sys.stderr)
    for number, line in enumerate(WORDS):
        (folder / "config" / f"words-{number}").write_text(line)
    for number, text in enumerate(TREES):
        (folder / "classes" / f"tree-{number}").write_text(text)
    for number, line in enumerate(COMMANDS):
        (folder / "command" / f"line-{number}").write_text(line)
    for number, keys in enumerate(KEYS):
        (folder / "line_edit" / f"keys-{number}").write_bytes(keys)
    for number, line in enumerate(BYTES):
        (folder / "rx_demux" / f"bytes-{number}").write_bytes(line)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
