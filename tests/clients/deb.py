#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""`make deb`: the same bytes twice, no word of lintian, and in a bare Debian 12 it installs, runs and leaves nothing."""

import os
import pathlib
import re
import subprocess

import client
import lib

APT = pathlib.Path("/etc/apt")  # the chroot's packages come from where this machine's come from
CHROOT = 55  # seconds: half of it is the download of 30 MB on a line of 20 Mbit/s; the rest of the test needs as long again
OTHERS = ("var/cache/man", "var/log", "run", "tmp")  # man-db's index and logs are not the package's

# mmdebstrap runs this on the chroot, $1.  What it finds is compared here, not there.
HOOK = """set -u
out={out}
files() {{ (cd "$1" && find . -xdev | sort); }}
step() {{ name=$1; shift; "$@" >"$out/$name.said" 2>&1; echo $? >"$out/$name.status"; }}
files "$1" >"$out/before"
cp {package} "$1/root/cpuprobe.deb"
cp {dump} "$1/root/dump"
step install chroot "$1" dpkg --install /root/cpuprobe.deb
files "$1" >"$out/between"
step version chroot "$1" cpuprobe --version
step stat chroot "$1" cpuprobe stat --json /root/dump
step man chroot "$1" env LC_ALL=C.UTF-8 MANPAGER=cat man cpuprobe-stat
rm "$1/root/cpuprobe.deb" "$1/root/dump"
step purge chroot "$1" dpkg --purge cpuprobe
files "$1" >"$out/after"
"""


def dependencies(package):
    """Names of the packages that it depends on, the first where it leaves a choice."""
    said, _ = client.ran("dpkg-deb", "--field", package, "Depends")
    return [re.match(r"[a-z0-9.+-]+", each.strip()).group() for each in said.split(",")]


def packed(checks):
    """The package of make deb; another packing of it, by a user with other habits, is the same."""
    said, status = client.ran("make", "-s", "-C", lib.ROOT, "deb")
    package = pathlib.Path(said.split()[-1]) if said.split() else pathlib.Path()
    if not checks.check(status == 0 and package.is_file(), f"make deb gives {package.name} ({status}) {said[-300:] if status else ''}"):
        checks.finish()
    said, status = client.ran("sh", "-c", 'umask 077; exec "$@"', "sh", lib.ROOT / "tools/install/deb", lib.folder() / "another-folder",
                              env={**os.environ, "TZ": "Asia/Kolkata", "LC_ALL": "C"})
    checks.check(status == 0 and pathlib.Path(said.split()[-1]).read_bytes() == package.read_bytes(),
                 f"packed again in another folder and time zone: the same bytes {said[-300:] if status else ''}")
    return package


def sources():
    """The files that name this machine's archives of packages."""
    listed = (APT / "sources.list", *sorted((APT / "sources.list.d").glob("*")))
    return [file for file in listed if file.suffix in (".list", ".sources") and file.is_file()]


def in_chroot(package, dump):
    """The folder with what was said in a chroot; without one the test is skipped."""
    out = lib.folder().resolve()
    (out / "hook").write_text(HOOK.format(out=out, package=package, dump=dump))
    said, status = client.ran(*lib.supervised(
        "timeout", "--kill-after=5", CHROOT, "mmdebstrap", "--quiet", "--variant=essential", "--format=null",
        "--aptopt=APT::Install-Recommends false", "--dpkgopt=force-unsafe-io", f"--include={','.join(['man-db', *dependencies(package)])}",
        f"--customize-hook=sh {out}/hook \"$1\"", "bookworm", "/dev/null", *sources()))
    if not (out / "before").exists():
        why = [line for line in said.splitlines() if line.startswith("E:")] or ["it says nothing"]
        client.skip(f"no chroot of Debian 12: {f'not within {CHROOT} s' if status == 124 else why[0]}")
    return out


def paths(file):
    return {line.removeprefix("./") for line in file.read_text().splitlines() if not line.removeprefix("./").startswith(OTHERS)}


def installed(checks, out):
    """What it said in the chroot, step by step."""
    said = {}
    for step in ("install", "version", "stat", "man", "purge"):
        said[step] = (out / f"{step}.said").read_text(errors="replace")
        status = (out / f"{step}.status").read_text().strip()
        checks.check(status == "0", f"{step} in the chroot ends with {status} {said[step][-300:] if status != '0' else ''}")
    version = re.search('"(.*)"', (lib.ROOT / "probe/stream/version.h").read_text()).group(1)
    checks.check(version in said["version"], f"its version is {said['version'].strip()}")
    here, _ = lib.host("stat", "--json", out / "dump")
    checks.check(said["stat"] == here, "its table is the one of the tool that was built here")
    checks.check("SYNOPSIS" in said["man"] and "--json" in said["man"], f"man has a page of {len(said['man'].splitlines())} lines")
    before, between, after = (paths(out / name) for name in ("before", "between", "after"))
    added = between - before
    checks.check("usr/bin/cpuprobe" in added and "usr/lib/cpuprobe/build/tasks/divider.elf" in added, f"it installs {len(added)} paths")
    left = sorted(after ^ before)
    checks.check(not left, f"its removal leaves nothing {left[:5] or ''}")


def main():
    client.need("dh", "dpkg-buildpackage", "lintian", "mmdebstrap")
    checks = lib.Checks()
    package = packed(checks)
    said, status = client.ran("lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0", package)
    checks.check(status == 0 and not said.strip(), f"lintian says nothing ({status}) {said[-400:]}")
    dump = lib.folder() / "dump"
    dump.write_bytes(subprocess.run([lib.ROOT / "build/host/make_dump", "before"], stdout=subprocess.PIPE, check=True).stdout)
    if not checks.failed:
        installed(checks, in_chroot(package, dump.resolve()))
    checks.finish()


if __name__ == "__main__":
    main()
