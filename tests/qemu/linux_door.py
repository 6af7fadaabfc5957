#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""The Linux door: started in real mode (QEMU) and in 32 bits (GRUB), with words, a file as the initial RAM disk, and
what loaders add."""

import subprocess

import lib

ARGUMENTS = ("nothing", "two words", "a,b")
LINE = "nothing 'two words' 'a,b'"  # the same as one line

WORDS = 'rate=120 seconds=2 seed=1 exit=qemu output=frames note="two words"'
GRUB = """
insmod all_video
set timeout=0
menuentry "the Linux door" {
    linux /boot/cpuprobe.bz %s acpi_rsdp=0x0 initrd=file
    initrd /boot/file
}
"""


def real_mode(checks, path):
    dump = lib.folder() / "real.dump"
    done = subprocess.run(lib.supervised(lib.ROOT / "tools/boot", "--door", "linux", "--timeout", str(lib.GUARD),
                                         "-o", dump, "--task", path, *ARGUMENTS, "--", "output=frames", "seed=1"),
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    checks.check(done.returncode == lib.COMPLETE, f"real mode: status {done.returncode} {done.stderr.strip()}")
    return dump


def by_grub(checks, path):
    """The ISO with another menu: the 32-bit entry, whose words GRUB begins with BOOT_IMAGE=."""
    folder = lib.folder()
    task = f'"tasks=\\"file:initrd {LINE}\\""'
    (folder / "grub.cfg").write_text(GRUB % f"{WORDS} {task}")
    iso = folder / "linux.iso"
    iso.unlink(missing_ok=True)
    subprocess.run(["xorriso", "-indev", lib.ROOT / "build/cpuprobe.iso", "-outdev", iso, "-boot_image", "any",
                    "replay", "-map", lib.ROOT / "build/cpuprobe.bz", "/boot/cpuprobe.bz", "-map", path, "/boot/file",
                    "-rm", "/boot/grub/grub.cfg", "--", "-map", folder / "grub.cfg", "/boot/grub/grub.cfg"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run = lib.boot("grub", "seconds=2", options=("--door", "iso", "--image", iso))
    checks.check(run.status == lib.COMPLETE, f"GRUB: status {run.status} {run.said.strip()}")
    return run.dump


def main():
    checks = lib.Checks()
    path = lib.folder().resolve() / "said"
    subprocess.run(["gcc", "-O1", "-static", lib.ROOT / "tests/qemu/linux/said.c", "-o", path], check=True)
    wanted = subprocess.run([path, *ARGUMENTS], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                            check=False).stdout
    for name, dump in (("real mode", real_mode(checks, path)), ("GRUB", by_grub(checks, path))):
        table = lib.stat(dump)
        checks.check(table["epoch"]["door"] == "linux",
                     f"{name}: HELLO says that the door was {table['epoch']['door']}")
        checks.check(table["complete"], f"{name}: the stream is complete: {table['words']}")
        wrote = lib.host("output", dump)[0]
        checks.check(wrote == wanted, f"{name}: the program that came along writes what it writes here")
        checks.check(name != "GRUB" or 'note="two words"' in table["words"],
                     f"{name}: the words arrived: {table['words']}")
    checks.finish()


if __name__ == "__main__":
    main()
