# SPDX-License-Identifier: MIT
"""Writes into a page of which version and image its numbers are, and reads it there.

The image is the hash of the core, the build id in it too: the stream has that, and bytes of another value have
another code and length on the line.
"""

import hashlib
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINE = re.compile(r"^(<!-- )?Numbers of version (\S+), image ([0-9a-f]{12})\.( -->)?$", re.M)


def image():
    """What tells the image in build/ from others."""
    return hashlib.sha1((ROOT / "build/core.bin").read_bytes()).hexdigest()[:12]


def version():
    return re.search(r'"(.*)"', (ROOT / "probe/stream/version.h").read_text())[1]


def is_of_this_image(page):
    found = LINE.search(pathlib.Path(page).read_text())
    return found is not None and found[3] == image()


def stamped(text):
    """The page with the line of the image in build/: in place of that which it has, else under its title."""
    line = f"Numbers of version {version()}, image {image()}."
    if LINE.search(text):
        return LINE.sub(lambda found: f"{found[1] or ''}{line}{found[4] or ''}", text, count=1)
    title, _, rest = text.partition("\n")
    return f"{title}\n\n{line}\n{rest}"
