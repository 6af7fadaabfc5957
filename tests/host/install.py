#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""make install and uninstall in a folder: what is there runs, from files that nobody may write; man pages have no
fault, the shells complete."""

import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402

LIB = "lib/cpuprobe"
FILES = ("bin/cpuprobe", *(f"{LIB}/build/{name}" for name in (
            "cpuprobe", "cpuprobe.elf", "cpuprobe.rom", "cpuprobe.img", "cpuprobe.bz", "BOOTX64.EFI", "hlt_sync.so",
            "hwmon.so", "hwmon.words", "supervise", "tasks/divider.elf")),
         *(f"{LIB}/tools/{name}" for name in ("boot", "run", "shell", "rom-config", "iso-config",
                                              "emulator/program_run.py")),
         *(f"share/doc/cpuprobe/{name}" for name in ("README.md", "docs/TOOL.md", "docs/pictures/top.svg",
                                                     "docs/figures/figure3.svg", "examples/primes.c")),
         "share/man/man1/cpuprobe.1", "share/man/man1/cpuprobe-stat.1", "share/man/man1/cpuprobe-boot.1",
         "share/bash-completion/completions/cpuprobe", "share/zsh/site-functions/_cpuprobe",
         "share/fish/vendor_completions.d/cpuprobe.fish")
NOBODY = {"user": 65534, "group": 65534, "extra_groups": []}  # root may write any file
WORDS = ("--shift", "5", "--", "seconds=2", "rate=500", "output=frames", "monitor=system,samples")
CASES = (  # the line up to the tabulator, and what has to be among the candidates
    ("cpuprobe histog", "histogram"),
    ("cpuprobe stat --exa", "--exact"),
    ("cpuprobe help audi", "audit"),
    ("cpuprobe diff --by ", "function"),
    ("cpuprobe run ./pri", "./primes"),
    ("cpuprobe histogram dump --task ", "ROGUE"),
    ("cpuprobe time dump --function ", "0x401000 (no symbol)"),
)


def make(*words):
    return subprocess.run(["make", "-s", *words], cwd=lib.ROOT, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)


def bash(root, line):
    words = line.split(" ")
    script = (f"source {root}/share/bash-completion/completions/cpuprobe; "
              f"COMP_WORDS=({' '.join(repr(w) for w in words)}); "
              f"COMP_CWORD={len(words) - 1}; _cpuprobe; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
    return [bash_plain(text) for text in spoken(["bash", "--norc", "-c", script]).split("\n")]


def bash_plain(text):
    return text.replace("\\", "")


def fish(root, line):
    return [text.partition("\t")[0].replace("\\", "") for text in
            spoken(["fish", "-N", "-c", f"source {root}/share/fish/vendor_completions.d/cpuprobe.fish; complete "
                                        f"-C '{line}'"]).split("\n")]


def spoken(words):
    return subprocess.run(words, capture_output=True, text=True, check=False, cwd=lib.folder(), env=environment(),
                          timeout=60, stdin=subprocess.DEVNULL).stdout


def environment():
    return {**os.environ, "PATH": f"{lib.folder().resolve()}/usr/bin:{os.environ['PATH']}",
            "HOME": str(lib.folder().resolve()), "TERM": "xterm"}


class Zsh:
    """An interactive one: its completion needs the line editor."""

    def __init__(self, root):
        self.child, self.master = pty.fork()
        if not self.child:
            there = environment()
            os.chdir(lib.folder())
            os.execvpe("zsh", ["zsh", "-f", "-i"], there)
        self.ask("PS1='> '; stty rows 60 cols 200; setopt no_beep; unsetopt list_ambiguous\n")
        self.ask(f"fpath=({root}/share/zsh/site-functions $fpath); autoload -Uz compinit; compinit -u -D; zstyle "
                 "':completion:*' menu no\n", 3)

    def ask(self, keys, quiet=0.7):
        """What is shown until nothing more comes."""
        os.write(self.master, keys.encode())
        shown, end = b"", time.monotonic() + 20
        while time.monotonic() < end and select.select([self.master], [], [], quiet)[0]:
            shown += os.read(self.master, 65536)
        return shown.decode(errors="replace")

    def complete(self, line, wanted):
        """What is shown until that is there: commands that it runs take their time."""
        shown, end = self.ask(line + "\t\t").replace("\\", ""), time.monotonic() + 20
        while wanted not in shown and time.monotonic() < end:
            shown += self.ask("").replace("\\", "")
        self.ask("\x15")
        return shown

    def end(self):
        os.write(self.master, b"\x15exit\n")
        os.close(self.master)
        os.waitpid(self.child, 0)


def completes(checks, root):
    for shell, ask in (("bash", bash), ("fish", fish)):
        if not shutil.which(shell):
            print(f"skip: no {shell} here")
            continue
        for line, wanted in CASES:
            found = ask(root, line)
            checks.check(wanted in found,
                         f"{shell}: {line}<TAB> has {wanted}" + ("" if wanted in found else f" {found[:6]}"))
    if not shutil.which("zsh"):
        print("skip: no zsh here")
        return
    zsh = Zsh(root)
    for line, wanted in CASES:
        found = zsh.complete(line, wanted)
        checks.check(wanted in found,
                     f"zsh: {line}<TAB> has {wanted}" + ("" if wanted in found else f" {found[-200:]!r}"))
    zsh.end()


def manuals(checks, root):
    if not shutil.which("man"):
        print("skip: no man here")
        return
    pages = sorted((root / "share/man/man1").glob("*.1"))
    faults = [f"{page.name}: {text}" for page in pages if (text := subprocess.run(
        ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page],
        env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"},
        capture_output=True, text=True, check=False).stderr)]
    checks.check(pages and not faults, f"{len(pages)} man pages without a warning {' '.join(faults)[:300]}")
    if shutil.which("mandoc"):
        said = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *pages], capture_output=True, text=True,
                              check=False).stdout
        checks.check(not said, f"mandoc has no warning either: {said[:300]}")


class Elsewhere:
    """The installation in a folder of which no file and no folder may be written, and a user's own folder,
    which is another."""

    def __init__(self, root, folder):
        self.folder, self.home = pathlib.Path(folder), pathlib.Path(folder) / "home"
        self.tool = self.folder / "usr/bin/cpuprobe"
        shutil.copytree(root, self.folder / "usr", symlinks=True)
        self.home.mkdir()
        self.folder.chmod(0o755)
        self.user = {} if os.geteuid() else NOBODY
        if self.user:
            shutil.chown(self.home, NOBODY["user"])
        self.writable(False)

    def writable(self, yes):
        for path in (self.folder / "usr", *(self.folder / "usr").rglob("*")):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | 0o200 if yes else path.stat().st_mode & ~0o222)

    def run(self, *words, path=None):
        done = subprocess.run([self.tool, *words], cwd=self.home, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", check=False, timeout=lib.GUARD,
                              env={"PATH": path or os.environ["PATH"], "HOME": str(self.home)}, **self.user)
        return done.returncode, done.stdout, done.stderr


def boots(checks, there):
    status, _, said = there.run("boot", "-o", "run.dump", *WORDS)
    own = lib.folder() / "own.dump"
    subprocess.run([lib.ROOT / "tools/boot", "-o", own, *WORDS], check=True, timeout=lib.GUARD)
    checks.check(status == 0 and not said and (there.home / "run.dump").read_bytes() == own.read_bytes(),
                 f"cpuprobe boot, from another folder, sends what tools/boot does: {status} {said[-300:]}")
    status, told, said = there.run("histogram", "--by", "function", "--task", "ROGUE", "run.dump")
    checks.check(status == 0 and "dbwrit " in told and not said,
                 f"its tool has the names of the tasks: {status} {said[-300:]}")
    status, _, said = there.run("boot", "--door", "rom", "--hwmon", "out=hw", *WORDS)
    checks.check(status == 0 and "(no task)" in there.run("stat", "hw")[1],
                 f"through the door rom, with hwmon: {status} {said[-300:]}")
    status, _, said = there.run("record", "--qemu", "tasks=hog1 seconds=1", "-o", "recorded")
    checks.check(status == 0, f"cpuprobe record --qemu finds the image: {status} {said[-300:]}")
    lib.build_primes(there.home / "primes")
    status, told, said = there.run("run", "--count", "./primes")
    checks.check(status == 0 and not said and
                 told.startswith("4391 primes") and "prime  " in told and "counted by the emulator" in told,
                 f"cpuprobe run runs a program and counts its instructions: {status} {said[-300:]}")


def says(checks, there):
    """Exit status and the one sentence, which has the name of what was typed."""
    bare = there.folder / "bin"  # no QEMU on the path
    bare.mkdir()
    for name in ("bash", "env", "python3", "dirname", "mktemp", "rm", "mkdir", "ln", "realpath", "head", "tr", "grep",
                 "tail", "nm", "cat"):
        (bare / name).symlink_to(shutil.which(name))
    for words, path, status, sentence in (
            (("boot", "--bogus"), None, 2, "cpuprobe boot: unknown option --bogus (--help tells the usage)"),
            (("boot", "--door", "bogus"), None, 2, "cpuprobe boot: --door bogus is not one of: "),
            (("boot", "--door", "iso"), None, 2, "/cpuprobe.iso: make iso in the sources builds it"),
            (("boot", "--door", "rom", *["seed=1"] * 90), None, 2, "cpuprobe boot: the words are 6"),
            (("boot", "--timeout", "1", "--", "seconds=0"), None, 124, "cpuprobe boot: no end after 1 s"),
            (("boot", "--", "secnds=1"), None, 2, "did you mean 'seconds'?"),
            (("boot",), str(bare), 1,
             "cpuprobe boot: there is no qemu-system-x86_64: the Debian package qemu-system-x86 has it"),
            (("run", "./primes"), str(bare), 1,
             "cpuprobe run: there is no qemu-system-x86_64: the Debian package qemu-system-x86 has it"),
            (("run", "nothing-here"), None, 2, "cpuprobe run: cannot read nothing-here"),
            (("shell",), None, 2, "cpuprobe shell: standard input is not a terminal")):
        ended, _, said = there.run(*words, path=path)
        checks.check(ended == status and sentence in said,
                     f"{' '.join(words)[:40]}: status {ended}, {said.strip()[-200:]}")


def main():
    checks = lib.Checks()
    place = lib.folder().resolve()
    root = place / "usr"
    shutil.rmtree(root, ignore_errors=True)
    done = make("install", f"DESTDIR={place}", "PREFIX=/usr")
    checks.check(done.returncode == 0, f"make install {done.stderr[-300:]}")
    missing = [name for name in FILES if not (root / name).is_file()]
    checks.check(not missing,
                 f"what is installed: {sum(1 for each in root.rglob('*') if each.is_file())} files {missing or ''}")
    (place / "dump").write_bytes(subprocess.run([lib.ROOT / "build/host/make_dump", "before"], stdout=subprocess.PIPE,
                                                check=True).stdout)
    said = subprocess.run([root / "bin/cpuprobe", "stat", place / "dump"], capture_output=True, text=True,
                          check=False, cwd="/")
    checks.check(said.returncode == 0 and "ROGUE" in said.stdout, "the installed tool reads a dump")
    with tempfile.TemporaryDirectory() as folder:
        there = Elsewhere(root, folder)
        try:
            boots(checks, there)
            says(checks, there)
        finally:
            there.writable(True)
    (place / "primes").touch()
    manuals(checks, root)
    completes(checks, root)
    checks.check(make("install", "PREFIX=here", f"DESTDIR={place}").returncode != 0,
                 "a PREFIX that is not absolute is refused")
    make("uninstall", f"DESTDIR={place}", "PREFIX=/usr")
    left = [str(each) for each in root.rglob("*") if not each.is_dir()]
    checks.check(not left, f"make uninstall leaves nothing {left[:3] or ''}")
    checks.finish()


main()
