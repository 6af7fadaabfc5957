#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""What Linux's calls answer: tests/qemu/linux/answers.c gets the same here and in the image, line by line, but for a
list of differences, each of which is there.

Here its output goes to a file: what a pipe answers to a write over a hole in the memory depends on how far it has
been read.
"""

import subprocess

import lib
import linux_programs

CASES = 470  # at least
# By reason: the case, what is answered here and in the image.
DIFFERENCES = {
    "files can only be read": (
        ('open("data", O_RDWR)', "ok", "-30"),
        ('open("new", O_WRONLY | O_CREAT, 0600)', "ok", "-30"),
        ('open("data", O_WRONLY | O_TRUNC | O_APPEND)', "ok", "-30"),
        ('access("data", W_OK)', "0", "-30"),
    ),
    "no page is writable and code": (
        ("mmap(0, PAGE, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)", "ok", "-13"),
        ("mprotect(PLACE, PAGE, 7)", "0", "-13"),
    ),
    "of MREMAP_DONTUNMAP nothing is there": (("mremap(PLACE, PAGE, PAGE, 5, 0)", "ok", "-22"),),
    "advice is not looked at": (("madvise(PLACE, PAGE, 9999)", "-22", "0"),),
    "there are 16 descriptors": (
        ("dup2(1, 30)", "ok", "-9"),
        ("fcntl(1, F_DUPFD, 16)", "ok", "-22"),
    ),
    "output is a pipe, and a file here": (
        ("lseek(1, 0, SEEK_SET)", "0", "-29"),
        ("S_ISFIFO(s.st_mode)", "0", "1"),
    ),
    "files have no date": (("s.st_mtime != 0", "1", "0"),),
    "the date is 1970-01-01": (("now.tv_sec > 1000000000", "1", "0"),),
    "no limit can be set": (("prlimit64(0, RLIMIT_STACK, &limit, 0)", "0", "-1"),),
    "the call is not there": (("pipe(copy)", "ok", "-38"),),
}
# Cases whose answer depends on the system here: its file system's (EISDIR, or EINVAL), its container's (a filter of
# calls may say EPERM of one that it does not know).
ITS_OWN = {"read(folder, copy, 1)": "-21", "a call past the last": "-38"}


def here(program):
    """Its lines on this machine, in a folder with the file that it reads."""
    folder = lib.folder() / "here"
    folder.mkdir(exist_ok=True)
    (folder / "new").unlink(missing_ok=True)
    (folder / "data").write_text("one\ntwo\n")
    out = lib.folder() / "here.text"
    out.unlink(missing_ok=True)
    with out.open("ab") as to:
        subprocess.run([program.resolve()], cwd=folder, stdin=subprocess.DEVNULL, stdout=to, check=True)
    return out.read_text().splitlines()


def in_image(checks, program):
    data = lib.folder() / "data"
    data.write_text("one\ntwo\n")
    files = [word for file in (program, data) for word in ("--file", str(file))]
    run = lib.boot("answers", "output=frames tasks=file:answers seconds=0 seed=1", shift=3,
                   options=("--door", "multiboot", *files))
    text, status = lib.host("output", "--task", "answers", run.dump)
    checks.check(run.status == lib.COMPLETE and status == 0, f"the program runs to its end {run.said.strip()}")
    return text.splitlines()


def main():
    checks = lib.Checks()
    program = linux_programs.compiled("answers", "answers.c", "-static")
    ours, theirs = in_image(checks, program), here(program)
    checks.check(len(ours) == len(theirs) >= CASES, f"{len(ours)} lines in the image, {len(theirs)} here")
    listed = {(f"{case} = {there}", f"{case} = {image}"): reason
              for reason, rows in DIFFERENCES.items() for case, there, image in rows}
    found = {pair for pair in zip(theirs, ours) if pair[0] != pair[1]
             and pair[1] not in (f"{case} = {image}" for case, image in ITS_OWN.items())}
    for there, image in sorted(found - set(listed)):
        checks.check(False, f"{there} here, and in the image: {image}")
    for pair in listed:
        checks.check(pair in found, f"{pair[1]}: {listed[pair]}")
    for case, image in ITS_OWN.items():
        checks.check(f"{case} = {image}" in ours, f"{case} = {image} in the image")
    checks.finish()


if __name__ == "__main__":
    main()
