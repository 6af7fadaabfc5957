# SPDX-License-Identifier: MIT
"""What the tests of loaders for Linux share: the loader of a Debian package that is not installed, the words,
the judgement."""

import subprocess

import client
import lib

QUOTED = 'note="two words"'
WORDS = f"rate=120 seconds=2 seed=1 exit=qemu output=frames {QUOTED}"
EXIT = ("-device", "isa-debug-exit,iobase=0xf4,iosize=4", "-no-reboot")
COMPLETE = 33  # what QEMU's exit device makes of a run that ended well


def unpacked(name, package, pattern):
    """The path of a file of a package, which is fetched and unpacked once;
    `package` is called where it has to be fetched."""
    with client.alone(name) as folder:
        if not list(folder.glob(pattern)):
            folder.mkdir(exist_ok=True)
            wanted = package()
            said, status = client.ran("apt-get", "download", wanted, cwd=folder)
            if status:
                client.skip(f"{wanted} cannot be fetched: {said.strip().splitlines()[-1]}")
            fetched = next(folder.glob("*.deb"))
            subprocess.run(["dpkg-deb", "-x", fetched, folder], check=True)
            fetched.unlink()
    return sorted(folder.glob(pattern))[0]


def judge(checks, name, status, dump):
    """The run ended well; its dump is complete and of the Linux door; the words arrived with their quotes."""
    checks.check(status == COMPLETE, f"{name}: status {status} ({dump})")
    table = lib.stat(dump)
    checks.check(table["complete"] and table["epoch"]["door"] == "linux",
                 f"{name}: complete, by the door {table['epoch']['door']}")
    checks.check(QUOTED in (table["words"] or ""), f"{name}: the words arrived: {table['words']}")
