#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""`make deb`: the same bytes twice, no word of lintian; in a bare Debian it installs, a user who is not root boots
the image, and it leaves nothing.

deb.py [SUITE PACKAGE]   of a package of that release, which was made elsewhere, the second half
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import client
import lib
import made_from

OTHERS = ("home", "run", "tmp", "var/cache/man", "var/log")  # man-db's index and logs are not the package's
# packages: pages are read, a user is made, and what the package recommends is there
BESIDE = ("man-db", "passwd", "qemu-system-x86")
USER = "visitor"
BOOT = f"""cpuprobe boot -o run.dump \
{re.search(r"tools/boot (.*) [|]", (lib.ROOT / "tools/build/run-figure3").read_text())[1]}"""
STEPS = {  # what is done in the chroot, by whom
    "install": ("dpkg --install /root/cpuprobe.deb", "root"),
    "version": ("cpuprobe --version", USER),
    "man": ("LC_ALL=C.UTF-8 MANPAGER=cat man cpuprobe-boot", USER),
    "pages": ("cd /usr/share/doc/cpuprobe && cat README.md docs/TOOL.md docs/pictures/top.svg examples/primes.c",
              USER),
    "dump": ("cpuprobe stat --json dump", USER),
    "boot": (f"{BOOT} && cpuprobe stat run.dump", USER),
    "run": ("cpuprobe run --count -o primes.html ./primes && test -s primes.html", USER),
    "typed": ("! cpuprobe boot --bogus && ! cpuprobe run --bogus", USER),
    "bare": ("! touch /usr/lib/cpuprobe/build/x 2>/dev/null && ! command -v gcc && ls -A /tmp", USER),
    "purge": ("dpkg --purge cpuprobe", "root"),
}


def dependencies(package):
    """Names of the packages that it depends on, the first where it leaves a choice."""
    said, _ = client.ran("dpkg-deb", "--field", package, "Depends")
    return [re.match(r"[a-z0-9.+-]+", each.strip()).group() for each in said.split(",")]


def packed(checks):
    """The package of make deb; another packing of it, by a user with other habits, is the same."""
    said, status = client.ran("make", "-s", "-C", lib.ROOT, "deb")
    package = pathlib.Path(said.split()[-1]) if said.split() else pathlib.Path()
    if not checks.check(status == 0 and package.is_file(),
                        f"make deb gives {package.name} ({status}) {said[-300:] if status else ''}"):
        checks.finish()
    said, status = client.ran("sh", "-c", 'umask 077; exec "$@"', "sh", lib.ROOT / "tools/install/deb",
                              lib.folder() / "another-folder", env={**os.environ, "TZ": "Asia/Kolkata",
                                                                    "LC_ALL": "C"})
    checks.check(status == 0 and pathlib.Path(said.split()[-1]).read_bytes() == package.read_bytes(),
                 f"packed again in another folder and time zone: the same bytes {said[-300:] if status else ''}")
    return package


def paths(root):
    found = {path.relative_to(root).as_posix() for path in root.rglob("*")}
    return {path for path in found if not path.startswith(OTHERS)}


def bring(root, package):
    """The package, and what a user has: a dump and a program."""
    shutil.copy(package, root / "root/cpuprobe.deb")
    client.ran("chroot", root, "useradd", "--create-home", USER)
    home = root / "home" / USER
    with (home / "dump").open("wb") as dump:
        subprocess.run([lib.ROOT / "build/host/make_dump", "before"], stdout=dump, check=True)
    lib.build_primes(home / "primes")
    return home


def is_ours(root):
    """The image of the package is the one of which README has the table."""
    ours = ((lib.ROOT / "build/cpuprobe.elf").read_bytes() ==
            (root / "usr/lib/cpuprobe/build/cpuprobe.elf").read_bytes())
    return ours and made_from.is_of_this_image(lib.ROOT / "README.md")


