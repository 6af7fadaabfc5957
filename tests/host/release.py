#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""make release: what the folder holds, that its checksums are of all of it,
and that the host tool builds from the package alone."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402

IMAGES = ("cpuprobe.elf", "cpuprobe.img", "cpuprobe.iso", "cpuprobe.rom", "cpuprobe.bz", "BOOTX64.EFI")
STATIC, PAGE = "build/cpuprobe-static", "build/viewer.html"
SUMS = "SHA256SUMS"
MAKE = {**os.environ, "NO_INSTALL": "1", "MAKEFLAGS": ""}


def run(*command, where=lib.ROOT):
    return subprocess.run(command, cwd=where, env=MAKE, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)


def version():
    return re.search(r'CPUPROBE_VERSION "(.*)"', (lib.ROOT / "probe/stream/version.h").read_text())[1]


def check_folder(checks, release, package):
    found = {path.name for path in release.iterdir()}
    tool, page = release / f"{release.name}-x86_64-linux", release / f"{release.name}-viewer.html"
    checks.check(found == {*IMAGES, tool.name, page.name, package, SUMS},
                 f"the release has {' '.join(sorted(found))}")
    summed = {line.split()[1] for line in (release / SUMS).read_text().splitlines()}
    checks.check(summed == found - {SUMS}, f"{SUMS} has each other file")
    checked = run("sha256sum", "--quiet", "-c", SUMS, where=release)
    checks.check(checked.returncode == 0, f"sha256sum -c agrees {checked.stdout}{checked.stderr}".rstrip())
    other = [name for name in IMAGES if (release / name).read_bytes() != (lib.ROOT / "build" / name).read_bytes()]
    checks.check(not other, f"the images are those of build/ {other or ''}".rstrip())
    checks.check(tool.read_bytes() == (lib.ROOT / STATIC).read_bytes(), "the static host tool is that of build/")
    checks.check(page.read_bytes() == (lib.ROOT / PAGE).read_bytes(), "the page for a browser is that of build/")
    said = run(tool, "--version")
    checks.check(version() in said.stdout, f"it runs: {said.stdout}{said.stderr}".strip())


def check_package(checks, archive, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    unpacked = run("tar", "-xzf", archive, where=folder)
    top = [path.name for path in folder.iterdir()]
    checks.check(unpacked.returncode == 0 and top == [archive.name.removesuffix(".tar.gz")],
                 f"the package unpacks into {top}")
    tree = folder / top[0]
    checks.check(not (tree / "build").exists() and not (tree / ".git").exists(), "nothing that was built is in it")
    made = run("make", "-s", "-j2", "host", where=tree)
    checks.check(made.returncode == 0, f"make host works in it {made.stderr[-300:]}".rstrip())
    said = run(tree / "build/cpuprobe", "--version", where=folder)
    checks.check(version() in said.stdout, f"its host tool says {said.stdout.strip()}")


def main():
    checks = lib.Checks()
    made = run("make", "-s", "release")
    release = lib.ROOT / "build/release" / f"cpuprobe-{version()}"
    if not checks.check(made.returncode == 0 and release.is_dir(), f"make release {made.stderr[-300:]}".rstrip()):
        checks.finish()
    package = f"cpuprobe-{version()}.tar.gz"
    check_folder(checks, release, package)
    first = {path.name: path.read_bytes() for path in release.iterdir()}
    (release / "stray").touch()
    run("make", "-s", "release")
    second = {path.name: path.read_bytes() for path in release.iterdir()}
    checks.check(first == second, "made again, it is the same, byte for byte, and nothing else is in it")
    check_package(checks, release / package, lib.folder().resolve() / "package")
    checks.finish()


main()
