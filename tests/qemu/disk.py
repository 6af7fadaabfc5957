#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots the disk image as a disk and as a stick, by BIOS and by UEFI: disk.py FIRMWARE."""

import shutil
import subprocess
import sys

import door
import lib

IMAGE = lib.ROOT / "build/cpuprobe.img"
VOLUME = "@@1M"  # the partition begins there
EDITED = (b"\xef\xbb\xbf\r\n# as an editor of another system leaves it\r\n\r\n"
          b"   Rate = 1000\t SECONDS=2 # not seconds=3\r\n"
          b"# " + b"long " * 400 + b"\r\nexit=qemu output=frames seed=7\r\n\r\n")


def mtool(command, image, *arguments):
    subprocess.run([command, "-i", f"{image}{VOLUME}", *arguments], check=True)


def copy(name):
    path = lib.folder() / f"{name}.img"
    shutil.copy(IMAGE, path)
    return path


def machine(image, firmware):
    """QEMU without tools/boot, which would write the words into the image."""
    command = ["qemu-system-x86_64", "-M", "pc", "-m", "256", "-cpu", "max", "-nodefaults", "-display", "none",
               "-icount", "shift=5,sleep=off", "-rtc", "base=2020-01-01T00:00:00,clock=vm", "-no-reboot",
               "-device", "isa-debug-exit,iobase=0xf4,iosize=4", "-serial", f"file:{image.with_suffix('.dump')}",
               "-drive", f"if=none,id=disk,format=raw,file={image}", "-device", "ide-hd,drive=disk"]
    if firmware == "uefi":
        command += ["-drive", "if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd"]
    return subprocess.run(lib.supervised(*command), stdin=subprocess.DEVNULL, timeout=lib.GUARD,
                          check=False).returncode


def check_edited(checks, firmware):
    """cpuprobe.cfg after an editor: a mark of UTF-8, capitals, blanks, other line ends, comments, longer than the
    line of words, in pieces on the disk, and saved as cpuprobe.cfg.txt."""
    image, config = copy("edited"), lib.folder() / "cpuprobe.cfg"
    fill = lib.folder() / "fill"
    fill.write_bytes(bytes(2048))
    mtool("mdel", image, "::/cpuprobe.cfg")
    for name in range(4):
        mtool("mcopy", image, str(fill), f"::/fill{name}")
    mtool("mdel", image, "::/fill0", "::/fill2")
    config.write_bytes(EDITED)
    mtool("mcopy", image, str(config), "::/cpuprobe.cfg.txt")
    checks.check(machine(image, firmware) == 33, "edited: the run ends well")
    table = lib.stat(image.with_suffix(".dump"))
    checks.check(table["policy"]["seed"] == 7 and " rate=1000 " in table["words"] and " seconds=2 " in table["words"],
                 f"edited: the words arrived: {table['words']}")


def check_written(checks, firmware):
    """As dd and Rufus write it: over what a larger stick had before."""
    stick, size = lib.folder() / "stick.img", 2 * IMAGE.stat().st_size
    with stick.open("wb") as file:
        file.write(bytes(range(255, -1, -1)) * (size // 256))
    subprocess.run(["dd", f"if={IMAGE}", f"of={stick}", "bs=1M", "conv=notrunc,fsync"], check=True,
                   stderr=subprocess.DEVNULL)
    door.boot(checks, door.Boot("written", "disk" if firmware == "bios" else "uefi",
                                ("--door", "usb", "--firmware", firmware, "--image", str(stick))))


def check_refused(checks, firmware):
    options = ("--door", "disk", "--firmware", firmware)
    door.refused(checks, "wrong-word", "colour=red", options, "unknown word 'colour'")
    if firmware == "uefi":
        return  # which asks for nothing of the following
    door.refused(checks, "too-many-words", "rate=1000 " * 60, options, "longer than 511 characters")
    door.refused(checks, "old-cpu", "", (*options, "--cpu", "pentium3"), "no 64-bit mode")
    image = copy("empty")
    mtool("mdel", image, "::/EFI/BOOT/BOOTX64.EFI")
    door.refused(checks, "no-application", "", (*options, "--image", str(image)), "BOOTX64.EFI is not on the disk")
    config = lib.folder() / "wide"
    config.write_bytes("\ufeffrate=1000 exit=qemu".encode("utf-16-le"))
    image = copy("two")
    mtool("mcopy", image, str(config), "::/cpuprobe.cfg.txt")
    door.refused(checks, "two-configs", "", (*options, "--image", str(image)),
                 "cpuprobe.cfg and cpuprobe.cfg.txt are there: delete")
    mtool("mdel", image, "::/cpuprobe.cfg")
    status, said = machine(image, firmware), image.with_suffix(".dump").read_bytes()
    checks.check(status == 35 and b"save it as UTF-8 or ANSI" in said, f"utf-16: {status} {said[-120:]}")
    image = copy("gap")
    with image.open("r+b") as file:
        file.seek(512)
        file.write(bytes(512))
    door.refused(checks, "no-loader", "", (*options, "--image", str(image)), "are not cpuprobe's")


def main(firmware):
    checks = lib.Checks()
    tables = {}
    for kind in ("disk", "usb"):
        for m in ("pc", "q35"):
            name = f"{kind}-{firmware}-{m}"
            said = "disk" if firmware == "bios" else "uefi"
            tables[name] = door.boot(checks, door.Boot(name, said, ("--door", kind, "--firmware", firmware,
                                                                    "--machine", m)))
    door.agree(checks, tables)
    check_written(checks, firmware)
    check_edited(checks, firmware)
    check_refused(checks, firmware)
    checks.finish()


if __name__ == "__main__":
    main(sys.argv[1])