def table_of_readme():
    """The lines of the first example, but for those that are left out."""
    text = (lib.ROOT / "README.md").read_text()
    block = re.search(r"^    (Percentage CPU Utilization\n.*? the machine was .*?\.)$", text, re.M | re.S)[1]
    return [line for line in (each.removeprefix("    ") for each in block.splitlines()) if line not in ("", "...")]


def in_chroot(checks, root, package):
    """What is said there, step by step, and what comes and goes."""
    said = {}
    home = bring(root, package)
    before = paths(root)
    for step, (command, user) in STEPS.items():
        if step == "purge":
            between, ours = paths(root), is_ours(root)
        said[step], status = client.ran(lib.ROOT / "tests/chroot", "run", command, user,
                                        env={**os.environ, "CHROOT": str(root)})
        checks.check(status == 0, f"{step} in the chroot ends with {status} {said[step][-300:] if status else ''}")
    version = re.search('"(.*)"', (lib.ROOT / "probe/stream/version.h").read_text()).group(1)
    checks.check(version in said["version"], f"its version is {said['version'].strip()}")
    here, _ = lib.host("stat", "--json", home / "dump")
    checks.check(said["dump"] == here, "its table of a dump is the one of the tool that was built here")
    checks.check("SYNOPSIS" in said["man"] and "--firmware" in said["man"],
                 f"man has a page of {len(said['man'].splitlines())} lines")
    checks.check("](docs/pictures/top.svg)" in said["pages"] and "</svg>" in said["pages"] and
                 "int main" in said["pages"], "pages, pictures and examples are there")
    checks.check(re.search(r"^ROGUE .* \d+\.\d+-\d+\.\d+$", said["boot"], re.M) and
                 "takes no plugin" not in said["boot"], "a user who is not root boots the image, with its plugin")
    checks.check("\n4391 primes" in "\n" + said["run"] and
                 re.search(r"^Instructions at ring 3: \d+, counted", said["run"], re.M)
                 and re.search(r"^ *\d+ +\d+\.\d\d %  prime$", said["run"], re.M),
                 "and runs a program, whose instructions hwmon counts by function")
    if ours:
        missing = [line for line in table_of_readme() if line not in said["boot"].splitlines()]
        checks.check(not missing, f"its table is README's, to the digit {missing[:2] or ''}")
    checks.check("cpuprobe boot: unknown option --bogus" in said["typed"] and
                 "cpuprobe run: there is no option --bogus" in said["typed"],
                 "messages name what was typed")
    checks.check(not said["bare"], "all that needed no compiler and no file of the package changed, and nothing is "
                                   f"left in /tmp {said['bare']}")
    added = between - before
    checks.check("usr/bin/cpuprobe" in added and "usr/lib/cpuprobe/build/tasks/divider.elf" in added,
                 f"it installs {len(added)} paths")
    left = sorted(paths(root) ^ before)
    checks.check(not left, f"its removal leaves nothing {left[:5] or ''}")


def use(checks, suite, package):
    """This script again, with a fresh Debian that has what the package depends on."""
    said, status = client.ran(*lib.supervised(lib.ROOT / "tests/chroot", "with", suite, "essential",
                                              ",".join([*BESIDE, *dependencies(package)]), __file__, suite, package))
    print(said, end="")
    if status == client.SKIP:
        client.skip(said.splitlines()[-1])
    checks.check(status == 0, f"the package is used in a fresh Debian: {suite}")


def main():
    checks = lib.Checks()
    if os.environ.get("CHROOT"):
        in_chroot(checks, pathlib.Path(os.environ["CHROOT"]), sys.argv[2])
    elif sys.argv[1:]:
        use(checks, *sys.argv[1:])
    else:
        client.need("dh", "dpkg-buildpackage", "lintian", "mmdebstrap")
        package = packed(checks)
        said, status = client.ran("lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0",
                                  package)
        checks.check(status == 0 and not said.strip(), f"lintian says nothing ({status}) {said[-400:]}")
        if not checks.failed:
            use(checks, "bookworm", package)
    checks.finish()


if __name__ == "__main__":
    main()
