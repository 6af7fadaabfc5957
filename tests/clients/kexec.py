#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Debian's Linux starts the image by kexec_file_load(): the 64-bit entry of the Linux door, out of four and of five
levels of page tables."""

import subprocess

import client
import lib
import linux_loader

PACKAGE = "linux-image-cloud-amd64"  # which depends on the package with the kernel
# Memory above 4 GiB, where Linux then puts the zero page and the words
CPUS = (("four levels, 1 GiB", "max,-la57", "1G"), ("four levels, 5 GiB", "max,-la57", "5G"),
        ("five levels, 5 GiB", "max", "5G"))
GUARD = 200  # seconds of wall time


def package():
    """The package with the kernel itself."""
    said, _ = client.ran("apt-cache", "depends", "--no-suggests", PACKAGE)
    return next((line.split()[1] for line in said.splitlines() if "Depends: linux-image" in line), PACKAGE)


def entry(name, data, mode):
    """A file in cpio's format newc, which an initial RAM disk has."""
    fields = (1, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
    head = ("070701" + "".join(f"{field:08X}" for field in fields) + name).encode() + b"\0"
    return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)


def ram_disk():
    init = lib.folder() / "init"
    subprocess.run(["gcc", "-O1", "-static", client.HERE / "kexec/init.c", "-o", init], check=True)
    path = lib.folder() / "initrd"
    path.write_bytes(entry("init", init.read_bytes(), 0o100755)
                     + entry("image", (lib.ROOT / "build/cpuprobe.bz").read_bytes(), 0o100644)
                     + entry("words", linux_loader.WORDS.encode(), 0o100644) + entry("TRAILER!!!", b"", 0))
    return path


def main():
    client.need("qemu-system-x86_64", "apt-get", "dpkg-deb")
    checks = lib.Checks()
    linux, initrd = linux_loader.unpacked("kexec", package, "boot/vmlinuz-*"), ram_disk()
    for number, (name, cpu, memory) in enumerate(CPUS):
        dump = lib.folder() / f"{number}.dump"
        with dump.open("wb") as out:
            done = subprocess.run(lib.supervised("qemu-system-x86_64", "-m", memory, "-cpu", cpu, "-kernel",
                                                 linux, "-initrd", initrd, "-append", "console=ttyS0 quiet panic=1",
                                                 "-display", "none", "-nodefaults", "-serial", "stdio",
                                                 *linux_loader.EXIT),
                                  stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, timeout=GUARD,
                                  check=False)
        linux_loader.judge(checks, name, done.returncode, dump)
    checks.finish()


if __name__ == "__main__":
    main()
