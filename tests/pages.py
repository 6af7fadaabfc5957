#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The pages: links, files, functions and names in them are there; each test, workload and command is told of; the
table of contexts in DESIGN.md says what the headers say; numbers are of the tree's version;
packages are listed in tools/setup alone.

pages.py [ROOT]   of another tree than this one
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]) if sys.argv[1:] else pathlib.Path(__file__).resolve().parent.parent
FILE = re.compile(r"(?:boot|kernel|drivers|uart|probe|tools|tests|docs)/[\w./-]+")
PLACE = re.compile(r"[A-Z]{4}")  # NAME and its like stand for something else
TOLD = (  # files, the name in a row of theirs, what it is the name of, the page that tells of it
    ("kernel/workload/workload_*.c", r'^WORKLOAD\(\w+, "([a-z0-9-]+)", "', "workload", "WORDS.md"),
    ("tools/cmd/commands.h", r"^    ROW\(([a-z]\w*), ", "command", "TOOL.md"),
    ("kernel/abi/syscall_numbers.h", r"^#define (S(?:YS|VC)_[A-Z]+) ", "system call", "WORDS.md"),
    ("probe/command/command_table.c", r'^    \{"(\w+)", COMMAND_', "command", "CONTROL.md"),
)
GENERATED = ("REPRODUCTION.md", "METHODS.md", "COST.md", "EXAMPLE.md")  # pages that say of which version they are
CONTEXTS = {  # what a header says: whether interrupt, NMI, PROBE and task may call; None: the header leaves it open
    "any context": (True, True, True, True),
    "interrupt context": (True, None, False, False),
    "task context": (False, False, True, None),
    "task probe": (False, False, True, False),
    "interrupts off": (None, None, None, None),
}
LINK = re.compile(r"\]\(([^)\s#]*)(#[^)\s]*)?\)")


def prose(text):
    """Without what is quoted: there a bracket is no link, and # no heading."""
    return re.sub(r"^(```.*?^```$|    .*?$)", "", text, flags=re.M | re.S)


def anchor(heading):
    """As GitHub makes it of a heading."""
    return "#" + re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(page):
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", prose(page.read_text()), re.M)}


def lost_links(page):
    for name, place in LINK.findall(prose(page.read_text())):
        if "://" in name:
            continue
        target = page.parent / name if name else page
        if not target.exists():
            yield f"{name} is not there"
        elif place and place not in anchors(target):
            yield f"{name}{place} is no heading"


def lost_files(page):
    """Files of the tree that are not there, and names that are not in the file that is said to have them."""
    text = " ".join(prose(page.read_text()).split())
    for file in re.findall(r"`([^`\s]+)[^`]*`", text):
        if FILE.fullmatch(file) and not PLACE.search(file) and not (ROOT / file).exists():
            yield f"{file} is not there"
    for name, file in re.findall(r"`(\w+)(?:\(\)|\[\])?` in `([^`\s]+)`", text):
        source = ROOT / file
        if FILE.fullmatch(file) and source.is_file() and not re.search(rf"\b{name}\b", source.read_text()):
            yield f"{name} is not in {file}"


def sources():
    """The text of all sources."""
    folders = ("boot", "kernel", "drivers", "uart", "probe", "tools", "tests")
    every = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    return "\n".join(path.read_text() for path in every if path.suffix in (".c", ".h", ".asm", ".py"))


def lost_functions(page, names):
    """Functions that no source knows."""
    for function in set(re.findall(r"`([a-z_]\w*)\(\)`", prose(page.read_text()))):
        if function not in names:
            yield f"{function}() is in no source"


def rows():
    """Name and command of each test."""
    for table in ROOT.glob("tests/**/table"):
        for line in table.read_text().splitlines():
            if line and not line.startswith("#"):
                fields = line.split(None, 3)
                yield fields[0], fields[3]
    for source in (ROOT / "tests/host").glob("test_*.c"):
        yield f"unit-{source.stem[5:]}", ""


def spans(page):
    """The words that a page has in its code spans."""
    text = prose((ROOT / "docs" / page).read_text())
    return {word for span in re.findall(r"`([^`]+)`", text) for word in span.split()}


def untold():
    """Tests that TESTING.md names neither by their row nor by the script or program that they run."""
    told = spans("TESTING.md")
    for name, command in rows():
        paths = {word for word in re.findall(r"[\w/.-]+", command) if "/" in word}
        if not told & {name, *paths, *(path.removeprefix("tests/qemu/") for path in paths)}:
            yield f"{name} is not told of"


def unheld():
    """Tests that SECURITY.md has in its last column and that are none; and promises that no test holds."""
    names, page = {name for name, _ in rows()}, ROOT / "SECURITY.md"
    table = re.findall(r"^\|([^|]*)\|([^|]*)\|([^|]*)\|$", page.read_text() if page.exists() else "", re.M)
    for _, promise, held in table[2:]:
        tests = re.findall(r"`([\w-]+)`", held)
        yield from (f"{name} is no test" for name in tests if name not in names)
        if not tests and not promise.startswith((" No.", " There is no ")):
            yield f"no test holds that{promise}"


def unknown():
    """Units and scripts that TESTING.md tells of and that are none."""
    names = {name for name, _ in rows()} | {path.name for path in (ROOT / "tests").glob("**/*.py")}
    for word in spans("TESTING.md"):
        if re.fullmatch(r"unit-[a-z]\w+|\w+\.py", word) and word not in names:
            yield f"{word} is no test"


