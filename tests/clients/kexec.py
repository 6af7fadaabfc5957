#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Debian's Linux starts the image by kexec_file_load(): the 64-bit entry of the Linux door, out of four and of five levels of page tables."""

import subprocess

import client
import lib

PACKAGE = "linux-image-cloud-amd64"  # which depends on the package with the kernel
WORDS = 'rate=120 seconds=2 seed=1 exit=qemu output=frames note="two words"'
# Memory above 4 GiB, where Linux then puts the zero page and the words
CPUS = (("four levels, 1 GiB", "max,-la57", "1G"), ("four levels, 5 GiB", "max,-la57", "5G"), ("five levels, 5 GiB", "max", "5G"))
GUARD = 200  # seconds of wall time


def kernel():
    """The path of a kernel: of Debian's package, which is not installed but unpacked."""
    with client.alone("kexec") as folder:
        found = sorted(folder.glob("boot/vmlinuz-*"))
        if not found:
            folder.mkdir(exist_ok=True)
            said, _ = client.ran("apt-cache", "depends", "--no-suggests", PACKAGE)
            names = [line.split()[1] for line in said.splitlines() if "Depends: linux-image" in line]
            said, status = client.ran("apt-get", "download", names[0], cwd=folder) if names else ("no such package", 1)
            if status:
                client.skip(f"{PACKAGE} cannot be fetched: {said.strip().splitlines()[-1]}")
            package = next(folder.glob("*.deb"))
            subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
            package.unlink()
            found = sorted(folder.glob("boot/vmlinuz-*"))
    return found[0]


def entry(name, data, mode):
    """A file in cpio's format newc, which an initial RAM disk has."""
    fields = (1, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
    head = ("070701" + "".join(f"{field:08X}" for field in fields) + name).encode() + b"\0"
    return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)


def ram_disk():
    init = lib.folder() / "init"
    subprocess.run(["gcc", "-O1", "-static", client.HERE / "kexec/init.c", "-o", init], check=True)
    path = lib.folder() / "initrd"
    path.write_bytes(entry("init", init.read_bytes(), 0o100755) + entry("image", (lib.ROOT / "build/cpuprobe.bz").read_bytes(), 0o100644)
                     + entry("words", WORDS.encode(), 0o100644) + entry("TRAILER!!!", b"", 0))
    return path


def main():
    client.need("qemu-system-x86_64", "apt-get", "dpkg-deb")
    checks = lib.Checks()
    linux, initrd = kernel(), ram_disk()
    for number, (name, cpu, memory) in enumerate(CPUS):
        dump = lib.folder() / f"{number}.dump"
        with dump.open("wb") as out:
            done = subprocess.run(lib.supervised("qemu-system-x86_64", "-m", memory, "-cpu", cpu, "-kernel", linux, "-initrd", initrd,
                                                 "-append", "console=ttyS0 quiet panic=1", "-display", "none", "-nodefaults", "-serial", "stdio",
                                                 "-device", "isa-debug-exit,iobase=0xf4,iosize=4", "-no-reboot"),
                                  stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, timeout=GUARD, check=False)
        checks.check(done.returncode == 33, f"{name}: status {done.returncode} ({dump})")
        table = lib.stat(dump)
        checks.check(table["complete"] and table["epoch"]["door"] == "linux", f"{name}: complete, by the door {table['epoch']['door']}")
        checks.check('note="two words"' in (table["words"] or ""), f"{name}: the words arrived: {table['words']}")
    checks.finish()


if __name__ == "__main__":
    main()
