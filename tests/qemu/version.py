#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The image, the stream, the host tool and CHANGELOG.md tell one version."""

import re
import subprocess

import lib

TOOL = lib.ROOT / "build/cpuprobe"


def said(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def main():
    checks = lib.Checks()
    run = lib.boot("version", "seconds=1 output=frames tasks=spin")
    told = {
        "the image's first sentence": re.search(r"cpuprobe (\S+), entered by ", said(TOOL, "script", run.dump)),
        "HELLO, by info": re.search(r"^  version  (\S+), protocol ", said(TOOL, "info", run.dump), re.M),
        "the host tool": re.match(r"cpuprobe (\S+) ", said(TOOL, "--version")),
        "CHANGELOG.md": re.search(r"^## (\S+)", (lib.ROOT / "CHANGELOG.md").read_text(), re.M),
    }
    version = re.search(r'"(.*)"', (lib.ROOT / "probe/stream/version.h").read_text())[1]
    for who, found in told.items():
        checks.check(found and found[1] == version, f"{who}: {found and found[1]}, by version.h {version}")
    checks.finish()


main()
