#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The pages: links, files and names in them are there; TESTING.md tells of each test, WORDS.md of each workload.

pages.py [ROOT]   of another tree than this one
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]) if sys.argv[1:] else pathlib.Path(__file__).resolve().parent.parent
FILE = re.compile(r"(?:boot|kernel|drivers|uart|probe|tools|tests|docs)/[\w./-]+")
PLACE = re.compile(r"[A-Z]{4}")  # NAME and its like stand for something else
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
        if FILE.fullmatch(file) and (ROOT / file).is_file() and not re.search(rf"\b{name}\b", (ROOT / file).read_text()):
            yield f"{name} is not in {file}"


def rows():
    """Name and command of each test."""
    for line in (ROOT / "tests/table").read_text().splitlines():
        if line and not line.startswith("#"):
            fields = line.split(None, 3)
            yield fields[0], fields[3]
    for source in (ROOT / "tests/host").glob("test_*.c"):
        yield f"unit-{source.stem[5:]}", ""


def untold(page):
    """Tests that the page names neither by their row nor by the script or program that they run."""
    told = {word for span in re.findall(r"`([^`]+)`", prose(page)) for word in span.split()}
    for name, command in rows():
        paths = {word for word in re.findall(r"[\w/.-]+", command) if "/" in word}
        if not told & {name, *paths, *(path.removeprefix("tests/qemu/") for path in paths)}:
            yield f"{name} is not told of"


def unknown(page):
    """Units and scripts that the page tells of and that are none."""
    names = {name for name, _ in rows()} | {path.name for path in (ROOT / "tests").glob("**/*.py")}
    for name in re.findall(r"`(unit-[a-z]\w+|\w+\.py)\b[^`]*`", page):
        if name not in names:
            yield f"{name} is no test"


def workloads():
    for source in (ROOT / "kernel").glob("workload_*.c"):
        yield from re.findall(r'^    "([a-z0-9-]+)", "', source.read_text(), re.M)


def main():
    wrong = []
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        wrong += [f"{page.name}: {said}" for said in (*lost_links(page), *lost_files(page))]
    testing, words = (ROOT / "docs/TESTING.md").read_text(), (ROOT / "docs/WORDS.md").read_text()
    wrong += [f"TESTING.md: {said}" for said in (*untold(testing), *unknown(testing))]
    found = list(workloads())
    wrong += [f"WORDS.md: workload {name} is not told of" for name in found if f"`{name}`" not in words]
    print("\n".join(wrong) or f"links, names, tests and {len(found)} workloads are as the pages say")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main())
