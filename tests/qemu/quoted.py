# SPDX-License-Identifier: MIT
"""From which image the numbers of each page are: tests/golden/quoted, so that no page has to name a build.

A line there is the hash of the core as it is packed, and a page.  The build id counts too: the loaders unpack the core,
and two cores that differ by a byte take a different number of instructions to unpack, which moves the first tick.
"""

import hashlib
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIST = ROOT / "tests/golden/quoted"


def image():
    """The hash of the image in build/."""
    return hashlib.sha1((ROOT / "build/core.bin").read_bytes()).hexdigest()


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
