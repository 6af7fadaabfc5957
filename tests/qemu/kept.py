# SPDX-License-Identifier: MIT
"""Keeps what a boot wrote in build/kept/, so that papers and bench boot the same words on the same image only once.

A boot under a counted clock is deterministic: what the words, the files that the options name, the image, the
emulator, its plugins and tools/boot are is all that its streams depend on.  The tests of `make check` boot each time.
"""

import functools
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile

import lib

FOLDER = lib.ROOT / "build/kept"
IMAGES = ("build/cpuprobe.elf", "build/cpuprobe.rom")  # of the doors multiboot and rom
EMULATORS = (("qemu-system-x86_64", "--version"), ("bochs", "--help"))


def _version(command):
    """What tells one emulator from another; nothing where it is not there."""
    if shutil.which(command[0]) is None:
        return b""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.stdout + done.stderr


@functools.cache
def _group():
    """The folder of this image, emulator and tools/boot; those of others are removed."""
    digest = hashlib.sha256()
    files = (lib.ROOT / "tools/boot", *map(lib.ROOT.joinpath, IMAGES),
             *sorted((lib.ROOT / "build/qemu").glob("*.so")))
    for file in files:
        digest.update(f"{file.name}\0".encode() + (file.read_bytes() if file.exists() else b""))
    for emulator in EMULATORS:
        digest.update(_version(emulator))
    group = FOLDER / digest.hexdigest()[:16]
    for other in FOLDER.glob("*"):
        if other != group:
            shutil.rmtree(other, ignore_errors=True)
    group.mkdir(parents=True, exist_ok=True)
    return group


def _key(words, shift, options, beside):
    """Of what this boot is asked; files that it only reads count by what is in them."""
    digest = hashlib.sha256(f"{words}\0{shift}".encode())
    for option in options:
        option = str(option)
        for suffix, file in beside.items():
            option = option.replace(str(file), suffix)
        digest.update(f"\0{option}".encode())
        if os.path.isfile(option):
            digest.update(pathlib.Path(option).read_bytes())
    return digest.hexdigest()[:32]


def boot(name, words, *, shift, timeout, options=(), beside=()):
    """As lib.boot(), of a run that was kept if there is one.

    `beside`: suffixes of the files that the options make the run write beside its dump.  A run that does not end well
    is not kept.
    """
    dump = lib.folder() / f"{name}.dump"
    files = {suffix: dump.with_suffix(suffix) for suffix in beside}
    kept = _group() / _key(words, shift, options, files)
    files[".dump"] = dump
    if kept.is_dir():
        for suffix, file in files.items():
            shutil.copyfile(kept / f"run{suffix}", file)
        return lib.Run(dump, lib.COMPLETE, "")
    for file in files.values():
        file.unlink(missing_ok=True)
    done = lib.boot(name, words, shift=shift, timeout=timeout, options=options)
    if done.status == lib.COMPLETE and all(file.exists() for file in files.values()):
        new = pathlib.Path(tempfile.mkdtemp(prefix="new-", dir=kept.parent))
        for suffix, file in files.items():
            shutil.copyfile(file, new / f"run{suffix}")
        try:
            new.rename(kept)
        except OSError:  # another thread or process kept the same run first
            shutil.rmtree(new)
    return done
