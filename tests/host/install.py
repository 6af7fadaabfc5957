#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""make install and uninstall in a folder: what is there runs, man pages have no fault, the shells complete."""

import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "qemu"))
import lib  # noqa: E402

FILES = ("bin/cpuprobe", "lib/cpuprobe/cpuprobe.elf", "lib/cpuprobe/cpuprobe.img", "lib/cpuprobe/hwmon.so", "lib/cpuprobe/tasks/divider.elf",
         "share/doc/cpuprobe/docs/TOOL.md", "share/man/man1/cpuprobe.1", "share/man/man1/cpuprobe-stat.1",
         "share/bash-completion/completions/cpuprobe", "share/zsh/site-functions/_cpuprobe", "share/fish/vendor_completions.d/cpuprobe.fish")
CASES = (  # the line up to the tabulator, and what has to be among the candidates
    ("cpuprobe histog", "histogram"),
    ("cpuprobe stat --exa", "--exact"),
    ("cpuprobe help audi", "audit"),
    ("cpuprobe diff --by ", "function"),
    ("cpuprobe histogram dump --task ", "ROGUE"),
    ("cpuprobe time dump --function ", "0x401000 (no symbol)"),
)


def make(*words):
    return subprocess.run(["make", "-s", *words], cwd=lib.ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def bash(root, line):
    words = line.split(" ")
    script = f"source {root}/share/bash-completion/completions/cpuprobe; COMP_WORDS=({' '.join(repr(w) for w in words)}); " \
             f"COMP_CWORD={len(words) - 1}; _cpuprobe; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return [bash_plain(text) for text in spoken(["bash", "--norc", "-c", script]).split("\n")]


def bash_plain(text):
    return text.replace("\\", "")


def fish(root, line):
    return [text.partition("\t")[0].replace("\\", "") for text in
            spoken(["fish", "-N", "-c", f"source {root}/share/fish/vendor_completions.d/cpuprobe.fish; complete -C '{line}'"]).split("\n")]


def spoken(words):
    return subprocess.run(words, capture_output=True, text=True, check=False, cwd=lib.folder(), env=environment(), timeout=60,
                          stdin=subprocess.DEVNULL).stdout


def environment():
    return {**os.environ, "PATH": f"{lib.folder().resolve()}/usr/bin:{os.environ['PATH']}", "HOME": str(lib.folder().resolve()), "TERM": "xterm"}


class Zsh:
    """An interactive one: its completion needs the line editor."""

    def __init__(self, root):
        self.child, self.master = pty.fork()
        if not self.child:
            there = environment()
            os.chdir(lib.folder())
            os.execvpe("zsh", ["zsh", "-f", "-i"], there)
        self.ask("PS1='> '; stty rows 60 cols 200; setopt no_beep; unsetopt list_ambiguous\n")
        self.ask(f"fpath=({root}/share/zsh/site-functions $fpath); autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' menu no\n", 3)

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
            checks.check(wanted in found, f"{shell}: {line}<TAB> has {wanted}" + ("" if wanted in found else f" {found[:6]}"))
    if not shutil.which("zsh"):
        print("skip: no zsh here")
        return
    zsh = Zsh(root)
    for line, wanted in CASES:
        found = zsh.complete(line, wanted)
        checks.check(wanted in found, f"zsh: {line}<TAB> has {wanted}" + ("" if wanted in found else f" {found[-200:]!r}"))
    zsh.end()


def manuals(checks, root):
    if not shutil.which("man"):
        print("skip: no man here")
        return
    pages = sorted((root / "share/man/man1").glob("*.1"))
    faults = [f"{page.name}: {text}" for page in pages if (text := subprocess.run(
        ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page], env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"},
        capture_output=True, text=True, check=False).stderr)]
    checks.check(pages and not faults, f"{len(pages)} man pages without a warning {' '.join(faults)[:300]}")
    if shutil.which("mandoc"):
        said = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *pages], capture_output=True, text=True, check=False).stdout
        checks.check(not said, f"mandoc has no warning either: {said[:300]}")


def main():
    checks = lib.Checks()
    place = lib.folder().resolve()
    root = place / "usr"
    shutil.rmtree(root, ignore_errors=True)
    done = make("install", f"DESTDIR={place}", "PREFIX=/usr")
    checks.check(done.returncode == 0, f"make install {done.stderr[-300:]}")
    missing = [name for name in FILES if not (root / name).is_file()]
    checks.check(not missing, f"what is installed: {sum(1 for each in root.rglob('*') if each.is_file())} files {missing or ''}")
    (place / "dump").write_bytes(subprocess.run([lib.ROOT / "build/host/make_dump", "before"], stdout=subprocess.PIPE, check=True).stdout)
    said = subprocess.run([root / "bin/cpuprobe", "stat", place / "dump"], capture_output=True, text=True, check=False, cwd="/")
    checks.check(said.returncode == 0 and "ROGUE" in said.stdout, "the installed tool reads a dump")
    manuals(checks, root)
    completes(checks, root)
    checks.check(make("install", "PREFIX=here", f"DESTDIR={place}").returncode != 0, "a PREFIX that is not absolute is refused")
    make("uninstall", f"DESTDIR={place}", "PREFIX=/usr")
    left = [str(each) for each in root.rglob("*") if not each.is_dir()]
    checks.check(not left, f"make uninstall leaves nothing {left[:3] or ''}")
    checks.finish()


main()
