# SPDX-License-Identifier: MIT
"""From which image the numbers of each page are: tests/golden/quoted, so that no page has to name a build.

A line there is the hash of an image's code and data, and a page.  Comments, debug information and the build id are not in
the hash: a change of these alone leaves it as it is.
"""

import hashlib
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIST = ROOT / "tests/golden/quoted"
SECTIONS = (".text", ".rodata", ".data")


def image():
    """The hash of the image in build/."""
    with tempfile.NamedTemporaryFile() as file:
        only = [f"--only-section={name}" for name in SECTIONS]
        subprocess.run(["objcopy", "-O", "binary", *only, ROOT / "build/cpuprobe.elf", file.name], check=True)
        return hashlib.sha1(file.read()).hexdigest()


def pages():
    """The hash of each page that has numbers, by the page's path."""
    return {page: code for code, page in (line.split() for line in LIST.read_text().splitlines())}


def name(page):
    return str(pathlib.Path(page).resolve().relative_to(ROOT))


def is_of_this_image(page):
    page = pathlib.Path(page).resolve()
    return page.is_relative_to(ROOT) and pages().get(name(page)) == image()


def note(page):
    """The page was written from the image in build/."""
    every = pages() | {name(page): image()}
    LIST.write_text("".join(f"{code} {page}\n" for page, code in sorted(every.items())))
