#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""A program of a file runs by each door that brings files, and writes the same: files.py DOOR...; without one,
by all.

On the disk stand other files that cannot be taken; each is told, and the programs run all the same.
"""

import json
import shutil
import struct
import subprocess
import sys

import lib

ARGUMENTS = ("data", "two words", "a,b", "#3")
DATA = "one\ntwo\n"
INPUT = "typed in\n"
VOLUME_AT = 1 << 20  # where the disk's partition begins
ENTRY_BYTES, ENTRY_CLUSTER = 32, 26
CLUSTER_BAD = 0xfff7
DOORS = {  # options of tools/boot; whether the disk has files that cannot be taken
    "multiboot": (("--door", "multiboot"), False),
    "rom": (("--door", "rom"), False),
    "uefi": (("--door", "uefi"), False),
    "disk": (("--door", "disk"), True),
    "iso": (("--door", "iso"), False),
    "usb-uefi": (("--door", "usb", "--firmware", "uefi"), True),
}
TOLD = (  # what the image says of those
    "'empty' is empty",
    "'broken' cannot be read",
    "'two?words' is no name",
    "'a-name-that-is-longer-th...' is no name",
    "files of the loader are not taken: there is room for 16",
)
LONG_NAME = "a-name-that-is-longer-than-the-image-takes"


def program():
    path = lib.folder().resolve() / "Said-1.x"  # it runs in another folder
    subprocess.run(["gcc", "-O1", "-static", lib.ROOT / "tests/qemu/linux/said.c", "-o", path], check=True)
    return path


def mtool(command, image, *arguments):
    subprocess.run([command, "-i", f"{image}@@{VOLUME_AT}", *arguments], check=True)


def layout(disk):
    """Byte offsets of the table of clusters and of the clusters."""
    sector, _, reserved, tables, roots, _, _, length = struct.unpack_from("<HBHBHHBH", disk, VOLUME_AT + 11)
    table = VOLUME_AT + reserved * sector
    return table, table + tables * length * sector + roots * ENTRY_BYTES


def break_chain(image, name):
    """Let a file's second cluster be one that does not exist."""
    disk = bytearray(image.read_bytes())
    table, data = layout(disk)
    entry = disk.index(name.ljust(11).encode(), data)
    first, = struct.unpack_from("<H", disk, entry + ENTRY_CLUSTER)
    struct.pack_into("<H", disk, table + 2 * first, CLUSTER_BAD)
    image.write_bytes(disk)


def spoilt_disk():
    """The disk image with files that cannot be taken, and more of them than there is room for."""
    image = lib.folder() / "spoilt.img"
    shutil.copy(lib.ROOT / "build/cpuprobe.img", image)
    file = lib.folder() / "file"
    file.write_bytes(b"x")
    places = [f"::/tasks/a-place-before-{i}" for i in range(3)]  # where those stand that are to be taken
    for place in places:
        mtool("mcopy", image, file, place)
    mtool("mmd", image, "::/tasks/folder")
    for name, size in (("empty", 0), ("broken", 9000), ("two words", 1), (LONG_NAME, 1), (".hidden", 1)):
        file.write_bytes(b"x" * size)
        mtool("mcopy", image, file, f"::/tasks/{name}")
    file.write_bytes(b"x")
    for i in range(10):
        mtool("mcopy", image, file, f"::/tasks/fill{i}")
    mtool("mdel", image, *places)
    break_chain(image, "BROKEN")
    return image


def check_door(checks, door, path, files, wanted, status):
    options, spoilt = DOORS[door]
    dump = lib.folder() / f"{door}.dump"
    command = [lib.ROOT / "tools/boot", *options, "--shift", "3", "--timeout", str(lib.GUARD), "-o", dump,
               *(word for file in files for word in ("--file", file)),
               *(("--image", spoilt_disk()) if spoilt else ()),
               "--task", path, *ARGUMENTS, "--", "stdin=file:input", "seconds=0", "output=frames", "seed=1"]
    done = subprocess.run(lib.supervised(*command), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=False)
    wrote = subprocess.run([lib.ROOT / "build/cpuprobe", "output", dump], stdout=subprocess.PIPE, text=True,
                           check=False).stdout
    checks.check(done.returncode == lib.COMPLETE and wrote == wanted,
                 f"{door}: status {done.returncode} {done.stderr.strip()}, "
                 f"the program writes what it writes here, {len(wrote)} of {len(wanted)} bytes")
    programs = json.loads(lib.host("info", "--json", dump)[0])["epochs"][0]["programs"]
    checks.check([(p["name"], p["state"], p["status"]) for p in programs] == [(path.name, "exited", status)],
                 f"{door}: info tells how it ended: {programs}")
    texts = [head["text"] for head, _ in lib.records(dump, "TEXT")]
    for sentence in TOLD if spoilt else ():
        checks.check(any(sentence in text for text in texts), f"{door}: told: {sentence}")
    checks.check(spoilt or not any("not taken" in text for text in texts), f"{door}: nothing else is told of files")


def check_missing(checks):
    """A file that is not there, by a door that brought none."""
    run = lib.boot("missing", "tasks=file:nothing seconds=1", options=("--door", "disk"))
    checks.check(run.status == lib.FAILURE and "no file came with the image" in run.said and
                 "folder tasks" in run.said, f"missing: {run.status} {run.said.strip()}")


def main():
    checks = lib.Checks()
    path = program()
    files = [lib.folder() / "data", lib.folder() / "input"]
    for file, text in zip(files, (DATA, INPUT)):
        file.write_text(text)
    with files[1].open("rb") as stdin:
        here = subprocess.run([path, *ARGUMENTS], stdin=stdin, stdout=subprocess.PIPE, cwd=lib.folder(), text=True,
                              check=False)
    for door in sys.argv[1:] or DOORS:
        check_door(checks, door, path, files, here.stdout, here.returncode)
    check_missing(checks)
    checks.finish()


if __name__ == "__main__":
    main()