def unnamed(files, pattern, what, page):
    """What the source has a row for and the page does not name; how many rows there are."""
    names = [name for source in ROOT.glob(files) for name in re.findall(pattern, source.read_text(), re.M)]
    if files == "tools/cmd/commands.h":
        names = [name.replace("_", "-") for name in names]
    told = spans(page)
    return [f"{page}: {what} {name} is not told of" for name in names if name not in told], len(names)


def comment_of(header, function):
    """The comment above a function's declaration; else the first one of the file, which is for all of them."""
    text = header.read_text()
    declared = re.search(rf"^[^\s/*#].*\b{function}\(", text, re.M)
    comments = [" ".join(found[0].split()).lower() for found in re.finditer(r"/\*.*?\*/\n", text, re.S)
                if declared and found.end() <= declared.start()]
    candidates = [said for said in (*comments[-1:], *comments[1:2]) if any(name in said for name in CONTEXTS)]
    return candidates[0].replace("* ", "") if candidates else ""


def lost_contexts():
    """Rows of the table of contexts that the header of a function in them contradicts; how many were compared."""
    wrong, count = [], 0
    table = (ROOT / "docs/DESIGN.md").read_text().partition("## Contexts")[2].partition("\n## ")[0]
    for row in re.findall(r"^\| (.*) \|$", table, re.M):
        what, *cells = row.split(" | ")
        for function, file in re.findall(r"`(\w+)\(\)` in `([^`]+\.h)`", what):
            said = comment_of(ROOT / file, function)
            count += 1
            if not said:
                wrong.append(f"DESIGN.md: {file} does not say where {function}() may be called")
            for name in (name for name in CONTEXTS if name in said):
                for may, cell in zip(CONTEXTS[name], cells):
                    if may is not None and may == cell.startswith("no"):
                        wrong.append(f"DESIGN.md: {function}(): the table says '{cell}', and {file} '{name}'")
    return wrong, count


def of_another_version():
    """Pages whose numbers are of another version than the tree's, in whole or in a part."""
    source = ROOT / "probe/stream/version.h"
    version = re.search(r'"(.*)"', source.read_text())[1] if source.exists() else None
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        found = re.findall(r"^(?:<!-- )?Numbers of version (\S+), image |^\|.*\| (\S+), [0-9a-f]{12} \|$",
                           page.read_text(), re.M)
        if page.name in GENERATED and not found:
            yield f"{page.name} does not say of which version its numbers are"
        yield from (f"{page.name}: numbers of version {''.join(told)}, the tree is {version}"
                    for told in dict.fromkeys(found) if "".join(told) != version)


def lost_examples():
    """Programs of docs/examples/ whose text behind the first comments no page has."""
    quoted = "\n".join(re.sub(r"^    ", "", page.read_text(), flags=re.M)
                       for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")))
    for program in (ROOT / "docs/examples").glob("*.c"):
        text = re.sub(r"\A(/\*.*?\*/\n)*", "", program.read_text())
        if text not in quoted:
            yield f"docs/examples/{program.name} is in no page as it stands"


def packages():
    """The purposes of packages that CONTRIBUTING.md or the usage tells otherwise than tools/setup has them,
    and lists beside that one."""
    setup = (ROOT / "tools/setup").read_text()
    purposes = set(re.findall(r"^    ([a-z]+)\)", setup, re.M))
    part = re.search(r"^## Packages$(.*?)^## ", (ROOT / "CONTRIBUTING.md").read_text() + "\n## ", re.M | re.S)
    told = re.search(r"The list is at the head of `tools/setup`:(.*?)of these names", part[1] if part else "", re.S)
    places = [("CONTRIBUTING.md", set(re.findall(r"`([a-z]+)`", told[1] if told else "")))]
    places += [("tools/setup", set(re.findall(r"\[([a-z]+)\]", line)))
               for line in setup.splitlines() if re.search(r"tools/setup \[[a-z]+\]", line)]
    for place, found in places:
        yield from (f"{place} does not tell of the packages for {name}" for name in sorted(purposes - found))
        yield from (f"{place} tells of packages for {name}, which tools/setup does not have"
                    for name in sorted(found - purposes))
    names = set(re.findall(r"\b([a-z0-9+.]+-[a-z0-9+.-]+)=", setup))  # others may be words
    listed = [name for name in names if part and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", part[1])]
    yield from (f"CONTRIBUTING.md names the package {name}: tools/setup has the list" for name in sorted(listed))


def main():
    wrong, count, names = [], [], set(re.findall(r"\w+", sources()))
    for page in (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))):
        wrong += [f"{page.name}: {said}" for said in (*lost_links(page), *lost_files(page),
                                                      *lost_functions(page, names))]
    wrong += [f"TESTING.md: {said}" for said in (*untold(), *unknown())]
    wrong += [f"SECURITY.md: {said}" for said in unheld()]
    wrong += [*of_another_version(), *lost_examples(), *packages()]
    for told in TOLD:
        said, rows_of_it = unnamed(*told)
        wrong += said
        count.append(rows_of_it)
    said, compared = lost_contexts()
    wrong += said
    print("\n".join(wrong) or f"links, files and tests are as the pages say, and {sum(count)} workloads and "
                              f"commands, {compared} contexts")
    return 1 if wrong or not all(count) or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
