#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""A record is added to a copy of the tree as docs/DESIGN.md says: one row, its fields, and a call that sends it."""

import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402

FOLDERS = ("boot", "docs", "drivers", "kernel", "probe", "tests/fuzz", "tests/host", "tools", "uart")
FLAGS = "-std=c11 -Wall -Wextra -Werror -O0 -I. -D_GNU_SOURCE"
ROW = '    R(PING, ping, {id}, {keep}, "tests: how often a lamp was lit, cumulative")'
FIELDS = """#define WIRE_HEAD_PING(N, T, B) \\
    N(epoch, "identifier of the epoch") \\
    N(time, "when it was read, clock units since start", TIME)
#define WIRE_ROW_PING(N, T, B) \\
    N(lamp, "number of the lamp", KEY) \\
    T(name, "its name") \\
    N(lit, "how often it was lit", SUM) \\
    N(warmth, "its colour, zigzag", SIGNED) \\
    N(broken, "1: it is broken", FLAG)

"""
SENDER = """#include "tests/host/dump.h"
static void send(struct dump *d, uint64_t time, uint64_t lamp, uint64_t lit, uint64_t broken)
{
    struct wire_writer w;

    wire_begin(&w, WIRE_PING, &(struct wire_ping){1, time});
    wire_row(&w, WIRE_PING, &(struct wire_ping_row){lamp, dump_text("hall"), lit, wire_zigzag(-3), broken});
    dump_end_frame(d, &w);
}
int main(int argc, char **argv)
{
    struct dump d = {0};

    (void)argv;
    dump_hello(&d, 1, "output=frames");
    send(&d, 1000, 1, 5, 0);
    send(&d, 2000, 2, 7, 0);
    if (argc == 2) { /* what no image sends */
        send(&d, 3000, 1, 4, 0);
        send(&d, 3000, 3, 1, 2);
    }
    send(&d, 4000, 1, 6, 1);
    dump_snapshot(&d, 1, 1, true, 10);
    dump_end(&d, 1, 0, "over");
    return fwrite(d.bytes, 1, d.length, stdout) != d.length;
}
"""


class Tree:
    """A copy, of which only the host's tool is made, without an optimizer."""

    def __init__(self, path):
        self.path = path
        shutil.rmtree(path, ignore_errors=True)
        for name in FOLDERS:
            shutil.copytree(lib.ROOT / name, path / name)
        shutil.copy(lib.ROOT / "Makefile", path)

    def write(self, keep):
        """Add the record to wire.h."""
        wire = self.path / "probe/stream/wire.h"
        text = (lib.ROOT / "probe/stream/wire.h").read_text()
        rows = re.search(r"^#define WIRE_RECORDS\(R\)(.*\\\n)*.*$", text, re.M)
        number = len(re.findall(r"^    R\(", rows[0], re.M)) + 1
        text = text[:rows.end()] + " \\\n" + ROW.format(id=number, keep=keep) + text[rows.end():]
        rows = text.index("/* Records whose rows repeat")
        wire.write_text(text[:rows] + FIELDS + text[rows:])

    def make(self, *targets):
        """Whether they could be made, and what was said."""
        done = subprocess.run(["make", "-j2", f"HOST_FLAGS={FLAGS}", "PACKED=", *targets], cwd=self.path,
                              capture_output=True, text=True, check=False)
        return done.returncode == 0, done.stderr

    def link(self, source, *libraries):
        """A program of a file and the archive."""
        made = self.path / "build/host" / source.stem
        words = ["gcc", *FLAGS.split(), source, "build/host/plain.a", *libraries, "-o", made]
        subprocess.run(words, cwd=self.path, check=True)
        return made

    def tool(self, *words):
        """Standard output, what was said, status."""
        done = subprocess.run([self.path / "build/cpuprobe", *words], cwd=self.path, capture_output=True, text=True,
                              check=False)
        return done.stdout, done.stderr, done.returncode


def check_reports(checks, tree, dump):
    """Every report shows what was sent."""
    for report in ("stat", "script"):
        text = tree.tool(report, dump)[0]
        found = re.search(r'^PING .*time=2000 \{ lamp=2 name="hall" lit=7 ', text, re.M)
        checks.check(found, f"{report} prints the record with its fields")
    checks.check(re.search(r"^frames .* 3 PING\b", tree.tool("info", dump)[0], re.M), "info counts it")
    sent = [{"epoch": 1, "time": time,
             "rows": [{"lamp": lamp, "name": "hall", "lit": lit, "warmth": -3, "broken": broken}]}
            for time, lamp, lit, broken in ((1000, 1, 5, False), (2000, 2, 7, False), (4000, 1, 6, True))]
    out, _, status = tree.tool("stat", "--json", dump)
    checks.check(status == 0 and json.loads(out)["records"] == {"PING": sent}, "stat --json has them in `records`")
    lines = map(json.loads, tree.tool("export", "--format", "jsonl", "-o", "-", dump)[0].splitlines())
    got = [line["of"] for line in lines if line["type"] == "record"]
    checks.check(got == sent, "export --format jsonl has a line for each")


def main():
    checks = lib.Checks()
    tree = Tree(lib.folder().resolve() / "tree")
    tree.write("ALL")
    made, said = tree.make("build/cpuprobe", "build/host/plain.a")
    if not checks.check(made, f"a row and two lists are all that the compiler wants {said[-500:]}"):
        return checks.finish()
    libraries = re.search(r"^HOST_LIBS *= (.*)$", (tree.path / "Makefile").read_text(), re.M)[1].split()
    source = tree.path / "tests/host/ping.c"
    source.write_text(SENDER)
    sender = tree.link(source, *libraries)
    for name, words in (("right", ()), ("wrong", ("wrong",))):
        (tree.path / name).write_bytes(subprocess.run([sender, *words], stdout=subprocess.PIPE, check=True).stdout)
    check_reports(checks, tree, tree.path / "right")
    _, said, status = tree.tool("stat", tree.path / "wrong")
    checks.check(status == 3 and "below" in said and "PING, lamp 1" in said, "a sum that goes back is told")
    checks.check("PING, lamp 3" in said, "so is a flag that is neither 0 nor 1")
    generated = tree.link(tree.path / "tests/host/test_generated.c", "-lcmocka", *libraries)
    subprocess.run([generated, "--write"], cwd=tree.path, check=True, capture_output=True)
    text = (tree.path / "docs/PROTOCOL.md").read_text()
    checks.check("### PING\n" in text, "test_generated --write puts it into PROTOCOL's tables")
    tree.write("OWN(ping)")
    made, said = tree.make("build/cpuprobe")
    checks.check(not made and "keep_ping" in said, "a record whose decoder is not written does not link")
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
